"""The networks' engines: what they say does not depend on the engine, nor on how much of a strip is shown."""

from importlib.resources import files

import cv2
import numpy as np
import pytest

from boardctl.vision.networks import said_by
from boardctl.vision.points.column_input import CHANNELS
from boardctl.vision.points.columns import (
    CHECKER_PX,
    FROM_ABOVE,
    FROM_BESIDE,
    STRIP_LENGTH,
    STRIP_WIDTH,
    StripNetwork,
)
from boardctl.vision.points.strip_reading import EMPTY_INPUT, HAND, SHOWN_SLOTS

INPUTS = [
    (FROM_ABOVE.empty_file, (1, CHANNELS, STRIP_LENGTH, STRIP_WIDTH)),
    (FROM_BESIDE.empty_file, (1, CHANNELS, STRIP_LENGTH, STRIP_WIDTH)),
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


@pytest.mark.parametrize("network", [FROM_ABOVE, FROM_BESIDE])
@pytest.mark.parametrize("slots", SHOWN_SLOTS)
def test_strips_of_every_length_are_read_beside_what_is_made_of_the_empty_board(
    network: StripNetwork, slots: int
) -> None:
    rng = np.random.default_rng(4)
    strip, empty = rng.normal(size=(2, 1, CHANNELS, STRIP_LENGTH, STRIP_WIDTH)).astype(np.float32)
    rows = slots * CHECKER_PX
    made = said_by(network.empty_file, empty, STRIP_LENGTH)
    of_shorter = said_by(network.empty_file, np.ascontiguousarray(empty[:, :, :rows]), rows)
    assert np.abs(of_shorter - made[:, :, : rows // 2]).max() < 1e-4
    usual = cv2.dnn.readNetFromONNX(str(files("boardctl.vision") / "weights" / network.file))
    shown, beside = np.ascontiguousarray(strip[:, :, :rows]), made[:, :, : rows // 2]
    usual.setInput(shown, "strips")
    usual.setInput(np.ascontiguousarray(beside), EMPTY_INPUT)
    said = said_by(network.file, shown, slots, **{EMPTY_INPUT: beside})
    assert said.shape == (1, HAND + 1, slots)
    assert np.abs(said - usual.forward()).max() < 1e-3
