"""A tone curve that has become another one, and a veil of light over the lens, are told and taken out of pictures."""

from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from boardctl.vision.measuring.later_changes import at_another_hour, exposed_otherwise, in_shadow, in_sunlight, noisy
from calibration import Calibration
from calibration.difference import DARK_OFFSET
from calibration.least_squares import least_squares
from calibration.light.linear import levels_of, light_of
from calibration.light.tone_curve import Curve
from calibration.light.tones import Tones, tones_of, with_tones_of
from calibration.light.veil import Veil

PICTURES = Path(__file__).parents[2] / "data" / "vision"

Picture = NDArray[np.uint8]

SHARES = np.arange(256) / 255
CURVES = {
    "darker": SHARES**1.8,
    "lighter": SHARES**0.55,
    "less contrast": 0.6 * SHARES + 0.25,
    "more contrast": 1.2 * (SHARES - 0.5) + 0.5,
    "brighter": SHARES + 0.1,
    "bowed": SHARES**2 * (3 - 2 * SHARES),
    "dust on the lens": (0.85 * SHARES**2.2 + 0.15) ** (1 / 2.2),
}


def toned(picture: Picture, curve: str) -> Picture:
    return cv2.LUT(picture, np.rint(255 * np.clip(CURVES[curve], 0, 1)).astype(np.uint8))


def veiled(picture: Picture, most: float) -> Picture:
    height, width = picture.shape[:2]
    from_left = np.linspace(most, most / 4, width, dtype=np.float32)
    from_above = np.linspace(1, 0.6, height, dtype=np.float32)
    added = (from_above[:, None] * from_left)[..., None]
    return levels_of(light_of(picture) * (1 - added) + added)


def frames(installation: Any) -> list[Picture]:
    paths = sorted((PICTURES / installation.folder).glob("f*.jpg"))[1:]
    return [np.asarray(cv2.imread(str(path)), np.uint8) for path in paths]


def off(picture: Picture, other: Picture) -> float:
    """How far pictures are off each other in the middle (root scale), but for light of another strength."""
    height, width = picture.shape[:2]
    middle = np.s_[height // 4 : -height // 4 : 4, width // 4 : -width // 4 : 4]
    one, two = (np.float64(each[middle]) + DARK_OFFSET for each in (picture, other))
    return float(np.abs(np.sqrt(one * np.median(two / one)) - np.sqrt(two)).mean())


def told(picture: Picture, calibration: Calibration, known: Tones | None = None) -> Tones:
    found = tones_of(picture, calibration, known)
    assert found is not None
    return found


@pytest.mark.parametrize("curve", CURVES)
def test_tones_become_those_of_the_empty_board_whatever_lies_on_it(
    installation: Any, found: Calibration, curve: str
) -> None:
    for picture in frames(installation):
        changed = toned(picture, curve)
        tones = told(changed, found)
        assert tones.change is not None
        assert off(tones.undone(changed), picture) < min(0.2, off(changed, picture) / 3)


@pytest.mark.parametrize("most", [0.1, 0.3])
def test_a_veil_that_lies_over_one_side_more_than_over_the_other_is_lifted(
    installation: Any, found: Calibration, most: float
) -> None:
    for picture in frames(installation):
        changed = veiled(picture, most)
        tones = told(changed, found)
        assert isinstance(tones.change, Veil)
        assert off(tones.undone(changed), picture) < min(0.3, off(changed, picture) / 3)


def test_a_picture_is_left_as_it_was_taken_where_no_tones_have_changed(installation: Any, found: Calibration) -> None:
    for number, picture in enumerate(frames(installation)):
        assert tones_of(picture, found) is None
        for change in (exposed_otherwise, at_another_hour, in_shadow, in_sunlight, noisy):
            lit = change(picture, np.random.default_rng(number))
            tones = tones_of(lit, found)
            assert tones is None or tones.undone(lit) is lit, change


def test_what_was_told_of_a_picture_holds_for_the_next_one_and_no_longer_than_it_is_so(
    installation: Any, found: Calibration
) -> None:
    first, second, *_ = frames(installation)
    darker = told(toned(first, "darker"), found)
    assert told(toned(second, "darker"), found, darker) is darker
    assert isinstance(told(veiled(second, 0.3), found, darker).change, Veil)
    assert isinstance(told(toned(second, "lighter"), found, darker).change, Curve)
    assert tones_of(second, found, darker) is None


def test_what_no_tones_explain_is_not_looked_for_again_while_it_is_the_same(
    installation: Any, found: Calibration, monkeypatch: pytest.MonkeyPatch
) -> None:
    parts = zip(np.hsplit(frames(installation)[0], 8), 4 * ("darker", "lighter"), strict=True)
    picture = np.hstack([toned(part, curve) for part, curve in parts])
    unexplained = told(picture, found)
    assert unexplained.change is None
    monkeypatch.setattr("calibration.light.tones.veil_told", None)  # which is looked for first
    assert told(picture, found, unexplained) is unexplained


def test_nothing_is_told_of_a_board_that_is_covered_or_elsewhere(found: Calibration) -> None:
    covered = [np.full_like(found.empty, grey) for grey in (0, 90, 255)]
    elsewhere = np.ascontiguousarray(np.roll(toned(found.start, "darker"), 60, axis=1))
    for picture in (*covered, elsewhere):
        tones = tones_of(picture, found)
        assert tones is None or tones.undone(picture) is picture


def test_where_nothing_changes_but_light_and_checkers_no_other_tones_are_given(installation: Any) -> None:
    empty, start = installation.empty, installation.start
    assert with_tones_of(start, empty) is empty
    for number, change in enumerate((exposed_otherwise, at_another_hour, in_shadow, in_sunlight, noisy)):
        assert with_tones_of(change(start, np.random.default_rng(number)), empty) is empty
        assert with_tones_of(np.zeros_like(start), empty) is empty


def test_a_search_in_which_a_value_makes_no_difference_ends() -> None:
    ends_at = least_squares(lambda values: values[:1] - 1, np.array([3.0, 7.0]), np.full(2, 1e-3), 1e-2, 5, 3)
    assert ends_at.tolist() == [3.0, 7.0]
