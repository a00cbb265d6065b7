"""Counts the checkers in the trays: lying in rows as on a point, or standing on edge in a run.

Rows are read by the network that reads points, to which a run on edge looks like something laid over the board; such
runs are counted by :mod:`boardctl.vision.tray_runs`. What neither explains is not counted.
"""

from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from boardctl.referee.readings import PlaceReading, StackChance
from boardctl.rules import Seat, tray
from boardctl.vision.columns import (
    CHECKER_PX,
    POINTS,
    STRIP_LENGTH,
    STRIP_WIDTH,
    Picture,
    ReferenceStrips,
    cutter,
    mm_per_px,
    reference_strips,
    top_height_mm,
)
from boardctl.vision.points import LEAST_LIKELY, SURE, lying_and_clear, point_reading
from boardctl.vision.strip_reading import BARE_LOGITS, StripsSeen, see_strips
from boardctl.vision.tray_runs import USUAL_THICKNESS, RunReading, RunStrip, read_run, run_strip
from calibration import BoardGeometry, Calibration

TRAY_MIDDLE = 0.93
"""From the field's edge to the middle of the checkers in a tray, in checkers: half a checker, a wall, and some play."""

TRAY_SLOTS = 5
"""Checkers in a row in a tray; beyond is the part between the two trays of a side, on which a cube may lie."""

LOOKED_AT_ROWS = TRAY_SLOTS * CHECKER_PX // 8 * 8

ONE_MORE_BORNE_OFF = 0.9
"""How often a full row that holds so many checkers on top holds one more, in a tray: it fills until the game ends."""

EMPTY = (StackChance((), 0.999),)

CHANGED_BUT_BARE = 0.98
"""Likelihood of an empty tray that the network calls bare though it does not look as on the empty board: a die lies in
it, or a shadow. One in fifty is left for what has not been met yet."""

ROW_SEEN = 0.5
"""Likelihood of all numbers of lying checkers together, from which on the tray holds a row and no run."""

ROW_SURE, SHORT_RUN = 0.95, 2
"""A row of more than so many checkers of which it is so sure is no run: four on edge may look like one lying."""

LEAST_FIT, LEAST_FIT_EACH = 6.0, 1.2
"""How well a run must explain the picture, in all and for each of its checkers (logarithms of ratios of likelihoods):
on the eleven installations that may be learned from, empty trays reach 3; lying checkers 5.5 as a run of one and 1.1
each as a longer one. Runs reach 5 to 31, and 1.6 each, unless a soft picture hides their lines."""

SHORT_FIT, SHORT_RUN_SURE = 4.0, 0.9
"""The same of a run of up to three checkers that begins where any run does: it has few lines, and empty trays do not
look so. Share of certainty that is left to it then."""

LONGEST_SHORT = 3

SIDE_AND_START, BARE_BEHIND = 0.9, 0.5
"""So much further than its checkers, in checker widths, may a run go on with the last one's side, its shadow and a gap
at the rail; the slots of the tray behind that must be this likely to be bare."""

RUN_SURE = 0.98
"""Share of certainty left to the likeliest runs: what stands there may be no run of checkers at all."""

SEATS = (Seat.A, Seat.B)
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class ReferenceTrays:
    """What reading the two trays needs of one installation: strips as of a point, and pictures of runs on edge."""

    rows: ReferenceStrips
    runs: tuple[RunStrip, RunStrip]


def tray_places_mm(geometry: BoardGeometry, seat: Seat) -> NDArray[np.float64]:
    """Gets x and y (length x width x 2) of the pixels of a tray's strip: row 0 at the seat's edge of the board."""
    pixel_mm = mm_per_px(geometry)
    outwards = 1.0 if geometry.home_on_right else -1.0
    inwards = 1.0 if seat is Seat.A else -1.0
    middle = outwards * (geometry.field_width_mm / 2 + TRAY_MIDDLE * geometry.checker_diameter_mm)
    across = middle + inwards * (np.arange(STRIP_WIDTH) - (STRIP_WIDTH - 1) / 2) * pixel_mm
    along = inwards * ((np.arange(STRIP_LENGTH) + 0.5) * pixel_mm - geometry.field_height_mm / 2)
    return np.stack(np.broadcast_arrays(across[None, :], along[:, None]), axis=-1)


@lru_cache(maxsize=8)
def reference_trays(calibration: Calibration) -> ReferenceTrays:
    """Gets the reference of a calibration's trays, made on first use."""
    geometry = calibration.geometry
    points = reference_strips(calibration)
    height = top_height_mm(geometry, 0)
    tool = cutter(calibration.camera, [(tray_places_mm(geometry, seat), height) for seat in SEATS])
    # A tray lies beside the two home points of its row; seen from the camera its checkers lean as theirs do.
    leaning = points.leaning[[0, POINTS - 1]]
    rows = replace(points, cutter=tool, empty=tool.cut(calibration.empty), leaning=leaning)
    return ReferenceTrays(rows, (run_strip(calibration, Seat.A), run_strip(calibration, Seat.B)))


@dataclass(frozen=True)
class TraysSeen:
    """Both seats' trays as they were read, and what the network said of their strips."""

    readings: tuple[PlaceReading, ...]
    strips: StripsSeen


