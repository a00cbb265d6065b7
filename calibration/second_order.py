"""Surfaces of the second order, as smooth light over a board or a picture is."""

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def second_order(places: Floats) -> Floats:
    """Gets what a surface of the second order is made of at places (N x 2): x, y and their products (N x 5)."""
    x, y = places.T
    return np.stack([x, y, x * x, x * y, y * y], axis=1)
