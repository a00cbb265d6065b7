"""Runs of checkers on edge: which rows of what the network says count for which number of checkers."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from boardctl.rules import Seat
from boardctl.virtual.training.trays import HIDDEN, draw
from boardctl.vision.points.seat_palette import SeatPalette
from boardctl.vision.training.tray_painting import painted
from boardctl.vision.trays.runs import FIRST, LAST_ROW, MOST, SIGNS, THICKNESS, rows_of, scores_of
from boardctl.vision.trays.strips import (
    CHANNELS,
    COLUMNS,
    LENGTH,
    RUN_PX,
    RunStrip,
    row_at,
    run_input,
)

ROWS = rows_of(0.2, -0.05)
BEGINS, MEET, MIDDLE, ENDS, RUN, SIDE, BEHIND = range(SIGNS)


def signs_of_run(count: int, thick: float, first: float) -> np.ndarray:
    """What a network would say that sees every line, every middle, the beginning and the end, and is sure of each."""
    signs = np.full((SIGNS, LENGTH), 0.0)
    signs[[BEGINS, MEET, MIDDLE, ENDS]] = -3.0
    borders = row_at(first + thick * np.arange(count + 1))
    middles = row_at(first + thick * (np.arange(count) + 0.5))
    signs[BEGINS, borders[0]] = signs[ENDS, borders[-1]] = 3.0
    signs[MEET, borders[1:-1]] = 3.0
    signs[MIDDLE, middles] = 3.0
    return signs


@given(count=st.integers(1, MOST), thick=st.sampled_from(THICKNESS[4:-4:3]), first=st.sampled_from(FIRST))
def test_the_run_is_found_whose_lines_and_middles_are_seen(count: int, thick: float, first: float) -> None:
    end = first + count * thick
    if end >= LAST_ROW:
        return
    scores = scores_of(signs_of_run(count, thick, first), ROWS)
    found = np.unravel_index(scores.argmax(), scores.shape)
    assert found[0] + 1 == count
    assert FIRST[found[2]] == pytest.approx(first, abs=0.03)


def test_a_run_whose_lines_are_not_seen_is_told_by_its_length_as_the_usual_thickness_has_it() -> None:
    signs = np.zeros((SIGNS, LENGTH))
    signs[[BEGINS, ENDS]] = -3.0
    end = int(row_at(np.array(8 * 0.262)))
    signs[BEGINS, row_at(np.array(0.0))] = signs[ENDS, end - 1 : end + 2] = 5.0
    each = np.exp(scores_of(signs, ROWS)).sum(axis=(1, 2))
    likely = each / each.sum()
    assert likely.argmax() + 1 == 8
    assert likely[6] + likely[8] > 0.1, "of thicker ones there would be one less, of thinner ones one more"


def test_what_lies_on_counts_by_its_length_and_no_run_goes_beyond_the_divider() -> None:
    signs = np.zeros((SIGNS, LENGTH))
    signs[RUN] = 1.0
    scores = scores_of(signs, ROWS)
    lengths = (np.arange(1, MOST + 1)[:, None] * THICKNESS)[:, :, None] + np.zeros(len(FIRST))
    possible = np.isfinite(ROWS.usual)
    assert np.allclose(scores[possible] - ROWS.usual[possible], lengths[possible], atol=1.5 / RUN_PX)
    assert not possible[-1, -1, -1]


def test_the_side_of_the_last_checker_is_no_part_of_what_comes_behind() -> None:
    signs = np.zeros((SIGNS, LENGTH))
    signs[SIDE] = 1.0
    wide, narrow = (scores_of(signs, rows)[2, 10, 5] - rows.usual[2, 10, 5] for rows in (ROWS, rows_of(0.0, 0.0)))
    assert narrow == 0.0
    assert 0.1 < wide < 0.2
    signs[SIDE], signs[BEHIND] = 0.0, 1.0
    assert scores_of(signs, ROWS)[2, 10, 5] - ROWS.usual[2, 10, 5] == pytest.approx(0.7, abs=0.05)


def test_trays_are_drawn_with_as_many_checkers_as_is_told() -> None:
    drawn = draw(seed=4, looks=2, pictures=6)
    assert len(drawn.shown) == len(drawn.counts) == len(drawn.of_tray) <= 24
    assert HIDDEN not in drawn.counts
    assert len(drawn.empty) == len(drawn.colours) == 4
    for shown, count, tray in zip(drawn.shown, drawn.counts, drawn.of_tray, strict=True):
        assert shown.shape == drawn.empty[tray].shape
        if count > 3:  # a run of four covers more than the wide part of the strip
            change = np.abs(shown.astype(int) - drawn.empty[tray]).max(axis=2).mean(axis=1)
            assert change[row_at(np.array(0.5))] > 5


@pytest.mark.parametrize("count", [1, 4, 9, 15])
def test_a_painted_run_is_as_long_as_its_checkers_and_changes_nothing_far_behind(count: int) -> None:
    random = np.random.default_rng(count)
    empty = np.full((LENGTH, round(1.2 * RUN_PX), 3), (60, 90, 70), dtype=np.uint8)
    for _ in range(4):
        picture = painted(empty, np.array([200.0, 200.0, 210.0]), count, (0.2, -0.05), random)
        light = picture.astype(float).mean(axis=2).max(axis=1) > 125
        length = light.sum() / RUN_PX
        assert 0.15 * count < length < 0.36 * count + 0.75
        assert not light[row_at(np.array(count * 0.33 + 0.9)) :].any()


def test_what_the_network_is_shown_is_the_same_in_more_light_but_for_its_level() -> None:
    drawn = draw(seed=5, looks=1, pictures=3)
    empty, shown = drawn.empty[0], drawn.shown[drawn.of_tray.index(0)]
    strip = RunStrip(np.empty((0, 0), np.float32), np.empty((0, 0), np.float32), empty, 0.2, -0.05)
    palette = SeatPalette(drawn.palettes[0])
    one = run_input(shown, strip, palette, Seat.A)
    assert one.shape == (CHANNELS, LENGTH, COLUMNS)
    brighter = replace(strip, empty=np.minimum(empty * 1.2, 255).astype(np.uint8))
    other = run_input(np.minimum(shown * 1.2, 255).astype(np.uint8), brighter, palette, Seat.A)
    assert np.abs(one[-1] - other[-1]).mean() < 0.2 < np.abs(one[:3] - other[:3]).mean() + 0.2
