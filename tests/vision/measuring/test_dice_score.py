"""Readings of dice held against truth: what counts as right, as sure and wrong, as irregular."""

from dataclasses import replace
from pathlib import Path

import pytest

from boardctl.referee.readings import DieReading, Support
from boardctl.rules import Seat
from boardctl.vision.measuring.dice_score import called_irregular, score
from boardctl.vision.measuring.truth import read_truth

PICTURES = Path(__file__).parents[2] / "data" / "vision" / "dice"
TRUE = read_truth(PICTURES / "d083.json")


def perfect() -> list[DieReading]:
    return [
        DieReading(
            die["value"], 0.99, True, Support.SURFACE, Seat(die["roller"]), 0.0, tuple(die["center_px"]), (0.0, 0.0)
        )
        for die in TRUE.truth["dice"]
    ]


def counts(readings: list[DieReading], measure: str) -> tuple[int, int]:
    tally, _ = score(TRUE, readings)
    return (
        sum(n for (name, right), n in tally.items() if name.startswith(measure) and right),
        sum(n for (name, _), n in tally.items() if name.startswith(measure)),
    )


def test_what_is_right_counts_as_right() -> None:
    assert counts(perfect(), "flat, value right") == (2, 2)
    assert counts(perfect(), "flat, surely wrong") == (0, 2)
    assert counts(perfect(), "regular, called irregular") == (0, 2)
    assert score(TRUE, perfect())[1] == []


def test_a_wrong_value_is_surely_wrong_and_a_refused_one_is_not() -> None:
    first, second = perfect()
    assert counts([replace(first, value=6), second], "flat, surely wrong") == (1, 2)
    assert counts([replace(first, value=None), second], "flat, surely wrong") == (0, 2)
    assert counts([replace(first, value=None), second], "flat, value right") == (1, 2)


def test_a_die_where_there_is_none_is_counted() -> None:
    false = replace(perfect()[0], center_px=(5.0, 5.0))
    assert counts([*perfect(), false], "pictures without false dice") == (0, 1)


@pytest.mark.parametrize(
    "change",
    [{"flat": False}, {"on": Support.CHECKER}, {"section": Seat.B}],
    ids=["tilted", "on a checker", "in the other section"],
)
def test_what_calls_for_another_roll(change: dict[str, object]) -> None:
    die = replace(perfect()[0], section=Seat.A)
    assert not called_irregular(die, "A")
    assert called_irregular(replace(die, **change), "A")
