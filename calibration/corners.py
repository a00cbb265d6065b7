"""Corners of a playing field in a picture."""

from collections.abc import Iterable
from enum import StrEnum

import numpy as np
from numpy.typing import ArrayLike

Corners = tuple[tuple[float, float], tuple[float, float], tuple[float, float], tuple[float, float]]
"""A's left, A's right, B's side above A's right, B's side above A's left: x and y of each, in pixels."""


class Side(StrEnum):
    """A side of a picture."""

    BOTTOM = "bottom"
    TOP = "top"
    LEFT = "left"
    RIGHT = "right"


_TOWARDS = {Side.BOTTOM: (0, 1), Side.TOP: (0, -1), Side.LEFT: (-1, 0), Side.RIGHT: (1, 0)}


def is_seat_a_at(side: Side, corners: ArrayLike) -> bool:
    """Whether seat A's edge of the field with these corners (4 x 2 pixels) is nearer to a side of the picture than
    B's."""
    places = np.asarray(corners, dtype=np.float64)
    return bool((places[:2].sum(axis=0) - places[2:].sum(axis=0)) @ _TOWARDS[side] >= 0)


def are_within(corners: ArrayLike, size_px: tuple[int, int], outside: float) -> bool:
    """Whether all corners (4 x 2 pixels) are in a picture (width, height), or so little outside, in lengths of its
    longer side."""
    places, size = np.asarray(corners, dtype=np.float64), np.array(size_px, dtype=np.float64)
    slack = outside * size.max()
    return bool((places >= -slack).all() and (places <= size + slack).all())


def as_corners(places: Iterable[Iterable[float]]) -> Corners:
    """Gets four places (x, y) as corners.

    :raises ValueError: when they are not four.
    """
    first, second, third, fourth = ((float(x), float(y)) for x, y in places)
    return (first, second, third, fourth)
