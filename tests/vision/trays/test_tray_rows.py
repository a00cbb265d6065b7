"""Trays whose walls are wider than on common boards: checkers that lie in them are read where they lie."""

from dataclasses import replace
from random import Random

import pytest

from boardctl.rules import Backgammon, Seat, tray
from boardctl.virtual.drawing.brush import Picture
from boardctl.virtual.drawing.render import Renderer
from boardctl.virtual.looks import LOOKS
from boardctl.virtual.world import Checker, World, empty_world, set_up
from boardctl.vision.trays.reading import read_trays
from boardctl.vision.trays.rows import MIDDLES, TRAY_MIDDLE, band_of
from calibration import BoardGeometry, Calibration

A, B = Seat.A, Seat.B


class WalledBoard:
    """A drawn board with walls between field and trays that are so many checkers wide."""

    def __init__(self, wall: float) -> None:
        common = BoardGeometry()
        diameter = common.checker_diameter_mm
        self.geometry = replace(common, rail_width_mm=wall * diameter, tray_width_mm=1.15 * diameter)
        random = Random(5)
        self.renderer = Renderer(LOOKS["green-felt"], self.geometry, 5)
        self.empty = empty_world(self.geometry, random)
        start = set_up(self.empty, Backgammon().start().placement(), random)
        pictures = (self.renderer.frame(world) for world in (self.empty, start))
        self.calibration = Calibration.of(self.renderer.stage.camera, common, *pictures)

    def with_row(self, seat: Seat, count: int) -> Picture:
        geometry, inwards = self.geometry, 1.0 if seat is A else -1.0
        row = tuple(
            Checker(
                seat,
                tray(seat),
                index,
                geometry.tray_x_mm(),
                inwards * ((index + 0.5) * geometry.checker_diameter_mm - geometry.field_height_mm / 2),
                geometry.checker_height_mm / 2,
            )
            for index in range(count)
        )
        world: World = replace(self.empty, checkers=row)
        return self.renderer.frame(world)


@pytest.mark.parametrize("wall", [0.4, 0.6, 0.8])
@pytest.mark.parametrize("seat", [A, B])
def test_the_middle_of_a_tray_is_where_its_first_checker_lies(wall: float, seat: Seat) -> None:
    board = WalledBoard(wall)
    middle = band_of(board.calibration, seat).middle(board.with_row(seat, 2))
    assert middle in MIDDLES
    assert middle == pytest.approx(wall + 1.15 / 2, abs=0.08)


@pytest.mark.parametrize("wall", [0.6, 0.8])
@pytest.mark.parametrize("count", [1, 3, 4])
def test_rows_in_trays_behind_wide_walls_are_counted(wall: float, count: int) -> None:
    board = WalledBoard(wall)
    for index, seat in enumerate((A, B)):
        reading = read_trays(board.with_row(seat, count), board.calibration)[index]
        assert reading.best == (seat,) * count


def test_where_nothing_has_changed_a_tray_is_watched_as_on_common_boards() -> None:
    board = WalledBoard(0.8)
    assert [reading.best for reading in read_trays(board.renderer.frame(board.empty), board.calibration)] == [(), ()]
    assert pytest.approx(MIDDLES[1]) == TRAY_MIDDLE
