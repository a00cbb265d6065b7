"""How large the dice in play are: what is believed of it, and how each die that is seen adds to that.

A calibration sees no dice, and dice of 10 to 20 mm are played with on boards of one size. The closer look tells
of each die by how much it is larger or smaller than was assumed. All dice of a game are of one size: their likelihoods
multiply.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from math import hypot, log

import numpy as np
from numpy.typing import NDArray

from calibration import BoardGeometry

XY = tuple[float, float]

LEAST_MM, MOST_MM, STEP = 8.5, 22.0, 0.02
"""The sizes that are told apart: all dice sold for backgammon, and some more; a fiftieth from each to the next."""
LOGS: NDArray[np.float64] = np.arange(log(LEAST_MM), log(MOST_MM), STEP)
ASSUMED_SPREAD = 0.2
"""How far dice are from the common size before any is seen (standard deviation of the logarithm): 11 to 16.5 mm."""
GIVEN_SPREAD = 0.03
"""The same for a size that somebody measured by ruler: half a millimetre."""
ONE_DIE_SPREAD = 0.06
"""How far what is seen of one die is from its size (standard deviation of the logarithm)."""
ASTRAY = 0.05
"""Share of what is taken for dice that tells nothing: half-hidden dice, things that are none."""
SETTLED_SPREAD = 0.035
"""The size is settled when it is known to about a thirtieth: after three or four dice."""
KEPT = 0.97
"""How much of what was seen stays with each new die: about thirty dice are remembered, so that a set may be changed."""
SAME_DIE_MM = 4.0
"""A die within this of where one was counted is that die: it lies still, and tells nothing new."""
SCAN_STEP = 0.15
"""The scan is made for sizes this far apart (logarithm): its network was shown dice a third larger and smaller."""


@dataclass(frozen=True)
class DieSize:
    """What is believed of the width of the dice.

    ``log_likelihoods``: one of each of ``LOGS``. ``counted_mm``: where the dice lie that have added to it.
    """

    log_likelihoods: tuple[float, ...]
    counted_mm: tuple[XY, ...] = ()

    @classmethod
    def around(cls, mm: float, is_given: bool) -> "DieSize":
        """Gets what is believed before any die was seen; ``is_given``: somebody has measured it."""
        spread = GIVEN_SPREAD if is_given else ASSUMED_SPREAD
        return cls(tuple((-np.square((LOGS - log(mm)) / spread) / 2).tolist()))

    @cached_property
    def _moments(self) -> tuple[float, float]:
        values = np.array(self.log_likelihoods)
        weights = np.exp(values - values.max())
        weights /= weights.sum()
        mean = float(weights @ LOGS)
        return mean, float(np.sqrt(weights @ np.square(LOGS - mean)))

    @property
    def mm(self) -> float:
        """The width that is believed in, in calibrated millimetres: one of those that are told apart."""
        return float(np.exp(round(self._moments[0] / STEP) * STEP))

    @property
    def spread(self) -> float:
        """How unsure that is: the standard deviation of its logarithm, so that 0.1 means a tenth."""
        return self._moments[1]

    @property
    def is_settled(self) -> bool:
        """Whether the width is known well enough that one look at a die is enough."""
        return self.spread <= SETTLED_SPREAD

    def scan_mm(self, assumed_mm: float) -> float:
        """Gets the width that the scan is made for, one of a few around the assumed one.

        While the width is open it is one on the small side: the scan misses small dice before it misses large ones.
        """
        mean, spread = self._moments
        return assumed_mm * float(np.exp(SCAN_STEP * round((mean - spread / 2 - log(assumed_mm)) / SCAN_STEP)))

    def after(self, seen: Iterable[tuple[XY, float]]) -> "DieSize":
        """Gets what is believed after a frame in which dice were ``seen``: where, and how wide each looked (mm)."""
        values = np.array(self.log_likelihoods)
        spots: list[XY] = []
        for spot, mm in seen:
            spots.append(spot)
            if any(hypot(spot[0] - x, spot[1] - y) < SAME_DIE_MM for x, y in self.counted_mm):
                continue
            off = (LOGS - log(mm)) / ONE_DIE_SPREAD
            likely = (1 - ASTRAY) * np.exp(-np.square(off) / 2) + ASTRAY
            values = KEPT * values + np.log(likely)
        return DieSize(tuple((values - values.max()).tolist()), tuple(spots))


def sized(geometry: BoardGeometry, die_mm: float) -> BoardGeometry:
    """Gets the same board with dice of another width."""
    return replace(geometry, die_size_mm=die_mm)
