"""The empty board that a photograph with checkers tells."""

from typing import Any

import numpy as np
import pytest

from boardctl.vision.bare_points import bare_points, disagreement, logarithms, points_by_colour
from boardctl.vision.photograph import UNLIKE
from boardctl.vision.point_strips import PointStrips
from calibration.corner_pose import pose_from_corners
from calibration.difference import root_scale

NAMES = ("A_left", "A_right", "B_right_of_A_view", "B_left_of_A_view")


def strips_of(shots: Any, frame: str, bar_width: float = 1.0, step_px: int = 1) -> PointStrips:
    truth, picture = shots.truth(frame), shots.picture(frame)
    corners = np.array([truth["field_corners_px"][name] for name in NAMES])
    posed = pose_from_corners(corners, (picture.shape[1], picture.shape[0]), truth["home_side_is_A_right"], bar_width)
    assert posed is not None
    return PointStrips(*posed, step_px=step_px)


@pytest.mark.parametrize("frame", ["f01", "f03", "f09"])
def test_the_empty_board_is_told_by_the_points_that_are_bare(green: Any, frame: str) -> None:
    strips = strips_of(green, frame)
    made = bare_points(green.picture(frame), strips)
    seen, told, true = (
        root_scale(strips.cut(picture)) for picture in (green.picture(frame), made, green.picture("f00"))
    )
    assert np.quantile(np.abs(told - true).max(axis=-1), 0.9) < 0.9
    assert np.quantile(np.abs(seen - true).max(axis=-1), 0.9) > 2  # where checkers lie


def test_what_lies_beside_the_field_stays_as_it_is(green: Any) -> None:
    picture = green.picture("f03")
    empty = bare_points(picture, strips_of(green, "f03"))
    x, y = (int(value) for value in np.min(list(green.truth("f03")["field_corners_px"].values()), axis=0))
    np.testing.assert_array_equal(empty[: y - 2], picture[: y - 2])
    np.testing.assert_array_equal(empty[:, : x - 2], picture[:, : x - 2])


def test_points_agree_best_where_the_bar_is_as_wide_as_it_is(green: Any) -> None:
    sizes = green.truth("f03")["geometry_cm"]
    true = sizes["bar_width"] / sizes["point_width"]
    widths = np.array([0.3, 0.7, true, 1.3])
    rated = [disagreement(green.picture("f03"), strips_of(green, "f03", width, step_px=2)) for width in widths]
    assert widths[np.argmin(rated)] == true


def test_points_of_two_colours_are_told_apart(green: Any) -> None:
    strips = strips_of(green, "f03")
    one, other = points_by_colour(logarithms(strips.cut(green.picture("f03"))))
    assert len(one) == len(other) == 12
    assert len(set(one % 2)) == len(set(other % 2)) == 1  # of this board: odd and even points


def test_points_that_are_not_alike_disagree_far_more(green: Any) -> None:
    patches = np.random.default_rng(1).integers(0, 256, (36, 64, 3)).astype(np.uint8)
    strips = strips_of(green, "f03", step_px=2)
    unlike = disagreement(patches.repeat(20, axis=0).repeat(20, axis=1), strips)
    assert unlike > UNLIKE > 2 * disagreement(green.picture("f03"), strips)
