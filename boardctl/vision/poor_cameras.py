"""The same scene as a camera would have taken it that is poor from the beginning, in the pictures of its calibration,
too: soft, full of blotches, or at pains to show something everywhere."""

from enum import StrEnum

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.contrast import light_contrast_evened

Picture = NDArray[np.uint8]

SOFT_SHARES = (0.0006, 0.0016)
"""How far out of focus a soft camera is (standard deviation), in parts of a picture's width: 0.8 to 2 pixels of
1280."""
BLOTCH_LEVELS, BLOTCH_PX, BLOTCH_GREY = 6.0, 3.0, 0.4
"""Noise that a camera has smoothed in little light: so many levels in either colour difference (standard deviation), in
blotches so wide, and so much of it in grey."""
CONTRAST, TILES = 2.0, (8, 8)
"""Limit of the contrast to which each tile of a picture is raised, and how many there are."""


class PoorCamera(StrEnum):
    """What is wrong with a camera."""

    SOFT = "soft"
    BLOTCHED = "blotched"
    EVENED = "evened"


def taken_by(camera: PoorCamera, picture: Picture, table: str, frame: str) -> Picture:
    """Gets a picture (H x W x 3) as such a camera takes it. ``table`` and ``frame`` draw how soft it is, in all
    pictures of a table alike, and where blotches are, in each elsewhere."""
    match camera:
        case PoorCamera.SOFT:
            rng = np.random.default_rng([*table.encode()])
            wide_px = float(rng.uniform(*SOFT_SHARES)) * picture.shape[1]
            return np.asarray(cv2.GaussianBlur(picture, (0, 0), wide_px), dtype=np.uint8)
        case PoorCamera.BLOTCHED:
            shades = np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2YCrCb), dtype=np.float32)
            rng = np.random.default_rng([*table.encode(), *frame.encode()])
            noise = cv2.GaussianBlur(rng.standard_normal(shades.shape, dtype=np.float32), (0, 0), BLOTCH_PX)
            levels = BLOTCH_LEVELS / float(noise.std()) * np.array([BLOTCH_GREY, 1, 1], np.float32)
            whole = np.rint((shades + levels * noise).clip(0, 255)).astype(np.uint8)
            return np.asarray(cv2.cvtColor(whole, cv2.COLOR_YCrCb2BGR), dtype=np.uint8)
        case PoorCamera.EVENED:
            return light_contrast_evened(picture, CONTRAST, TILES)
