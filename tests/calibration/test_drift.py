"""A camera that is nudged or covered, and another light, are noticed in every picture."""

from typing import Any

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from boardctl.rules import point
from boardctl.vision import read_frame
from calibration import Calibration
from calibration.drift import View, relit, view_of

Picture = NDArray[np.uint8]


def nudged(picture: Picture, right: float, down: float) -> Picture:
    shift = np.array([[1, 0, right], [0, 1, down]], dtype=np.float64)
    moved = cv2.warpAffine(picture, shift, (picture.shape[1], picture.shape[0]), borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(moved, dtype=np.uint8)


def lit(picture: Picture, *gains: float) -> Picture:
    return np.clip(picture * np.array(gains), 0, 255).astype(np.uint8)


@pytest.mark.parametrize("frame", ["start", "empty"])
def test_the_calibrations_own_pictures_are_seen_in_place(found: Calibration, frame: str) -> None:
    view = view_of(getattr(found, frame), found)
    assert view.holds
    assert view.shift_px == pytest.approx((0, 0), abs=1.0)


@pytest.mark.parametrize(("right", "down"), [(6, 0), (-4, 5), (0, -14), (40, 8)])
def test_a_nudge_is_told_with_how_far(found: Calibration, right: int, down: int) -> None:
    view = view_of(nudged(found.start, right, down), found)
    assert view.moved
    assert view.shift_px == pytest.approx((right, down), abs=2.0)  # half a pixel of what is compared
    assert f"{np.hypot(*view.shift_px or (0, 0)):.0f} pixels" in view.complaint


def test_a_shake_of_a_pixel_is_no_nudge(found: Calibration) -> None:
    assert view_of(nudged(found.start, 1, -1), found).holds


def test_an_arm_over_the_board_is_no_nudge(found: Calibration) -> None:
    covered = found.start.copy()
    height, width = covered.shape[:2]
    cv2.line(covered, (width // 2, height), (width // 2, height // 3), (70, 60, 140), width // 8)
    assert view_of(covered, found).holds


def test_a_covered_camera_is_told_and_nothing_is_read(green_found: Calibration) -> None:
    covered = np.full_like(green_found.start, 90)
    view = view_of(covered, green_found)
    assert not view.holds
    assert "uncover" in view.complaint
    assert read_frame(covered, green_found).board.at(point(6)).hidden


def test_nothing_is_read_through_a_camera_that_has_moved(green_found: Calibration) -> None:
    reading = read_frame(nudged(green_found.start, 12, 0), green_found)
    assert reading.board.at(point(6)).hidden
    assert reading.view is not None
    assert reading.view.moved


@pytest.mark.parametrize("gains", [(0.5, 0.5, 0.5), (1.2, 1.2, 1.2), (0.75, 0.9, 1.05)])
def test_another_light_is_followed(green: Any, green_found: Calibration, gains: tuple[float, float, float]) -> None:
    seen = lit(green_found.start, *gains)
    view = view_of(seen, green_found)
    assert view.holds
    assert view.gains == pytest.approx(gains, rel=0.08)
    assert np.median(np.abs(relit(seen, view).astype(int) - green_found.start)) <= 4
    assert (
        read_frame(seen, green_found).board.at(point(6)).best
        == read_frame(green_found.start, green_found).board.at(point(6)).best
    )


def test_a_light_that_has_not_changed_leaves_the_picture_alone(found: Calibration) -> None:
    assert relit(found.start, view_of(found.start, found)) is found.start


@settings(deadline=None)
@given(st.tuples(*[st.floats(0.3, 2.5)] * 3))
def test_every_level_is_brought_to_the_calibrations_light(gains: tuple[float, float, float]) -> None:
    levels = np.repeat(np.arange(256, dtype=np.uint8)[None, :, None], 3, axis=2)
    lit = relit(levels, View(None, 1.0, gains))
    if lit is not levels:
        assert np.abs(lit - np.clip(levels / np.array(gains), 0, 255)).max() <= 0.501
