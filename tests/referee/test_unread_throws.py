"""Throws that could not be read: who has played one, or could not, has ended the turn all the same."""

import pytest
from seats_at_table import Seats, at_turn, die, moved

from boardctl.referee import Match
from boardctl.referee.effects import Certainty, Effect, Notice, Phase, RollRead
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


@pytest.mark.parametrize("ruleset", ["house-seed", "teaching", "casual"])  # under the last in any half
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


def test_who_was_seen_not_to_move_after_the_turn_went_by_unjudged_has_not_moved() -> None:
    """Whatever legal play fits best is not played on from, when what is seen contradicts all of them."""
    start = BackgammonPosition.start()
    seats = at_turn(start, B, "teaching")
    seats.show(start, confidence=0.9999)
    seats.roll(B, 6, 4)
    seats.lift()
    seats.rest(die(6, A, spot=4), die(5, A, spot=5, flat=None))  # may lean: not read, and A moves
    seats.lift()
    ahead = moved(start.placement(), ("13", "7"))
    seats.show(ahead, confidence=0.9999)
    seats.show(start, confidence=0.9999)
    seats.roll(A, 6, 5)
    state = seats.referee.state
    assert (state.phase, state.seat) == (Phase.MOVE, A)
    assert state.turn is not None
    assert state.turn.before == start


def test_players_who_leave_a_question_unanswered_and_play_on_are_asked_whose_turn_it_is() -> None:
    start = BackgammonPosition.start()
    seats = at_turn(start, A, "teaching")
    seats.roll(A, 3, 1)
    seats.show(moved(start.placement(), ("8", "5"), ("6", "4")), confidence=0.9)
    seats.lift()
    assert seats.referee.state.prompt is not None
    assert seats.referee.state.prompt.text.key == "ask.looks_illegal"
    for high in (6, 5, 4):
        seats.roll(A, high, 2)
        seats.lift()
    assert seats.referee.state.prompt.text.key == "ask.whose_turn"


def test_opening_dice_that_could_not_be_read_are_told_by_who_plays_them() -> None:
    for first in (die(5, A, spot=1, flat=None), die(None, A, spot=1, flat=True)):
        seats = Seats("ukbgf-like")
        seats.show(seats.game.start(), confidence=0.9999)
        assert noticed(seats.rest(first, die(6, B, spot=1)))[-1] == "dice.unclear"
        assert seats.referee.state.phase is Phase.OPENING
        played = moved(seats.game.start().placement(), ("12", "18"), ("12", "17"))
        seats.show(played, confidence=0.9999)
        state = seats.referee.state
        assert (state.phase, state.seat, state.roll) == (Phase.MOVE, B, Roll(5, 6))
        seats.feed(ButtonPressed(seats.now(), Role.B))
        assert seats.judged.legal is True
        assert seats.judged.certainty is Certainty.PROBABLE


def test_opening_dice_of_which_the_board_shows_no_play_stay_unread() -> None:
    seats = Seats("ukbgf-like")
    seats.show(seats.game.start(), confidence=0.9999)
    seats.rest(die(5, A, spot=1, flat=None), die(6, B, spot=1))
    seats.show(moved(seats.game.start().placement(), ("13", "7"), ("13", "8")), confidence=0.9999)  # A has lost
    assert seats.referee.state.phase is Phase.SETUP


def test_the_play_tells_what_a_die_shows_whose_value_was_told_with_doubt() -> None:
    # The half of a six below a hand looks like a three.
    start = BackgammonPosition.start()
    seats = at_turn(start, A, "house-seed", Match(cube=True))
    seats.show(start)
    seats.rest(die(1, spot=0), die(3, spot=1, confidence=0.8))
    assert noticed(seats.effects)[-1] == "dice.unclear"
    effects = seats.show(moved(start.placement(), ("13", "7"), ("8", "7")))
    assert [(read.roll, read.certainty) for read in effects if isinstance(read, RollRead)] == [
        (Roll(6, 1), Certainty.PROBABLE)
    ]
