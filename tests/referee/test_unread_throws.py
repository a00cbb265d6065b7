"""Throws that could not be read: who has played one, or could not, has ended the turn all the same."""

import pytest
from seats_at_table import Seats, at_turn, die

from boardctl.referee import Match
from boardctl.referee.effects import Certainty, Effect, Notice, RollRead
from boardctl.referee.facts import ButtonPressed, Doubled, Role
from boardctl.rules import BackgammonPosition, Roll, Seat

A, B = Seat.A, Seat.B


def unread(ruleset: str) -> Seats:
    """Gets a table where A has thrown two dice, one of which may lean on something."""
    seats = at_turn(BackgammonPosition.start(), A, ruleset, Match(cube=True))
    seats.show(BackgammonPosition.start())
    seats.rest(die(6, spot=0), die(2, spot=1, flat=None))
    assert noticed(seats.effects)[-1] == "dice.unclear"
    return seats


def noticed(effects: list[Effect]) -> list[str]:
    return [effect.text.key for effect in effects if isinstance(effect, Notice)]


def test_who_hits_the_clock_after_it_has_ended_the_turn_though_nothing_has_moved() -> None:
    seats = unread("usbgf-like")
    assert "turn.not_seen" in noticed(seats.feed(ButtonPressed(seats.now(), Role.A)))
    assert seats.referee.state.seat is B


@pytest.mark.parametrize("ruleset", ["house-seed", "teaching"])
def test_where_the_next_seat_throws_after_it_the_turn_has_ended(ruleset: str) -> None:
    seats = unread(ruleset)
    seats.lift()
    assert seats.referee.state.seat is A
    effects = seats.roll(B, 5, 3)
    assert [(read.seat, read.roll, read.valid) for read in effects if isinstance(read, RollRead)] == [
        (B, Roll(5, 3), True)
    ]


def test_a_double_after_it_comes_too_late() -> None:
    seats = unread("house-seed")
    assert noticed(seats.feed(Doubled(seats.now(), Role.A))) == ["cube.too_early"]
    assert seats.referee.state.cube.offer is None


def test_a_die_that_changes_beside_one_that_stays_is_no_roll_to_vouch_for() -> None:
    seats = unread("house-seed")
    effects = seats.rest(die(6, spot=0), die(4, spot=9))
    assert [(read.roll, read.certainty) for read in effects if isinstance(read, RollRead)] == [
        (Roll(6, 4), Certainty.PROBABLE)
    ]
    seats = unread("house-seed")
    effects = seats.rest(die(6, spot=0), die(2, spot=1))
    assert [(read.roll, read.certainty) for read in effects if isinstance(read, RollRead)] == [
        (Roll(6, 2), Certainty.CERTAIN)
    ]
