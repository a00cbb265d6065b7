"""Boards in physically rendered pictures: what lies where, what is hidden, and how sure that is."""

from typing import Any

import numpy as np
import pytest

from boardctl.referee.readings import BoardReading, PlaceReading
from boardctl.rules import Seat, bar, point, tray
from boardctl.vision import read_board
from boardctl.vision.points.columns import STRIPS, reference_strips
from calibration import CalibrationError

VOUCHED = 0.8

FRAMES = [("green", frame) for frame in ("f03", "f06", "f09", "f12", "f13")] + [("brown", "f10")]


@pytest.fixture(params=FRAMES, ids=lambda pair: f"{pair[0]}-{pair[1]}")
def shot(request: pytest.FixtureRequest) -> tuple[dict[str, Any], BoardReading]:
    name, frame = request.param
    shots = request.getfixturevalue(name)
    return shots.truth(frame), read_board(shots.picture(frame), shots.calibration)


def true_stack(truth: dict[str, Any], number: int) -> tuple[Seat, ...]:
    place = truth["points"][str(number)]
    return (Seat(place["color"]),) * place["count"] if place["count"] else ()


def points(reading: BoardReading) -> list[tuple[int, PlaceReading]]:
    return [(number, reading.at(point(number))) for number in range(1, 25)]


def test_what_is_in_sight_is_read_right(shot: tuple[dict[str, Any], BoardReading]) -> None:
    truth, reading = shot
    in_sight = [(n, place) for n, place in points(reading) if not truth["points"][str(n)]["occluded"]]
    read = [(n, place) for n, place in in_sight if place.confidence >= VOUCHED]
    assert [(n, place.best) for n, place in read if place.best != true_stack(truth, n)] == []
    assert len(in_sight) - len(read) <= (2 if reading.hand else 1)  # careful beside a hand and with a second layer


def test_nothing_wrong_is_said_with_confidence(shot: tuple[dict[str, Any], BoardReading]) -> None:
    truth, reading = shot
    sure = [(n, place) for n, place in points(reading) if place.confidence > 0.95]
    assert [(n, place.best) for n, place in sure if place.best != true_stack(truth, n)] == []


def test_points_well_under_a_hand_are_hidden(shot: tuple[dict[str, Any], BoardReading]) -> None:
    truth, reading = shot
    covered = [n for n in range(1, 25) if truth["points"][str(n)]["occluded_frac"] >= 0.5]
    assert [n for n in covered if not reading.at(point(n)).hidden] == []
    assert reading.hand or not covered


def test_the_bar_is_read_right(shot: tuple[dict[str, Any], BoardReading]) -> None:
    truth, reading = shot
    if not truth["bar_occluded"]:
        assert {seat: len(reading.at(bar(seat)).best or ()) for seat in (Seat.A, Seat.B)} == truth["bar"]


def test_a_tray_that_holds_checkers_is_never_called_empty(shot: tuple[dict[str, Any], BoardReading]) -> None:
    truth, reading = shot
    for seat in (Seat.A, Seat.B):
        assert (reading.at(tray(seat)).best == ()) <= (truth["off"][seat] == 0)


def test_the_empty_board_is_read_as_empty(green: Any) -> None:
    reading = read_board(green.calibration.empty, green.calibration)
    assert all(place.best == () for _, place in points(reading))
    assert not reading.hand


def test_a_dimmer_light_changes_nothing(green: Any) -> None:
    dimmer = np.clip(green.picture("f03") * 0.88, 0, 255).astype(np.uint8)
    bright = read_board(green.picture("f03"), green.calibration)
    dim = read_board(dimmer, green.calibration)
    assert [place.best for _, place in points(dim)] == [place.best for _, place in points(bright)]


def test_a_covered_camera_vouches_for_nothing_wrong(green: Any) -> None:
    black = np.full_like(green.picture("f03"), 3)
    reading = read_board(black, green.calibration)
    assert not [n for n, place in points(reading) if not place.hidden and place.confidence > 0.95]


def test_a_picture_of_another_size_is_refused(green: Any) -> None:
    with pytest.raises(CalibrationError, match=r"640x360.*1280x720"):
        read_board(np.zeros((360, 640, 3), np.uint8), green.calibration)


def test_strips_show_the_starting_position_in_their_first_slots(green: Any) -> None:
    reference = reference_strips(green.calibration)
    start = reference.cutter.cut(green.calibration.start).astype(int)
    assert start.shape[0] == STRIPS
    change = np.abs(start - reference.empty.astype(int)).max(axis=-1)[:, 8:-8].reshape(STRIPS, -1, 32)
    held = {24: 2, 13: 5, 8: 3, 6: 5, 1: 2, 12: 5, 17: 3, 19: 5}
    for number in range(1, 25):
        first_slot = np.median(change[number - 1, :14, 10:22])
        assert (first_slot > 25) == (number in held), number
