"""Illegal plays that were allowed to stand, written as journeys of checkers as well as that can be done."""

from boardctl.rules import BackgammonPosition, Position, Seat
from boardctl.rules.backgammon_position import BAR_BYTE, SIDE_BYTES

_NAMES = {0: "off", BAR_BYTE: "bar"}


def journeys_between(before: Position, after: Position, seat: Seat) -> str:
    """Gets journeys that turn the checkers of ``seat`` before into those after, the hindmost first.

    :raises ValueError: for another game than backgammon.
    """
    return " ".join(f"{_NAMES.get(a, a)}/{_NAMES.get(b, b)}" for a, b in journeys(before, after, seat))


def journeys(before: Position, after: Position, seat: Seat) -> list[tuple[int, int]]:
    """Gets the same as pairs of places in the seat's own count: 25 is the bar, 0 the tray."""
    if not isinstance(before, BackgammonPosition) or not isinstance(after, BackgammonPosition):
        raise ValueError("only positions of backgammon can be written as journeys")
    was, now = before.counts(seat), after.counts(seat)
    sources = [at for at in reversed(range(SIDE_BYTES)) for _ in range(was[at] - now[at])]
    targets = [at for at in reversed(range(SIDE_BYTES)) for _ in range(now[at] - was[at])]
    return list(zip(sources, targets, strict=True))
