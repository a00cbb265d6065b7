"""Whether a hand over the board may reach something, such as the cube: what it is nowhere near is seen whole."""

from collections.abc import Iterable
from math import hypot

from boardctl.referee.readings import BoardReading, Hand
from boardctl.rules import Place, PlaceKind, Seat
from calibration import BoardGeometry
from calibration.geometry import ROWS_HIGH, XY

NEAR_CHECKERS = 2.0
"""A hand that covers some part of a place may reach so many checkers beyond what could lie there, of the width of a
finger each and more."""


def is_hand_near(board: BoardReading, spot_mm: XY, geometry: BoardGeometry) -> bool:
    """Whether what is over the board may reach a spot (x, y in millimetres) of it, as the board was read.

    A hand that was told without what it covers may be anywhere on the side of the board at which it comes in.
    """
    if not board.hand and not board.hands:
        return False
    covered = {reading.place for reading in board.places if reading.hidden}
    covered.update(place for hand in board.hands for place in hand.places)
    if not covered:
        return True
    return _is_near(covered, spot_mm, geometry) or any(
        _comes_in_beside(hand, spot_mm, geometry) for hand in board.hands
    )


def is_arm_near(board: BoardReading, spot_mm: XY, geometry: BoardGeometry) -> bool:
    """Whether an arm that comes in from a side of the board may reach a spot (x, y in millimetres) of it: not what was
    put down there."""
    return any(
        _is_near(hand.places, spot_mm, geometry) or _comes_in_beside(hand, spot_mm, geometry) for hand in board.hands
    )


def is_thing_near(board: BoardReading, spot_mm: XY, geometry: BoardGeometry) -> bool:
    """Whether something that was put down on the board may reach a spot of it, and no arm."""
    return is_hand_near(board, spot_mm, geometry) and not is_arm_near(board, spot_mm, geometry)


def _is_near(places: Iterable[Place], spot_mm: XY, geometry: BoardGeometry) -> bool:
    near_mm = NEAR_CHECKERS * geometry.checker_diameter_mm
    return any(_away_mm(place, spot_mm, geometry) < near_mm for place in places)


def _away_mm(place: Place, spot_mm: XY, geometry: BoardGeometry) -> float:
    """Gets how far a spot is from the nearest checker that a place has room for in a row."""
    x, y = geometry.middle_of(place)
    if place.kind is PlaceKind.POINT:
        (_, first, _), (_, last, _) = (geometry.on_point(place.number, index) for index in (0, ROWS_HIGH - 1))
    else:  # half of the bar, or a tray
        first, last = 0.0, (1.0 if y > 0 else -1.0) * geometry.field_height_mm / 2
    low, high = min(first, last), max(first, last)
    return hypot(spot_mm[0] - x, max(low - spot_mm[1], spot_mm[1] - high, 0.0))


def _comes_in_beside(hand: Hand, spot_mm: XY, geometry: BoardGeometry) -> bool:
    """Whether a spot lies at the side of the board at which a hand comes in: in its outermost quarter."""
    outermost = geometry.field_height_mm / 4
    if hand.entry is None:
        return abs(spot_mm[1]) < outermost and not hand.places
    towards = -spot_mm[1] if hand.entry is Seat.A else spot_mm[1]
    return towards > outermost
