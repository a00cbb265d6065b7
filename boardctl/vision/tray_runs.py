"""Counts the checkers that stand on their edges in a tray, in a run from the seat's edge of the board on.

From above one sees their rims in a row, a dark line between each two. Every number of checkers, every thickness and
every place of the first one is tried: lines must lie where checkers meet and nowhere else, the last must look like the
ones before it, and what comes after it must not. How much each of these says was fitted to pictures with truth
(``boardctl/vision/training/tray_run_fitting.py``); nothing else was.
"""

from dataclasses import dataclass
from functools import cached_property, lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from boardctl.rules import Seat
from boardctl.vision.seat_palette import SeatPalette
from calibration import BoardGeometry, Calibration
from calibration.difference import root_scale

Picture = NDArray[np.uint8]
Floats = NDArray[np.float64]

RUN_PX = 64
"""Pixels of a run's picture a checker's width: 17 a checker on edge, and more than any camera gives."""

STARTS, ENDS = -0.3, 5.2
"""What the picture of a run shows, in checker widths from the field's edge inwards."""

INNER, OUTER = 0.75, 1.25
"""The part of a tray over which the crests of all runs lie, in checker widths outwards from the field."""

CREST = 0.95
"""Height of what is seen of a run from above, in checker widths."""

ROOTS = root_scale(np.arange(256, dtype=np.uint8))
"""Each grey level on the root scale."""

MOST = 15
THICKNESS = np.arange(0.234, 0.304, 0.005)
"""Places from one checker to the next, in checker widths: common checkers are 8 to 11 mm thick and 34 to 41 mm wide."""

USUAL_THICKNESS, THICKNESS_SPREAD = 0.268, 0.02
"""Middle and spread of the same: checkers of tournament boards, 10 of 38 mm, a hair apart."""

FIRST = np.arange(-0.04, 0.321, 0.02)
"""Where the first checker begins, in checker widths from the field's edge: players push the run against the rail."""

FIRST_FROM, FIRST_TO = 0.1, 0.3
"""Part of the run's picture that the first checker covers at least the half of, wherever it begins."""

START_SEEN = 0.55
"""Change of that part (root scale) from which something may stand there: of 1,500 empty trays without a hand none shows
more than 0.52; checkers on edge show 0.64 at least where they have the colour of the tray, and 0.8 on all else."""

LAST_ROW = 4.95
"""No run goes further: there the divider begins that parts the two trays."""

AFTER = 0.7
"""How far behind a run is looked at, in checker widths."""

WEIGHTS = np.array([2.65, -1.62, 0.37, 1.93, -2.63, 2.64, 1.91, 1.23, 0.06, -1.36, 1.04, -0.56])
"""What each sign says (see :func:`signs_of_runs`), as logarithms of likelihoods."""

SIGNS = len(WEIGHTS)


@dataclass(frozen=True, eq=False)
class RunStrip:
    """Where a tray's run is seen in the picture of one installation, and how wide its last checker's side is seen. Each
    is equal to itself alone."""

    map_x: NDArray[np.float32]
    map_y: NDArray[np.float32]
    empty: Picture
    side_at_edge: float
    side_a_width: float
    """Width of the side at the field's edge, and its change a checker width inwards, both in checker widths."""

    def cut(self, picture: Picture) -> Picture:
        """Gets the run's picture (length x width x 3)."""
        return np.asarray(cv2.remap(picture, self.map_x, self.map_y, cv2.INTER_LINEAR, borderMode=1), dtype=np.uint8)

    def start_changed(self, picture: Picture) -> bool:
        """Whether a picture may show something where the first checker of any run stands, were it ever so faint."""
        maps = self.map_x[START_ROWS], self.map_y[START_ROWS]
        shown = np.asarray(cv2.remap(picture, *maps, cv2.INTER_LINEAR, borderMode=1), dtype=np.uint8)
        change = np.abs(_across(shown) - self.empty_profile[START_ROWS]).max(axis=1)
        return bool(change.mean() > START_SEEN)

    @cached_property
    def empty_profile(self) -> Floats:
        """How the empty tray looks along the run (length x 3, root scale)."""
        return _across(self.empty)

    def side(self, depths: Floats) -> Floats:
        """Gets how much of a run's picture the side of a last checker takes that ends at these depths."""
        return np.asarray(np.clip(self.side_at_edge + depths * self.side_a_width, 0, 0.4), dtype=np.float64)


