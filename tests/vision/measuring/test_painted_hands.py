"""Arms and fingers that are painted over dice lie where they are asked for."""

import numpy as np
import pytest

from boardctl.vision.measuring.painted_hands import Die, with_hand_over

EMPTY = np.full((300, 400, 3), 120, dtype=np.uint8)
DIE = Die((200.0, 150.0), 20.0, 50.0)
ACROSS = (0.0, -1.0)


def covered(edge: float, seed: int) -> np.ndarray[tuple[int, int], np.dtype[np.bool_]]:
    shown = with_hand_over(EMPTY, DIE, ACROSS, edge, np.random.default_rng(seed))
    assert shown.shape == EMPTY.shape
    return np.asarray(np.abs(shown.astype(int) - 120).max(axis=2) > 25)


@pytest.mark.parametrize("seed", range(12))
def test_a_hand_covers_the_middle_of_a_die_or_stays_away_from_it_as_it_is_told(seed: int) -> None:
    rows, columns = np.mgrid[0:300, 0:400]
    away = np.hypot(rows - 150, columns - 200) / DIE.width_px
    # A shadow lies up to a die's width beside a hand, and may be as dark as one.
    assert not covered(edge=2.5, seed=seed)[away < 0.5].any()
    assert covered(edge=-0.4, seed=seed)[away < 1.5].any()
    assert covered(edge=0.3, seed=seed).mean() > 0.02


def test_the_same_seed_paints_the_same_hand() -> None:
    one, other = (with_hand_over(EMPTY, DIE, ACROSS, 0.2, np.random.default_rng(7)) for _ in "ab")
    assert (one == other).all()
