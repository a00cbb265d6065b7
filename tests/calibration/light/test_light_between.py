"""A board is found, and calibrated as without, where the light changed between its two pictures."""

from typing import Any

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from calibration import Calibration, calibrate
from calibration.light.between import lit_alike

Picture = NDArray[np.uint8]
Floats = NDArray[np.float64]

SOFT_PX = 6.0


def corners_of(calibration: Calibration) -> Floats:
    return calibration.camera.project([(x, y, 0.0) for x, y in calibration.geometry.corners])


def unlike(calibration: Calibration, one: Picture, other: Picture) -> float:
    """Gets by how many levels pixels of the field differ in the mean (the most of three channels)."""
    inside = np.zeros(one.shape[:2], np.uint8)
    cv2.fillConvexPoly(inside, np.rint(corners_of(calibration)).astype(np.int32), 255)
    return float(np.abs(one[inside > 0].astype(np.float64) - other[inside > 0]).max(axis=1).mean())


def multiplied(picture: Picture, light: Any) -> Picture:
    return np.asarray(np.rint(np.clip(picture * light, 0, 255)), dtype=np.uint8)


def partly(picture: Picture, middle: tuple[float, float], left: float) -> Picture:
    """Gets a picture with a round shadow about a place of it (shares of its size) that leaves so much of its levels, or
    with sunlight there, which leaves more."""
    height, width = picture.shape[:2]
    mask = np.zeros((height, width), np.float32)
    cv2.circle(mask, (round(middle[0] * width), round(middle[1] * height)), round(0.35 * height), 1.0, -1)
    return multiplied(picture, 1 - cv2.GaussianBlur(mask, (0, 0), SOFT_PX)[..., None] * (1 - left))


def is_found_as(calibration: Calibration, other: Calibration) -> bool:
    """Whether no corner of the field is found further off than a seventh of a checker."""
    return bool(np.abs(corners_of(calibration) - corners_of(other)).max() < 5)


def test_pictures_in_one_light_stay_as_they_were_taken(installation: Any, found: Calibration) -> None:
    assert lit_alike(installation.empty, installation.start) == []
    assert np.array_equal(found.empty, installation.empty)
    assert np.array_equal(found.start, installation.start)


@pytest.mark.parametrize("gains", [(0.7, 0.7, 0.7), (1.3, 1.25, 1.2), (0.8, 1.0, 1.2)])
def test_an_empty_board_that_was_exposed_otherwise_is_brought_to_the_light_of_all_after(
    installation: Any, found: Calibration, gains: tuple[float, float, float]
) -> None:
    otherwise = multiplied(installation.empty, np.array(gains))
    calibration = calibrate(otherwise, installation.start)
    assert is_found_as(calibration, found)
    assert unlike(found, otherwise, installation.empty) > 8
    assert unlike(found, calibration.empty, installation.empty) < 3
    assert np.array_equal(calibration.start, installation.start)


@pytest.mark.parametrize("middle", [(0.4, 0.45), (0.65, 0.6)])
@pytest.mark.parametrize("left", [0.5, 0.75])
@pytest.mark.parametrize("which", ["empty", "start"])
def test_a_shadow_over_a_part_of_one_of_the_pictures_is_taken_out(
    installation: Any, found: Calibration, which: str, left: float, middle: tuple[float, float]
) -> None:
    pictures = {"empty": installation.empty, "start": installation.start}
    shadowed = partly(pictures[which], middle, left)
    calibration = calibrate(**{**pictures, which: shadowed})
    assert is_found_as(calibration, found)
    shadow = unlike(found, shadowed, pictures[which])
    for picture, as_without in ((calibration.empty, installation.empty), (calibration.start, installation.start)):
        assert unlike(found, picture, as_without) < 0.35 * shadow


def test_sunlight_on_a_part_of_one_picture_is_laid_over_the_other(installation: Any, found: Calibration) -> None:
    sunlit, so_lit = (partly(picture, (0.45, 0.5), 1.35) for picture in (installation.start, installation.empty))
    calibration = calibrate(installation.empty, sunlit)
    assert is_found_as(calibration, found)
    assert unlike(found, calibration.empty, so_lit) < 0.35 * unlike(found, installation.empty, so_lit)


@pytest.mark.parametrize("curve", [lambda x: x**1.8, lambda x: x**0.6, lambda x: (0.9 * x**2.2 + 0.1) ** (1 / 2.2)])
def test_a_board_is_found_whose_second_picture_has_another_contrast_or_a_veil_over_it(
    installation: Any, found: Calibration, curve: Any
) -> None:
    levels = np.rint(255 * curve(np.arange(256) / 255)).astype(np.uint8)
    start = np.asarray(cv2.LUT(installation.start, levels), np.uint8)
    calibration = calibrate(installation.empty, start)
    assert is_found_as(calibration, found)
    assert np.array_equal(calibration.start, start)
    as_it_would_be = np.asarray(cv2.LUT(installation.empty, levels), np.uint8)
    assert unlike(calibration, calibration.empty, as_it_would_be) < 6 < unlike(found, found.empty, as_it_would_be)
