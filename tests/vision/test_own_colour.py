"""Points of the very colour of a seat's checkers are known, and not told bare for sure once something changes there."""

import cv2
import numpy as np
import pytest
from conftest import Shots
from numpy.typing import NDArray

from boardctl.referee.readings import PlaceReading
from boardctl.rules import Seat, point
from boardctl.vision.columns import reference_strips
from boardctl.vision.own_colour import BARE_OF_ITS_COLOUR, of_own_colour
from boardctl.vision.points import read_points_and_bar
from boardctl.vision.whose_colour import colours_at_start
from calibration import Calibration
from calibration.difference import DARK_OFFSET

Picture = NDArray[np.uint8]


def painted(shots: Shots, picture: Picture, number: int, seat: Seat, *, darker: int = 0) -> Picture:
    """Gets a picture with the edge of a point in the colour of a seat's checkers, or by so many levels darker."""
    calibration = shots.calibration
    roots = colours_at_start(calibration, reference_strips(calibration))[list(Seat).index(seat), 0]
    x, y, _ = calibration.geometry.on_point(number, 0)
    half = 0.55 * calibration.geometry.checker_diameter_mm
    corners = [(x + across * half, y + along * half, 0.0) for across, along in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
    outline = np.rint(calibration.camera.project(corners)).astype(np.int32)
    levels = [float(root) ** 2 - DARK_OFFSET - darker for root in roots]
    return cv2.fillConvexPoly(picture.copy(), outline, levels).astype(np.uint8)


def with_point_of(shots: Shots, number: int, seat: Seat) -> Calibration:
    """Gets the installation as if the edge of a point were of the colour of a seat's checkers."""
    return shots.calibration.in_light(lambda picture: painted(shots, picture, number, seat))


def read(picture: Picture, calibration: Calibration, number: int) -> PlaceReading:
    places = read_points_and_bar(picture, calibration).places
    return next(reading for reading in places if reading.place == point(number))


@pytest.mark.parametrize("seat", [Seat.A, Seat.B])
@pytest.mark.parametrize("number", [4, 21])
def test_a_point_of_the_colour_of_checkers_is_known(green: Shots, number: int, seat: Seat) -> None:
    before = green.calibration
    after = with_point_of(green, number, seat)
    known = set(np.flatnonzero(of_own_colour(before, reference_strips(before))).tolist())
    assert set(np.flatnonzero(of_own_colour(after, reference_strips(after))).tolist()) == known | {number - 1}
    assert number - 1 not in known


@pytest.mark.parametrize("number", [4, 21])
def test_it_is_not_told_bare_for_sure_when_something_has_changed_on_it(green: Shots, number: int) -> None:
    bare = green.calibration.empty
    calibration = with_point_of(green, number, Seat.A)
    empty, shaded = (painted(green, bare, number, Seat.A, darker=darker) for darker in (0, 14))
    assert read(empty, calibration, number).likelihood(()) > 0.999
    assert BARE_OF_ITS_COLOUR / 2 < read(shaded, calibration, number).likelihood(()) <= BARE_OF_ITS_COLOUR
