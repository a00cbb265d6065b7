"""What the doubling cube shows: the number on its top face, by a small network of its own.

How it was made, and how right it is: ``training/CUBE_MODEL_CARD.md``.
"""

from math import pi

import cv2
import numpy as np
from numpy.typing import NDArray

from boardctl.vision.dice_look import Sight
from boardctl.vision.dice_patch import PatchFrame, Picture, cut_patch
from boardctl.vision.networks import said_by

NETWORK_FILE = "cube_value.onnx"

VALUES = (2, 4, 8, 16, 32, 64)
"""What the faces of a doubling cube show; the network's last output is for anything else."""

WINDOW_PX = 48
WINDOWS_MM = (36.0, 33.0, 36.0, 33.0)
"""Widths of the windows around the middle of the top face: a little more than a common cube of 30 mm, so that numbers
are as large as they were in training. Each window is turned by a quarter further than the one before: to the network,
which learned numbers that are turned anyhow, these are four looks that fail for different reasons. In wider
ones the numbers are small and the sides with other numbers in view; windows that are shifted a little add nothing."""

LEAST_SAID = 0.01
"""No window makes anything less likely than this: one may be mistaken."""

VOUCHED = 0.8
"""Least likelihood of a value that is told. In 506 pictures of cubes that no training saw, none that was wrong had more
than 0.66; of the right ones 459 have more than this."""


def read_cube_value(sight: Sight, spot_mm: tuple[float, float], height_mm: float) -> int | None:
    """Gets the number on the top of the cube that is seen at x, y of a height; None when it is not told."""
    key = (*spot_mm, WINDOWS_MM[0], False)
    chances = sight.looks.get(key)
    if chances is None:
        chances = _chances(cube_frames(spot_mm, height_mm), sight)
        sight.looks.put(key, chances)
    best = int(np.argmax(chances[: len(VALUES)]))
    return VALUES[best] if chances[best] >= VOUCHED else None


def _chances(frames: list[PatchFrame], sight: Sight) -> NDArray[np.float32]:
    """Gets how likely each value, and anything else, is by what all windows say (their geometric mean); none of them as
    soon as no value can be told any more."""
    total = np.zeros(len(VALUES) + 1)
    for left, frame in zip(reversed(range(len(frames))), frames, strict=True):
        window = cut_patch(sight.picture, sight.camera, frame, WINDOW_PX)
        logits = said_by(NETWORK_FILE, window_input(window)[None])[0].astype(np.float64)
        exponents = np.exp(logits - logits.max())
        total += np.log(np.maximum(exponents / exponents.sum(), LEAST_SAID))
        best = int(np.argmax(total[: len(VALUES)]))
        at_most = total + left * np.log(LEAST_SAID)
        at_most[best] = total[best]
        if _shares(at_most / len(frames))[best] < VOUCHED:
            return np.zeros(len(VALUES) + 1, dtype=np.float32)
    return _shares(total / len(frames)).astype(np.float32)


def _shares(logarithms: NDArray[np.float64]) -> NDArray[np.float64]:
    exponents = np.exp(logarithms - logarithms.max())
    return np.asarray(exponents / exponents.sum())


def cube_frames(spot_mm: tuple[float, float], height_mm: float) -> list[PatchFrame]:
    """Gets where the windows lie through which a cube is looked at."""
    return [
        PatchFrame((*spot_mm, height_mm), width_mm / WINDOW_PX, quarter * pi / 2)
        for quarter, width_mm in enumerate(WINDOWS_MM)
    ]


def window_input(window: Picture) -> NDArray[np.float32]:
    """Gets the network's input (1 x 48 x 48) of a window: its greys, in terms of their own contrast."""
    grey = cv2.cvtColor(window, cv2.COLOR_BGR2GRAY).astype(np.float32)
    return np.ascontiguousarray((grey - grey.mean()) / (grey.std() + 4.0), dtype=np.float32)[None]
