"""The two seats' colours, told by a picture without a starting position."""

from typing import Any

import numpy as np

from boardctl.rules import Seat
from boardctl.vision.columns import reference_strips
from boardctl.vision.seat_palette import seat_palette
from boardctl.vision.seats_seen import is_like, rows_seen, seats_seen


def test_rows_and_colours_are_those_of_the_board(green: Any) -> None:
    truth, reference = green.truth("f03"), reference_strips(green.calibration)
    strips = reference.cutter.cut(green.picture("f03"))
    seats = seats_seen(strips, reference.empty)
    assert seats is not None
    assert np.median(seats[Seat.A]) > np.median(seats[Seat.B]) + 30
    palette = seat_palette(seats[Seat.A], seats[Seat.B], reference.empty.reshape(-1, 3))
    found = 0
    for number, slots in enumerate(rows_seen(strips, reference.empty), start=1):
        true = truth["points"][str(number)]
        assert len(slots) <= min(true["count"], 5)  # on a point of their own colour they may not be seen
        for slot in slots:
            found += is_like(Seat(true["color"]), strips[number - 1], slot, palette)
            assert not is_like(Seat(true["color"]).other, strips[number - 1], slot, palette)
    assert found >= 15


def test_an_empty_board_tells_no_colours(green: Any) -> None:
    reference = reference_strips(green.calibration)
    assert seats_seen(reference.empty, reference.empty) is None
