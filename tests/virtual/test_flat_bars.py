"""On a board without a bar, checkers that were hit lie on the middle line and upon no other."""

from dataclasses import replace
from itertools import combinations
from math import hypot
from random import Random

from boardctl.rules import PlaceKind, Placement, Seat, bar, point
from boardctl.virtual.flat_bars import set_up_flat
from boardctl.virtual.world import empty_world
from calibration import BoardGeometry

CREASED = replace(BoardGeometry(), bar_width_mm=0.0, bar_height_mm=0.0)
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
