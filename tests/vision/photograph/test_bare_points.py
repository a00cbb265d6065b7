"""The empty board that a photograph with checkers tells."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from boardctl.virtual.drawing.render import Renderer
from boardctl.virtual.unseen.looks import drawn_installation, ornate
from boardctl.virtual.unseen.tables import scenes_of
from boardctl.virtual.world import set_up
from boardctl.vision.photograph.bare_points import Picture, bare_points, disagreement, logarithms, lopsidedness
from boardctl.vision.photograph.bare_rails import TALLEST
from boardctl.vision.photograph.point_light import first_light, light_basis
from boardctl.vision.photograph.point_strips import PointStrips
from boardctl.vision.photograph.reading import UNLIKE
from calibration.difference import root_scale
from calibration.field.corner_pose import pose_from_corners

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


def test_what_lies_beyond_the_sides_of_the_rails_stays_as_it_is(green: Any) -> None:
    picture = green.picture("f03")
    strips = strips_of(green, "f03")
    empty = bare_points(picture, strips)
    high = TALLEST * strips.geometry.point_width_mm
    top = strips.camera.project([(x, y, z) for x, y in strips.geometry.corners for z in (0.0, high)])
    x, y = (int(value) for value in np.min(top, axis=0))
    np.testing.assert_array_equal(empty[: y - 2], picture[: y - 2])
    np.testing.assert_array_equal(empty[:, : x - 2], picture[:, : x - 2])


@pytest.mark.parametrize("rate", [disagreement, lopsidedness])
def test_points_agree_best_where_the_bar_is_as_wide_as_it_is(
    green: Any, rate: Callable[[Picture, PointStrips], float]
) -> None:
    sizes = green.truth("f03")["geometry_cm"]
    true = sizes["bar_width"] / sizes["point_width"]
    widths = np.array([0.3, 0.7, true, 1.3])
    rated = [rate(green.picture("f03"), strips_of(green, "f03", width, step_px=2)) for width in widths]
    assert widths[np.argmin(rated)] == true


def test_an_emblem_does_not_tell_how_wide_the_bar_is() -> None:
    board = ornate(drawn_installation(10801, 2))  # white points on white, and a dark disc in the middle of each half
    world = [scene.world for scene, _ in scenes_of(board, 6, 2, set_up)][3]
    picture, geometry = Renderer(board.look, board.geometry, 2).frame(world), board.geometry
    corners = board.look.camera.project([(x, y, 0.0) for x, y in geometry.corners])
    true = geometry.bar_width_mm / geometry.point_width_mm
    widths = np.array([0.3, 0.7, true, 1.5])
    rated = []
    for width in widths:
        posed = pose_from_corners(corners, (picture.shape[1], picture.shape[0]), geometry.home_on_right, width)
        assert posed is not None
        rated.append(lopsidedness(picture, PointStrips(*posed, step_px=2)))
    assert widths[np.argmin(rated)] == true


def test_points_of_two_colours_are_told_apart(green: Any) -> None:
    strips = strips_of(green, "f03")
    (one, other), _ = first_light(logarithms(strips.cut(green.picture("f03"))), strips)
    assert len(one) == len(other) == 12
    assert len(set(one % 2)) == len(set(other % 2)) == 1  # of this board: odd and even points


def test_light_that_falls_on_one_end_is_told(green: Any) -> None:
    strips, picture = strips_of(green, "f03"), green.picture("f03")
    shaded = picture * np.linspace(1.0, 0.25, picture.shape[1])[None, :, None]
    _, light = first_light(logarithms(strips.cut(picture)), strips)
    _, uneven = first_light(logarithms(strips.cut(shaded.astype(np.uint8))), strips)
    fallen = light_basis(strips)[:, -20] @ (uneven - light)  # 24 points x width x 3, near the middle of the board
    columns = strips.camera.project(np.column_stack([strips.places_mm[:, -20].reshape(-1, 2), np.zeros(24 * 26)]))[:, 0]
    true = np.log(np.interp(columns, (0, picture.shape[1] - 1), (1.0, 0.25))).reshape(24, 26)
    told = fallen.mean(axis=-1)
    assert np.corrcoef(told.ravel(), true.ravel())[0, 1] > 0.95
    assert np.ptp(told) > 0.6 * np.ptp(true) > 0.3  # less, as DARK_OFFSET is added to what is dark


def test_points_that_are_not_alike_disagree_far_more(green: Any) -> None:
    patches = np.random.default_rng(1).integers(0, 256, (36, 64, 3)).astype(np.uint8)
    strips = strips_of(green, "f03", step_px=2)
    unlike = disagreement(patches.repeat(20, axis=0).repeat(20, axis=1), strips)
    assert unlike > UNLIKE > 2 * disagreement(green.picture("f03"), strips)
