"""Points of the very colour of a seat's checkers: red ones on a red point, of which but the rim can be seen.

The network tells such points bare nearly as surely as any, and overlooks a checker there now and then; and such a
checker changes least of all. Where the board is so is known from the calibration: by how checkers looked at the start,
and what the empty board is like below.
"""

from collections.abc import Callable
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from boardctl.vision.points.column_input import BLOCK_PX, block_roots
from boardctl.vision.points.columns import CHECKER_PX, SLOTS, ReferenceStrips
from boardctl.vision.points.seat_palette import SEATS
from calibration.channels import strongest
from calibration.installation import INSTALLATIONS_KEPT
from calibration.starting_position import STARTING_STACKS

Floats = NDArray[np.float32]

ALIKE = 0.45
"""Difference (root scale, in terms of :attr:`ReferenceStrips.larger`) of a checker from what is below it up to which it
may be overlooked. Of 13,971 visible points of 16 sets of boards that were told bare nine held a checker; seven of these
differed by less than 0.35, one with 0.999; of some 25,000 of boards drawn with ten options at once nine did, six of
which differed by 0.13 to 0.41, one with 0.997 (``docs/accuracy/boards.md``)."""

BARE_OF_ITS_COLOUR = 0.95
"""Most that is told of such a point when something has changed on it and the network sees no checker. Of 226 that were
told bare then, on seven sets, six held one."""

MIDDLE = slice(CHECKER_PX // BLOCK_PX // 2 - 1, CHECKER_PX // BLOCK_PX // 2 + 1)
"""The blocks in the middle of a slot, along its strip; across, too, as there are as many."""


AROUND = slice(MIDDLE.start - 1, MIDDLE.stop + 1)
"""The blocks of which those outside are around what is inlaid in a checker's middle, and within its rim."""


def middles(blocks: Floats) -> Floats:
    """Gets the colours in the middles of slots (N x slots x 3, root scale) of strips' blocks, as
    :func:`~boardctl.vision.points.column_input.block_roots` gives them."""
    return np.asarray(_slots(blocks)[:, :, MIDDLE, MIDDLE].mean(axis=(2, 3)), dtype=np.float32)


def around_middles(blocks: Floats) -> Floats:
    """Gets the same around the middles of slots: the middle one of each channel."""
    return np.asarray(np.median(_around(blocks), axis=2), dtype=np.float32)


def least_lit(blocks: Floats) -> Floats:
    """Gets the same of the darkest quarter of what is around the middles of slots: the side away from a lamp."""
    around = _around(blocks)
    darkest = np.argpartition(around.min(axis=3), around.shape[2] // 4, axis=2)[:, :, : around.shape[2] // 4]
    return np.asarray(np.take_along_axis(around, darkest[..., None], axis=2).mean(axis=2), dtype=np.float32)


def _around(blocks: Floats) -> Floats:
    """Gets the blocks around the middles of slots (N x slots x 12 x 3)."""
    around = _slots(blocks)[:, :, AROUND, AROUND]
    rows = [around[:, :, row] for row in (0, -1)]
    columns = [around[:, :, 1:-1, column] for column in (0, -1)]
    return np.concatenate([*rows, *columns], axis=2)


def _slots(blocks: Floats) -> Floats:
    count, rows, columns, _ = blocks.shape
    return blocks.reshape(count, SLOTS, rows // SLOTS, columns, 3)


@lru_cache(maxsize=2 * INSTALLATIONS_KEPT)
def colours_at_start(reference: ReferenceStrips, part: Callable[[Floats], Floats] = middles) -> Floats:
    """Gets the colours of both seats' checkers in the starting position (2 x 4 x 3, root scale), of a ``part`` of each:
    the middle one of each row, as lamps shine on some and not on others. Infinite where there is no starting
    position."""
    if reference.start is None:
        return np.full((len(SEATS), 1, 3), np.inf, np.float32)
    colours = part(block_roots(reference.start))
    rows = [
        [np.median(colours[number - 1, :count], axis=0) for number, owner, count in STARTING_STACKS if owner is seat]
        for seat in SEATS
    ]
    return np.array(rows, dtype=np.float32)


@lru_cache(maxsize=INSTALLATIONS_KEPT)
def away_from_board(reference: ReferenceStrips) -> Floats:
    """Gets how far a checker of the seat that is more like it is, at the edge of each strip (N), from what is below it
    (root scale, in terms of :attr:`ReferenceStrips.larger`): its middle, or what is around it, as a spot that is inlaid
    in a checker alone is hardly noticed."""

    def away(part: Callable[[Floats], Floats]) -> Floats:
        below = part(block_roots(reference.empty))[:, 0]
        differing = strongest(np.abs(colours_at_start(reference, part)[:, :, None] - below))
        return np.asarray(differing.min(axis=(0, 1)) / reference.larger, dtype=np.float32)

    return np.minimum(away(middles), away(around_middles))
