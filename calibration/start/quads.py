"""First guesses of where the field lies: four-sided hulls of what changed when the checkers were set up."""

from itertools import combinations

import cv2
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

CHANGED_LEVEL = 0.6
"""A pixel counts as changed from this certainty on."""

MIN_SHARE = 0.05
"""A patch smaller than this share of the largest is no stack of checkers: the largest holds five, the smallest two."""

MAX_LEFT_OUT = 2
"""A doubling cube and one more thing may have come into the picture between the two pictures."""

HULL_CORNERS = 14
"""Corners to which a hull is thinned before the largest four-sided figure in it is looked for."""


def patches(seen: NDArray[np.float32], least_share: float = MIN_SHARE) -> list[Floats]:
    """Gets the outline points (N x 2) of the patches that changed, the largest first; of that ``least_share`` at
    least."""
    level = (seen > CHANGED_LEVEL).astype(np.uint8)
    closed = cv2.morphologyEx(level, cv2.MORPH_CLOSE, np.ones((5, 5), np.uint8))
    solid = cv2.morphologyEx(closed, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    found, _ = cv2.findContours(solid, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    sized = sorted(((cv2.contourArea(outline), outline) for outline in found), key=lambda entry: -entry[0])
    if not sized:
        return []
    return [
        np.asarray(outline, dtype=np.float64).reshape(-1, 2)
        for area, outline in sized
        if area > least_share * sized[0][0]
    ]


def largest_quad(points: Floats) -> Floats | None:
    """Gets the four corners of the largest four-sided figure with its corners on the hull, clockwise as seen."""
    hull = cv2.convexHull(points.astype(np.float32))
    tolerance = 0.5
    while len(hull) > HULL_CORNERS:
        hull = cv2.approxPolyDP(hull, tolerance, True)
        tolerance *= 1.5
    corners = hull.reshape(-1, 2).astype(np.float64)
    best, best_area = None, 0.0
    for chosen in combinations(range(len(corners)), 4):
        quad = corners[list(chosen)]
        area = float(cv2.contourArea(quad.astype(np.float32)))
        if area > best_area:
            best, best_area = quad, area
    if best is None:
        return None
    signed = float(cv2.contourArea(best.astype(np.float32), oriented=True))
    return best if signed > 0 else best[::-1]


def candidate_quads(seen: NDArray[np.float32]) -> list[Floats]:
    """Gets four-sided figures (4 x 2 each) that may be the field: the hull of all patches, and with some left out."""
    found = patches(seen)
    quads: list[Floats] = []
    for left_out in range(min(MAX_LEFT_OUT, max(len(found) - 4, 0)) + 1):
        for missing in combinations(range(len(found)), left_out):
            rest = [patch for index, patch in enumerate(found) if index not in missing]
            if not rest:
                continue
            quad = largest_quad(np.concatenate(rest))
            if quad is not None and not any(np.abs(quad - other).max() < 2.0 for other in quads):
                quads.append(quad)
    return quads
