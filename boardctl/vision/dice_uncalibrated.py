"""Dice in a photograph of which nothing is known: a by-way, with no promise.

The picture is taken as seen from right above, and the size of the dice is tried: the size at which most dice are found,
and these most surely, is held to be theirs.
"""

from math import pi

import cv2
import numpy as np

from boardctl.referee.readings import DiceReading
from boardctl.vision.dice import find_dice
from boardctl.vision.dice_patch import Picture
from calibration import BoardGeometry, CameraModel

TRIED_PX = (14, 18, 23, 30, 38, 48, 61, 78, 100, 128)
"""The sizes of a die that are tried, in pixels of the photograph: each a quarter more than the one before."""
READ_PX = 16.0
"""The photograph is scaled so that a die of the tried size becomes this wide."""
HEIGHT_MM = 1000.0


def find_dice_uncalibrated(picture: Picture) -> DiceReading:
    """Gets the dice of a photograph (H x W x 3); ``center_px`` is in it, ``center_mm`` means nothing."""
    best, most = DiceReading(()), 0.0
    for size_px in TRIED_PX:
        scale = READ_PX / size_px
        dice = _read_at(picture, scale)
        surely = sum(die.confidence for die in dice.dice)
        if surely > most:
            best, most = dice, surely
    return best


def _read_at(picture: Picture, scale: float) -> DiceReading:
    way = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
    scaled = np.asarray(cv2.resize(picture, None, fx=scale, fy=scale, interpolation=way), dtype=np.uint8)
    geometry = BoardGeometry()
    focal_px = READ_PX / geometry.die_size_mm * HEIGHT_MM
    height, width = scaled.shape[:2]
    none = (0.0, 0.0, 0.0, 0.0, 0.0)
    camera = CameraModel(
        width, height, focal_px, focal_px, width / 2, height / 2, none, (pi, 0.0, 0.0), (0.0, 0.0, HEIGHT_MM)
    )
    return find_dice(scaled, camera, geometry)
