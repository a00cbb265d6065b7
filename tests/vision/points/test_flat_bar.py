"""On a board without a bar no checker of a point is taken for one on it; where there is room, one is still seen."""

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from boardctl.rules import Seat, bar
from boardctl.vision.points.columns import POINTS, STRIPS
from boardctl.vision.points.flat_bar import bar_logits
from boardctl.vision.points.reading import bar_readings, lying_and_clear
from boardctl.vision.points.strip_reading import BARE_LOGITS, LAYERS
from calibration import BoardGeometry

A1, B1 = 1, 1 + LAYERS
CREASED = replace(BoardGeometry(), bar_width_mm=3.0).with_likely_bar


def seen(held: dict[int, list[int]]) -> NDArray[np.float64]:
    """What the network says of all strips: of some, how many checkers of which seat lie from their first slot on."""
    logits = np.tile(BARE_LOGITS, (STRIPS, 1, 1))
    for strip, things in held.items():
        for slot, thing in enumerate(things):
            logits[strip, 0, slot] = 0.0
            logits[strip, thing, slot] = 12.0
    return logits


def on_bar(geometry: BoardGeometry, held: dict[int, list[int]]) -> dict[Seat, int | None]:
    read = {reading.place: reading.best for reading in bar_readings(bar_logits(seen(held), geometry))}
    return {seat: None if (stack := read[bar(seat)]) is None else len(stack) for seat in Seat if bar(seat) in read}


def test_a_bar_on_which_no_checker_can_lie_is_flat() -> None:
    assert CREASED.bar_height_mm == 0
    assert BoardGeometry().with_likely_bar == BoardGeometry()


def test_a_row_beside_a_crease_is_not_taken_for_checkers_on_the_bar() -> None:
    beside = {5: [A1] * 5, 18: [B1] * 4, POINTS: [A1] * 4, POINTS + 1: [0, B1, B1, B1]}
    assert on_bar(CREASED, beside) == {Seat.A: 0, Seat.B: 0}
    assert on_bar(BoardGeometry(), beside) == {Seat.A: 4, Seat.B: 3}


def test_a_checker_on_the_crease_is_seen_where_no_row_reaches() -> None:
    assert on_bar(CREASED, {5: [A1, A1], POINTS: [A1]}) == {Seat.A: 1, Seat.B: 0}
    assert on_bar(CREASED, {POINTS: [A1], POINTS + 1: [B1, B1]}) == {Seat.A: 1, Seat.B: 2}


def test_what_lies_beside_a_point_is_no_row_that_takes_room() -> None:
    logits = seen({POINTS: [A1]})
    logits[5, 0, 4], logits[5, A1, 4] = 0.0, 12.0  # the slot that is next to the checker, with none at the edge
    (first, _) = bar_readings(bar_logits(logits, CREASED))
    assert first.best == (Seat.A,)


@pytest.mark.parametrize("width_mm", [0.0, 3.0, 41.0])
def test_beside_bare_points_the_bar_is_told_as_it_was(width_mm: float) -> None:
    geometry = replace(BoardGeometry(), bar_width_mm=width_mm).with_likely_bar
    logits = np.random.default_rng(3).normal(0, 3, (STRIPS, *BARE_LOGITS.shape))
    logits[:POINTS] = BARE_LOGITS
    told, before = lying_and_clear(bar_logits(logits, geometry)), lying_and_clear(logits[POINTS:])
    assert told[0] == pytest.approx(before[0], abs=1e-3)
    assert told[1] == pytest.approx(before[1])
