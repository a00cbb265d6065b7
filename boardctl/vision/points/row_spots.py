"""Where the checkers of a point seem to lie: along it, and aside of its middle line."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import isnan

import numpy as np
from numpy.typing import NDArray

from boardctl.vision.points.columns import CHECKER_PX, SLOTS
from boardctl.vision.points.covered import Stretch, columns_off_px, stretches

Bools = NDArray[np.bool_]

LEAST_OFF, BETWEEN_FROM, BETWEEN_TO = 0.15, 0.38, 0.54
"""How far off the middle line, in widths of a point, a checker is read anew, and from where to where it lies between
this point and the next: up to the half, and a pixel; beyond it lies nearer to the next, and is found there."""

ALOOF_PX = 12
"""What lies by itself, half a checker from where it should, may be dice."""

LEAST_ALONG_PX = 4
"""How far from where it should a row begins that is read anew: a sixth of a checker."""


@dataclass(frozen=True, slots=True)
class Spot:
    """Where a checker seems to lie: ``along_px`` from the edge its stretch begins, of which it is number ``place``;
    ``off_px`` to the right of the middle line it lies. ``stretch``: where that is in the strip; ``on_bar``: whether it
    rather lies on a bar as low as the field, though it touches a row of its seat."""

    along_px: int
    place: int
    off_px: float
    stretch: Stretch
    on_bar: bool = False

    @property
    def slots(self) -> list[int]:
        """The slots in which the checker is seen."""
        along = self.along_px / CHECKER_PX + self.place
        return sorted({min(SLOTS - 1, max(0, int(along + part))) for part in (0.1, 0.9)})

    def away_px(self, slot: int) -> int:
        """Gets how much further from the edge the checker lies than that of a slot should."""
        return self.along_px + (self.place - slot) * CHECKER_PX

    def is_in(self, slot: int) -> bool:
        """Whether the checker lies where that of a slot should."""
        return abs(self.away_px(slot)) < LEAST_ALONG_PX and self.off_px == 0


def every_spot(mask: Bools, edge_px: int, pitch_px: float) -> list[Spot]:
    """Gets where checkers seem to lie in a strip by what of it has changed (``mask``: length x width), the nearest to
    the edge first. Rows begin ``edge_px`` from the strip's end, and points are ``pitch_px`` apart."""
    spots: list[Spot] = []
    for stretch in stretches(mask):
        if len(spots) + stretch.checkers > SLOTS:
            break
        for place in range(stretch.checkers):
            off_px = columns_off_px(mask, stretch.middle_of(place))
            near = isnan(off_px) or abs(off_px) < LEAST_OFF * pitch_px
            spots.append(Spot(stretch.first - edge_px, place, 0.0 if near else off_px, stretch))
    return spots


def own_spots(spots: Sequence[Spot], pitch_px: float) -> list[Spot]:
    """Gets those of a strip's spots that may be its point's: none where the first is the next point's."""
    own = [spot for spot in spots if abs(spot.off_px) <= BETWEEN_TO * pitch_px]
    return own if own and own[0] is spots[0] else []
