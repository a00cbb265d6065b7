"""Landmarks of a board whose place is roughly known: middles of points, tips, rims of stacked checkers."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import CameraModel
from calibration.difference import root_scale
from calibration.geometry import BoardGeometry
from calibration.starting_position import STARTING_STACKS

Picture = NDArray[np.uint8]
Floats = NDArray[np.float64]

Strength = Callable[[Floats, int, float, Floats, Floats], Floats]
"""How plainly a strip shows a row of so many checkers at a spacing, by the shifts along and across it."""

STEP = 0.02
"""Spacing of samples in point widths: finer than a pixel, of which a point has twenty or more."""

REACH = 0.3
"""How far from where it is expected a landmark is looked for, in point widths: half a point further lies the gap
between two points, which is as symmetric as a point itself."""

RIM_STEP = 0.06
"""Half the width over which a rim's change is taken, in point widths: a pixel or two, as sharp as rims are seen."""

RIM_MARGIN = 0.9
"""What a strip shows beside the middle line, in point widths: half a checker, the furthest shift and a rim's width."""

STEEP = 1.5
"""Change across a rim that counts in full, on the root scale: twenty grey levels at grey 50. One steep edge of a
point's colours must not outweigh a whole rim."""

WITHIN = (0.16, 0.25, 0.37, 0.49, 0.61, 0.73, 0.85)
"""Circles within a checker's rim, in its radius: as close as a ring of a pixel or two is wide."""

TOUCHING = 1.015
"""Distance of neighbours in a row over their diameter: hands leave a gap of a hair."""


SHORTEST, LONGEST = 0.66, 0.99
"""How long points are, of the way to the middle of the board: of the boards looked at 0.72 to 0.94. Beyond the middle
lie the tips of the other row."""


@dataclass(frozen=True)
class Landmark:
    """One thing seen: a place of the board (x, y, z in millimetres by the geometry in use) and how far off it was
    seen (in millimetres along ``axis``, 0 for x, 1 for y)."""

    place_mm: tuple[float, float, float]
    axis: int
    off_mm: float
    spread_mm: float


