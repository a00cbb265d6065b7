"""Dice in a cup that stands on the board are no throw, and hide none."""

from dataclasses import replace
from functools import cache
from random import Random

import numpy as np
import pytest
from numpy.typing import NDArray

from boardctl.referee.readings import BoardReading, DieReading, Hand, Support, Witness
from boardctl.rules import Backgammon, Seat
from boardctl.virtual.dice import Die
from boardctl.virtual.drawing.render import Renderer
from boardctl.virtual.looks import LOOKS
from boardctl.virtual.unseen.dice_cups import cup_with_dice
from boardctl.virtual.world import Thing, World, empty_world, set_up
from boardctl.vision.dice.around import Circles
from boardctl.vision.dice.in_cups import is_in_cup
from boardctl.vision.dice.look import Sight
from boardctl.vision.frame import FIRST, read_following
from calibration import BoardGeometry, Calibration

LOOK, GEOMETRY = LOOKS["green-felt"], BoardGeometry()
DIE_MM = GEOMETRY.die_size_mm
CUP_MM = (110.0, 5.0)
HELD_MM = ((98.0, 3.0), (121.0, 3.0))
THROWN_MM = ((-160.0, 10.0), (-70.0, -8.0))
BARE = BoardReading(Witness.CAMERA, ())

Picture = NDArray[np.uint8]


def die(value: int, x_mm: float, y_mm: float, z_mm: float = DIE_MM / 2) -> Die:
    return Die(value, x_mm, y_mm, z_mm, 30.0)


def cup() -> Thing:
    """Gets a dark cup on the right half of the board with a four and a five in it."""
    drawn = cup_with_dice(LOOK, GEOMETRY, np.random.default_rng(1))
    (x, y), floor_mm = CUP_MM, 9.0
    held = tuple(
        die(value, at_x - x, at_y - y, floor_mm + DIE_MM / 2)
        for value, (at_x, at_y) in zip((4, 5), HELD_MM, strict=True)
    )
    made = replace(drawn, height_mm=90.0, top=(60, 70, 90), inside=(0.86, 0.1, (40, 40, 46)), holds=held)
    return replace(made, x_mm=x, y_mm=y, z_mm=0.0)


@cache
def table() -> tuple[Calibration, Renderer, World]:
    """Gets a drawn table's calibration, what draws it, and its world in the starting position."""
    renderer, random = Renderer(LOOK, GEOMETRY), Random(1)
    bare = empty_world(GEOMETRY, random)
    start = set_up(bare, Backgammon().start().placement(), random)
    shown = (renderer.frame(bare), renderer.frame(start))
    return Calibration.of(LOOK.camera, GEOMETRY, *shown), renderer, start


def read(*dice: Die, things: tuple[Thing, ...] = ()) -> dict[int, DieReading]:
    """Gets what is read of dice on the table, by the value that each shows."""
    calibration, renderer, start = table()
    reading = read_following(renderer.frame(replace(start, dice=dice, things=things)), calibration, FIRST)
    return {die.likeliest or 0: die for die in reading.dice.dice}


def test_dice_in_a_cup_on_the_board_lie_in_no_section_and_a_throw_beside_it_is_read() -> None:
    thrown = [die(value, *at) for value, at in zip((6, 2), THROWN_MM, strict=True)]
    seen = read(*thrown, things=(cup(),))
    assert {value: (one.on, one.section) for value, one in seen.items()} == {
        6: (Support.SURFACE, Seat.B),
        2: (Support.SURFACE, Seat.B),
        4: (Support.THING, None),
        5: (Support.THING, None),
    }
    assert [seen[value].value for value in (6, 2)] == [6, 2]


def in_cup(picture: Picture, board: BoardReading = BARE) -> bool:
    """Whether a die is told to lie in a cup that is seen in the middle of the right half."""
    calibration, _, _ = table()
    sight = Sight(picture, calibration.camera)
    return is_in_cup(CUP_MM, sight, calibration.empty, board, GEOMETRY, [])


def painted(share: float, level: float) -> Picture:
    """Gets the empty board with what lies around a die there multiplied by a level, in a share of all directions."""
    calibration, _, _ = table()
    picture = calibration.empty.copy()
    rows, columns = np.mgrid[: picture.shape[0], : picture.shape[1]]
    pixels = np.stack([columns.ravel(), rows.ravel()], axis=1).astype(np.float64)
    x, y = (calibration.camera.to_plane(pixels) - CUP_MM).T.reshape(2, *picture.shape[:2])
    around = (np.hypot(x, y) < 3 * DIE_MM) & (np.arctan2(y, x) < (2 * share - 1) * np.pi)
    changed = picture[..., ::-1] if level > 1 else picture
    picture[around] = np.rint(changed[around] * min(level, 1.0))
    return picture


@pytest.mark.parametrize(
    ("share", "level", "told"),
    [
        (1.0, 2.0, True),  # other colours all around
        (0.7, 2.0, False),  # a hand, a row of checkers: on one side there is board
        (1.0, 0.4, False),  # a deep shadow over the place
        (0.5, 0.4, False),  # one that ends beside it
        (0.0, 2.0, False),
    ],
)
def test_something_all_around_a_die_is_no_board_in_whatever_light(share: float, level: float, told: bool) -> None:
    assert in_cup(painted(share, level)) is told


def test_a_hand_may_be_all_around_a_die_too() -> None:
    around = painted(1.0, 2.0)
    assert in_cup(around, replace(BARE, hand=True))
    assert not in_cup(around, replace(BARE, hand=True, hands=(Hand(None, ()),)))


def test_where_other_dice_are_nothing_is_told_of_the_board() -> None:
    calibration, _, _ = table()
    circles = Circles.about(CUP_MM, DIE_MM, calibration.camera)
    beside = (CUP_MM[0] + 1.2 * DIE_MM, CUP_MM[1])
    free = circles.free_of([beside], BARE, GEOMETRY)
    assert 0 < np.count_nonzero(~free) < len(free) / 4
    assert np.hypot(*(circles.spots_mm[~free] - beside).T).max() < DIE_MM
