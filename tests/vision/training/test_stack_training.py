"""What is told of pictures to learn from: which slot an upper checker counts to, which points hands cover."""

from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from boardctl.cli.bench.stacks import laid_in_hollows
from boardctl.rules import Placement, Seat, point
from boardctl.virtual.training.boards import Drawn, draw, filled
from boardctl.virtual.training.slots import slots_held
from boardctl.virtual.world import empty_world, set_up
from boardctl.vision.points.columns import POINTS
from boardctl.vision.training.column_data import columns_drawn, slot_at
from boardctl.vision.training.stack_rows import LEAST_LENGTH, Row, rows_drawn, taller, varied
from calibration import BoardGeometry

if TYPE_CHECKING:
    from conftest import Shots

GEOMETRY = BoardGeometry()


@given(slot=st.integers(0, 4), aside=st.floats(-0.25, 0.25), hollow=st.sampled_from((0.0, 0.45)))
def test_an_upper_checker_counts_to_the_slot_that_it_lies_on_or_behind(slot: int, aside: float, hollow: float) -> None:
    assert slot_at(slot + 0.5 + hollow + min(aside, 0.2), 1) == slot
    assert slot_at(slot + 0.5 + aside, 0) == slot


@pytest.mark.parametrize("number", [6, 19])
@pytest.mark.parametrize("in_hollows", [False, True])
@pytest.mark.parametrize("count", range(5, 10))
def test_the_second_layer_of_a_drawn_row_begins_at_the_edge(number: int, in_hollows: bool, count: int) -> None:
    random = Random(number + count)
    world = set_up(empty_world(GEOMETRY, random), Placement({point(number): (Seat.A,) * count}), random)
    slots = slots_held(laid_in_hollows(world) if in_hollows else world, number)
    assert slots[:5].tolist() == [2] * (count - 5) + [1] * (10 - count)
    assert not slots[5:].any()


def test_rows_made_taller_have_the_layers_that_were_laid_on_them() -> None:
    random = np.random.default_rng(3)
    shown = random.integers(0, 255, (312, 72, 3)).astype(np.uint8)
    for length in range(LEAST_LENGTH, 8):
        row = Row(shown, np.zeros(length, dtype=np.int64), np.array([1.5, -1.0], dtype=np.float32))
        changed = [taller(row, random) for _ in range(10)]
        assert all((each.layers >= 0).all() and (each.layers <= 2).all() for each in changed)
        assert all(each.layers.any() == (each.shown != shown).any() for each in changed)
        seen = varied(changed[0], random)
        assert seen.shown.shape == (40 * (length - 1) + 72, 72, 3)
        assert np.abs(seen.leaning).tolist() == [1.5, 1.0]
        assert seen.single is None


def test_what_was_drawn_to_learn_from_is_read_as_it_was_drawn(tmp_path: Path) -> None:
    drawn = draw(seed=3, looks=2, pictures=1)
    drawn.write(tmp_path / "drawn.npz")
    looks = columns_drawn(tmp_path / "drawn.npz")
    assert [len(look.strips) for look in looks] == [POINTS, POINTS]
    for look, strips, slots in zip(looks, drawn.strips, drawn.slots, strict=True):
        assert (look.strips == strips).all()
        assert (look.slots == slots).all()
        assert not look.hidden.any()
    rows = rows_drawn(tmp_path / "drawn.npz")
    assert [row.layers.tolist() for row in rows] == [row.layers.tolist() for row in drawn.rows]
    assert [row.single is None for row in rows] == [row.single is None for row in drawn.rows]
    assert sum(row.single is not None for row in rows) > len(rows) / 2


def test_points_under_a_hand_are_told_as_hidden_and_have_no_rows(tmp_path: Path, green: "Shots") -> None:
    drawn, random = Drawn(), Random(5)
    world = filled(empty_world(GEOMETRY, random), random)
    drawn.begin(green.calibration)
    picture = green.picture("f01")
    drawn.add(world, picture, [0.0] * POINTS)
    plain = len(drawn.rows)
    drawn.add(world, picture, [0.4] * POINTS)
    assert plain > 0
    assert len(drawn.rows) == plain
    drawn.write(tmp_path / "drawn.npz")
    (look,) = columns_drawn(tmp_path / "drawn.npz")
    assert look.hidden.tolist() == pytest.approx([0.0] * POINTS + [0.4] * POINTS)
