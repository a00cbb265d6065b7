"""Whether the rows of the starting position's checkers begin where a fit has the edge of the field.

A row of checkers looks like itself a checker further on. Where a first fit is most of a checker off at one side of the
board, the rims of the checkers lead it to the wrong ones, and the edge of the field comes to lie a checker too far out
or in. Then all rows of that side have one checker beyond their end, and none where their first should lie.
"""

import numpy as np
from numpy.typing import NDArray

from calibration.camera import CameraModel
from calibration.difference import changed
from calibration.geometry import BoardGeometry
from calibration.start.stack_rims import TOUCHING
from calibration.starting_position import STARTING_STACKS

Picture = NDArray[np.uint8]
Floats = NDArray[np.float64]

BLUR = 1 / 30
"""Blur of what has changed, in checkers: noise goes, checkers stay."""
LEAST_BLUR_PX = 0.5

WITHIN, TURNS = (0.25, 0.55, 0.8), 16
"""Circles around the middle of a checker on which it is looked at, in its radius, and places on each."""

SHIFTED = 0.2
"""Rows are a checker off where what lies beyond their ends has changed by so much more surely (0 to 1) than the
checkers at their other ends, as a mean of the four rows of a side. Of 220 boards that were found right the most was
-0.16, a dark one whose dark checkers hardly change it, and of nearly all -0.5 to -0.95; of one that was a checker off,
0.66."""


def rows_are_shifted(camera: CameraModel, geometry: BoardGeometry, empty: Picture, start: Picture) -> bool:
    """Whether all rows of checkers of one side seem to lie a checker further in, or out, than camera and board have
    them, so that the edge is elsewhere."""
    return shift_of_rows(camera, geometry, empty, start) > SHIFTED


def shift_of_rows(camera: CameraModel, geometry: BoardGeometry, empty: Picture, start: Picture) -> float:
    """Gets by how much more surely (-1 to 1) checkers lie beyond one end of the rows of a side than at the other, as a
    mean of these rows: of both ends and both sides the most."""
    seen = changed(start, empty, max(BLUR * camera.seen_px(geometry.checker_diameter_mm), LEAST_BLUR_PX))
    shifts: dict[tuple[bool, bool], list[float]] = {}
    for number, _, count in STARTING_STACKS:
        # One before the first checker, all of the row, and one beyond the last.
        before, first, *_, last, beyond = _changed_along(seen, camera, geometry, number, count).tolist()
        for inwards, shift in ((True, beyond - first), (False, before - last)):
            shifts.setdefault((geometry.is_near_row(number), inwards), []).append(shift)
    return max(float(np.mean(of_side)) for of_side in shifts.values())


def _changed_along(
    seen: NDArray[np.float32], camera: CameraModel, geometry: BoardGeometry, number: int, count: int
) -> Floats:
    """Gets how surely a picture has changed (``seen``: H x W, 0 to 1) where the checkers of a row of so many lie on a
    point, and where one more would at either end."""
    side = -1.0 if geometry.is_near_row(number) else 1.0
    apart_mm, radius_mm = TOUCHING * geometry.checker_diameter_mm, geometry.checker_diameter_mm / 2
    along = side * (geometry.field_height_mm / 2 - (np.arange(-1, count + 1) + 0.5) * apart_mm)
    turns = np.linspace(0, 2 * np.pi, TURNS, endpoint=False)
    circles = radius_mm * np.array(WITHIN)[:, None, None] * np.stack([np.cos(turns), np.sin(turns)], axis=-1)
    aside, further = circles.reshape(-1, 2).T
    places = np.stack(
        np.broadcast_arrays(geometry.point_x_mm(number) + aside, along[:, None] + further, geometry.checker_height_mm),
        axis=-1,
    )
    pixels = np.rint(camera.project(places.reshape(-1, 3))).astype(np.intp)
    columns, rows = np.clip(pixels, 0, np.array([seen.shape[1], seen.shape[0]]) - 1).T
    return np.asarray(seen[rows, columns].reshape(len(along), -1).mean(axis=1), dtype=np.float64)
