"""Tables with a pattern of what looks like dice: true dice are found on the board all the same, and none beside it."""

from dataclasses import replace
from functools import cache
from random import Random

import numpy as np
import pytest

from boardctl.referee.readings import Support
from boardctl.rules import Backgammon
from boardctl.virtual.drawing.brush import Picture
from boardctl.virtual.drawing.render import Renderer
from boardctl.virtual.unseen.looks import Installation, cluttered, drawn_installation
from boardctl.virtual.unseen.tables import scenes_of
from boardctl.virtual.world import World, empty_world, set_up
from boardctl.vision.dice import calibrated as dice_calibrated
from boardctl.vision.dice import reading as dice
from boardctl.vision.dice.calibrated import dice_of_empty_board, prepare, read_dice, scan_of_empty_board
from boardctl.vision.dice.fixed import XY, Background
from boardctl.vision.dice.look import DieView, Sight
from boardctl.vision.dice.memory import ScanSeen, new_in_scan
from boardctl.vision.dice.reading import LEAST_SCAN
from boardctl.vision.dice.scan import ScanFrame, die_peaks
from boardctl.vision.dice.size import DieSize
from calibration import BoardGeometry, Calibration

SEED, CHECKED, PLAIN = 11001, 8, 1
COMMON_MM = 13.5


@cache
def board(number: int) -> Installation:
    return cluttered(drawn_installation(SEED, number))


@cache
def renderer(number: int) -> Renderer:
    return Renderer(board(number).look, board(number).geometry, 0)


def shown(number: int, world: World) -> Picture:
    return renderer(number).frame(world)


@cache
def calibrated(number: int) -> Calibration:
    """Calibrates with all things beside the board, as if its dice were of the common size."""
    one, random = board(number), Random(3)
    bare = replace(empty_world(one.geometry, random, cube=False), things=one.beside)
    start = set_up(bare, Backgammon().start().placement(), random)
    empty, full = (shown(number, world) for world in (bare, start))
    return Calibration.of(one.look.camera, replace(one.geometry, die_size_mm=COMMON_MM), empty, full)


@cache
def thrown(number: int, index: int) -> World:
    """Gets a board with dice, from whose table all that lay beside it was taken."""
    [*scenes] = scenes_of(board(number), 6, number, set_up)
    return replace(scenes[index][0].world, things=(), hands=())


def test_what_a_scan_shows_where_the_empty_board_showed_it_is_left_out_and_nothing_else() -> None:
    frame = ScanFrame(0.0, 0.0, 1.0, 160, 160)
    looked, cells = np.ones((20, 20, 3), np.float32), np.full((4, 20, 20), -6.0, np.float32)
    cells[:, 4, 4] = cells[:, 15, 15] = 2.0
    empty = ScanSeen(frame, looked, cells)
    now = ScanSeen(frame, looked.copy(), cells.copy())
    now.looked[14:17, 14:17] += 2.0  # something came to lie there
    now.cells[0, 10, 4] = 2.0  # a die that a glance does not tell from the board
    told = new_in_scan(now, empty, LEAST_SCAN)
    assert [(peak.x, peak.y) for peak in die_peaks(now.cells, LEAST_SCAN, 9)] != []
    assert sorted(np.argwhere(told[0] > 0).tolist()) == [[10, 4], [15, 15]]
    assert (told[1:] == now.cells[1:]).all()
    assert new_in_scan(now, None, LEAST_SCAN) is now.cells
    assert new_in_scan(now, replace(empty, frame=ScanFrame(1.0, 0.0, 1.0, 160, 160)), LEAST_SCAN) is now.cells


def test_a_cloth_of_checks_is_no_dice_where_something_on_it_was_moved_and_the_roll_is_read(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    world = thrown(CHECKED, 2)
    picture = shown(CHECKED, world)
    told = read_dice(picture, calibrated(CHECKED)).dice
    assert sorted(die.value or 0 for die in told) == sorted(die.value for die in world.dice)
    monkeypatch.setattr(Background, "may_be_table", lambda *_: False)
    taken = read_dice(picture, calibrated(CHECKED)).dice
    assert sum(die.on is Support.OFF_BOARD for die in taken) > 0


def test_places_that_the_empty_board_showed_are_not_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    world = replace(thrown(CHECKED, 2), things=board(CHECKED).beside)
    picture = shown(CHECKED, world)
    looked: list[int] = []
    look = dice.look

    def counted(sight: Sight, geometry: BoardGeometry, spots: list[XY], is_sized: bool) -> list[DieView]:
        looked.append(len(spots))
        return look(sight, geometry, spots, is_sized)

    monkeypatch.setattr(dice, "look", counted)
    read_dice(picture, calibrated(CHECKED))
    new = sum(looked)
    looked.clear()
    monkeypatch.setattr(dice, "new_in_scan", lambda seen, *_: seen.cells)
    read_dice(picture, calibrated(CHECKED))
    assert new < 0.2 * sum(looked)


def test_a_plain_table_has_no_pattern_of_dice_and_a_die_beside_it_is_told() -> None:
    for number, is_pattern in ((PLAIN, False), (CHECKED, True)):
        calibration = calibrated(number)
        background = Background(
            calibration.empty, dice_of_empty_board(calibration, COMMON_MM), calibration.camera, calibration.geometry
        )
        assert background.may_be_table((0.0, 400.0)) is is_pattern
        assert not background.may_be_table((100.0, 0.0))


def test_no_frame_waits_for_a_look_at_the_empty_board_whatever_the_size_of_the_dice() -> None:
    calibration = calibrated(PLAIN)
    prepare(calibration)
    before = [cached.cache_info().misses for cached in (dice_of_empty_board, scan_of_empty_board)]
    for die_mm in (10.5, 12.0, 13.5, 15.5, 18.5):
        read_dice(calibration.start, calibration, size=DieSize.around(die_mm, is_given=True))
    read_dice(calibration.start, calibration)
    assert [cached.cache_info().misses for cached in (dice_of_empty_board, scan_of_empty_board)] == before
    assert len(dice_calibrated.PREPARED_STEPS) <= dice_calibrated.SIZES_KEPT
