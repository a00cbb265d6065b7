"""A board, or a camera, that was nudged between the picture of the empty board and that of the starting position."""

from typing import Any

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from calibration import CalibrationError, calibrate
from calibration.start.moved import motions

Picture = NDArray[np.uint8]
NUDGES = {"a little": (5.0, -3.0, 0.2), "as far as an elbow pushes": (-14.0, 11.0, -0.8)}
"""Pixels to the right and down, and degrees."""


def nudged(picture: Picture, nudge: tuple[float, float, float]) -> Picture:
    """Gets a picture as it would have been before a nudge."""
    right, down, turn_deg = nudge
    height, width = picture.shape[:2]
    to = cv2.getRotationMatrix2D((width / 2, height / 2), turn_deg, 1.0)
    to[:, 2] += (right, down)
    moved = cv2.warpAffine(picture, to, (width, height), flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(moved, dtype=np.uint8)


def board_alone_nudged(installation: Any, nudge: tuple[float, float, float]) -> Picture:
    """Gets the picture of the empty board with the board elsewhere, and what it stands on where it was."""
    middle = installation.corners.mean(axis=0)
    board = middle + (installation.corners - middle) * 1.35  # with its rails and trays
    mask = np.zeros(installation.empty.shape, np.uint8)
    cv2.fillConvexPoly(mask, np.rint(board).astype(np.int32), (255, 255, 255))
    return np.where(nudged(mask, nudge) > 127, nudged(installation.empty, nudge), installation.empty)


def off_px(calibration: Any, installation: Any) -> float:
    corners = calibration.camera.project([(x, y, 0.0) for x, y in calibration.geometry.corners])
    return float(np.linalg.norm(corners - installation.corners, axis=1).max())


def checker_px(installation: Any) -> float:
    return float(np.linalg.norm(installation.corners[1] - installation.corners[0])) * 38 / 527


@pytest.mark.parametrize("nudge", NUDGES.values(), ids=list(NUDGES))
@pytest.mark.parametrize("what", ["camera", "board"])
def test_the_board_is_found_where_the_second_picture_has_it(
    green: Any, what: str, nudge: tuple[float, float, float]
) -> None:
    empty = nudged(green.empty, nudge) if what == "camera" else board_alone_nudged(green, nudge)
    found = calibrate(empty, green.start)
    assert off_px(found, green) < checker_px(green) / 5
    # The picture of the empty board is as it would be now: where no checkers lie, the two show the same.
    inside = np.zeros(green.empty.shape[:2], np.uint8)
    cv2.fillConvexPoly(inside, np.rint(green.corners).astype(np.int32), 1)
    as_it_was, as_kept = (
        np.median(np.abs(picture.astype(int) - green.empty)[inside > 0]) for picture in (empty, found.empty)
    )
    assert as_kept <= as_it_was
    assert np.abs(found.empty.astype(int) - green.empty)[inside > 0].mean() < 4


def test_what_stands_still_has_not_moved(green: Any) -> None:
    found = motions(green.empty, green.start)
    assert found
    assert found[0].is_none
    assert np.array_equal(calibrate(green.empty, green.start).empty, green.empty)


def test_where_something_else_moved_the_board_is_as_it_was(green: Any) -> None:
    elsewhere = nudged(green.empty, (9.0, 6.0, 0.0))
    middle = green.corners.mean(axis=0)
    mask = np.zeros(green.empty.shape, np.uint8)
    board = middle + (green.corners - middle) * 1.35
    cv2.fillConvexPoly(mask, np.rint(board).astype(np.int32), (255, 255, 255))
    empty = np.where(mask > 0, green.empty, elsewhere)  # the cloth that it stands on was pulled straight
    found = calibrate(empty, green.start)
    assert off_px(found, green) < checker_px(green) / 5


def test_another_board_is_none_that_has_moved(green: Any) -> None:
    with pytest.raises(CalibrationError, match="no board in the picture"):
        calibrate(green.empty, nudged(green.empty, (9.0, 6.0, 0.3)))
