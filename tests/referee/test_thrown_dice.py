"""Dice at rest: what counts, what must be thrown again and why, and what is waited for."""

from dataclasses import replace

import pytest
from seats_at_table import Seats, at_turn, die

from boardctl.referee import Match
from boardctl.referee.effects import Certainty, Notice, Phase, PhaseChanged, RollRead, Scene, Sign, Text
from boardctl.referee.facts import Answered, Choice, HandSeen, Role
from boardctl.referee.presets import read_ruleset
from boardctl.referee.readings import Support
from boardctl.referee.seen.dice import (
    NothingNew,
    Rejected,
    Thrown,
    Unclear,
    may_show,
    read_throw,
    refusal_certainty,
    vouched,
)
from boardctl.rules import BackgammonPosition, Roll, Seat

HOUSE = read_ruleset("house-seed")
START = BackgammonPosition.start()


def rolls(seats: Seats) -> list[RollRead]:
    return [effect for effect in seats.effects if isinstance(effect, RollRead)]


def test_two_flat_dice_in_the_rollers_section_are_a_roll() -> None:
    throw = read_throw((die(6), die(2, spot=1)), Seat.A, HOUSE)
    assert isinstance(throw, Thrown)
    assert throw.roll == Roll(6, 2)
    assert throw.certainty is Certainty.CERTAIN


@pytest.mark.parametrize(
    ("wrong", "reason"),
    [
        (die(4, flat=False, spot=1), "dice.not_flat"),
        (die(4, on=Support.CHECKER, spot=1), "dice.on_checker"),
        (die(4, on=Support.DIE, spot=1), "dice.on_die"),
        (die(4, None, on=Support.RAIL, spot=1), "dice.on_rail"),
        (die(4, None, on=Support.TRAY, spot=1), "dice.in_tray"),
        (die(4, None, on=Support.OFF_BOARD, spot=1), "dice.off_board"),
        (die(4, None, on=Support.THING, spot=1), "dice.on_thing"),
        (die(4, None, spot=1), "dice.on_bar"),
        (die(4, Seat.B, spot=1), "dice.wrong_half"),
        (die(None, flat=False, spot=1), "dice.not_flat"),
    ],
)
def test_says_why_a_throw_does_not_count(wrong: object, reason: str) -> None:
    throw = read_throw((die(6), wrong), Seat.A, HOUSE)  # type: ignore[arg-type]
    assert isinstance(throw, Rejected)
    assert [text.key for text in throw.reasons] == [reason]


def test_a_ruleset_may_let_dice_lie_on_checkers_and_in_any_half() -> None:
    easy = HOUSE.model_copy(update={"die_on_checker": "valid", "roller_half": "any"})
    throw = read_throw((die(6, on=Support.CHECKER), die(2, Seat.B)), Seat.A, easy)
    assert isinstance(throw, Thrown)


def test_three_dice_are_no_roll() -> None:
    throw = read_throw((die(6), die(2, spot=1), die(3, spot=2)), Seat.A, HOUSE)
    assert isinstance(throw, Rejected)
    assert [text.key for text in throw.reasons] == ["dice.wrong_number"]
    assert refusal_certainty(throw.dice, throw.reasons) is Certainty.CERTAIN


def test_what_may_be_no_die_does_not_vouch_for_a_wrong_number() -> None:
    glint = die(2, flat=None, spot=2, confidence=0.905)
    throw = read_throw((die(6), die(2, spot=1), glint), Seat.A, HOUSE)
    assert isinstance(throw, Rejected)
    assert refusal_certainty(throw.dice, throw.reasons) is Certainty.PROBABLE


@pytest.mark.parametrize("vague", [die(None, spot=1), die(3, spot=1, confidence=0.6), die(3, flat=None, spot=1)])
def test_a_die_that_is_not_vouched_for_is_waited_for(vague: object) -> None:
    assert isinstance(read_throw((die(6), vague), Seat.A, HOUSE), Unclear)  # type: ignore[arg-type]


def test_one_die_is_no_throw_yet() -> None:
    assert isinstance(read_throw((die(6),), Seat.A, HOUSE), NothingNew)


