"""The rails around the field, without the checkers that are seen before them."""

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray
from slanted_boards import SlantedBoard

from boardctl.rules import Backgammon
from boardctl.vision.bare_rails import rails_without_checkers
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


def test_a_rail_that_is_hardly_seen_stays_as_it_is() -> None:
    board = BOARDS[0]
    nowhere = np.zeros_like(bare_rows(board))
    np.testing.assert_array_equal(rails_without_checkers(board.start, board.strips, nowhere), board.start)
