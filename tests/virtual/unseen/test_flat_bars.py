"""On a board without a bar, checkers that were hit lie on the middle line and upon no other."""

from dataclasses import replace
from itertools import combinations
from math import hypot
from random import Random

from boardctl.rules import PlaceKind, Placement, Seat, bar, point
from boardctl.virtual.playing.doubling import in_the_middle, owned_by
from boardctl.virtual.unseen.flat_bars import cube_with_room, without_bar
from boardctl.virtual.world import CUBE_SIZE_MM, Cube, empty_world, set_up
from calibration import BoardGeometry
from calibration.follow import outline_mm

set_up_flat = without_bar(set_up)

CREASED = replace(BoardGeometry(), bar_width_mm=0.0, bar_height_mm=0.0)
CUBE = Cube(2, 0.0, 0.0, 0.0, 0.0)
ROWS = {point(6): (Seat.A,) * 3, point(19): (Seat.B,) * 5, point(7): (Seat.A,) * 2}


def test_checkers_that_were_hit_find_room_on_the_middle_line() -> None:
    random = Random(1)
    for on_bar in ({bar(Seat.A): (Seat.A,)}, {bar(Seat.B): (Seat.B,) * 2}):
        placement = Placement({**ROWS, **on_bar})
        laid = set_up_flat(empty_world(CREASED, random), placement, random)
        assert laid.placement() == placement
        hit = [one for one in laid.checkers if one.place.kind is PlaceKind.BAR]
        assert all(abs(one.x_mm) < CREASED.checker_diameter_mm / 5 for one in hit)
        assert {one.z_mm for one in hit} == {CREASED.checker_height_mm / 2}
        others = [one for one in laid.checkers if one not in hit]
        pairs = [*combinations(hit, 2), *((one, other) for one in hit for other in others)]
        assert min(hypot(a.x_mm - b.x_mm, a.y_mm - b.y_mm) for a, b in pairs) >= CREASED.checker_diameter_mm


def test_the_cube_lies_beside_checkers_that_were_hit() -> None:
    random = Random(1)
    for on_bar in ({}, {bar(Seat.A): (Seat.A,)}, {bar(Seat.B): (Seat.B,) * 4}):
        world = set_up_flat(empty_world(CREASED, random), Placement({**ROWS, **on_bar}), random)
        for put in (in_the_middle(world, CUBE), owned_by(world, CUBE, Seat.A), owned_by(world, CUBE, Seat.B)):
            cube = cube_with_room(world, put)
            apart = min(hypot(one.x_mm - cube.x_mm, one.y_mm - cube.y_mm) for one in world.checkers)
            assert apart >= (CREASED.checker_diameter_mm + CUBE_SIZE_MM) / 2


def test_the_cube_stays_with_its_seat_or_in_the_middle() -> None:
    rows = {point(7): (Seat.A,) * 5, point(19): (Seat.B,) * 2, bar(Seat.B): (Seat.B,)}
    world = set_up_flat(empty_world(CREASED, Random(1)), Placement(rows), Random(1))
    by_few, by_many = (cube_with_room(world, owned_by(world, CUBE, seat)) for seat in (Seat.B, Seat.A))
    _, far, _ = outline_mm(CREASED)[2]
    assert far / 2 < by_few.y_mm < CREASED.field_height_mm / 2
    assert -far - CUBE_SIZE_MM < by_many.y_mm < -far - CUBE_SIZE_MM / 2
    assert by_many.x_mm == by_few.x_mm == 0
    in_middle = cube_with_room(world, in_the_middle(world, CUBE))
    assert in_middle.x_mm == 0
    assert 0 < abs(in_middle.y_mm) < far / 4
    full = replace(
        world, checkers=set_up_flat(world, Placement({**rows, bar(Seat.B): (Seat.B,) * 7}), Random(1)).checkers
    )
    beside = cube_with_room(full, in_the_middle(full, CUBE))
    assert beside.y_mm == 0
    assert beside.x_mm < outline_mm(CREASED)[0, 0]


def test_on_a_bar_the_cube_stays_where_it_was_put() -> None:
    world = set_up(empty_world(BoardGeometry(), Random(1)), Placement({**ROWS, bar(Seat.A): (Seat.A,)}), Random(1))
    on_top = replace(CUBE, y_mm=next(one.y_mm for one in world.checkers if one.place.kind is PlaceKind.BAR))
    assert cube_with_room(world, on_top) == on_top
