"""Dice as rigid bodies: a pose in millimetres, the face that is up, and every way in which a throw can end.

A die's own frame has its middle at the origin and its faces 1 on +z, 2 on +x, 3 on +y, opposite faces adding up to
seven: a Western die, on which 1, 2, 3 run counter-clockwise around their common corner. Its pose in the board frame is
Rz(yaw) after the turn that brings ``value`` up, then a tilt about a horizontal axis.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from random import Random
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from boardctl.referee.readings import Support
from boardctl.rules import Seat
from calibration import BoardGeometry

if TYPE_CHECKING:
    from boardctl.virtual.world import Checker

Floats = NDArray[np.float64]

FACE_NORMALS: dict[int, tuple[int, int, int]] = {
    1: (0, 0, 1),
    2: (1, 0, 0),
    3: (0, 1, 0),
    4: (0, -1, 0),
    5: (-1, 0, 0),
    6: (0, 0, -1),
}

FLAT_LIMIT_DEG = 2.0
"""A die tilted less than this lies flat: the same limit as in the truth of the rendered pictures."""

TABLE_DEPTH_MM = 14.0
"""How far the table top lies under the playing surface: the thickness of the board's floor."""


class ThrowKind(StrEnum):
    """How a thrown die came to rest. Only ``FLAT`` is a valid one."""

    FLAT = "flat"
    LEANING_ON_CHECKER = "leaning_on_checker"
    LEANING_ON_RAIL = "leaning_on_rail"
    ON_CHECKER = "on_checker"
    WRONG_HALF = "wrong_half"
    ON_BAR = "on_bar"
    OFF_BOARD = "off_board"


@dataclass(frozen=True, slots=True)
class Die:
    """One die: the middle of its body, its pose, and what it stands on or leans against.

    ``tilt_deg`` turns the top face towards the board direction ``tilt_toward_deg`` (0 along +x, 90 along +y).
    ``moving``: it still tumbles. ``owner``: of whose set it is, where each seat has its own.
    """

    value: int
    x_mm: float
    y_mm: float
    z_mm: float
    yaw_deg: float
    tilt_deg: float = 0.0
    tilt_toward_deg: float = 0.0
    on: Support = Support.SURFACE
    kind: ThrowKind = ThrowKind.FLAT
    moving: bool = False
    owner: Seat | None = field(default=None, repr=False)  # chances that go with a die are its own, whosever it is

    @property
    def flat(self) -> bool:
        """Whether its top face is level."""
        return self.tilt_deg < FLAT_LIMIT_DEG

    def rotation(self) -> Floats:
        """Gets the 3x3 rotation from the die's own frame to the board frame."""
        around = _rotation_about((-math.sin(r := math.radians(self.tilt_toward_deg)), math.cos(r), 0.0), self.tilt_deg)
        return np.asarray(around @ _rotation_about((0, 0, 1), self.yaw_deg) @ _face_up(self.value), dtype=np.float64)

    def valid_for(self, seat: Seat, geometry: BoardGeometry, rules: "ThrowRules | None" = None) -> bool:
        """Whether the die counts in a roll of ``seat``: flat, on the playing surface, in the right-hand section.

        ``rules`` may be more generous than that.
        """
        rules = rules or ThrowRules()
        section = geometry.section_of(self.x_mm, self.y_mm)
        lies_well = self.on is Support.SURFACE or (self.on is Support.CHECKER and rules.on_checker_counts)
        return (
            self.flat
            and lies_well
            and (section is seat or (rules.any_half and section is not None))
            and not self.moving
        )


@dataclass(frozen=True, slots=True)
class ThrowRules:
    """What the players hold to be a valid throw, beyond flat dice on the surface of the right-hand section."""

    any_half: bool = False
    on_checker_counts: bool = False


def resting_height_mm(size_mm: float, tilt_deg: float) -> float:
    """Gets the height of the middle of a die that stands on an edge, tilted about that edge."""
    tilt = math.radians(tilt_deg)
    return size_mm / 2 * (math.cos(tilt) + math.sin(tilt))


def throw_die(
    geometry: BoardGeometry,
    seat: Seat,
    value: int,
    kind: ThrowKind,
    checkers: Sequence["Checker"],
    others: Sequence[Die],
    random: Random,
) -> Die:
    """Gets a die thrown by ``seat`` that came to rest as ``kind`` says, clear of the dice in ``others``.

    Where the board offers no place for that kind (nothing to lean on, say), it leans on the rail instead, so that an
    irregular throw stays irregular.
    """
    if kind is ThrowKind.LEANING_ON_CHECKER:
        return _leaning_on_checker(geometry, seat, value, checkers, others, random)
    if kind is ThrowKind.LEANING_ON_RAIL:
        return _leaning_on_rail(geometry, seat, value, checkers, others, random)
    if kind is ThrowKind.ON_CHECKER:
        return _on_checker(geometry, seat, value, checkers, others, random)
    if kind is ThrowKind.ON_BAR:
        return _on_bar(geometry, value, checkers, others, random)
    if kind is ThrowKind.OFF_BOARD:
        return _off_board(geometry, seat, value, random)
    half = seat if kind is ThrowKind.FLAT else _other(seat)
    x, y = _free_spot(geometry, half, checkers, others, random)
    return Die(value, x, y, geometry.die_size_mm / 2, random.uniform(0, 360), kind=kind)


