"""Where a field ends whose points have been found: along the points, and at their sides."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.difference import DARK_OFFSET
from calibration.field.point_edges import Wedges
from calibration.field.point_rows import POINTS_A_HALF, POINTS_A_ROW
from calibration.field.row_fit import RowFit, matches

Picture = NDArray[np.uint8]
Floats = NDArray[np.float64]

WITHIN, TIP_WITHIN = 0.15, 0.5
"""How far off a pair of edges may be whose wide end tells how long points are."""

LENGTHS = (1.8, 5.7)
"""From tip to edge points have 3.9 to 5.1 widths; less where a camera that looks at a slant is not told exactly, or the
tips are those of smaller triangles, painted in the points."""

USUAL_LENGTH, LENGTH_SPREAD, SLANTED_SPREAD = 4.6, 0.8, 0.5
"""The spread of what is along the points is so much more where the camera looks to the side by one for one down."""

STEP = 0.04
SOFT = 0.06
ACROSS = np.linspace(-0.45, 0.45, 9)

ENDS_BEFORE, ENDS_AFTER, MANY_ENDS = 0.35, 0.08, 0.25
"""A point's edges are seen to end a little before the field does. A quarter of them is many: others are covered."""

ENDS_BEYOND = 0.15
LIKE_LENGTHS = 0.28
"""By how much the lengths at both sides differ: they are the same, but a high rail hides the field's edge at one."""

OTHER_TIPS = 2.5
"""What lengths count at most that are unusual or unlike each other: the tips at one side may be others than at the
other, those of smaller triangles in the points."""

HIGHEST, HIGH_SPREAD = 12.2, 0.3
"""The highest fields have so many widths of points from edge to edge (10 to 12 are usual), and how exactly that is
told. Beyond a high field's edge there is the outer edge of a rail."""

CLEAR = 0.35
TRIED = 6

HIGHEST_RAIL = 0.75
"""Height of the highest rails and bars, in widths of points: from a slant they hide the edges of points."""

INSIDE, PLAINLY, NEIGHBOURS = (0.35, 0.1), 0.4, 70
"""So far inside the field's edge neighbouring points differ at least by so much of what they do further in: a rail does
not. Of the neighbours so many in a hundred may differ less, as they hold checkers of one seat."""

NO_POINTS = 2.0
"""What it counts where they do not."""

LINE_STEP, LINE_SOFT, LINE_WITHIN = 0.05, 1.2, 0.16
BAR_FROM = 0.25
"""A narrower bar is but a line."""

CLEAR_LINE = 3.0
"""A line across which light changes by a logarithm of 3 a point's width is a clear one."""


@dataclass(frozen=True)
class FieldLines:
    """How clearly (0 to 1) straight lines run along all of the board where field and bar end, and the clearest one that
    runs between two points, where none should be."""

    ends: float
    bar: float
    between: float


