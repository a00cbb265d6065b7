"""From what lies in each slot to stacks and how likely they are."""

import cv2
import numpy as np
import pytest
from conftest import Shots
from numpy.typing import NDArray

from boardctl.referee.readings import PlaceReading
from boardctl.rules import Seat, bar, point
from boardctl.vision.points.reading import GOES_ON_UNSEEN, bar_readings, point_reading, read_points_and_bar
from boardctl.vision.points.row_counts import EVIDENCE_TRUSTED, MISLED, ONE_MORE, TRAINED_FULL
from boardctl.vision.points.strip_reading import HAND, LAYERS

NOTHING, A1, A2, B1 = 0, 1, 2, 1 + LAYERS
A, B = Seat.A, Seat.B


def seen(slots: list[int], hands: tuple[int, ...] = (), sure: float = 12.0) -> NDArray[np.float64]:
    """What the network says of seven slots when it is sure of each."""
    logits = np.zeros((HAND + 1, 7))
    logits[HAND] = -12.0
    for slot, thing in enumerate([*slots, *[NOTHING] * (7 - len(slots))]):
        logits[thing, slot] = sure
    for slot in hands:
        logits[:HAND, slot] = 0.0
        logits[HAND, slot] = 12.0
    return logits


def read(slots: list[int], hands: tuple[int, ...] = ()) -> PlaceReading:
    return point_reading(point(6), seen(slots, hands))


def test_a_bare_strip_is_an_empty_point() -> None:
    reading = read([])
    assert reading.best == ()
    assert reading.confidence > 0.999
    assert not reading.hidden


def test_a_row_is_counted_to_its_end() -> None:
    assert read([A1, A1, A1]).best == (A, A, A)
    assert read([B1]).best == (B,)


def test_a_second_layer_counts() -> None:
    assert read([A2, A1, A1, A1, A1]).best == (A,) * 6


def test_one_doubtful_layer_is_told_as_two_chances() -> None:
    logits = seen([A1, A1, A1, A1, A1])
    logits[A2, 0] = logits[A1, 0] + np.log(TRAINED_FULL[1]) - np.log(ONE_MORE) / EVIDENCE_TRUSTED
    reading = point_reading(point(6), logits)
    usual = 1 - ONE_MORE, (1 - ONE_MORE) * ONE_MORE
    for count, before_looking in zip((5, 6), usual, strict=True):
        expected = (1 - MISLED) * 0.5 + MISLED * before_looking
        assert reading.likelihood((A,) * count) == pytest.approx(expected, abs=0.02)


def test_of_a_full_row_nobody_is_as_sure_as_of_a_short_one() -> None:
    assert 0.9 < read([A1] * 5).confidence <= 1 - MISLED * ONE_MORE < 0.95
    assert read([A1] * 4).confidence > 0.99


def test_a_second_layer_on_a_short_row_needs_more_evidence_than_on_a_full_one() -> None:
    def doubled(length: int) -> float:
        logits = seen([A1] * length)
        logits[A2, 0] = logits[A1, 0]
        return point_reading(point(6), logits).likelihood((A,) * (length + 1))

    assert doubled(3) < 0.05 < 0.25 < doubled(5)


def seen_closer(slots: list[int]) -> NDArray[np.float64]:
    """What a closer look says that is sure how many checkers lie in each slot of a full row."""
    closer = np.zeros((LAYERS, len(slots)))
    for slot, checkers in enumerate(slots):
        closer[1:, slot] = -8.0
        closer[checkers - 1, slot] = 8.0 * (checkers > 1)
    return closer


@pytest.mark.parametrize("slots", [[3, 2, 2, 2, 1], [2, 2, 2, 2, 2]])
def test_a_third_layer_begins_when_all_hollows_of_a_row_are_filled_or_all_its_checkers_covered(
    slots: list[int],
) -> None:
    strips_say = seen([A1 - 1 + checkers for checkers in slots])
    assert point_reading(point(6), strips_say, closer=seen_closer(slots)).best == (A,) * 10


