"""Dice that are thrown again, because their players know that they did not count."""

import pytest
from seats_at_table import Seats, at_turn, die, moved

from boardctl.referee.effects import Effect, Notice, Phase, Prompt, RollRead
from boardctl.rules import BackgammonPosition, Roll, Seat

A, B = Seat.A, Seat.B
BOARD = BackgammonPosition.start().placement()
DOUBTFUL = 0.95


def rolls(effects: list[Effect]) -> list[tuple[Seat | None, Roll | None, bool]]:
    return [(one.seat, one.roll, one.valid) for one in effects if isinstance(one, RollRead)]


def one_each(seats: Seats, first: int, second: int, spot: int, confidence: float = DOUBTFUL) -> list[Effect]:
    return seats.rest(
        die(first, A, spot=spot, confidence=confidence), die(second, B, spot=spot + 1, confidence=confidence)
    )


@pytest.mark.parametrize("ruleset", ["house-seed", "usbgf-like"])
def test_an_opening_that_is_thrown_again_is_an_opening(ruleset: str) -> None:
    seats = Seats(ruleset)
    seats.start()
    assert rolls(one_each(seats, 4, 3, spot=0)) == [(A, Roll(4, 3), True)]
    seats.show(BOARD)
    seats.lift()
    assert rolls(one_each(seats, 1, 2, spot=2)) == [(B, Roll(1, 2), True)]
    assert (seats.referee.state.phase, seats.referee.state.seat) == (Phase.MOVE, B)
    seats.show(BOARD)
    seats.lift()
    assert [valid for _, _, valid in rolls(one_each(seats, 5, 5, spot=4))] == [False]
    assert seats.referee.state.phase is Phase.OPENING


def test_an_opening_that_was_read_for_sure_stands() -> None:
    seats = Seats("usbgf-like")
    seats.start()
    one_each(seats, 4, 3, spot=0, confidence=0.999)
    seats.show(BOARD)
    seats.lift()
    one_each(seats, 1, 2, spot=2, confidence=0.999)
    assert seats.referee.state.phase is not Phase.OPENING


def again(laid_back: bool) -> Seats:
    """Gets a table with a clock where A has thrown a doubtful 3-1, then a 6-4 in its place."""
    seats = at_turn(BackgammonPosition.start(), A, "usbgf-like")
    seats.show(BOARD)
    first = die(3, spot=0, confidence=DOUBTFUL), die(1, spot=1, confidence=DOUBTFUL)
    seats.rest(*first)
    seats.show(BOARD)
    effects = seats.rest(die(6, spot=4), die(4, spot=5))
    assert [one.text.key for one in effects if isinstance(one, Notice)] == ["dice.thrown_again"]
    if laid_back:
        seats.rest(*first)
    return seats


def test_the_throw_that_is_played_is_the_one_that_counts() -> None:
    seats = again(laid_back=False)
    assert seats.referee.state.roll == Roll(3, 1)
    assert rolls(seats.show(moved(BOARD, ("24", "14")))) == [(A, Roll(6, 4), True)]
    assert seats.referee.state.roll == Roll(6, 4)


def test_a_play_of_the_first_throw_and_dice_that_are_laid_back_leave_it_as_it_was() -> None:
    for laid_back, moves in ((False, (("8", "5"), ("6", "5"))), (True, (("24", "14"),))):
        seats = again(laid_back)
        assert rolls(seats.show(moved(BOARD, *moves))) == []
        assert seats.referee.state.roll == Roll(3, 1)


def test_while_the_dice_thrown_again_lie_the_next_seat_has_thrown_too_early() -> None:
    seats = again(laid_back=False)
    lying = die(6, spot=4), die(4, spot=5)
    effects = seats.rest(*lying, die(2, B, spot=6), die(3, B, spot=7))
    assert rolls(effects) == []
    assert [one.text.key for one in effects if isinstance(one, Notice | Prompt)] == ["ask.premature"]
    assert (seats.referee.state.phase, seats.referee.state.seat) == (Phase.MOVE, A)
