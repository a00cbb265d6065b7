"""A camera and a board are fitted to pairs of edges, as far as there can be such a board."""

import numpy as np
import pytest

from calibration.field.point_edges import Wedges
from calibration.field.row_fit import RowFit, refined

SIZE_PX = (960, 720)


def seen_from_above(half_gap: float) -> RowFit:
    turned_over = (np.pi, 0.0, 0.0)
    return RowFit(np.array([*turned_over, 0.0, 0.0, 18.0, 0.0, 0.0, 1.0, half_gap]), SIZE_PX)


def points_of(fit: RowFit) -> Wedges:
    """The edges of all 24 points, each as long as four of its widths."""
    x = np.tile(fit.columns, 2)
    side = np.repeat((-1.0, 1.0), len(fit.columns))
    narrow = fit.pixels(np.stack([x, side * fit.half_gap], axis=1))
    wide = fit.pixels(np.stack([x, side * (fit.half_gap + 4)], axis=1))
    long = np.linalg.norm(narrow - wide, axis=1)
    return Wedges(narrow, wide, (narrow + wide) / 2, long, long / 4, np.zeros(len(long), dtype=np.intp))


def test_all_points_are_found_where_two_rows_face_each_other() -> None:
    true = seen_from_above(half_gap=1.0)
    fit = refined(seen_from_above(half_gap=1.2), points_of(true))
    assert fit is not None
    assert fit.found == pytest.approx(24, abs=0.1)
    assert fit.half_gap == pytest.approx(1.0, abs=0.05)


def test_rows_that_reach_into_each_other_are_no_board() -> None:
    # There is no field between such rows, by whose colour to tell a board.
    crossed = seen_from_above(half_gap=-0.5)
    assert refined(crossed, points_of(crossed)) is None
