"""The boards that one picture shows, each by itself: what lies and moves beside a board has nothing to do with it."""

from collections.abc import Iterator

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.corners import Corners
from calibration.field.find import LEAST, rated_fields

Picture = NDArray[np.uint8]
Mask = NDArray[np.uint8]

MOST_FIELDS = 3
"""So many boards are looked for: the one below the camera, and one at each side of it."""

OVER_EDGE, OVER_BOARD = 0.06, 0.18
"""Checkers are seen by so much of the field's width over its edge at most: the height of some, and how far off the edge
is found, a tenth of a point or two. Rails and trays are no wider than the second."""

BESIDE = 0.05
"""Where less than this share of what has changed lies beside a board, nothing does: noise, and the cube."""


def fields_in_view(picture: Picture) -> Iterator[Corners]:
    """Gets where playing fields lie in a picture (H x W x 3), the one that is seen best first, each looked for where
    none of those before lies."""
    left = picture
    for _ in range(MOST_FIELDS):
        best = next(iter(rated_fields(left)), None)
        if best is None or best.rating < LEAST:
            return
        yield best.corners
        board = part_around(best.corners, left, OVER_BOARD) > 0
        left = left.copy()
        left[board] = np.median(left[board], axis=0)


def parts_by_board(empty: Picture, changed: NDArray[np.bool_], corners: Corners | None) -> Iterator[Mask]:
    """Gets the parts of a picture (each H x W, 0 or 1) in which a board may have been set up by itself, where that is
    not all that has ``changed`` (H x W) since it was empty: each board that is seen, and what is beside those.

    ``corners``: where the board's field lies, if that is known.
    """
    if not changed.any():
        return
    beside = np.ones(changed.shape, np.uint8)
    for field in [corners] if corners else fields_in_view(empty):
        beside = beside & (1 - part_around(field, empty, OVER_BOARD))
        if (changed & (beside > 0)).sum() < BESIDE * changed.sum():
            return
        yield part_around(field, empty)
        if corners is None:
            yield beside


def part_around(field: Corners, picture: Picture, over_edge: float = OVER_EDGE) -> Mask:
    """Gets the part of a picture (H x W, 0 or 1) in which a field lies, and so much over its edge, in its widths."""
    corners = np.array(field)
    middle = corners.mean(axis=0)
    wider = np.rint(middle + (1 + 2 * over_edge) * (corners - middle)).astype(np.int32)
    return np.asarray(cv2.fillConvexPoly(np.zeros(picture.shape[:2], np.uint8), wider, 1), dtype=np.uint8)
