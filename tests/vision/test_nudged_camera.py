"""Boards are read through a camera that was nudged as through one that was not; each frame costs what it did."""

from dataclasses import replace
from random import Random

import numpy as np
import pytest
from numpy.typing import NDArray

from boardctl.rules import Placement, Seat, bar, point
from boardctl.rules.games import GAMES
from boardctl.virtual import VirtualTable
from boardctl.virtual.world import set_up
from boardctl.vision import nudged_camera
from boardctl.vision.frame import FrameReader, read_frame
from boardctl.vision.game_eyes import eyes_for
from boardctl.vision.measuring.later_changes import Nudge
from boardctl.vision.nudged_camera import AS_CALIBRATED, Following
from calibration import Calibration, calibrate
from calibration.drift import View

Picture = NDArray[np.uint8]

A, B, C, D = Seat
STACKS = {point(2): (A, A), point(3): (B,) * 3, point(9): (A,), point(14): (B, B), point(24): (B,), bar(A): (A,)}


def laid(table: VirtualTable, stacks: dict[object, tuple[Seat, ...]]) -> Picture:
    table.world = set_up(replace(table.world, dice=(), hands=()), Placement(stacks), Random(1))
    return table.picture()


def nudge(picture: Picture, number: int = 3) -> Nudge:
    return Nudge.drawn(picture.shape[1], picture.shape[0], np.random.default_rng(number))


@pytest.fixture(scope="module")
def plain() -> tuple[VirtualTable, Calibration]:
    table = VirtualTable(GAMES["backgammon"], look="walnut", seed=5)
    return table, calibrate(table.empty_frame(), table.starting_frame())


def test_a_board_is_read_through_a_camera_that_was_nudged(plain: tuple[VirtualTable, Calibration]) -> None:
    table, calibration = plain
    reader, picture = FrameReader(calibration), laid(table, STACKS)
    assert reader.read(picture).memory.following == AS_CALIBRATED
    moved = nudge(picture)
    assert read_frame(moved.picture(picture), calibration).board.at(point(2)).hidden
    for number in (3, 4):
        reading = reader.read(nudge(picture, number).picture(picture))
        assert reading.view is not None
        assert reading.view.holds
        assert reading.view.followed_px > 2.0
        for place, stack in STACKS.items():
            assert reading.board.at(place).best == stack, place
            assert reading.board.at(place).confidence > 0.9, place
    back = reader.read(picture)
    assert back.view is not None
    assert back.view.followed_px < 1.0
    assert back.board.at(point(2)).best == (A, A)


def test_a_camera_that_was_moved_too_far_is_told_and_nothing_is_read(plain: tuple[VirtualTable, Calibration]) -> None:
    table, calibration = plain
    picture = laid(table, STACKS)
    away = np.roll(picture, picture.shape[1] // 25, axis=1)
    reading = FrameReader(calibration).read(away)
    assert reading.view is not None
    assert not reading.view.holds
    assert reading.board.at(point(2)).hidden


def test_four_colours_are_told_apart_by_a_camera_that_was_nudged() -> None:
    table = VirtualTable(GAMES["multigam"], look="walnut", seed=5)
    eyes = eyes_for(table.game, calibrate(table.empty_frame(), table.starting_frame()), table.game_frame())
    stacks = {point(1): (A,), point(2): (B, B), point(4): (C, C), point(6): (D,), bar(A): (A,) * 4, bar(C): (C,) * 3}
    picture = laid(table, stacks)
    board = eyes(nudge(picture).picture(picture)).board
    for place, stack in stacks.items():
        assert board.at(place).best == stack, place


def off(x: float, y: float, moved: bool = False) -> View:
    return View((x, y), 1.0, (1.0, 1.0, 1.0), moved)


@pytest.mark.parametrize(
    ("views", "times"),
    [
        ((off(2.5, 0), off(0, 2.5), off(0, 0), off(0, 2.5), off(0, 2.4), off(0, 2.5), off(0, 2.5)), 1),
        ((off(9.0, 1.0, moved=True),) * 3, 3),
    ],
    ids=["a little off: two frames in a row, tried once", "the calibration does not hold: tried in each"],
)
def test_a_camera_that_cannot_be_followed_is_tried(
    plain: tuple[VirtualTable, Calibration], monkeypatch: pytest.MonkeyPatch, views: tuple[View, ...], times: int
) -> None:
    _, calibration = plain
    tried: list[Calibration | None] = []
    monkeypatch.setattr(nudged_camera, "followed", lambda _, __, known: tried.append(known))
    state = Following()
    for view in views:
        state = state.after(calibration, calibration.start, view)
    assert tried == [calibration] * times
    assert state.calibration is None


def test_a_picture_that_does_not_tell_where_it_was_taken_changes_nothing(
    plain: tuple[VirtualTable, Calibration],
) -> None:
    _, calibration = plain
    known = Following(calibration)
    assert known.after(calibration, calibration.start, View(None, 0.1, (1.0, 1.0, 1.0))) == known
