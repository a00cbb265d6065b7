"""Whose checker lies on top in each slot of a strip, told by its colour: for more than two seats, and for mixed points.

The column network tells whether something lies in a slot and how high. It was trained on points of one seat each; where
checkers of several seats lie in one row, or of seats it has never seen, the colour of each slot's own middle is asked.
"""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from boardctl.rules import Seat
from boardctl.vision.points.columns import CHECKER_PX, SLOTS, STRIP_LENGTH, STRIP_WIDTH, TOP_SHARE
from boardctl.vision.points.seat_palette import SeatPalette

Floats = NDArray[np.float64]

INDEPENDENT_PIXELS = 2.0
"""How many independent samples of a checker's colour its picture is worth: its pixels share dish, gloss and shadow, so
that some hundred of them say little more than a rim and a middle."""

LEAST_COLOUR = 0.002
"""The least likelihood of a colour. One in five hundred is left for a checker whose light nobody has seen before."""


@dataclass(frozen=True)
class Colours:
    """The palettes of all seats of a game: for each pair of seats one, in the order of the seats."""

    seats: tuple[Seat, ...]
    palettes: tuple[SeatPalette, ...]

    def likeness(self, strips: NDArray[np.uint8]) -> Floats:
        """Gets how much more like checkers of each seat than like the board strips are (N x length x width x S)."""
        return np.concatenate([palette.likeness(strips) for palette in self.palettes], axis=-1).astype(np.float64)

    def merged(self) -> SeatPalette:
        """Gets the palette by which the network tells two kinds of checkers: the first of each pair, or the second."""
        return SeatPalette(np.max([palette.ratios for palette in self.palettes], axis=0))


def colour_chances(strips: NDArray[np.uint8], colours: Colours) -> Floats:
    """Gets how likely the checker in each slot, if there is one, is each seat's (N x S x slots)."""
    weights = _slot_weights()
    likeness = colours.likeness(strips)
    means = np.einsum("nlws,klw->nsk", likeness, weights)
    exponents = np.exp(INDEPENDENT_PIXELS * (means - means.max(axis=1, keepdims=True)))
    shares = exponents / exponents.sum(axis=1, keepdims=True)
    count = shares.shape[1]
    return np.asarray(LEAST_COLOUR + (1 - count * LEAST_COLOUR) * shares, dtype=np.float64)


@lru_cache(maxsize=1)
def _slot_weights() -> Floats:
    """Gets for each slot which pixels of a strip are surely its checker's top (slots x length x width), adding to 1."""
    rows, columns = np.mgrid[0:STRIP_LENGTH, 0:STRIP_WIDTH]
    weights = np.zeros((SLOTS, STRIP_LENGTH, STRIP_WIDTH))
    for slot in range(SLOTS):
        middle = (slot + 0.5) * CHECKER_PX - 0.5
        inside = np.hypot(rows - middle, columns - (STRIP_WIDTH - 1) / 2) < TOP_SHARE * CHECKER_PX
        weights[slot] = inside / inside.sum()
    return weights
