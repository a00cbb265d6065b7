"""Dice in pictures without a board: what they show, whatever the camera, and nothing where none lies."""

from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from boardctl.vision.dice.alone import MOST_CONFIDENCE, DieAlone, dice_alone
from boardctl.vision.measuring.truth import read_truth

PICTURES = Path(__file__).parents[2] / "data" / "vision" / "dice"
NAMES = sorted(path.stem for path in PICTURES.glob("*.json"))
MOST_OFF = 0.6
"""What is found nearer to a true die's middle than this part of its width is that die."""


def shown(name: str) -> tuple[NDArray[np.uint8], list[tuple[int, tuple[float, float]]]]:
    """Gets a picture, and value and place of the dice in it that lie flat and are seen whole."""
    true = read_truth(PICTURES / f"{name}.json")
    dice = [
        (die["value"], (float(die["center_px"][0]), float(die["center_px"][1])))
        for die in true.truth["dice"]
        if die["flat"] and die["in_image"] and die["visible_frac"] > 0.9
    ]
    return true.picture(), dice


def right_and_wrong(found: tuple[DieAlone, ...], true: list[tuple[int, tuple[float, float]]]) -> tuple[int, int]:
    """Gets how many of the true dice were told with their value, and with another."""
    right = wrong = 0
    for value, (x, y) in true:
        near = [die for die in found if np.hypot(die.center_px[0] - x, die.center_px[1] - y) < MOST_OFF * die.width_px]
        right += any(die.value == value for die in near)
        wrong += any(die.value not in (value, None) for die in near)
    return right, wrong


def test_most_values_are_told_and_none_is_wrong() -> None:
    results = [(right_and_wrong(dice_alone(picture), true), len(true)) for picture, true in map(shown, NAMES)]
    assert sum(wrong for (_, wrong), _ in results) == 0
    assert sum(right for (right, _), _ in results) >= 0.8 * sum(count for _, count in results)


@pytest.mark.parametrize("larger", [2.5, 6.0])
def test_dice_are_read_however_large_they_are_and_their_pips_are_none(larger: float) -> None:
    picture, true = shown("d003")
    left, top = (int(min(place[axis] for _, place in true)) - 40 for axis in (0, 1))
    right, bottom = (int(max(place[axis] for _, place in true)) + 40 for axis in (0, 1))
    part = picture[max(top, 0) : bottom, max(left, 0) : right]
    near = cv2.resize(part, None, fx=larger, fy=larger, interpolation=cv2.INTER_CUBIC)
    moved = [(value, ((x - max(left, 0)) * larger, (y - max(top, 0)) * larger)) for value, (x, y) in true]
    found = dice_alone(np.asarray(near, dtype=np.uint8))
    assert right_and_wrong(found, moved) == (len(true), 0)
    assert len(found) == len(true)


def test_nothing_is_told_surely_without_a_camera() -> None:
    picture, _ = shown("d003")
    assert all(die.confidence <= MOST_CONFIDENCE for die in dice_alone(picture))


@pytest.mark.parametrize("grey", [0, 128, 255])
def test_no_dice_are_seen_where_none_lies(grey: int) -> None:
    noise = np.random.default_rng(grey).normal(grey, 6, (480, 640, 3))
    assert dice_alone(np.clip(noise, 0, 255).astype(np.uint8)) == ()


def test_a_picture_too_small_for_a_die_holds_none() -> None:
    assert dice_alone(np.zeros((20, 30, 3), dtype=np.uint8)) == ()