def run_strip(calibration: Calibration, seat: Seat) -> RunStrip:
    """Gets where a seat's run is seen under a calibration."""
    geometry, camera = calibration.geometry, calibration.camera
    places = _places_mm(geometry, seat)
    flat = places.reshape(-1, 2)
    height = CREST * geometry.checker_diameter_mm
    pixels = camera.project(np.column_stack([flat, np.full(len(flat), height)])).astype(np.float32)
    map_x, map_y = (pixels[:, axis].reshape(places.shape[:2]) for axis in (0, 1))
    empty = cv2.remap(calibration.empty, map_x, map_y, cv2.INTER_LINEAR, borderMode=1)
    towards = -1.0 if seat is Seat.A else 1.0
    _, eye_y, eye_z = camera.position_mm
    seen_from = eye_z - geometry.checker_diameter_mm / 2
    # A side hangs down by nearly a checker's width below the crest; it is seen from the middle of the board.
    at_edge = 0.9 * (geometry.field_height_mm / 2 - eye_y * towards) / seen_from
    return RunStrip(
        map_x, map_y, np.asarray(empty, dtype=np.uint8), at_edge, -0.9 * geometry.checker_diameter_mm / seen_from
    )


def _places_mm(geometry: BoardGeometry, seat: Seat) -> Floats:
    """Gets x and y (length x width x 2) of the pixels of a run's picture: row 0 beyond the seat's edge."""
    diameter = geometry.checker_diameter_mm
    outwards = 1.0 if geometry.home_on_right else -1.0
    inwards = 1.0 if seat is Seat.A else -1.0
    across = outwards * (geometry.field_width_mm / 2 + np.arange(INNER, OUTER, 1 / RUN_PX) * diameter)
    along = inwards * (np.arange(STARTS, ENDS, 1 / RUN_PX) * diameter - geometry.field_height_mm / 2)
    return np.stack(np.broadcast_arrays(across[None, :], along[:, None]), axis=-1)


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


class Profile:
    """What a run's picture shows along the tray, each value a mean over its width or a sum from the start on."""

    def __init__(self, shown: Picture, strip: RunStrip, palette: SeatPalette, seat: Seat) -> None:
        seen, before = _across(shown), strip.empty_profile
        light = np.ascontiguousarray(seen.mean(axis=1)[:, None])
        # A line is what closing over a fifth of a checker fills.
        lines = (cv2.morphologyEx(light, cv2.MORPH_CLOSE, np.ones((13, 1), np.uint8)) - light)[:, 0]
        self.line_here = np.tanh(lines / 0.4)
        self.line_near = np.tanh(cv2.dilate(lines[:, None], np.ones((3, 1), np.uint8))[:, 0] / 0.4)
        slope = np.abs(np.gradient(cv2.GaussianBlur(seen, (1, 0), 0, sigmaY=1.2), axis=0)).max(axis=1)
        self.edge = np.tanh(cv2.dilate(slope[:, None], np.ones((5, 1), np.uint8))[:, 0] / 0.5)
        likeness = palette.likeness_of_planes(cv2.split(shown))[0 if seat is Seat.A else 1].mean(axis=1)
        self._colours = np.concatenate([np.zeros((1, 3)), np.cumsum(seen, axis=0)])
        self._changed = np.append(0, np.cumsum(np.tanh((np.abs(seen - before).max(axis=1) - 0.7) / 0.7)))
        self._like = np.append(0, np.cumsum(np.tanh(likeness / 2)))

    def colour(self, start: NDArray[np.intp], end: NDArray[np.intp]) -> Floats:
        """Gets the mean colours (... x 3) of rows from ``start`` to before ``end``, at least one."""
        end = np.maximum(end, start + 1)
        sums = self._colours.take(end, axis=0) - self._colours.take(start, axis=0)
        return np.asarray(sums / (end - start)[..., None], dtype=np.float64)

    def changed(self, start: NDArray[np.intp], end: NDArray[np.intp]) -> Floats:
        """Gets how much has changed from the empty board, in checker widths."""
        return np.asarray((self._changed.take(end) - self._changed.take(start)) / RUN_PX, dtype=np.float64)

    def like_seat(self, start: NDArray[np.intp], end: NDArray[np.intp]) -> Floats:
        """Gets how much has the colours of the seat, in checker widths."""
        return np.asarray((self._like.take(end) - self._like.take(start)) / RUN_PX, dtype=np.float64)


def _across(picture: Picture) -> Floats:
    """Gets the mean over the width of a run's picture (length x 3, root scale)."""
    roots = cv2.LUT(picture, ROOTS)
    return np.asarray(cv2.resize(roots, (1, len(roots)), interpolation=cv2.INTER_AREA)[:, 0])


def _row(depths: Floats) -> NDArray[np.intp]:
    """Gets the row of a run's picture at depths in checker widths."""
    rows = np.rint((depths - STARTS) * RUN_PX)
    return np.clip(rows, 0, int((ENDS - STARTS) * RUN_PX) - 1).astype(np.intp)


START_ROWS = slice(int(_row(np.array(FIRST_FROM))), int(_row(np.array(FIRST_TO))))
"""The rows of a run's picture that the first checker covers, wherever it begins."""


