"""What of the two pictures of a calibration does not show what it should is told, and of good ones nothing is."""

from random import Random

import pytest

from boardctl.cli.guided.start_check import check_start
from boardctl.rules import Backgammon, Placement, Seat, Stack, point, tray
from boardctl.virtual.drawing.render import Renderer
from boardctl.virtual.looks import LOOKS
from boardctl.virtual.world import Hand, World, empty_world, set_up, with_hand
from calibration import BoardGeometry, Calibration, calibrate

A, B = Seat.A, Seat.B
START = {number: Backgammon().start().placement().at(point(number)) for number in range(1, 25)}
EMPTY = empty_world(BoardGeometry(), Random(2), cube=False)
HAND = Hand(Seat.A, 100.0, -60.0)


def set_up_start(changed: dict[int, Stack]) -> World:
    """Gets a board that is set up as in the starting position but for some points."""
    laid = {point(number): stack for number, stack in {**START, **changed}.items() if stack}
    return set_up(EMPTY, Placement(laid), Random(3))


def calibrated(empty: World, start: World) -> Calibration:
    renderer = Renderer(LOOKS["green-felt"], BoardGeometry())
    return calibrate(renderer.frame(empty), renderer.frame(start))


def test_of_the_starting_position_nothing_is_said() -> None:
    assert check_start(calibrated(EMPTY, set_up_start({}))) == []


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({7: (A,) * 3, 8: ()}, "point 7 should hold nothing, not 3 of A; point 8 should hold 3 of A, not nothing. Set"),
        ({8: (B,) * 3}, "point 8 should hold 3 of A, not 3 of B. Set"),
        ({6: (A,) * 4}, "point 6 should hold 5 of A, not 4 of A. Set"),
    ],
)
def test_each_point_that_holds_something_else_is_named(changed: dict[int, Stack], said: str) -> None:
    (told,) = check_start(calibrated(EMPTY, set_up_start(changed)))
    assert told.startswith(f"the second picture is not of the starting position: {said}")


@pytest.mark.parametrize("is_first", [True, False])
def test_a_hand_over_the_board_in_either_picture_is_told(is_first: bool) -> None:
    empty, start = EMPTY, set_up_start({})
    pictures = (with_hand(empty, HAND), start) if is_first else (empty, with_hand(start, HAND))
    said = [told for told in check_start(calibrated(*pictures)) if "something lies over the board" in told]
    assert len(said) == 1
    assert "(points " in said[0]


def test_trays_that_were_full_in_the_first_picture_are_told() -> None:
    full = set_up(EMPTY, Placement({tray(seat): (seat,) * 15 for seat in (A, B)}), Random(4))
    (told,) = check_start(calibrated(full, set_up_start({})))
    assert told.startswith("the two pictures do not show the tray of seat A and seat B alike: take everything out")
