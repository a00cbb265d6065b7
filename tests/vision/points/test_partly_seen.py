"""What may lie on points over which a hand lies in part: what is seen of them, and beyond it what is usual."""

import numpy as np
import pytest
from numpy.typing import NDArray

from boardctl.rules import Seat, point
from boardctl.vision.points.partly_seen import PartlySeen, partly_seen
from boardctl.vision.points.reading import CoveredPoint
from boardctl.vision.points.strip_reading import HAND, LAYERS

A, B = Seat.A, Seat.B
OPEN_VIEW, COVERED = -8.0, 4.0


def slots(row: str) -> NDArray[np.float64]:
    """Gets the network's numbers (8 x 7) of a row from the edge on: ``A``, ``B`` and ``-`` are plainly seen, of ``?``
    nothing but the hand over it."""
    logits = np.full((HAND + 1, 7), -4.0)
    for slot, shown in enumerate(row.ljust(7, "-")):
        logits[HAND, slot] = COVERED if shown == "?" else OPEN_VIEW
        if shown == "?":
            logits[:HAND, slot] = 0.0
            logits[[2, 3, 5, 6], slot] = -4.0
        else:
            logits[{"-": 0, "A": 1, "B": 1 + LAYERS}[shown], slot] = 6.0
    return logits


def read(row: str) -> PartlySeen:
    return partly_seen([CoveredPoint(7, slots(row), None)])[point(8)]


def likelihood(seen: PartlySeen, seat: Seat, count: int) -> float:
    return sum(chance.likelihood for chance in seen.chances if chance.stack == (seat,) * count)


def test_a_row_whose_end_is_covered_goes_on_as_rows_do() -> None:
    seen = read("AA??")
    assert likelihood(seen, A, 2) == pytest.approx(0.5, abs=0.1)
    assert likelihood(seen, A, 3) == pytest.approx(0.25, abs=0.1)
    assert likelihood(seen, A, 1) + likelihood(seen, B, 1) < 0.01
    assert sum(chance.likelihood for chance in seen.chances) == pytest.approx(1.0, abs=0.05)


def test_of_a_point_that_is_all_covered_either_seat_may_hold_it() -> None:
    seen = read("?????")
    assert likelihood(seen, A, 0) == pytest.approx(0.45, abs=0.1)
    assert likelihood(seen, A, 1) == pytest.approx(likelihood(seen, B, 1), rel=0.01)
    assert sum(chance.likelihood for chance in seen.chances) == pytest.approx(1.0, abs=0.05)


def test_a_hand_behind_the_end_of_a_row_says_nothing_of_it() -> None:
    assert likelihood(read("B-???"), B, 1) > 0.9


def test_what_looks_like_a_checker_beside_a_hand_does_not_make_a_row_doubtful() -> None:
    logits = slots("B-?-")
    logits[0, 3], logits[1, 3] = 0.0, 1.0
    (seen,) = partly_seen([CoveredPoint(7, logits, None)]).values()
    assert likelihood(seen, B, 1) > 0.8


def test_what_lies_on_a_point_is_hidden_by_less_of_a_hand_than_what_seems_bare() -> None:
    """By logits of 5, 21, 35 and 62 in a hundred."""
    for hand, bare_is_hidden, row_is_hidden in (
        (-3.0, False, False),
        (-1.3, False, True),
        (-0.6, True, True),
        (0.5, True, True),
    ):
        bare, held = slots("-----"), slots("AAA--")
        bare[HAND, 2] = held[HAND, 2] = hand
        empty, row = (partly_seen([CoveredPoint(7, each, None)])[point(8)] for each in (bare, held))
        assert empty.chances[0].stack == ()
        assert row.chances[0].stack == (A, A, A)
        assert empty.is_hidden(empty.chances) is bare_is_hidden
        assert row.is_hidden(row.chances) is row_is_hidden


def test_a_point_is_hidden_unless_its_likeliest_stack_is_likely_and_seen() -> None:
    free_end, covered_end = read("AA--"), read("A???")
    assert not free_end.is_hidden(free_end.chances)
    assert covered_end.is_hidden(covered_end.chances)
    one = next(chance for chance in covered_end.chances if len(chance.stack) == 1)
    assert not covered_end.is_hidden([type(one)(one.stack, 0.8)])
    assert covered_end.is_hidden([type(one)((A, A), 0.8)])


def test_nothing_is_asked_where_no_hand_is() -> None:
    assert partly_seen([]) == {}
