"""Corners that are a little off are moved to where the points are; what shows no points leaves them as they are."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from boardctl.devices.pictures import read_picture
from boardctl.vision.measuring.truth import corners_of
from calibration.corners import as_corners
from calibration.field.corner_fit import FURTHEST, corners_at_points

Picture = NDArray[np.uint8]
Floats = NDArray[np.float64]

PICTURES = Path(__file__).parents[2] / "data" / "vision"
FRAMES = ("green_felt/f03", "green_felt/f06", "green_felt/f12", "dark_brown/f01", "dark_brown/f10")


def shown(name: str) -> tuple[Picture, Floats, float]:
    """The picture, its field's true corners, and the width of a point in pixels."""
    truth = json.loads((PICTURES / f"{name}.json").read_text(encoding="utf-8"))
    true = np.array(corners_of(truth))
    return read_picture(PICTURES / f"{name}.jpg"), true, float(np.linalg.norm(true[1] - true[0])) / 13


def off_along_rows(corners: Floats, true: Floats) -> Floats:
    """How far corners are off along the rows, in pixels."""
    along = true[1] - true[0] + true[2] - true[3]
    return np.abs((corners - true) @ along) / float(np.linalg.norm(along))


@pytest.mark.parametrize("name", FRAMES)
@pytest.mark.parametrize("seed", [1, 2])
def test_corners_given_by_eye_are_moved_to_the_points(name: str, seed: int) -> None:
    picture, true, point_px = shown(name)
    given = true + np.random.default_rng(seed).normal(0, 0.15 * point_px, (4, 2))
    moved = np.array(corners_at_points(picture, as_corners(given)))
    before, after = (np.linalg.norm(corners - true, axis=1) for corners in (given, moved))
    assert after.mean() < before.mean()
    assert off_along_rows(given, true).max() > 0.1 * point_px
    assert off_along_rows(moved, true).max() < 0.1 * point_px


@pytest.mark.parametrize("name", FRAMES)
def test_corners_that_are_right_stay(name: str) -> None:
    picture, true, point_px = shown(name)
    moved = np.array(corners_at_points(picture, as_corners(true)))
    assert np.linalg.norm(moved - true, axis=1).max() < 0.05 * point_px


def test_no_corner_is_moved_to_another_column() -> None:
    picture, true, point_px = shown("green_felt/f03")
    for shift in np.linspace(0.3, 1.0, 8):
        given = true + np.array((shift * point_px, 0.0))
        moved = np.array(corners_at_points(picture, as_corners(given)))
        assert np.linalg.norm(moved - given, axis=1).max() < 1.1 * np.sqrt(2) * FURTHEST * point_px


def test_where_no_points_are_seen_corners_stay_as_given() -> None:
    given = as_corners([(300, 600), (980, 610), (960, 110), (310, 100)])
    table = np.random.default_rng(1).normal(120, 3, (720, 1280, 3)).clip(0, 255).astype(np.uint8)
    assert corners_at_points(table, given) == given
    striped = cv2.line(table, (300, 300), (900, 320), (20, 20, 20), 5)
    assert corners_at_points(np.asarray(striped, dtype=np.uint8), given) == given


def test_corners_of_a_picture_that_was_cut_out_stay_as_given() -> None:
    picture, true, point_px = shown("green_felt/f03")
    left = int(true[:, 0].min() + 2 * point_px)
    given = as_corners(true - np.array((left, 0)) + 0.1 * point_px)
    assert corners_at_points(picture[:, left:], given) == given


def test_corners_that_no_camera_above_sees_so_stay_as_given() -> None:
    picture, true, _ = shown("green_felt/f03")
    mirrored = as_corners(true[[1, 0, 3, 2]])
    assert corners_at_points(picture, mirrored) == mirrored