def read_trays(picture: Picture, calibration: Calibration) -> tuple[PlaceReading, ...]:
    """Gets a reading of both seats' trays; hidden where neither a row nor a run is sure to be seen."""
    return see_trays(picture, calibration).readings


def see_trays(picture: Picture, calibration: Calibration, before: TraysSeen | None = None) -> TraysSeen:
    """Gets the same with what the next frame may be spared by; ``before`` is what the frame before left."""
    reference = reference_trays(calibration)
    strips = reference.rows.cutter.cut(picture)
    last = None if before is None else before.strips
    sure = before is not None and np.array([reading.confidence >= SURE for reading in before.readings])
    seen = see_strips(strips, reference.rows, last, sure, TRAY_SLOTS)
    readings = []
    for which, seat in enumerate(SEATS):
        if not seen.looked_at[which] and not reference.runs[which].start_changed(picture):
            readings.append(PlaceReading(tray(seat), EMPTY))
        elif before is not None and seen.looked_at[which] and not seen.asked[which]:
            readings.append(before.readings[which])
        else:
            readings.append(_read_tray(picture, reference, which, seen.logits[which]))
    return TraysSeen(tuple(readings), seen)


def _read_tray(picture: Picture, reference: ReferenceTrays, which: int, logits: Floats) -> PlaceReading:
    seat = SEATS[which]
    logits = np.concatenate([logits[:, :TRAY_SLOTS], BARE_LOGITS[:, TRAY_SLOTS:]], axis=1)
    row = point_reading(tray(seat), logits, ONE_MORE_BORNE_OFF)
    if _own(row, seat) > ROW_SURE and not row.hidden and len(row.best or ()) > SHORT_RUN:
        return _only_own(row, seat)
    strip = reference.runs[which]
    return tray_reading(seat, row, read_run(strip.cut(picture), strip, reference.rows.palette, seat), logits)


def tray_reading(seat: Seat, row: PlaceReading, run: RunReading, logits: Floats) -> PlaceReading:
    """Gets the reading of a tray from what it holds if checkers lie in it, and from what a run would explain."""
    row_seen = _own(row, seat) >= ROW_SEEN and not row.hidden
    ends_clear = _ends_clear(run, logits)
    if is_run(run) and ends_clear and not (row_seen and run.best == 1):
        return _run_reading(run, seat)
    if ends_clear and is_short_run(run):
        standing = _run_reading(run, seat, SHORT_RUN_SURE)
        if not row_seen:
            return standing
        if run.best > 1 and len(row.best or ()) <= SHORT_RUN:
            return _either(_only_own(row, seat), standing)
    if row_seen:
        return _only_own(row, seat)
    if row.best == () and row.confidence > CHANGED_BUT_BARE and not run.start_changed:
        return PlaceReading(tray(seat), (StackChance((), CHANGED_BUT_BARE),))
    return PlaceReading(tray(seat), (), hidden=True)


def is_run(run: RunReading) -> bool:
    """Whether what is seen is a run of checkers."""
    return run.fit > LEAST_FIT and run.fit > LEAST_FIT_EACH * run.best


def is_short_run(run: RunReading) -> bool:
    """Whether what is seen may be a run of few checkers."""
    return run.start_changed and run.fit > SHORT_FIT and run.best <= LONGEST_SHORT


def _ends_clear(run: RunReading, logits: Floats) -> bool:
    """Whether the tray is seen to be bare behind a run. An arm over a tray looks somewhat like one, but goes on."""
    lying, clear = lying_and_clear(logits)
    behind = int(np.ceil(run.best * USUAL_THICKNESS + SIDE_AND_START))
    return bool((lying[0] * clear)[behind:TRAY_SLOTS].min(initial=1.0) > BARE_BEHIND)


def _own(row: PlaceReading, seat: Seat) -> float:
    """Gets how likely lying checkers of a seat are seen, however many."""
    return sum(chance.likelihood for chance in row.chances if seat in chance.stack)


def _only_own(row: PlaceReading, seat: Seat) -> PlaceReading:
    """Gets a reading without checkers of another seat, which no tray holds."""
    own = tuple(chance for chance in row.chances if not chance.stack or seat in chance.stack)
    return PlaceReading(row.place, own)


def _run_reading(run: RunReading, seat: Seat, sure: float = RUN_SURE) -> PlaceReading:
    chances = [
        StackChance((seat,) * count, sure * float(chance))
        for count, chance in enumerate(run.chances)
        if sure * chance >= LEAST_LIKELY
    ]
    return PlaceReading(tray(seat), tuple(sorted(chances, key=lambda each: -each.likelihood)))


def _either(one: PlaceReading, other: PlaceReading) -> PlaceReading:
    """Gets the reading of a place of which either of two readings may be true."""
    stacks = {chance.stack for reading in (one, other) for chance in reading.chances}
    chances = [StackChance(stack, (one.likelihood(stack) + other.likelihood(stack)) / 2) for stack in stacks]
    return PlaceReading(one.place, tuple(sorted(chances, key=lambda each: -each.likelihood)))
