"""Where the checkers of the starting position are seen, their place being roughly known: by their rims, and by what is
inlaid in them."""

from collections.abc import Callable, Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from calibration.camera import CameraModel
from calibration.geometry import BoardGeometry
from calibration.start.landmarks import STEP, Landmark, best_shift, sample, soft
from calibration.starting_position import STARTING_STACKS

Picture = NDArray[np.uint8]
Floats = NDArray[np.float64]

Strength = Callable[[Floats, int, float, Floats, Floats], Floats]
"""How plainly a strip shows a row of so many checkers at a spacing, by the shifts along and across it."""

RIM_STEP = 0.06
"""Half the width over which a rim's change is taken, in point widths: a pixel or two, as sharp as rims are seen."""

RIM_MARGIN = 0.9
"""What a strip shows beside the middle line, in point widths: half a checker, the furthest shift and a rim's width."""

STEEP = 1.5
"""Change across a rim that counts in full, on the root scale: twenty grey levels at grey 50. One steep edge of a
point's colours must not outweigh a whole rim."""

ENOUGH_ROWS = 7
"""Rims that tell of so many of the eight rows how far up their points they lie are believed: those of plain checkers
do, but for one row on a point of its colour."""

WITHIN = (0.16, 0.25, 0.37, 0.49, 0.61, 0.73, 0.85)
"""Circles within a checker's rim, in its radius: as close as a ring of a pixel or two is wide."""

FAINT = 0.25
"""Change from one of these circles to the next that tells nothing: a plain face shades off by so much where it is
turned or bent, or looked at beside its middle."""

TOUCHING = 1.015
"""Distance of neighbours in a row over their diameter: hands leave a gap of a hair."""


def stack_rims(start: Picture, camera: CameraModel, geometry: BoardGeometry) -> tuple[list[Landmark], float]:
    """Gets where the checkers of the starting position were seen, and their spacing in point widths.

    Rims show as circles of steep change around each checker's middle; the stacks share one spacing. Where rims do not
    tell of most stacks how far up their points they lie, as with rings and emblems in checkers, which are steeper, the
    circles that are alike all around within their rims tell, too, if they tell more.
    """
    picture = soft(start, camera, geometry)
    strips = [_stack_strip(picture, camera, geometry, number) for number, _, _ in STARTING_STACKS]
    by_rims = _stacks_by(_rim_strength, strips, geometry)
    if _rows_told(by_rims[0]) >= ENOUGH_ROWS:
        return by_rims
    by_circles = _stacks_by(_circle_strength, strips, geometry)
    return by_circles if _rows_told(by_circles[0]) > _rows_told(by_rims[0]) else by_rims


def _rows_told(found: Sequence[Landmark]) -> int:
    """Gets of how many stacks it is told how far up their points they lie, by both ends of each."""
    return sum(landmark.axis == 1 for landmark in found) // 2


def _stacks_by(strength: Strength, strips: Sequence[Floats], geometry: BoardGeometry) -> tuple[list[Landmark], float]:
    """Gets the same from the strips of all stacks, by how ``strength`` rates where they may lie."""
    width, height = geometry.point_width_mm, geometry.checker_height_mm
    spacings: Floats = np.arange(0.87, 1.04, 0.02)
    x_shifts = np.arange(-4.0, 5.0) * RIM_STEP
    y_shifts = np.arange(-7.0, 8.0) * RIM_STEP
    scores = np.zeros((len(STARTING_STACKS), len(spacings), len(y_shifts), len(x_shifts)))
    for which, (_, _, count) in enumerate(STARTING_STACKS):
        for step, spacing in enumerate(spacings):
            scores[which, step] = strength(strips[which], count, float(spacing), y_shifts, x_shifts)
    spacing_scores = scores.max(axis=(2, 3)).sum(axis=0)
    spacing, _ = best_shift(spacing_scores, spacings)
    nearest = int(np.abs(spacings - spacing).argmin())
    found = []
    for which, (number, _, count) in enumerate(STARTING_STACKS):
        side = -1.0 if geometry.is_near_row(number) else 1.0
        here = scores[which, nearest]
        y_shift, y_out = best_shift(here.max(axis=1), y_shifts)
        x_shift, x_out = best_shift(here.max(axis=0), x_shifts)
        for index in (0, count - 1):
            row_mm = side * (geometry.field_height_mm / 2 - (index + 0.5) * spacing * width)
            place = (geometry.point_x_mm(number), row_mm, height)
            if y_out > 1.0:
                found.append(Landmark(place, 1, -side * y_shift * width, 0.04 * width))
            if x_out > 1.0:
                found.append(Landmark(place, 0, x_shift * width, 0.04 * width))
    return found, spacing


