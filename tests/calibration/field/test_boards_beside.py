"""Other boards in view, on which games go on while one is calibrated."""

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from boardctl.vision.measuring.boards_beside import Board, with_boards_beside
from calibration import calibrate
from calibration.corners import as_corners
from calibration.field.in_view import fields_in_view, part_around

Picture = NDArray[np.uint8]

OUTLINE = "board_outer_corners_px"


def beside(installation: Any, shown: Picture, other: Any, left: Picture, right: Picture) -> Picture:
    """Gets a picture of an installation with another one's pictures at its sides."""
    others = (Board(picture, np.array(other.truth[OUTLINE])) for picture in (left, right))
    return with_boards_beside(
        Board(shown, np.array(installation.truth[OUTLINE])), *others, rng=np.random.default_rng(2)
    )


@pytest.fixture(scope="module")
def among_boards(green: Any, brown: Any) -> tuple[Picture, Picture]:
    """The empty board and the starting position, each with other positions beside."""
    return (
        beside(brown, brown.empty, green, green.empty, green.start),
        beside(brown, brown.start, green, green.start, green.empty),
    )


def off_px(calibration: Any, corners: Any) -> float:
    seen = calibration.camera.project([(x, y, 0.0) for x, y in calibration.geometry.corners])
    return float(np.linalg.norm(seen - corners, axis=1).max())


def test_a_board_lies_where_it_lay_and_others_change_beside_it(
    brown: Any, among_boards: tuple[Picture, Picture]
) -> None:
    empty, start = among_boards
    outline = np.array(brown.truth[OUTLINE])
    columns = slice(int(outline[:, 0].min()), int(outline[:, 0].max()))
    assert np.array_equal(empty[:, columns], brown.empty[:, columns])
    for side in (slice(0, columns.start - 40), slice(columns.stop + 40, None)):
        assert (np.abs(empty[:, side].astype(int) - start[:, side]).max(axis=2) > 50).sum() > 200


def test_a_board_among_others_is_found(brown: Any, among_boards: tuple[Picture, Picture]) -> None:
    found = calibrate(*among_boards)
    assert off_px(found, brown.corners) < 8
    assert found.geometry.home_on_right == brown.truth["home_side_is_A_right"]


def test_its_corners_by_hand_are_a_way_out(brown: Any, among_boards: tuple[Picture, Picture]) -> None:
    assert off_px(calibrate(*among_boards, as_corners(brown.corners)), brown.corners) < 8


def test_the_board_that_is_seen_best_is_looked_at_first(brown: Any, among_boards: tuple[Picture, Picture]) -> None:
    first, *others = fields_in_view(among_boards[0])
    middle = brown.corners.mean(axis=0)
    assert np.abs(np.mean(first, axis=0) - middle).max() < 10
    for other in others:
        assert np.abs(np.mean(other, axis=0) - middle).max() > 100


def test_the_part_around_a_field_holds_it_and_little_more(brown: Any) -> None:
    part = part_around(as_corners(brown.corners), brown.empty)
    left, top = brown.corners.min(axis=0).astype(int)
    right, bottom = brown.corners.max(axis=0).astype(int)
    assert part[top : bottom + 1, left : right + 1].mean() > 0.9
    assert 1.0 < part.sum() / ((right - left) * (bottom - top)) < 1.3
