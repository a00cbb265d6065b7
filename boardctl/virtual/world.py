"""The physical world of one table in millimetres: checkers where a hand put them, dice, hands and the cube.

A :class:`World` is a frozen value; every act gives a new one. Lengths are in the board frame of
:class:`calibration.BoardGeometry`. Whatever is random takes its chances from the ``Random`` that is passed in, so that
the same seed gives the same table to the last tenth of a millimetre.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from random import Random

from boardctl.rules import Place, PlaceKind, Placement, Seat
from boardctl.virtual.dice import Die
from boardctl.virtual.looks import Colour
from calibration import BoardGeometry

SIDEWAYS_JITTER_MM = 1.1
"""How far a hand misses the middle line of a point at most: two neighbours must not run into each other."""

GAP_MM = 0.7
"""The mean gap that a hand leaves between a checker and the one before it."""

UPPER_JITTER_MM = 1.8
"""How far off its lower neighbour's middle a checker of an upper layer is put (standard deviation)."""

BAR_JITTER_MM = 1.5
"""How far off the middle line of the bar a hand puts a checker (standard deviation)."""

CUBE_SIZE_MM = 30.0
"""The edge of a common doubling cube."""

ARM_HALF_MM = 50.0
"""Half as wide as a hand and the sleeve behind it."""

ELBOW = 0.45
"""The elbow stays near the player's middle: how far it goes along with a hand that reaches sideways."""

STACK_LIMIT = 30
"""As many checkers as any place can get: in the Blocking games all of two seats may end up on one point."""


class WorldError(ValueError):
    """An act that is physically impossible, such as lifting a checker where none is."""


@dataclass(frozen=True, slots=True)
class Checker:
    """One checker: whose it is, at which place it counts, and the middle of its body in millimetres.

    ``on_edge``: it stands on its rim, its axis along y, as in a tray. ``index`` is its turn in the stack, 0 first.
    """

    seat: Seat
    place: Place
    index: int
    x_mm: float
    y_mm: float
    z_mm: float
    on_edge: bool = False


@dataclass(frozen=True, slots=True)
class Hand:
    """A hand whose finger tips are at x, y; its arm comes from the edge of ``seat``. ``holding``: whose checker.
    ``shadow``: how much of the light its shadow takes."""

    seat: Seat
    x_mm: float
    y_mm: float
    holding: Seat | None = None
    shadow: float = 105 / 255


@dataclass(frozen=True, slots=True)
class Cube:
    """The doubling cube: its value and the middle of its body."""

    value: int
    x_mm: float
    y_mm: float
    z_mm: float
    yaw_deg: float


@dataclass(frozen=True, slots=True)
class Thing:
    """Something that belongs to no game and was put down on the board: it hides what is under it."""

    x_mm: float
    y_mm: float
    rim_mm: tuple[tuple[float, float], ...]
    """The convex outline of its upper face, against the clock, about its middle."""
    height_mm: float
    sides: Colour
    top: Colour
    z_mm: float = 0.0
    """How high its foot is over the board."""
    foot: float = 1.0
    """How large its foot is, in shares of its upper face."""
    inside: tuple[float, float, Colour] | None = None
    """What is seen in its upper face (what a cup holds, a screen, a label): how large in shares of that, how high in
    shares of its height, and its colour."""
    shadow: float = 0.0
    """How much of the light its shadow takes."""
    holds: tuple[Die, ...] = ()
    """Dice in it: where each lies from the middle of its foot."""


@dataclass(frozen=True, slots=True)
class World:
    """Everything that lies or moves on one table at one instant. ``dark``: the camera sees nothing of it."""

    geometry: BoardGeometry
    checkers: tuple[Checker, ...] = ()
    dice: tuple[Die, ...] = ()
    hands: tuple[Hand, ...] = ()
    cube: Cube | None = None
    things: tuple[Thing, ...] = ()
    dark: bool = False

    def placement(self) -> Placement:
        """Gets where all checkers truly are, bottom first."""
        stacks: dict[Place, list[Checker]] = {}
        for checker in self.checkers:
            stacks.setdefault(checker.place, []).append(checker)
        return Placement(
            {
                place: tuple(checker.seat for checker in sorted(stack, key=lambda one: one.index))
                for place, stack in stacks.items()
            }
        )

    def at(self, place: Place) -> list[Checker]:
        """Gets the checkers of a place, the lowest index first."""
        return sorted((checker for checker in self.checkers if checker.place == place), key=lambda one: one.index)


