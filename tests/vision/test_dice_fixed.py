"""What the empty board already showed is no die."""

from dataclasses import replace

import numpy as np

from boardctl.referee.readings import DieReading, Support
from boardctl.vision.dice_fixed import is_as_before
from calibration import BoardGeometry, CameraModel

ABOVE = CameraModel(1280, 720, 1200, 1200, 640, 360, (0, 0, 0, 0, 0), (np.pi, 0.0, 0.0), (0.0, 0.0, 1000.0))
BOARD = BoardGeometry()
HINGE = DieReading(None, 0.5, True, Support.RAIL, None, 0.0, (640.0, 360.0), (0.0, 0.0))


def textured(seed: int) -> np.ndarray:
    return np.random.default_rng(seed).integers(0, 255, (720, 1280, 3)).astype(np.uint8)


def test_a_hinge_is_as_before_in_any_light() -> None:
    empty = textured(1)
    darker = (empty * 0.6).astype(np.uint8)
    assert is_as_before(HINGE, darker, empty, [HINGE], ABOVE, BOARD)


def test_a_die_that_came_to_lie_on_the_hinge_is_a_die() -> None:
    assert not is_as_before(HINGE, textured(2), textured(1), [HINGE], ABOVE, BOARD)


def test_a_die_elsewhere_is_a_die() -> None:
    elsewhere = replace(HINGE, center_mm=(40.0, 0.0))
    assert not is_as_before(elsewhere, textured(1), textured(1), [HINGE], ABOVE, BOARD)
