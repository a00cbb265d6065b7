"""Counts the checkers that stand on their edges in a tray, in a run from the seat's edge of the board on.

From above one sees their rims in a row, a dark line between each two. A small network tells of each row of the run's
picture how well a run may begin there, two checkers meet, one have its middle or the last one end, and how much that
row looks like a run, like its last checker's side and like what lies behind it. Every number of checkers, every
thickness and every place of the first one is tried, and what the network says of its rows is added up.
"""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from boardctl.rules import Seat
from boardctl.vision.networks import said_by
from boardctl.vision.points.seat_palette import SeatPalette
from boardctl.vision.trays.strips import LENGTH, RUN_PX, START_CHANGED, Picture, RunStrip, row_at, run_input

Floats = NDArray[np.float64]
Rows = NDArray[np.intp]

FILE = "trays.onnx"

MOST = 15
THICKNESS = np.arange(0.195, 0.321, 0.005)
"""Places from one checker to the next, in checker widths: checkers are 6 to 11 mm thick and 28 to 42 mm wide."""

USUAL_THICKNESS, THICKNESS_SPREAD = 0.262, 0.025
"""Middle and spread of the same: checkers of tournament boards, 10 of 38 mm, a hair apart."""

FIRST = np.arange(-0.12, 0.321, 0.02)
"""Where the first checker is seen to begin, in checker widths from the field's edge: players push the run against the
rail. Where the floor of a tray lies lower than the field, the run is seen up to an eighth of a width further out."""

LAST_ROW = 4.95
"""No run goes further: there the divider begins that parts the two trays."""

AFTER = 0.7
"""How far behind a run is looked at, in checker widths."""

SIGNS = 7
"""What the network tells of a row: a run begins; two checkers meet; the middle of one; the last one ends; a run lies
here; its last side is seen here; what comes behind it."""


@dataclass(frozen=True)
class RunReading:
    """How likely each number of checkers is (16, nothing first), and how well the likeliest one explains the picture.

    ``fit`` is a logarithm of a ratio of likelihoods against a tray without a run. ``start_changed``: whether it looks
    other than on the empty board where the first checker of any run stands.
    """

    chances: Floats
    fit: float
    start_changed: bool

    @property
    def best(self) -> int:
        """The likeliest number of checkers."""
        return int(self.chances.argmax())


@dataclass(frozen=True)
class RunRows:
    """The rows of which the network is asked, for each number of checkers, thickness and beginning (15 x 26 x 23)."""

    first: Rows
    meeting: Rows
    """Where the last checker begins, and (``within``) its middle."""
    within: Rows
    end: Rows
    side_end: Rows
    behind: Rows
    usual: Floats
    """Logarithm of how usual the run is."""


@lru_cache(maxsize=16)
def rows_of(side_at_edge: float, side_a_width: float) -> RunRows:
    """Gets the rows for trays in which the side of the last checker is seen so wide at the field's edge, and by so much
    wider a checker width inwards."""
    counts = np.arange(1, MOST + 1)[:, None, None]
    thick, first = THICKNESS[None, :, None], FIRST[None, None, :]
    end = first + counts * thick
    side_end = end + np.clip(side_at_edge + end * side_a_width, 0, 0.4)
    usual = -0.5 * ((thick - USUAL_THICKNESS) / THICKNESS_SPREAD) ** 2
    usual = usual - np.log(np.exp(usual).sum() * len(FIRST))
    return RunRows(
        first=row_at(first + 0 * end),
        meeting=row_at(first + (counts - 1) * thick),
        within=row_at(first + (counts - 0.5) * thick),
        end=row_at(end),
        side_end=row_at(side_end),
        behind=row_at(np.minimum(side_end + AFTER, LAST_ROW)),
        usual=np.where(end < LAST_ROW, usual, -np.inf),
    )


def scores_of(signs: Floats, rows: RunRows) -> Floats:
    """Gets how well each run (15 x 26 x 23) explains what the network said of each row (7 x rows), as a logarithm of a
    ratio of likelihoods against a tray without one."""
    start, meeting, within, end, *lying = signs
    body, side, behind = (np.append(0, np.cumsum(each)) / RUN_PX for each in lying)
    meetings = meeting.take(rows.meeting)
    meetings[0] = 0.0
    scores = rows.usual + start.take(rows.first) + end.take(rows.end)
    scores += np.cumsum(meetings, axis=0) + np.cumsum(within.take(rows.within), axis=0)
    scores += body.take(rows.end) - body.take(rows.first)
    scores += side.take(rows.side_end) - side.take(rows.end)
    return np.asarray(scores + behind.take(rows.behind) - behind.take(rows.side_end), dtype=np.float64)


def read_run(picture: Picture, strip: RunStrip, palette: SeatPalette, seat: Seat) -> RunReading:
    """Gets how many checkers of a seat stand in its tray in a picture (H x W x 3), if there is a run at all."""
    told = said_by(FILE, run_input(strip.cut(picture), strip, palette, seat)[None])[0]
    signs = told.reshape(SIGNS, 2, -1).transpose(0, 2, 1).reshape(SIGNS, LENGTH).astype(np.float64)
    scores = scores_of(signs, rows_of(strip.side_at_edge, strip.side_a_width))
    most = float(scores.max())
    likely = np.exp(scores - most).sum(axis=(1, 2))
    fit = most + float(np.log(likely.sum()))
    chances = np.concatenate([[0.0], likely / likely.sum()])
    return RunReading(chances, fit, strip.start_change(picture) > START_CHANGED)
