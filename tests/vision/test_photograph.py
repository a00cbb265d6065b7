"""The by-way: a photograph of an unknown camera, read from the corners of the field alone."""

from typing import Any

import numpy as np
import pytest

from boardctl.rules import Seat, point
from boardctl.vision.photograph import read_photograph
from calibration import CalibrationError
from calibration.find import Corners


def corners(truth: dict[str, Any]) -> Corners:
    names = ("A_left", "A_right", "B_right_of_A_view", "B_left_of_A_view")
    first, second, third, fourth = (tuple(truth["field_corners_px"][name]) for name in names)
    return (first, second, third, fourth)


@pytest.mark.parametrize("frame", ["f03", "f09"])
def test_most_points_are_read_from_the_corners_alone(green: Any, frame: str) -> None:
    truth = green.truth(frame)
    reading = read_photograph(green.picture(frame), corners(truth), truth["home_side_is_A_right"])
    right = 0
    for number in range(1, 25):
        true = truth["points"][str(number)]
        stack = (Seat(true["color"]),) * true["count"] if true["count"] else ()
        right += reading.board.at(point(number)).best == stack
    assert right >= 20


def test_nothing_is_said_with_confidence_nor_of_dice(green: Any) -> None:
    truth = green.truth("f06")
    reading = read_photograph(green.picture("f06"), corners(truth))
    assert max(place.confidence for place in reading.board.places) <= 0.95
    assert reading.dice.dice == ()


def test_a_picture_without_checkers_of_two_colours_is_refused(green: Any) -> None:
    truth = green.truth("f03")
    with pytest.raises(CalibrationError, match="two colours"):
        read_photograph(np.full((720, 1280, 3), 90, np.uint8), corners(truth))
