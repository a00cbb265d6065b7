"""Cameras that may have taken a photograph: they see its corners where they are, and the true one is among them."""

from dataclasses import replace
from math import acos, degrees

import numpy as np
import pytest
from test_corner_pose import BOARD, SIZE, camera_above, corners_of, direction_off_deg

from calibration.camera import CameraModel
from calibration.field.corner_pose import pose_from_corners
from calibration.field.plausible_cameras import OFFS, cameras_seeing

PART, LEFT, TOP = (640, 480), 500, 150
"""The part of a picture that is shown: its size, and where it begins."""


def off_deg(true: CameraModel, camera: CameraModel, pixel: tuple[float, float]) -> float:
    """Gets how far off a camera of the part believes that a spot is seen from, against the true one of the whole."""
    directions = []
    for each, (x_px, y_px) in ((true, (pixel[0] + LEFT, pixel[1] + TOP)), (camera, pixel)):
        x, y = each.to_plane([(x_px, y_px)])[0]
        away = each.position_mm - (x, y, 0.0)
        directions.append(away / np.linalg.norm(away))
    return degrees(acos(min(1.0, float(directions[0] @ directions[1]))))


@pytest.mark.parametrize(
    ("side_mm", "back_mm", "height_mm", "likeliest_deg"),
    [(0, 300, 2000, 6.2), (-300, 200, 1000, 0.2), (400, 400, 2000, 0.3), (350, -250, 850, 0.5)],
)
def test_one_of_them_sees_the_dice_as_the_true_camera_does(
    side_mm: float, back_mm: float, height_mm: float, likeliest_deg: float
) -> None:
    """A part of a picture of a camera that hangs usually, or high above the board, which corners do not tell."""
    true = camera_above(side_mm, back_mm, height_mm, 1.3 * height_mm)
    corners, pixel = corners_of(true, BOARD) - (LEFT, TOP), (320.0, 240.0)
    plausible = cameras_seeing(pixel, corners, PART, BOARD.bar_width_mm / BOARD.point_width_mm)
    assert [each.off for each in plausible] == list(OFFS)
    off = [off_deg(true, each.camera, pixel) for each in plausible]
    assert off[OFFS.index(0.0)] == pytest.approx(likeliest_deg, abs=0.5)
    assert min(off) < 2
    assert max(off) > 4


def test_all_of_them_see_the_corners_where_they_are() -> None:
    corners = corners_of(camera_above(-300, 200, 1000, 1300), BOARD) - (LEFT, TOP)
    bar_width = BOARD.bar_width_mm / BOARD.point_width_mm
    posed = pose_from_corners(corners, PART, True, bar_width)
    assert posed is not None
    plausible = cameras_seeing((320.0, 240.0), corners, PART, bar_width)
    assert {each.off: each.camera for each in plausible}[0.0] == posed[0]
    field = posed[1]
    for each in plausible:  # how tall the field is may be a little another one with each
        seen = each.camera.project([(x, y, 0.0) for x, y in field.corners])
        assert np.abs(seen - corners).max() < 0.03 * np.ptp(corners, axis=0).max()


def test_a_picture_may_hold_that_of_the_camera_as_a_part_far_aside() -> None:
    """As broadcasts do, beside faces and scores: the lens' axis is then not in the middle of what is shown."""
    true = camera_above(60, 120, 1000, 650)
    bar_width = BOARD.bar_width_mm / BOARD.point_width_mm
    middle = corners_of(true, BOARD).mean(axis=0)
    for aside_px, kinds in ((0.0, 1), (300.0, 2)):
        moved, pixel = replace(true, center_x_px=true.center_x_px + aside_px), (middle[0] + aside_px, middle[1])
        corners = corners_of(moved, BOARD)
        plausible = cameras_seeing(pixel, corners, SIZE, bar_width)
        assert [each.off for each in plausible] == list(OFFS) * kinds
        assert len({each.unusual for each in plausible}) == kinds
        off = [direction_off_deg(moved, each.camera, pixel) for each in plausible]
        assert min(off) < 1
        assert kinds == 1 or min(off[: len(OFFS)]) > 4


def test_corners_in_a_wrong_order_have_none() -> None:
    corners = corners_of(camera_above(0, 0, 1000, 1300), BOARD)
    assert cameras_seeing((640.0, 360.0), corners[::-1].copy(), SIZE, 1.0) == []


@pytest.mark.filterwarnings("error")
def test_a_camera_just_above_the_plane_of_the_board_is_not_asked_for_others() -> None:
    corners = np.array([(100.77, 598.39), (1098.55, 596.58), (596.65, 99.61), (602.32, 101.02)])
    assert cameras_seeing((640.0, 360.0), corners, SIZE, 0.9) == []
