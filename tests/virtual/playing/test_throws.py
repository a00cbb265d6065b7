"""Dice as bodies: their poses, and that every kind of throw is what it is called."""

from itertools import combinations
from math import hypot
from random import Random

import numpy as np
import pytest

from boardctl.referee.readings import Support
from boardctl.rules import Backgammon, Seat
from boardctl.virtual.dice import FACE_NORMALS, Die, ThrowKind, throw_die, tumbling
from boardctl.virtual.world import empty_world, set_up
from calibration import BoardGeometry

GEOMETRY = BoardGeometry()
RANDOM = Random(0)
WORLD = set_up(empty_world(GEOMETRY, RANDOM), Backgammon().start().placement(), RANDOM)


def corners(die: Die) -> np.ndarray:
    half = GEOMETRY.die_size_mm / 2
    cube = np.array([[x, y, z] for x in (-half, half) for y in (-half, half) for z in (-half, half)])
    return np.array([die.x_mm, die.y_mm, die.z_mm]) + cube @ die.rotation().T


def thrown(kind: ThrowKind, seat: Seat, seed: int) -> Die:
    random = Random(seed)
    return throw_die(GEOMETRY, seat, random.randint(1, 6), kind, WORLD.checkers, (), random)


def test_opposite_faces_add_up_to_seven_and_one_two_three_run_counter_clockwise() -> None:
    for value, normal in FACE_NORMALS.items():
        opposite = tuple(-part for part in normal)
        assert FACE_NORMALS[7 - value] == opposite
    one, two, three = (np.array(FACE_NORMALS[value]) for value in (1, 2, 3))
    assert np.cross(one, two) @ three > 0


@pytest.mark.parametrize("value", range(1, 7))
def test_the_face_that_is_up_is_the_value(value: int) -> None:
    for yaw, tilt, toward in ((0, 0, 0), (77, 0, 0), (200, 35, 120), (10, 40, 300)):
        rotation = Die(value, 0, 0, 0, yaw, tilt, toward).rotation()
        heights = {face: (rotation @ np.array(normal))[2] for face, normal in FACE_NORMALS.items()}
        assert max(heights, key=lambda face: heights[face]) == value
        assert heights[value] == pytest.approx(np.cos(np.radians(tilt)))
        assert np.linalg.det(rotation) == pytest.approx(1)


@pytest.mark.parametrize("seat", [Seat.A, Seat.B])
@pytest.mark.parametrize("kind", list(ThrowKind))
def test_only_a_flat_die_in_the_right_hand_section_counts(kind: ThrowKind, seat: Seat) -> None:
    for seed in range(60):
        die = thrown(kind, seat, seed)
        assert die.valid_for(seat, GEOMETRY) == (kind is ThrowKind.FLAT)
        assert not die.valid_for(seat.other, GEOMETRY) or kind is ThrowKind.WRONG_HALF


@pytest.mark.parametrize("kind", [ThrowKind.FLAT, ThrowKind.WRONG_HALF])
def test_flat_dice_touch_the_surface_and_no_checker(kind: ThrowKind) -> None:
    for seed in range(60):
        die = thrown(kind, Seat.A, seed)
        assert corners(die)[:, 2].min() == pytest.approx(0, abs=1e-9)
        for checker in WORLD.checkers:
            away = hypot(die.x_mm - checker.x_mm, die.y_mm - checker.y_mm)
            assert away > GEOMETRY.checker_diameter_mm / 2 + GEOMETRY.die_size_mm / 2


def test_a_die_that_leans_on_a_checker_stands_on_an_edge_and_touches_its_wall() -> None:
    seen = 0
    for seed in range(60):
        die = thrown(ThrowKind.LEANING_ON_CHECKER, Seat.B, seed)
        if die.on is not Support.CHECKER:
            continue
        seen += 1
        heights = corners(die)[:, 2]
        assert heights.min() == pytest.approx(0, abs=1e-9)
        assert die.tilt_deg >= 10
        radius = GEOMETRY.checker_diameter_mm / 2
        # A raised lower corner edge meets the wall: its middle is a radius away from the checker's.
        low = corners(die)[np.argsort(heights)[2:4]].mean(axis=0)
        gaps = [abs(hypot(low[0] - one.x_mm, low[1] - one.y_mm) - radius) for one in WORLD.checkers]
        assert min(gaps) < 0.01
    assert seen > 40


def test_a_die_on_a_checker_lies_over_it_at_its_height() -> None:
    for seed in range(40):
        die = thrown(ThrowKind.ON_CHECKER, Seat.A, seed)
        assert die.flat
        assert corners(die)[:, 2].min() == pytest.approx(GEOMETRY.checker_height_mm)
        away = min(hypot(die.x_mm - one.x_mm, die.y_mm - one.y_mm) for one in WORLD.checkers)
        assert away < GEOMETRY.checker_diameter_mm / 2


def test_a_kind_that_the_board_does_not_allow_stays_irregular() -> None:
    random = Random(2)
    for kind in (ThrowKind.ON_CHECKER, ThrowKind.LEANING_ON_CHECKER):
        die = throw_die(GEOMETRY, Seat.A, 3, kind, (), (), random)
        assert not die.valid_for(Seat.A, GEOMETRY)
        assert die.kind is not kind


def test_dice_of_one_throw_do_not_touch() -> None:
    random = Random(8)
    for _ in range(60):
        dice: tuple[Die, ...] = ()
        for _ in range(2):
            dice = (*dice, throw_die(GEOMETRY, Seat.A, 4, ThrowKind.FLAT, WORLD.checkers, dice, random))
        for one, other in combinations(dice, 2):
            assert hypot(one.x_mm - other.x_mm, one.y_mm - other.y_mm) > GEOMETRY.die_size_mm * 1.41


def test_a_tumbling_die_counts_for_nobody() -> None:
    die = tumbling(thrown(ThrowKind.FLAT, Seat.A, 1), Random(1))
    assert die.moving
    assert not any(die.valid_for(seat, GEOMETRY) for seat in (Seat.A, Seat.B))
