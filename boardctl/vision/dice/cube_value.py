"""What the doubling cube shows: the number on its top face, by a small network of its own.

How it was made, and how right it is: ``vision/training/CUBE_MODEL_CARD.md``.
"""

from math import pi

import cv2
import numpy as np
from numpy.typing import NDArray

from boardctl.vision.dice.look import Sight
from boardctl.vision.dice.memory import Output
from boardctl.vision.dice.patch import Patch, PatchFrame, Picture, cut_patch
from boardctl.vision.networks import said_by

NETWORK_FILE = "cube_value.onnx"

VALUES = (2, 4, 8, 16, 32, 64)
"""What the faces of a doubling cube show; the network's last output is for anything else."""

WINDOW_PX = 48
SPREAD_ADDED = 4.0
"""So many levels are added to the contrast of a window in terms of which it is shown: bare ones have hardly any."""
WINDOWS_MM = (36.0, 33.0, 36.0, 33.0)
"""Widths of the windows around the middle of the top face: a little more than a common cube of 30 mm, so that numbers
are as large as they were in training. Each window is turned by a quarter further than the one before: to the network,
which learned numbers that are turned anyhow, these are four looks that fail for different reasons. In wider ones the
numbers are small and sides with other numbers are in view; windows that are shifted a little add nothing."""

LEAST_SAID, MOST_LOGIT = 0.01, 5.0
"""No window makes anything less likely than this, and none counts for more than this (logit) for or against any number
at all: one may be mistaken."""

PLAIN, FIRST = 0.95, 2
"""Likelihood of one number from which on, in each of so many first windows, the others are not looked through: of 612
places that may be a cube's 402 were settled so, and none was told otherwise than by all four."""

VOUCHED, TWO_DIGITS_VOUCHED = 0.85, 0.75
"""Least likelihood of a value of one digit that is told, and of one of two. In some 1,100 pictures of cubes that no
training saw, drawn, rendered and traced, one digit that was wrong had 0.56 and two had 0.66 at most: both digits of a
soft 32 were as wide as eight pixels. Half under a finger or a checker, where no hand is told, 64 and 32 leave a 4 and a
2: of 818 drawn so one was taken for one digit with more than 0.85, and none for two with more than 0.6."""


LEAST_DIGIT_PX = 20.0
"""One digit is told of a common cube so wide in the picture. Of 14 that were narrower, drawn and traced, the likeliest
was right of ten, and a 2 was told to be an 8 with 0.91 (26001-04); of 170 others of 167, and none was told wrongly."""


def look_for_number(sight: Sight, spot_mm: tuple[float, float], height_mm: float) -> NDArray[np.float32]:
    """Gets how likely each window around x, y of a height makes each value, and anything else (4 x 7; of a plain number
    the first two windows twice)."""

    def cut() -> Picture:
        return np.stack([cut_patch(sight.picture, sight.camera, f, WINDOW_PX) for f in cube_frames(spot_mm, height_mm)])

    def ask(windows: Patch) -> Output:
        said = [_window_said(window) for window in windows[:FIRST]]
        if _is_plain(said):
            return np.stack([*said, *said])
        return np.stack([*said, *(_window_said(window) for window in windows[FIRST:])])

    return sight.looks.see((*spot_mm, WINDOWS_MM[0], False), cut, ask)


def _is_plain(said: list[Output]) -> bool:
    """Whether each of some windows surely shows the same number."""
    numbers = np.stack(said)[:, : len(VALUES)]
    return bool(numbers.min(axis=0).max() >= PLAIN)


def _window_said(window: Patch) -> Output:
    logits = said_by(NETWORK_FILE, window_input(window)[None])[0]
    exponents = np.exp(logits - logits.max())
    return np.asarray(exponents / exponents.sum(), dtype=np.float32)


def value_told(said: NDArray[np.float32], cube_px: float) -> int | None:
    """Gets the number that windows (N x 7) show of a cube that is so wide in the picture; None when they leave it open.
    All count alike (geometric mean)."""
    chances = np.exp(np.log(np.maximum(said, LEAST_SAID)).mean(axis=0))
    chances /= chances.sum()
    best = int(np.argmax(chances[: len(VALUES)]))
    if VALUES[best] < 10:
        return VALUES[best] if chances[best] >= VOUCHED and cube_px >= LEAST_DIGIT_PX else None
    return VALUES[best] if chances[best] >= TWO_DIGITS_VOUCHED else None


def number_logit(said: NDArray[np.float32]) -> float:
    """Gets how surely windows (N x 7) show any number at all: the mean of their logits, none of them beyond five."""
    nothing = np.clip(said[:, -1], 1e-4, 1 - 1e-4)
    return float(np.clip(np.log(1 / nothing - 1), -MOST_LOGIT, MOST_LOGIT).mean())


def cube_frames(spot_mm: tuple[float, float], height_mm: float) -> list[PatchFrame]:
    """Gets where the windows lie through which a cube is looked at."""
    return [
        PatchFrame((*spot_mm, height_mm), width_mm / WINDOW_PX, quarter * pi / 2)
        for quarter, width_mm in enumerate(WINDOWS_MM)
    ]


def window_input(window: Patch) -> NDArray[np.float32]:
    """Gets the network's input (1 x 48 x 48) of a window: its greys, in terms of their own contrast."""
    grey = cv2.cvtColor(window, cv2.COLOR_BGR2GRAY).astype(np.float32)
    return np.ascontiguousarray((grey - grey.mean()) / (grey.std() + SPREAD_ADDED), dtype=np.float32)[None]
