"""Light that has changed between the two pictures of a calibration: the camera exposed anew, somebody leans over a part
of the board, the sun came out.

Whoever takes the pictures stands beside the table, so that their shadow lies over one of them and not over the other.
Before the board is found light is told roughly: it changes over wider places than rows of checkers. Once it is found,
light is told as for every later frame (``shadows.py``).
"""

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.difference import DARK_OFFSET, exposure_gains, halve, match_exposure
from calibration.drift import LIGHT_CHANGED
from calibration.installation import Calibration
from calibration.shadows import PARTS, UNEVEN, light_on, without

Picture = NDArray[np.uint8]
Floats = NDArray[np.float32]

WIDTH_PX = 320
"""Width to which pictures are brought to tell light roughly: a checker is some ten pixels."""

AROUND_PX = 41
"""Light at a place is told by the median of what is so far around it (an eighth of the picture's width): rows of five
cover less than half of that, wherever they lie."""

SOFT_PX = 2.0
"""How soft the edges are then made (standard deviation), as those of a shadow are."""

FINE, MIDDLE = 80.0, 128.0
"""A change of light (logarithm) is told in steps of 1 / 80, from -1.6 to 1.6, as OpenCV takes medians of whole numbers
alone."""


def lit_alike(picture: Picture, reference: Picture) -> Picture:
    """Gets a picture (H x W x 3) in the light of another of the same scene, roughly; itself where the light has changed
    alike everywhere."""
    size = (WIDTH_PX, round(picture.shape[0] * WIDTH_PX / picture.shape[1]))
    ours, theirs = (
        np.log(cv2.resize(each, size, interpolation=cv2.INTER_AREA) + np.float32(DARK_OFFSET)).mean(axis=2)
        for each in (picture, reference)
    )
    steps = np.rint((theirs - ours) * FINE + MIDDLE).clip(0, 255).astype(np.uint8)
    light = (cv2.medianBlur(steps, AROUND_PX).astype(np.float32) - MIDDLE) / FINE
    if np.ptp(np.percentile(light, PARTS)) < UNEVEN:
        return picture
    light = cv2.resize(cv2.GaussianBlur(light, (0, 0), SOFT_PX), (picture.shape[1], picture.shape[0]))
    lit = (picture + np.float32(DARK_OFFSET)) * np.exp(light)[..., None] - DARK_OFFSET
    return np.asarray(np.rint(lit.clip(0, 255)), dtype=np.uint8)


def in_one_light(calibration: Calibration, is_uneven: bool) -> Calibration:
    """Gets a calibration with its two pictures in one light: the empty board's exposed as that of the starting position
    was, as all later ones will be; and where the light changed in a part of the board alone (``is_uneven``), there the
    darker one as light as the other."""
    camera, geometry, start = calibration.camera, calibration.geometry, calibration.start
    exposed = Calibration.of(camera, geometry, _exposed_as(calibration.empty, start), start)
    if not is_uneven:
        return exposed
    darker = light_on(halve(halve(start)), exposed)
    if darker is not None and _is_darker(darker):
        return Calibration.of(camera, geometry, exposed.empty, without(start, darker, exposed))
    turned = Calibration.of(camera, geometry, start, exposed.empty)
    darker = light_on(halve(halve(exposed.empty)), turned)
    if darker is not None and _is_darker(darker):
        return Calibration.of(camera, geometry, without(exposed.empty, darker, turned), start)
    return exposed


def _is_darker(light: Floats) -> bool:
    """Whether a change of light (logarithm) took more from parts of the board than it added to others."""
    low, middle, high = np.percentile(light, (PARTS[0], 50.0, PARTS[1]))
    return bool(middle - low >= high - middle)


def _exposed_as(picture: Picture, reference: Picture) -> Picture:
    """Gets a picture exposed as another of the same scene is; itself where the two hardly differ in that."""
    gains = exposure_gains(picture, reference)
    return picture if np.abs(np.log(gains)).max() < LIGHT_CHANGED else match_exposure(picture, reference)
