"""How sharp a camera sees is told by its own pictures, and dice that it does not see sharply are told with doubt."""

from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from boardctl.referee.readings import Support
from boardctl.vision.dice.calibrated import read_dice
from boardctl.vision.dice.reading import find_dice
from calibration import Calibration, calibrate
from calibration.light.sharpness import edges_px, sees_dice_softly, soft_edges_px

Picture = NDArray[np.uint8]


@pytest.fixture(scope="module")
def sharp(installation: Any) -> Calibration:
    return calibrate(installation.empty, installation.start)


def blurred(picture: Picture, by_px: float) -> Picture:
    return np.asarray(cv2.GaussianBlur(picture, (0, 0), by_px), dtype=np.uint8)


def softer(calibration: Calibration, by_px: float) -> Calibration:
    return calibration.in_light(lambda taken: blurred(taken, by_px))


@pytest.mark.parametrize("by_px", [1.0, 1.5, 2.0, 3.0])
def test_how_wide_edges_are_is_told(sharp: Calibration, by_px: float) -> None:
    wanted = np.hypot(edges_px(sharp), by_px)
    assert edges_px(softer(sharp, by_px)) == pytest.approx(wanted, rel=0.15)


def test_it_is_told_in_little_light_and_with_noise(sharp: Calibration) -> None:
    noise = np.random.default_rng(3).normal(0, 6, sharp.start.shape)
    for changed in (
        softer(sharp, 2.0).in_light(lambda taken: np.asarray(taken // 3, np.uint8)),
        softer(sharp, 2.0).in_light(lambda taken: np.clip(taken + noise, 0, 255).astype(np.uint8)),
    ):
        assert edges_px(changed) == pytest.approx(np.hypot(edges_px(sharp), 2.0), rel=0.2)


def test_a_camera_out_of_focus_is_told_and_one_in_focus_is_not(sharp: Calibration) -> None:
    assert soft_edges_px(sharp) is None
    assert not sees_dice_softly(sharp)
    soft = softer(sharp, 2.0)
    assert sees_dice_softly(soft)
    assert (soft_edges_px(soft) or 0) > 1.8


def test_dice_that_are_not_seen_sharply_are_never_told_surely_nor_to_lean(
    installation: Any, sharp: Calibration
) -> None:
    soft = softer(sharp, 2.5)
    surely = 0
    for path in sorted(Path(installation.folder).glob("f*.jpg"))[2:]:
        picture = blurred(cv2.imread(str(path)), 2.5)
        found = find_dice(picture, soft.camera, soft.geometry).dice
        surely += sum(die.confidence > 0.9 for die in found)
        for die in read_dice(picture, soft).dice:
            assert die.confidence <= 0.9
            assert die.flat is not False or die.on is not Support.SURFACE
    assert surely or installation.folder.name != "green_felt", "without asking how sharp it is some would be"
