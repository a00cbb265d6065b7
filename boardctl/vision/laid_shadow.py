"""The same scene with somebody's shadow over a part of it: to see how the eyes do when people lean over the board.

How large the shadow is, where it lies, how soft its edge is and how much light it leaves are drawn at random.
"""

import cv2
import numpy as np
from numpy.typing import NDArray

Picture = NDArray[np.uint8]

LIGHT_LEFT = (0.5, 0.8)
"""What is left of the levels of colours: a room's light reaches everywhere."""
OFF_MIDDLE = (0.1, 0.6)
"""How far from the picture's middle a shadow's is, in shares of the way to its edge."""
LONG, WIDE = (0.5, 0.9), (0.3, 0.5)
"""How long and wide it is, in shares of the picture's height and of its width: head and shoulders."""
SOFT = (0.003, 0.02)
"""How soft its edge is (standard deviation), in shares of the picture's width."""


def in_shadow(picture: Picture, rng: np.random.Generator) -> Picture:
    """Gets a picture (H x W x 3) with a shadow laid over it."""
    height, width = picture.shape[:2]
    turn = rng.uniform(0, 2 * np.pi)
    away = rng.uniform(*OFF_MIDDLE) * np.array([np.cos(turn) * width, np.sin(turn) * height]) / 2
    middle = (float(width / 2 + away[0]), float(height / 2 + away[1]))
    size = (float(width * rng.uniform(*WIDE)), float(height * rng.uniform(*LONG)))
    mask = np.zeros((height, width), np.uint8)
    cv2.ellipse(mask, (middle, size, float(np.degrees(turn))), (255,), -1)
    soft = cv2.GaussianBlur(mask, (0, 0), rng.uniform(*SOFT) * width).astype(np.float32) / 255
    light = 1 - soft * np.float32(1 - rng.uniform(*LIGHT_LEFT))
    return np.asarray(np.rint(picture * light[..., None]), dtype=np.uint8)
