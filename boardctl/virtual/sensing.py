"""What the sensors under the virtual board see of what lies above them."""

import math
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache

from boardctl.devices.slots_to_readings import spot_mm
from boardctl.referee.readings import Support
from boardctl.rules import Seat
from boardctl.virtual.dice import Die
from boardctl.virtual.world import Checker, World
from firmware_bridge import ChannelClass, Slot, SlotKind, SlotMap

SPOT_MM = 3.0
"""How near the middle of a sensor's spot must lie to the rim of a checker, or nearer: a reflex sensor looks at a spot
of some 5 mm, and calls it covered when more than half of it is."""

LIGHT_FROM = 128
"""The grey level from which on a body reflects like a light checker."""


def channel_classes(
    world: World, slot_map: SlotMap, *, die_grey: Callable[[Die], float] = lambda die: 235
) -> dict[int, ChannelClass]:
    """Gets what each wired channel sees: empty, light or dark.

    A sensor sees the lowest thing over it: a checker, or a die that lies on the board, by its brightness ``die_grey``
    (0 to 255). Hands are too far above. Seat A is light.
    """
    spots = [(channel, slot, _spot(world.geometry, slot)) for channel, slot in slot_map.slots.items()]
    columns: dict[int, list[Checker]] = {}
    for one in world.checkers:
        columns.setdefault(_column(world, one.x_mm), []).append(one)
    return {channel: _class_over(world, slot, spot, columns, die_grey) for channel, slot, spot in spots}


_spot = lru_cache(maxsize=1024)(spot_mm)


def _column(world: World, x_mm: float) -> int:
    """Gets the number of the strip of the board, as wide as a checker, in which something lies."""
    return int(x_mm // world.geometry.checker_diameter_mm)


def _class_over(
    world: World,
    slot: Slot,
    spot: tuple[float, float],
    columns: Mapping[int, Sequence[Checker]],
    die_grey: Callable[[Die], float],
) -> ChannelClass:
    x, y = spot
    column = _column(world, x)  # no checker reaches farther than into the strip beside its own
    near = (one for number in (column - 1, column, column + 1) for one in columns.get(number, ()))
    over = [one for one in near if _covers(world, one, x, y)]
    if over:
        lowest = min(over, key=lambda one: one.z_mm)
        return ChannelClass.LIGHT if lowest.seat is Seat.A else ChannelClass.DARK
    dice = [die for die in world.dice if slot.kind is SlotKind.POINT and _die_covers(world, die, x, y)]
    if dice:
        return ChannelClass.LIGHT if die_grey(dice[0]) >= LIGHT_FROM else ChannelClass.DARK
    return ChannelClass.EMPTY


def _covers(world: World, checker: Checker, x: float, y: float) -> bool:
    geometry = world.geometry
    if checker.on_edge:
        # Standing checkers roll about in the width of the tray; a sensor line across it sees the nearest.
        within = geometry.checker_diameter_mm / 2
        return abs(checker.y_mm - y) <= geometry.checker_height_mm * 0.55 and abs(checker.x_mm - x) <= within
    return math.hypot(checker.x_mm - x, checker.y_mm - y) <= geometry.checker_diameter_mm / 2 - SPOT_MM


def _die_covers(world: World, die: Die, x: float, y: float) -> bool:
    """Whether a die lies flat on the board over a spot; one in the air or on an edge is too far from the sensor."""
    near = math.hypot(die.x_mm - x, die.y_mm - y) <= world.geometry.die_size_mm / 2
    return near and die.on is Support.SURFACE and die.flat and not die.moving
