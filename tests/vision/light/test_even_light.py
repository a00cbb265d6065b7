"""A board whose one end is far from the lamp is read as under even light; where light is even, nothing is changed."""

from dataclasses import replace
from random import Random

import numpy as np
import pytest
from brown_look import brown
from numpy.typing import NDArray

from boardctl.rules import Backgammon, Place, Placement, Seat, point
from boardctl.virtual.drawing.render import Renderer
from boardctl.virtual.drawing.things import mug
from boardctl.virtual.looks import LOOKS, Look
from boardctl.virtual.world import World, empty_world, set_up
from boardctl.vision.frame import read_frame
from boardctl.vision.light.even_light import even_light
from calibration import BoardGeometry, Calibration
from calibration.colours import checker_colours

Picture = NDArray[np.uint8]

GEOMETRY = BoardGeometry()
STEEP = 0.5
"""So much lighter or darker (logarithm) is the board at its right and left edge than in the middle."""


class Table:
    """A board of ours of which one end is in the light, or one corner, and pictures of it."""

    def __init__(self, look: Look, steep: float, down: float = 0.0) -> None:
        self._renderer = Renderer(look, GEOMETRY)
        middle = look.camera.project([(0.0, 0.0, 0.0)])[0]
        right = look.camera.project([(GEOMETRY.field_width_mm / 2, 0.0, 0.0)])[0]
        columns = (np.arange(look.camera.width_px) - middle[0]) / (right[0] - middle[0])
        near = look.camera.project([(0.0, -GEOMETRY.field_height_mm / 2, 0.0)])[0]
        rows = (np.arange(look.camera.height_px) - middle[1]) / (near[1] - middle[1])
        along = steep * np.clip(columns, -1.3, 1.3)[None, :] + down * np.clip(rows, -1.3, 1.3)[:, None]
        self._light = np.exp(along)[..., None]
        self.bare = empty_world(GEOMETRY, Random(1))
        start = set_up(self.bare, Backgammon().start().placement(), Random(2))
        self.calibration = Calibration.of(look.camera, GEOMETRY, self.picture(self.bare), self.picture(start))

    def picture(self, world: World) -> Picture:
        return np.asarray(np.clip(self._renderer.frame(world) * self._light * 0.6, 0, 255), dtype=np.uint8)


@pytest.mark.parametrize("name", list(LOOKS))
def test_where_light_is_even_nothing_is_changed(name: str) -> None:
    assert even_light(Table(LOOKS[name], 0.0).calibration) is None


def test_checkers_far_from_the_lamp_are_told_from_dark_ones_under_it() -> None:
    table = Table(brown(), STEEP)
    laid: dict[Place, tuple[Seat, ...]] = {}
    for number, seat in ((2, "A"), (3, "B"), (9, "A"), (11, "B"), (14, "A"), (15, "B"), (22, "A"), (24, "B")):
        laid[point(number)] = (Seat(seat),) * 2
    reading = read_frame(table.picture(set_up(table.bare, Placement(laid), Random(4))), table.calibration)
    assert even_light(table.calibration) is not None
    for place, stack in laid.items():
        assert reading.board.at(place).best == stack
        assert reading.board.at(place).confidence > 0.9


def spreads(calibration: Calibration) -> list[float]:
    """Gets by how much the checkers of each seat differ from one another in the starting position (logarithm)."""
    colours = checker_colours(calibration.camera, calibration.geometry, calibration.start)
    return [float(np.log(seen.mean(axis=1)).std()) for seen in colours.values()]


def test_light_that_falls_little_along_either_side_and_much_from_corner_to_corner_is_made_even() -> None:
    table = Table(brown(), 0.18, 0.18)
    even = even_light(table.calibration)
    assert even is not None
    for before, after in zip(spreads(table.calibration), spreads(even.calibration), strict=True):
        assert after < before / 4


def test_how_light_falls_is_told_though_things_lie_on_the_empty_board() -> None:
    table = Table(brown(), STEEP)
    cups = tuple(mug(x, y) for x, y in ((-150.0, 90.0), (120.0, -110.0)))
    covered = table.picture(replace(table.bare, things=cups))
    with_cups = Calibration.of(table.calibration.camera, GEOMETRY, covered, table.calibration.start)
    even = even_light(with_cups)
    assert even is not None
    for before, after in zip(spreads(with_cups), spreads(even.calibration), strict=True):
        assert after < before / 4


def test_a_board_that_is_darker_at_one_end_itself_is_left_as_it_is() -> None:
    """Its checkers do not look alike by what it seems to say of the light."""
    table, even = Table(brown(), STEEP), Table(brown(), 0.0)
    printed = Calibration.of(table.calibration.camera, GEOMETRY, table.calibration.empty, even.calibration.start)
    assert even_light(printed) is None


def test_the_lamp_mirrored_in_board_and_dark_checkers_is_not_taken_for_light() -> None:
    look = brown()
    light, dark = look.checkers
    lamp = replace(look.light, at_mm=(-500.0, 100.0, 900.0), mirrored=(0.05, 0.25), ambient=0.95)
    shining = replace(look, polish=0.9, checkers=(light, replace(dark, polish=0.8)), light=lamp)
    table = Table(shining, 0.0)
    assert max(spreads(table.calibration)) > 0.15, "dark checkers differ as if light fell unevenly"
    assert even_light(table.calibration) is None
