"""Counts the checkers in the trays: lying in rows as on a point, or standing on edge in a run.

Rows are read by the network that reads points, to which a run on edge looks like something laid over the board; such
runs are counted by :mod:`boardctl.vision.trays.runs`. What neither explains is not counted.
"""

from dataclasses import dataclass
from functools import lru_cache
from math import exp

import numpy as np
from numpy.typing import NDArray

from boardctl.referee.readings import PlaceReading, StackChance
from boardctl.rules import Seat, tray
from boardctl.vision.points.columns import CHECKER_PX, Picture, ReferenceStrips
from boardctl.vision.points.reading import SURE, lying_and_clear, point_reading
from boardctl.vision.points.row_counts import LEAST_LIKELY
from boardctl.vision.points.strip_reading import BARE_LOGITS, StripsSeen, see_strips, slot_logits
from boardctl.vision.trays.rows import SEATS, TRAY_MIDDLE, band_of, reference_rows
from boardctl.vision.trays.runs import USUAL_THICKNESS, RunReading, read_run
from boardctl.vision.trays.strips import START_SEEN, RunStrip, run_strip
from calibration import Calibration
from calibration.installation import INSTALLATIONS_KEPT

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

RUN_SEEN, RUN_POSSIBLE = 4.5, 1.0
"""Logarithms of the ratio of likelihoods of a run and of none: from the first on there is a run, whatever the network
of rows says; below the second there is none. On drawn boards rows reach 3.4, trays without anything -0.3, and of runs
nineteen in twenty show more than 7."""

SHORT_ROW = 2
"""A row of up to so many checkers and a run of few may look alike."""

SIDE_AND_START, BARE_BEHIND = 0.9, 0.5
"""So much further than its checkers, in checker widths, may a run go on with the last one's side, its shadow and a gap
at the rail; the slots of the tray behind that must be this likely to be bare."""

RUN_SURE = 0.98
"""Share of certainty left to the likeliest runs: what stands there may be no run of checkers at all."""

ONE_OFF = 0.02
"""Of a run's likelihood so much is left to one checker more and one less: what is near to it the network often excludes
altogether, and the sets of both seats may know better."""

DOUBTED_RUN = 0.9
"""The same of a single checker on edge, which has no lines, and of a run that may be a row."""

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class ReferenceTrays:
    """What reading the two trays needs of one installation: strips as of a point, and pictures of runs on edge."""

    calibration: Calibration
    rows: ReferenceStrips
    runs: tuple[RunStrip, RunStrip]


@lru_cache(maxsize=INSTALLATIONS_KEPT)
def reference_trays(calibration: Calibration) -> ReferenceTrays:
    """Gets the reference of a calibration's trays, made on first use."""
    runs = (run_strip(calibration, Seat.A), run_strip(calibration, Seat.B))
    return ReferenceTrays(calibration, reference_rows(calibration), runs)


@dataclass(frozen=True)
class TraysSeen:
    """Both seats' trays as they were read, and what the network said of their strips; None: the board has no trays, and
    nobody sees what is borne off."""

    readings: tuple[PlaceReading, ...]
    strips: StripsSeen | None


def read_trays(picture: Picture, calibration: Calibration) -> tuple[PlaceReading, ...]:
    """Gets a reading of both seats' trays; hidden where neither a row nor a run is sure to be seen."""
    return see_trays(picture, calibration).readings


def see_trays(picture: Picture, calibration: Calibration, before: TraysSeen | None = None) -> TraysSeen:
    """Gets the same with what the next frame may be spared by; ``before`` is what the frame before left."""
    if not calibration.geometry.has_trays:
        return TraysSeen(tuple(PlaceReading(tray(seat), (), hidden=True) for seat in SEATS), None)
    reference = reference_trays(calibration)
    strips = reference.rows.cutter.cut(picture)
    last = None if before is None else before.strips
    sure = before is not None and np.array([reading.confidence >= SURE for reading in before.readings])
    seen = see_strips(strips, reference.rows, last, sure, TRAY_SLOTS)
    readings = []
    for which, seat in enumerate(SEATS):
        if not seen.looked_at[which] and reference.runs[which].start_change(picture) <= START_SEEN:
            readings.append(PlaceReading(tray(seat), EMPTY))
        elif before is not None and seen.looked_at[which] and not seen.asked[which]:
            readings.append(before.readings[which])
        else:
            readings.append(_read_tray(picture, reference, which, seen.logits[which]))
    return TraysSeen(tuple(readings), seen)


