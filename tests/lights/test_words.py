"""Every value of the referee that a screen shows has its words, in every language that there is."""

from typing import get_args

import pytest

from boardctl.lights.words import (
    certainty_text,
    choice_text,
    cube_step_text,
    cube_text,
    pause_text,
    phase_text,
    ruling_text,
    win_text,
)
from boardctl.referee import read_catalogue, render
from boardctl.referee.effects import Certainty, CubeStep, Phase, Ruling, Text
from boardctl.referee.facts import Choice, PauseReason
from boardctl.referee.presets import TEXTS
from boardctl.rules import Seat, WinKind

SAID = {
    "phases": [phase_text(phase, seat) for phase in Phase for seat in (Seat.A, None)],
    "choices": [choice_text(choice) for choice in Choice],
    "pauses": [pause_text(reason) for reason in PauseReason],
    "rulings": [ruling_text(ruling) for ruling in get_args(Ruling)],
    "steps of the cube": [cube_step_text(step, Seat.A) for step in get_args(CubeStep)],
    "places of the cube": [cube_text(2, owner) for owner in (None, Seat.A)],
    "wins": [win_text(Seat.A, kind.name.lower()) for kind in WinKind],
    "certainties": [certainty_text(certainty) for certainty in Certainty],
}


@pytest.mark.parametrize("language", [path.stem for path in TEXTS.glob("*.yaml")])
@pytest.mark.parametrize("name", SAID)
def test_every_value_has_its_own_words(name: str, language: str) -> None:
    catalogue = read_catalogue(language)
    words = {text: render(text, catalogue) for text in SAID[name]}
    assert all(words.values())
    assert len(set(words.values())) == len(words)


def test_a_phase_that_may_not_be_told_is_not_told() -> None:
    assert phase_text(None, Seat.A) == Text.of("phase.underway")
