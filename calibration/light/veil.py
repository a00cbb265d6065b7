"""A veil of light over a picture: the sun, or a lamp, shines on the lens, or there is dust or breath on it.

It adds light to that of the board, more on one side of the picture than on the other.
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.difference import DARK_OFFSET, at_every_pixel
from calibration.light.linear import GAMMA
from calibration.second_order import second_order

Picture = NDArray[np.uint8]
Floats = NDArray[np.float64]

HIGHEST = 255.0
"""The highest level of a picture."""

PLACES = 400
"""A veil is found by no more places than about so many."""
ROUNDS, LAST_ROUNDS = 7, 7
"""So often a veil is told anew: places that are off by more than is usual count less; at last those far off do not."""
FAR_OFF = 4.0
"""Far off are those that are off by so many times what is usual."""
LEAST_OFF = 0.03
"""Places are off by no less than this (root scale): noise, and levels that are whole numbers."""
DARKEST = 0.003
"""Places count as their levels tell of light; those with less than this light as if they had as much."""
LEAST_LIGHT, MOST_LIGHT = -0.01, 0.6
"""What a veil adds is none at the least, but for noise, and leaves a picture to be seen (light, in parts of white)."""

FINE = 65535
"""White, where light is told in whole numbers."""
GRID_PX = 16
"""A veil is worked out at every 16th pixel; it is smooth."""
_LIGHT = np.rint(FINE * (np.arange(256) / HIGHEST) ** GAMMA).astype(np.uint16)


@dataclass(frozen=True, eq=False)
class Veil:
    """How much light is added to each channel over a picture: a surface of second order (6 x 3), in parts of white. At
    its ``most`` it leaves only the rest of white to the board."""

    terms: Floats
    most: float
    darkest: float = 0.0
    """What is written as none under a veil was none without it."""

    def back(self, levels: Floats, at: Floats) -> Floats:
        """Gets levels (N x 3) at places (N x 2, -1 to 1 over the picture) without it."""
        light = (levels / HIGHEST) ** GAMMA - _surface(at) @ self.terms
        return np.asarray(HIGHEST * (np.maximum(light, 0.0) / (1 - self.most)) ** (1 / GAMMA))

    def undone(self, picture: Picture) -> Picture:
        """Gets a picture (H x W x 3) without it."""
        height, width = picture.shape[:2]
        columns, rows = (np.arange(0, size + GRID_PX, GRID_PX) for size in (width, height))
        grid = np.stack(np.meshgrid(columns / width, rows / height), axis=-1).reshape(-1, 2) * 2 - 1
        added = (_surface(grid) @ self.terms).reshape(len(rows), len(columns), 3)
        fine = np.rint(FINE * added.clip(0, 1)).astype(np.uint16)
        light = cv2.subtract(cv2.LUT(picture, _LIGHT), at_every_pixel(fine, GRID_PX, (width, height)))
        return np.take(self._levels(), np.asarray(light, dtype=np.uint16))

    def _levels(self) -> Picture:
        """Gets the level that is written for each amount of light that is left."""
        shares = np.arange(FINE + 1) / (FINE * (1 - self.most))
        return np.rint(HIGHEST * np.minimum(shares, 1.0) ** (1 / GAMMA)).astype(np.uint8)


def veil_told(now: Floats, before: Floats, at: Floats) -> Veil | None:
    """Gets the veil that explains best what has become of levels (N x 3) at places (N x 2, -1 to 1 over the picture),
    beside light of another strength and colour; None where that is no veil. Some places may be covered."""
    thinned = slice(None, None, max(len(now) // PLACES, 1))
    surface, levels = _surface(at), zip(now[thinned].T, before[thinned].T, strict=True)
    terms = np.column_stack([_channel(*each, surface[thinned]) for each in levels])
    added = surface @ terms
    if added.min() < LEAST_LIGHT or added.max() > MOST_LIGHT:
        return None
    return Veil(terms, float(added.max()))


def _channel(now: Floats, before: Floats, surface: Floats) -> Floats:
    """Gets the terms of what is added to a channel's light, by its levels at places (N): weighted least squares of
    light, in the root scale's measure."""
    light_now, light = ((levels / HIGHEST) ** GAMMA for levels in (now, before))
    model = np.column_stack([light, surface])
    measure = np.maximum(light, DARKEST) ** (0.5 / GAMMA - 1)
    weights = np.ones(len(now))
    for count in range(ROUNDS + LAST_ROUNDS):
        each = weights * measure
        found = np.linalg.lstsq(model * each[:, None], light_now * each, rcond=None)[0]
        left = np.maximum(light_now - surface @ found[1:], 0.0) / max(found[0], DARKEST)
        off = np.abs(_roots(left) - _roots(light))
        usual = np.median(off) + LEAST_OFF
        if count < ROUNDS:
            weights = np.sqrt(usual / np.maximum(off, usual))
        else:
            weights = np.maximum(1 - (off / (FAR_OFF * usual)) ** 2, 0.0)  # Tukey's rule
    return np.asarray(found[1:])


def _surface(at: Floats) -> Floats:
    """Gets what the terms of a surface of second order are multiplied by at places (N x 2)."""
    return np.column_stack([np.ones(len(at)), second_order(at)])


def _roots(light: Floats) -> Floats:
    return np.asarray(np.sqrt(HIGHEST * light ** (1 / GAMMA) + DARK_OFFSET))
