"""Strips of photographs to learn from: what lies in them is told where the photograph's own camera sees it."""

import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from boardctl.vision.measuring.truth import corners_of, moved_corners, read_truth
from boardctl.vision.photograph.points import Look
from boardctl.vision.points.columns import POINTS, STRIPS
from boardctl.vision.training.column_data import LAYERS, columns_drawn
from boardctl.vision.training.column_photographs import as_coloured, covered_in, seen_photograph, write

BOARDS = Path(__file__).parents[2] / "data" / "vision"
FRAME = BOARDS / "green_felt" / "f03.json"


Photograph = tuple[dict[str, Any], Look, NDArray[np.int64]]
"""What is true of a photograph, how it is seen, and what lies in its slots."""


@pytest.fixture(scope="module")
def photograph() -> Photograph:
    picture = read_truth(FRAME)
    seen = seen_photograph(picture, corners_of(picture.truth))
    assert seen is not None
    return picture.truth, seen.look, seen.slots


def test_slots_hold_as_many_checkers_as_truly_lie_there(photograph: Photograph) -> None:
    truth, _, slots = photograph
    assert slots.shape[0] == STRIPS
    for number in range(1, POINTS + 1):
        true = truth["points"][str(number)]
        held = slots[number - 1][slots[number - 1] > 0]
        assert int(((held - 1) % LAYERS + 1).sum()) == true["count"], number
        assert set((held - 1) // LAYERS) <= {"AB".find(true["color"] or "-")}, number


def test_seats_are_those_of_the_colours(photograph: Photograph) -> None:
    _, look, slots = photograph
    exchanged = np.where(slots > LAYERS, slots - LAYERS, np.where(slots > 0, slots + LAYERS, slots))
    assert (as_coloured(slots, look) == slots).all()
    assert (as_coloured(exchanged, look) == slots).all()


def test_slots_below_a_hand_are_told_as_covered(photograph: Photograph) -> None:
    truth, look, slots = photograph
    picture = read_truth(FRAME)
    assert np.isnan(covered_in(picture, look, slots)).all()  # the truth of renders has no outlines
    base, tip = (np.array(truth["points"]["20"][name]) for name in ("base_px", "tip_px"))
    aside = np.array(truth["points"]["19"]["base_px"]) - base
    arm = np.rint([base - aside / 2, base + aside / 2, tip + aside / 2, tip - aside / 2]).astype(int)
    told = replace(picture, truth=truth | {"covers_px": [arm.tolist()]})
    covered = covered_in(told, look, slots)
    assert (covered[19, 1:4] > 0.8).all()
    assert not covered[[*range(18), 22, 23], 1:4].any()


def test_photographs_are_learned_from_as_they_were_seen(photograph: Photograph, tmp_path: Path) -> None:
    for path in (FRAME, FRAME.with_suffix(".jpg")):
        (tmp_path / "board").mkdir(exist_ok=True)
        shutil.copy(path, tmp_path / "board")
    assert write(tmp_path, tmp_path / "out.npz", corners_off=0.0, first=2) == 1
    (columns,) = columns_drawn(tmp_path / "out.npz")
    _, look, slots = photograph
    assert (columns.strips == look.strips).all()
    assert (columns.slots == slots).all()
    assert (columns.reference.palette.ratios == look.reference.palette.ratios).all()


def test_empty_boards_are_nothing_to_learn_from(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="no photograph of it is seen as strips"):
        write(tmp_path, tmp_path / "out.npz", corners_off=0.0, first=2)


def test_corners_are_moved_alike_for_one_picture_and_otherwise_for_another() -> None:
    corners = corners_of(read_truth(FRAME).truth)
    moved = moved_corners(corners, 0.1, FRAME)
    assert moved == moved_corners(corners, 0.1, FRAME)
    assert moved != moved_corners(corners, 0.1, FRAME.with_name("f09.json"))
    assert np.array(moved_corners(corners, 0.0, FRAME)) == pytest.approx(np.array(corners))