def read_run(shown: Picture, strip: RunStrip, palette: SeatPalette, seat: Seat) -> RunReading:
    """Gets how many checkers of a seat stand in a run's picture, if it shows a run at all."""
    lines = Profile(shown, strip, palette, seat)
    signs, scores = signs_of_runs(lines, strip)
    for weight, sign in zip(WEIGHTS.tolist(), signs, strict=True):
        scores = scores + weight * sign
    best = float(scores.max())
    likely = np.exp(scores - best).sum(axis=(1, 2))
    changed = lines.changed(_row(np.array(FIRST_FROM)), _row(np.array(FIRST_TO)))
    return RunReading(np.concatenate([[0.0], likely / likely.sum()]), best, bool(changed > 0))


@dataclass(frozen=True)
class _Rows:
    """The rows of a run's picture from which its signs are taken, for each number of checkers, thickness and beginning
    (15 x 15 x 19, or 1 where it is the same for each)."""

    first: NDArray[np.intp]
    end: NDArray[np.intp]
    side_end: NDArray[np.intp]
    behind: NDArray[np.intp]
    meeting: NDArray[np.intp]
    """Where the last checker begins, and (``within``) its middle."""
    within: NDArray[np.intp]
    first_top: tuple[NDArray[np.intp], NDArray[np.intp]]
    """From where to where the top of the first checker is seen; of the last; of all but the last; what follows it."""
    last_top: tuple[NDArray[np.intp], NDArray[np.intp]]
    other_tops: tuple[NDArray[np.intp], NDArray[np.intp]]
    following: tuple[NDArray[np.intp], NDArray[np.intp]]
    before: NDArray[np.intp]
    usual: Floats
    """Logarithm of how usual the run is."""


@lru_cache(maxsize=16)
def _rows_of(strip: RunStrip) -> _Rows:
    """Gets the rows for one tray of one installation."""
    counts = np.arange(1, MOST + 1)[:, None, None]
    pitch, first = THICKNESS[None, :, None], FIRST[None, None, :]
    end = first + counts * pitch
    side_end = end + strip.side(end)
    edge = 0.2 * pitch
    usual = -0.5 * ((pitch - USUAL_THICKNESS) / THICKNESS_SPREAD) ** 2
    return _Rows(
        first=_row(first + 0 * end),
        end=_row(end),
        side_end=_row(side_end),
        behind=_row(np.minimum(side_end + AFTER, LAST_ROW)),
        meeting=_row(first + (counts - 1) * pitch),
        within=_row(first + (counts - 0.5) * pitch),
        first_top=(_row(first + edge), _row(first + pitch - edge)),
        last_top=(_row(end - pitch + edge), _row(end - edge)),
        other_tops=(_row(first + edge), _row(end - pitch)),
        following=(_row(end + 0.04), _row(end + 0.16)),
        before=_row(np.full_like(end, -0.1)),
        usual=np.where(end < LAST_ROW, usual, -np.inf),
    )


def signs_of_runs(lines: Profile, strip: RunStrip) -> tuple[list[Floats], Floats]:
    """Gets what speaks for each number of checkers, thickness and beginning (12 of 15 x 15 x 19, or 1 where it is the
    same for each), and how usual that is.

    The signs: dark lines where checkers meet; dark lines within checkers; a line at the beginning; an edge at the end;
    the last checker unlike the others; what follows unlike the last; change from the empty board and the seat's colour
    over the run; both of these behind it; the seat's colour on the last one's side, and before the beginning.
    """
    rows = _rows_of(strip)
    meeting = lines.line_near[rows.meeting] - 0.4
    meeting[0] = 0.0
    first_colour, last_colour = lines.colour(*rows.first_top), lines.colour(*rows.last_top)
    others = lines.colour(*rows.other_tops)
    others[0] = first_colour[0]
    several = np.arange(1, MOST + 1)[:, None, None] > 1
    signs = [
        np.cumsum(meeting, axis=0, dtype=np.float64),
        np.cumsum(lines.line_here[rows.within], axis=0, dtype=np.float64),
        lines.line_near[rows.first],
        lines.edge[rows.end],
        np.tanh(_most(last_colour, others) / 0.7) * several,
        np.tanh(_most(lines.colour(*rows.following), last_colour) / 0.7),
        lines.changed(rows.first, rows.end),
        lines.like_seat(rows.first, rows.end),
        lines.changed(rows.side_end, rows.behind),
        lines.like_seat(rows.side_end, rows.behind),
        lines.like_seat(rows.end, rows.side_end),
        lines.like_seat(rows.before, rows.first),
    ]
    return signs, rows.usual


def _most(colours: Floats, others: Floats) -> Floats:
    """Gets how much colours (... x 3) differ, the most of their channels."""
    blue, green, red = np.moveaxis(np.abs(colours - others), -1, 0)
    return np.asarray(np.maximum(np.maximum(blue, green), red), dtype=np.float64)