@pytest.mark.parametrize("on", [Support.OFF_BOARD, Support.TRAY, Support.THING])
def test_idle_dice_of_the_other_seat_do_not_matter(on: Support) -> None:
    seats = at_turn(START, Seat.A)
    idle = (die(1, Seat.B, spot=3), die(5, Seat.B, spot=4))
    aside = (die(2, None, on=on, spot=5), die(3, None, on=on, spot=6))
    seats.rest(*aside)
    assert rolls(seats) == []
    seats.rest(die(6), die(2, spot=1), *idle, *aside)
    assert [read.roll for read in rolls(seats)] == [Roll(6, 2)]
    seats.show(seats.game.plays(START, Seat.A, Roll(6, 2))[0].position)
    seats.rest(*idle, *aside)
    assert seats.referee.state.phase is Phase.MOVE


def test_dice_that_cannot_be_read_are_marked_and_read_later() -> None:
    seats = at_turn(START, Seat.A)
    effects = seats.rest(die(6), die(None, spot=1))
    assert Sign.UNCLEAR in {mark.sign for scene in effects if isinstance(scene, Scene) for mark in scene.marks}
    assert rolls(seats) == []
    seats.rest(die(6), die(3, spot=1))
    assert [read.roll for read in rolls(seats)] == [Roll(6, 3)]


def test_a_rejected_throw_is_said_once_and_must_be_thrown_again() -> None:
    seats = at_turn(START, Seat.A)
    cocked = (die(6), die(2, flat=False, spot=1))
    seats.rest(*cocked)
    seats.rest(*cocked)
    assert [read.valid for read in rolls(seats)] == [False]
    # Pushed flat by a finger, where it lay: not thrown again.
    seats.rest(die(6), die(2, spot=1))
    assert [read.valid for read in rolls(seats)] == [False]
    seats.rest(die(1, spot=4), die(3, spot=5))
    assert [read.roll for read in rolls(seats) if read.valid] == [Roll(1, 3)]


def test_one_die_thrown_again_is_not_enough() -> None:
    seats = at_turn(START, Seat.A)
    seats.rest(die(6), die(2, flat=False, spot=1))
    seats.rest(die(6), die(4, spot=5))
    last = rolls(seats)[-1]
    assert not last.valid
    assert [text.key for text in last.reasons] == ["dice.only_one_again"]


def test_a_die_thrown_long_after_the_other_is_probably_no_throw() -> None:
    assert not second_die(after_ms=5_000).valid
    last = second_die(after_ms=5_000)
    assert ([text.key for text in last.reasons], last.certainty) == (["dice.not_together"], Certainty.PROBABLE)


def test_a_die_may_lie_still_while_the_other_spins() -> None:
    assert second_die(after_ms=2_500).roll == Roll(6, 2)


def test_a_die_that_was_not_seen_at_first_was_thrown_with_the_other() -> None:
    assert second_die(after_ms=5_000, hand=False).roll == Roll(6, 2)


def test_a_single_die_that_was_taken_up_again_does_not_matter() -> None:
    seats = at_turn(START, Seat.A)
    seats.rest(die(6))
    seats.feed(HandSeen(seats.now(), True))
    seats.lift()
    seats.at_ms += 5_000
    seats.rest(die(6), die(2, spot=1))
    assert rolls(seats)[-1].roll == Roll(6, 2)


def second_die(after_ms: int, *, hand: bool = True) -> RollRead:
    """One die comes to rest, the other so long after it, with a hand over the board in between."""
    seats = at_turn(START, Seat.A)
    seats.rest(die(6))
    for present in (True, False) if hand else ():
        seats.feed(HandSeen(seats.now(), present))
    seats.at_ms += after_ms
    seats.rest(die(6), die(2, spot=1))
    return rolls(seats)[-1]


def test_lifted_dice_may_come_to_rest_on_the_same_spot() -> None:
    seats = at_turn(START, Seat.A)
    seats.rest(die(6), die(2, flat=False, spot=1))
    seats.lift()
    seats.rest(die(6), die(2, spot=1))
    assert rolls(seats)[-1].roll == Roll(6, 2)


