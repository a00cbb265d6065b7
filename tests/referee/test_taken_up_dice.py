"""Dice that are taken up with nothing played: the throw may not have counted, where it was not read for sure."""

import pytest
from seats_at_table import Seats, at_turn, die, moved

from boardctl.referee import Match, read_ruleset
from boardctl.referee.effects import Certainty, Notice, Phase, Prompt, RollRead, Ruled, TurnJudged
from boardctl.referee.facts import Answered, Choice, Doubled, Role
from boardctl.rules import BackgammonPosition, Placement, Seat

A, B = Seat.A, Seat.B
UNSURE = 0.95


def begun(confidence: float, family: str = "house-seed") -> Seats:
    """Gets a table where A, who won the opening, has played, and B has thrown 6-1."""
    seats = Seats(read_ruleset(family).model_copy(update={"witnesses_required": 1}))
    seats.start()

    seats.rest(die(4, A, spot=0), die(2, B, spot=1))
    seats.show(moved(seats.game.start().placement(), ("8", "4"), ("6", "4")))
    seats.lift()
    seats.roll(B, 6, 1, confidence)
    seats.show(position_of(seats))
    return seats


def position_of(seats: Seats) -> Placement:
    """Gets where the checkers are before the play of the turn."""
    position = seats.referee.state.position
    assert position is not None
    return position.placement()


def judgements(seats: Seats) -> list[TurnJudged]:
    return [effect for effect in seats.effects if isinstance(effect, TurnJudged) and effect.seat is B]


def said(seats: Seats) -> list[str]:
    return [effect.text.key for effect in seats.effects if isinstance(effect, Notice)]


def test_an_unsure_roll_of_which_nothing_was_played_may_be_thrown_again() -> None:
    seats = begun(UNSURE)
    seats.lift()
    assert (judgements(seats), "dice.taken_up" in said(seats)) == ([], True)
    seats.roll(B, 3, 1)
    assert judgements(seats) == []
    rolls = [effect for effect in seats.effects if isinstance(effect, RollRead)]
    assert (rolls[-1].seat, rolls[-1].roll, rolls[-1].certainty) == (B, (3, 1), Certainty.CERTAIN)
    assert seats.referee.state.phase is Phase.MOVE
    seats.show(moved(position_of(seats), ("17", "20"), ("19", "20")))
    seats.lift()
    assert [(one.roll, one.legal, one.certainty) for one in judgements(seats)] == [((3, 1), True, Certainty.CERTAIN)]


def asked(seats: Seats) -> Prompt:
    prompt = seats.referee.state.prompt
    assert prompt is not None
    assert prompt.text.key == "ask.roll_counted"
    return prompt


@pytest.mark.parametrize("family", ["teaching", "house-seed"])
def test_players_who_say_that_it_counted_hear_at_once_what_they_have_missed(family: str) -> None:
    seats = begun(UNSURE, family)
    seats.lift()
    seats.feed(Answered(seats.now(), Role.A, asked(seats).number, Choice.CONFIRM))
    assert [(one.roll, one.legal, one.certainty) for one in judgements(seats)] == [((6, 1), False, Certainty.PROBABLE)]
    rulings = [effect.ruling for effect in seats.effects if isinstance(effect, Ruled)]
    assert rulings == (["must_replay"] if family == "teaching" else [])
    assert seats.referee.state.phase is (Phase.MOVE if family == "teaching" else Phase.CONFIRM)


def test_players_who_say_that_it_did_not_count_throw_again() -> None:
    seats = begun(UNSURE)
    seats.lift()
    seats.feed(Answered(seats.now(), Role.B, asked(seats).number, Choice.DENY))
    assert (judgements(seats), seats.referee.state.prompt) == ([], None)
    seats.lift()
    assert seats.referee.state.prompt is None  # they have said it
    seats.roll(B, 3, 1)
    assert seats.referee.state.roll == (3, 1)


def test_who_throws_answers_it_too() -> None:
    seats = begun(UNSURE)
    seats.lift()
    number = asked(seats).number
    seats.roll(B, 3, 1)
    assert seats.referee.state.prompt is None
    seats.feed(Answered(seats.now(), Role.B, number, Choice.CONFIRM))
    assert (judgements(seats), seats.referee.state.roll) == ([], (3, 1))


def test_when_the_opponent_throws_the_turn_had_ended_without_a_play() -> None:
    seats = begun(UNSURE)
    seats.lift()
    seats.roll(A, 5, 2)
    assert [(one.roll, one.legal, one.certainty) for one in judgements(seats)] == [((6, 1), False, Certainty.PROBABLE)]


def test_a_play_made_after_the_dice_were_taken_up_ends_the_turn() -> None:
    seats = begun(UNSURE)
    before = position_of(seats)
    seats.lift()
    seats.show(moved(before, ("12", "18"), ("17", "18")))
    assert [(one.roll, one.legal) for one in judgements(seats)] == [((6, 1), True)]
    seats = begun(UNSURE)
    seats.lift()
    seats.show(moved(before, ("12", "18")))
    assert [(one.roll, one.legal) for one in judgements(seats)] == [((6, 1), False)]


def test_a_roll_that_was_read_for_sure_ends_with_the_dice_that_are_taken_up() -> None:
    seats = begun(0.999)
    seats.lift()
    assert [(one.roll, one.legal) for one in judgements(seats)] == [((6, 1), False)]


def test_a_double_by_the_next_seat_ends_the_turn_of_dice_that_were_taken_up_with_nothing_played() -> None:
    seats = at_turn(BackgammonPosition.start(), Seat.A, "house-seed", Match(cube=True))
    seats.show(BackgammonPosition.start())
    seats.roll(Seat.A, 3, 1, confidence=0.95)
    seats.show(BackgammonPosition.start())
    seats.lift()
    assert seats.referee.state.turn is not None
    assert seats.referee.state.turn.lifted
    seats.feed(Doubled(seats.now(), Role.B))
    assert seats.judged.legal is False
    assert seats.referee.state.cube.offer is not None
