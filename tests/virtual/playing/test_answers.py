"""What the players answer: the truth about the turn that is asked about."""

from random import Random

import pytest

from boardctl.referee.effects import Prompt, Text
from boardctl.referee.facts import Choice, Role
from boardctl.rules import Backgammon, Match, MatchRules, Roll, Seat
from boardctl.virtual.playing.acts import FAST
from boardctl.virtual.playing.answers import Answers
from boardctl.virtual.playing.doubling import Doubling
from boardctl.virtual.playing.motions import Motions
from boardctl.virtual.playing.players import Rates
from boardctl.virtual.truth import TurnTruth
from boardctl.virtual.world import empty_world
from calibration import BoardGeometry

A, B = Seat.A, Seat.B
START = Backgammon().start().placement()


def players(illegal: Seat | None = None) -> Answers:
    """Gets players of whom A is on turn with a 3-1, after a turn of B; ``illegal``: whose last turn was."""
    random, rates = Random(1), Rates(accept=0.0)
    hands = Motions(empty_world(BoardGeometry(), random), FAST, random)
    doubling = Doubling(Match(MatchRules()), hands, rates, random)
    answers = Answers(Backgammon(), hands, rates, random, doubling)
    answers.on_turn, answers.roll = A, Roll(3, 1)
    answers.last = TurnTruth(0, B, Roll(6, 5), START, START, illegal is None, None)
    return answers


def answered(answers: Answers, text: Text, *choices: Choice) -> Choice:
    answers._hands.ear.take([Prompt(7, (Role.A,), text, choices)])
    act = next(answers.give())
    assert act.answer is not None
    return act.answer[1]


@pytest.mark.parametrize(("seat", "wanted"), [(B, Choice.REQUIRE), (A, Choice.DENY)])
def test_only_who_has_played_is_said_to_have_played_illegally(seat: Seat, wanted: Choice) -> None:
    text = Text.of("ask.looks_illegal", seat=seat, roll=Roll(6, 5))
    assert answered(players(B), text, Choice.ACCEPT, Choice.REQUIRE, Choice.DENY) is wanted
    confirmed = Choice.DENY if wanted is Choice.DENY else Choice.CONFIRM
    assert answered(players(B), text, Choice.CONFIRM, Choice.DENY) is confirmed


@pytest.mark.parametrize(
    ("seat", "roll", "wanted"),
    [(A, Roll(3, 1), Choice.CONFIRM), (A, Roll(3, 2), Choice.DENY), (B, Roll(3, 1), Choice.DENY)],
)
def test_a_roll_counted_if_it_was_thrown_by_that_seat(seat: Seat, roll: Roll, wanted: Choice) -> None:
    text = Text.of("ask.roll_counted", seat=seat, roll=roll)
    assert answered(players(), text, Choice.CONFIRM, Choice.DENY) is wanted
