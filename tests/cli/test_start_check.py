"""Who sets up another position than the starting one is told so, and who sets it up right is not."""

from random import Random

import pytest

from boardctl.cli.start_check import unlike_start
from boardctl.rules import Backgammon, Placement, Seat, Stack, point
from boardctl.virtual.looks import LOOKS
from boardctl.virtual.render import Renderer
from boardctl.virtual.world import empty_world, set_up
from calibration import BoardGeometry, Calibration, calibrate

A, B = Seat.A, Seat.B
START = {number: Backgammon().start().placement().at(point(number)) for number in range(1, 25)}


def calibrated(changed: dict[int, Stack]) -> Calibration:
    """Gets the calibration of a board that is set up as in the starting position but for some points."""
    renderer, random = Renderer(LOOKS["green-felt"], BoardGeometry()), Random(2)
    empty = empty_world(BoardGeometry(), random, cube=False)
    laid = {point(number): stack for number, stack in {**START, **changed}.items() if stack}
    return calibrate(renderer.frame(empty), renderer.frame(set_up(empty, Placement(laid), Random(3))))


def test_of_the_starting_position_nothing_is_said() -> None:
    assert unlike_start(calibrated({})) == []


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({7: (A,) * 3, 8: ()}, ["point 7 should hold nothing, not 3 of A", "point 8 should hold 3 of A, not nothing"]),
        ({8: (B,) * 3}, ["point 8 should hold 3 of A, not 3 of B"]),
        ({6: (A,) * 4}, ["point 6 should hold 5 of A, not 4 of A"]),
    ],
)
def test_each_point_that_holds_something_else_is_named(changed: dict[int, Stack], said: list[str]) -> None:
    assert unlike_start(calibrated(changed)) == said
