"""Reads the 24 points from their strips: which slots of a row are covered, and in whose colour."""

import numpy as np
from numpy.typing import NDArray

from boardctl.referee.readings import PlaceReading, StackChance
from boardctl.rules import Seat, point
from boardctl.vision.columns import CHECKER_PX, POINTS, STRIP_LENGTH, STRIP_WIDTH, Picture, reference_strips
from calibration import Calibration
from calibration.difference import changed, root_scale

Floats = NDArray[np.float64]

SLOTS = STRIP_LENGTH // CHECKER_PX
COVERED_SHARE = 0.5


def slot_masks() -> NDArray[np.bool_]:
    """Gets which pixels of a strip belong to each slot (slots x length x width)."""
    rows, columns = np.mgrid[0:STRIP_LENGTH, 0:STRIP_WIDTH]
    middles = (np.arange(SLOTS) + 0.5) * CHECKER_PX - 0.5
    away = np.hypot(rows[None] - middles[:, None, None], columns[None] - (STRIP_WIDTH - 1) / 2)
    return np.asarray(away < 0.4 * CHECKER_PX)


def read_points(picture: Picture, calibration: Calibration) -> tuple[PlaceReading, ...]:
    """Gets a reading for each of the 24 points."""
    reference = reference_strips(calibration)
    strips = reference.cutter.cut(picture)[:POINTS]
    flat = (POINTS * STRIP_LENGTH, STRIP_WIDTH, 3)
    certainty = changed(strips.reshape(flat), reference.empty[:POINTS].reshape(flat), 0.8).reshape(strips.shape[:3])
    covered = np.stack([certainty[:, mask].mean(axis=1) for mask in slot_masks()], axis=1)
    colours = np.stack([np.median(root_scale(strips)[:, mask], axis=1) for mask in slot_masks()], axis=1)
    seats = {seat: root_scale(bgr(calibration.colours[seat])) for seat in (Seat.A, Seat.B)}
    readings = []
    for number in range(1, POINTS + 1):
        rows = covered[number - 1] > COVERED_SHARE
        count = SLOTS if rows.all() else int(np.argmin(rows))
        if count == 0:
            surest = 1 - float(covered[number - 1].max())
            readings.append(PlaceReading(point(number), (StackChance((), surest),)))
            continue
        colour = colours[number - 1, :count].mean(axis=0)
        away = {seat: float(np.abs(colour - seats[seat]).sum()) for seat in seats}
        seat = min(away, key=lambda each: away[each])
        parting = 1 - away[seat] / (sum(away.values()) + 1e-6)
        readings.append(PlaceReading(point(number), (StackChance((seat,) * count, round(parting * 0.9, 4)),)))
    return tuple(readings)


def bgr(written: str) -> NDArray[np.uint8]:
    """Gets the colour (blue, green, red) of ``#rrggbb``."""
    return np.array([int(written[place : place + 2], 16) for place in (5, 3, 1)], dtype=np.uint8)
