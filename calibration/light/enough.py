"""Whether pictures of a board have the light that reading asks for: neither too little, nor so much that it hides what
lies on the board."""

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.errors import CalibrationError
from calibration.light.glare import POINTS, in_glare, points_of
from calibration.start.pose_fit import Fit

Picture = NDArray[np.uint8]
Floats = NDArray[np.float64]

EMPTY, START = "the empty board's picture", "the starting position's picture"
LESS_LIGHT = "move or soften the lamp, or expose shorter"
MORE_LIGHT = "add light or expose longer"

BURNT_LEVEL, MUCH_BURNT = 250, 0.15
"""No colour is left where all channels reach this level. Where no board is found in a picture of which so much is burnt
out, that may be why."""

MOST_BURNT = 0.6
"""Share of the field that may be burnt out. White boards in much light are found and read where half of them is, for
what is dark on them is not; of twelve boards of which more was one was calibrated wrongly, its seats exchanged."""

MOST_IN_GLARE = 0.15
"""Share of the places on points that may lie in glare: a sixth of them are four points."""

MIN_BOARD_LIGHT = 25.0
"""Grey level that a twentieth of the board must exceed: below, the noise of a camera (two to three levels) is as large
as what parts a dark checker from a dark point."""

MIN_MEDIAN_LIGHT = 6.0
"""A picture whose brightest twentieth is under this grey level holds noise only."""


def check_pictures(empty: Picture, start: Picture) -> None:
    """Checks that the two pictures can be compared.

    :raises CalibrationError: when they cannot.
    """
    if empty.shape != start.shape:
        raise CalibrationError(
            f"the empty board's picture is {empty.shape[1]}x{empty.shape[0]} pixels, the starting position's "
            f"{start.shape[1]}x{start.shape[0]}: take both with the same camera at the same size"
        )
    for picture, name in ((empty, EMPTY), (start, START)):
        bright = float(np.percentile(picture[::4, ::4], 95))
        if bright < MIN_MEDIAN_LIGHT:
            raise CalibrationError(f"{name} is too dark (brightest parts {bright:.0f} of 255): {MORE_LIGHT}")


def check_light(fit: Fit, empty: Picture, start: Picture) -> None:
    """Checks that the playing field is neither burnt out, nor in glare, nor too dark in either picture.

    :raises CalibrationError: when it is.
    """
    for picture, name in ((empty, EMPTY), (start, START)):
        field = _field(picture, fit.corners_px)
        burnt = _burnt(field)
        if burnt > MOST_BURNT:
            raise CalibrationError(f"{name}: {burnt:.0%} of the board is burnt out: {LESS_LIGHT}")
        if float(np.percentile(field.max(axis=1), 95)) < MIN_BOARD_LIGHT:
            raise CalibrationError(f"{name}: the board is too dark: {MORE_LIGHT}")
    glare = in_glare(empty, start, fit.camera, fit.geometry)
    if float(glare[:POINTS].mean()) > MOST_IN_GLARE:
        where = ", ".join(map(str, points_of(glare)))
        raise CalibrationError(f"glare hides what lies on the points {where}: {LESS_LIGHT}")


def burnt_out(picture: Picture) -> str:
    """Gets what to do about a picture in which no board was found, if much of it is burnt out; else nothing."""
    burnt = _burnt(picture.reshape(-1, 3))
    return f"{burnt:.0%} of the picture is burnt out: {LESS_LIGHT}; " if burnt > MUCH_BURNT else ""


def much_burnt_out(empty: Picture, corners_px: Floats) -> str:
    """Gets how much of the field, whose corners are given (4 x 2), is burnt out in the empty board's picture, and what
    to do; nothing where little is."""
    burnt = _burnt(_field(empty, corners_px))
    if burnt <= MUCH_BURNT:
        return ""
    return f"{burnt:.0%} of the board is burnt out; white dice may not be seen there, nor pale hands: {LESS_LIGHT}"


def _field(picture: Picture, corners_px: Floats) -> Picture:
    """Gets the pixels (N x 3) of the field, whose corners are given (4 x 2)."""
    inside = np.zeros(picture.shape[:2], np.uint8)
    cv2.fillConvexPoly(inside, np.round(corners_px).astype(np.int32), 255)
    return picture[inside > 0]


def _burnt(pixels: Picture) -> float:
    """Gets the share of pixels (N x 3) without any colour left."""
    return float((pixels.min(axis=1) >= BURNT_LEVEL).mean())
