"""On a board without a bar what lies on its middle line, a checker that was hit or the cube, is no part of a row."""

from collections.abc import Mapping
from dataclasses import replace
from random import Random

import pytest

from boardctl.referee.readings import PlaceReading
from boardctl.rules import Backgammon, Place, Placement, Seat, Stack, bar, point
from boardctl.virtual.drawing.render import Renderer
from boardctl.virtual.unseen.flat_bars import without_bar
from boardctl.virtual.unseen.looks import Installation, drawn_installation, printed
from boardctl.virtual.world import Cube, World, empty_world, set_up
from boardctl.vision.points.reading import PointsSeen, read_points_and_bar
from calibration import Calibration, calibrate

set_up_flat = without_bar(set_up)

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


@pytest.mark.parametrize(
    ("rows", "hit"),
    [
        ({point(6): 5 * A, point(7): 2 * B}, {bar(Seat.B): B}),
        ({point(18): 5 * A, point(19): 5 * B}, {bar(Seat.A): A}),
    ],
)
def test_a_checker_in_the_very_middle_is_on_the_bar_frame_after_frame(table: Table, rows: Laid, hit: Laid) -> None:
    """Both rows beside the middle line reach so far that it lies where the bar's own strips do not show it whole."""
    renderer, empty, calibration = table
    world = set_up_flat(empty, Placement({**rows, **hit}), Random(2))
    seen: PointsSeen | None = None
    for _ in range(3):
        seen = read_points_and_bar(renderer.frame(world), calibration, seen)
        told = {one.place: one for one in seen.places}
        for seat in Seat.A, Seat.B:
            assert told[bar(seat)].best == hit.get(bar(seat), ()), told[bar(seat)]
    cleared = set_up_flat(empty, Placement(rows), Random(2))
    told = {one.place: one for one in read_points_and_bar(renderer.frame(cleared), calibration, seen).places}
    assert [told[bar(seat)].best for seat in (Seat.A, Seat.B)] == [(), ()]


@pytest.mark.parametrize("y_mm", [0.0, 12.0, -20.0])
def test_a_cube_in_the_very_middle_is_no_checker(table: Table, y_mm: float) -> None:
    seen = read(table, {point(6): 5 * A, point(18): 5 * A, point(19): 5 * B}, Cube(64, 0.0, y_mm, CUBE_MM / 2, 8.0))
    assert [seen[bar(seat)].best for seat in (Seat.A, Seat.B)] == [(), ()]