def test_a_rested_die_is_never_changed_by_what_happens_later() -> None:
    seats = at_turn(START, Seat.A)
    seats.rest(die(6), die(2, spot=1))
    effects = seats.rest(die(6), die(5, spot=1))
    assert seats.referee.state.roll == Roll(6, 2)
    assert not any(isinstance(effect, RollRead) for effect in effects)
    told = [effect.text for effect in effects if isinstance(effect, Notice)]
    assert told == [Text.of("dice.turned", was=2, now=5, roll=Roll(6, 2))]
    effects = seats.rest(die(6, spot=3), die(4, spot=2))
    assert seats.referee.state.roll == Roll(6, 2)
    assert [effect.text.key for effect in effects if isinstance(effect, Notice)] == ["dice.changed"]


@pytest.mark.parametrize("which", ["first", "second"])
def test_a_die_is_said_to_be_turned_only_where_both_readings_are_vouched_for(which: str) -> None:
    seats = at_turn(START, Seat.A)
    seats.rest(die(6), die(2, spot=1, confidence=0.98 if which == "first" else 0.999))
    effects = seats.rest(die(6), die(5, spot=1, confidence=0.98 if which == "second" else 0.999))
    assert not [effect for effect in effects if isinstance(effect, Notice)]
    assert seats.referee.state.roll == Roll(6, 2)


def test_a_less_sure_roll_is_probable() -> None:
    seats = at_turn(START, Seat.A)
    seats.rest(die(6, confidence=0.95), die(2, spot=1))
    assert rolls(seats)[-1].certainty is Certainty.PROBABLE


def test_a_throw_before_the_turn_has_ended_is_void() -> None:
    seats = at_turn(START, Seat.A)
    seats.rest(die(6), die(2, spot=1))
    effects = seats.rest(die(6), die(2, spot=1), die(3, Seat.B, spot=8), die(3, Seat.B, spot=9))
    assert [effect.text.key for effect in effects if isinstance(effect, Notice)] == ["dice.premature"]
    assert seats.referee.state.seat is Seat.A


def test_a_premature_throw_stands_where_the_ruleset_says_so() -> None:
    seats = at_turn(START, Seat.A, "casual")
    seats.rest(die(6), die(2, spot=1))
    early = (die(3, Seat.B, spot=8), die(4, Seat.B, spot=9))
    seats.rest(die(6), die(2, spot=1), *early)
    seats.show(seats.game.plays(START, Seat.A, Roll(6, 2))[0].position)
    seats.lift(left=2)
    assert seats.referee.state.seat is Seat.B
    assert seats.referee.state.roll == Roll(3, 4)


def test_the_opening_is_one_die_each() -> None:
    seats = Seats()
    seats.start()
    assert seats.rest(die(2, Seat.A)) == []
    effects = seats.rest(die(2, Seat.A), die(5, Seat.B))
    assert PhaseChanged(Phase.MOVE, Seat.B) in effects
    assert seats.referee.state.roll is not None
    assert seats.referee.state.roll.numbers == (5, 2)


def test_equal_opening_dice_are_rolled_again() -> None:
    seats = Seats()
    seats.start()
    effects = seats.rest(die(4, Seat.A), die(4, Seat.B))
    assert [text.key for read in effects if isinstance(read, RollRead) for text in read.reasons] == ["opening.equal"]
    seats.lift()
    seats.rest(die(4, Seat.A, spot=1), die(3, Seat.B, spot=1))
    assert seats.referee.state.seat is Seat.A


def test_an_opening_die_that_is_cocked_is_rolled_again() -> None:
    seats = Seats()
    seats.start()
    effects = seats.rest(die(4, Seat.A), die(5, Seat.B, flat=False))
    assert [read.valid for read in effects if isinstance(read, RollRead)] == [False]


def test_a_glint_beside_the_opening_dice_is_no_third_one_but_nothing_is_vouched_for() -> None:
    glint = die(None, Seat.A, spot=3, flat=None, confidence=0.24)
    for values, begins in (((2, 5), True), ((4, 4), False)):
        seats = Seats()
        seats.start()
        seats.rest(die(values[0], Seat.A), die(values[1], Seat.B), glint)
        assert [(read.valid, read.certainty) for read in rolls(seats)] == [(begins, Certainty.PROBABLE)]
        assert (seats.referee.state.seat is Seat.B) == begins


