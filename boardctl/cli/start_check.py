"""Whether the second picture of a calibration shows the starting position, read by the calibration that it led to.

A board is found though a row lies a point too far, or checkers of two colours are exchanged: then it is not the board
that was told, and colours may have been learned from the wrong checkers.
"""

from boardctl.rules import Backgammon, PlaceKind, Stack
from boardctl.vision import read_frame
from calibration import Calibration

UNLIKELY = 0.05
"""Likelihood of what should lie on a point below which it is said that it does not. On 41 drawn boards that were set up
rightly eleven rows of five were counted as more; nine of them were looked at, and a five had 0.09 and more."""


def unlike_start(calibration: Calibration) -> list[str]:
    """Gets of each point that surely holds other than it does in the starting position what it should hold, and does.
    Where the position is set up rightly nothing is said of rows that cannot be counted for sure."""
    start = Backgammon().start().placement()
    places = read_frame(calibration.start, calibration).board.places
    return [
        f"point {each.place.number} should hold {_named(start.at(each.place))}, not {_named(each.best)}"
        for each in places
        if each.place.kind is PlaceKind.POINT
        and each.best not in (None, start.at(each.place))
        and not each.hidden
        and each.likelihood(start.at(each.place)) < UNLIKELY
    ]


def _named(stack: Stack) -> str:
    if not stack:
        return "nothing"
    return " and ".join(f"{stack.count(seat)} of {seat}" for seat in sorted(set(stack)))
