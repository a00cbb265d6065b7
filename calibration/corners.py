"""Corners of a playing field in a picture."""

from collections.abc import Iterable

import numpy as np
from numpy.typing import ArrayLike

Corners = tuple[tuple[float, float], tuple[float, float], tuple[float, float], tuple[float, float]]
"""A's left, A's right, B's side above A's right, B's side above A's left: x and y of each, in pixels."""


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
