"""Light that has changed between the two pictures of a calibration: the camera exposed anew, somebody leans over a part
of the board, the sun came out.

Whoever takes the pictures stands beside the table, so that their shadow lies over one of them and not over the other.
Before the board is found light is told roughly: it changes over wider places than rows of checkers. Once it is found,
light is told as for every later frame (``shadows.py``).
"""

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import CameraModel
from calibration.difference import DARK_OFFSET, exposed, exposure_gains, halve
from calibration.drift import LIGHT_CHANGED
from calibration.follow import outline_mm
from calibration.geometry import BoardGeometry
from calibration.installation import Calibration
from calibration.light.shadows import PARTS, UNEVEN, followed, light_on, without

Picture = NDArray[np.uint8]
Floats = NDArray[np.float32]

WIDTH_PX = 320
"""Width to which pictures are brought to tell light roughly: a checker is some ten pixels then."""

AROUND_PX = 41
"""Light at a place is told first by the median of a square of so many pixels (an eighth of the picture's width): rows
of five checkers cover less than half of it, wherever they lie."""

CLOSER = ((2.5, 0.3),) * 8
"""Medians round off the edges of a shadow; they are followed over so many pixels (standard deviation), by those that
what is told explains to within so much (logarithm), in so many rounds: by then an edge is as sharp as it will be."""

FINE, MIDDLE = 80.0, 128.0
"""A change of light (logarithm) is told in steps of 1 / 80, from -1.6 to 1.6, as OpenCV takes medians of whole numbers
alone."""


def lit_alike(picture: Picture, reference: Picture) -> list[Picture]:
    """Gets a picture (H x W x 3) in the light of another of the same scene, told closely, and more roughly, as checkers
    of nearly the colour of the board are lost in the former; none where the light has changed alike everywhere."""
    size = (WIDTH_PX, round(picture.shape[0] * WIDTH_PX / picture.shape[1]))
    ours, theirs = (
        np.log(cv2.resize(each, size, interpolation=cv2.INTER_AREA).sum(axis=2, dtype=np.float32) + DARK_OFFSET)
        for each in (picture, reference)
    )
    change = np.asarray(theirs - ours, dtype=np.float32)
    steps = np.rint(change * FINE + MIDDLE).clip(0, 255).astype(np.uint8)
    rough = np.asarray((cv2.medianBlur(steps, AROUND_PX).astype(np.float32) - MIDDLE) / FINE, dtype=np.float32)
    if np.ptp(np.percentile(rough, PARTS)) < UNEVEN:
        return []
    close, _ = followed(change, np.ones(change.shape, np.bool_), rough, CLOSER)
    return [_lit(picture, light) for light in (close, rough)]


def _lit(picture: Picture, light: Floats) -> Picture:
    """Gets a picture in a changed light (logarithm, h x w)."""
    everywhere = cv2.resize(light, (picture.shape[1], picture.shape[0]))
    return np.asarray(np.rint((picture * np.exp(everywhere)[..., None]).clip(0, 255)), dtype=np.uint8)


def in_one_light(
    camera: CameraModel, geometry: BoardGeometry, empty: Picture, start: Picture, is_uneven: bool
) -> tuple[Picture, Picture]:
    """Gets the pictures of the empty board and of the starting position in one light. Where that did not change alike
    everywhere (``is_uneven``), each is made as light as the other where it is darker, as by a shadow; then the empty
    board's is exposed as that of the starting position was, as all later ones will be."""
    if is_uneven:
        start, empty = (
            _not_darker(one, Calibration.of(camera, geometry, other, one))
            for one, other in ((start, empty), (empty, start))
        )
    board = camera.part(outline_mm(geometry))
    gains = exposure_gains(empty[board], start[board])
    if np.abs(np.log(gains)).max() >= LIGHT_CHANGED:
        empty = exposed(empty, gains)
    return empty, start


def _not_darker(picture: Picture, other: Calibration) -> Picture:
    """Gets a picture made as light as that of an empty board where it is darker."""
    light = light_on(halve(halve(picture)), other)
    return picture if light is None else without(picture, np.minimum(light, 0), other)
