"""Pictures as another camera would have taken them: the same for a number, and of the same scene."""

import cv2
import numpy as np
from numpy.typing import NDArray

from boardctl.vision.measuring.other_camera import OtherCamera


def scene() -> NDArray[np.uint8]:
    picture = np.full((120, 160, 3), (60, 110, 50), dtype=np.uint8)
    cv2.circle(picture, (80, 60), 30, (210, 225, 235), -1)
    return picture


def test_a_number_draws_one_camera_and_its_pictures() -> None:
    takes = [
        OtherCamera.drawn(np.random.default_rng(4)).take(scene(), np.random.default_rng(seed)) for seed in (1, 1, 2)
    ]
    assert np.array_equal(takes[0], takes[1])
    assert not np.array_equal(takes[0], takes[2])
    assert OtherCamera.drawn(np.random.default_rng(5)) != OtherCamera.drawn(np.random.default_rng(4))


def test_what_is_seen_stays_where_it_is() -> None:
    for seed in range(12):
        rng = np.random.default_rng(seed)
        taken = OtherCamera.drawn(rng).take(scene(), rng)
        light = cv2.threshold(cv2.cvtColor(taken, cv2.COLOR_BGR2GRAY), 0, 255, cv2.THRESH_OTSU)[1] > 0
        rows, columns = np.nonzero(light)
        assert taken.shape == scene().shape
        assert abs(columns.mean() - 80) < 1
        assert abs(rows.mean() - 60) < 1
        assert abs(light.sum() - np.pi * 30**2) < 0.1 * np.pi * 30**2


def test_a_dull_camera_takes_colours_away() -> None:
    dull = OtherCamera((1.0, 1.0, 1.0), 1.0, 0.0, 0.0, 0.0, 0.0, 90)
    taken = dull.take(scene(), np.random.default_rng(0))
    assert np.ptp(taken[10, 10].astype(int)) < 6
    assert np.ptp(scene()[10, 10].astype(int)) == 60
