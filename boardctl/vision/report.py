"""Readings as ``boardctl read`` writes them: one line of JSON a frame."""

from collections.abc import Iterable
from typing import Any

from boardctl.referee.readings import DieReading, PlaceReading
from boardctl.rules import Place, Seat, bar, point, tray
from boardctl.vision.dice.alone import DieAlone
from boardctl.vision.frame import FrameReading
from calibration.corners import Corners

BOARD_POINTS = 24
BARS = {seat: bar(seat) for seat in (Seat.A, Seat.B)}
TRAYS = {seat: tray(seat) for seat in (Seat.A, Seat.B)}

VOUCHED = 0.5
"""Least confidence of what is told to people, or without saying how likely it is: below it something else is as
likely."""

UNVOUCHED = 0.49
"""Most that is said of a die's value that is not vouched for, however much likelier than the others it is."""


def as_record(frame: str, reading: FrameReading, took_ms: float, found: Corners | None = None) -> dict[str, Any]:
    """Gets the record of a frame: the keys and their order are those of ``boardctl read --json``. ``found``: the
    field's corners where they were found."""
    board = reading.board
    points = [board.at(point(number)) for number in range(1, BOARD_POINTS + 1)]
    too_bright = [number for number, place in enumerate(points, start=1) if place.too_bright]
    too_dark = [number for number, place in enumerate(points, start=1) if place.too_dark]
    return {
        "frame": frame,
        "points": [_stack(place) for place in points],
        "bar": _counts(reading, BARS),
        "off": _counts(reading, TRAYS),
        "confidence": [0.0 if place.likeliest is None else round(place.likeliest.likelihood, 4) for place in points],
        "hidden": [number for number, place in enumerate(points, start=1) if place.hidden],
        "hand": reading.hand,
        "dice": [_die(die) for die in reading.dice.dice],
        "cube": None if board.cube is None else {"value": board.cube.value, "at": board.cube.at},
        "ms": round(took_ms, 1),
        "bar_confidence": _confidences(reading, BARS),
        "off_confidence": _confidences(reading, TRAYS),
        **({"too_bright": too_bright} if too_bright else {}),
        **({"too_dark": too_dark} if too_dark else {}),
        **({} if reading.view is None or reading.view.holds else {"camera": reading.view.complaint}),
        **({"followed_px": round(reading.view.followed_px, 1)} if reading.view and reading.view.followed_px else {}),
        **({} if found is None else {"corners": [[round(x, 1), round(y, 1)] for x, y in found]}),
    }


def dice_record(frame: str, dice: Iterable[DieAlone], took_ms: float) -> dict[str, Any]:
    """Gets the record of a picture of dice without a board: nothing is said of where they lie but in the picture."""
    return {
        "frame": frame,
        "dice": [
            {
                "value": die.value,
                "center_px": [round(die.center_px[0], 1), round(die.center_px[1], 1)],
                "width_px": round(die.width_px, 1),
                "confidence": die.confidence,
            }
            for die in dice
        ],
        "ms": round(took_ms, 1),
    }


def _stack(place: PlaceReading) -> list[Any] | None:
    """Gets [seat, count] of what most likely lies on a point, be it covered in part; None when nothing is known. How
    likely that is stands beside it."""
    if place.likeliest is None:
        return None
    stack = place.likeliest.stack
    return [stack[-1].value, len(stack)] if stack else [None, 0]


def _counts(reading: FrameReading, places: dict[Seat, Place]) -> dict[str, int] | None:
    """Gets how many checkers lie at each seat's place; None when one of them cannot be said."""
    read = {seat: reading.board.at(place) for seat, place in places.items()}
    best = {seat: place.best if place.confidence >= VOUCHED else None for seat, place in read.items()}
    counts = {seat.value: len(stack) for seat, stack in best.items() if stack is not None}
    return counts if len(counts) == len(best) else None


def _confidences(reading: FrameReading, places: dict[Seat, Place]) -> dict[str, float]:
    """Gets how likely so many checkers lie at each seat's place."""
    return {seat.value: round(reading.board.at(place).confidence, 4) for seat, place in places.items()}


def _die(die: DieReading) -> dict[str, Any]:
    confidence = die.confidence if die.value is not None else min(die.confidence, UNVOUCHED)
    return {
        "value": die.likeliest if die.value is None else die.value,
        "flat": die.flat,
        "on": die.on.value,
        "half": None if die.section is None else die.section.value,
        "tilt_deg": round(die.tilt_deg, 1),
        "center_px": [round(die.center_px[0], 1), round(die.center_px[1], 1)],
        "confidence": round(confidence, 4),
    }
