"""What the doubling cube shows: the number on its top face, by a small network of its own.

How it was made, and how right it is: ``training/CUBE_MODEL_CARD.md``.
"""

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
WINDOW_MM = 42.0
"""The window around the middle of a cube: one and a half cubes of 28 mm wide, a little finer than what a 1280 pixel
picture has of a whole board."""

TURNS_RAD = (-0.2, 0.0, 0.2)
SHIFTS_MM = (-2.0, 2.0)
"""The cube is looked at turned and shifted a little, too: a number that is there is there in all of them."""

VOUCHED = 0.85
"""Least mean likelihood of a value that is told. In 153 pictures of cubes that no training saw, none that was wrong had
more than 0.67; of the right ones 90 have more than this."""


def read_cube_value(sight: Sight, spot_mm: tuple[float, float], height_mm: float) -> int | None:
    """Gets the number on the top of the cube that is seen at x, y of a height; None when it is not told."""
    key = (*spot_mm, WINDOW_MM, False)
    mean = sight.looks.get(key)
    if mean is None:
        mean = _mean_chances(cube_frames(spot_mm, height_mm), sight)
        sight.looks.put(key, mean)
    best = int(np.argmax(mean[: len(VALUES)]))
    return VALUES[best] if mean[best] >= VOUCHED else None


def _mean_chances(frames: list[PatchFrame], sight: Sight) -> NDArray[np.float32]:
    """Gets how likely each value, and anything else, is in the mean of some windows: as little as it can be at most, if
    it is known before the last one that no value will be told."""
    total = np.zeros(len(VALUES) + 1, dtype=np.float32)
    for place, frame in enumerate(frames):
        window = cut_patch(sight.picture, sight.camera, frame, WINDOW_PX)
        logits = said_by(NETWORK_FILE, window_input(window)[None])[0]
        exponents = np.exp(logits - logits.max())
        total += exponents / exponents.sum()
        if total[: len(VALUES)].max() + len(frames) - 1 - place < VOUCHED * len(frames):
            break
    return np.asarray(total / len(frames), dtype=np.float32)


def cube_frames(spot_mm: tuple[float, float], height_mm: float) -> list[PatchFrame]:
    """Gets where the windows lie through which a cube is looked at."""
    x, y = spot_mm
    return [
        PatchFrame((x + shift_mm, y + shift_mm, height_mm), WINDOW_MM / WINDOW_PX, turn_rad)
        for shift_mm in SHIFTS_MM
        for turn_rad in TURNS_RAD
    ]


def window_input(window: Picture) -> NDArray[np.float32]:
    """Gets the network's input (1 x 48 x 48) of a window: its greys, in terms of their own contrast."""
    grey = cv2.cvtColor(window, cv2.COLOR_BGR2GRAY).astype(np.float32)
    return np.ascontiguousarray((grey - grey.mean()) / (grey.std() + 4.0), dtype=np.float32)[None]
