"""Tables to learn from: what is told of each point is what its strip shows."""

from pathlib import Path

import numpy as np
import pytest

from boardctl.virtual.training.boards import Drawn
from boardctl.virtual.training.boards import draw as draw_boards
from boardctl.virtual.training.slots import UNTOLD
from boardctl.virtual.training.tables import draw
from boardctl.vision.points.columns import CHECKER_PX, POINTS, SLOTS, STRIPS
from boardctl.vision.training.column_data import columns_drawn
from boardctl.vision.trays.rows import SEATS


@pytest.fixture(scope="module")
def tables() -> Drawn:
    return draw(seed=9, looks=4, pictures=4)


def _changes(tables: Drawn) -> np.ndarray:
    """Gets how much each slot differs from the empty board (pictures x points x slots), its own light taken out."""
    shown = np.stack(tables.strips).astype(float)
    empty = np.stack([tables.empty[look] for look in tables.of_look]).astype(float)
    shown *= np.median((empty + 1) / (shown + 1), axis=(1, 2, 3, 4), keepdims=True)
    middle = np.abs(shown - empty)[:, :, :, 8:-8].reshape(*shown.shape[:2], SLOTS, CHECKER_PX, -1)
    return np.asarray(middle.mean(axis=(3, 4)))


def test_slots_that_hold_a_checker_look_unlike_the_empty_board(tables: Drawn) -> None:
    slots, free = np.stack(tables.slots), np.stack(tables.hidden) == 0
    changes = _changes(tables)
    held, bare = (slots > 0) & free[..., None], (slots == 0).all(axis=2, keepdims=True) & free[..., None]
    assert held.sum() > 200
    assert np.median(changes[held]) > 3 * np.median(changes[np.broadcast_to(bare, changes.shape)])


def test_points_under_an_arm_or_a_thing_are_told_as_hidden_and_only_under_one(tables: Drawn) -> None:
    hidden = np.stack(tables.hidden)[:, :STRIPS]
    reached = hidden.any(axis=1)
    assert 0 < reached.sum() < len(hidden)
    assert (hidden[reached] == 0).any(axis=1).all(), "an arm leaves some points free"
    changes = _changes(tables).max(axis=2)[:, :STRIPS]
    bare = (np.stack(tables.slots) == 0).all(axis=2)[:, :STRIPS]
    assert np.median(changes[bare & (hidden > 0.4)]) > 3 * np.median(changes[bare & (hidden == 0)])


def test_slots_under_an_arm_or_a_thing_are_told_one_by_one(tables: Drawn) -> None:
    covered, hidden, slots = np.stack(tables.covered), np.stack(tables.hidden), np.stack(tables.slots)
    assert ((covered > 0.9).any(axis=2) & (covered == 0).any(axis=2)).sum() > 10, "of a point's slots some alone"
    assert (hidden[(covered == 0).all(axis=2)] < 0.15).all(), "where no slot is covered nothing is hidden"
    changes, bare = _changes(tables), (slots == 0).all(axis=2, keepdims=True)
    assert np.median(changes[bare & (covered > 0.9)]) > 3 * np.median(changes[bare & (covered == 0)])


def test_each_board_has_sizes_and_colours_of_its_own(tables: Drawn) -> None:
    assert len({look.tobytes() for look in tables.palettes}) == len(tables.palettes) == 4
    assert len({tuple(np.round(look[0], 3)) for look in tables.leaning}) == 4


def test_checkers_on_the_bar_are_told_in_the_strip_of_their_end(tables: Drawn) -> None:
    slots, changes = np.stack(tables.slots)[:, POINTS:STRIPS], _changes(tables)[:, POINTS:STRIPS]
    free = np.stack(tables.hidden)[:, POINTS:STRIPS, None] == 0
    assert slots.shape[1] == STRIPS - POINTS
    assert ((slots > 0) & free).sum() > 10
    assert np.median(changes[(slots > 0) & free]) > 3 * np.median(changes[(slots == 0) & free])


def test_rows_in_trays_are_told_and_runs_on_edge_as_what_hides_a_tray(tables: Drawn) -> None:
    slots, changes = np.stack(tables.slots)[:, STRIPS:], _changes(tables)[:, STRIPS:]
    hidden, covered = np.stack(tables.hidden)[:, STRIPS:], np.stack(tables.covered)[:, STRIPS:]
    assert slots.shape[1] == len(SEATS)
    assert (slots[..., -1] == UNTOLD).all(), "beyond the middle the other seat's tray is"
    free, held = (hidden == 0)[..., None], slots > 0
    assert (held & free).any(axis=2).sum() > 3
    assert np.median(changes[held & free]) > 3 * np.median(changes[(slots == 0) & free])
    run = (covered[..., 0] == 1) & ~held.any(axis=2)
    assert run.sum() > 3
    assert (hidden[run] == 1).all()
    assert np.median(changes[run][:, 0]) > 3 * np.median(changes[(slots == 0) & free])


def test_tables_are_read_as_they_were_drawn_points_bar_and_trays(tables: Drawn, tmp_path: Path) -> None:
    tables.write(tmp_path / "tables.npz")
    looks = columns_drawn(tmp_path / "tables.npz")
    assert [each.points.tolist() for each in looks] == [[*range(STRIPS + len(SEATS))] * 4] * 4
    for number, look in enumerate(looks):
        assert (look.reference.empty == tables.empty[number]).all()
        assert (look.slots == np.concatenate(tables.slots[4 * number : 4 * number + 4])).all()
        assert (look.strips == np.concatenate(tables.strips[4 * number : 4 * number + 4])).all()


def test_where_only_whole_points_are_told_to_be_hidden_nothing_is_said_of_their_slots(tmp_path: Path) -> None:
    draw_boards(seed=3, looks=1, pictures=1).write(tmp_path / "boards.npz")
    (look,) = columns_drawn(tmp_path / "boards.npz")
    assert look.covered.shape == (POINTS, SLOTS)
    assert np.isnan(look.covered).all()
