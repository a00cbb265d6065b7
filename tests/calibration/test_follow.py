"""A camera that was nudged is followed, to within a pixel, and nothing else is."""

from collections.abc import Callable

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from boardctl.vision.measuring.later_changes import Nudge
from calibration import Calibration
from calibration.drift import view_of
from calibration.follow import followed, is_off, seen_from

Picture = NDArray[np.uint8]


def nudge(found: Calibration, number: int) -> Nudge:
    return Nudge.drawn(found.camera.width_px, found.camera.height_px, np.random.default_rng(number))


def corners(found: Calibration) -> NDArray[np.float64]:
    return found.camera.project([(x, y, 0.0) for x, y in found.geometry.corners])


@pytest.mark.parametrize("number", range(4))
@pytest.mark.parametrize("frame", ["start", "empty"])
def test_the_board_is_found_where_a_nudged_camera_sees_it(found: Calibration, frame: str, number: int) -> None:
    moved = nudge(found, number)
    now = followed(found, moved.picture(getattr(found, frame)))
    assert now is not None
    assert np.linalg.norm(corners(now) - moved.pixels(corners(found)), axis=1).max() < 1.0
    assert (now.camera.focal_x_px, now.camera.distortion) == (found.camera.focal_x_px, found.camera.distortion)
    assert view_of(moved.picture(found.start), now).holds


def test_its_pictures_are_those_that_it_would_have_taken_from_there(found: Calibration) -> None:
    moved = nudge(found, 1)
    now = followed(found, moved.picture(found.start))
    assert now is not None
    field = np.zeros(found.empty.shape[:2], np.uint8)
    cv2.fillConvexPoly(field, np.rint(corners(now)).astype(np.int32), 1)
    for before, after in ((found.empty, now.empty), (found.start, now.start)):
        there = moved.picture(before)
        unmoved, off = (np.abs(each.astype(int) - there)[field > 0].mean() for each in (before, after))
        assert off < unmoved / 3


def test_it_is_followed_by_other_light_and_with_an_arm_over_the_board(found: Calibration) -> None:
    moved = nudge(found, 2)
    seen = np.asarray(moved.picture(found.start) * np.linspace(0.7, 1.0, found.start.shape[1])[None, :, None], np.uint8)
    height, width = seen.shape[:2]
    cv2.line(seen, (width // 2, height), (width // 2, height // 3), (70, 60, 140), width // 16)
    now = followed(found, seen)
    assert now is not None
    assert np.linalg.norm(corners(now) - moved.pixels(corners(found)), axis=1).max() < 1.5


def hidden(picture: Picture) -> Picture:
    """All but a part of the board in one corner covered."""
    covered = np.full_like(picture, 120)
    height, width = picture.shape[:2]
    covered[: height // 2, : width // 2] = picture[: height // 2, : width // 2]
    return covered


@pytest.mark.parametrize(
    "seen",
    [
        lambda picture: picture[::-1, ::-1],
        lambda picture: np.full_like(picture, 90),
        hidden,
        lambda picture: np.random.default_rng(1).integers(0, 255, picture.shape, dtype=np.uint8),
        lambda picture: np.roll(picture, picture.shape[1] // 6, axis=1),
    ],
    ids=["upside down", "grey", "a corner alone", "noise", "far away"],
)
def test_what_does_not_show_the_board_near_where_it_was_is_not_followed(
    found: Calibration, seen: Callable[[Picture], Picture]
) -> None:
    assert followed(found, np.ascontiguousarray(seen(found.start))) is None


def test_a_camera_at_rest_is_not_off_and_stays_as_it_is_known(found: Calibration) -> None:
    assert not is_off(found, view_of(found.start, found))
    assert followed(found, found.start, known=found) is None


def test_a_board_turned_by_less_than_a_calibration_bears_is_off(found: Calibration) -> None:
    height, width = found.start.shape[:2]
    shift = np.array([[1, 0, 2], [0, 1, 0]], dtype=np.float64)
    seen = cv2.warpAffine(found.start, shift, (width, height), borderMode=cv2.BORDER_REPLICATE)
    view = view_of(np.asarray(seen, dtype=np.uint8), found)
    assert view.holds
    assert is_off(found, view)


def test_seen_from_where_it_was_taken_a_picture_is_as_it_was(found: Calibration) -> None:
    same = seen_from(found.camera, found.start, found.camera)
    assert np.abs(same.astype(int) - found.start).mean() < 1.0
