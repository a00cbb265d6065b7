"""The physical world: nothing appears, nothing vanishes, nothing lies inside something else."""

from itertools import combinations
from math import hypot
from random import Random

import pytest

from boardctl.rules import Backgammon, Place, PlaceKind, Placement, Seat, bar, point, tray
from boardctl.virtual.world import World, WorldError, empty_world, lifted, put, set_up, tidied
from calibration import BoardGeometry

GEOMETRY = BoardGeometry()
START = Backgammon().start().placement()


def world_of(placement: Placement, seed: int = 1) -> World:
    random = Random(seed)
    return set_up(empty_world(GEOMETRY, random), placement, random)


def test_the_placement_of_a_world_is_what_was_set_up() -> None:
    placement = Placement(
        {
            point(2): (Seat.A,) * 11,
            point(24): (Seat.B,) * 6,
            bar(Seat.B): (Seat.B,) * 5,
            tray(Seat.A): (Seat.A,) * 4,
            tray(Seat.B): (Seat.B,) * 4,
        }
    )
    assert world_of(placement).placement() == placement
    assert tidied(world_of(placement), Random(5)).placement() == placement


def test_lifting_and_putting_back_conserves_every_checker() -> None:
    random = Random(3)
    world = world_of(START)
    for _ in range(300):
        place = random.choice(sorted(world.placement(), key=str))
        world, checker = lifted(world, place)
        world = put(world, checker.seat, random.choice([point(n) for n in range(1, 25)]), random)
        assert (world.placement().total(Seat.A), world.placement().total(Seat.B)) == (15, 15)


def test_a_checker_of_a_seat_is_lifted_from_under_another_and_the_gap_is_closed() -> None:
    world = world_of(Placement({point(9): (Seat.B, Seat.A)}))
    world, checker = lifted(world, point(9), Seat.B)
    assert checker.seat is Seat.B
    (left,) = world.at(point(9))
    assert left.index == 0
    assert hypot(left.x_mm - GEOMETRY.on_point(9, 0)[0], left.y_mm - GEOMETRY.on_point(9, 0)[1]) < 6


def test_lifting_from_an_empty_place_says_where() -> None:
    with pytest.raises(WorldError, match="point 2: no checker"):
        lifted(world_of(START), point(2))


def test_a_place_that_this_board_has_not_is_refused() -> None:
    with pytest.raises(WorldError, match="this board has no such place"):
        put(world_of(START), Seat.A, Place(PlaceKind.BAR), Random(1))


@pytest.mark.parametrize("seed", range(5))
def test_checkers_of_one_layer_do_not_overlap_and_stay_on_the_board(seed: int) -> None:
    placement = Placement({point(n): ((Seat.A,) if n % 2 else (Seat.B,)) * 5 for n in range(1, 25)})
    world = world_of(placement, seed)
    for first, second in combinations(world.checkers, 2):
        apart = hypot(first.x_mm - second.x_mm, first.y_mm - second.y_mm)
        assert apart >= GEOMETRY.checker_diameter_mm - 1e-6
    inside = GEOMETRY.field_height_mm / 2 - GEOMETRY.checker_diameter_mm / 2
    assert all(abs(one.y_mm) <= inside + 1e-6 for one in world.checkers)


def test_the_sixth_checker_lies_on_the_first() -> None:
    world = world_of(Placement({point(6): (Seat.A,) * 6}))
    stack = world.at(point(6))
    assert stack[5].z_mm == pytest.approx(stack[0].z_mm + GEOMETRY.checker_height_mm)
    assert hypot(stack[5].x_mm - stack[0].x_mm, stack[5].y_mm - stack[0].y_mm) < GEOMETRY.checker_diameter_mm / 2


def test_all_checkers_of_one_seat_may_lie_on_some_of_the_other() -> None:
    stack = (Seat.B, Seat.B, Seat.B, *(Seat.A,) * 15)
    world = set_up(World(BoardGeometry()), Placement({point(1): stack}), Random(1))
    assert world.placement().at(point(1)) == stack


def test_the_same_seed_gives_the_same_world() -> None:
    assert world_of(START, 4) == world_of(START, 4)
    assert world_of(START, 4) != world_of(START, 5)
