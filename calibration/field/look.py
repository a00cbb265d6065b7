"""How much a place in a picture looks like a backgammon board: how much of what is seen its points explain.

The field has one colour, and points have two that take turns; over the board only the light changes, and smoothly.
Each spot of the board votes for that, or against it when it has the colour of what should not be there. A spot that
has none of these colours, as under a checker, does not vote; on a plain surface all colours are the same, and no vote
counts.
"""

from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import NDArray

from calibration.field.edges import BAR_FROM, at_places
from calibration.field.point_rows import POINTS_A_HALF, POINTS_A_ROW
from calibration.field.row_fit import RowFit

Picture = NDArray[np.uint8]
Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]

ACROSS = np.linspace(-0.46, 0.46, 11)
DEPTHS = 56
HALF_TIP, HALF_BASE = 0.07, 0.46
"""Half the widths of points at their two ends."""

SURELY_POINT, SURELY_FIELD = 0.55, 0.07
"""Share of a point's half width within which a spot is surely on it, and how far beside it is surely on the field."""

BEHIND_TIP, BEFORE_TIP = 0.25, 0.15
NEAR_EDGE, FIELD_UNTIL = 0.97, 0.9
"""Shares of a point's length: at the very edge there is a shadow, and hardly any field beside the points."""

ROUNDS = 6
LEAST_NOISE = 0.03
NOT_APART = 0.04
"""Added to differences of colours (logarithm): smaller ones say nothing."""

MIDDLE_WITHIN = 0.12
"""Least difference (logarithm) from which on a spot in the middle of the board is not of the field."""

BESIDE = np.linspace(0.12, 0.7, 7)
COLUMN = np.linspace(-0.4, 0.4, 7)


@dataclass(frozen=True)
class FieldLook:
    """What the spots of a field say. ``points``, ``ground``: the mean vote (-1 to 1) on points and between them.
    ``middle``: on how many of the twelve columns the field goes on between the tips of the rows; ``beyond``: on how
    many of the two beside the rows it seems to, and ``bar``: how much it seems to on the bar, where it should not."""

    points: float
    ground: float
    middle: float
    beyond: float
    bar: float


def field_look(picture: Picture, fit: RowFit, near: float, far: float) -> FieldLook:
    """Gets what the spots of a field in a picture say, whose points are so long at its near and at its far side."""
    lengths = np.array([near, far])
    depths = [np.linspace(0.05, fit.half_gap + length - 0.05, DEPTHS) for length in lengths]
    y = np.stack([-depths[0], depths[1]])
    x = fit.columns[:, None] + ACROSS
    seen = np.stack([at_places(picture, fit, x.ravel(), row) for row in y])
    light = seen.reshape(2, DEPTHS, POINTS_A_ROW, len(ACROSS), 3).transpose(0, 2, 1, 3, 4)
    on_point, on_field = _parts(np.abs(y) - fit.half_gap, lengths)
    basis = _basis(
        np.broadcast_to(x[None, :, None, :], light.shape[:4]), np.broadcast_to(y[:, None, :, None], light.shape[:4])
    )
    ground = np.broadcast_to(on_field[:, None], light.shape[:4])
    shade = _smooth(basis[ground], light[ground])
    off = light - basis @ shade
    noise = max(float(np.median(np.abs(off[ground]).sum(axis=1))), LEAST_NOISE)
    votes = _votes(off, on_point, noise)
    middle = max(2.5 * noise, MIDDLE_WITHIN)
    reach = np.linspace(-1, 1, 11) * max(fit.half_gap - 0.1, 0.25)

    def like_field(x: Floats) -> float:
        places = np.meshgrid(x, reach)
        off = at_places(picture, fit, x, reach) - _basis(*places) @ shade
        return float((np.abs(off).sum(axis=-1) < middle).mean())

    end = fit.columns[-1] + 0.5
    return FieldLook(
        float(votes[np.broadcast_to(on_point[:, None], votes.shape)].mean()),
        float(votes[ground].mean()),
        sum(like_field(column + COLUMN) for column in fit.columns),
        sum(like_field(side * (end + BESIDE)) for side in (-1, 1)),
        like_field(COLUMN * fit.bar) if fit.bar > BAR_FROM else 0.0,
    )


