"""The light that falls on the points of a photograph, and which of them have the same colour.

Light is a smooth function of the place on the board: what differs between bare points of one colour is light, and of
one colour are those that differ by nothing else.
"""

from itertools import pairwise, product

import numpy as np
from numpy.typing import NDArray

from boardctl.vision.photograph.point_strips import PointStrips
from boardctl.vision.points.columns import POINTS

Floats = NDArray[np.float64]

POWERS = [(x, y) for x in range(4) for y in range(4 - x) if x + y]
"""Light over the board: a polynomial of the third degree of its logarithm."""

WHOLLY = np.ones(len(POWERS), dtype=np.bool_)
ROUGHLY = np.array([x + y <= 2 and y < 2 for x, y in POWERS])
"""Which of its powers are told: where little is known those of the second degree, but not how light changes alike
towards both edges, which looks as if the points did."""

OUTER = 0.35
"""Share of a strip's length from which on few checkers lie."""

BANDS = 8
"""So many parts of the strips are compared from there on, each in its middle and at its sides."""

ROUNDS = 8
"""The light is told anew so many times, each time what a colour looks like is."""

HELD = 1e-4
"""How firmly light is held to be even, as a share of what tells of it."""

MOST_UNLIKE = 0.5
"""Difference (logarithm) of two colours from which on it does not matter how large it is."""


def first_light(seen: Floats, strips: PointStrips) -> tuple[list[NDArray[np.intp]], Floats]:
    """Gets the strips of each of the two colours of points, and the light (9 x 3) with which those of a colour look
    most alike from the middle of the board as far out as few checkers lie.

    In each quarter of the board the colours take turns; from one quarter to the next they do on some boards and not on
    others.
    """
    length, width = seen.shape[1:3]
    ends = np.linspace(length * OUTER, length, BANDS + 1).astype(int)
    bands = [slice(start, end) for start, end in pairwise(ends)]
    columns = [slice(width // 2 - 3, width // 2 + 3), np.r_[:3, width - 3 : width]]
    places = light_basis(strips)[..., ROUGHLY]
    looks = np.stack([[np.median(seen[:, band][:, :, part], axis=(1, 2)) for part in columns] for band in bands])
    bases = np.stack([[places[:, band][:, :, part].mean(axis=(1, 2)) for part in columns] for band in bands])
    looks, bases = (np.moveaxis(each, 2, 0).reshape(POINTS, 2 * BANDS, -1) for each in (looks, bases))
    quarter, odd = np.arange(POINTS) // 6, np.arange(POINTS) % 2
    tried = []
    for turned in product((0, 1), repeat=3):
        which = odd ^ np.array((0, *turned))[quarter]
        groups = [np.flatnonzero(which == colour) for colour in (0, 1)]
        factors, off = _alike_but_for_light(looks, bases, groups)
        tried.append((off, groups, factors))
    _, groups, factors = min(tried, key=lambda entry: entry[0])
    light = np.zeros((len(POWERS), 3))
    light[ROUGHLY] = factors
    return groups, light


def _alike_but_for_light(looks: Floats, bases: Floats, groups: list[NDArray[np.intp]]) -> tuple[Floats, float]:
    """Gets the factors (K x 3) of light (24 x B x K) with which looks (24 x B x 3) of a colour are most alike, and how
    much they still differ."""
    factors = np.zeros((bases.shape[-1], 3))
    off = np.zeros_like(looks)
    for _ in range(ROUNDS):
        lit = looks - bases @ factors
        for group in groups:
            off[group] = lit[group] - np.median(lit[group], axis=0)
        factors = factors + smooth_light(bases.reshape(-1, bases.shape[-1]), off.reshape(-1, 3), 3)
    return factors, float(np.minimum(np.abs(off), MOST_UNLIKE).sum())


def light_basis(strips: PointStrips) -> Floats:
    """Gets the powers of x and y of which light is made (24 x length x width x 9)."""
    half = np.array((strips.geometry.field_width_mm / 2, strips.geometry.field_height_mm / 2))
    x, y = np.moveaxis(strips.places_mm / half, -1, 0)
    return np.stack([x**right * y**away for right, away in POWERS], axis=-1)


def smooth_light(basis: Floats, values: Floats, rounds: int) -> Floats:
    """Gets the factors (K x 3) by which a basis (N x K) gives values (N x 3) but for those that stand out."""
    weights = np.ones(len(basis))
    found: Floats = np.zeros((basis.shape[1], 3))
    for _ in range(rounds):
        weighted = basis * weights[:, None]
        held = HELD * max(len(basis), 1) * np.eye(basis.shape[1])
        found = np.asarray(np.linalg.solve(weighted.T @ basis + held, weighted.T @ values), dtype=np.float64)
        off = np.abs(values - basis @ found).max(axis=1)
        usual = max(1.5 * float(np.median(off)), 0.02) if len(off) else 1.0
        weights = 1 / np.maximum(1, off / usual) ** 2
    return found
