"""Fits a camera and a board to the points found in one picture of it, as far as checkers leave them to be seen.

Lengths are in widths of points, with the origin in the middle between the tips of the two rows and x along them; y
points away from the near row.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.field.corner_pose import poses_of_plane
from calibration.field.point_edges import Wedges
from calibration.field.point_rows import POINTS_A_HALF, POINTS_A_ROW, TIP_TO_EDGE, RowGuess
from calibration.field.upright_view import FOCAL_PX, picture_middle
from calibration.least_squares import least_squares

Floats = NDArray[np.float64]
Whole = NDArray[np.intp]

USUAL = np.array((0.0, 0.0, 0.95))
SPREADS = np.array((0.35, 0.12, 0.25))
"""What is usual, and how far boards and cameras are off it: the logarithm of the focal length over the longer side of
the picture, the lens' distortion (k1), the width of the bar."""

FOCAL_AT, BEND_AT, BAR_AT, GAP_AT = 6, 7, 8, 9
STEPS = np.array([1e-4] * 3 + [1e-3] * 7)

WITHIN = (0.35, 0.3, 0.25, 0.2, 0.15, 0.15)
"""Round by round: how far a pair of edges may be from the middle line of the point that it is taken for."""

TIP_WITHIN, AT_LAST, TIP_AT_LAST = 0.7, 0.12, 0.5
SLANTED = 0.12
LONGEST, SHORTEST = 6.2, 0.9
"""A pair of edges is no point of the board when it is so slanted, long or short."""

LINE_SPREAD, TIP_SPREAD = 0.05, 0.2
"""How exactly ends of a middle line, and tips, are seen."""

SEEN_SPREAD = 0.07
"""How exact a middle line is that counts as a point that is found."""

OUTLIER = 2.0
"""In spreads: what is further off says little."""

LEAST_PAIRS = 6
MOST_BEND = 1.0
ROUNDS, TRIES = 3, 3


@dataclass(frozen=True)
class RowFit:
    """A camera and a board. ``values``: rotation vector and place of the board by the camera, logarithm of the focal
    length over ``FOCAL_PX``, k1, width of the bar, half the distance between the rows' tips. ``found``: about how many
    of the 24 points are seen where it has them."""

    values: Floats
    size_px: tuple[int, int]
    found: float = 0.0

    @property
    def bar(self) -> float:
        """The width of the bar."""
        return float(self.values[BAR_AT])

    @property
    def half_gap(self) -> float:
        """How far the tips of a row are from the middle of the board."""
        return float(self.values[GAP_AT])

    @property
    def half_width(self) -> float:
        """How far the ends of a row are from its middle."""
        return (POINTS_A_ROW + self.bar) / 2

    @property
    def columns(self) -> Floats:
        """The x of the middle lines of a row's points (12)."""
        return columns(self.bar)

    def pixels(self, places: Floats) -> Floats:
        """Gets the pixels (N x 2) of places on the board (N x 2)."""
        seen = np.column_stack([places, np.zeros(len(places))]) @ self._rotation.T + self.values[3:6]
        flat = seen[:, :2] / seen[:, 2:]
        bent = flat * (1 + self.values[BEND_AT] * (flat**2).sum(axis=1, keepdims=True))
        return np.asarray(bent * self._focal_px + picture_middle(self.size_px), dtype=np.float64)

    def places(self, pixels: Floats) -> Floats:
        """Gets the places on the board (N x 2) that are seen in pixels (N x 2)."""
        bent = (pixels - picture_middle(self.size_px)) / self._focal_px
        flat = bent
        for _ in range(2):
            x, y = flat.T
            flat = bent / (1 + self.values[BEND_AT] * (x * x + y * y))[:, None]
        plane = self._rotation.copy()
        plane[:, 2] = self.values[3:6]
        back = np.linalg.inv(plane)
        seen = flat @ back[:, :2].T + back[:, 2]
        return np.asarray(seen[:, :2] / seen[:, 2:], dtype=np.float64)

    def field_px(self, near: float, far: float) -> Floats:
        """Gets the corners (4 x 2) of a field whose points are so long at the near and at the far side: near left, near
        right, far right, far left."""
        x, low, high = self.half_width, -self.half_gap - near, self.half_gap + far
        return self.pixels(np.array([(-x, low), (x, low), (x, high), (-x, high)]))

    def moved(self, points: int) -> "RowFit":
        """Gets the same with every point taken for one that is so many further on to the right."""
        values = self.values.copy()
        values[3:6] += self._rotation[:, 0] * points
        return replace(self, values=values)

    @property
    def eye(self) -> Floats:
        """Where the camera is (x, y, and how high above the board)."""
        return -np.asarray(self._rotation.T @ self.values[3:6], dtype=np.float64)

    @property
    def _rotation(self) -> Floats:
        return np.asarray(cv2.Rodrigues(self.values[:3])[0], dtype=np.float64)

    @property
    def _focal_px(self) -> float:
        return float(np.exp(self.values[FOCAL_AT])) * FOCAL_PX


Known = Callable[[RowFit], Floats]
"""Gets how far a fit misses what is known of a board, in spreads."""


@dataclass(frozen=True)
class Matched:
    """Which pairs of edges (M) are points of a board: the pair, its column (0 to 11), its side (-1 near, 1 far), and
    how far its middle line is off. ``lengths``: how far the wide end is from the line of the tips."""

    pairs: Whole
    column: Whole
    side: Floats
    off: Floats
    lengths: Floats


