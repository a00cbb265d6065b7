"""The bar of a board that has none: printed ones, and those that are rolled up or only folded.

Checkers on such a bar lie on the field, between the two points beside its middle line. The bar's strips show half of
those points' own checkers, too, and the network takes them for its own. But two checkers do not lie in one place: where
a row of a point is seen, there is no room for one on the bar.
"""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from boardctl.vision.columns import POINTS, STRIPS, slot_middles_mm
from boardctl.vision.strip_reading import HAND
from calibration import BoardGeometry
from calibration.installation import INSTALLATIONS_KEPT

Floats = NDArray[np.float64]

REACHES = (0.65, 0.6)
"""A point's checker is taken for one in a slot of the bar when their middles are so near (across the bar, along it; in
diameters): one that is further aside is seen to lie beside the bar, one further on, with some room for rows that do not
lie quite at the edge, in the next slot."""

TAKES_ROOM = 0.97
"""How surely a row leaves no room: three times in a hundred somebody is taken to lay a checker half upon it."""

UNSEEN = 0.1
"""How often one more checker lies on such a bar than is seen: in the very middle of the board, where the bar's strips
do not reach, or beside a full row, which leaves it no room. In 51 pictures of drawn boards it was so in five."""

_POSSIBLE = (1e-6, 1 - 1e-6)
"""Likelihoods that have a finite logarithm of their odds."""


def unseen_on(geometry: BoardGeometry) -> float:
    """Gets how likely one more checker of a seat lies on the bar than its strips show."""
    return 0.0 if geometry.bar_height_mm else UNSEEN


def bar_logits(logits: Floats, geometry: BoardGeometry) -> Floats:
    """Gets the network's numbers of the bar's strips (2 x 8 x 7) of those of all (26 x 8 x 7): on a bar that is as low
    as the field, a slot holds nothing as likely as a row of a point lies there."""
    bars = logits[POINTS:]
    if geometry.bar_height_mm:
        return bars
    lying = logits[:, :HAND]
    exponents = np.exp(lying - lying.max(axis=1, keepdims=True))
    held = 1 - exponents[:, 0] / exponents.sum(axis=1)
    rows = np.cumprod(held[:POINTS], axis=1)  # a row lies without a gap from the edge on
    taken = (rows * _in_the_way(geometry)).max(axis=-1)
    room = (1 - TAKES_ROOM * taken).prod(axis=-1)
    still_held = np.clip(held[POINTS:] * room, *_POSSIBLE)
    freed = bars.copy()
    checkers = exponents[POINTS:, 1:].sum(axis=1)
    freed[:, 0] = lying[POINTS:].max(axis=1) + np.log(checkers * (1 - still_held) / still_held)
    return freed


@lru_cache(maxsize=INSTALLATIONS_KEPT)
def _in_the_way(geometry: BoardGeometry) -> NDArray[np.bool_]:
    """Gets which slots of points leave no room for a checker in a slot of the bar (2 x bar slots x points x slots)."""
    middles = np.array([slot_middles_mm(geometry, strip) for strip in range(STRIPS)])
    apart = np.abs(middles[POINTS:, :, None, None] - middles[None, None, :POINTS])
    near = apart < np.array(REACHES) * geometry.checker_diameter_mm
    return np.asarray(near.all(axis=-1), dtype=np.bool_)
