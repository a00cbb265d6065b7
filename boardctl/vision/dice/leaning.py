"""What a die could lean on: only a die beside something can be tilted, whatever its picture looks like.

Telling a die that leans a little from a flat one by its picture is what the eyes do worst. A die that stands free of
checkers, rails, bar and other dice has nothing to lean on: it is flat for certain.
"""

from collections.abc import Iterable
from functools import lru_cache
from math import hypot

from boardctl.referee.readings import BoardReading, PlaceReading
from boardctl.rules import PlaceKind
from boardctl.vision.points.columns import POINTS
from calibration import BoardGeometry

XY = tuple[float, float]

HALF_DIAGONAL = 0.75
"""How far a die reaches from its middle, in die widths, and a little more: half the diagonal of a face is 0.71."""

REACH_OF_TILT = 0.5
"""How much nearer to what it leans on the middle of a tilted die may seem, in die widths: its bottom slips away."""

ASTRAY = 0.25
"""How far checkers lie from where an orderly stack would have them, in checker diameters."""

SURE_STACK = 0.9
"""Likelihood from which it is known how far a point's checkers reach; otherwise they may reach to its tip."""

LOOKS_ON_CHECKER, SURE_BELOW = 0.5, 0.94
"""Likelihood of standing on a checker, as its picture looks, from which more must be known of what lies below a die: a
point on which one lay on the only checker was read as bare with 0.91. Below dice in the open points are bare with 0.998
and more, and where a die lies behind a row nearly 0.95 is left of that it ends before."""


def known_from(on_checker: float) -> float:
    """Gets the likelihood from which it is known how far the checkers beside a die reach, by how likely it is, as its
    picture looks, that it stands on one: it hides most of a checker that lies alone, and the point then looks bare."""
    return SURE_STACK if on_checker < LOOKS_ON_CHECKER else SURE_BELOW


def stands_free(
    spot_mm: XY,
    board: BoardReading | None,
    geometry: BoardGeometry,
    others_mm: Iterable[XY],
    sure_from: float = SURE_STACK,
) -> bool:
    """Whether nothing lies near enough to a die's middle for the die to lean on it.

    ``others_mm`` are the middles of the other dice; ``sure_from`` as :func:`known_from` tells it. Without a reading of
    the board nothing is known to be free.
    """
    if board is None:
        return False
    size = geometry.die_size_mm
    reach_mm = (HALF_DIAGONAL + REACH_OF_TILT) * size
    x, y = spot_mm
    to_rail_mm = min(geometry.field_width_mm / 2 - abs(x), geometry.field_height_mm / 2 - abs(y))
    to_bar_mm = abs(x) - geometry.bar_width_mm / 2
    if min(to_rail_mm, to_bar_mm) < reach_mm:
        return False
    if any(hypot(x - other[0], y - other[1]) < reach_mm + HALF_DIAGONAL * size for other in others_mm):
        return False
    return checkers_away_mm(spot_mm, board, geometry, sure_from) >= reach_mm


def checkers_away_mm(spot_mm: XY, board: BoardReading, geometry: BoardGeometry, sure_from: float = SURE_STACK) -> float:
    """Gets how far a spot is at least from the nearest checker on a point, as far as the board could be read.

    The checkers of a point are taken as one column from the edge inwards; how far it reaches is known from the
    likelihood ``sure_from`` on.
    """
    points = [reading for reading in board.places if reading.place.kind is PlaceKind.POINT]
    if not points:
        return 0.0
    x, y = spot_mm
    diameter = geometry.checker_diameter_mm
    lines = _lines_mm(geometry)
    nearest_mm = float("inf")
    # The nearest first: of most of the others their height need not be known.
    for reading in sorted(points, key=lambda reading: abs(x - lines[reading.place.number])):
        number = reading.place.number
        aside_mm = max(0.0, abs(x - lines[number]) - (0.5 + ASTRAY) * diameter)
        if aside_mm >= nearest_mm:
            break
        height = _height(reading, sure_from)
        if height == 0:
            continue
        column_mm = geometry.point_length_mm if height is None else min(height * diameter, geometry.point_length_mm)
        from_edge_mm = geometry.field_height_mm / 2 + (y if geometry.is_near_row(number) else -y)
        inwards_mm = max(0.0, from_edge_mm - column_mm - ASTRAY * diameter)
        nearest_mm = min(nearest_mm, hypot(aside_mm, inwards_mm))
    return nearest_mm


@lru_cache(maxsize=8)
def _lines_mm(geometry: BoardGeometry) -> tuple[float, ...]:
    """Gets x of the middle line of each point, by its number."""
    return (0.0, *(geometry.point_x_mm(number) for number in range(1, POINTS + 1)))


def _height(reading: PlaceReading, sure_from: float) -> int | None:
    """Gets how many checkers lie on a point, whosever they are; None when that is less likely than is asked for."""
    if reading.hidden:
        return None
    likelihoods: dict[int, float] = {}
    for chance in reading.chances:
        likelihoods[len(chance.stack)] = likelihoods.get(len(chance.stack), 0.0) + chance.likelihood
    height, likelihood = max(likelihoods.items(), key=lambda entry: entry[1], default=(0, 0.0))
    return height if likelihood >= sure_from else None
