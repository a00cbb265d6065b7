"""Dim pictures made brighter before the points are read in them.

In the dark all colours lie close together: a checker of nearly the colour of its point differs by less than what the
thresholds and the bins of colours tell apart, and the networks have learned few such pictures. So where even the
lightest of the starting position is far from white, pictures are made as bright as they can be with nothing of it lost.
"""

from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from math import sqrt

import cv2
import numpy as np
from numpy.typing import NDArray

from boardctl.vision.points.columns import ReferenceStrips, reference_strips
from calibration import Calibration
from calibration.channels import strongest
from calibration.installation import INSTALLATIONS_KEPT

Picture = NDArray[np.uint8]

LIGHTEST = 98.0
"""Percentile of the field with the starting position (most of the three channels) that is as light as the lighter
checkers: they cover a twelfth of it, and gloss a small part of them."""

WHITE = 240.0
"""Level to which this is brought: nearly the highest, so that what is lighter still is not lost, either."""

LEAST, MOST = 1.6, 4.0
"""Pictures are made brighter by so much at least, and at most: of 57 drawn installations in dim light those that would
have been made brighter by less gained nothing; and darker ones than by the most were not tried."""


@dataclass(frozen=True)
class Brightness:
    """How bright pictures of one installation are made: its calibration with such pictures, and by how much their
    levels are multiplied."""

    calibration: Calibration
    gain: float = 1.0

    def picture(self, picture: Picture) -> Picture:
        """Gets a picture (H x W x 3) made as bright; itself where it is bright enough."""
        return _multiplied(picture, self.gain)

    @cached_property
    def reference(self) -> ReferenceStrips:
        """The strips with which those of such pictures are compared."""
        strips = reference_strips(self.calibration)
        return strips if self.gain == 1.0 else replace(strips, larger=sqrt(self.gain))


@lru_cache(maxsize=INSTALLATIONS_KEPT)
def brightness(calibration: Calibration) -> Brightness:
    """Gets how bright the pictures of an installation are made."""
    geometry, camera = calibration.geometry, calibration.camera
    gain = _gain(calibration.start, camera.project([(x, y, 0.0) for x, y in geometry.corners]))
    if gain == 1.0:
        return Brightness(calibration)
    return Brightness(calibration.in_light(lambda picture: _multiplied(picture, gain)), gain)


def made_brighter(picture: Picture, corners_px: NDArray[np.float64]) -> Picture:
    """Gets a photograph (H x W x 3) in which the field has these corners (4 x 2), made as bright; itself where it is
    bright enough."""
    return _multiplied(picture, _gain(picture, corners_px))


def _gain(picture: Picture, corners_px: NDArray[np.float64]) -> float:
    """Gets by how much the levels of a picture are to be multiplied, by the lightest of the field with checkers on it,
    which has these corners (4 x 2): by 1 where it is bright enough, or not in the picture."""
    inside = np.zeros(picture.shape[:2], np.uint8)
    cv2.fillPoly(inside, [np.round(corners_px).astype(np.int32)], 1)
    if not inside.any():
        return 1.0
    lightest = float(np.percentile(strongest(picture)[inside > 0], LIGHTEST))
    gain = min(WHITE / max(lightest, 1.0), MOST)
    return gain if gain >= LEAST else 1.0


def _multiplied(picture: Picture, gain: float) -> Picture:
    if gain == 1.0:
        return picture
    # Memory that NumPy gives is faster to fill than OpenCV's own: large pages.
    return np.asarray(cv2.convertScaleAbs(picture, np.empty_like(picture), gain), dtype=np.uint8)
