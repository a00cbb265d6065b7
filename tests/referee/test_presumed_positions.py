"""Positions that are only presumed: what lies under other checkers is open."""

from boardctl.referee.readings import BoardReading, PlaceReading, StackChance, Witness
from boardctl.referee.seen.weighing import Evidence, best_board
from boardctl.rules import Placement, Seat, point, tray
from boardctl.rules.games import GAMES

A, B = Seat.A, Seat.B
GAME = GAMES["blocking"]
OVER = (A,) * 5
TALL = Placement({point(1): (B, *OVER), point(24): (B,) * 14, tray(A): (A,) * 10})


def seen(tall: dict[tuple[Seat, ...], float]) -> Evidence:
    """Gets what a camera sees of the board: its tall stack in several ways, everything else for sure."""
    places = []
    for place in GAME.places:
        chances = tall if place == point(1) else {TALL.at(place): 0.999}
        places.append(PlaceReading(place, tuple(StackChance(*chance) for chance in chances.items())))
    return Evidence((BoardReading(Witness.CAMERA, tuple(places)),), GAME.places)


def test_of_stacks_that_look_alike_the_one_that_was_expected_is_taken() -> None:
    for order in (((A, *OVER), (B, *OVER)), ((B, *OVER), (A, *OVER))):
        board, _ = best_board(GAME, seen(dict.fromkeys(order, 0.49)), TALL)
        assert board == TALL


def test_a_board_with_covered_checkers_is_left_open() -> None:
    assert seen({(A, *OVER): 0.49, (B, *OVER): 0.49}).leaves_open(TALL)
    assert not seen({(B, *OVER): 0.9, (A, *OVER): 0.05}).leaves_open(TALL)


def test_a_stack_that_was_hardly_counted_leaves_a_board_open() -> None:
    assert seen({(B, *OVER): 0.526, (B, *OVER, A): 0.24}).leaves_open(TALL)
    assert not seen({(B, *OVER): 0.526, (B, *OVER, A): 0.24}).vouches_for(TALL)
    assert seen({(B, *OVER): 0.526, (B, *OVER, A): 0.24}).vouches_for(TALL, known_before=True)
