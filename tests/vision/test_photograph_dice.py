"""Dice far larger than usual, whose size nobody has said: in a photograph, and on the first throw of a game."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from boardctl.virtual.render import Renderer
from boardctl.virtual.unseen_looks import drawn_installation, ornate
from boardctl.virtual.unseen_tables import scenes_of
from boardctl.virtual.world import set_up
from boardctl.vision.dice import find_dice
from boardctl.vision.dice_size import DieSize
from boardctl.vision.photograph_dice import dice_in_photograph
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
    dice, _ = dice_in_photograph(picture, camera, geometry)
    assert sorted(die.value or 0 for die in dice) == values == [5, 6]


def test_both_dice_of_the_first_throw_are_found_where_the_scan_shows_neither() -> None:
    picture, camera, board, values = scene(10821, 4, 3)
    geometry = replace(board, die_size_mm=10.0)
    size = DieSize.around(geometry.die_size_mm, is_given=False)
    assert not find_dice(picture, camera, geometry, size=size, may_be_larger=False).dice
    found = find_dice(picture, camera, geometry, size=size)
    assert sorted(die.value or 0 for die in found.dice) == values == [3, 3]