def sample(picture: NDArray[np.float32], camera: CameraModel, places_mm: Floats) -> Floats:
    """Gets the picture's values (... x channels) at places (... x 3) of the board frame."""
    shape = places_mm.shape[:-1]
    pixels = camera.project(places_mm.reshape(-1, 3)).astype(np.float32)
    rows = 4096  # cv2.remap takes no picture with a longer side than 32767
    padded = np.full((-(-len(pixels) // rows) * rows, 2), -1, np.float32)
    padded[: len(pixels)] = pixels
    maps = padded.reshape(-1, rows, 2)
    map_x, map_y = np.ascontiguousarray(maps[..., 0]), np.ascontiguousarray(maps[..., 1])
    values = cv2.remap(picture, map_x, map_y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(values, dtype=np.float64).reshape(-1, picture.shape[2])[: len(pixels)].reshape(*shape, -1)


def best_shift(scores: Floats, shifts: Floats) -> tuple[float, float]:
    """Gets the shift of the highest score, between samples, and how far the score stands out (in deviations)."""
    peak = int(scores.argmax())
    spread = float(scores.std()) + 1e-9
    stands_out = float(scores[peak] - np.median(scores)) / spread
    if 0 < peak < len(scores) - 1:
        low, middle, high = scores[peak - 1 : peak + 2]
        bend = low - 2 * middle + high
        offset = 0.5 * (low - high) / bend if bend < 0 else 0.0
        return float(shifts[peak] + offset * (shifts[1] - shifts[0])), stands_out
    return float(shifts[peak]), 0.0


def point_middles(empty: Picture, camera: CameraModel, geometry: BoardGeometry) -> list[Landmark]:
    """Gets where the middle lines of the points were seen in the empty board, in two parts of each point.

    Left and right of a point's middle line colours mirror each other, whatever the colours and the shape of the point.
    """
    width = geometry.point_width_mm
    picture = soft(empty, camera, geometry)
    across = np.arange(-1.0, 1.0 + STEP, STEP)
    shifts: Floats = np.arange(-REACH, REACH + STEP / 2, STEP)
    reach = round(0.6 / STEP)
    found = []
    for number in range(1, 25):
        middle = geometry.point_x_mm(number)
        side = -1.0 if geometry.is_near_row(number) else 1.0
        for part in ((0.15, 0.5), (0.45, 0.8)):
            depths = np.linspace(*part, 8) * geometry.point_length_mm
            y = side * (geometry.field_height_mm / 2 - depths)
            grid = np.stack(np.broadcast_arrays(middle + across[None] * width, y[:, None], 0.0), axis=-1)
            slopes = np.gradient(sample(picture, camera, grid), axis=1)
            scores = []
            for shift in shifts:
                center = round((shift + 1.0) / STEP)
                right = slopes[:, center + 1 : center + 1 + reach]
                left = slopes[:, center - reach : center][:, ::-1]
                both = min(right.shape[1], left.shape[1])
                scores.append(-float((right[:, :both] * left[:, :both]).sum()))
            shift, stands_out = best_shift(np.array(scores), shifts)
            if stands_out > 1.5:
                found.append(Landmark((middle, float(y.mean()), 0.0), 0, shift * width, 0.02 * width))
    return found


def points_end_mm(empty: Picture, camera: CameraModel, geometry: BoardGeometry) -> float:
    """Gets how long the points are, as far as can be told at a glance: where most of them are seen to end in the empty
    board, between two thirds of the way to its middle and there."""
    width, half = geometry.point_width_mm, geometry.field_height_mm / 2
    picture = soft(empty, camera, geometry)
    depths: Floats = np.arange(SHORTEST * half, LONGEST * half, STEP * width)
    ends = np.zeros(len(depths))
    for number in range(1, 25):
        side = -1.0 if geometry.is_near_row(number) else 1.0
        slope = _slope_along(picture, camera, geometry.point_x_mm(number), side * (half - depths), width)
        ends += slope / (slope.max() + 1e-9)
    return best_shift(ends, depths)[0]


def _slope_along(
    picture: NDArray[np.float32], camera: CameraModel, x_mm: float, y_mm: Floats, width_mm: float
) -> Floats:
    """Gets how steeply the picture changes along the middle of a point at some places (N)."""
    beside = x_mm + np.linspace(-0.05, 0.05, 3) * width_mm
    grid = np.stack(np.broadcast_arrays(beside[None], y_mm[:, None], 0.0), axis=-1)
    profile = sample(picture, camera, grid).mean(axis=1)
    slope = np.gradient(cv2.GaussianBlur(profile, (1, 0), 0.0, sigmaY=3.0), axis=0)
    return np.asarray(np.abs(slope).max(axis=1), dtype=np.float64)


def point_tips(empty: Picture, camera: CameraModel, geometry: BoardGeometry) -> list[Landmark]:
    """Gets where the points were seen to end in the empty board."""
    width = geometry.point_width_mm
    picture = soft(empty, camera, geometry)
    along: Floats = np.arange(-0.9, 0.9 + STEP, STEP)
    inner = np.abs(along) <= 0.7
    found = []
    for number in range(1, 25):
        (_, _), (_, _), (x, y) = geometry.point_triangle(number)
        side = -1.0 if geometry.is_near_row(number) else 1.0
        slope = _slope_along(picture, camera, x, y - side * along * width, width)
        shift, stands_out = best_shift(slope[inner], along[inner])
        if stands_out > 1.5:
            found.append(Landmark((x, y, 0.0), 1, -side * shift * width, 0.05 * width))
    return found


def stack_rims(start: Picture, camera: CameraModel, geometry: BoardGeometry) -> tuple[list[Landmark], float]:
    """Gets where the checkers of the starting position were seen, and their spacing in point widths.

    Rims show as circles of steep change around each checker's middle; the stacks share one spacing. Where rims do not
    tell of every stack how far up its point it lies, as with rings and emblems in checkers, which are steeper, the
    circles that are alike all around within their rims tell, too.
    """
    picture = soft(start, camera, geometry)
    strips = [_stack_strip(picture, camera, geometry, number) for number, _, _ in STARTING_STACKS]
    found, spacing = _stacks_by(_rim_strength, strips, geometry)
    if len({landmark.place_mm[:2] for landmark in found if landmark.axis == 1}) == 2 * len(STARTING_STACKS):
        return found, spacing
    return _stacks_by(_circle_strength, strips, geometry)


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
    return np.asarray(np.minimum(change, STEEP).mean(axis=(-1, -2)))


def _circle_strength(strip: Floats, count: int, spacing: float, y_shifts: Floats, x_shifts: Floats) -> Floats:
    """Gets the same of their rims and of all circles within, those taken all around in all of a row's checkers
    alike."""
    circles, radius = _Circles(strip, count, spacing, y_shifts, x_shifts), spacing / TOUCHING / 2
    means = [circles.values(radius * reach).mean(axis=(-3, -2)) for reach in WITHIN]
    steps = (np.minimum(_most(np.abs(outer - inner)), STEEP) for inner, outer in pairwise(means))
    return _rim_strength(strip, count, spacing, y_shifts, x_shifts) + sum(steps)


class _Circles:
    """Circles around where the middles of a row's checkers may lie in a strip, by shift."""

    def __init__(self, strip: Floats, count: int, spacing: float, y_shifts: Floats, x_shifts: Floats) -> None:
        self._samples, self._shape = strip.reshape(-1, strip.shape[-1]), strip.shape
        middles = (np.arange(count) + 0.5) * spacing
        self._rows = middles[None, None, :, None] + y_shifts[:, None, None, None]
        self._columns = x_shifts[None, :, None, None]
        turns = np.linspace(0, 2 * np.pi, 32, endpoint=False)
        self._down, self._aside = np.sin(turns), np.cos(turns)

    def values(self, reach: float) -> Floats:
        """Gets what the strip shows on circles of a radius, in widths of points (shifts x shifts x checkers x turns x
        channels)."""
        down = np.rint((self._rows + reach * self._down + RIM_MARGIN) / STEP).astype(int)
        right = np.rint((self._columns + reach * self._aside + RIM_MARGIN) / STEP).astype(int)
        places = np.clip(down, 0, self._shape[0] - 1) * self._shape[1] + right
        return np.asarray(np.take(self._samples, places, axis=0))


def _most(change: Floats) -> Floats:
    """Gets the change in the channel that changes most (... x 3)."""
    blue, green, red = np.moveaxis(change, -1, 0)
    return np.asarray(np.maximum(np.maximum(blue, green), red))


def soft(picture: Picture, camera: CameraModel, geometry: BoardGeometry) -> NDArray[np.float32]:
    """Gets the picture on the root scale, blurred by a thirtieth of a checker: noise goes, rims stay."""
    blur_px = max(camera.seen_px(geometry.checker_diameter_mm) / 30, 0.5)
    return np.asarray(cv2.GaussianBlur(root_scale(picture), (0, 0), blur_px), dtype=np.float32)
