"""The boards that one picture shows, each by itself: what lies and moves beside a board has nothing to do with it."""

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.corners import Corners
from calibration.find_field import LEAST, rated_fields

Picture = NDArray[np.uint8]
Mask = NDArray[np.uint8]

MOST_FIELDS = 3
"""So many boards are looked for: the one below the camera, and one at each side of it."""

OVER_EDGE, OVER_BOARD = 0.06, 0.18
"""Checkers are seen by so much of the field's width over its edge at most: the height of some, and how far off the edge
is found, a tenth of a point or two. Rails and trays are no wider than the second."""


def fields_in_view(picture: Picture) -> list[Corners]:
    """Gets where playing fields seem to lie in a picture (H x W x 3), each beside the others, the likeliest first."""
    found: list[Corners] = []
    for field in (each for each in rated_fields(picture) if each.rating >= LEAST):
        middle, across = np.mean(field.corners, axis=0), np.ptp(field.corners, axis=0)
        if all((np.abs(middle - np.mean(other, axis=0)) > across / 2).any() for other in found):
            found.append(field.corners)
    return found[:MOST_FIELDS]


def part_around(field: Corners, picture: Picture, over_edge: float = OVER_EDGE) -> Mask:
    """Gets the part of a picture (H x W, 0 or 1) in which a field lies, and so much over its edge, in its widths."""
    corners = np.array(field)
    middle = corners.mean(axis=0)
    wider = np.rint(middle + (1 + 2 * over_edge) * (corners - middle)).astype(np.int32)
    return np.asarray(cv2.fillConvexPoly(np.zeros(picture.shape[:2], np.uint8), wider, 1), dtype=np.uint8)
