"""Light that falls more on one end of the board than on the other: pictures as they would be under an even light.

A dark checker under the lamp is as light as a light one far from it. The thirty checkers of the starting position tell
how the light falls, for each seat's are of one colour: where it is plain from those of both, pictures are brought to
even light before the board is read.
"""

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from boardctl.rules import Seat
from calibration import Calibration
from calibration.colours import checker_colours
from calibration.difference import DARK_OFFSET
from calibration.starting_position import starting_checkers

Picture = NDArray[np.uint8]
Floats = NDArray[np.float64]

LEAST_UNEVEN = 0.2
"""Difference of light (logarithm) from the middle of the board to its edge from which it is evened."""

TOLD = 0.7
"""The colours of each seat's checkers spread, once the light is taken out, over no more than this share of what they
did. Glossy checkers mirror the lamp, so that those of one seat differ and those of the other do not."""

BEYOND = 1.2
"""Light is followed so far beyond the field, in halves of it."""

GRID_PX = 32
"""The light is worked out at every 32nd pixel; it is smooth."""


@dataclass(frozen=True, eq=False)
class EvenLight:
    """How pictures of one installation are brought to even light: its calibration in that light, and what each pixel
    is multiplied by (H x W x 3)."""

    calibration: Calibration
    gains: NDArray[np.float32]

    def picture(self, picture: Picture) -> Picture:
        """Gets a picture (H x W x 3) in even light."""
        return _multiplied(picture, self.gains)


@lru_cache(maxsize=8)
def even_light(calibration: Calibration) -> EvenLight | None:
    """Gets how pictures are brought to even light; None where the light is even, or how it falls is not plain."""
    slopes = _slopes(calibration)
    if slopes is None or np.abs(slopes).max() < LEAST_UNEVEN:
        return None
    gains = _gains(calibration, slopes)
    return EvenLight(calibration.in_light(lambda picture: _multiplied(picture, gains)), gains)


def _slopes(calibration: Calibration) -> Floats | None:
    """Gets how much lighter (logarithm) the board is at its right edge, and at B's, than in the middle; None where the
    checkers of both seats do not tell it alike. Least squares, with a colour for each seat."""
    colours = checker_colours(calibration.camera, calibration.geometry, calibration.start)
    half = np.array((calibration.geometry.field_width_mm, calibration.geometry.field_height_mm)) / 2
    places = [(seat, np.array((x, y)) / half) for seat, (x, y, _) in starting_checkers(calibration.geometry)]
    of_seats = [np.array([place for owner, place in places if owner is seat]) for seat in (Seat.A, Seat.B)]
    seen = [np.log(colours[seat] + DARK_OFFSET).mean(axis=1) for seat in (Seat.A, Seat.B)]
    if [len(one) for one in of_seats] != [len(one) for one in seen]:
        return None  # not all of them are in the picture
    known = [one - one.mean(axis=0) for one in of_seats]
    off = [one - one.mean() for one in seen]
    slopes: Floats = np.linalg.lstsq(np.concatenate(known), np.concatenate(off), rcond=None)[0]
    left = [float((one - where @ slopes).std()) for where, one in zip(known, off, strict=True)]
    plain = all(after < TOLD * float(before.std()) for after, before in zip(left, off, strict=True))
    return slopes if plain else None


def _gains(calibration: Calibration, slopes: Floats) -> NDArray[np.float32]:
    camera, geometry = calibration.camera, calibration.geometry
    height, width = calibration.empty.shape[:2]
    across, down = np.arange(0, width + GRID_PX, GRID_PX), np.arange(0, height + GRID_PX, GRID_PX)
    pixels = np.stack(np.meshgrid(across, down), axis=-1).reshape(-1, 2).astype(np.float64)
    half = np.array((geometry.field_width_mm, geometry.field_height_mm)) / 2
    places = np.clip(camera.to_plane(pixels) / half, -BEYOND, BEYOND)
    grid = np.exp(-places @ slopes).reshape(len(down), len(across)).astype(np.float32)
    columns, rows = np.meshgrid(np.arange(width, dtype=np.float32), np.arange(height, dtype=np.float32))
    gains = cv2.remap(grid, columns / GRID_PX, rows / GRID_PX, cv2.INTER_LINEAR)
    return np.repeat(gains[..., None], 3, axis=2)


def _multiplied(picture: Picture, gains: NDArray[np.float32]) -> Picture:
    return np.asarray(cv2.multiply(picture, gains, dtype=cv2.CV_8U), dtype=np.uint8)
