"""Lays checkers on boards without trays: those that are borne off are put on the table, in stacks beside the board."""

from collections.abc import Callable
from dataclasses import replace
from random import Random

from boardctl.rules import PlaceKind, Placement
from boardctl.virtual.dice import TABLE_DEPTH_MM
from boardctl.virtual.world import Checker, World
from calibration.follow import outline_mm

Layer = Callable[[World, Placement, Random], World]
"""What lays checkers on a bare board."""

HIGH, STACKS_A_ROW = (2, 5), 3
"""How many checkers a stack beside the board has, and how many stacks stand in a row along it."""

AWAY, APART, OFF_MM = (0.2, 1.2), 1.05, 1.5
"""How far from the board stacks stand, and from each other, in checkers; how far off each checker of a stack lies
(standard deviation)."""


def without_trays(lay: Layer) -> Layer:
    """Gets what lays checkers as ``lay`` does, but those that are borne off beside the board."""

    def laid(world: World, placement: Placement, random: Random) -> World:
        world = lay(world, placement, random)
        # How a seat stacks its checkers is the same in every picture.
        habit = Random(f"{world.geometry} stacks")  # noqa: S311  drawings
        high, away = habit.randint(*HIGH), habit.uniform(*AWAY)
        checkers = tuple(
            _beside(world, one, high, away, random) if one.place.kind is PlaceKind.TRAY else one
            for one in world.checkers
        )
        return replace(world, checkers=checkers)

    return laid


def _beside(world: World, one: Checker, high: int, away: float, random: Random) -> Checker:
    """Gets a checker that was borne off lying on its seat's stacks beside the home side of the board."""
    geometry = world.geometry
    wide = geometry.checker_diameter_mm
    stack, layer = divmod(one.index, high)
    side_x = 1.0 if geometry.home_on_right else -1.0
    side_y = 1.0 if geometry.in_tray(one.seat, 0)[1] > 0 else -1.0
    row, column = divmod(stack, STACKS_A_ROW)
    x = side_x * (outline_mm(geometry)[2, 0] + (away + 0.5 + APART * row) * wide)
    y = side_y * (geometry.field_height_mm / 2 - (0.5 + APART * column) * wide)
    z = (layer + 0.5) * geometry.checker_height_mm - TABLE_DEPTH_MM
    return replace(one, x_mm=x + random.gauss(0, OFF_MM), y_mm=y + random.gauss(0, OFF_MM), z_mm=z, on_edge=False)
