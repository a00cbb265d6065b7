"""What a die of a photograph stands on: by its own picture, and by the checkers that were read below it."""

from functools import cache

import numpy as np
import pytest
from numpy.typing import NDArray

from boardctl.referee.readings import DieReading, PlaceReading, StackChance, Support
from boardctl.rules import point
from boardctl.virtual.drawing.render import Renderer
from boardctl.virtual.looks import camera_over
from boardctl.virtual.unseen.looks import drawn_installation, ornate
from boardctl.virtual.unseen.tables import scenes_of
from boardctl.virtual.world import World, set_up
from boardctl.vision.photograph.dice import dice_in_photograph, without_sides
from calibration import BoardGeometry, CameraModel


@cache
def scene() -> tuple[NDArray[np.uint8], CameraModel, BoardGeometry, World]:
    """Gets a picture with a one on a checker that does not look as if it stood there, its camera and board, and what
    is in it."""
    board = ornate(drawn_installation(10801, 9))
    world = [scene.world for scene, _ in scenes_of(board, 6, 9, set_up)][4]
    return Renderer(board.look, board.geometry, 9).frame(world), board.look.camera, board.geometry, world


def places(likelihood: float) -> tuple[PlaceReading, ...]:
    """Gets what lies on the points, each told with a likelihood."""
    stacks = scene()[3].placement()
    return tuple(
        PlaceReading(point(number), (StackChance(stacks.get(point(number), ()), likelihood),))
        for number in range(1, 25)
    )


def the_one(told: tuple[PlaceReading, ...]) -> DieReading:
    picture, camera, geometry, _ = scene()
    found, _ = dice_in_photograph(picture, camera, geometry, lambda _: [], told)
    (one,) = (die for die in found if die.value == 1)
    return one


def test_a_die_is_on_the_checker_that_was_read_below_it() -> None:
    assert the_one(()).on is Support.SURFACE
    assert the_one(places(0.94)).on is Support.CHECKER


def test_a_checker_that_is_not_plainly_there_carries_none() -> None:
    assert the_one(places(0.85)).on is Support.SURFACE


@pytest.mark.parametrize(
    ("aslant_deg", "nearer", "aside", "left"),
    [
        (50.0, 0.6, 0.1, 1),  # a side that faces the camera
        (50.0, 1.2, 0.1, 1),
        (50.0, 1.5, 0.1, 2),  # a die before it
        (50.0, 1.2, 0.5, 2),  # a die beside it
        (25.0, 0.6, 0.1, 2),  # one that another die stands on: of its sides little is seen
    ],
)
def test_a_side_of_a_die_that_shows_a_number_is_no_die_of_its_own(
    aslant_deg: float, nearer: float, aside: float, left: int
) -> None:
    die_mm, angle = 15.0, np.radians(aslant_deg)
    camera = camera_over((0.0, -900.0 * np.sin(angle), 900.0 * np.cos(angle)), (0.0, 0.0, 0.0), 900.0)
    near, far, elsewhere = (
        DieReading(number, 0.9, None, Support.SURFACE, None, 0.0, (0.0, 0.0), (x * die_mm, y * die_mm))
        for number, x, y in ((3, aside, -nearer), (5, 0.0, 0.0), (2, 4.0, 0.0))
    )
    dice = (near, far, elsewhere)
    assert without_sides(dice, camera, die_mm) == dice[2 - left :]