def _parts(depth: Floats, lengths: Floats) -> tuple[Flags, Flags]:
    """Gets which spots of a column (2 x depths x across) are on the point and which beside it, given how far they are
    behind the tip (2 x depths)."""
    share = np.clip(depth / lengths[:, None], 0, 1)
    half = (HALF_TIP + (HALF_BASE - HALF_TIP) * share)[..., None]
    aside = np.abs(ACROSS)
    deep = (share > 0)[..., None]
    on_point = (
        (aside < np.maximum(SURELY_POINT * half, 0.05))
        & (depth > BEHIND_TIP)[..., None]
        & (share < NEAR_EDGE)[..., None]
    )
    on_field = ((aside > half + SURELY_FIELD) | ~deep & (depth < -BEFORE_TIP)[..., None]) & (share < FIELD_UNTIL)[
        ..., None
    ]
    return on_point, on_field


def _basis(x: Floats, y: Floats) -> Floats:
    """Gets the powers of x and y (... x 6) of which light is made."""
    x, y = x / 6.5, y / 5.5
    return np.stack([np.ones_like(x), x, y, x * y, x**2, y**2], axis=-1)


def _smooth(basis: Floats, light: Floats) -> Floats:
    """Gets the factors (6 x 3) by which a basis (N x 6) gives the light (N x 3) of most spots."""
    held = 1e-3 * len(basis) * np.diag([0.0, 1, 1, 1, 1, 1])
    off = np.abs(light - np.median(light, axis=0)).sum(axis=1)
    weights = 1 / (1 + (off / 0.3) ** 2)
    for _ in range(ROUNDS):
        weighted = basis * weights[:, None]
        found = np.linalg.solve(weighted.T @ basis + held, weighted.T @ light)
        off = np.abs(light - basis @ found).sum(axis=1)
        weights = 1 / (1 + (off / max(1.5 * float(np.median(off)), 0.06)) ** 2)
    return np.asarray(found, dtype=np.float64)


def _votes(off: Floats, on_point: Flags, noise: float) -> Floats:
    """Gets the votes (2 x 12 x depths x across) of spots, given how they differ from the field (... x 3)."""
    tops = np.array(
        [[np.median(column[spots], axis=0) for column in row] for row, spots in zip(off, on_point, strict=True)]
    )
    kind, colours = _taking_turns(tops)
    apart = np.abs(off[..., None, :] - np.stack([np.zeros(3), *colours])).sum(axis=-1)
    point = np.broadcast_to(on_point[:, None], off.shape[:4])
    own = np.where(point, np.take_along_axis(apart, 1 + kind[:, :, None, None, None], axis=-1)[..., 0], apart[..., 0])
    other = np.where(point, apart[..., 0], apart[..., 1:].min(axis=-1))
    none = np.minimum(own, other) > max(0.5 * float(np.abs(colours).sum(axis=1).mean()), 3 * noise)
    return np.where(none, 0.0, (other - own) / (other + own + NOT_APART))


def _taking_turns(tops: Floats) -> tuple[NDArray[np.intp], Floats]:
    """Gets of which of two colours each point (2 x 12) is, and the colours (2 x 3), given those seen (2 x 12 x 3). In
    each quarter of the board they take turns; from one quarter to the next they do on some boards and not on others."""
    number = np.arange(POINTS_A_ROW)
    tried = []
    for turned in product((0, 1), repeat=3):
        quarters = np.array((0, *turned)).reshape(2, 2)
        kind = (number % 2) ^ quarters[:, (number >= POINTS_A_HALF).astype(int)]
        colours = np.stack([np.median(tops[kind == which], axis=0) for which in (0, 1)])
        off = np.minimum(np.abs(tops - colours[kind]).sum(axis=-1), 0.7)
        tried.append((float(off.sum()), kind, colours))
    _, kind, colours = min(tried, key=lambda entry: entry[0])
    return kind, colours
