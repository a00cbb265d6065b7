"""Rows of checkers are told from what else has moved on the table between the two pictures."""

from collections.abc import Callable
from typing import Any

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from boardctl.virtual.unseen.looks import cluttered, drawn_installation, inlaid, ornate, railed, resized, wide
from calibration import calibrate
from calibration.start.rows_in_view import parts_by_rows

Mask = NDArray[np.float32]

ROWS = (
    (5, 160, 100),
    (3, 280, 100),
    (5, 340, 100),
    (2, 460, 100),
    (5, 160, 205),
    (3, 280, 241),
    (5, 340, 205),
    (2, 460, 259),
)
"""How many checkers lie in each row, and where its first one does (x, y), eighteen pixels apart."""


def rows_of(rows: tuple[tuple[int, int, int], ...] = ROWS) -> Mask:
    """Gets what changed when checkers were set up, in a picture of 640 x 360 pixels."""
    seen = np.zeros((360, 640), np.float32)
    for count, x, y in rows:
        for index in range(count):
            cv2.circle(seen, (x, y + 18 * index), 9, 1.0, -1)
    return seen


def things() -> Mask:
    """Gets what changed when a book, a cup and a pen were put on the table."""
    seen = np.zeros((360, 640), np.float32)
    cv2.rectangle(seen, (500, 30), (600, 110), 1.0, -1)
    cv2.circle(seen, (60, 60), 30, 1.0, -1)
    cv2.line(seen, (530, 250), (620, 260), 1.0, 5)
    return seen


def sleeve() -> Mask:
    """Gets what changed when an arm came into the picture, as wide as checkers."""
    seen = np.zeros((360, 640), np.float32)
    cv2.rectangle(seen, (40, 300), (58, 359), 1.0, -1)
    return seen


def test_rows_are_told_from_things() -> None:
    rows, others = rows_of(), np.maximum(things(), sleeve())
    first, *_ = parts_by_rows(np.maximum(rows, others))
    assert (first[rows > 0] > 0).all()
    assert not first[others > 0].any()


@pytest.mark.parametrize("turned_deg", [17.0, 45.0, 80.0])
def test_rows_are_told_however_the_camera_is_turned(turned_deg: float) -> None:
    turn = cv2.getRotationMatrix2D((320, 180), turned_deg, 0.6)
    rows, others = (np.asarray(cv2.warpAffine(each, turn, (640, 360)), np.float32) for each in (rows_of(), things()))
    first, *_ = parts_by_rows(np.maximum(rows, others))
    assert (first[rows > 0.6] > 0).all()
    assert first[others > 0].mean() < 0.02


def test_rows_alone_are_no_part_of_what_changed_and_too_few_of_them_tell_nothing() -> None:
    assert not list(parts_by_rows(rows_of()))
    assert not list(parts_by_rows(things()))
    assert not list(parts_by_rows(np.maximum(rows_of(ROWS[:4]), things())))


@pytest.mark.parametrize(
    ("seed", "number", "changes"),
    [
        (12001, 36, (cluttered,)),
        (12001, 52, (wide, cluttered)),
        (12001, 17, (wide, ornate, cluttered)),
        (13113, 0, (resized, wide, ornate, railed, inlaid, cluttered)),
    ],
)
def test_a_board_is_found_on_a_table_where_things_have_come_and_gone(
    draw: Callable[[Any, int], Any], seed: int, number: int, changes: tuple[Callable[[Any], Any], ...]
) -> None:
    """The last is noisy, too: of the first guesses at its outline the right one is the fourth."""
    installation = drawn_installation(seed, number)
    for change in changes:
        installation = change(installation)
    drawn = draw(installation, number)
    found = calibrate(drawn.empty, drawn.start)
    corners = found.camera.project([(x, y, 0.0) for x, y in found.geometry.corners])
    off = np.linalg.norm(corners - drawn.corners, axis=1)
    assert off.max() < found.camera.seen_px(found.geometry.checker_diameter_mm) / 5
    assert found.geometry.home_on_right == drawn.truth["home_side_is_A_right"]
