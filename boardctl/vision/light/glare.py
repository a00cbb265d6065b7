"""What is read in glare: where the board was white whatever its colour when it was calibrated, checkers lie unseen."""

from dataclasses import replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from boardctl.referee.readings import BoardReading, PlaceReading
from boardctl.rules import PlaceKind
from boardctl.vision.points.reading import VOUCHED
from calibration import Calibration
from calibration.installation import INSTALLATIONS_KEPT
from calibration.light.glare import POINTS, in_glare, points_of

Bools = NDArray[np.bool_]


def glaring_points(calibration: Calibration) -> list[int]:
    """Gets the points on which a checker may lie unseen in glare."""
    return points_of(_glare(calibration))


def without_glare(board: BoardReading, calibration: Calibration) -> BoardReading:
    """Gets the reading of a board with those places hidden at which glare hides whether there is one checker more: it
    is too bright there."""
    glare = _glare(calibration)
    if not glare.any():
        return board
    return replace(board, places=tuple(_hidden(reading, glare) for reading in board.places))


def _hidden(reading: PlaceReading, glare: Bools) -> PlaceReading:
    if not _may_hide(reading, glare):
        return reading
    # Of what is hidden by what lies on the board nothing is said.
    is_told = reading.too_bright or not reading.hidden
    return replace(reading.at_most(VOUCHED), hidden=True, too_bright=is_told)


def _may_hide(reading: PlaceReading, glare: Bools) -> bool:
    """Whether a checker may lie in glare (26 x 5) beside those that are seen at a place."""
    if reading.place.kind is PlaceKind.BAR:
        return bool(glare[POINTS:].any())
    seen = len(reading.best or ())
    return reading.place.kind is PlaceKind.POINT and bool(glare[reading.place.number - 1, seen : seen + 1].any())


@lru_cache(maxsize=INSTALLATIONS_KEPT)
def _glare(calibration: Calibration) -> Bools:
    return in_glare(calibration.empty, calibration.start, calibration.camera, calibration.geometry)
