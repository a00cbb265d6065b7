"""A fit whose rows of checkers begin a checker away from its edge is known, and not believed."""

from collections.abc import Callable
from dataclasses import replace
from inspect import unwrap
from typing import Any

import numpy as np
import pytest

from boardctl.virtual.unseen.looks import drawn_installation, inlaid, printed, wide
from calibration import Calibration, CalibrationError, calibrate, find
from calibration.start.row_ends import SHIFTED, rows_are_shifted, shift_of_rows
from calibration.start.stack_rims import TOUCHING

Draw = Callable[[Any, int], Any]


def with_edges_out(found: Calibration, checkers: float, sides: int) -> tuple[Any, Any]:
    """Gets camera and board with the edge so many checkers further out than it was found: the near one, or (2) both."""
    out_mm = checkers * TOUCHING * found.geometry.checker_diameter_mm
    geometry = replace(found.geometry, field_height_mm=found.geometry.field_height_mm + sides * out_mm)
    # The middle of the board moves by half of what its near edge does.
    moved_mm = np.array([0.0, 0.0 if sides == 2 else -out_mm / 2, 0.0])
    camera = found.camera
    translation = np.asarray(camera.translation_mm) + camera.rotation @ moved_mm
    return replace(camera, translation_mm=tuple(translation.tolist())), geometry


def test_rows_of_a_board_that_was_found_begin_at_its_edge(found: Calibration) -> None:
    assert shift_of_rows(found.camera, found.geometry, found.empty, found.start) < -0.5


@pytest.mark.parametrize("sides", [1, 2])
@pytest.mark.parametrize("checkers", [-1.0, 1.0])
def test_an_edge_a_checker_off_is_known(found: Calibration, checkers: float, sides: int) -> None:
    camera, geometry = with_edges_out(found, checkers, sides)
    assert rows_are_shifted(camera, geometry, found.empty, found.start)


def test_an_edge_a_quarter_of_a_checker_off_is_no_other_row(found: Calibration) -> None:
    camera, geometry = with_edges_out(found, 0.25, 1)
    assert shift_of_rows(camera, geometry, found.empty, found.start) < SHIFTED - 0.3


@pytest.fixture
def a_checker_off(draw: Draw) -> Any:
    """A board of which what changes shows the near rows most of a checker off, and their rims then the wrong ones."""
    return draw(inlaid(printed(wide(drawn_installation(16065, 3)))), 3)


def test_a_board_found_a_checker_off_is_found_by_its_points(a_checker_off: Any) -> None:
    found = calibrate(a_checker_off.empty, a_checker_off.start)
    corners = found.camera.project([(x, y, 0.0) for x, y in found.geometry.corners])
    off_px = np.linalg.norm(corners - a_checker_off.corners, axis=1).max()
    assert off_px < 0.1 * found.camera.seen_px(found.geometry.checker_diameter_mm)


def test_without_points_it_is_refused(a_checker_off: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(find, "_where_points_are", lambda fit, *_: fit)
    with pytest.raises(CalibrationError, match="a checker away from the edge"):
        unwrap(calibrate)(a_checker_off.empty, a_checker_off.start)  # not what was found by points, and kept
