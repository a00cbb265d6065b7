"""The table of phases is whole, says the truth about where it leads, and is written out."""

from pathlib import Path
from random import Random

import pytest
from fact_logs import BOARDS, facts, logs
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from seats_at_table import Seats, die

from boardctl.referee import Match, Referee, Ruleset, read_catalogue, read_ruleset, render
from boardctl.referee.effects import Effect, Finding, Notice, Phase, Prompt, RollRead, Text, TurnJudged
from boardctl.referee.facts import Answered, Fact
from boardctl.referee.phases import KINDS, TABLE, document
from boardctl.rules import Backgammon, Seat

DOCUMENT = Path(__file__).parents[2] / "docs" / "phases.md"
RULESETS = [read_ruleset(name) for name in ("house-seed", "casual", "teaching", "usbgf-like")]


@pytest.mark.parametrize("phase", Phase)
@pytest.mark.parametrize("kind", KINDS)
def test_every_phase_knows_what_to_do_with_every_fact(phase: Phase, kind: str) -> None:
    entry = TABLE[phase, kind]
    assert entry.says


def test_the_table_holds_nothing_else() -> None:
    assert len(TABLE) == len(Phase) * len(KINDS)


def test_the_picture_of_the_phases_is_current() -> None:
    assert DOCUMENT.read_text(encoding="utf-8") == document(), (
        "docs/phases.md is out of date; its head says how to write it"
    )


def texts_in(effect: Effect) -> list[Text]:
    """Gets every text that an effect says."""
    match effect:
        case Notice() | Prompt():
            return [effect.text]
        case RollRead():
            return list(effect.reasons)
        case TurnJudged(finding=Finding() as finding):
            return list(finding.explanation)
    return []


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(logs, st.sampled_from(RULESETS), st.sampled_from([None, 1, 3]), st.booleans())
def test_any_facts_are_answered_alike_each_time_and_only_as_the_table_says(
    log: list[Fact], ruleset: object, length: int | None, cube: bool
) -> None:
    first, second = (Referee(Backgammon(), ruleset, Match(length, cube)) for _ in range(2))  # type: ignore[arg-type]
    for fact in log:
        before = first.state.phase
        effects = first.feed(fact)
        assert effects == second.feed(fact)
        assert first.state == second.state
        after = first.state.phase
        assert after is before or after in TABLE[before, fact.kind].leads_to, (before, fact.kind, after)
        for effect in effects:
            for text in texts_in(effect):
                assert render(text, read_catalogue())


class Muddle:
    """A game that goes on more or less in order, with anything thrown in between; a log of it is kept."""

    def __init__(self, random: Random, ruleset: Ruleset) -> None:
        self.random = random
        self.table = Seats(ruleset, match=Match(3, cube=True))
        self.table.start()

    def sensible(self) -> None:
        """Does what the phase waits for."""
        state, random, table = self.table.referee.state, self.random, self.table
        game = table.game
        match state.phase:
            case Phase.SETUP | Phase.GAME_OVER:
                table.start()
            case Phase.OPENING:
                table.rest(die(random.randint(1, 6), Seat.A, spot=1), die(random.randint(1, 6), Seat.B, spot=1))
            case Phase.CUBE if state.cube.offer is not None and state.prompt is not None:
                choice = random.choice(state.prompt.choices)
                table.feed(Answered(table.now(), random.choice(state.prompt.to), state.prompt.number, choice))
            case Phase.ROLL | Phase.CUBE:
                seat = state.seat or random.choice([Seat.A, Seat.B])
                table.roll(seat, random.randint(1, 6), random.randint(1, 6))
            case Phase.MOVE if state.turn is not None:
                turn = state.turn
                after = random.choice(game.plays(turn.before, turn.seat, turn.roll)).position.placement()
                if random.random() < 0.3:
                    after = random.choice(BOARDS)
                table.show(after)
                table.lift()
            case Phase.CONFIRM | Phase.HOLD if state.prompt is not None:
                choice = random.choice(state.prompt.choices)
                table.feed(Answered(table.now(), random.choice(state.prompt.to), state.prompt.number, choice))
            case Phase.REPAIR if state.expected is not None:
                table.show(state.expected)
            case _:
                table.show(state.expected or game.start().placement())


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.randoms(use_true_random=False), st.sampled_from(RULESETS), st.lists(st.one_of(st.none(), facts), max_size=40))
def test_a_game_with_anything_thrown_in_replays_alike(
    random: Random, ruleset: Ruleset, course: list[Fact | None]
) -> None:
    muddle = Muddle(random, ruleset)
    for thrown_in in course:
        before, said = muddle.table.referee.state.phase, len(muddle.table.facts)
        if thrown_in is None:
            muddle.sensible()
        else:
            muddle.table.feed(thrown_in)
        if len(muddle.table.facts) == said + 1:
            after = muddle.table.referee.state.phase
            allowed = TABLE[before, muddle.table.facts[-1].kind].leads_to
            assert after is before or after in allowed, (before, muddle.table.facts[-1].kind, after)
    again = Referee(Backgammon(), ruleset, Match(3, cube=True))
    assert [effect for fact in muddle.table.facts for effect in again.feed(fact)] == muddle.table.effects
    assert again.state == muddle.table.referee.state
    for effect in muddle.table.effects:
        for text in texts_in(effect):
            assert render(text, read_catalogue())
