"""Lights of the board that burn: what they and their glow do to a picture is taken out of it before it is read.

They answer the players, so they burn just when the board is read, and they blink. Where one shines nothing lies on it,
or it would not be seen: there the board is bare. Around it the lens spreads a glow, which is added to whatever lies
there. So a light is told from all that is white by its glow: bright on all sides of it and gone within a checker,
where a die or a checker ends at its edge, and what a lamp makes shine on a checker has the checker around it.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from boardctl.vision.points.columns import Picture
from calibration import Calibration
from calibration.follow import outline_mm
from calibration.installation import INSTALLATIONS_KEPT
from calibration.light.linear import growth_of_light, levels_of, light_of

Floats = NDArray[np.float32]
Bools = NDArray[np.bool_]

SHINING = 250
"""Level that a channel of a light reaches: the highest, less what noise makes of it."""
LIT_BEFORE = 200
"""What was as light as this on the empty board is not looked at: a window in the table, a white board."""
COARSE = 2
"""Lights are looked for at every second pixel: they are five and more wide."""
AROUND = 1.15
"""They lie within the board's outline, so many times as large: rails stand higher than the field."""

SPOKES = 64
"""What surrounds a light is looked at along so many lines from its middle."""

LARGEST, SMALLEST = 0.7, 0.15
"""Radius of what shines, in those of a checker, at most and at least."""
COMPACT = 0.55
"""Share of the square around it that it fills at least."""

DARKER = 0.02
"""Nothing around it is darker than the bare board by more: there lies nothing else."""
BETWEEN_ROWS = 4.5
"""In the field they lie beyond rows of so many checkers, at the tips of points."""

NEAR, FARTHER, GONE = 0.13, 0.45, 0.9
"""So far from the edge of what shines, in radii of a checker, its glow is looked at."""
GLOW, FALLS, LEFT = 0.1, 0.5, 0.1
"""How strong it is near by at least (the camera's white is 1), how much of that is there farther off at most, and how
strong it is at most where it is gone."""
SIDES, UNEVEN = (15.0, 85.0), (0.35, 1.8)
"""Near by it glows alike on all sides: these percentiles are so many times the median at least, and at most. A die or
the cube has corners."""
WITHIN, BRIGHT, DARK_INSIDE = 0.75, 215, 0.03
"""Within so much of its radius a channel of all of it, but for so much, has so high a level: no pips, no number."""


@dataclass(frozen=True, eq=False)
class _Board:
    """Where lights are looked for (h x w, at every second pixel), and how wide half a checker is (pixels)."""

    looked_at: NDArray[np.uint8]
    checker_px: float


def without_lights(picture: Picture, calibration: Calibration, gains: tuple[float, float, float]) -> Picture:
    """Gets a picture (H x W x 3) as it would be without the lights that burn in it; itself where none is plain.

    ``gains``: how much lighter each of its channels is than when it was calibrated.
    """
    board = _board(calibration)
    high, wide = board.looked_at.shape
    small = cv2.resize(picture, (wide, high), interpolation=cv2.INTER_NEAREST)
    dark = cv2.inRange(small, (0, 0, 0), (SHINING - 1,) * 3)
    shining = np.asarray(cv2.bitwise_and(cv2.bitwise_not(dark), board.looked_at), dtype=np.uint8)
    if not cv2.countNonZero(shining):
        return picture
    cleared = picture
    for spot in _spots(shining, board.checker_px):
        light = _light_at(picture, calibration.empty, growth_of_light(gains), spot, board.checker_px)
        if light is not None:
            cleared = picture.copy() if cleared is picture else cleared
            light.put_out(cleared)
    return cleared


@dataclass(frozen=True)
class _Spot:
    """What shines: its middle (pixels), and its radius."""

    x: float
    y: float
    radius_px: float


@dataclass(frozen=True, eq=False)
class _Light:
    """A light with its glow: the part of the picture that it fills (rows, columns), what it adds there (h x w x 3, the
    camera's white is 1), where nothing but it is seen (h x w), and what lies there without it (h x w x 3)."""

    part: tuple[slice, slice]
    added: Floats
    blind: Bools
    bare: Picture

    def put_out(self, picture: Picture) -> None:
        """Takes it out of a picture, in place."""
        shown = picture[self.part]
        shown[:] = np.where(self.blind[..., None], self.bare, levels_of(light_of(shown) - self.added))


