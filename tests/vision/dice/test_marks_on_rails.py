"""Numbers and hinges that a board carries on rails and bar are neither dice nor the cube."""

from dataclasses import replace
from functools import cache
from random import Random

import pytest

from boardctl.referee.readings import Support
from boardctl.rules import Backgammon
from boardctl.virtual.drawing.brush import Picture
from boardctl.virtual.drawing.render import Renderer
from boardctl.virtual.playing.doubling import in_the_middle
from boardctl.virtual.unseen.looks import Installation, drawn_installation, railed
from boardctl.virtual.unseen.tables import scenes_of
from boardctl.virtual.world import Cube, World, empty_world, set_up
from boardctl.vision import read_frame
from boardctl.vision.dice.cube import cube_marks_of_empty_board
from boardctl.vision.photograph.reading import read_photograph
from calibration import Calibration

SEED, NUMBERS_LIKE_CUBES, NUMBERS_LIKE_DICE = 10921, 1, 13


@cache
def board(number: int, is_railed: bool = True) -> Installation:
    plain = drawn_installation(SEED, number)
    return railed(plain) if is_railed else plain


def shown(number: int, world: World, noise: int, is_railed: bool = True) -> Picture:
    one = board(number, is_railed)
    return Renderer(one.look, one.geometry, noise).frame(world)


def worlds(number: int) -> tuple[World, World]:
    """Gets the bare board and the starting position, without the cube."""
    random = Random(3)
    bare = empty_world(board(number).geometry, random, cube=False)
    return bare, set_up(bare, Backgammon().start().placement(), random)


@cache
def calibrated(number: int, is_railed: bool = True) -> Calibration:
    one = board(number, is_railed)
    empty, start = (shown(number, world, noise, is_railed) for noise, world in enumerate(worlds(number)))
    return Calibration.of(one.look.camera, one.geometry, empty, start)


def test_numbers_on_a_rail_are_kept_as_marks_and_plain_boards_have_none() -> None:
    assert len(cube_marks_of_empty_board(calibrated(NUMBERS_LIKE_CUBES))) >= 5
    assert cube_marks_of_empty_board(calibrated(NUMBERS_LIKE_CUBES, is_railed=False)) == ()


def test_a_number_on_a_rail_is_no_cube_and_the_cube_is_one(monkeypatch: pytest.MonkeyPatch) -> None:
    _, start = worlds(NUMBERS_LIKE_CUBES)
    with_cube = replace(start, cube=in_the_middle(start, Cube(64, 0.0, 0.0, 0.0, 0.0)))
    without, seen = (shown(NUMBERS_LIKE_CUBES, world, 5) for world in (start, with_cube))
    assert read_frame(without, calibrated(NUMBERS_LIKE_CUBES)).board.cube is None
    found = read_frame(seen, calibrated(NUMBERS_LIKE_CUBES)).board.cube
    assert found is not None
    assert (found.value, found.at) == (64, "bar")
    monkeypatch.setattr("boardctl.vision.dice.calibrated.cube_marks_of_empty_board", lambda _: ())
    taken = read_frame(without, calibrated(NUMBERS_LIKE_CUBES)).board.cube
    assert taken is not None
    assert taken.at in ("A", "B")


def test_a_number_beside_a_checker_is_no_die() -> None:
    one = board(NUMBERS_LIKE_DICE)
    read = []
    for index in (2, 3, 7):
        world = [scene.world for scene, _ in scenes_of(one, 6, NUMBERS_LIKE_DICE, set_up)][index]
        found = read_frame(shown(NUMBERS_LIKE_DICE, world, 4), calibrated(NUMBERS_LIKE_DICE)).dice.dice
        assert not [die for die in found if die.on is Support.RAIL]
        read.append(sorted(die.value for die in found if die.value) == sorted(die.value for die in world.dice))
    assert sum(read) >= 2


def test_numbers_on_the_rails_of_a_photograph_are_no_dice() -> None:
    one = board(NUMBERS_LIKE_DICE)
    world = [scene.world for scene, _ in scenes_of(one, 6, NUMBERS_LIKE_DICE, set_up)][2]
    corners = tuple(
        (float(x), float(y)) for x, y in one.look.camera.project([(*at, 0.0) for at in one.geometry.corners])
    )
    dice = read_photograph(shown(NUMBERS_LIKE_DICE, world, 4), corners, one.geometry.home_on_right, 15).dice.dice
    assert sorted(die.value or 0 for die in dice) == sorted(die.value for die in world.dice)
