"""How points look where most of them hold checkers."""

import numpy as np
from numpy.typing import NDArray

from boardctl.vision.photograph.drawn_points import BLOCK, usual_blocks

LENGTH, WIDTH = 12 * BLOCK, 26
FIELD, POINT, CHECKER = np.log([60.0, 90.0, 140.0]), np.log([160.0, 180.0, 60.0]), np.log([200.0, 120.0, 90.0])
RAIL = np.log([30.0, 30.0, 30.0])
NOTHING_HIDDEN = np.zeros((24, LENGTH, WIDTH), dtype=np.bool_)


def bare_point() -> NDArray[np.float64]:
    """A point (LENGTH x WIDTH x 3, logarithms) that narrows to its tip, without checkers."""
    rows, columns = np.mgrid[0:LENGTH, 0:WIDTH]
    half = WIDTH / 2 * (1 - rows / (0.85 * LENGTH))
    share = np.clip(half - np.abs(columns - (WIDTH - 1) / 2) + 0.5, 0, 1)[..., None]
    return FIELD + share * (POINT - FIELD)


def with_checkers(count: int) -> NDArray[np.float64]:
    point = bare_point()
    rows, columns = np.mgrid[0:LENGTH, 0:WIDTH]
    for slot in range(count):
        middle = (slot + 0.5) * 2 * BLOCK - 0.5
        point[np.hypot(rows - middle, columns - (WIDTH - 1) / 2) < BLOCK] = CHECKER
    return point


def board(counts: list[int]) -> tuple[NDArray[np.float64], list[NDArray[np.intp]]]:
    noise = np.random.default_rng(4).normal(0, 0.02, (24, LENGTH, WIDTH, 3))
    points = np.stack([with_checkers(count) for count in counts])
    return points + noise, [np.arange(0, 24, 2), np.arange(1, 24, 2)]


def test_points_look_bare_though_most_of_their_colour_hold_checkers() -> None:
    counts = [1, 0, 2, 0, 3, 0, 1, 0, 1, 0, 5, 0, 1, 0, 2, 0, 1, 0, 1, 0, 0, 0, 0, 0]  # of even points 10 of 12
    seen, groups = board(counts)
    usual, bare = usual_blocks(seen, groups, NOTHING_HIDDEN)
    assert np.abs(usual[:, : LENGTH // 2] - bare_point()[None, : LENGTH // 2]).mean() < 0.03
    held = np.array(counts) > 0
    assert not bare[held, 2:BLOCK].any()
    assert bare[~held, 2:BLOCK].all()


def test_where_none_is_bare_nothing_fails() -> None:
    seen, groups = board([2] * 24)
    usual, bare = usual_blocks(seen, groups, NOTHING_HIDDEN)
    assert np.isfinite(usual).all()
    assert bare[:, 7 * BLOCK].all()  # further in they are


def test_a_rail_before_one_side_s_points_does_not_tell_how_they_look() -> None:
    counts = [1, 0, 2, 0, 1, 0, 3, 0, 0, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0]
    seen, groups = board(counts)
    hidden = NOTHING_HIDDEN.copy()
    hidden[:12, :10] = True
    seen[hidden] = RAIL
    usual, bare = usual_blocks(seen, groups, hidden)
    assert np.abs(usual[:, :10] - bare_point()[None, :10]).mean() < 0.03
    without_checkers = np.array(counts[:12]) == 0
    assert bare[:12, 0][without_checkers].all()
    _, fooled = usual_blocks(seen, groups, NOTHING_HIDDEN)
    assert not fooled[:12, 0].any()


def test_what_holds_checkers_further_in_is_not_bare_at_the_edge() -> None:
    seen, groups = board([3, 0, 3, 0, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0])
    seen[6:, :4] -= np.random.default_rng(2).uniform(0.2, 1.0, (18, 1, 1, 1))  # bare ones in shadows of several depths
    usual, _ = usual_blocks(seen, groups, NOTHING_HIDDEN)
    assert np.abs(usual[0, 6:BLOCK] - bare_point()[6:BLOCK]).mean() < 0.1


def test_what_is_painted_on_points_of_one_colour_alone_belongs_to_them() -> None:
    counts = [1, 0, 2, 1, 1, 0, 1, 2, 0, 0, 1, 1, 0, 0, 1, 3, 0, 0, 0, 1, 1, 0, 0, 0]  # of even points 7 of 12
    seen, groups = board(counts)
    rows, columns = np.mgrid[0:LENGTH, 0:WIDTH]
    painted = (rows < 2 * BLOCK) & (np.abs(columns - (WIDTH - 1) / 2) < WIDTH / 3 * (1 - rows / (2 * BLOCK)))
    for number in groups[0][np.array(counts)[groups[0]] == 0]:
        seen[number, painted] = CHECKER + 0.6
    usual, bare = usual_blocks(seen, groups, NOTHING_HIDDEN)
    true = np.where(painted[..., None], CHECKER + 0.6, bare_point())
    assert np.abs(usual[0, : 2 * BLOCK] - true[: 2 * BLOCK]).mean() < 0.03
    held = np.array(counts) > 0
    assert not bare[held, 2:BLOCK].any()
    assert bare[~held, 2:BLOCK].all()


def test_checkers_on_points_of_one_colour_alone_are_none_of_what_is_painted() -> None:
    counts = [1, 0, 2, 0, 1, 0, 2, 0, 0, 0, 1, 0, 0, 0, 1, 0, 3, 0, 1, 0, 0, 0, 0, 0]  # of even points 8 of 12
    seen, groups = board(counts)
    other_colour = np.log([60.0, 60.0, 170.0]) - POINT
    is_point = np.abs(bare_point() - POINT).max(axis=-1) < 0.3
    seen[1::2, is_point] += other_colour
    usual, bare = usual_blocks(seen, groups, NOTHING_HIDDEN)
    assert np.abs(usual[0, : LENGTH // 2] - bare_point()[: LENGTH // 2]).mean() < 0.03
    held = np.array(counts) > 0
    assert not bare[held, 2:BLOCK].any()
    assert bare[~held, 2:BLOCK].all()