def _read_tray(picture: Picture, reference: ReferenceTrays, which: int, logits: Floats) -> PlaceReading:
    seat = SEATS[which]
    run = read_run(picture, reference.runs[which], reference.rows.palette, seat)
    logits = _of_tray(logits)
    if run.fit < RUN_SEEN or not _ends_clear(run, logits):
        logits = _of_tray(_logits_where_it_lies(picture, reference, which, logits))
    return tray_reading(seat, point_reading(tray(seat), logits, ONE_MORE_BORNE_OFF), run, logits)


def _logits_where_it_lies(picture: Picture, reference: ReferenceTrays, which: int, logits: Floats) -> Floats:
    """Gets what the network says of a tray's strip that is cut where its first checker lies: ``logits`` where that is
    where checkers lie on common boards."""
    middle = band_of(reference.calibration, SEATS[which]).middle(picture)
    if middle == TRAY_MIDDLE:
        return logits
    rows = reference_rows(reference.calibration, middle)
    return np.asarray(slot_logits(rows.cutter.cut(picture), rows, np.array([which]))[0], dtype=np.float64)


def _of_tray(logits: Floats) -> Floats:
    """Gets what the network says of a tray's strip, bare where the divider and the other tray are."""
    return np.concatenate([logits[:, :TRAY_SLOTS], BARE_LOGITS[:, TRAY_SLOTS:]], axis=1)


def tray_reading(seat: Seat, row: PlaceReading, run: RunReading, logits: Floats) -> PlaceReading:
    """Gets the reading of a tray from what it holds if checkers lie in it, and from what a run would explain."""
    row_seen = _own(row, seat) >= ROW_SEEN and not row.hidden
    if _ends_clear(run, logits):
        if run.fit >= RUN_SEEN or (run.fit >= RUN_POSSIBLE and not row_seen):
            return _run_reading(run, seat, DOUBTED_RUN if run.best == 1 else RUN_SURE)
        if run.fit >= RUN_POSSIBLE and run.start_changed and len(row.best or ()) <= SHORT_ROW:
            return _either(_only_own(row, seat), _run_reading(run, seat, DOUBTED_RUN))
    if row_seen:
        return _only_own(row, seat)
    if row.best == () and row.confidence > CHANGED_BUT_BARE and not run.start_changed:
        return PlaceReading(tray(seat), (StackChance((), CHANGED_BUT_BARE),))
    return PlaceReading(tray(seat), (), hidden=True)


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


def _run_reading(run: RunReading, seat: Seat, sure: float) -> PlaceReading:
    sure = sure / (1 + exp(-run.fit))
    likely = run.chances[1:]
    spread = (1 - ONE_OFF) * likely
    spread[1:] += ONE_OFF / 2 * likely[:-1]
    spread[:-1] += ONE_OFF / 2 * likely[1:]
    chances = [
        StackChance((seat,) * count, sure * float(chance))
        for count, chance in enumerate(spread, start=1)
        if sure * chance >= LEAST_LIKELY
    ]
    return PlaceReading(tray(seat), tuple(sorted(chances, key=lambda each: -each.likelihood)))


def _either(one: PlaceReading, other: PlaceReading) -> PlaceReading:
    """Gets the reading of a place of which either of two readings may be true."""
    stacks = {chance.stack for reading in (one, other) for chance in reading.chances}
    chances = [StackChance(stack, (one.likelihood(stack) + other.likelihood(stack)) / 2) for stack in stacks]
    return PlaceReading(one.place, tuple(sorted(chances, key=lambda each: -each.likelihood)))
