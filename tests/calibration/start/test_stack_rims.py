"""Rows of checkers are found to a tenth of a checker, whatever is inlaid in them."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from boardctl.virtual.unseen.looks import drawn_installation, inlaid
from calibration import Calibration, calibrate
from calibration.start import landmark_fit
from calibration.start.landmarks import Landmark
from calibration.start.pose_fit import Fit, fit_from_corners


def row_ends_off(found: Calibration, drawn: Any) -> float:
    """Gets how far off the outer ends of the points are at most, in checkers."""
    geometry = found.geometry
    ends = [
        (geometry.point_x_mm(number), (-0.5 if geometry.is_near_row(number) else 0.5) * geometry.field_height_mm, 0.0)
        for number in range(1, 25)
    ]
    true = np.array([drawn.truth["points"][str(number)]["base_px"] for number in range(1, 25)])
    off_px = np.linalg.norm(found.camera.project(ends) - true, axis=1)
    return float(off_px.max()) / found.camera.seen_px(geometry.checker_diameter_mm)


@pytest.mark.parametrize(("seed", "number"), [(10901, 1), (10901, 3), (13101, 24)])
def test_rows_of_inlaid_checkers_are_found_as_exactly_as_plain_ones(
    draw: Callable[[Any, int], Any], seed: int, number: int
) -> None:
    """Their rings and emblems are steeper than their rims, by which one to six of eight rows are told here."""
    drawn = draw(inlaid(drawn_installation(seed, number)), number)
    assert row_ends_off(calibrate(drawn.empty, drawn.start), drawn) < 0.1


def test_a_field_stays_as_high_as_it_was_where_no_row_is_seen(green: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    first = fit_from_corners(green.corners, (1280, 720), home_on_right=True)
    assert first is not None
    higher = first.moved(np.where(np.arange(len(first.values)) == landmark_fit.HEIGHT_PARAMETER, 0.05, 0.0))

    def none_along_points(*_: object) -> tuple[list[Landmark], float]:
        return [], 0.95

    monkeypatch.setattr(landmark_fit, "stack_rims", none_along_points)
    moved: Fit = landmark_fit.refine_on_landmarks(higher, green.empty, green.start)
    assert moved.geometry.field_height_mm == pytest.approx(higher.geometry.field_height_mm, rel=2e-3)