def test_both_opening_dice_in_one_section_are_no_opening() -> None:
    seats = Seats()
    seats.start()
    seats.rest(die(6, Seat.B), die(1, Seat.B, spot=1))
    assert [(read.valid, read.certainty) for read in rolls(seats)] == [(False, Certainty.PROBABLE)]
    assert seats.referee.state.phase is Phase.OPENING


def test_an_opening_that_was_decided_unseen_is_taken_up_when_it_is_played() -> None:
    seats = Seats()
    seats.start()
    seats.rest(die(6, Seat.B), die(5, Seat.B, spot=1))
    seats.show(START)
    seats.show(seats.game.plays(START, Seat.B, Roll(6, 5))[0].position)
    assert (seats.referee.state.seat, seats.referee.state.roll) == (Seat.B, Roll(6, 5))


def test_of_a_recorded_game_the_first_roll_may_be_seen_as_it_lies() -> None:
    seats = Seats(match=Match(recorded=True))
    seats.start()
    seats.rest(die(6, Seat.B), die(5, Seat.B, spot=1))
    assert seats.referee.state.seat is Seat.B
    assert seats.referee.state.roll == Roll(6, 5)


def test_dice_before_the_set_up_are_no_roll() -> None:
    seats = Seats()
    effects = seats.rest(die(6, Seat.B), die(5, Seat.A))
    assert [effect.text.key for effect in effects if isinstance(effect, Notice)] == ["setup.first"]
    assert seats.referee.state.phase is Phase.SETUP


@pytest.mark.parametrize(("choice", "roll"), [(Choice.ACCEPT, Roll(3, 4)), (Choice.REQUIRE, None)])
def test_the_seat_on_turn_chooses_about_a_premature_throw_where_the_ruleset_says_so(
    choice: Choice, roll: Roll | None
) -> None:
    seats = at_turn(START, Seat.A, HOUSE.model_copy(update={"premature_roll": "opponent_choice"}))
    seats.rest(die(6), die(2, spot=1))
    seats.rest(die(6), die(2, spot=1), die(3, Seat.B, spot=8), die(4, Seat.B, spot=9))
    prompt = seats.referee.state.prompt
    assert prompt is not None
    seats.feed(Answered(seats.now(), Role.A, prompt.number, choice))
    seats.show(seats.game.plays(START, Seat.A, Roll(6, 2))[0].position)
    seats.lift(left=2)
    assert seats.referee.state.seat is Seat.B
    assert seats.referee.state.roll == roll


def test_an_answer_that_comes_when_the_turn_has_ended_changes_nothing() -> None:
    seats = at_turn(START, Seat.A, HOUSE.model_copy(update={"premature_roll": "opponent_choice"}))
    seats.rest(die(6), die(2, spot=1))
    seats.rest(die(6), die(2, spot=1), die(3, Seat.B, spot=8), die(4, Seat.B, spot=9))
    prompt = seats.referee.state.prompt
    assert prompt is not None
    seats.feed(HandSeen(seats.now(), present=True))
    seats.lift(left=2)
    assert seats.referee.state.phase is Phase.CONFIRM
    assert seats.referee.state.prompt is None
    assert seats.feed(Answered(seats.now(), Role.A, prompt.number, Choice.ACCEPT)) == []


def test_a_value_that_is_told_with_doubt_is_none_to_the_referee() -> None:
    doubted = replace(die(3, spot=1), confidence=0.8)
    assert vouched(doubted) is None
    assert [*may_show(doubted)] == [1, 2, 3, 4, 5, 6]
    assert [*may_show(die(3))] == [3]
    assert isinstance(read_throw((die(6), doubted), Seat.A, HOUSE), Unclear)
    again = read_throw((die(6), replace(doubted, on=Support.CHECKER)), Seat.A, HOUSE)
    assert isinstance(again, Rejected)
    assert again.reasons == (Text.of("dice.on_checker", die="?"),)
