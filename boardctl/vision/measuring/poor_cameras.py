"""The same scene as a camera would have taken it that is poor from the beginning, in the pictures of its calibration,
too: soft, full of blotches, at pains to show something everywhere, exposed too long, or with a lamp mirrored in what it
looks at."""

from enum import StrEnum

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.field.contrast import light_contrast_evened
from calibration.light.linear import levels_of, light_of

Picture = NDArray[np.uint8]

SOFT_SHARES = (0.0006, 0.0016)
"""How far out of focus a soft camera is (standard deviation), in parts of a picture's width: 0.8 to 2 pixels of
1280."""
BLOTCH_LEVELS, BLOTCH_PX, BLOTCH_GREY = 6.0, 3.0, 0.4
"""Noise that a camera has smoothed in little light: so many levels in either colour difference (standard deviation), in
blotches so wide, and so much of it in grey."""
CONTRAST, TILES = 2.0, (8, 8)
"""Limit of the contrast to which each tile of a picture is raised, and how many there are."""
TOO_LONG = (1.5, 4.0)
"""So many times as long as it should a camera exposes."""
MIRRORED_LIGHT, MIRRORED_SHARES, MIRRORED_AT = 5.0, (0.03, 0.07), (0.35, 0.65)
"""What a mirrored lamp adds in its middle, in the light of the camera's white; how far it reaches, in parts of a
picture's width; and where its middle may be, in parts of width and height."""


class PoorCamera(StrEnum):
    """What is wrong with a camera."""

    SOFT = "soft"
    BLOTCHED = "blotched"
    EVENED = "evened"
    OVEREXPOSED = "overexposed"
    DAZZLED = "dazzled"


def taken_by(camera: PoorCamera, picture: Picture, table: str, frame: str) -> Picture:
    """Gets a picture (H x W x 3) as such a camera takes it. ``table`` and ``frame`` draw how soft it is, how long it
    exposes or where a lamp is mirrored, in all pictures of a table alike, and where blotches are, in each elsewhere."""
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
        case PoorCamera.OVEREXPOSED:
            rng = np.random.default_rng([*table.encode()])
            return levels_of(light_of(picture) * np.float32(rng.uniform(*TOO_LONG)))
        case PoorCamera.DAZZLED:
            rng = np.random.default_rng([*table.encode()])
            height, width = picture.shape[:2]
            reach_px = float(rng.uniform(*MIRRORED_SHARES)) * width
            x, y = rng.uniform(*MIRRORED_AT, size=2) * (width, height)
            return mirroring_lamp(picture, (float(x), float(y)), reach_px)


def mirroring_lamp(picture: Picture, at_px: tuple[float, float], reach_px: float) -> Picture:
    """Gets a picture (H x W x 3) with a lamp mirrored in what it shows at a place (x, y): all there is white."""
    rows, columns = np.ogrid[: picture.shape[0], : picture.shape[1]]
    away = np.hypot(rows - at_px[1], columns - at_px[0]) / reach_px
    return levels_of(light_of(picture) + (MIRRORED_LIGHT * np.exp(-(away**4))).astype(np.float32)[..., None])