def at_places(picture: Picture, fit: RowFit, x: Floats, y: Floats) -> Floats:
    """Gets the logarithms of a picture's light at places on the board (len(y) x len(x) x 3)."""
    places = np.stack(np.meshgrid(x, y), axis=-1).reshape(-1, 2)
    maps = fit.pixels(places).astype(np.float32).reshape(len(y), len(x), 2)
    columns, rows = np.ascontiguousarray(maps[..., 0]), np.ascontiguousarray(maps[..., 1])
    seen = cv2.remap(picture, columns, rows, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.log(seen.astype(np.float64) + DARK_OFFSET)


def point_lengths(picture: Picture, fit: RowFit, pairs: Wedges) -> tuple[float, float]:
    """Gets how long the points are from tip to edge at the near and at the far side: where most of the columns have an
    edge across them, and where the edges of points end that are not covered."""
    found = matches(fit, pairs, WITHIN, TIP_WITHIN)
    slant = float(np.hypot(*fit.eye[:2]) / fit.eye[2])
    near, far = (_lengths(picture, fit, side, found.lengths[found.side == side], slant) for side in (-1.0, 1.0))
    hidden, hidden_opposite = (_hidden(fit, side) for side in (-1.0, 1.0))
    rated = []
    for one, length in near:
        for other, opposite in far:
            too_high = max(2 * fit.half_gap + length + opposite - HIGHEST, 0.0) / (HIGH_SPREAD + SLANTED_SPREAD * slant)
            unusual = _unusual(length, slant) + _unusual(opposite, slant)
            unusual += (_unlike(length, opposite, hidden, hidden_opposite) / LIKE_LENGTHS) ** 2
            rating = one + other - min(unusual, OTHER_TIPS) - too_high**2
            rated.append((rating, length, opposite, unusual < OTHER_TIPS))
    _, length, opposite, alike = max(rated)
    if not alike:
        return length, opposite
    return min(max(length, opposite), length + hidden), min(max(length, opposite), opposite + hidden_opposite)


def _unusual(length: float, slant: float) -> float:
    """Gets how unusual a length is, as a square of spreads."""
    return float(((length - USUAL_LENGTH) / (LENGTH_SPREAD + SLANTED_SPREAD * slant)) ** 2)


def _hidden(fit: RowFit, side: float) -> float:
    """Gets how much of the points at a side a rail may hide, in widths of points."""
    _, eye_y, eye_z = fit.eye
    return float(HIGHEST_RAIL * max(side * eye_y - fit.half_gap - USUAL_LENGTH, 0.0) / eye_z)


def _unlike(length: float, opposite: float, hidden: float, hidden_opposite: float) -> float:
    """Gets by how much two lengths differ beyond what may be hidden of the shorter one."""
    return max(abs(length - opposite) - (hidden if length < opposite else hidden_opposite), 0.0)


def _lengths(picture: Picture, fit: RowFit, side: float, ends: Floats, slant: float) -> list[tuple[float, float]]:
    """Gets the lengths that points may have at a side, each after how likely it is."""
    tried = np.arange(*LENGTHS, STEP)
    ends = ends[(ends > LENGTHS[0] - 1) & (ends < LENGTHS[1] + 0.2)]
    x = (fit.columns[:, None] + ACROSS).ravel()
    light = at_places(picture, fit, x, side * (fit.half_gap + tried))
    soft = cv2.GaussianBlur(light, (1, 0), 0, sigmaY=SOFT / STEP)
    change = np.median(np.abs(np.gradient(soft, axis=0)).sum(axis=-1), axis=1)
    clear = (1 + CLEAR) * change / (change + CLEAR * np.sort(change)[-3] + 1e-6)
    points = _difference_of_points(light)
    count = max(len(ends), 3)
    found = [(-0.3, float(np.clip(np.percentile(ends, 88), 4.0, 5.0)) if len(ends) > 2 else USUAL_LENGTH)]
    for at in range(1, len(tried) - 1):
        if change[at] < change[at - 1] or change[at] <= change[at + 1]:
            continue
        length = float(tried[at])
        here = int(((ends > length - ENDS_BEFORE) & (ends < length + ENDS_AFTER)).sum()) / count
        beyond = int((ends > length + ENDS_BEYOND).sum()) / count
        rating = float(clear[at]) + 0.6 * min(here / MANY_ENDS, 1.0) - 2.0 * beyond
        inside = points[(tried > length - INSIDE[0]) & (tried < length - INSIDE[1])]
        rating -= NO_POINTS * max(1 - float(np.median(inside)) / PLAINLY, 0.0) if len(inside) else 0.0
        found.append((rating, length))
    likely = sorted(found, key=lambda entry: _unusual(entry[1], slant) - entry[0])[:TRIED]
    return likely + [entry for entry in sorted(found, reverse=True)[:TRIED] if entry not in likely]


def _difference_of_points(light: Floats) -> Floats:
    """Gets by how much neighbouring points differ at each of N lengths, as a share of what they mostly do, from light
    (N x columns x 3)."""
    colours = np.median(light.reshape(len(light), POINTS_A_ROW, len(ACROSS), 3)[:, :, 2:-2], axis=2)
    apart = np.abs(np.diff(colours, axis=1)).sum(axis=-1)
    beside_bar = POINTS_A_HALF - 1
    differ = np.percentile(np.delete(apart, beside_bar, axis=1), NEIGHBOURS, axis=1)
    return np.asarray(differ / max(float(np.median(differ[: len(differ) // 6])), 1e-6), dtype=np.float64)


def field_lines(picture: Picture, fit: RowFit, near: float, far: float) -> FieldLines:
    """Gets which straight lines run along the points of a field whose points are so long."""
    reach = fit.half_width + 1.3
    x = np.arange(-reach, reach, LINE_STEP)
    y = np.concatenate([np.linspace(-fit.half_gap - near, 0, 30), np.linspace(0.1, fit.half_gap + far, 30)]) * 0.97
    light = cv2.GaussianBlur(at_places(picture, fit, x, y), (0, 0), LINE_SOFT, sigmaY=0.3)
    change = np.abs(np.median(np.gradient(light, axis=1), axis=0)).sum(axis=-1) / LINE_STEP
    clear = change / (change + CLEAR_LINE)

    def at(place: float) -> float:
        return float(clear[np.abs(x - place) < LINE_WITHIN].max())

    beside = fit.bar / 2 if fit.bar > BAR_FROM else 0.0
    columns = fit.columns
    between = [(columns[at] + columns[at + 1]) / 2 for at in range(POINTS_A_ROW - 1) if at != POINTS_A_HALF - 1]
    return FieldLines(
        (at(-fit.half_width) + at(fit.half_width)) / 2,
        (at(-beside) + at(beside)) / 2,
        max(at(place) for place in between),
    )
