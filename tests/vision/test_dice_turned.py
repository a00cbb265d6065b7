"""Whether a die leans, told by cameras that are believed elsewhere: with a reader that sees the angle as it is."""

from collections.abc import Callable

import numpy as np
import pytest

from boardctl.virtual.looks import camera_over
from boardctl.vision.dice_turned import camera_turned, likelihood_of_tilt
from boardctl.vision.training.die_render import turn
from calibration import CameraModel

CAMERA = camera_over((40.0, -260.0, 900.0), (0.0, 0.0, 0.0), 1200.0)
MIDDLE = (70.0, 20.0, 7.0)


def seen_of(upward: np.ndarray) -> Callable[[CameraModel], float]:
    """Gets a reader of a die whose upward side faces so: surer of a tilt by one logit for each two degrees over 8."""

    def logit(camera: CameraModel) -> float:
        believed = camera.rotation.T @ CAMERA.rotation @ upward
        return float(np.degrees(np.arccos(np.clip(believed[2], -1, 1))) - 8) / 2

    return logit


def test_a_turned_camera_sees_the_same_of_what_is_turned_with_it() -> None:
    rotation = turn(0.0, 0.2, 1.1)
    turned = camera_turned(CAMERA, MIDDLE, rotation)
    assert turned is not None
    spots = np.array(MIDDLE) + np.random.default_rng(3).uniform(-10, 10, (6, 3))
    moved = np.array(MIDDLE) + (spots - MIDDLE) @ rotation.T
    assert turned.project(moved) == pytest.approx(CAMERA.project(spots), abs=1e-6)


def test_a_view_from_too_far_aside_is_not_believed() -> None:
    assert camera_turned(CAMERA, MIDDLE, turn(0.0, 1.2, 0.0)) is None


@pytest.mark.parametrize("yaw", [0.0, 0.4, 2.0])
@pytest.mark.parametrize(("towards", "least"), [(0.0, 0.8), (np.pi / 2, 0.8), (-np.pi, 0.8), (0.7, 0.4), (2.5, 0.4)])
def test_what_one_look_leaves_open_the_turned_ones_tell(yaw: float, towards: float, least: float) -> None:
    flat = likelihood_of_tilt(CAMERA, MIDDLE, 0.5, seen_of(np.array([0.0, 0.0, 1.0])))
    leaning = turn(yaw, float(np.radians(14.0)), towards)[:, 2]
    assert flat < 0.1
    assert likelihood_of_tilt(CAMERA, MIDDLE, 0.5, seen_of(leaning)) > least
