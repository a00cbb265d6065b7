"""Two rows of twelve points, with a bar in the middle, among pairs of edges seen upright: first guesses of a board.

Any two points of a row tell how wide points are, where the row's tips lie, and with it where all others should be. What
is not known is which two of the twelve they are, how wide the bar is, and how far the other row is: all is tried, and
that counts in which most points are found.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.field.point_edges import Wedges
from calibration.field.upright_view import View

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]

POINTS_A_ROW, POINTS_A_HALF = 12, 6

BARS = np.array((0.02, 0.3, 0.5, 0.7, 0.85, 1.0, 1.15, 1.3))
"""Widths of the bar that are tried, in points."""

GAPS = np.arange(0.3, 4.01, 0.2)
"""Distances between the tips of the two rows that are tried, in points."""

UPRIGHT = np.radians(2.5)
"""How upright the middle line of a point is."""

POINT_PX = (9.0, 75.0)
"""Widths of points: a board that fills the picture has points 70 pixels wide."""

STEPS = (1, 2, 3)
"""How many points on the second of two points is."""

WIDEST, LONGEST, SHORTEST = 1.3, 6.0, 1.0
"""Of what is taken for a point, in the widths of points that it tells itself."""

SEEN_LONG = 1.2
"""Of two points that tell the row one is seen for so many widths."""

LEVEL_TIPS = 0.5
"""How far from each other the tips of two points of a row may be, in widths."""

TIP_SPREAD, LINE_SPREAD = 0.4, 0.09
"""How far a tip is from the line of the row's tips, and a middle line from where it should be, in widths."""

MOST_GUESSES = 1500
BIN = 0.05
FIRST_BIN, BINS = -14.0, 560
"""Places along a row, in widths of points."""

REACH_BINS = 4

BEYOND, BETWEEN = 0.5, 0.3
"""What a point beyond the ends of a row, and one between two of its places, speaks against it."""

KEPT = 6
NEW_PLACE, NEW_WIDTH, NEW_BAR = 0.3, 0.02, 0.2
"""Guesses are different ones when they differ by so much: place in widths, share of the width, bar in widths."""

TIP_TO_EDGE = 4.75
"""Length of a point in widths, until it has been measured."""


@dataclass(frozen=True)
class RowGuess:
    """Where a board may be, in pixels of an upright view: x of the left end of the rows, y of the tips of the upper and
    the lower row, and the width of a point; the bar is in widths of points. ``found``: about how many points are."""

    view: View
    left: float
    upper_tips: float
    lower_tips: float
    point: float
    bar: float
    found: float

    @property
    def half_gap(self) -> float:
        """Half the distance between the rows' tips, in widths of points."""
        return (self.lower_tips - self.upper_tips) / self.point / 2

    @property
    def corners_px(self) -> Floats:
        """The field's corners (4 x 2) in the picture: lower left, lower right, upper right, upper left."""
        right = self.left + self.point * (POINTS_A_ROW + self.bar)
        low, high = self.lower_tips + TIP_TO_EDGE * self.point, self.upper_tips - TIP_TO_EDGE * self.point
        return self.view.pixels(np.array([(self.left, low), (right, low), (right, high), (self.left, high)]))


@dataclass(frozen=True)
class _Points:
    """Pairs of edges in an upright view: x of the middle line, y of the tip, length, width, and whether the tip is
    up."""

    x: Floats
    tip: Floats
    length: Floats
    width: Floats
    is_up: Flags


