"""What is read of points on which checkers of both seats lie, from the network's numbers and the colours of slots."""

import numpy as np
import pytest
from numpy.typing import NDArray

from boardctl.referee.readings import PlaceReading
from boardctl.rules import Seat, point
from boardctl.vision.points.mixed import mixed_reading
from boardctl.vision.points.strip_reading import BARE_LOGITS, HAND

A, B = Seat.A, Seat.B
SURE = 8.0


def row_of_a(on_top: int, doubt: float = 0.0) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Gets the numbers of a full row of A with so many on top, the last of which is seen ``doubt`` nats less surely."""
    logits = BARE_LOGITS.copy()
    logits[0, :5] = -SURE
    logits[1, :5] = SURE
    for slot in range(on_top):
        logits[1, slot], logits[2, slot] = -SURE, SURE
    if doubt:
        logits[1, on_top - 1] = SURE + doubt
    logits[HAND] = -12.0
    colours = np.full((2, 7), 0.5)
    colours[:, :5] = [[0.998], [0.002]]
    return logits, colours


def read(on_top: int, doubt: float = 0.0, *, shared: bool = True) -> PlaceReading:
    logits, colours = row_of_a(on_top, doubt)
    return mixed_reading(point(1), logits, colours, (A, B), shared)


def test_a_stack_is_not_less_likely_for_what_it_hides() -> None:
    reading = read(1, doubt=1.5)
    in_parts = read(1, doubt=1.5, shared=False)
    taller, lower = (A,) * 6, (A,) * 5
    assert reading.likelihood(taller) > 0
    odds = reading.likelihood(taller) / reading.likelihood(lower)
    assert odds == pytest.approx(2 * in_parts.likelihood(taller) / in_parts.likelihood(lower), rel=1e-3)


def test_chances_never_add_up_to_more_than_one() -> None:
    for on_top in range(6):
        assert sum(chance.likelihood for chance in read(on_top).chances) <= 1 + 1e-9


def test_of_many_hidden_checkers_the_fewest_changes_of_seat_are_kept() -> None:
    logits, colours = row_of_a(5)
    for slot in range(3):  # three layers: eight checkers are covered, more ways than are listed
        logits[2, slot], logits[3, slot] = -SURE, SURE
    stacks = {chance.stack for chance in mixed_reading(point(1), logits, colours, (A, B)).chances}
    assert (A,) * 13 in stacks
    assert ((B,) * 8 + (A,) * 5) in stacks
