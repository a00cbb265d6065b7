"""What the column network is shown of a strip."""

import numpy as np
from numpy.typing import NDArray

from boardctl.vision.columns import ReferenceStrips
from calibration.difference import DARK_OFFSET

Floats = NDArray[np.float32]

CHANNELS = 10
"""Three of the strip, three of its change from the empty board, likeness to both seats, leaning right and down."""

ROOT_OF_LEVEL = ((np.sqrt(np.arange(256) + DARK_OFFSET) - 9.0) / 4.0).astype(np.float32)
"""Grey levels on the root scale, brought to about -1.5 to 1.8."""

LEANING_PX = 4.0
"""A leaning that counts as one: a checker's height seen under thirty degrees."""


def column_input(strips: NDArray[np.uint8], reference: ReferenceStrips, chosen: NDArray[np.intp]) -> Floats:
    """Gets the network's input (N x 10 x length x width) for the chosen strips (of 26 x length x width x 3)."""
    shown = strips[chosen]
    blob = np.empty((len(chosen), CHANNELS, *strips.shape[1:3]), np.float32)
    roots = ROOT_OF_LEVEL[shown]
    blob[:, 0:3] = roots.transpose(0, 3, 1, 2)
    blob[:, 3:6] = 2.0 * (roots - ROOT_OF_LEVEL[reference.empty[chosen]]).transpose(0, 3, 1, 2)
    blob[:, 6:8] = reference.palette.likeness(shown).transpose(0, 3, 1, 2) / 4.0
    blob[:, 8:10] = (reference.leaning[chosen] / LEANING_PX)[:, :, None, None]
    return blob
