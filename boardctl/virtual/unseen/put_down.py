"""What players put down on a board, where there is room: dice cups, telephones, glasses, score cards, pens."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace
from random import Random

import numpy as np

from boardctl.virtual.looks import Look
from boardctl.virtual.unseen.beside import drawn_thing, reach_mm
from boardctl.virtual.world import CUBE_SIZE_MM, Thing, World
from calibration import BoardGeometry

AT_HAND = ("dice cup", "dice cup", "dice cup", "cup", "glass", "telephone", "paper", "pen", "coaster", "box")
"""Kinds of things that come to lie on a board; dice cups most often."""

HOW_MANY = (1, 4)
"""How many of them the players of a board have at hand: from, to below."""

OFTEN = 0.7
"""How often each of them lies on the board in a picture; else it is elsewhere, out of the view."""

TRIES, CLEAR_MM = 200, 10.0
"""How often a place is sought for one, and how far it is from checkers, dice and the cube at least: further than what
stands beside it could hide of its foot."""


def things_at_hand(look: Look, geometry: BoardGeometry, rng: np.random.Generator) -> tuple[Thing, ...]:
    """Draws what the players of a board put down on it at times."""
    many = int(rng.integers(*HOW_MANY))
    return tuple(replace(drawn_thing(AT_HAND, look, geometry, rng), z_mm=0.0) for _ in range(many))


def put_down(world: World, things: Iterable[Thing], random: Random) -> tuple[Thing, ...]:
    """Gets some of the things, each on the field of a world, between its rails, where nothing else is; what does not
    find room in some tries is not there."""
    lying: list[Thing] = []
    for thing in things:
        if random.random() < OFTEN and (placed := _with_room(world, thing, lying, random)):
            lying.append(placed)
    return tuple(lying)


def has_room(world: World, thing: Thing, others: Sequence[Thing] = ()) -> bool:
    """Whether nothing lies in a world where a thing is, or near it; nor any of some others."""
    geometry = world.geometry
    taken = [(one.x_mm, one.y_mm, geometry.checker_diameter_mm / 2) for one in world.checkers]
    taken += [(die.x_mm, die.y_mm, geometry.die_size_mm) for die in world.dice]
    taken += [(cube.x_mm, cube.y_mm, CUBE_SIZE_MM * 0.75) for cube in (world.cube,) if cube is not None]
    taken += [(one.x_mm, one.y_mm, reach_mm(one)) for one in others]
    reach = reach_mm(thing) + CLEAR_MM
    return all(math.hypot(thing.x_mm - x, thing.y_mm - y) > reach + wide for x, y, wide in taken)


def _with_room(world: World, thing: Thing, others: Sequence[Thing], random: Random) -> Thing | None:
    geometry, reach = world.geometry, reach_mm(thing)
    across, along = geometry.field_width_mm / 2 - reach, geometry.field_height_mm / 2 - reach
    bar = geometry.bar_width_mm / 2 + reach if geometry.bar_height_mm else 0.0
    for _ in range(TRIES):
        placed = replace(thing, x_mm=random.uniform(-across, across), y_mm=random.uniform(-along, along))
        if has_room(world, placed, others) and abs(placed.x_mm) >= bar:
            return placed
    return None
