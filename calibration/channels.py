"""The largest and the smallest channel of pixels: NumPy's own take twenty times as long over so short an axis."""

from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

Level = TypeVar("Level", bound=np.generic)


def strongest(pixels: NDArray[Level]) -> NDArray[Level]:
    """Gets the largest of the channels of pixels (... x 3)."""
    first, second, third = _channels(pixels)
    return np.asarray(np.maximum(np.maximum(first, second), third))


def weakest(pixels: NDArray[Level]) -> NDArray[Level]:
    """Gets the smallest of the channels of pixels (... x 3)."""
    first, second, third = _channels(pixels)
    return np.asarray(np.minimum(np.minimum(first, second), third))


def _channels(pixels: NDArray[Level]) -> tuple[Any, Any, Any]:
    return pixels[..., 0], pixels[..., 1], pixels[..., 2]
