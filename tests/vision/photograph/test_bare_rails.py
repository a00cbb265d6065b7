"""The rails around the field, without the checkers that are seen before them."""

from dataclasses import replace

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray
from slanted_boards import SlantedBoard

from boardctl.rules import Backgammon
from boardctl.vision.photograph.bare_rails import rails_without_checkers
from boardctl.vision.photograph.point_strips import PointStrips
from calibration.difference import root_scale

HELD = dict(Backgammon().start().placement())
BOARDS = [SlantedBoard(10401, number) for number in (0, 2, 3, 4)]
"""Of two others the rails that are seen are those at the end, where the starting position leaves next to nothing."""


def bare_rows(board: SlantedBoard) -> NDArray[np.bool_]:
    bare = np.ones(board.strips.places_mm.shape[:2], dtype=np.bool_)
    for place, stack in HELD.items():
        bare[place.number - 1, : len(stack) * 26] = False
    return bare


def beyond(board: SlantedBoard, true: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Which pixels are beyond the field's edges, but near them."""
    corners = board.stage.camera.project([(x, y, 0.0) for x, y in board.geometry.corners])
    field = np.zeros(true.shape[:2], dtype=np.uint8)
    cv2.fillConvexPoly(field, np.rint(corners).astype(np.int32), 255)
    near = cv2.dilate(field, np.ones((61, 61), dtype=np.uint8))
    return np.asarray((near > 0) & (cv2.dilate(field, np.ones((5, 5), dtype=np.uint8)) == 0), dtype=np.bool_)


@pytest.mark.parametrize("board", BOARDS, ids=lambda board: str(board.number))
def test_checkers_before_a_rail_are_gone_and_the_rail_is_as_it_was(board: SlantedBoard) -> None:
    cleared = rails_without_checkers(board.start, board.strips, bare_rows(board))
    outside = beyond(board, board.empty)
    true, before, after = (root_scale(picture).astype(np.float64) for picture in (board.empty, board.start, cleared))
    off_before, off_after = (np.abs(seen - true).max(axis=-1)[outside] for seen in (before, after))
    held = off_before > 2
    assert np.count_nonzero(held) > 50
    assert np.count_nonzero(off_after[held] > 2) < 0.1 * np.count_nonzero(held)
    assert np.count_nonzero(off_after[~held] > 2) < 0.002 * np.count_nonzero(~held)


def test_in_a_large_photograph_rails_have_more_pixels_than_opencv_looks_up_in_one_row() -> None:
    board, times = BOARDS[0], 5
    camera = board.stage.camera
    size_px = (times * camera.width_px, times * camera.height_px)
    picture = np.asarray(cv2.resize(board.start, size_px), dtype=np.uint8)
    larger = replace(
        camera,
        width_px=size_px[0],
        height_px=size_px[1],
        focal_x_px=times * camera.focal_x_px,
        focal_y_px=times * camera.focal_y_px,
        center_x_px=times * (camera.center_x_px + 0.5) - 0.5,
        center_y_px=times * (camera.center_y_px + 0.5) - 0.5,
    )
    strips = PointStrips(larger, board.geometry, step_px=times)
    cleared = rails_without_checkers(picture, strips, np.ones(strips.places_mm.shape[:2], dtype=np.bool_))
    assert np.count_nonzero((cleared != picture).any(axis=-1)) > 32767


def test_a_rail_that_is_hardly_seen_stays_as_it_is() -> None:
    board = BOARDS[0]
    nowhere = np.zeros_like(bare_rows(board))
    np.testing.assert_array_equal(rails_without_checkers(board.start, board.strips, nowhere), board.start)
