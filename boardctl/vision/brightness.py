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

from boardctl.vision.columns import ReferenceStrips, reference_strips
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
        return picture if self.gain == 1.0 else _multiplied(picture, self.gain)

    @cached_property
    def reference(self) -> ReferenceStrips:
        """The strips with which those of such pictures are compared."""
        strips = reference_strips(self.calibration)
        return strips if self.gain == 1.0 else replace(strips, larger=sqrt(self.gain))


@lru_cache(maxsize=INSTALLATIONS_KEPT)
def brightness(calibration: Calibration) -> Brightness:
    """Gets how bright the pictures of an installation are made."""
    gain = min(WHITE / max(_lightest(calibration), 1.0), MOST)
    if gain < LEAST:
        return Brightness(calibration)
    return Brightness(calibration.in_light(lambda picture: _multiplied(picture, gain)), gain)


def _multiplied(picture: Picture, gain: float) -> Picture:
    # Memory that NumPy gives is faster to fill than OpenCV's own: large pages.
    return np.asarray(cv2.convertScaleAbs(picture, np.empty_like(picture), gain), dtype=np.uint8)


def _lightest(calibration: Calibration) -> float:
    """Gets how light the lightest of the field is with the starting position."""
    x, y = calibration.geometry.field_width_mm / 2, calibration.geometry.field_height_mm / 2
    corners = calibration.camera.project([(-x, -y, 0.0), (x, -y, 0.0), (x, y, 0.0), (-x, y, 0.0)])
    inside = np.zeros(calibration.start.shape[:2], np.uint8)
    cv2.fillPoly(inside, [np.round(corners).astype(np.int32)], 1)
    return float(np.percentile(strongest(calibration.start)[inside > 0], LIGHTEST))
