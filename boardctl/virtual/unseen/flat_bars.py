"""Lays checkers and the cube on boards without a bar: what would lie on the bar lies on the field's middle line, where
there is room."""

from dataclasses import replace
from math import copysign, hypot
from random import Random

import numpy as np

from boardctl.rules import PlaceKind, Placement
from boardctl.virtual.dice import TABLE_DEPTH_MM
from boardctl.virtual.unseen.no_trays import Layer
from boardctl.virtual.world import CUBE_SIZE_MM, Checker, Cube, World
from calibration.follow import outline_mm

STEP = 0.05
"""How far apart the spots are that are tried, in checkers."""

ROOM = 1.02
"""Middles of checkers are so many diameters apart, where they do not touch."""

MIDDLE = 0.35
"""A cube nearer to the middle than this part of the way to an end belongs to no seat."""


def without_bar(lay: Layer) -> Layer:
    """Gets what lays checkers as ``lay`` does, but those on the bar on the middle line, as near as can be to where they
    would lie on a bar, none upon another."""

    def laid(world: World, placement: Placement, random: Random) -> World:
        world = lay(world, placement, random)
        lying = [one for one in world.checkers if one.place.kind is not PlaceKind.BAR]
        for checker in world.checkers:
            if checker.place.kind is PlaceKind.BAR:
                lying.append(_with_room(world, checker, lying))
        return replace(world, checkers=tuple(lying))

    return laid


def cube_with_room(world: World, cube: Cube) -> Cube:
    """Gets a cube on the middle line moved along it to the nearest spot where no checker lies; where there is none, or
    it would leave its seat's end so, it lies off the board: beyond that end, or beside the middle. One that lies
    elsewhere, or on a bar, stays."""
    geometry = world.geometry
    if geometry.bar_height_mm or cube.x_mm:
        return cube
    apart = ROOM * (geometry.checker_diameter_mm + CUBE_SIZE_MM) / 2
    is_owned = bool(cube.y_mm)
    end = (geometry.field_height_mm - CUBE_SIZE_MM) / 2
    spots = [cube.y_mm, *np.arange(-end, end, STEP * apart).tolist()]
    farthest = apart + CUBE_SIZE_MM if is_owned else MIDDLE * end
    for y in sorted((y for y in spots if abs(y - cube.y_mm) < farthest), key=lambda y: abs(y - cube.y_mm)):
        if all(hypot(one.x_mm - cube.x_mm, one.y_mm - y) >= apart for one in world.checkers):
            return replace(cube, y_mm=y)
    beyond_x, beyond_y = outline_mm(geometry)[2, :2] + CUBE_SIZE_MM * 0.6
    x, y = (0.0, copysign(beyond_y, cube.y_mm)) if is_owned else (-beyond_x, 0.0)
    return replace(cube, x_mm=x, y_mm=y, z_mm=CUBE_SIZE_MM / 2 - TABLE_DEPTH_MM)


def _with_room(world: World, checker: Checker, others: list[Checker]) -> Checker:
    """Gets a checker moved along the middle line to the nearest spot with room; where there is none, it stays."""
    apart = ROOM * world.geometry.checker_diameter_mm
    end = world.geometry.field_height_mm / 2 - apart / 2
    spots = np.arange(-end, end, STEP * apart)
    for y in sorted(spots.tolist(), key=lambda y: abs(y - checker.y_mm)):
        if all(hypot(one.x_mm - checker.x_mm, one.y_mm - y) >= apart for one in others):
            return replace(checker, y_mm=y, z_mm=world.geometry.checker_height_mm / 2)
    return checker