def tumbling(die: Die, random: Random, spread_mm: float = 60.0) -> Die:
    """Gets the die as it was a moment before it came to rest: somewhere near, in the air, turned anyhow."""
    return Die(
        random.randint(1, 6),
        die.x_mm + random.uniform(-spread_mm, spread_mm),
        die.y_mm + random.uniform(-spread_mm, spread_mm),
        die.z_mm + random.uniform(5, 30),
        random.uniform(0, 360),
        random.uniform(10, 45),
        random.uniform(0, 360),
        Support.SURFACE,
        die.kind,
        moving=True,
        owner=die.owner,
    )


def _rotation_about(axis: tuple[float, float, float], angle_deg: float) -> Floats:
    """Gets the 3x3 rotation about a unit axis (Rodrigues' formula)."""
    x, y, z = axis
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]], dtype=np.float64)
    angle = math.radians(angle_deg)
    return np.asarray(np.eye(3) + math.sin(angle) * cross + (1 - math.cos(angle)) * (cross @ cross), dtype=np.float64)


def _face_up(value: int) -> Floats:
    """Gets the 3x3 rotation that brings the face ``value`` to +z."""
    turns: dict[int, tuple[tuple[float, float, float], float]] = {
        1: ((0, 0, 1), 0),
        2: ((0, 1, 0), -90),
        3: ((1, 0, 0), 90),
        4: ((1, 0, 0), -90),
        5: ((0, 1, 0), 90),
        6: ((1, 0, 0), 180),
    }
    if value not in turns:
        raise ValueError(f"die {value}: a die shows 1 to 6")
    axis, angle = turns[value]
    return _rotation_about(axis, angle)


def _other(seat: Seat) -> Seat:
    """Gets somebody else, into whose section a die may have rolled."""
    return Seat.B if seat is Seat.A else Seat.A


def _clear(
    geometry: BoardGeometry, x: float, y: float, checkers: Sequence["Checker"], others: Sequence[Die], margin_mm: float
) -> bool:
    """Whether a die at x, y touches no checker and no other die, with ``margin_mm`` to spare."""
    # Half the diagonal of a face: the die may be turned in any way.
    reach = geometry.die_size_mm * math.sqrt(2) / 2
    from_checker = geometry.checker_diameter_mm / 2 + reach + margin_mm
    if any(not one.on_edge and math.hypot(one.x_mm - x, one.y_mm - y) < from_checker for one in checkers):
        return False
    return all(math.hypot(die.x_mm - x, die.y_mm - y) > 2 * reach + margin_mm for die in others)


def _free_spot(
    geometry: BoardGeometry, half: Seat, checkers: Sequence["Checker"], others: Sequence[Die], random: Random
) -> tuple[float, float]:
    """Gets a spot for a flat die in a seat's right-hand section, near its middle more often than not.

    :raises ValueError: when the section is so full that no die can lie flat in it, which no position can do.
    """
    side, (low, high) = geometry.section_mm(half)
    reach = geometry.die_size_mm * math.sqrt(2) / 2 + 1.0
    left = geometry.bar_width_mm / 2 + reach
    right = geometry.field_width_mm / 2 - reach
    middle, top = (low + high) / 2, (high - low) / 2 - reach
    for _ in range(2000):
        x = side * random.uniform(left, right)
        y = middle + max(-top, min(top, random.gauss(0, top / 2.5)))
        if _clear(geometry, x, y, checkers, others, 1.0):
            return x, y
    raise ValueError(f"section of seat {half}: no room for a die among {len(checkers)} checkers and {len(others)} dice")


def _leaning(value: int, x: float, y: float, tilt: float, toward: float, size: float, on: Support) -> Die:
    """Gets a die whose raised lower edge touches an upright wall at x, y; ``toward`` points away from the wall."""
    angle = math.radians(tilt)
    # In the plane across the wall: the pivot edge, on the board, is size * cos(tilt) away from the wall; the middle is
    # half an edge back towards the wall along the tilted floor, and half an edge up along the tilted side.
    from_wall = size * math.cos(angle) - size / 2 * (math.cos(angle) - math.sin(angle))
    direction = math.radians(toward)
    return Die(
        value,
        x + from_wall * math.cos(direction),
        y + from_wall * math.sin(direction),
        resting_height_mm(size, tilt),
        toward,
        tilt,
        toward,
        on,
        ThrowKind.LEANING_ON_RAIL if on is Support.RAIL else ThrowKind.LEANING_ON_CHECKER,
    )