def columns(bar: float) -> Floats:
    """Gets the x of the middle lines of a row's points (12)."""
    number = np.arange(POINTS_A_ROW)
    middle = (POINTS_A_ROW - 1) / 2
    return np.asarray(number - middle + np.where(number >= POINTS_A_HALF, bar / 2, -bar / 2), dtype=np.float64)


def first_fit(guess: RowGuess) -> RowFit | None:
    """Gets the camera and board of a guess; None when no camera above the board sees it so."""
    return fit_of_corners(guess.corners_px, guess.bar, guess.half_gap, guess.view.size_px)


def fit_of_corners(corners_px: Floats, bar: float, half_gap: float, size_px: tuple[int, int]) -> RowFit | None:
    """Gets a usual camera, and a board with points of usual length, by the corners of its field (4 x 2: near left, near
    right, far right, far left); None when no camera above the board sees them so."""
    x, y = (POINTS_A_ROW + bar) / 2, half_gap + TIP_TO_EDGE
    corners = np.array([(-x, -y, 0), (x, -y, 0), (x, y, 0), (-x, y, 0)], dtype=np.float64)
    matrix = np.array([[FOCAL_PX, 0, 0], [0, FOCAL_PX, 0], [0, 0, 1]])
    matrix[:2, 2] = picture_middle(size_px)
    poses = poses_of_plane(corners, corners_px, matrix)
    fits = [RowFit(np.concatenate([pose, (0.0, 0.0, bar, half_gap)]), size_px) for pose in poses]

    def off(fit: RowFit) -> float:
        return float(np.abs(fit.pixels(corners[:, :2]) - corners_px).max())

    return min(filter(_may_be, fits), key=off, default=None)


def refined(fit: RowFit, pairs: Wedges, known: Known | None = None) -> RowFit | None:
    """Gets a fit moved to where the points are seen that are near to where it has them; None where too few are.

    ``known``: what else is known of the board.
    """
    for within in WITHIN:
        matched = matches(fit, pairs, within, TIP_WITHIN)
        if len(matched.pairs) < LEAST_PAIRS:
            return None
        fit = replace(fit, values=_solved(fit, pairs, matched, known))
        if not np.isfinite(fit.values).all() or abs(fit.values[BEND_AT]) > MOST_BEND or not _may_be(fit):
            return None
    matched = matches(fit, pairs, AT_LAST, TIP_AT_LAST)
    seen = np.zeros((POINTS_A_ROW, 2))
    np.maximum.at(seen, (matched.column, (matched.side > 0).astype(int)), np.exp(-((matched.off / SEEN_SPREAD) ** 2)))
    return replace(fit, found=float(seen.sum()))


def matches(fit: RowFit, pairs: Wedges, within: float, tip_within: float) -> Matched:
    """Gets which pairs of edges are points of a board, up to so far off."""
    tip, wide = fit.places(pairs.narrow), fit.places(pairs.wide)
    along = tip - wide
    side = np.where(along[:, 1] > 0, -1.0, 1.0)
    middle = (tip[:, 0] + wide[:, 0]) / 2
    column = np.abs(middle[:, None] - fit.columns).argmin(axis=1)
    off = middle - fit.columns[column]
    length = np.linalg.norm(along, axis=1)
    is_point = (np.abs(off) < within) & (np.abs(along[:, 0]) < SLANTED * length)
    is_point &= (np.abs(tip[:, 1] - side * fit.half_gap) < tip_within) & (length < LONGEST) & (length > SHORTEST)
    which = np.flatnonzero(is_point)
    lengths = wide[which, 1] * side[which] - fit.half_gap
    return Matched(which, column[which], side[which], off[which], lengths)


def _solved(fit: RowFit, pairs: Wedges, matched: Matched, known: Known | None) -> Floats:
    """Gets the values with which the pairs of edges lie best on the points that they are taken for."""
    ends = np.concatenate([pairs.narrow[matched.pairs], pairs.wide[matched.pairs]])
    row = (matched.column, (matched.side > 0).astype(int))
    count = np.zeros((POINTS_A_ROW, 2))
    np.add.at(count, row, 1)
    share = np.tile(1 / np.sqrt(count[row]), 3)

    def misfit(values: Floats) -> Floats:
        trial = replace(fit, values=values)
        tip, wide = np.split(trial.places(ends), 2)
        x = trial.columns[matched.column]
        off = np.concatenate(
            [
                (tip[:, 0] - x) / LINE_SPREAD,
                (wide[:, 0] - x) / LINE_SPREAD,
                (tip[:, 1] - matched.side * trial.half_gap) / TIP_SPREAD,
            ]
        )
        held = off / np.sqrt(1 + (off / OUTLIER) ** 2) * share
        usual = (values[[FOCAL_AT, BEND_AT, BAR_AT]] - USUAL) / SPREADS
        rest = known(trial) if known else ()
        return np.concatenate([held, usual, rest])

    return least_squares(misfit, fit.values, STEPS, damping=1e-3, rounds=ROUNDS, tries=TRIES)


def _may_be(fit: RowFit) -> bool:
    """Whether there may be such a board: the camera is above it, and its two rows do not reach into each other."""
    return bool(fit.eye[2] > 0) and fit.half_gap > 0
