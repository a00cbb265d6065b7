"""The largest and the smallest channel of pixels."""

import numpy as np
import pytest

from calibration.channels import strongest, weakest


@pytest.mark.parametrize(("shape", "kind"), [((7, 5, 3), np.uint8), ((2, 4, 6, 3), np.float32), ((9, 3), np.float64)])
def test_they_are_those_that_numpy_tells_of_the_last_axis(shape: tuple[int, ...], kind: type) -> None:
    pixels = np.random.default_rng(3).uniform(0, 255, shape).astype(kind)
    for told, expected in ((strongest(pixels), pixels.max(axis=-1)), (weakest(pixels), pixels.min(axis=-1))):
        assert told.dtype == kind
        assert told.tolist() == expected.tolist()
