"""Lays checkers on boards without a bar: those that were hit lie on the field's middle line, where there is room."""

from dataclasses import replace
from math import hypot
from random import Random

import numpy as np

from boardctl.rules import PlaceKind, Placement
from boardctl.virtual.world import Checker, World, set_up

STEP = 0.05
"""How far apart the spots are that are tried, in checkers."""

ROOM = 1.02
"""Middles of checkers are so many diameters apart, where they do not touch."""


def set_up_flat(world: World, placement: Placement, random: Random) -> World:
    """Gets the world with all checkers put by hand to where ``placement`` has them, and nothing else changed; those on
    the bar on the middle line, as near as can be to where they would lie on a bar, none upon another."""
    laid = set_up(world, placement, random)
    lying = [one for one in laid.checkers if one.place.kind is not PlaceKind.BAR]
    for checker in laid.checkers:
        if checker.place.kind is PlaceKind.BAR:
            lying.append(_with_room(laid, checker, lying))
    return replace(laid, checkers=tuple(lying))


def _with_room(world: World, checker: Checker, others: list[Checker]) -> Checker:
    """Gets a checker moved along the middle line to the nearest spot with room; where there is none, it stays."""
    apart = ROOM * world.geometry.checker_diameter_mm
    end = world.geometry.field_height_mm / 2 - apart / 2
    spots = np.arange(-end, end, STEP * apart)
    for y in sorted(spots.tolist(), key=lambda y: abs(y - checker.y_mm)):
        if all(hypot(one.x_mm - checker.x_mm, one.y_mm - y) >= apart for one in others):
            return replace(checker, y_mm=y, z_mm=world.geometry.checker_height_mm / 2)
    return checker
