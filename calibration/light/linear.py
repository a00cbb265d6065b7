"""Levels of a picture and the light that made them: light adds up, levels do not."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

Picture = NDArray[np.uint8]
Floats = NDArray[np.float32]

GAMMA = 2.2
"""Levels of colours go with light to the power of one by this, as common cameras write them (ITU-R BT.709, roughly)."""

STEPS = 4095
"""Light is brought back to levels in so many steps: the darkest levels are one apart."""

_LIGHT = ((np.arange(256) / 255) ** GAMMA).astype(np.float32)
_LEVELS = np.rint(255 * (np.arange(STEPS + 1) / STEPS) ** (1 / GAMMA)).astype(np.uint8)


def light_of(picture: Picture) -> Floats:
    """Gets the light of a picture's pixels, 0 to 1, the camera's white."""
    return np.asarray(_LIGHT[picture], dtype=np.float32)


def levels_of(light: Floats) -> Picture:
    """Gets the levels at which a camera writes light; what is brighter than its white is cut off."""
    return np.asarray(_LEVELS[np.rint(np.clip(light, 0, 1) * STEPS).astype(np.intp)], dtype=np.uint8)


def growth_of_light(gains: ArrayLike) -> Floats:
    """Gets how many times as much light there is where levels have grown so many times."""
    return np.asarray(np.power(gains, GAMMA), dtype=np.float32)
