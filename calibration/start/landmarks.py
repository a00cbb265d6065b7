"""Landmarks of a board whose place is roughly known: middles of points, and where these end."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import CameraModel
from calibration.difference import root_scale
from calibration.geometry import BoardGeometry

Picture = NDArray[np.uint8]
Floats = NDArray[np.float64]

STEP = 0.02
"""Spacing of samples in point widths: finer than a pixel, of which a point has twenty or more."""

REACH = 0.3
"""How far from where it is expected a landmark is looked for, in point widths: half a point further lies the gap
between two points, which is as symmetric as a point itself."""


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
    centers = np.rint((shifts + 1.0) / STEP).astype(int)[:, None]
    away = np.arange(1, round(0.6 / STEP) + 1)
    found = []
    for number in range(1, 25):
        middle = geometry.point_x_mm(number)
        side = -1.0 if geometry.is_near_row(number) else 1.0
        for part in ((0.15, 0.5), (0.45, 0.8)):
            depths = np.linspace(*part, 8) * geometry.point_length_mm
            y = side * (geometry.field_height_mm / 2 - depths)
            grid = np.stack(np.broadcast_arrays(middle + across[None] * width, y[:, None], 0.0), axis=-1)
            slopes = np.gradient(sample(picture, camera, grid), axis=1)
            scores = -(slopes[:, centers + away] * slopes[:, centers - away]).sum(axis=(0, 2, 3))
            shift, stands_out = best_shift(scores, shifts)
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


def soft(picture: Picture, camera: CameraModel, geometry: BoardGeometry) -> NDArray[np.float32]:
    """Gets the picture on the root scale, blurred by a thirtieth of a checker: noise goes, rims stay."""
    blur_px = max(camera.seen_px(geometry.checker_diameter_mm) / 30, 0.5)
    return np.asarray(cv2.GaussianBlur(root_scale(picture), (0, 0), blur_px), dtype=np.float32)
