"""A board in dim light is read as one in good light is; where light is good, nothing is changed."""

from dataclasses import replace
from random import Random

import numpy as np
import pytest
from numpy.typing import NDArray
from slanted_boards import SlantedBoard

from boardctl.rules import Backgammon, Place, Placement, Seat, point
from boardctl.virtual.drawing.render import Renderer
from boardctl.virtual.looks import LOOKS, CheckerLook, Look
from boardctl.virtual.world import World, empty_world, set_up
from boardctl.vision.frame import read_frame
from boardctl.vision.photograph.reading import read_photograph
from boardctl.vision.points import reading as points
from boardctl.vision.points.brightness import LEAST, MOST, WHITE, Brightness, brightness, made_brighter
from calibration import BoardGeometry, Calibration
from calibration.corners import as_corners

Picture = NDArray[np.uint8]

GEOMETRY = BoardGeometry()
LAID = ((2, "A", 2), (3, "B", 3), (9, "A", 1), (11, "B", 1), (14, "A", 3), (15, "B", 2), (22, "A", 1), (24, "B", 2))


class Table:
    """A board of ours in more or less light, and pictures of it."""

    def __init__(self, look: Look, light: float) -> None:
        self._renderer, self._light = Renderer(look, GEOMETRY), light
        self.bare = empty_world(GEOMETRY, Random(1))
        start = set_up(self.bare, Backgammon().start().placement(), Random(2))
        self.calibration = Calibration.of(look.camera, GEOMETRY, self.picture(self.bare), self.picture(start))

    def picture(self, world: World) -> Picture:
        return np.asarray(np.rint(self._renderer.frame(world) * self._light), dtype=np.uint8)

    def laid(self) -> tuple[Picture, dict[Place, tuple[Seat, ...]]]:
        stacks = {point(number): (Seat(seat),) * count for number, seat, count in LAID}
        return self.picture(set_up(self.bare, Placement(stacks), Random(4))), stacks


def alike() -> Look:
    """Gets a look whose darker checkers are of nearly the colour of the darker points."""
    look = LOOKS["walnut"]
    blue, green, red = look.points[0]
    return replace(look, checkers=(look.checkers[0], CheckerLook((blue - 5, green - 5, red - 5), 0.2, 0.1)))


@pytest.mark.parametrize("name", list(LOOKS))
def test_where_light_is_good_nothing_is_changed(name: str) -> None:
    table = Table(LOOKS[name], 1.0)
    assert brightness(table.calibration) == Brightness(table.calibration)
    picture = table.picture(table.bare)
    assert brightness(table.calibration).picture(picture) is picture


def test_dim_pictures_are_made_as_bright_as_they_can_be() -> None:
    table = Table(LOOKS["walnut"], 0.4)
    bright = brightness(table.calibration)
    assert LEAST <= bright.gain <= MOST
    lit = bright.picture(table.calibration.start)
    assert (lit == bright.calibration.start).all()
    assert np.percentile(lit.max(axis=2), 90) <= WHITE < lit.max()


def test_checkers_of_the_colour_of_their_points_are_told_in_dim_light(monkeypatch: pytest.MonkeyPatch) -> None:
    table = Table(alike(), 0.06)
    picture, stacks = table.laid()
    board = read_frame(picture, table.calibration).board
    assert {place: board.at(place).best for place in stacks} == stacks
    assert min(board.at(place).confidence for place in stacks) > 0.95
    monkeypatch.setattr(points, "brightness", Brightness)
    as_it_is = read_frame(picture, table.calibration).board
    assert min(as_it_is.at(place).confidence for place in stacks) < 0.9


@pytest.mark.parametrize(("seed", "number"), [(25007, 23), (25005, 11)])
def test_a_dim_photograph_is_read_as_a_bright_one(seed: int, number: int) -> None:
    board = SlantedBoard(seed, number)
    corners = board.stage.camera.project([(x, y, 0.0) for x, y in board.geometry.corners])
    read = read_photograph(board.start, as_corners(corners), board.geometry.home_on_right).board
    start = Backgammon().start().placement()
    assert all(read.at(point(number)).best == start.at(point(number)) for number in range(1, 25))
    lit = made_brighter(board.start, corners)
    assert lit.mean() > LEAST * board.start.mean()


def test_a_photograph_in_good_light_is_not_made_brighter() -> None:
    table = Table(LOOKS["walnut"], 1.0)
    picture, corners = table.picture(table.bare), table.calibration.camera.project([(0.0, 0.0, 0.0)] * 4)
    field = table.calibration.camera.project([(x, y, 0.0) for x, y in GEOMETRY.corners])
    assert made_brighter(picture, field) is picture
    dim = np.asarray(picture // 3, dtype=np.uint8)
    assert made_brighter(dim, field) is not dim
    assert made_brighter(dim, corners - 5000.0) is dim  # nothing of the field is seen