def test_a_slot_on_which_a_second_layer_is_seen_is_held_by_a_checker_below() -> None:
    logits = seen([A2, A2, A1, A1, A1])
    logits[NOTHING, 1] = logits[A2, 1]
    doubted = point_reading(point(6), logits, closer=seen_closer([1] * 5))
    told = point_reading(point(6), logits, closer=seen_closer([2, 2, 1, 1, 1]))
    assert sum(chance.likelihood for chance in doubted.chances) < 0.6
    assert sum(chance.likelihood for chance in told.chances) > 0.9
    assert told.best == (A,) * 7


def test_a_gap_in_a_row_is_vouched_for_by_nobody() -> None:
    assert read([A1, NOTHING, A1]).confidence < 0.01


def test_two_seats_in_one_row_are_vouched_for_by_nobody() -> None:
    assert read([A1, B1]).confidence < 0.01


def test_a_hand_over_checkers_hides_the_point() -> None:
    reading = read([A1, A1, A1], hands=(1,))
    assert reading.hidden
    assert reading.best is None


@pytest.mark.parametrize(("hand", "hides"), [(-3.0, False), (-1.3, True), (0.5, True)])
def test_a_hand_that_may_well_lie_over_checkers_hides_the_point(hand: float, hides: bool) -> None:
    """By logits of 5, 21 and 62 in a hundred."""
    logits = seen([A1, A1, A1])
    logits[HAND, 1] = hand
    assert point_reading(point(6), logits).hidden is hides


def test_a_hand_over_a_bare_point_hides_it() -> None:
    assert read([], hands=(3,)).hidden


def test_a_hand_beyond_the_bare_end_of_a_row_hides_nothing() -> None:
    reading = read([A1, A1], hands=(4, 5))
    assert reading.best == (A, A)
    assert reading.confidence > 0.99


def test_a_hand_at_the_end_of_a_row_leaves_doubt() -> None:
    reading = read([A1, A1], hands=(2, 3))
    assert reading.confidence < 0.5


def test_what_lies_over_the_middle_hides_no_row_of_five() -> None:
    reading = read([A1] * 5, hands=(5, 6))
    assert reading.best == (A,) * 5
    assert 0.8 < reading.confidence < read([A1] * 5).confidence


@pytest.mark.parametrize("sure", [0.5, 1.0, 3.0])
def test_chances_never_add_up_to_more_than_one(sure: float) -> None:
    reading = point_reading(point(6), seen([A1, A2, B1, NOTHING, A1], sure=sure))
    assert sum(chance.likelihood for chance in reading.chances) <= 1 + 1e-9
    likelihoods = [chance.likelihood for chance in reading.chances]
    assert likelihoods == sorted(likelihoods, reverse=True)


def test_checkers_anywhere_on_the_bar_are_counted_by_seat() -> None:
    readings = bar_readings(np.stack([seen([NOTHING, A1]), seen([B1, NOTHING, B1])]))
    assert [(reading.place, reading.best) for reading in readings] == [(bar(A), (A,)), (bar(B), (B, B))]


def test_a_hand_over_the_bar_hides_both_bars() -> None:
    readings = bar_readings(np.stack([seen([], hands=(0,)), seen([])]))
    assert all(reading.hidden for reading in readings)


@pytest.mark.parametrize("number", [15, 17, 21])
def test_behind_a_row_where_something_lies_it_is_not_sure_that_the_row_ends(green: Shots, number: int) -> None:
    picture = green.picture("f06")
    camera, geometry = green.calibration.camera, green.calibration.geometry
    (before,) = (
        place for place in read_points_and_bar(picture, green.calibration).places if place.place == point(number)
    )
    assert before.best is not None
    assert before.confidence > 0.99
    x, y, z = geometry.on_point(number, len(before.best))
    radius, turns = 0.46 * geometry.checker_diameter_mm, np.linspace(0, 2 * np.pi, 60)
    rim = camera.project([(x + radius * np.cos(turn), y + radius * np.sin(turn), 2 * z) for turn in turns])
    shade = np.zeros(picture.shape[:2], np.uint8)
    cv2.fillPoly(shade, [np.rint(rim).astype(np.int32)], 1)
    picture[shade > 0] = picture[shade > 0] * 0.75
    (after,) = (
        place for place in read_points_and_bar(picture, green.calibration).places if place.place == point(number)
    )
    assert after.best == before.best
    assert after.confidence <= GOES_ON_UNSEEN
