"""What the column network is shown of a strip."""

import cv2
import numpy as np
from numpy.typing import NDArray

from boardctl.vision.columns import ReferenceStrips
from calibration.difference import DARK_OFFSET

Floats = NDArray[np.float32]

CHANNELS = 10
"""Three of the strip, three of its change from the empty board, likeness to both seats, leaning right and down."""

ROOTS = np.sqrt(np.arange(256) + DARK_OFFSET).astype(np.float32)

ROOT_OF_LEVEL = ((np.sqrt(np.arange(256) + DARK_OFFSET) - 9.0) / 4.0).astype(np.float32)
"""Grey levels on the root scale, brought to about -1.5 to 1.8."""

LEANING_PX = 4.0
"""A leaning that counts as one: a checker's height seen under thirty degrees."""


BLOCK_PX = 4
"""Strips are compared with the empty board in blocks of so many pixels, a sixth of a checker: over them noise goes."""

QUIET = 0.6
"""Change of a block (root scale) from which a strip is looked at: half of the least that any checker makes, be it of
the colour of its point, as its rim and shadow change at least six blocks by 1.1."""

NOISY = 0.9
"""The same in a picture so noisy that QUIET would be found everywhere: twice the median change, but no more than this,
which still is less than any checker makes."""

QUIET_BLOCKS = 5
"""So many blocks may change more without being a checker, which covers about thirty: edges, when the camera shakes."""


def changed_strips(strips: NDArray[np.uint8], empty: NDArray[np.uint8]) -> NDArray[np.intp]:
    """Gets the indices of the strips (N x length x width x 3) that do not look as on the empty board."""
    small = [_blocks(strips), _blocks(empty)]
    changes = np.abs(ROOTS[small[0]] - ROOTS[small[1]]).max(axis=-1).reshape(len(strips), -1)
    highest = np.partition(changes, -QUIET_BLOCKS - 1, axis=1)[:, -QUIET_BLOCKS - 1]
    noise = float(np.median(changes))
    return np.flatnonzero(highest > min(max(QUIET, 2 * noise), NOISY))


def _blocks(strips: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Gets the mean colours of the strips' blocks, without those at the sides, where neighbours reach in."""
    count, length, width, _ = strips.shape
    size = (width // BLOCK_PX, count * length // BLOCK_PX)
    shrunk = cv2.resize(strips.reshape(count * length, width, 3), size, interpolation=cv2.INTER_AREA)
    return np.asarray(shrunk, dtype=np.uint8).reshape(count, length // BLOCK_PX, -1, 3)[:, :, 1:-1]


def column_input(strips: NDArray[np.uint8], reference: ReferenceStrips, chosen: NDArray[np.intp]) -> Floats:
    """Gets the network's input (N x 10 x length x width) for the chosen strips (of 26 x length x width x 3)."""
    shown = strips[chosen]
    empty = reference.empty[chosen]
    blob = np.empty((len(chosen), CHANNELS, *strips.shape[1:3]), np.float32)
    for channel in range(3):
        roots = blob[:, channel]
        ROOT_OF_LEVEL.take(shown[..., channel], out=roots)
        np.subtract(roots, ROOT_OF_LEVEL.take(empty[..., channel]), out=blob[:, 3 + channel])
    blob[:, 3:6] *= 2.0
    likeness = reference.palette.likeness(shown)
    np.multiply(likeness[..., 0], 0.25, out=blob[:, 6])
    np.multiply(likeness[..., 1], 0.25, out=blob[:, 7])
    blob[:, 8:10] = (reference.leaning[chosen] / LEANING_PX)[:, :, None, None]
    return blob
