"""Checkers as people lay them: rows that lie a little aside and away from the edge, gaps, layers on top of any kind."""

from dataclasses import dataclass, replace
from math import hypot
from random import Random

from boardctl.rules import Place, PlaceKind, Placement, point
from boardctl.virtual.truth import ROW
from boardctl.virtual.world import Checker, World, set_up
from calibration import BoardGeometry

MOST_OFF = 0.15
"""Checkers lie off where they should by so many checkers at most."""
ROW_ASIDE, ROW_AWAY = 0.035, 0.04
"""How far whole rows lie aside and away from the edge, in checkers (standard deviation)."""
EACH_OFF = (0.01, 0.06)
"""How far the checkers of a row lie off it, in checkers (standard deviation): tidy and untidy people."""
UPPER_OFF = (0.02, 0.12)
"""How far upper checkers lie off those below, in checkers (standard deviation)."""
IN_HOLLOWS, HOLLOW = 0.35, (0.4, 0.6)
"""How often the second layer lies in the hollows of the first, so many checkers from the edge."""
IN_TRAY_OFF_MM = 1.2
"""How far checkers in a tray lie off its middle line (standard deviation)."""
LOOSE = (1.0, 0.6, 0.3, 0.0)
"""How loosely a row is laid, one after the other, until there is room for it: two rows of five may meet."""
NEAREST = 1.001
"""The middles of a row's checkers are so many checkers apart at least: nothing lies inside another."""


@dataclass(frozen=True)
class Habits:
    """How somebody lays checkers."""

    each_off: float
    upper_off: float
    hollows: float


def habits(random: Random) -> Habits:
    """Draws how somebody lays checkers."""
    return Habits(random.uniform(*EACH_OFF), random.uniform(*UPPER_OFF), random.choice((0.0, IN_HOLLOWS, 0.8)))


def laid(world: World, placement: Placement, random: Random, habit: Habits) -> World:
    """Gets the world with all checkers laid to where ``placement`` has them, as people do, and nothing else changed."""
    plain = set_up(world, placement, random)
    done: list[Checker] = [one for one in plain.checkers if one.place.kind is not PlaceKind.POINT]
    done = [_in_tray(one, random) if one.on_edge else one for one in done]
    for place in sorted({one.place for one in plain.checkers if one.place.kind is PlaceKind.POINT}, key=str):
        done += _row(plain, place, done, random, habit)
    return replace(plain, checkers=tuple(done))


def _in_tray(one: Checker, random: Random) -> Checker:
    return replace(one, x_mm=one.x_mm + random.gauss(0, IN_TRAY_OFF_MM))


def _row(world: World, place: Place, others: list[Checker], random: Random, habit: Habits) -> list[Checker]:
    """Gets the checkers of a point: as loosely laid as there is room for."""
    room = _beside(world, place.number)
    for loose in LOOSE:
        row = _drawn_row(world, place, random, habit, loose, room)
        if not _meets(world.geometry, row, others):
            break
    return row


def _beside(world: World, number: int) -> tuple[float, float]:
    """Gets how far to the left and right of its middle line the checkers of a point may lie, in millimetres: so far
    that none of those beside, which lie as loosely, is in their way, nor the bar or a rail."""
    geometry = world.geometry
    spare, most = (geometry.point_width_mm - geometry.checker_diameter_mm) / 2, MOST_OFF * geometry.checker_diameter_mm
    middle, near = geometry.point_x_mm(number), geometry.is_near_row(number)
    row = [other for other in range(1, 25) if geometry.is_near_row(other) is near and not world.at(point(other))]
    bare = [geometry.point_x_mm(other) for other in row]
    left, right = (
        most if any(abs(x - middle - side * geometry.point_width_mm) < 1 for x in bare) else spare for side in (-1, 1)
    )
    return left, right


def _drawn_row(
    world: World, place: Place, random: Random, habit: Habits, loose: float, room: tuple[float, float]
) -> list[Checker]:
    """Draws the checkers of a point, as loosely as is said (1: as is usual)."""
    geometry, before = world.geometry, world.at(place)
    size, edge = geometry.checker_diameter_mm, -geometry.field_height_mm / 2 + geometry.checker_diameter_mm / 2
    inwards = 1.0 if geometry.is_near_row(place.number) else -1.0
    middle = geometry.point_x_mm(place.number)
    clear = size * NEAREST

    def off(spread: float) -> float:
        return max(-MOST_OFF, min(MOST_OFF, random.gauss(0, spread))) * loose * size

    def x_of(wanted: float) -> float:
        return max(middle - room[0], min(middle + room[1], wanted))

    aside, along = off(ROW_ASIDE), edge + abs(off(ROW_AWAY))
    row: list[Checker] = []
    for one in before[:ROW]:
        along += abs(off(habit.each_off)) / 2
        row.append(replace(one, x_mm=x_of(middle + aside + off(habit.each_off)), y_mm=inwards * along))
        along += clear
    hollow = 0.0
    if len(before) < 2 * ROW and random.random() < habit.hollows:
        hollow = random.uniform(*HOLLOW) * size
    for one in before[ROW:]:
        below = row[one.index - ROW]
        x = x_of(below.x_mm + off(habit.upper_off))
        along = inwards * below.y_mm + hollow + off(habit.upper_off) * (0.3 if hollow else 1.0)
        if one.index % ROW:  # it is pushed against the one before it, not into it
            aside = abs(x - row[-1].x_mm)
            along = max(along, inwards * row[-1].y_mm + (clear * clear - aside * aside) ** 0.5)
        z = below.z_mm + geometry.checker_height_mm
        row.append(replace(one, x_mm=x, y_mm=inwards * max(along, edge), z_mm=z))
    return row


def _meets(geometry: BoardGeometry, row: list[Checker], others: list[Checker]) -> bool:
    """Whether a checker of a row is in one of another place."""
    return any(
        abs(one.z_mm - each.z_mm) < geometry.checker_height_mm / 2
        and hypot(one.x_mm - each.x_mm, one.y_mm - each.y_mm) < geometry.checker_diameter_mm
        for one in row
        for each in others
        if each.place.kind is PlaceKind.POINT
    )
