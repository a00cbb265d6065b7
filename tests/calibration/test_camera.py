"""The camera model: where points of the board are seen, however many are asked for at once."""

import cv2
import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from calibration.camera import FEW, CameraModel

SMALL = st.floats(-0.2, 0.2)
CAMERAS = st.builds(
    CameraModel,
    width_px=st.just(1280),
    height_px=st.just(720),
    focal_x_px=st.floats(700, 1600),
    focal_y_px=st.floats(700, 1600),
    center_x_px=st.floats(600, 680),
    center_y_px=st.floats(330, 390),
    distortion=st.tuples(SMALL, SMALL, st.floats(-0.01, 0.01), st.floats(-0.01, 0.01), SMALL),
    rotation_vector=st.tuples(st.floats(2.6, 3.3), SMALL, SMALL),
    translation_mm=st.tuples(st.floats(-60, 60), st.floats(-60, 60), st.floats(700, 1500)),
)


@settings(deadline=None)
@given(CAMERAS, st.integers(0, 2**32 - 1))
def test_points_are_seen_where_opencv_sees_them(camera: CameraModel, seed: int) -> None:
    points = np.random.default_rng(seed).uniform((-300, -250, 0), (300, 250, 40), (20 * FEW, 3))
    pose = np.array(camera.rotation_vector), np.array(camera.translation_mm)
    wanted = cv2.projectPoints(points[:, None], *pose, camera.matrix, np.array(camera.distortion))[0].reshape(-1, 2)
    assert np.abs(camera.project(points) - wanted).max() < 1e-9
    assert np.abs(camera.project(points[:FEW]) - wanted[:FEW]).max() < 1e-9
    assert camera.project([]).shape == (0, 2)