def empty_world(geometry: BoardGeometry, random: Random, *, cube: bool = True) -> World:
    """Gets a board without checkers; the cube, showing 64, in the middle of the bar."""
    if not cube:
        return World(geometry)
    height = geometry.bar_height_mm + CUBE_SIZE_MM / 2
    return World(geometry, cube=Cube(64, random.gauss(0, 1.0), random.gauss(0, 3.0), height, random.uniform(-12, 12)))


def set_up(world: World, placement: Placement, random: Random) -> World:
    """Gets the world with all checkers put by hand to where ``placement`` has them, and nothing else changed."""
    world = replace(world, checkers=())
    for place in sorted(placement, key=str):
        for seat in placement.at(place):
            world = put(world, seat, place, random)
    return world


def lifted(world: World, place: Place, seat: Seat | None = None) -> tuple[World, Checker]:
    """Gets the world without the topmost checker of a place (of ``seat``, when given), and that checker.

    What lay beyond it is slid up to close the gap, as players do with a checker that has hit another.

    :raises WorldError: when there is none.
    """
    there = [checker for checker in world.at(place) if seat in (None, checker.seat)]
    if not there:
        raise WorldError(f"{place}: no checker{f' of seat {seat}' if seat else ''} to lift there")
    checker = there[-1]

    def closed_up(one: Checker) -> Checker:
        return _slid(world.geometry, one) if one.place == place and one.index > checker.index else one

    return replace(world, checkers=tuple(closed_up(one) for one in world.checkers if one is not checker)), checker


def put(world: World, seat: Seat, place: Place, random: Random) -> World:
    """Gets the world with a checker of ``seat`` put by hand on the next free spot of a place.

    :raises WorldError: when the place cannot take one more.
    """
    taken = {checker.index for checker in world.at(place)}
    index = next((number for number in range(STACK_LIMIT) if number not in taken), None)
    if index is None:
        raise WorldError(f"{place}: {STACK_LIMIT} checkers lie there already")
    if place.kind is PlaceKind.POINT:
        checker = _on_point(world, seat, place, index, random)
    elif place.kind is PlaceKind.BAR and place.seat is not None:
        x, y, z = world.geometry.on_bar(place.seat, index)
        checker = Checker(
            seat, place, index, x + random.gauss(0, BAR_JITTER_MM), _apart(world, place, y, random), z, on_edge=False
        )
    elif place.kind in (PlaceKind.TRAY, PlaceKind.WAITING) and place.seat is not None:
        beside = world.geometry.in_tray if place.kind is PlaceKind.TRAY else world.geometry.in_waiting
        x, y, z = beside(place.seat, index)
        checker = Checker(seat, place, index, x + random.gauss(0, 0.8), y + random.uniform(-0.2, 0.2), z, on_edge=True)
    else:
        raise WorldError(f"{place}: this board has no such place")
    return replace(world, checkers=(*world.checkers, checker))


def tidied(world: World, random: Random) -> World:
    """Gets the world with every checker put anew where it counts: what players do when asked to tidy the board."""
    return set_up(world, world.placement(), random)


def without_hands(world: World) -> World:
    """Gets the world after all hands have left it."""
    return replace(world, hands=())


def with_hand(world: World, hand: Hand) -> World:
    """Gets the world with this hand and no other in it."""
    return replace(world, hands=(hand,))


def hides(world: World, x_mm: float, y_mm: float) -> bool:
    """Whether a hand, an arm or a thing is over a spot, for who looks from right above."""
    if any(_thing_over(thing, x_mm, y_mm) for thing in world.things):
        return True
    return any(_arm_over(hand, x_mm, y_mm) for hand in world.hands)


def _thing_over(thing: Thing, x_mm: float, y_mm: float) -> bool:
    """Whether a spot is within the rim of a thing: to the left of all of its edges."""
    x, y = x_mm - thing.x_mm, y_mm - thing.y_mm
    edges = pairwise((*thing.rim_mm, thing.rim_mm[0]))
    return all((to_x - at_x) * (y - at_y) > (to_y - at_y) * (x - at_x) for (at_x, at_y), (to_x, to_y) in edges)


