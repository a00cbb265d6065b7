"""A board is found by its points where what changed between the two pictures of its calibration does not show it."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from boardctl.virtual.unseen.looks import drawn_installation, slanted
from calibration import Calibration, CalibrationError, calibrate, find
from calibration.by_corners import (
    PLAIN_RIMS,
    is_as_given,
    placed_by_corners,
    placed_by_points,
    points_elsewhere,
    shows_start,
)
from calibration.corners import Corners, as_corners
from calibration.field.find import LEAST, LEAST_TWICE, rated_fields
from calibration.start.pose_fit import Fit, fit_from_corners

Picture = NDArray[np.uint8]
Floats = NDArray[np.float64]

OFF_PX = np.array([(5.0, -4.0), (-5.0, 6.0), (4.0, 5.0), (-6.0, -4.0)])
"""By so much corners are off that somebody points at."""


def coloured_noise(picture: Picture, levels: float, seed: int) -> Picture:
    """Gets a picture with the blotches of a cheap camera in little light, mostly of colour."""
    shades = cv2.cvtColor(picture, cv2.COLOR_BGR2YCrCb).astype(np.float32)
    noise = cv2.GaussianBlur(np.random.default_rng(seed).normal(0, 1, shades.shape).astype(np.float32), (0, 0), 3.0)
    shades += levels * noise / noise.std() * np.float32([0.4, 1, 1])
    return np.asarray(cv2.cvtColor(np.clip(shades, 0, 255).astype(np.uint8), cv2.COLOR_YCrCb2BGR), dtype=np.uint8)


def evened(picture: Picture) -> Picture:
    """Gets a picture of a camera that evens out contrast from place to place."""
    shades = cv2.cvtColor(picture, cv2.COLOR_BGR2LAB)
    shades[..., 0] = cv2.createCLAHE(2.0, (8, 8)).apply(np.ascontiguousarray(shades[..., 0]))
    return np.asarray(cv2.cvtColor(shades, cv2.COLOR_LAB2BGR), dtype=np.uint8)


def corners_of(calibration: Calibration) -> Floats:
    return calibration.camera.project([(x, y, 0.0) for x, y in calibration.geometry.corners])


def off_checkers(calibration: Calibration, installation: Any) -> float:
    """Gets how far the furthest corner is from where it truly is, in checkers."""
    off = np.linalg.norm(corners_of(calibration) - installation.corners, axis=1).max()
    return float(off / calibration.camera.seen_px(calibration.geometry.checker_diameter_mm))


def by_points(empty: Picture, start: Picture) -> Fit | None:
    return placed_by_points(rated_fields(empty), empty, start)


def given(installation: Any) -> Corners:
    return as_corners(installation.corners + OFF_PX)


def test_blotches_of_colour_hide_no_board(installation: Any) -> None:
    found = calibrate(coloured_noise(installation.empty, 6, 1), coloured_noise(installation.start, 6, 2))
    assert off_checkers(found, installation) < 0.2


def test_by_what_changed_alone_they_do(green: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(find, "placed_by_points", lambda *_: None)
    with pytest.raises(CalibrationError, match="no board in the picture"):
        calibrate(coloured_noise(green.empty, 6, 3), coloured_noise(green.start, 6, 4))


def test_corners_given_by_hand_are_a_way_out_of_any_noise(installation: Any) -> None:
    empty, start = (
        coloured_noise(each, 12, seed) for seed, each in enumerate((installation.empty, installation.start))
    )
    assert off_checkers(calibrate(empty, start, given(installation)), installation) < 0.2


def test_corners_given_far_from_the_field_are_refused_with_what_is_wrong(green: Any) -> None:
    far = as_corners(green.corners + np.array([(-90.0, 0.0), (200.0, -40.0), (260.0, -30.0), (-100.0, -40.0)]))
    with pytest.raises(CalibrationError, match="more exactly"):
        calibrate(green.empty, green.start, far)


@pytest.mark.parametrize("change", [lambda picture: picture, evened])
def test_the_same_board_is_found_by_its_points_and_by_its_corners(installation: Any, change: Any) -> None:
    empty, start = change(installation.empty), change(installation.start)
    by_corners = placed_by_corners(given(installation), empty, start)
    assert by_corners is not None
    assert is_as_given(by_corners, given(installation))
    for fit in (by_points(empty, start), by_corners):
        assert fit is not None
        assert shows_start(fit, empty, start)
        corners = fit.camera.project([(x, y, 0.0) for x, y in fit.geometry.corners])
        off = (np.linalg.norm(np.roll(corners, turn, axis=0) - installation.corners, axis=1).max() for turn in (0, 2))
        assert min(off) < 0.2 * fit.camera.seen_px(fit.geometry.checker_diameter_mm)


def test_a_game_in_progress_is_no_starting_position_whatever_is_known_of_the_field(green: Any) -> None:
    later = cv2.imread(str(Path(green.folder) / "f13.jpg"))
    assert by_points(green.empty, later) is None
    assert by_points(green.empty, green.empty) is None
    with pytest.raises(CalibrationError):
        calibrate(green.empty, later)


def test_points_that_are_not_plain_are_believed_where_every_stack_is(installation: Any) -> None:
    """Of a dark board on a chequered cloth, among things that were moved, neither what changed nor the points are
    plain; a field that is a point off, of which a stack or two show nothing, is none for that."""
    (field, *_) = rated_fields(installation.empty)
    faint = replace(field, rating=(LEAST + LEAST_TWICE) / 2)
    fit = placed_by_points([faint], installation.empty, installation.start)
    assert fit is not None
    assert shows_start(fit, installation.empty, installation.start, each_more=PLAIN_RIMS)
    assert placed_by_points([replace(field, rating=LEAST_TWICE - 1)], installation.empty, installation.start) is None
    corners = np.array(field.corners)
    a_point = (corners[1] - corners[0]) / 13
    for shift in (a_point, -a_point):
        beside = replace(faint, corners=as_corners(corners + shift))
        assert placed_by_points([beside], installation.empty, installation.start) is None


def test_where_no_field_is_seen_none_is_found() -> None:
    grey = np.full((720, 1280, 3), 120, np.uint8)
    assert by_points(grey, grey) is None
    with pytest.raises(CalibrationError, match=r"no board in the picture.*give the corners of the field more exactly"):
        calibrate(grey, grey, as_corners([(300, 600), (980, 600), (980, 100), (300, 100)]))


def test_of_a_board_without_a_bar_none_is_made_by_its_points(without_bar: Any) -> None:
    fit = by_points(without_bar.empty, without_bar.start)
    assert fit is not None
    assert fit.bar_width < 0.05
    assert is_as_given(fit, as_corners(without_bar.corners))


def test_a_camera_that_no_board_is_seen_from_is_not_believed_before_the_points(
    green: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What changed may look like a starting position from far aside; the points know better, or it is refused."""
    seen: list[Any] = []

    def oblique(fit: Any) -> str | None:
        seen.append(fit)
        return "the camera looks too obliquely" if len(seen) == 1 else None

    monkeypatch.setattr(find, "view_problem", oblique)
    monkeypatch.setattr(find, "_placed_in_any", lambda *_: find._placed(find._seen(green.empty, green.start), None))
    shown = np.clip(green.start.astype(np.int16) + 1, 0, 255).astype(np.uint8)  # no picture that was calibrated before
    assert off_checkers(calibrate(green.empty, shown), green) < 0.2
    assert len(seen) >= 2


def test_what_looks_like_a_start_beside_points_that_are_plainly_seen_is_refused(draw: Any) -> None:
    """Of dark red checkers on red, seen aslant, little changes: the rest fits one and two points beside the board's."""
    red = draw(slanted(drawn_installation(38021, 1)), 1)
    with pytest.raises(CalibrationError, match=r"points .* are seen elsewhere.*--corners .* seat A is at the bottom"):
        calibrate(red.empty, red.start)


@pytest.mark.parametrize("points_aside", [0.0, 1.0])
def test_points_tell_that_a_fit_has_the_board_elsewhere(green: Any, points_aside: float) -> None:
    fields = rated_fields(green.empty)
    corners = green.corners + points_aside * (green.corners[1] - green.corners[0]) / 13
    fit = fit_from_corners(corners, (green.empty.shape[1], green.empty.shape[0]), home_on_right=True)
    assert fit is not None
    assert (points_elsewhere(fields, fit) is None) == (points_aside == 0.0)
    assert points_elsewhere([], fit) is None
