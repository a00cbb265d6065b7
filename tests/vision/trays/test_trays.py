"""Trays on a drawn board: checkers on edge and lying are counted, and what is neither is not."""

from dataclasses import replace
from random import Random
from typing import Any

import cv2
import numpy as np
import pytest

from boardctl.referee.readings import PlaceReading, StackChance
from boardctl.rules import Backgammon, Placement, Seat, tray
from boardctl.virtual.drawing.brush import Picture
from boardctl.virtual.drawing.render import Renderer
from boardctl.virtual.looks import LOOKS
from boardctl.virtual.unseen.looks import drawn_installation
from boardctl.virtual.world import empty_world, set_up
from boardctl.vision.points.strip_reading import BARE_LOGITS
from boardctl.vision.trays.reading import RUN_POSSIBLE, RUN_SEEN, read_trays, see_trays, tray_reading
from boardctl.vision.trays.runs import RunReading
from calibration import BoardGeometry, Calibration

A, B = Seat.A, Seat.B


class DrawnBoard:
    """A drawn board whose camera is known."""

    def __init__(self, look: str) -> None:
        geometry = BoardGeometry()
        self._random = Random(3)
        self._renderer = Renderer(LOOKS[look], geometry, 3)
        self._empty = empty_world(geometry, self._random)
        start = Backgammon().start().placement()
        self.calibration = Calibration.of(
            self._renderer.stage.camera, geometry, self._renderer.frame(self._empty), self.picture(start)
        )

    def picture(self, placement: Placement) -> np.ndarray:
        return self._renderer.frame(set_up(self._empty, placement, self._random))

    def borne_off(self, a: int, b: int) -> np.ndarray:
        return self.picture(Placement({tray(seat): (seat,) * count for seat, count in ((A, a), (B, b)) if count}))

    def read(self, picture: np.ndarray) -> tuple[PlaceReading, PlaceReading]:
        mine, theirs = read_trays(picture, self.calibration)
        return mine, theirs


@pytest.fixture(scope="module", params=["green-felt", "cork"])
def board(request: pytest.FixtureRequest) -> DrawnBoard:
    return DrawnBoard(request.param)


@pytest.mark.parametrize(("a", "b"), [(2, 3), (4, 9), (7, 5), (12, 15)])
def test_checkers_on_edge_are_counted(board: DrawnBoard, a: int, b: int) -> None:
    readings = board.read(board.borne_off(a, b))
    assert [len(reading.best or ()) for reading in readings] == [a, b]
    assert [set(reading.best or ()) for reading in readings] == [{A}, {B}]


def test_one_more_or_less_stays_possible(board: DrawnBoard) -> None:
    mine, _ = board.read(board.borne_off(9, 0))
    assert 0 < mine.likelihood((A,) * 8) + mine.likelihood((A,) * 10) < mine.confidence < 0.99


def test_an_empty_tray_is_empty(board: DrawnBoard) -> None:
    assert [reading.best for reading in board.read(board.borne_off(0, 0))] == [(), ()]


def test_a_tray_with_one_checker_is_never_called_empty(board: DrawnBoard) -> None:
    for reading in board.read(board.borne_off(1, 1)):
        assert reading.hidden or reading.best != ()


def test_a_sleeve_over_a_tray_hides_it(board: DrawnBoard) -> None:
    picture = board.borne_off(0, 6)
    x, y = board.calibration.camera.project([(board.calibration.geometry.tray_x_mm(), 60.0, 20.0)])[0]
    cv2.circle(picture, (round(x), round(y)), 130, (70, 60, 130), -1)
    _, theirs = board.read(picture)
    assert theirs.hidden or theirs.best == (B,) * 6


def test_nothing_wrong_is_said_surely_of_trays_in_renders(green: Any) -> None:
    held = 0
    for frame in ("f03", "f06", "f09", "f12", "f13"):
        truth = green.truth(frame)["off"]
        for seat, reading in zip((A, B), read_trays(green.picture(frame), green.calibration), strict=True):
            held += truth[seat.value]
            assert reading.confidence < 0.95 or len(reading.best or ()) == truth[seat.value], (frame, seat)
    assert held


def test_a_single_checker_on_edge_is_told_but_not_surely(board: DrawnBoard) -> None:
    for reading, seat in zip(board.read(board.borne_off(1, 1)), (A, B), strict=True):
        assert reading.best == (seat,)
        assert 0.5 < reading.confidence < 0.95


def test_a_checker_on_edge_that_hardly_shows_in_the_strip_of_a_row_leaves_its_tray_not_empty() -> None:
    """Of the colour of its tray, and narrow against it: the network is not asked of the strip at all."""
    installation = drawn_installation(8001, 12)
    random, renderer = Random(3), Renderer(installation.look, installation.geometry, 3)
    bare = empty_world(installation.geometry, random)

    def picture(placement: Placement) -> Picture:
        return renderer.frame(set_up(bare, placement, random))

    start = picture(Backgammon().start().placement())
    calibration = Calibration.of(renderer.stage.camera, installation.geometry, renderer.frame(bare), start)
    (empty, one) = (picture(Placement(held)) for held in ({}, {tray(B): (B,)}))
    assert read_trays(empty, calibration)[1].best == ()
    assert see_trays(one, calibration).strips.looked_at.tolist() == [False, False], "else this tells nothing"
    assert read_trays(one, calibration)[1].best == (B,)
    assert read_trays(one, calibration)[0].best == ()


def test_a_row_of_one_that_may_be_a_run_of_three_is_told_as_neither() -> None:
    row = PlaceReading(tray(B), (StackChance((B,), 0.88), StackChance((), 0.01)))
    standing = np.zeros(16)
    standing[1:4] = (0.05, 0.45, 0.5)
    run = RunReading(standing, RUN_SEEN - 0.5, start_changed=True)
    reading = tray_reading(B, row, run, BARE_LOGITS)
    assert reading.confidence < 0.5
    assert reading.likelihood((B,) * 3) > 0.2
    assert tray_reading(B, row, replace(run, start_changed=False), BARE_LOGITS).best == (B,)
    assert tray_reading(B, row, replace(run, fit=RUN_POSSIBLE - 0.5), BARE_LOGITS).best == (B,)
