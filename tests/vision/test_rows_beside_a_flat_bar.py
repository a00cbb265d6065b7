"""On a board without a bar what lies on its middle line, a checker that was hit or the cube, is no part of a row."""

from collections.abc import Mapping
from dataclasses import replace
from random import Random

import pytest

from boardctl.referee.readings import PlaceReading
from boardctl.rules import Backgammon, Place, Placement, Seat, Stack, bar, point
from boardctl.virtual.flat_bars import set_up_flat
from boardctl.virtual.render import Renderer
from boardctl.virtual.unseen_looks import Installation, drawn_installation, printed
from boardctl.virtual.world import Cube, World, empty_world
from boardctl.vision.points import read_points_and_bar
from calibration import Calibration, calibrate

Laid = Mapping[Place, Stack]
Table = tuple[Renderer, World, Calibration]

A, B = (Seat.A,), (Seat.B,)
CUBE_MM = 30.0


@pytest.fixture(scope="module", params=[12, 9])
def table(request: pytest.FixtureRequest) -> Table:
    drawn: Installation = printed(drawn_installation(18001, request.param))
    assert drawn.geometry.bar_height_mm == 0
    renderer, random = Renderer(drawn.look, drawn.geometry, 1), Random(1)
    empty = empty_world(drawn.geometry, random, cube=False)
    start = set_up_flat(empty, Backgammon().start().placement(), random)
    return renderer, empty, calibrate(renderer.frame(empty), renderer.frame(start))


def read(table: Table, laid: Laid, cube: Cube | None = None) -> dict[Place, PlaceReading]:
    renderer, empty, calibration = table
    world = replace(set_up_flat(empty, Placement(laid), Random(2)), cube=cube)
    return {one.place: one for one in read_points_and_bar(renderer.frame(world), calibration).places}


@pytest.mark.parametrize(
    "rows",
    [
        {point(18): 2 * B, point(19): 3 * B, point(6): 2 * A, point(7): A},
        {point(18): A, point(19): 2 * A, point(6): 3 * B, point(7): 2 * B},
        {point(19): B, point(7): B},
        {point(6): A},
    ],
)
@pytest.mark.parametrize("hit", [{bar(Seat.A): A}, {bar(Seat.B): B}, {bar(Seat.A): A, bar(Seat.B): 2 * B}])
def test_checkers_that_were_hit_leave_the_rows_beside_them_as_they_are(table: Table, rows: Laid, hit: Laid) -> None:
    seen = read(table, {**rows, **hit})
    for number in (6, 7, 18, 19):
        place = point(number)
        assert seen[place].best == rows.get(place, ()), seen[place]
        # A row that touches one of its own seat on the bar may go on.
        assert seen[place].confidence > (0.6 if len(rows.get(place, ())) == 3 else 0.8), seen[place]


@pytest.mark.parametrize("near", [True, False])
def test_a_cube_at_the_end_of_the_middle_line_is_no_checker(table: Table, near: bool) -> None:
    _, empty, _ = table
    side = -1.0 if near else 1.0
    y = side * (empty.geometry.field_height_mm / 2 - 0.6 * CUBE_MM)
    seen = read(table, {point(3): 2 * A, point(22): 2 * B}, Cube(2, 0.0, y, CUBE_MM / 2, 4.0))
    for number in (6, 7, 18, 19):
        assert seen[point(number)].best == (), seen[point(number)]
