"""What players put down on a board in drawn pictures, and what it hides."""

from dataclasses import replace
from itertools import combinations
from random import Random

import numpy as np
import pytest

from boardctl.rules import Seat, point
from boardctl.virtual.drawing.picture_truth import covered_by_things, record_of
from boardctl.virtual.drawing.stage import Stage
from boardctl.virtual.drawing.things import narrowest_mm
from boardctl.virtual.unseen.beside import reach_mm
from boardctl.virtual.unseen.looks import drawn_installation, printed, things_on_board
from boardctl.virtual.unseen.put_down import OFTEN, put_down
from boardctl.virtual.unseen.tables import scenes_of
from boardctl.virtual.world import World, set_up


def test_things_lie_between_rails_and_bar_where_nothing_else_is() -> None:
    lying = 0
    for number in range(12):
        plain = drawn_installation(6, number)
        one = things_on_board(plain)
        assert one == things_on_board(plain)
        geometry = one.geometry
        for index, (scene, _) in enumerate(scenes_of(one, 6, number, set_up)):
            world = scene.world
            assert not world.things or index > 1  # a board is calibrated without anything on it
            for thing in world.things:
                lying += 1
                reach = reach_mm(thing)
                assert abs(thing.x_mm) + reach < geometry.field_width_mm / 2
                assert abs(thing.y_mm) + reach < geometry.field_height_mm / 2
                assert abs(thing.x_mm) - reach > geometry.bar_width_mm / 2
                others = [(one, geometry.checker_diameter_mm / 2) for one in world.checkers]
                for other, half_mm in (*others, *((die, geometry.die_size_mm / 2) for die in world.dice)):
                    assert np.hypot(other.x_mm - thing.x_mm, other.y_mm - thing.y_mm) > reach + half_mm
            for first, second in combinations(world.things, 2):
                apart = np.hypot(first.x_mm - second.x_mm, first.y_mm - second.y_mm)
                assert apart > reach_mm(first) + reach_mm(second)
    assert lying > 60


def test_as_many_are_there_as_are_said_and_a_board_without_a_bar_has_them_on_its_middle() -> None:
    one = things_on_board(printed(drawn_installation(6, 3)))
    bare, random = World(one.geometry), Random(3)
    times = [put_down(bare, one.at_hand, random) for _ in range(300)]
    share = np.mean([len(time) for time in times]) / len(one.at_hand)
    assert abs(share - OFTEN) < 0.06
    assert any(abs(thing.x_mm) < reach_mm(thing) for time in times for thing in time)


def test_points_below_things_are_hidden() -> None:
    plain = drawn_installation(6, 0)
    [thing] = things_on_board(plain).at_hand[:1]
    stage, number = Stage(plain.look, plain.geometry), 7
    x, y = plain.geometry.middle_of(point(number))
    world = World(plain.geometry, things=(replace(thing, x_mm=x, y_mm=y),))
    covered = covered_by_things(stage, world)
    column, row = np.rint(stage.camera.project([(x, y, 0.0)])[0]).astype(int)
    assert covered[row, column] == 255
    points = record_of(stage, world, Seat.A, "center")["points"]
    assert points[str(number)]["occluded"]
    assert not points["24"]["occluded"]


def test_a_pen_hides_nothing() -> None:
    plain = drawn_installation(6, 0)
    [thing] = things_on_board(plain).at_hand[:1]
    x, y = plain.geometry.middle_of(point(7))
    long, wide = 70.0, 0.24 * plain.geometry.checker_diameter_mm
    pen = replace(thing, x_mm=x, y_mm=y, rim_mm=((long, wide), (-long, wide), (-long, -wide), (long, -wide)))
    assert narrowest_mm(pen) == pytest.approx(2 * wide)
    wider = replace(pen, rim_mm=tuple((x, 1.1 * y) for x, y in pen.rim_mm))
    stage = Stage(plain.look, plain.geometry)
    assert not covered_by_things(stage, World(plain.geometry, things=(pen,))).any()
    assert covered_by_things(stage, World(plain.geometry, things=(wider,))).any()
