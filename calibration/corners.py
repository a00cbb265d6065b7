"""Corners of a playing field in a picture."""

from collections.abc import Iterable

Corners = tuple[tuple[float, float], tuple[float, float], tuple[float, float], tuple[float, float]]
"""A's left, A's right, B's side above A's right, B's side above A's left: x and y of each, in pixels."""


def as_corners(places: Iterable[Iterable[float]]) -> Corners:
    """Gets four places (x, y) as corners.

    :raises ValueError: when they are not four.
    """
    first, second, third, fourth = ((float(x), float(y)) for x, y in places)
    return (first, second, third, fourth)
