"""The colours of both seats: told alike for whole strips and for their planes."""

import cv2
import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from boardctl.rules import Seat
from boardctl.vision.points.seat_palette import BINS, MOST, SeatPalette, seat_palette


@settings(deadline=None)
@given(st.integers(0, 2**32 - 1))
def test_planes_are_as_like_the_seats_as_the_strips_that_they_make(seed: int) -> None:
    rng = np.random.default_rng(seed)
    palette = SeatPalette(rng.normal(size=(BINS**3, 2)).astype(np.float32))
    strip = rng.integers(0, 256, (24, 32, 3), dtype=np.uint8)
    of_a, of_b = palette.likeness_of_planes(cv2.split(strip))
    wanted = palette.likeness(strip)
    assert np.array_equal(of_a, wanted[..., 0])
    assert np.array_equal(of_b, wanted[..., 1])


def shades(rng: np.random.Generator, colour: tuple[int, int, int]) -> np.ndarray:
    """Gets a colour as light and shade spread it over a checker (500 x 3)."""
    return np.clip(np.array(colour) * rng.normal(1, 0.06, (500, 1)) + rng.normal(0, 3, (500, 3)), 0, 255).astype(
        np.uint8
    )


def test_of_two_colours_alike_and_unlike_the_board_each_is_told_to_be_its_own_seats() -> None:
    rng = np.random.default_rng(3)
    yellow, olive, pink = (142, 235, 230), (110, 200, 195), (150, 110, 220)
    palette = seat_palette(shades(rng, yellow), shades(rng, olive), shades(rng, pink))
    of_yellow, of_olive = (palette.likeness(np.array(colour, dtype=np.uint8)) for colour in (yellow, olive))
    assert of_yellow[0] > 3 > 2 > of_yellow[1]
    assert of_olive[1] > 3 > 2 > of_olive[0]
    assert (palette.likeness(np.array(pink, dtype=np.uint8)) < 0).all()


def test_where_no_checker_of_the_other_seat_can_lie_only_the_board_counts() -> None:
    rng = np.random.default_rng(3)
    yellow, olive, pink = (142, 235, 230), (110, 200, 195), (150, 110, 220)
    palette = seat_palette(shades(rng, yellow), shades(rng, olive), shades(rng, pink))
    between = [np.full((1, 1), level, dtype=np.uint8) for level in (126, 217, 212)]
    alone = [float(palette.likeness_to(seat, between)[0, 0]) for seat in (Seat.A, Seat.B)]
    assert alone == [MOST, MOST]
    assert float(palette.likeness_of_planes(between).min()) < MOST
    board = [np.full((1, 1), level, dtype=np.uint8) for level in pink]
    assert all(float(palette.likeness_to(seat, board)[0, 0]) < 0 for seat in (Seat.A, Seat.B))
