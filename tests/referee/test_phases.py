"""The table of phases is whole, says the truth about where it leads, and is written out."""

from pathlib import Path

import pytest
from fact_logs import logs
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from boardctl.referee import Match, Referee, read_catalogue, read_ruleset, render
from boardctl.referee.effects import Effect, Finding, Notice, Phase, Prompt, RollRead, Text, TurnJudged
from boardctl.referee.facts import Fact
from boardctl.referee.phases import KINDS, TABLE, document
from boardctl.rules import Backgammon

DOCUMENT = Path(__file__).parents[2] / "docs" / "phases.md"
RULESETS = [read_ruleset(name) for name in ("house-seed", "casual", "teaching")]


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
@given(logs, st.sampled_from(RULESETS), st.sampled_from([None, 1, 3]))
def test_any_facts_are_answered_alike_each_time_and_only_as_the_table_says(
    log: list[Fact], ruleset: object, length: int | None
) -> None:
    first, second = (Referee(Backgammon(), ruleset, Match(length)) for _ in range(2))  # type: ignore[arg-type]
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
