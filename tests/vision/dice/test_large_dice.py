"""Dice far larger than usual, whose size nobody has said: in a photograph, and on the first throw of a game."""

from dataclasses import replace
from random import Random

import numpy as np
import pytest
from numpy.typing import NDArray

from boardctl.rules import Backgammon
from boardctl.virtual.drawing.render import Renderer
from boardctl.virtual.unseen.looks import drawn_installation, ornate
from boardctl.virtual.unseen.tables import scenes_of
from boardctl.virtual.world import empty_world, set_up
from boardctl.vision.dice import reading as dice
from boardctl.vision.dice.memory import ScanSeen, scan_all
from boardctl.vision.dice.reading import FoundDice, find_dice
from boardctl.vision.dice.scan import Scan
from boardctl.vision.dice.size import DieSize
from boardctl.vision.photograph.dice import dice_in_photograph
from calibration import BoardGeometry, CameraModel

ASSUMED_MM = 13.5 / 1.15
"""The usual width, where a board is taken for 15 % larger than it is."""


def scene(seed: int, number: int, picture: int) -> tuple[NDArray[np.uint8], CameraModel, BoardGeometry, list[int]]:
    """Gets a picture of the game on a board that has large dice, its camera and board, and what the dice show."""
    board = ornate(drawn_installation(seed, number))
    assert board.geometry.die_size_mm > 18
    world = [scene.world for scene, _ in scenes_of(board, 6, number, set_up)][picture]
    shown = Renderer(board.look, board.geometry, number).frame(world)
    geometry = replace(board.geometry, die_size_mm=ASSUMED_MM)
    return shown, board.look.camera, geometry, sorted(die.value for die in world.dice)


def test_both_dice_of_the_first_throw_are_found_where_one_alone_tells_that_they_are_large() -> None:
    picture, camera, geometry, values = scene(10801, 0, 2)
    found = find_dice(picture, camera, geometry, size=DieSize.around(ASSUMED_MM, is_given=False))
    assert sorted(die.value or 0 for die in found.dice) == values == [1, 5]
    assert 18 < found.size.mm < 22


def test_large_dice_are_read_in_a_photograph() -> None:
    picture, camera, geometry, values = scene(10801, 10, 3)
    found, _ = dice_in_photograph(picture, camera, geometry, lambda _: [])
    assert sorted(die.value or 0 for die in found) == values == [5, 6]


def test_both_dice_of_the_first_throw_are_found_where_the_scan_shows_neither() -> None:
    picture, camera, board, values = scene(10821, 4, 3)
    geometry = replace(board, die_size_mm=10.0)
    size = DieSize.around(geometry.die_size_mm, is_given=False)
    assert not find_dice(picture, camera, geometry, size=size, may_be_larger=False).dice
    found = find_dice(picture, camera, geometry, size=size)
    assert sorted(die.value or 0 for die in found.dice) == values == [3, 3]


def test_larger_dice_are_looked_for_again_only_where_something_has_changed(monkeypatch: pytest.MonkeyPatch) -> None:
    board = drawn_installation(10801, 0)
    random = Random(5)
    world = set_up(empty_world(board.geometry, random), Backgammon().start().placement(), random)
    picture = Renderer(board.look, board.geometry, 0).frame(world)
    scans: list[float] = []

    def counted(scan: Scan) -> ScanSeen:
        scans.append(scan.die_px)
        return scan_all(scan)

    monkeypatch.setattr(dice, "scan_all", counted)

    def scans_of(shown: NDArray[np.uint8], before: FoundDice | None) -> tuple[int, FoundDice]:
        scans.clear()
        size = DieSize.around(ASSUMED_MM, is_given=False) if before is None else before.size
        memory = None if before is None else before.memory
        found = find_dice(
            shown, board.look.camera, replace(board.geometry, die_size_mm=ASSUMED_MM), None, size, None, memory
        )
        return len(scans), found

    first, found = scans_of(picture, None)
    _, found = scans_of(picture, found)
    again, found = scans_of(picture, found)
    touched = picture.copy()
    touched[300:340, 500:540] = 255 - touched[300:340, 500:540]
    changed, found = scans_of(touched, found)
    assert not found.dice
    assert (first, again, changed) == (2, 0, 1)
