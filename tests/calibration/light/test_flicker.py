"""Bands that a lamp that flickers lays into pictures are told and taken out, and nothing else is."""

from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from boardctl.vision.measuring.later_changes import Lamp
from calibration import Calibration, calibrate
from calibration.light.flicker import Sample, bands, steadied

PICTURES = Path(__file__).parents[2] / "data" / "vision"

Picture = NDArray[np.uint8]
Floats = NDArray[np.float64]

LAMPS = [
    Lamp(bands=1.6, depth=0.2, overtone=0.0, along=0.0),
    Lamp(bands=3.3, depth=0.1, overtone=0.3, along=0.2),
    Lamp(bands=6.9, depth=0.3, overtone=0.2, along=0.7),
    Lamp(bands=2.4, depth=0.6, overtone=0.1, along=0.5),
]


def light_of(shown: Picture, plain: Picture) -> Floats:
    """Gets how much lighter each row of a picture is than of the same without bands (logarithm), beside their mean."""
    rows = np.log(shown.mean(axis=(1, 2)) / plain.mean(axis=(1, 2)))
    return np.asarray(rows - rows.mean())


def is_told(told: NDArray[np.float32] | None, true: Floats) -> bool:
    """Whether no more than a fifth of bands is left once what is told of them is taken out."""
    return told is not None and bool(np.std(told - true) < 0.2 * np.std(true))


@pytest.mark.parametrize("lamp", LAMPS)
@pytest.mark.parametrize("frame", ["f01", "f06", "f12"])
def test_bands_are_told_whatever_lies_on_the_board(lamp: Lamp, frame: str) -> None:
    empty, shown = (cv2.imread(str(PICTURES / "green_felt" / f"{each}.jpg")) for each in ("f00", frame))
    assert empty is not None
    assert shown is not None
    banded = lamp.picture(np.asarray(shown, np.uint8), np.random.default_rng(4))
    assert is_told(bands(banded, Sample.of(np.asarray(empty, np.uint8))), light_of(banded, np.asarray(shown, np.uint8)))


def test_bands_are_told_beside_those_of_the_other_picture(green: Any) -> None:
    lamp, rng = LAMPS[1], np.random.default_rng(8)
    empty, start = lamp.picture(green.empty, rng), lamp.picture(green.start, rng)
    true = light_of(start, green.start) - light_of(empty, green.empty)
    assert np.ptp(true) > 0.1
    assert is_told(bands(start, Sample.of(empty)), true)


def test_an_arm_over_the_board_hides_no_bands_and_is_none(green: Any) -> None:
    armed = green.start.copy()
    cv2.line(armed, (900, -20), (700, 420), (70, 60, 150), 230)
    assert steadied(armed, green.empty) is armed
    banded = LAMPS[1].picture(armed, np.random.default_rng(4))
    assert is_told(bands(banded, Sample.of(green.empty)), light_of(banded, armed))


@pytest.mark.parametrize("board", ["green_felt", "dark_brown"])
def test_where_nothing_flickers_pictures_stay_as_they_were_taken(board: str) -> None:
    pictures = [cv2.imread(str(path)) for path in sorted((PICTURES / board).glob("f*.jpg"))]
    empty, *others = (np.asarray(each, np.uint8) for each in pictures)
    assert len(others) >= 2
    assert all(steadied(each, empty) is each for each in others)


@pytest.mark.parametrize("size", [(720, 1280), (121, 63), (1, 1)])
@pytest.mark.parametrize("level", [0, 5, 128, 255])
def test_of_a_picture_in_which_nothing_is_seen_nothing_is_told(level: int, size: tuple[int, int]) -> None:
    shown = np.full((*size, 3), level, np.uint8)
    assert bands(shown, Sample.of(shown)) is None
    assert steadied(shown, shown) is shown


def test_a_board_is_found_and_calibrated_as_in_steady_light(installation: Any, found: Calibration) -> None:
    lamp, rng = LAMPS[2], np.random.default_rng(8)
    banded = calibrate(lamp.picture(installation.empty, rng), lamp.picture(installation.start, rng))
    corners = [(x, y, 0.0) for x, y in found.geometry.corners]
    assert np.abs(banded.camera.project(corners) - found.camera.project(corners)).max() < 3
    assert banded.geometry.home_on_right == found.geometry.home_on_right
