"""Moves corners of a field that are a little off to where its points say they are.

Corners that somebody points at, or that were found, are off by some pixels, and a tenth of a point's width is enough
for what is taken for a point's middle to lie beside it. Edges of points tell better where the rows lie: so camera and
board are fitted to them as well as to the corners. No edge of a point tells how far the field reaches beyond it: that
the corners alone do.
"""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from calibration.corners import Corners, are_within, as_corners
from calibration.field.corner_pose import GIVEN_OUTSIDE
from calibration.field.point_edges import Wedges, straight_edges, to_search_size, wedges
from calibration.field.point_rows import TIP_TO_EDGE
from calibration.field.row_fit import RowFit, fit_of_corners, refined

Picture = NDArray[np.uint8]
Floats = NDArray[np.float64]

GIVEN_SPREAD = 0.15
"""How exactly corners are given, in widths of points: four to six pixels where points are 40 wide."""

UNLIKE_SPREAD, LENGTH_SPREAD = 0.1, 0.35
"""How unlike the points of both sides are in length, and how unlike ``TIP_TO_EDGE``, in widths."""

FIRST_BARS, FIRST_HALF_GAP = (0.02, 0.5, 1.0), 0.5
"""Widths of the bar, and half the distance between the rows' tips, from which fits start: bars 0.3 off move a column by
0.15, and are told by the columns."""

LEAST_FOUND = 8.0
"""So many of the 24 points must be seen where a fit has them: a third, of crowded boards."""

FURTHEST = 0.5
"""So far a corner may be moved, in widths of points: from there on another column is as near."""

_SIDES = np.array((-1.0, 1.0, 1.0, -1.0))
"""On which side of the middle the corners are."""


def corners_at_points(picture: Picture, corners: Corners) -> Corners:
    """Gets the corners of a field, given nearly right, moved to where its points are seen in a picture (H x W x 3); as
    they were given where too few points are seen, or none so near, and where a corner is outside: a picture that was
    cut out of another does not tell where the lens' axis is."""
    if not are_within(corners, (picture.shape[1], picture.shape[0]), GIVEN_OUTSIDE):
        return corners
    small, scale = to_search_size(picture)
    given_px = (np.array(corners) + 0.5) * scale - 0.5
    fits = list(_fits(wedges(straight_edges(small)), given_px, (small.shape[1], small.shape[0])))
    if not fits:
        return corners
    best = max(fits, key=lambda fit: fit.found - float(np.square(_missed(fit, given_px)).sum()) / 2)
    return as_corners((_with_ends(best, given_px) + 0.5) / scale - 0.5)


def _fits(pairs: Wedges, given_px: Floats, size_px: tuple[int, int]) -> Iterator[RowFit]:
    """Gets cameras and boards that have points where they are seen, and the corners nearly where they were given."""
    for bar in FIRST_BARS:
        first = fit_of_corners(given_px, bar, FIRST_HALF_GAP, size_px)
        fit = first and refined(first, pairs, lambda trial: _missed(trial, given_px))
        if fit is not None and fit.found >= LEAST_FOUND:
            moved = fit.places(_with_ends(fit, given_px)) - fit.places(given_px)
            if np.abs(moved).max() < FURTHEST:
                yield fit


def _missed(fit: RowFit, given_px: Floats) -> Floats:
    """Gets how far corners as they were given are from those of a fit's rows, in spreads: each along the rows, those of
    one side from lying on one line, and both sides from having points alike and as long as usual."""
    x, y = fit.places(given_px).T
    near, far = y[:2].mean(), y[2:].mean()
    off = np.concatenate([x - _SIDES * fit.half_width, y[:2] - near, y[2:] - far]) / GIVEN_SPREAD
    length = (far - near) / 2 - fit.half_gap
    return np.concatenate([off, ((near + far) / UNLIKE_SPREAD, (length - TIP_TO_EDGE) / LENGTH_SPREAD)])


def _with_ends(fit: RowFit, given_px: Floats) -> Floats:
    """Gets the corners (4 x 2 pixels) of a fit's field, with both sides ending half-way between where the given corners
    have that side's end and where they would have both if these were alike."""
    y = fit.places(given_px)[:, 1]
    lengths = np.array((-y[:2].mean(), y[2:].mean())) - fit.half_gap
    near, far = (lengths + lengths.mean()) / 2
    return fit.field_px(float(near), float(far))