def rims_seen(picture: Picture, camera: CameraModel, geometry: BoardGeometry) -> float:
    """Gets how plainly a picture shows the rims of the starting position's checkers about where they should lie, 0 to
    :data:`STEEP`: points and noise show some, too."""
    return float(rims_of_stacks(picture, camera, geometry).mean())


def rims_of_stacks(picture: Picture, camera: CameraModel, geometry: BoardGeometry) -> Floats:
    """Gets the same of each stack of the starting position (8)."""
    seen = soft(picture, camera, geometry)
    spacing = TOUCHING * geometry.checker_diameter_mm / geometry.point_width_mm
    shifts: Floats = np.arange(-3.0, 4.0) * RIM_STEP
    strips = ((_stack_strip(seen, camera, geometry, number), count) for number, _, count in STARTING_STACKS)
    return np.array([_rim_strength(strip, count, spacing, shifts, shifts).max() for strip, count in strips])


def _stack_strip(picture: NDArray[np.float32], camera: CameraModel, geometry: BoardGeometry, number: int) -> Floats:
    """Gets what a picture shows at the height of checkers of where a stack may lie on a point, in steps of ``STEP``:
    from ``RIM_MARGIN`` over the edge of the board to as much beyond five checkers, and as much beside their middle."""
    width = geometry.point_width_mm
    side = -1.0 if geometry.is_near_row(number) else 1.0
    y = side * (geometry.field_height_mm / 2 - np.arange(-RIM_MARGIN, 5.2 + RIM_MARGIN, STEP) * width)
    x = geometry.point_x_mm(number) + np.arange(-RIM_MARGIN, RIM_MARGIN + STEP / 2, STEP) * width
    places = np.broadcast_arrays(x[None], y[:, None], geometry.checker_height_mm)
    return sample(picture, camera, np.stack(places, axis=-1))


def _rim_strength(strip: Floats, count: int, spacing: float, y_shifts: Floats, x_shifts: Floats) -> Floats:
    """Gets how steep a strip (in steps of ``STEP`` from ``-RIM_MARGIN``) is along the rims of a row's checkers, by
    shift."""
    circles, radius = _Circles(strip, count, spacing, y_shifts, x_shifts), spacing / TOUCHING / 2
    change = _most(np.abs(circles.values(radius + RIM_STEP) - circles.values(radius - RIM_STEP)))
    return np.asarray(np.minimum(change, STEEP).mean(axis=-1))


def _circle_strength(strip: Floats, count: int, spacing: float, y_shifts: Floats, x_shifts: Floats) -> Floats:
    """Gets the same of their rims and of all circles within, those taken all around in all of a row's checkers
    alike."""
    circles, radius = _Circles(strip, count, spacing, y_shifts, x_shifts), spacing / TOUCHING / 2
    means = [circles.values(radius * reach).mean(axis=-1) for reach in WITHIN]
    steps = (np.clip(_most(np.abs(outer - inner)) - FAINT, 0.0, STEEP) for inner, outer in pairwise(means))
    return _rim_strength(strip, count, spacing, y_shifts, x_shifts) + sum(steps)


class _Circles:
    """Circles around where the middles of a row's checkers may lie in a strip, by shift."""

    def __init__(self, strip: Floats, count: int, spacing: float, y_shifts: Floats, x_shifts: Floats) -> None:
        self._channels, self._shape = np.ascontiguousarray(np.moveaxis(strip.reshape(-1, 3), -1, 0)), strip.shape
        middles = (np.arange(count) + 0.5) * spacing
        self._rows = middles[None, None, :, None] + y_shifts[:, None, None, None]
        self._columns = x_shifts[None, :, None, None]
        turns = np.linspace(0, 2 * np.pi, 32, endpoint=False)
        self._down, self._aside = np.sin(turns), np.cos(turns)

    def values(self, reach: float) -> Floats:
        """Gets what the strip shows on circles of a radius, in widths of points (channels x shifts x shifts x spots: of
        all turns of all checkers)."""
        down = np.rint((self._rows + reach * self._down + RIM_MARGIN) / STEP).astype(int)
        right = np.rint((self._columns + reach * self._aside + RIM_MARGIN) / STEP).astype(int)
        places = np.clip(down, 0, self._shape[0] - 1) * self._shape[1] + right
        return np.asarray(np.take(self._channels, places.reshape(*places.shape[:2], -1), axis=1))


def _most(change: Floats) -> Floats:
    """Gets the change in the channel that changes most (channels x ...)."""
    blue, green, red = change
    return np.asarray(np.maximum(np.maximum(blue, green), red))