def _leaning_on_checker(
    geometry: BoardGeometry,
    seat: Seat,
    value: int,
    checkers: Sequence["Checker"],
    others: Sequence[Die],
    random: Random,
) -> Die:
    """Gets a die that leans against the wall of a lying checker in the roller's right-hand section."""
    radius = geometry.checker_diameter_mm / 2
    low = [one for one in checkers if not one.on_edge and one.z_mm < geometry.checker_height_mm]
    mine = [one for one in low if geometry.section_of(one.x_mm, one.y_mm) is seat]
    for _ in range(400 if mine else 0):
        checker = random.choice(mine)
        toward = random.uniform(0, 360)
        tilt = random.uniform(10, 38)
        edge = math.radians(toward)
        die = _leaning(
            value,
            checker.x_mm + radius * math.cos(edge),
            checker.y_mm + radius * math.sin(edge),
            tilt,
            toward,
            geometry.die_size_mm,
            Support.CHECKER,
        )
        rest = [one for one in low if one is not checker]
        inside = geometry.section_of(die.x_mm, die.y_mm) is seat
        clear_of_rails = abs(die.y_mm) < geometry.field_height_mm / 2 - geometry.die_size_mm
        if inside and clear_of_rails and _clear(geometry, die.x_mm, die.y_mm, rest, others, 0.5):
            return die
    return _leaning_on_rail(geometry, seat, value, checkers, others, random)


def _leaning_on_rail(
    geometry: BoardGeometry,
    seat: Seat,
    value: int,
    checkers: Sequence["Checker"],
    others: Sequence[Die],
    random: Random,
) -> Die:
    """Gets a die that leans against the rail at the end of the roller's right-hand section, or against a long one."""
    side, _ = geometry.section_mm(seat)
    end_x, end_y = geometry.field_width_mm / 2, geometry.field_height_mm / 2
    for _ in range(400):
        tilt = random.uniform(10, 38)
        if random.random() < 0.5:
            at = (side * end_x, random.uniform(-end_y + 20, end_y - 20))
            toward = 180.0 if side > 0 else 0.0
        else:
            row = random.choice((-1.0, 1.0))
            at = (side * random.uniform(geometry.bar_width_mm, end_x - 20), row * end_y)
            toward = -90.0 * row
        die = _leaning(value, *at, tilt, toward, geometry.die_size_mm, Support.RAIL)
        if _clear(geometry, die.x_mm, die.y_mm, checkers, others, 0.5):
            return die
    return _off_board(geometry, seat, value, random)


def _on_checker(
    geometry: BoardGeometry,
    seat: Seat,
    value: int,
    checkers: Sequence["Checker"],
    others: Sequence[Die],
    random: Random,
) -> Die:
    """Gets a die flat on top of a checker of the roller's right-hand section."""
    radius = geometry.checker_diameter_mm / 2
    mine = [
        one
        for one in checkers
        if not one.on_edge
        and geometry.section_of(one.x_mm, one.y_mm) is seat
        and not any(
            above.z_mm > one.z_mm and math.hypot(above.x_mm - one.x_mm, above.y_mm - one.y_mm) < radius
            for above in checkers
        )
    ]
    if not mine:
        return _leaning_on_rail(geometry, seat, value, checkers, others, random)
    checker = random.choice(mine)
    # The middle stays over the checker, so that the die cannot tip over.
    off = random.uniform(0, radius * 0.7)
    angle = random.uniform(0, 2 * math.pi)
    return Die(
        value,
        checker.x_mm + off * math.cos(angle),
        checker.y_mm + off * math.sin(angle),
        checker.z_mm + geometry.checker_height_mm / 2 + geometry.die_size_mm / 2,
        random.uniform(0, 360),
        on=Support.CHECKER,
        kind=ThrowKind.ON_CHECKER,
    )


def _on_bar(
    geometry: BoardGeometry, value: int, checkers: Sequence["Checker"], others: Sequence[Die], random: Random
) -> Die:
    """Gets a die flat on the bar, beside the cube and any checkers there."""
    end = geometry.field_height_mm / 2 - geometry.die_size_mm
    for _ in range(400):
        x = random.uniform(-geometry.bar_width_mm / 4, geometry.bar_width_mm / 4)
        y = random.choice((-1.0, 1.0)) * random.uniform(geometry.die_size_mm * 3, end)
        if _clear(geometry, x, y, checkers, others, 0.5):
            break
    z = geometry.bar_height_mm + geometry.die_size_mm / 2
    return Die(value, x, y, z, random.uniform(0, 360), on=Support.RAIL, kind=ThrowKind.ON_BAR)


def _off_board(geometry: BoardGeometry, seat: Seat, value: int, random: Random) -> Die:
    """Gets a die flat on the table beside the long rail of the roller's opponent or of the roller."""
    side, _ = geometry.section_mm(seat)
    row = random.choice((-1.0, 1.0))
    y = row * (geometry.field_height_mm / 2 + geometry.rail_width_mm + random.uniform(15, 28))
    x = side * random.uniform(geometry.bar_width_mm, geometry.field_width_mm / 2)
    z = geometry.die_size_mm / 2 - TABLE_DEPTH_MM
    return Die(value, x, y, z, random.uniform(0, 360), on=Support.OFF_BOARD, kind=ThrowKind.OFF_BOARD)
