"""What is seen of a board whose place is roughly known."""

from dataclasses import replace
from random import Random

import pytest

from boardctl.virtual.drawing.render import Renderer
from boardctl.virtual.looks import WALNUT
from boardctl.virtual.world import empty_world
from calibration import BoardGeometry
from calibration.start.landmarks import points_end_mm


@pytest.mark.parametrize("length_mm", [163.0, 190.0, 203.0])
def test_the_length_of_points_is_told_however_far_it_is_from_a_common_one(length_mm: float) -> None:
    board = BoardGeometry(point_length_mm=length_mm)
    renderer = Renderer(WALNUT, board, 1)
    empty = renderer.frame(empty_world(board, Random(1)))
    told_mm = points_end_mm(empty, renderer.stage.camera, replace(board, point_length_mm=190.0))
    assert told_mm == pytest.approx(length_mm, rel=0.06)
