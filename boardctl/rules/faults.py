"""What is wrong with a physical placement as a position of a game."""

from collections.abc import Container, Sequence

from boardctl.rules.board import PlaceKind, Placement, Seat
from boardctl.rules.game import Faults

_OF_OTHERS = {
    PlaceKind.BAR: Faults.WRONG_BAR,
    PlaceKind.TRAY: Faults.WRONG_TRAY,
    PlaceKind.WAITING: Faults.UNKNOWN_PLACE,
}


def placement_faults(
    placement: Placement, places: Container[object], seats: Sequence[Seat], checkers: int, *, shared_points: bool
) -> Faults:
    """Gets the faults of a placement where each seat has ``checkers`` on ``places``.

    ``shared_points`` is for games in which checkers of several seats may stand on one point.
    """
    faults = Faults.NONE
    for place, stack in placement.items():
        if place not in places:
            faults |= Faults.UNKNOWN_PLACE
        elif place.kind is PlaceKind.POINT:
            if len(set(stack)) > 1 and not shared_points:
                faults |= Faults.MIXED_POINT
        elif set(stack) != {place.seat}:
            faults |= _OF_OTHERS[place.kind]
    for seat in Seat:
        expected = checkers if seat in seats else 0
        total = placement.total(seat)
        faults |= Faults.TOO_FEW if total < expected else Faults.TOO_MANY if total > expected else Faults.NONE
    return faults


def fault_names(faults: Faults) -> str:
    """Gets the faults in words, such as ``too few, mixed point``."""
    return ", ".join(str(fault.name).lower().replace("_", " ") for fault in faults)
