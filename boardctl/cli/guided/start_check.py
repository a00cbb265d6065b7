"""Whether the two pictures of a calibration show what they should, read by the calibration that they led to.

A board is found though a row lies a point too far, or checkers of two colours are exchanged, though a hand is over it
or the trays are full: then it is not the board that was told, colours may have been learned from the wrong checkers,
and what is held against such pictures later is seen where there is nothing.
"""

from boardctl.cli.named_points import points_in_words
from boardctl.referee.readings import BoardReading
from boardctl.rules import Backgammon, PlaceKind, Stack
from boardctl.vision import FrameReading, read_frame
from calibration import Calibration

UNLIKELY = 0.05
"""Likelihood of what should lie on a point below which it is said that it does not. On 41 drawn boards that were set up
rightly eleven rows of five were counted as more; nine of them were looked at, and a five had 0.09 and more."""

SET_RIGHT = (
    "Set it up right and take it again; the first picture is that of the empty board. If all is right as it is, the "
    "points were found elsewhere: look at the picture of what was found (--picture)"
)
"""What is to be done about a starting position that is none."""

COVERED = (
    "in one of the two pictures something lies over the board{where}, a hand or a sleeve, say: what is read there will "
    "be wrong or left open. Keep everything away from the board and take both again"
)
"""What is told where the pictures differ by more than checkers: on none of 96 boards whose two pictures show nothing
else, drawn, traced and rendered, was a hand seen in the second, or a point hidden."""

TRAYS_UNLIKE = (
    "the two pictures do not show the tray of {seats} alike: take everything out of the trays and take both again, or "
    "what is borne off is counted by what is missing on the board alone"
)
"""What is told where trays are not as they were in the picture of the empty board: on none of those 96 boards (by a
script that is not kept)."""


def check_start(calibration: Calibration) -> list[str]:
    """Gets what is to be told of the two pictures of a calibration; nothing where they show what they should."""
    reading = read_frame(calibration.start, calibration)
    said = []
    if unlike := unlike_start(reading.board):
        said.append(f"the second picture is not of the starting position: {'; '.join(unlike)}. {SET_RIGHT}")
    if covered := covered_in_start(reading):
        said.append(covered)
    seats = [
        f"seat {each.place.seat}"
        for each in reading.board.places
        if each.place.kind is PlaceKind.TRAY and (each.hidden or each.best)
    ]
    if seats and calibration.geometry.has_trays:
        said.append(TRAYS_UNLIKE.format(seats=" and ".join(seats)))
    return said


def unlike_start(board: BoardReading) -> list[str]:
    """Gets of each point that surely holds other than it does in the starting position what it should hold, and does.
    Where the position is set up rightly nothing is said of rows that cannot be counted for sure."""
    start = Backgammon().start().placement()
    return [
        f"point {each.place.number} should hold {_named(start.at(each.place))}, not {_named(each.best)}"
        for each in board.places
        if each.place.kind is PlaceKind.POINT
        and each.best not in (None, start.at(each.place))
        and not each.hidden
        and each.likelihood(start.at(each.place)) < UNLIKELY
    ]


def covered_in_start(reading: FrameReading) -> str | None:
    """Gets what is told of a picture of the starting position over which something lies; None where nothing does."""
    hidden = [each.place for each in reading.board.places if each.hidden and each.place.kind is not PlaceKind.TRAY]
    if not hidden and not reading.hand:
        return None
    named = points_in_words(place.number for place in hidden if place.kind is PlaceKind.POINT)
    named += [str(place) for place in hidden if place.kind is not PlaceKind.POINT]
    return COVERED.format(where=f" ({', '.join(named)})" if named else "")


def _named(stack: Stack) -> str:
    if not stack:
        return "nothing"
    return " and ".join(f"{stack.count(seat)} of {seat}" for seat in sorted(set(stack)))
