"""Other boards at the sides of the one that is read, as at a tournament, laid into its pictures, to see how the eyes
do: games go on at them."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

Picture = NDArray[np.uint8]
Floats = NDArray[np.float64]

TABLE = (0.015, 0.05)
"""How much of the table is seen beside a board, up to where the other one's begins, in widths of the picture."""


@dataclass(frozen=True)
class Board:
    """A picture (H x W x 3) of a board, and where its outer corners are seen in it (N x 2 pixels)."""

    picture: Picture
    outline_px: Floats


def with_boards_beside(board: Board, left: Board, right: Board, rng: np.random.Generator) -> Picture:
    """Gets a picture with what two others of its size show at its left and at its right, moved aside until nothing of
    the board itself is covered."""
    width = board.picture.shape[1]
    picture = board.picture.copy()
    own, other = rng.uniform(*TABLE, (2, 2)) * width
    first, last = board.outline_px[:, 0].min() - own[0], board.outline_px[:, 0].max() + own[1]
    ends_px, begins_px = max(round(first), 0), min(round(last), width)
    picture[:, :ends_px] = _moved(left, first - other[0] - left.outline_px[:, 0].max())[:, :ends_px]
    picture[:, begins_px:] = _moved(right, last + other[1] - right.outline_px[:, 0].min())[:, begins_px:]
    return picture


def _moved(board: Board, right_px: float) -> Picture:
    to = np.array([[1.0, 0.0, round(right_px)], [0.0, 1.0, 0.0]])
    size = (board.picture.shape[1], board.picture.shape[0])
    return np.asarray(cv2.warpAffine(board.picture, to, size, borderMode=cv2.BORDER_REPLICATE), dtype=np.uint8)
