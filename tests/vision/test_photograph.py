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


def test_nothing_is_said_with_much_confidence(green: Any) -> None:
    truth = green.truth("f06")
    reading = read_photograph(green.picture("f06"), corners(truth))
    assert max(place.confidence for place in reading.board.places) <= 0.95
    assert max(die.confidence for die in reading.dice.dice) <= 0.9


def test_dice_are_read_or_left_open_and_not_said_to_lie_flat(green: Any) -> None:
    told = 0
    for frame in ("f03", "f06", "f09"):
        truth = green.truth(frame)
        reading = read_photograph(green.picture(frame), corners(truth), truth["home_side_is_A_right"])
        for die in (die for die in truth["dice"] if die["flat"] and die["in_image"]):
            seen = min(reading.dice.dice, key=lambda one: np.hypot(*np.subtract(one.center_px, die["center_px"])))
            assert np.hypot(*np.subtract(seen.center_px, die["center_px"])) < 8
            assert seen.value in (None, die["value"])
            assert seen.flat is None
            told += seen.value is not None
    assert told >= 5


def test_a_picture_without_checkers_of_two_colours_is_refused(green: Any) -> None:
    truth = green.truth("f03")
    with pytest.raises(CalibrationError, match="two colours"):
        read_photograph(np.full((720, 1280, 3), 90, np.uint8), corners(truth))
