"""Which strips do not look as on the empty board, and so are shown to the network."""

import numpy as np
import pytest

from boardctl.vision.points.column_input import block_roots, changed_strips, slot_changes, unlike
from boardctl.vision.points.columns import CHECKER_PX, STRIP_LENGTH, STRIP_WIDTH, STRIPS

EMPTY = np.full((STRIPS, STRIP_LENGTH, STRIP_WIDTH, 3), 180, dtype=np.uint8)
HELD = 7
"""The strip that holds a checker of nearly the colour of its point."""


@pytest.mark.parametrize("light", [0.95, 1.0, 1.05])
@pytest.mark.parametrize("darker", [1.12, 1 / 1.12])
def test_a_faint_checker_is_seen_in_slightly_other_light(light: float, darker: float) -> None:
    strips = EMPTY.astype(float)
    strips[HELD, :CHECKER_PX] /= darker
    strips = np.clip(strips * light, 0, 255).astype(np.uint8)
    held = slot_changes(block_roots(strips), block_roots(EMPTY)).lengths
    assert np.flatnonzero(held).tolist() == [HELD]
    assert held[HELD] == 1
    assert changed_strips(strips, EMPTY).tolist() == [HELD]


@pytest.mark.parametrize("level", [195, 187])
def test_many_faint_changes_are_a_checker_and_few_are_not(level: int) -> None:
    strips = EMPTY.copy()
    strips[HELD, 2:CHECKER_PX, 6:26] = level  # over most of a slot by less than a change that counts by itself
    strips[HELD + 2, 2:8, 6:26] = 195
    assert np.flatnonzero(slot_changes(block_roots(strips), block_roots(EMPTY)).lengths).tolist() == [HELD]


def test_a_faint_checker_is_seen_in_noise_and_noise_is_none() -> None:
    rng = np.random.default_rng(2)
    dark = np.full(EMPTY.shape, 30, dtype=np.uint8)
    noisy = [dark + rng.normal(0, 1.3, (*dark.shape[:1], 42, 8, 3)).repeat(4, axis=1).repeat(4, axis=2) for _ in "ab"]
    empty, strips = noisy
    strips[HELD, :CHECKER_PX] -= 3
    blocks = [block_roots(np.clip(np.round(each), 0, 255).astype(np.uint8)) for each in (strips, empty)]
    assert np.flatnonzero(slot_changes(*blocks).lengths).tolist() == [HELD]


def test_few_strips_tell_no_light() -> None:
    strips = (EMPTY[:2] * 1.2).astype(np.uint8)
    assert changed_strips(strips, EMPTY[:2]).tolist() == [0, 1]


def test_in_pictures_made_brighter_larger_noise_is_not_taken_for_checkers() -> None:
    random = np.random.default_rng(3)
    empty = np.full((26, 42, 6, 3), 9.0, dtype=np.float32)
    blocks = (empty + random.normal(0, 0.26, empty.shape)).astype(np.float32)
    assert (slot_changes(blocks, empty).lengths > 0).mean() > 0.5
    assert not slot_changes(blocks, empty, larger=1.3).lengths.any()
    blocks[4, :6] += 1.2
    assert np.flatnonzero(slot_changes(blocks, empty, larger=1.3).lengths).tolist() == [4]


def test_in_pictures_made_brighter_changes_count_from_larger_ones_on() -> None:
    before = np.full((2, 42, 6, 3), 9.0, dtype=np.float32)
    blocks = before.copy()
    blocks[0, :6] += 0.6
    blocks[1, :6] += 0.7
    assert unlike(blocks, before).tolist() == [True, True]
    assert unlike(blocks, before, larger=1.3).tolist() == [False, True]


def test_a_rim_alone_is_something_and_the_shadow_of_a_neighbour_is_not() -> None:
    rows, columns = np.mgrid[0:CHECKER_PX, 0:STRIP_WIDTH]
    away = np.hypot(rows - CHECKER_PX / 2, columns - STRIP_WIDTH / 2)
    strips = EMPTY.copy()
    strips[HELD, CHECKER_PX : 2 * CHECKER_PX][(away > 9) & (away < 12)] = 110
    strips[HELD + 1, CHECKER_PX : CHECKER_PX + 6] = 110
    changed = slot_changes(block_roots(strips), block_roots(EMPTY)).plain
    assert np.argwhere(changed).tolist() == [[HELD, 1]]
