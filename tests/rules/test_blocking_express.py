"""Blocking Express: the run of doubles and how it passes from hand to hand."""

import pytest
from test_blocking import board

from boardctl.rules import BlockingExpress, Position, Roll, Seat, Turn
from boardctl.rules.turn import begin, moves_in, plays_in, proceed

A, B = Seat.A, Seat.B
GAME = BlockingExpress()


def states(position: Position, seat: Seat, roll: Roll) -> list[tuple[Seat, tuple[int, ...], int]]:
    """Who has to play which numbers and how many were played, taking the first play each time."""
    seen = []
    turn: Turn | None = begin(GAME, position, seat, roll)
    while turn is not None:
        play = plays_in(GAME, position, turn)[0]
        seen.append((turn.control, turn.numbers, len(play.moves)))
        assert play.position in moves_in(GAME, position, turn).steps
        position = play.position
        turn = proceed(GAME, position, turn, len(play.moves))
    return seen


def test_a_roll_that_is_no_double_is_one_state() -> None:
    assert states(GAME.start(), A, Roll(3, 5)) == [(A, (5, 3), 2)]


def test_doubles_run_up_to_six() -> None:
    assert states(GAME.start(), B, Roll(4, 4)) == [(B, (n,) * 4, 4) for n in (4, 5, 6)]


def test_what_cannot_be_played_passes_to_the_other_side_and_back() -> None:
    # B owns the points where A would enter with fives; B plays them, and goes on with the sixes.
    position = board({20: "B", 19: "BB", 18: "BBBBBBBB"}, waiting_a=15)
    passed = states(position, A, Roll(5, 5))
    assert passed[0] == (A, (5, 5, 5, 5), 0)
    assert passed[1][:2] == (B, (5, 5, 5, 5))
    assert passed[1][2] > 0


def test_a_turn_ends_when_both_are_stuck_in_succession() -> None:
    # Neither can enter with a six: each owns the other's entry point.
    position = board({19: "B", 6: "A"}, waiting_a=14, waiting_b=14)
    assert states(position, A, Roll(6, 6)) == [(A, (6, 6, 6, 6), 0), (B, (6, 6, 6, 6), 0)]


def test_the_seat_that_did_not_roll_can_win_within_the_turn() -> None:
    position = board({24: "B", 19: "B"}, waiting_a=15)
    ended = states(position, A, Roll(6, 6))
    assert ended == [(A, (6, 6, 6, 6), 0), (B, (6, 6, 6, 6), 2)]


def test_the_turn_ends_when_somebody_has_borne_off_everything() -> None:
    position = board({1: "A"}, waiting_b=15)
    assert states(position, A, Roll(1, 1)) == [(A, (1, 1, 1, 1), 1)]


def test_more_than_there_was_cannot_have_been_played() -> None:
    with pytest.raises(ValueError, match="5 numbers played of"):
        GAME.proceed(GAME.start(), GAME.begin(GAME.start(), A, Roll(4, 4)), 5)
