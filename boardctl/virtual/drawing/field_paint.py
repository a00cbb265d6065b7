"""What is painted on the playing surface of a look: its points, and the ornaments below and above them."""

import numpy as np

from boardctl.virtual.drawing.outlines import corners_of
from boardctl.virtual.looks import Look, Outline, Patch, Profile
from calibration import BoardGeometry


def patches_of(look: Look, geometry: BoardGeometry) -> list[Patch]:
    """Gets all patches, in the order in which they are painted."""
    points = [
        Patch((point_outline(geometry, number, look.point_profile),), look.points[number % 2])
        for number in range(1, 25)
    ]
    return [*look.below_points, *points, *look.over_points]


def point_outline(geometry: BoardGeometry, number: int, profile: Profile, share: float = 1.0) -> Outline:
    """Gets the outline of a point of a profile, or of a smaller one on the same base."""
    left, right, tip = (np.array(corner) for corner in geometry.point_triangle(number))
    base, across = (left + right) / 2, (right - left) / 2 * share
    up = (tip - base) * share
    there = [base + along * up + wide * across for along, wide in profile]
    back = [base + along * up - wide * across for along, wide in profile if wide]
    return corners_of(np.array([*there, *reversed(back)]))
