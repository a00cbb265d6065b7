"""A camera from four corners: right in direction wherever it hangs, also for a part cut out of its picture."""

from dataclasses import replace

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calibration.camera import CameraModel
from calibration.field.corner_pose import pose_from_corners
from calibration.geometry import BoardGeometry
from calibration.start.pose_fit import fit_from_corners

BOARD = BoardGeometry()
SIZE = (1280, 720)


def camera_above(side_mm: float, back_mm: float, height_mm: float, focal_px: float) -> CameraModel:
    """Gets a camera at (side, -back, height) that looks at the middle of the board, A's side below."""
    position = np.array([side_mm, -back_mm, height_mm])
    forward = -position / np.linalg.norm(position)
    right = np.cross(forward, [0.0, 1.0, 0.0])
    right /= np.linalg.norm(right)
    rotation = np.stack([right, np.cross(forward, right), forward])
    turn = np.asarray(cv2.Rodrigues(rotation)[0]).ravel()
    shift = -rotation @ position
    return CameraModel(
        *SIZE, focal_px, focal_px, 639.5, 359.5, (0.0,) * 5, tuple(map(float, turn)), tuple(map(float, shift))
    )


def corners_of(camera: CameraModel, board: BoardGeometry) -> np.ndarray:
    return camera.project([(x, y, 0.0) for x, y in board.corners])


def direction_off_deg(camera: CameraModel, found: CameraModel, pixel: tuple[float, float]) -> float:
    """Gets the angle at which two cameras differ in how they look at what both show at a pixel, on the board."""
    rays = []
    for each in (camera, found):
        spot = each.to_plane([pixel], 0.0)[0]
        ray = np.array([spot[0], spot[1], 0.0]) - each.position_mm
        rays.append(ray / np.linalg.norm(ray))
    return float(np.degrees(np.arccos(np.clip(rays[0] @ rays[1], -1, 1))))


@settings(deadline=None)
@given(
    st.floats(-300, 300),
    st.floats(-300, 300),
    st.floats(700, 1200),
    st.floats(0.9, 1.1),
    st.floats(0.93, 1.07),
)
def test_a_whole_picture_tells_its_camera(
    side_mm: float, back_mm: float, height_mm: float, lens: float, tall: float
) -> None:
    """Boards are of several proportions, and lenses of several lengths."""
    board = replace(BOARD, field_height_mm=BOARD.field_height_mm * tall)
    camera = camera_above(side_mm, back_mm, height_mm, lens * height_mm)
    posed = pose_from_corners(corners_of(camera, board), SIZE, True, 1.0)
    assert posed is not None
    found, geometry = posed
    assert np.abs(found.project([(x, y, 0.0) for x, y in geometry.corners]) - corners_of(camera, board)).max() < 3
    assert direction_off_deg(camera, found, (640, 360)) < 8
    assert geometry.field_height_mm / geometry.field_width_mm == pytest.approx(
        board.field_height_mm / board.field_width_mm, rel=0.1
    )


def test_it_does_better_than_a_camera_of_fixed_lens_and_board() -> None:
    better = []
    for tall in (0.94, 1.06):
        board = replace(BOARD, field_height_mm=BOARD.field_height_mm * tall)
        for side_mm, back_mm in ((50, -20), (200, 150), (-250, 100), (100, -250)):
            camera = camera_above(side_mm, back_mm, 1000, 1300)
            corners = corners_of(camera, board)
            posed, first = pose_from_corners(corners, SIZE, True, 1.0), fit_from_corners(corners, SIZE, True)
            assert posed is not None
            assert first is not None
            off = [direction_off_deg(camera, each, (640, 360)) for each in (posed[0], first.camera)]
            better.append(off[0] < off[1])
    assert sum(better) >= 7


def test_a_part_cut_out_of_a_picture_tells_the_camera_too() -> None:
    """Its corners lie outside, and the lens' axis is not in its middle."""
    camera = camera_above(150, 200, 1000, 1500)
    part = (480, 360)
    corners = corners_of(camera, BOARD) - (700, 100)
    posed = pose_from_corners(corners, part, True, 1.0)
    assert posed is not None
    whole = replace(posed[0], center_x_px=posed[0].center_x_px + 700, center_y_px=posed[0].center_y_px + 100)
    assert direction_off_deg(camera, whole, (900, 300)) < 6


def test_a_part_is_taken_to_be_of_a_picture_from_further_away_than_a_whole_one() -> None:
    """Whoever hangs up a camera shows more than the board, and whoever cuts out a part cuts that off."""
    camera = camera_above(0, 300, 2000, 2600)
    found_px = []
    for size, left, top in ((SIZE, 0, 0), ((640, 480), 500, 150)):
        posed = pose_from_corners(corners_of(camera, BOARD) - (left, top), size, True, 1.0)
        assert posed is not None
        found_px.append(posed[0].focal_x_px)
    whole_px, part_px = found_px
    assert 1.1 * whole_px < part_px < camera.focal_x_px


def test_corners_in_a_wrong_order_have_no_camera_above_the_board() -> None:
    corners = corners_of(camera_above(0, 0, 1000, 1300), BOARD)
    assert pose_from_corners(corners[::-1].copy(), SIZE, True, 1.0) is None
