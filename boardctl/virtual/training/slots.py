"""What lies in the slots of drawn boards' strips: the truth that pictures of them are kept with."""

import numpy as np
from numpy.typing import NDArray

from boardctl.rules import PlaceKind, Seat, tray
from boardctl.virtual.world import Checker, World
from boardctl.vision.points.columns import BAR_STARTS, POINTS, SLOTS
from boardctl.vision.training.column_data import EITHER, NEXT, OWN, REACHES_BACK, slot_at
from calibration import BoardGeometry
from calibration.start.stack_rims import TOUCHING

UNTOLD = -1
"""What lies in a slot of which nothing is told."""


def slots_held(world: World, number: int) -> NDArray[np.int64]:
    """Gets what lies in the seven slots of a point (0 nothing, 1 to 3 of A, 4 to 6 of B, -2 where that is open)."""
    geometry, slots = world.geometry, np.zeros(SLOTS, dtype=np.int64)
    inwards = 1.0 if geometry.is_near_row(number) else -1.0
    middle = geometry.point_x_mm(number)
    open_slots: set[int] = set()
    lowest = geometry.checker_height_mm / 2
    feet = [
        one
        for one in world.checkers
        if one.place.kind is PlaceKind.POINT
        and one.z_mm < lowest + 1
        and geometry.is_near_row(one.place.number) == (inwards > 0)
    ]
    for one in feet:
        off = abs(one.x_mm - middle) / geometry.point_width_mm
        along = (inwards * one.y_mm + geometry.field_height_mm / 2) / (geometry.checker_diameter_mm * TOUCHING)
        slot = int(np.clip(along, 0, SLOTS - 1))
        part = along - slot
        beside = slot + (1 if part > OWN + 0.5 else -1 if part < 0.5 - OWN else 0)
        if OWN < off < NEXT:
            open_slots |= {slot, beside}
        if off > OWN:
            continue
        own = [one, *(each for each in world.checkers if each.place == one.place and _counts_to(one, each, geometry))]
        high = min(round(max(each.z_mm for each in own) / geometry.checker_height_mm - 0.5), 2)
        slots[slot] = 1 + high + (0 if one.seat is Seat.A else 3)
        if beside != slot:
            open_slots |= {slot, beside}
    for slot in open_slots:
        if 0 <= slot < SLOTS:
            slots[slot] = EITHER
    return slots


def slots_held_on_bar(world: World, strip: int) -> NDArray[np.int64]:
    """Gets what lies in the seven slots of one of the bar's two strips (0 nothing, 1 to 3 of A, 4 to 6 of B)."""
    geometry, slots = world.geometry, np.zeros(SLOTS, dtype=np.int64)
    outwards = -1.0 if strip == POINTS else 1.0
    for one in world.checkers:
        along = outwards * one.y_mm / geometry.checker_diameter_mm - BAR_STARTS
        if one.place.kind is not PlaceKind.BAR or outwards * one.y_mm < 0:
            continue
        layer = min(round((one.z_mm - geometry.bar_height_mm) / geometry.checker_height_mm - 0.5), 2)
        slot = slot_at(along / TOUCHING, layer)
        slots[slot] = max(slots[slot], 1 + layer + (0 if one.seat is Seat.A else 3))
    return slots


def slots_held_in_tray(world: World, seat: Seat) -> NDArray[np.int64]:
    """Gets what lies in the seven slots of a seat's tray, in rows as on a point; a run on edge counts as nothing. What
    begins beyond the middle, or ends there, is not told: the other seat's tray is there."""
    geometry, slots = world.geometry, np.zeros(SLOTS, dtype=np.int64)
    slots[int(geometry.field_height_mm / 2 / (geometry.checker_diameter_mm * TOUCHING)) :] = UNTOLD
    for one in world.at(tray(seat)):
        if one.on_edge:
            continue
        along = geometry.field_height_mm / 2 - abs(one.y_mm)
        layer = min(round(one.z_mm / geometry.checker_height_mm - 0.5), 2)
        slot = slot_at(along / (geometry.checker_diameter_mm * TOUCHING), layer)
        slots[slot] = max(slots[slot], 1 + layer + (0 if one.seat is Seat.A else 3))
    return slots


def _counts_to(lower: Checker, upper: Checker, geometry: BoardGeometry) -> bool:
    """Whether an upper checker counts to the slot of one below: it lies on it, or in the hollow behind it."""
    inwards = 1.0 if geometry.is_near_row(lower.place.number) else -1.0
    behind = inwards * (upper.y_mm - lower.y_mm) / geometry.checker_diameter_mm
    is_upper = upper.z_mm > lower.z_mm + 1 and -REACHES_BACK <= behind < 1 - REACHES_BACK
    return is_upper and abs(upper.x_mm - lower.x_mm) < geometry.checker_diameter_mm * 0.6