def row_guesses(pairs: Wedges, view: View) -> list[RowGuess]:
    """Gets the places at which two rows of points may lie, seen in a view, those with most points first."""
    points = _upright(pairs, view)
    told = _told_by_two(points)
    if not len(told):
        return []
    width, origin, tips, is_up = told.T
    support, gaps = _support(points, width, origin, tips, is_up > 0)
    scores = _scores(support)
    guesses: list[RowGuess] = []
    for best in np.argsort(-scores, axis=None)[: KEPT * 10]:
        which, layout = np.unravel_index(best, scores.shape)
        gap = gaps[which] * width[which]
        upper = tips[which] - gap if is_up[which] else tips[which]
        left = origin[which] + width[which] * (_PLACES[layout, 0] - 0.5)
        bar = float(BARS[layout // POINTS_A_ROW])
        guess = RowGuess(view, left, upper, upper + gap, width[which], bar, float(scores[which, layout]))
        if not any(_same(guess, other) for other in guesses):
            guesses.append(guess)
        if len(guesses) == KEPT:
            break
    return guesses


def _upright(pairs: Wedges, view: View) -> _Points:
    """Gets those of the pairs that are upright in a view, each once."""
    (tip, tip_ahead), (wide, wide_ahead) = view.seen(pairs.narrow), view.seen(pairs.wide)
    along = tip - wide
    length = np.linalg.norm(along, axis=1)
    good = np.abs(along[:, 0]) < length * np.sin(UPRIGHT)
    good &= tip_ahead & wide_ahead
    x, width, is_up = (tip[:, 0] + wide[:, 0]) / 2, pairs.width * length / pairs.length, along[:, 1] < 0
    chosen: list[int] = []
    for which in sorted(np.flatnonzero(good), key=lambda each: -pairs.beside[each]):
        near = (np.abs(x[chosen] - x[which]) < 2.5) & (np.abs(tip[chosen, 1] - tip[which, 1]) < 6)
        if not (near & (is_up[chosen] == is_up[which])).any():
            chosen.append(int(which))
    return _Points(x[chosen], tip[chosen, 1], length[chosen], width[chosen], is_up[chosen])


def _told_by_two(points: _Points) -> Floats:
    """Gets what any two points of one row tell (N x 4): the width of points, the x of one, the y of the row's tips, and
    whether they are up."""
    first, second = np.nonzero((points.x[None] > points.x[:, None]) & (points.is_up[None] == points.is_up[:, None]))
    found = []
    for steps in STEPS:
        width = (points.x[second] - points.x[first]) / steps
        longest = np.maximum(points.length[first], points.length[second])
        fits = (width > POINT_PX[0]) & (width < POINT_PX[1])
        fits &= np.abs(points.tip[first] - points.tip[second]) < LEVEL_TIPS * width
        fits &= np.maximum(points.width[first], points.width[second]) < WIDEST * width
        fits &= (longest < LONGEST * width) & (longest > SEEN_LONG * width)
        tips = (points.tip[first] + points.tip[second]) / 2
        found.append(np.column_stack([width, points.x[first], tips, points.is_up[first]])[fits])
    told = np.concatenate(found)
    return np.random.default_rng(0).permutation(told)[:MOST_GUESSES]


def _support(points: _Points, width: Floats, origin: Floats, tips: Floats, is_up: Flags) -> tuple[Floats, Floats]:
    """Gets for N guesses how surely (0 to 1) a point is at each place (N x 2 x bins: its own row, the other one), and
    the distance of the rows' tips (N) at which the other row has most points."""
    place = (points.x[None] - origin[:, None]) / width[:, None]
    own = points.is_up[None] == is_up[:, None]
    inwards = (points.tip[None] - tips[:, None]) * np.where(is_up, -1.0, 1.0)[:, None] / width[:, None]
    fits = (points.length[None] < LONGEST * width[:, None]) & (points.length[None] > SHORTEST * width[:, None])
    fits &= points.width[None] < WIDEST * width[:, None]
    in_row = np.exp(-((inwards / TIP_SPREAD) ** 2)) * (own & fits)
    at_gap = np.exp(-(((inwards[..., None] - GAPS) / TIP_SPREAD) ** 2)) * (~own & fits)[..., None]
    best = at_gap.sum(axis=1).argmax(axis=1)
    opposite = np.take_along_axis(at_gap, best[:, None, None], axis=2)[..., 0]
    support = np.zeros((len(width), 2, BINS))
    nearest = np.rint((place - FIRST_BIN) / BIN).astype(int)
    for reach in range(-REACH_BINS, REACH_BINS + 1):
        at = nearest + reach
        near = np.exp(-(((at * BIN + FIRST_BIN - place) / LINE_SPREAD) ** 2) / 2)
        for row, surely in enumerate((in_row, opposite)):
            told = near * surely
            guess, which = np.nonzero((told > 0.02) & (at >= 0) & (at < BINS))
            np.maximum.at(support[:, row], (guess, at[guess, which]), told[guess, which])
    return support, GAPS[best]


def _scores(support: Floats) -> Floats:
    """Gets about how many of the 24 points are found, for each of N guesses and each layout of a row (N x layouts)."""

    def at(places: Floats) -> Floats:
        bins = np.clip(np.rint((places - FIRST_BIN) / BIN).astype(int), 0, BINS - 1)
        return np.asarray(support[:, :, bins].sum(axis=(1, 3)), dtype=np.float64)

    beyond = np.stack([_PLACES[:, 0] - 1, _PLACES[:, -1] + 1], axis=1)
    between = np.delete((_PLACES[:, 1:] + _PLACES[:, :-1]) / 2, POINTS_A_HALF - 1, axis=1)
    return at(_PLACES) - BEYOND * at(beyond) - BETWEEN * at(between)


def _places() -> Floats:
    """Gets where the points of a row are, in widths of points from one of them: for each width of the bar, and each of
    the twelve."""
    number = np.arange(POINTS_A_ROW)
    rows = [number + np.where(number >= POINTS_A_HALF, bar, 0.0) for bar in BARS]
    return np.array([row - row[which] for row in rows for which in number], dtype=np.float64)


_PLACES = _places()


def _same(one: RowGuess, other: RowGuess) -> bool:
    """Whether two guesses are about the same."""
    return (
        abs(one.left - other.left) < NEW_PLACE * one.point
        and abs(one.point - other.point) < NEW_WIDTH * other.point
        and abs(one.bar - other.bar) < NEW_BAR
    )
