"""The largest and the smallest channel of pixels (NumPy's own take twenty times as long over so short an axis), and the
level at which all channels of what is white stand."""

from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

Level = TypeVar("Level", bound=np.generic)

WHITE_FROM, LIGHTER = 225, 0.001
"""A camera writes what is too bright to be told apart as 255, or as 235 (limited range): as the lightest level of a
picture, from this one on, of whose pixels so small a share may be lighter."""


def strongest(pixels: NDArray[Level]) -> NDArray[Level]:
    """Gets the largest of the channels of pixels (... x 3)."""
    first, second, third = _channels(pixels)
    return np.asarray(np.maximum(np.maximum(first, second), third))


def weakest(pixels: NDArray[Level]) -> NDArray[Level]:
    """Gets the smallest of the channels of pixels (... x 3)."""
    first, second, third = _channels(pixels)
    return np.asarray(np.minimum(np.minimum(first, second), third))


def white_level(pixels: NDArray[np.uint8]) -> float:
    """Gets the level at which all channels of what is as white as a camera can tell stand, by its pixels (... x 3)."""
    return max(float(np.quantile(weakest(pixels), 1 - LIGHTER)), WHITE_FROM)


def _channels(pixels: NDArray[Level]) -> tuple[Any, Any, Any]:
    return pixels[..., 0], pixels[..., 1], pixels[..., 2]
