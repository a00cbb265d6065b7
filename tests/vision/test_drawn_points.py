"""How points look where most of them hold checkers."""

import numpy as np
from numpy.typing import NDArray

from boardctl.vision.drawn_points import BLOCK, usual_blocks

LENGTH, WIDTH = 12 * BLOCK, 26
FIELD, POINT, CHECKER = np.log([60.0, 90.0, 140.0]), np.log([160.0, 180.0, 60.0]), np.log([200.0, 120.0, 90.0])


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
    usual, bare = usual_blocks(seen, groups)
    assert np.abs(usual[:, : LENGTH // 2] - bare_point()[None, : LENGTH // 2]).mean() < 0.03
    held = np.array(counts) > 0
    assert not bare[held, 2:BLOCK].any()
    assert bare[~held, 2:BLOCK].all()


def test_where_none_is_bare_nothing_fails() -> None:
    seen, groups = board([2] * 24)
    usual, bare = usual_blocks(seen, groups)
    assert np.isfinite(usual).all()
    assert bare[:, 7 * BLOCK].all()  # further in they are
