"""What the sensors see: the lowest checker over each, and nothing of hands."""

from dataclasses import replace
from random import Random

from boardctl.devices.slots_to_readings import spot_mm
from boardctl.rules import Backgammon, Placement, Seat, bar, point, tray
from boardctl.virtual.dice import Die
from boardctl.virtual.sensing import channel_classes
from boardctl.virtual.world import Hand, World, empty_world, set_up, with_hand
from calibration import BoardGeometry
from firmware_bridge import ChannelClass, SlotMap

SLOTS = SlotMap.reference()


def world_of(placement: Placement) -> World:
    random = Random(1)
    return set_up(empty_world(BoardGeometry(), random), placement, random)


def seen_on(world: World, number: int) -> list[ChannelClass]:
    classes = channel_classes(world, SLOTS)
    return [classes[channel] for channel in SLOTS.point(number)]


def test_the_starting_position_covers_the_first_slots_of_its_points() -> None:
    world = world_of(Backgammon().start().placement())
    light, dark, none = ChannelClass.LIGHT, ChannelClass.DARK, ChannelClass.EMPTY
    assert seen_on(world, 6) == [light] * 5
    assert seen_on(world, 8) == [light] * 3 + [none] * 2
    assert seen_on(world, 1) == [dark] * 2 + [none] * 3
    assert seen_on(world, 2) == [none] * 5
    assert sum(kind is not none for kind in channel_classes(world, SLOTS).values()) == 30


def test_a_stack_is_seen_by_its_lowest_checkers_only() -> None:
    world = world_of(Placement({point(9): (Seat.B,) * 5 + (Seat.A,)}))
    assert seen_on(world, 9) == [ChannelClass.DARK] * 5


def test_bar_and_tray_are_seen() -> None:
    world = world_of(Placement({bar(Seat.A): (Seat.A,), tray(Seat.B): (Seat.B,) * 4}))
    classes = channel_classes(world, SLOTS)
    assert [classes[channel] for channel in SLOTS.bar("A")] == [ChannelClass.LIGHT, ChannelClass.EMPTY]
    assert [classes[channel] for channel in SLOTS.tray("B")] == [ChannelClass.DARK, ChannelClass.EMPTY]
    full = world_of(Placement({tray(Seat.B): (Seat.B,) * 15}))
    assert [channel_classes(full, SLOTS)[channel] for channel in SLOTS.tray("B")] == [ChannelClass.DARK] * 2


def test_a_die_over_a_sensor_looks_like_a_checker_of_its_brightness() -> None:
    world = world_of(Placement())
    x, y = spot_mm(world.geometry, SLOTS[SLOTS.point(10)[2]])
    flat = replace(world, dice=(Die(3, x, y, 6.75, 20),))
    assert seen_on(flat, 10)[2] is ChannelClass.LIGHT
    assert channel_classes(flat, SLOTS, die_grey=lambda die: 20)[SLOTS.point(10)[2]] is ChannelClass.DARK
    tilted = replace(world, dice=(Die(3, x, y, 8, 20, tilt_deg=20),))
    assert seen_on(tilted, 10)[2] is ChannelClass.EMPTY


def test_a_hand_is_not_seen() -> None:
    world = world_of(Backgammon().start().placement())
    assert channel_classes(with_hand(world, Hand(Seat.A, 0, 0)), SLOTS) == channel_classes(world, SLOTS)
