"""What may be shown, and to whom: to everybody, to who asks, or to the director alone."""

from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from seats_at_table import Seats, at_turn, die, moved
from test_phases import Muddle

from boardctl.referee import Ruleset, read_ruleset
from boardctl.referee.effects import (
    Cue,
    Effect,
    Notice,
    Phase,
    PhaseChanged,
    Prompt,
    RollRead,
    Ruled,
    Scene,
    Sign,
    TurnJudged,
)
from boardctl.referee.facts import Answered, ButtonPressed, Choice, Queried, Role
from boardctl.rules import BackgammonPosition, Roll, Seat

START = BackgammonPosition.start()
LEGAL = moved(START.placement(), ("8", "5"), ("6", "5"))
WRONG = moved(START.placement(), ("8", "5"), ("6", "4"))
SECRET = read_ruleset("house-seed").model_copy(update={"announce": "director_only"})
ON_QUERY = read_ruleset("us-2008-like").model_copy(update={"witnesses_required": 1})
TO_DIRECTOR = (Role.DIRECTOR,)


def heard_by_players(effect: Effect) -> bool:
    """Whether an effect gives players anything to see or to hear that tells of the play."""
    match effect:
        case Cue():
            return True
        case Scene():
            return bool(effect.marks)
        case Notice() | Prompt():
            return effect.to != TO_DIRECTOR
        case TurnJudged() | RollRead():
            return effect.announced
    return False


def after_turn(ruleset: Ruleset) -> tuple[Seats, list[Effect]]:
    """Gets a table where A has misplayed 3-1 and lifted the dice, and what was said of it."""
    seats = at_turn(START, Seat.A, ruleset)
    seats.roll(Seat.A, 3, 1)
    seats.show(WRONG)
    return seats, seats.lift()


def test_the_director_alone_is_told() -> None:
    seats, effects = after_turn(SECRET)
    assert not any(heard_by_players(effect) for effect in effects)
    judged = next(effect for effect in effects if isinstance(effect, TurnJudged))
    assert judged.legal is False
    assert [effect.to for effect in effects if isinstance(effect, Prompt)] == [TO_DIRECTOR]
    assert seats.referee.state.lit == Scene(())


def test_the_lights_come_back_with_the_next_roll() -> None:
    seats, _ = after_turn(SECRET)
    effects = seats.roll(Seat.B, 6, 4)
    assert Ruled("condoned", "B", Seat.A) in effects
    assert [mark.sign for scene in effects if isinstance(scene, Scene) for mark in scene.marks] == [Sign.TURN]


def test_a_throw_that_must_be_thrown_again_is_no_next_roll() -> None:
    seats, _ = after_turn(SECRET)
    effects = seats.rest(die(6, Seat.B), die(4, Seat.B, flat=False, spot=1))
    assert not any(heard_by_players(effect) for effect in effects)


def test_the_director_may_require_a_legal_play() -> None:
    seats, _ = after_turn(SECRET)
    prompt = seats.referee.state.prompt
    assert prompt is not None
    effects = seats.feed(Answered(seats.now(), Role.DIRECTOR, prompt.number, Choice.REQUIRE))
    assert seats.referee.state.phase is Phase.MOVE
    assert not any(heard_by_players(effect) for effect in effects)


def test_who_asks_is_told() -> None:
    seats, effects = after_turn(ON_QUERY)
    assert not any(heard_by_players(effect) for effect in effects if not isinstance(effect, Scene))
    assert seats.referee.state.lit == Scene(())
    effects = seats.feed(Queried(seats.now(), Role.B))
    judged = next(effect for effect in effects if isinstance(effect, TurnJudged))
    assert judged.announced
    assert Sign.PROBLEM in {mark.sign for mark in seats.referee.state.lit.marks}
    assert [effect.to for effect in effects if isinstance(effect, Prompt)] == [(Role.B,)]


def test_lights_are_alike_after_a_legal_play_and_another_until_somebody_asks() -> None:
    lit = []
    for board in (LEGAL, WRONG):
        seats = at_turn(START, Seat.A, ON_QUERY)
        seats.roll(Seat.A, 3, 1)
        assert {mark.sign for mark in seats.referee.state.lit.marks} >= {Sign.TURN}
        seats.show(board)
        seats.lift()
        lit.append(seats.referee.state.lit)
    assert lit[0] == lit[1]


def test_players_who_may_not_be_told_are_told_nothing_when_they_ask() -> None:
    seats, _ = after_turn(SECRET)
    assert seats.feed(Queried(seats.now(), Role.B)) == []


def test_a_throw_that_nobody_may_object_to_stands_once_it_is_played() -> None:
    seats = at_turn(START, Seat.A, SECRET)
    seats.rest(die(3), die(1, flat=False, spot=1))
    assert seats.referee.state.phase is Phase.ROLL
    seats.show(moved(START.placement(), ("8", "5")))
    assert seats.referee.state.phase is Phase.MOVE
    assert seats.referee.state.roll == Roll(3, 1)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.integers(0, 2**32), st.integers(20, 60))
def test_nothing_is_shown_between_the_end_of_a_turn_and_the_next_roll(seed: int, length: int) -> None:
    muddle = Muddle(Random(seed), SECRET)
    between = False
    for _ in range(length):
        said = len(muddle.table.effects)
        muddle.sensible()
        for effect in muddle.table.effects[said:]:
            if isinstance(effect, RollRead) and effect.valid:
                between = False
            elif isinstance(effect, PhaseChanged) and effect.phase is not Phase.MOVE:
                between = effect.phase in (Phase.CONFIRM, Phase.HOLD, Phase.ROLL)
            assert not (between and heard_by_players(effect)), effect


@pytest.mark.parametrize("name", ["house-seed", "usbgf-like", "wbgf-responsible-like"])
def test_a_ruleset_without_aids_never_hints(name: str) -> None:
    ruleset = read_ruleset(name)
    assert not ruleset.aids.any


@pytest.mark.parametrize("ruleset", [SECRET, ON_QUERY], ids=["director_only", "on_query"])
def test_a_button_answers_no_question_that_nobody_was_told_of(ruleset: Ruleset) -> None:
    seats, _ = after_turn(ruleset)
    assert seats.feed(ButtonPressed(seats.now(), Role.B)) == []
    assert seats.referee.state.phase is Phase.CONFIRM
