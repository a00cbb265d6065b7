"""Curves by which a camera writes other levels than when its board was empty, dark ones otherwise than light ones."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, partial

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.difference import DARK_OFFSET
from calibration.least_squares import least_squares
from calibration.light.linear import GAMMA

Picture = NDArray[np.uint8]
Floats = NDArray[np.float64]

HIGHEST = 255
"""The highest level of a picture."""

PLACES = 200
"""A curve is found by no more places than about so many: it has five parameters."""
STARTS = (0.9, 0.0, -1.0)
"""It is looked for from so much added, in parts of the level of dark places; and taken away."""
DARK = 0.02
"""Dark places: this share of all is darker."""
POWER = 4.0
"""Powers are no further from 1 than this."""
MOST_LOG = 30.0
"""Logarithm of odds beyond which a level is quite none or all of the highest, to the last of a number's digits."""
LEFT = 0.8
"""A curve leaves at least so many of the places some level."""
WITHIN = (2.0, 0.5, 0.2)
"""Places that are further off a curve than this (root scale) count less and less: while it is found roughly, and
then."""
STEPS = np.full(5, 1e-4)
"""Steps of a curve's parameters by which derivatives are taken."""
DAMPING, ROUNDS, TRIES = 1e-3, 10, 4
"""How its least squares are sought (`least_squares`)."""


@dataclass(frozen=True)
class Kind:
    """A kind of curves. ``were``: gets what levels were from what they are (both in parts of the highest), by how much
    was added, and a power; 0 and 1 are no change. ``added_to``: the power of levels to which that is added."""

    were: Callable[[Floats, float, float], Floats]
    added_to: float


def _without_sum(shares: Floats, added: float, power: float, added_to: float) -> Floats:
    return np.asarray(np.maximum(shares**added_to - added, 0.0) ** (power / added_to))


def _without_bow(shares: Floats, added: float, power: float) -> Floats:
    odds = np.exp(np.clip(power * np.log(shares / (1 - shares)) - added, -MOST_LOG, MOST_LOG))
    return np.asarray(odds / (1 + odds))


KINDS = (
    Kind(partial(_without_sum, added_to=1.0), 1.0),
    Kind(partial(_without_sum, added_to=GAMMA), GAMMA),
    Kind(_without_bow, 0.0),
)
"""Something added to levels (brightness, contrast and gamma, set by somebody or by the camera itself); to the light
that makes them (a veil over the lens); to the logarithm of their odds (contrast raised in the middle of levels, and
lowered towards both ends)."""


@dataclass(frozen=True, eq=False)
class Curve:
    """A curve by which levels are written. The highest level stays what it is: light of another strength is told
    elsewhere."""

    kind: Kind
    added: float
    power: float

    def back(self, levels: Floats, _at: Floats) -> Floats:
        """Gets what levels (N x 3) were, wherever they are seen."""
        return np.asarray(np.interp(levels, np.arange(HIGHEST + 1.0), self._were))

    @property
    def darkest(self) -> float:
        """The level to which it brings back what was written as none, and may have been anything darker."""
        return float(self._were[0])

    def undone(self, picture: Picture) -> Picture:
        """Gets a picture (H x W x 3) with the levels that would have been written."""
        return np.asarray(cv2.LUT(picture, np.rint(self._were).astype(np.uint8)), dtype=np.uint8)

    @cached_property
    def _were(self) -> Floats:
        were = self.kind.were(_shares(np.arange(HIGHEST + 1.0)), self.added, self.power)
        return np.asarray(were / were[-1] * HIGHEST)


def curves_told(now: Floats, before: Floats) -> list[Curve]:
    """Gets the curve of each kind that explains best what has become of levels (N x 3, all between none and the
    highest), beside light of another strength and colour. Some may be of places that are covered."""
    thinned = slice(None, None, max(len(now) // PLACES, 1))
    return [_Search(kind, _shares(now[thinned]), before[thinned] + DARK_OFFSET).curve() for kind in KINDS]


@dataclass(frozen=True, eq=False)
class _Search:
    """How a curve is looked for. Its parameters: what is left of each channel's light (3, logarithm), how much was
    added, and the power (logarithm)."""

    kind: Kind
    shares: Floats
    before: Floats

    def curve(self) -> Curve:
        """Gets the best one from any start."""
        roughly, *closer = WITHIN
        values = min((self._better(self._start(start), roughly) for start in STARTS), key=self._missed)
        for within in closer:
            values = self._better(values, within)
        return Curve(self.kind, float(values[3]), float(np.exp(values[4])))

    def _start(self, start: float) -> Floats:
        added = start * np.quantile(self.shares, DARK) ** self.kind.added_to
        were = HIGHEST * self.kind.were(self.shares, added, 1.0)
        return np.array([*np.log(np.median(self.before / (were + DARK_OFFSET), axis=0)), added, 0.0])

    def _better(self, values: Floats, within: float) -> Floats:
        return least_squares(partial(self._misfit, within=within), values, STEPS, DAMPING, ROUNDS, TRIES)

    def _missed(self, values: Floats) -> float:
        return float(np.square(self._misfit(values, WITHIN[0])).sum())

    def _misfit(self, values: Floats, within: float) -> Floats:
        far_off = np.ones(self.shares.size)
        if abs(values[4]) > np.log(POWER):
            return far_off
        were = self.kind.were(self.shares, values[3], np.exp(values[4]))
        if np.count_nonzero(were) < LEFT * were.size:
            return far_off
        roots = np.sqrt(HIGHEST * np.exp(values[:3]) * were + DARK_OFFSET)
        off = (roots - np.sqrt(self.before)).ravel() / within
        return np.asarray(off / np.sqrt(1 + off**2))  # Geman and McClure, 1985


def _shares(levels: Floats) -> Floats:
    """Gets levels in parts of the highest, none of them quite none or all of it."""
    return np.asarray((levels + 0.5) / (HIGHEST + 1))
