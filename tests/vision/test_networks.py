"""The networks' engines: what they say does not depend on the engine, nor on how much of a strip is shown."""

from importlib.resources import files

import cv2
import numpy as np
import pytest

from boardctl.vision.columns import CHECKER_PX, STRIP_WIDTH
from boardctl.vision.networks import said_by
from boardctl.vision.strip_reading import HAND, NETWORK_FILE, SHOWN_SLOTS

INPUTS = [
    *((NETWORK_FILE, (1, 10, slots * CHECKER_PX, STRIP_WIDTH)) for slots in SHOWN_SLOTS),
    ("stacks.onnx", (1, 8, 72, 72)),
    ("cube_value.onnx", (1, 1, 48, 48)),
    ("dice_reader.onnx", (1, 8, 64, 32)),
    ("dice_tilt.onnx", (1, 8, 64, 32)),
    ("dice_scan.onnx", (1, 6, 64, 48)),
]


@pytest.mark.parametrize(("file", "shape"), INPUTS)
def test_every_engine_says_the_same(file: str, shape: tuple[int, ...]) -> None:
    values = np.random.default_rng(3).normal(size=shape).astype(np.float32)
    usual = cv2.dnn.readNetFromONNX(str(files("boardctl.vision") / "weights" / file))
    usual.setInput(values)
    assert np.abs(said_by(file, values, shape[2]) - usual.forward()).max() < 1e-3


@pytest.mark.parametrize("slots", SHOWN_SLOTS)
def test_strips_of_every_length_that_is_shown_can_be_read(slots: int) -> None:
    said = said_by(NETWORK_FILE, np.zeros((1, 10, slots * CHECKER_PX, STRIP_WIDTH), np.float32), slots)
    assert said.shape == (1, HAND + 1, slots)
