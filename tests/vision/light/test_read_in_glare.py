"""Below a lamp that is mirrored in the board checkers lie unseen: nothing is told of a place that seems bare there."""

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray
from test_cut_levels import GEOMETRY, Table

from boardctl.rules import Backgammon, Place, Placement, Seat, Stack, bar, point
from boardctl.virtual.looks import LOOKS
from boardctl.vision.frame import read_frame
from boardctl.vision.light import cut_levels
from boardctl.vision.light.glare import glaring_points
from boardctl.vision.measuring.poor_cameras import mirroring_lamp
from boardctl.vision.points.reading import VOUCHED
from boardctl.vision.report import as_record
from calibration import Calibration

Picture = NDArray[np.uint8]
A, B = Seat.A, Seat.B
DAZZLED = 4
"""The point on which the lamp is mirrored; B's three checkers lie on it."""
STACKS: dict[Place, Stack] = {point(DAZZLED): (B, B, B), point(9): (A,), point(15): (B, B), point(22): (A, A, A)}


def mirroring(picture: Picture, calibration: Calibration, at_mm: tuple[float, float]) -> Picture:
    """Gets a picture with a lamp mirrored at a place of the board, so wide that it covers a row of three checkers."""
    ((x, y),) = calibration.camera.project([(*at_mm, 0.0)])
    return mirroring_lamp(picture, (x, y), calibration.camera.seen_px(75.0))


class DazzledTable(Table):
    """A board in which a lamp is mirrored, and pictures of it."""

    def __init__(self, at_mm: tuple[float, float]) -> None:
        super().__init__(LOOKS["walnut"])
        plain = self.calibration
        self.at_mm = at_mm
        empty, start = (mirroring(each, plain, at_mm) for each in (plain.empty, plain.start))
        self.dazzled = Calibration.of(plain.camera, GEOMETRY, empty, start)

    def seen(self, placement: Placement) -> Picture:
        return mirroring(self.laid(placement), self.calibration, self.at_mm)


@pytest.fixture(scope="module")
def table() -> DazzledTable:
    return DazzledTable(GEOMETRY.on_point(DAZZLED, 1)[:2])


def test_a_point_in_glare_that_seems_bare_is_hidden(table: DazzledTable) -> None:
    reading = read_frame(table.seen(Placement(STACKS)), table.dazzled)
    told = reading.board.at(point(DAZZLED))
    assert told.hidden
    assert told.too_bright
    assert told.best is None
    assert told.likeliest is None or told.likeliest.likelihood <= VOUCHED
    record = as_record("f", reading, 0.0)
    assert DAZZLED in record["too_bright"]
    assert DAZZLED in record["hidden"]
    far = [place for place in STACKS if place.number is not None and place.number > 6]
    assert all(reading.board.at(place).best == STACKS[place] for place in far)
    assert not any(reading.board.at(point(number)).too_bright for number in range(8, 25))


def test_without_that_it_was_told_to_be_bare(table: DazzledTable, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cut_levels, "without_glare", lambda board, _: board)
    told = read_frame(table.seen(Placement(STACKS)), table.dazzled).board.at(point(DAZZLED))
    assert told.best == ()
    assert told.confidence > VOUCHED


def test_nothing_is_told_of_a_bar_in_glare() -> None:
    table = DazzledTable((0.0, 60.0))
    laid = Backgammon().start().placement()
    told = read_frame(table.seen(laid), table.dazzled).board
    assert all(told.at(bar(seat)).hidden and told.at(bar(seat)).too_bright for seat in (A, B))


def test_it_is_known_at_which_points_glare_hides_what_lies_there(table: DazzledTable) -> None:
    assert DAZZLED in glaring_points(table.dazzled)
    assert max(glaring_points(table.dazzled)) <= 7
    assert glaring_points(table.calibration) == []


def test_what_a_hand_hides_is_not_said_to_be_too_bright(table: DazzledTable) -> None:
    board = read_frame(table.seen(Placement(STACKS)), table.dazzled).board
    below_a_hand = replace(board, places=tuple(replace(each, hidden=True, too_bright=False) for each in board.places))
    told = cut_levels.without_glare(below_a_hand, table.dazzled)
    assert all(each.hidden and not each.too_bright for each in told.places)
