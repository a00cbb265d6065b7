"""The two seats' colours, told by a picture without a starting position."""

from typing import Any

import numpy as np

from boardctl.rules import Seat
from boardctl.vision.points.columns import reference_strips
from boardctl.vision.points.seat_palette import seat_palette
from boardctl.vision.points.seats_seen import CHANGED, DISCS, is_like, mixed, rows_seen, seats_known, seats_seen
from calibration.difference import DARK_OFFSET


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


def test_known_checkers_are_of_two_kinds_or_tell_nothing() -> None:
    def tops(*colours: tuple[int, int, int]) -> list[Any]:
        return [np.full((40, 3), colour, np.uint8) for colour in colours]

    dark, light, black = (40, 60, 50), (150, 170, 160), (12, 12, 12)
    seats = seats_known(tops(dark, dark, dark, light, light))
    assert seats is not None
    assert (seats[Seat.A] == light).all()
    assert (seats[Seat.B] == dark).all()
    assert seats_known(tops(dark, dark, dark, dark)) is None  # one kind
    assert seats_known(tops(dark, light)) is None  # too few
    evenly = [(level, level, level) for level in range(20, 240, 20)]  # as one kind's in uneven light
    assert seats_known(tops(*evenly)) is None
    # A stray one is nobody's.
    seats = seats_known(tops(*[black] * 12, *[light] * 12, (40, 40, 90)))
    assert seats is not None
    assert (seats[Seat.B] == black).all()


def test_an_empty_board_tells_no_colours(green: Any) -> None:
    reference = reference_strips(green.calibration)
    assert seats_seen(reference.empty, reference.empty) is None


def test_checkers_that_hardly_differ_from_their_points_are_the_other_seats(green: Any) -> None:
    empty = reference_strips(green.calibration).empty
    strips = empty.copy()
    for point in range(8):
        strips[point][DISCS.tops[0]] = (200, 60, 40)
    for point in range(8, 14):
        near = strips[point][DISCS.tops[0]]
        strips[point][DISCS.tops[0]] = (np.sqrt(near + DARK_OFFSET) + 0.95) ** 2 - DARK_OFFSET
    assert seats_seen(strips, empty) is not None
    assert not any(rows_seen(strips, empty, CHANGED[0])[8:14])
    assert all(rows_seen(strips, empty, CHANGED[1])[8:14])


def test_checkers_are_mixed_more_the_more_those_of_a_seat_differ(green: Any) -> None:
    empty = reference_strips(green.calibration).empty
    rows = [[0] if point < 12 else [] for point in range(24)]
    alike, uneven = empty.copy(), empty.copy()
    for point in range(12):
        colour = np.array((200, 60, 40) if point % 2 else (40, 90, 180))
        alike[point][DISCS.tops[0]] = colour
        uneven[point][DISCS.tops[0]] = colour * (1.2 - 0.07 * point)
    assert mixed(alike, rows) < 0.01 < 0.02 < mixed(uneven, rows)