def _spots(shining: NDArray[np.uint8], checker_px: float) -> Iterator[_Spot]:
    """Gets what shines and is as large as a light may be, of a picture of every second pixel."""
    _, _, parts, middles = cv2.connectedComponentsWithStats(shining, connectivity=8)
    for (_, _, wide, high, area), (x, y) in zip(parts[1:].tolist(), middles[1:].tolist(), strict=True):
        side = max(wide, high)
        radius_px = COARSE * float(np.sqrt(area / np.pi))
        if SMALLEST * checker_px <= radius_px <= LARGEST * checker_px and area >= COMPACT * side * side:
            yield _Spot(COARSE * x, COARSE * y, radius_px)


def _light_at(picture: Picture, empty: Picture, gains: Floats, spot: _Spot, checker_px: float) -> _Light | None:
    """Gets the light whose middle shines at a spot of a picture, in which there is so many times as much light of each
    channel as in that of the empty board; None where it is something else."""
    near, farther, gone = (round(spot.radius_px + share * checker_px) for share in (NEAR, FARTHER, GONE))
    height, width = picture.shape[:2]
    rows, columns = (
        slice(max(int(middle) - gone, 0), min(int(middle) + gone + 2, size))
        for middle, size in ((spot.y, height), (spot.x, width))
    )
    part, at = (rows, columns), (spot.x - columns.start, spot.y - rows.start)
    shown, bare = light_of(picture[part]), light_of(empty[part]) * gains
    more = shown - bare
    spokes = _on_spokes(more, at, gone)
    medians = np.median(spokes, axis=0)
    profile = _falling(medians, round(spot.radius_px))
    strongest = profile.max(axis=1)
    least, most = np.percentile(spokes[:, near, int(profile[near].argmax())], SIDES)
    down, right = np.ogrid[: more.shape[0], : more.shape[1]]
    away = np.asarray(np.hypot(right - at[0], down - at[1]), dtype=np.float32)
    inside = picture[part][away < WITHIN * spot.radius_px]
    if (
        medians[near:].min() < -DARKER
        or strongest[near] < GLOW
        or strongest[farther] > FALLS * strongest[near]
        or strongest[-1] > LEFT
        or least < UNEVEN[0] * strongest[near]
        or most > UNEVEN[1] * strongest[near]
        or (inside.max(axis=1) < BRIGHT).mean() > DARK_INSIDE
    ):
        return None
    added = cv2.remap(profile[:, None], np.zeros_like(away), away, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT)
    blind = (picture[part].max(axis=2) >= SHINING) & (away <= farther)
    return _Light(part, np.asarray(added, dtype=np.float32), blind, levels_of(bare))


def _on_spokes(light: Floats, at: tuple[float, float], reach_px: int) -> Floats:
    """Gets what lies along spokes around a place (spokes x 1 + pixels from it x 3)."""
    return np.asarray(
        cv2.warpPolar(light, (reach_px + 1, SPOKES), at, reach_px + 1, cv2.INTER_LINEAR), dtype=np.float32
    )


def _falling(medians: NDArray[Any], shining_px: int) -> Floats:
    """Gets a profile (rings x 3) that nowhere rises outwards: beyond what shines midway between the lowest that may
    be so and the highest."""
    profile = np.maximum(medians, 0)
    profile[:shining_px] = profile[shining_px]
    low, high = np.minimum.accumulate(profile, axis=0), np.maximum.accumulate(profile[::-1], axis=0)[::-1]
    return np.asarray((low + high) / 2, dtype=np.float32)


@lru_cache(maxsize=INSTALLATIONS_KEPT)
def _board(calibration: Calibration) -> _Board:
    """Gets where lights are looked for, made on first use."""
    camera, geometry = calibration.camera, calibration.geometry
    outline = outline_mm(geometry) * (AROUND, AROUND, 1.0)
    inside = np.zeros(calibration.empty.shape[:2], np.uint8)
    cv2.fillPoly(inside, [np.rint(camera.project(outline)).astype(np.int32)], 255)
    x, y = abs(geometry.tray_x_mm()) + geometry.tray_width_mm / 2, geometry.field_height_mm / 2
    between = y - BETWEEN_ROWS * geometry.checker_diameter_mm
    for side in (-1, 1):
        row = [(-x, side * between, 0.0), (x, side * between, 0.0), (x, side * y, 0.0), (-x, side * y, 0.0)]
        cv2.fillPoly(inside, [np.rint(camera.project(row)).astype(np.int32)], 0)
    inside[(calibration.empty >= LIT_BEFORE).any(axis=2)] = 0
    height, width = calibration.empty.shape[:2]
    small = cv2.resize(inside, (width // COARSE, height // COARSE), interpolation=cv2.INTER_NEAREST)
    return _Board(np.asarray(small, dtype=np.uint8), camera.seen_px(geometry.checker_diameter_mm / 2))
