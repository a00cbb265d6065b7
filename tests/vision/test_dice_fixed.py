"""What the empty board already showed is no die."""

import numpy as np

from boardctl.vision.dice_fixed import Background
from calibration import BoardGeometry, CameraModel

ABOVE = CameraModel(1280, 720, 1200, 1200, 640, 360, (0, 0, 0, 0, 0), (np.pi, 0.0, 0.0), (0.0, 0.0, 1000.0))
BOARD = BoardGeometry()
HINGE_MM = (0.0, 0.0)


def textured(seed: int) -> np.ndarray:
    return np.random.default_rng(seed).integers(0, 255, (720, 1280, 3)).astype(np.uint8)


def test_a_hinge_is_as_before_in_any_light() -> None:
    empty = textured(1)
    darker = (empty * 0.6).astype(np.uint8)
    assert Background(empty, (HINGE_MM,), ABOVE, BOARD).has_die(HINGE_MM, darker)


def test_a_die_that_came_to_lie_on_the_hinge_is_a_die() -> None:
    assert not Background(textured(1), (HINGE_MM,), ABOVE, BOARD).has_die(HINGE_MM, textured(2))


def test_a_die_elsewhere_is_a_die() -> None:
    assert not Background(textured(1), (HINGE_MM,), ABOVE, BOARD).has_die((40.0, 0.0), textured(1))
