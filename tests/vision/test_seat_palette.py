"""The colours of both seats: told alike for whole strips and for their planes."""

import cv2
import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from boardctl.vision.seat_palette import BINS, SeatPalette


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