def _arm_over(hand: Hand, x_mm: float, y_mm: float) -> bool:
    """Whether a hand or its arm, which comes in from its seat's edge, is over a spot."""
    side = -1.0 if hand.seat in (Seat.A, Seat.D) else 1.0
    along = (y_mm - hand.y_mm) * side
    lean = (hand.x_mm * ELBOW - hand.x_mm) / 700.0  # sideways for each millimetre towards the elbow
    return along > -ARM_HALF_MM and abs(x_mm - hand.x_mm - lean * max(along, 0.0)) < ARM_HALF_MM


def covers(checkers: Iterable[Checker], geometry: BoardGeometry, x_mm: float, y_mm: float) -> list[Checker]:
    """Gets the lying checkers whose disc is over a spot, the lowest first."""
    radius = geometry.checker_diameter_mm / 2
    over = [one for one in checkers if not one.on_edge and math.hypot(one.x_mm - x_mm, one.y_mm - y_mm) <= radius]
    return sorted(over, key=lambda one: one.z_mm)


def lying(checkers: Sequence[Checker], geometry: BoardGeometry) -> list[Checker]:
    """Gets the checkers that touch the playing surface itself."""
    on_surface = geometry.checker_height_mm * 0.75
    return [one for one in checkers if not one.on_edge and one.z_mm <= on_surface]


def _slid(geometry: BoardGeometry, checker: Checker) -> Checker:
    """Gets a checker moved on to the spot before its own."""
    spots: list[tuple[float, float, float]] = []
    for index in (checker.index - 1, checker.index):
        if checker.place.kind is PlaceKind.POINT:
            spots.append(geometry.on_point(checker.place.number, index))
        else:
            assert checker.place.seat is not None
            spot_of = {
                PlaceKind.BAR: geometry.on_bar,
                PlaceKind.TRAY: geometry.in_tray,
                PlaceKind.WAITING: geometry.in_waiting,
            }[checker.place.kind]
            spots.append(spot_of(checker.place.seat, index))
    (to_x, to_y, to_z), (from_x, from_y, from_z) = spots
    return replace(
        checker,
        index=checker.index - 1,
        x_mm=checker.x_mm + to_x - from_x,
        y_mm=checker.y_mm + to_y - from_y,
        z_mm=checker.z_mm + to_z - from_z,
    )


def _on_point(world: World, seat: Seat, place: Place, index: int, random: Random) -> Checker:
    """Gets a checker on a point: in a row from the edge inwards, or on top of the one below in an upper layer."""
    geometry = world.geometry
    x, y, z = geometry.on_point(place.number, index)
    below = next((one for one in world.at(place) if one.index == index - 5), None)
    if below is not None:
        return Checker(
            seat,
            place,
            index,
            below.x_mm + random.gauss(0, UPPER_JITTER_MM),
            below.y_mm + random.gauss(0, UPPER_JITTER_MM),
            below.z_mm + geometry.checker_height_mm,
        )
    x += max(-SIDEWAYS_JITTER_MM, min(SIDEWAYS_JITTER_MM, random.gauss(0, SIDEWAYS_JITTER_MM / 2)))
    side = -1.0 if geometry.is_near_row(place.number) else 1.0
    inner = [one for one in world.at(place) if one.index < index and one.z_mm < geometry.checker_height_mm]
    edge = side * geometry.field_height_mm / 2
    wanted = abs(edge - y)
    if inner:
        wanted = max(wanted, abs(edge - inner[-1].y_mm) + geometry.checker_diameter_mm)
    return Checker(seat, place, index, x, edge - side * (wanted + abs(random.gauss(0, GAP_MM))), z)


def _apart(world: World, place: Place, y_mm: float, random: Random) -> float:
    """Gets a y on the bar near ``y_mm`` that leaves the checkers before it untouched."""
    # On towards where the next checker of the bar will lie.
    assert place.seat is not None
    onward = world.geometry.on_bar(place.seat, 1)[1] - world.geometry.on_bar(place.seat, 0)[1]
    side = 1.0 if onward > 0 else -1.0
    return y_mm + side * min(abs(random.gauss(0, GAP_MM)), 2 * GAP_MM)
