"""What is told of dice over which a hand may reach: doubted where something lies beside them that may cover them."""

from dataclasses import replace

import numpy as np
import pytest
from conftest import Shots

from boardctl.referee.readings import BoardReading, DieReading, Hand, PlaceReading, StackChance, Support, Witness
from boardctl.referee.seen.dice import READABLE
from boardctl.rules import Place, Seat, point
from boardctl.vision.dice.covered import MAY_BE_COVERED, PROBABLY_COVERED, doubted_near_hands
from boardctl.vision.frame import FIRST, read_following
from boardctl.vision.measuring.painted_hands import Die, with_hand_over

DIE_MM = 15.0
SPOT = (120.0, 0.0)
"""A place in the middle of the right half of the board, where nothing lies."""
Picture = np.ndarray[tuple[int, ...], np.dtype[np.uint8]]


def die(flat: bool | None = True, confidence: float = 1.0) -> DieReading:
    return DieReading(4, confidence, flat, Support.SURFACE, Seat.A, 0.0, (0.0, 0.0), SPOT)


def hand_over(*covered: Place, lying: dict[Place, int] | None = None) -> BoardReading:
    """Gets a board with checkers that surely lie on points, and a hand over others."""
    places = [PlaceReading(place, (), hidden=True) for place in covered]
    places += [PlaceReading(place, (StackChance((Seat.A,) * n, 0.99),)) for place, n in (lying or {}).items()]
    return BoardReading(Witness.CAMERA, tuple(places), hand=True, hands=(Hand(None, covered),))


def painted(shots: Shots, *, beyond_mm: float, half_width_mm: float, level: float | None = None) -> Picture:
    """Gets the empty board with something grey on it, or with less light there, that begins so far to the right of the
    spot and goes on in that direction."""
    picture = shots.calibration.empty.copy()
    (left, top), (right, bottom) = (
        shots.calibration.camera.project([(SPOT[0] + along, SPOT[1] + across, 0.0)])[0]
        for along, across in ((beyond_mm, -half_width_mm), (beyond_mm + 60, half_width_mm))
    )
    rows = slice(*sorted((round(top), round(bottom))))
    columns = slice(*sorted((round(left), round(right))))
    picture[rows, columns] = 200 if level is None else np.rint(picture[rows, columns] * level)
    return picture


@pytest.mark.parametrize(
    ("beyond_mm", "half_width_mm", "most"),
    [
        (2.0, 40.0, PROBABLY_COVERED),  # an arm whose edge lies over the die
        (2.0, 9.0, MAY_BE_COVERED),  # a finger
        (26.0, 40.0, 1.0),  # an arm beside it, further away than a die is wide
    ],
)
def test_what_lies_beside_a_die_near_a_hand_may_cover_it(
    green: Shots, beyond_mm: float, half_width_mm: float, most: float
) -> None:
    picture = painted(green, beyond_mm=beyond_mm, half_width_mm=half_width_mm)
    (told,) = doubted_near_hands((die(),), picture, green.calibration, hand_over(point(3), point(22)), DIE_MM)
    assert told == replace(die(), confidence=most)


def test_a_die_that_may_be_covered_is_not_said_to_lean(green: Shots) -> None:
    picture = painted(green, beyond_mm=2.0, half_width_mm=40.0)
    board = hand_over(point(3), point(22))
    (told,) = doubted_near_hands((die(flat=False, confidence=0.3),), picture, green.calibration, board, DIE_MM)
    assert told == die(flat=None, confidence=0.3)


def test_without_a_hand_and_far_from_one_dice_stay_as_they_were_read(green: Shots) -> None:
    picture = painted(green, beyond_mm=2.0, half_width_mm=40.0)
    for board in (BoardReading(Witness.CAMERA, ()), hand_over(point(12))):
        assert doubted_near_hands((die(),), picture, green.calibration, board, DIE_MM) == (die(),)


def test_the_light_shadow_of_a_hand_covers_nothing(green: Shots) -> None:
    board = hand_over(point(3), point(22))
    shaded = painted(green, beyond_mm=2.0, half_width_mm=40.0, level=0.85)
    assert doubted_near_hands((die(),), shaded, green.calibration, board, DIE_MM) == (die(),)
    for level in (0.65, 0.1):  # a hand of the board's own hue, and a black sleeve
        dark = painted(green, beyond_mm=2.0, half_width_mm=40.0, level=level)
        assert doubted_near_hands((die(),), dark, green.calibration, board, DIE_MM) != (die(),)


def test_checkers_that_surely_lie_beside_a_die_cover_nothing(green: Shots) -> None:
    geometry = green.calibration.geometry
    x, y, _ = geometry.on_point(3, 1)
    beside = replace(die(), center_mm=(x, y + 0.9 * geometry.checker_diameter_mm))
    lying = green.calibration.empty.copy()
    radius = geometry.checker_diameter_mm / 2
    for index in range(2):
        x, y, _ = geometry.on_point(3, index)
        spots = [(x + sx * radius, y + sy * radius, 0.0) for sx in (-1, 1) for sy in (-1, 1)]
        pixels = np.rint(green.calibration.camera.project(spots)).astype(int)
        (left, top), (right, bottom) = pixels.min(axis=0), pixels.max(axis=0)
        lying[top:bottom, left:right] = 200
    known = hand_over(point(4), lying={point(3): 2})
    unknown = hand_over(point(4), point(3))
    assert doubted_near_hands((beside,), lying, green.calibration, known, DIE_MM) == (beside,)
    assert doubted_near_hands((beside,), lying, green.calibration, unknown, DIE_MM) != (beside,)


def test_of_dice_under_painted_hands_no_roll_is_taken(green: Shots) -> None:
    die_px, checker_px = 17.0, green.calibration.camera.seen_px(green.calibration.geometry.checker_diameter_mm)
    picture = green.picture("f12")
    before = read_following(picture, green.calibration, FIRST)
    found = 0
    for each in green.truth("f12")["dice"]:
        middle = (float(each["center_px"][0]), float(each["center_px"][1]))
        for seed in range(4):
            rng = np.random.default_rng(seed)
            shown = with_hand_over(picture, Die(middle, die_px, checker_px), (0.0, -1.0), 0.1, rng)
            after = read_following(shown, green.calibration, before.memory)
            assert after.hand
            for read in after.dice.dice:
                if np.hypot(*np.subtract(read.center_px, middle)) < die_px:
                    found += 1
                    assert read.confidence < READABLE
                    assert read.flat is not False
    assert found >= 3
