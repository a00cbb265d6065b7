"""Points of the very colour of a seat's checkers: red ones on a red point, of which but the rim can be seen.

The network tells such points bare nearly as surely as any, and overlooks a checker there now and then. Where the board
is so is known from the calibration: by how checkers looked at the start, and what the empty board is like below.
"""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from boardctl.vision.column_input import block_roots
from boardctl.vision.columns import ReferenceStrips
from boardctl.vision.whose_colour import colours_at_start, middles
from calibration import Calibration
from calibration.installation import INSTALLATIONS_KEPT

ALIKE = 0.35
"""Difference (root scale, in terms of :attr:`ReferenceStrips.larger`) of a checker from what is below it up to which it
may be overlooked. Of 13,971 visible points of 16 sets of boards that were told bare nine held a checker; seven of these
differed by less, one with 0.999 (``docs/accuracy/boards.md``)."""

BARE_OF_ITS_COLOUR = 0.95
"""Most that is told of such a point when something has changed on it and the network sees no checker. Of 226 that were
told bare then, on seven sets, six held one."""


@lru_cache(maxsize=INSTALLATIONS_KEPT)
def of_own_colour(calibration: Calibration, reference: ReferenceStrips) -> NDArray[np.bool_]:
    """Gets on which strips (26) a checker of either seat that lies at the edge looks as what is below it."""
    below = middles(block_roots(reference.empty))[:, 0]
    away = np.abs(colours_at_start(calibration, reference)[:, :, None] - below).max(axis=-1)
    return np.asarray(away.min(axis=(0, 1)) < ALIKE * reference.larger)
