"""How far a picture is out of focus is told by edges that stand still, in any light; sharp pictures are not."""

from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from boardctl.virtual.unseen.looks import drawn_installation, ornate
from boardctl.virtual.unseen.tables import write_pictures
from calibration import Calibration, calibrate
from calibration.light.focus import blur_px, soft_by_px

PICTURES = Path(__file__).parents[2] / "data" / "vision"

Picture = NDArray[np.uint8]


def blurred(picture: Picture, by_px: float) -> Picture:
    return np.asarray(cv2.GaussianBlur(picture, (0, 0), by_px), np.uint8)


def shown(installation: str, frame: str) -> Picture:
    picture = cv2.imread(str(PICTURES / installation / f"{frame}.jpg"))
    assert picture is not None
    return np.asarray(picture, np.uint8)


@pytest.fixture(scope="module")
def calibrations() -> dict[str, Calibration]:
    return {name: calibrate(shown(name, "f00"), shown(name, "f01")) for name in ("green_felt", "dark_brown")}


@pytest.mark.parametrize("by_px", [1.0, 1.5, 2.0, 3.0])
@pytest.mark.parametrize("installation", ["green_felt", "dark_brown"])
def test_how_far_a_picture_is_out_of_focus_is_told(
    calibrations: dict[str, Calibration], installation: str, by_px: float
) -> None:
    for path in sorted((PICTURES / installation).glob("f*.jpg"))[2:]:
        told = blur_px(blurred(shown(installation, path.stem), by_px), calibrations[installation])
        assert told == pytest.approx(by_px, rel=0.3), path.stem


@pytest.mark.parametrize("installation", ["green_felt", "dark_brown"])
def test_sharp_pictures_are_none_whatever_lies_on_the_board(
    calibrations: dict[str, Calibration], installation: str
) -> None:
    calibration = calibrations[installation]
    pictures = [shown(installation, path.stem) for path in sorted((PICTURES / installation).glob("f*.jpg"))]
    assert len(pictures) >= 3
    noise = np.random.default_rng(4).normal(0, 6, pictures[0].shape)
    noisy = [np.clip(picture + noise, 0, 255).astype(np.uint8) for picture in pictures[2:]]
    assert not any(soft_by_px(picture, calibration) for picture in (*pictures, *noisy))


def test_it_is_told_in_other_light(green: Any) -> None:
    soft = blurred(green.start, 2.5)
    lit = (soft * np.linspace(0.4, 0.8, soft.shape[1])[:, None]).astype(np.uint8)
    calibration = calibrate(green.empty, green.start)
    assert soft_by_px(lit, calibration) == pytest.approx(2.5, rel=0.3)
    assert soft_by_px((green.start * 0.5).astype(np.uint8), calibration) == 0.0


def test_an_arm_over_the_board_is_not_soft_and_hides_no_blur(green: Any) -> None:
    armed = green.start.copy()
    cv2.line(armed, (900, -20), (700, 420), (70, 60, 150), 230)
    calibration = calibrate(green.empty, green.start)
    assert soft_by_px(blurred(armed, 2.5), calibration) == pytest.approx(2.5, rel=0.3)
    assert soft_by_px(armed, calibration) == 0.0


def test_nothing_is_told_of_a_board_that_is_not_where_it_was(green: Any) -> None:
    calibration = calibrate(green.empty, green.start)
    for elsewhere in (np.roll(green.start, (60, 90), axis=(0, 1)), np.full_like(green.start, 120)):
        assert blur_px(elsewhere, calibration) is None
        assert soft_by_px(elsewhere, calibration) == 0.0


def test_noise_on_faint_edges_is_no_blur(tmp_path: Path) -> None:
    write_pictures(ornate(drawn_installation(10811, 0)), tmp_path, 6, 0)  # underexposed, its edges steps of 22 levels
    pictures = [cv2.imread(str(path)) for path in sorted(tmp_path.glob("f*.jpg"))]
    noisy = [np.asarray(picture, np.uint8) for picture in pictures]
    calibration = calibrate(noisy[0], noisy[1])
    assert [soft_by_px(picture, calibration) for picture in noisy[2:]] == [0.0] * 6
    assert all(soft_by_px(blurred(picture, 1.0), calibration) > 1.0 for picture in noisy[2:])
