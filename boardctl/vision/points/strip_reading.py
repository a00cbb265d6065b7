"""What the network says of strips: which of them it is asked about, how much of each it is shown, what is kept."""

from dataclasses import dataclass
from functools import lru_cache
from math import inf

import numpy as np
from numpy.typing import NDArray

from boardctl.vision.networks import said_by
from boardctl.vision.points.column_input import block_roots, column_input, empty_input, slot_changes, unlike
from boardctl.vision.points.columns import CHECKER_PX, POINTS, SLOTS, ReferenceStrips
from boardctl.vision.points.own_colour import away_from_board

Floats = NDArray[np.float64]

EMPTY_INPUT = "empty"
"""Name of the network's input for what is made of the empty board."""

LAYERS = 3
"""Checkers on top of each other that the network tells apart in one slot."""

HAND = 1 + 2 * LAYERS
"""The network's output that tells a hand; before it come nothing, one to three checkers of A, one to three of B."""

BARE_LOGITS = np.tile(np.array([12.0, *[0.0] * (2 * LAYERS), -12.0])[:, None], (1, SLOTS))
"""What the network would say of a strip that looks as on the empty board: such strips it is not asked about."""

NOTHING_IN_MIDDLE = np.tile(np.append(BARE_LOGITS[:, 0], 0.0), (POINTS, 1))
"""What is seen in the very middle of the board where no point's strip shows a checker there (24 x 9)."""

SHOWN_SLOTS = (2, 3, 4, 5, 6, SLOTS)
"""Lengths at which strips are shown to the network: the held slots and at least one more. What lies further on looks as
on the empty board."""

RENEWED = 13
"""So many frames a strip that seems unchanged is not looked at again, at most: each frame two of 26 take their turn, so
that what was changed too faintly to be noticed is read within a second."""


UNUSUAL = 1.6
"""Where the middle one of all blocks has changed so many times as much as in the starting position, in light or tones
that are a little other, in noise, below large hands, a checker that differs from its point by less than what then
counts as a change may look as that did. The network is then asked of all such points. Seven of 210 pictures of 22
boards are so, all with hands."""

LEAST_USUAL = 0.04
"""Change of the middle block that is usual anywhere (root scale): in a picture of almost no noise."""

ALL_OF_A_POINT = 5
"""Slots that it is then shown at least: as long as a point is."""


@dataclass(frozen=True)
class StripsSeen:
    """What the network said of strips, and how each looked when it was asked.

    ``blocks``: as :func:`~boardctl.vision.points.column_input.block_roots` gives them; ``logits`` (N x 8 x 7);
    ``looked_at`` (N): whether they do not look as on the empty board; ``asked`` (N): whether the network was asked in
    this frame; ``changed`` (N x slots): in which slots something plainly lies that did not on the empty board, whatever
    it is; ``middle`` (24 x 9): what the network says of a checker that a point's strip shows in the very middle of the
    board, and how far from it that lies towards B, in checkers; ``frames``: how many frames were read since the first.
    """

    blocks: NDArray[np.float32]
    logits: Floats
    looked_at: NDArray[np.bool_]
    asked: NDArray[np.bool_]
    changed: NDArray[np.bool_]
    middle: Floats
    frames: int = 0


def see_strips(
    strips: NDArray[np.uint8],
    reference: ReferenceStrips,
    before: StripsSeen | None = None,
    sure: NDArray[np.bool_] | bool = False,
    slots: int = SLOTS,
) -> StripsSeen:
    """Gets what the network says of strips (N x length x width x 3), asking it of none that look as on the empty board,
    but in an unusual picture of those on which a checker may look so.

    ``before``: what was seen in the frame before; of strips that have not changed since it is asked in turn only, and
    where what they hold was not ``sure`` (N). Where only changes in the first ``slots`` count, whole strips are shown
    to it, for what lies beyond may be anything.
    """
    blocks = block_roots(np.ascontiguousarray(strips[:, : slots * CHECKER_PX]))
    changes = slot_changes(blocks, _empty_blocks(reference, slots), reference.larger)
    lengths = changes.lengths
    if slots == SLOTS and changes.middle > UNUSUAL * _usual_change(reference):
        may_hide = away_from_board(reference) * reference.larger < changes.least
        lengths = np.where(may_hide, np.maximum(lengths, ALL_OF_A_POINT), lengths)
    looked_at = lengths > 0
    logits = np.tile(BARE_LOGITS, (len(strips), 1, 1))
    middle = NOTHING_IN_MIDDLE
    frames = 0
    asked = looked_at
    if before is not None:
        frames = before.frames + 1
        turn = np.arange(len(strips)) % RENEWED == frames % RENEWED
        kept = looked_at & before.looked_at & ~unlike(blocks, before.blocks, reference.larger) & ~turn & sure
        logits[kept] = before.logits[kept]
        blocks[kept] = before.blocks[kept]
        if slots == SLOTS:
            middle = np.where(kept[:POINTS, None], before.middle, middle)
        asked = looked_at & ~kept
    chosen = np.flatnonzero(asked)
    if len(chosen):
        logits[chosen] = slot_logits(strips, reference, chosen, lengths[chosen] if slots == SLOTS else None)
    return StripsSeen(blocks, logits, looked_at, asked, changes.plain, middle, frames)


@lru_cache(maxsize=32)
def _empty_blocks(reference: ReferenceStrips, slots: int) -> NDArray[np.float32]:
    """Gets the blocks of the first slots of the empty board's strips."""
    return block_roots(np.ascontiguousarray(reference.empty[:, : slots * CHECKER_PX]))


@lru_cache(maxsize=32)
def _usual_change(reference: ReferenceStrips) -> float:
    """Gets by how much the middle one of all blocks changes from the empty board to the starting position."""
    if reference.start is None:
        return inf
    changes = slot_changes(block_roots(reference.start), _empty_blocks(reference, SLOTS), reference.larger)
    return max(changes.middle, LEAST_USUAL)


def slot_logits(
    strips: NDArray[np.uint8],
    reference: ReferenceStrips,
    chosen: NDArray[np.intp],
    lengths: NDArray[np.intp] | None = None,
) -> Floats:
    """Gets the network's numbers (N x 8 x 7) for the chosen ones of some strips (M x length x width x 3).

    ``lengths``: how many slots of each chosen strip reach to the last that does not look as on the empty board.
    """
    logits = np.tile(BARE_LOGITS, (len(chosen), 1, 1))
    held = [SLOTS] * len(chosen) if lengths is None else lengths.tolist()
    shown = [min(max(length + 1, SHOWN_SLOTS[0]), SLOTS) for length in held]
    own = [strips[strip, : slots * CHECKER_PX] for strip, slots in zip(chosen.tolist(), shown, strict=True)]
    values, made = column_input(own, reference.palette), _made_of_empty(reference)
    end = 0
    for row, (strip, slots) in enumerate(zip(chosen.tolist(), shown, strict=True)):
        start, end = end, end + slots * CHECKER_PX
        # The network's first layer halves the strips; none of what it makes of one row depends on those two further on.
        empty = made[strip : strip + 1, :, : slots * CHECKER_PX // 2]
        logits[row, :, :slots] = said_by(
            reference.network.file, values[:, :, start:end], slots, **{EMPTY_INPUT: empty}
        )[0]
    return logits


@lru_cache(maxsize=32)
def _made_of_empty(reference: ReferenceStrips) -> NDArray[np.float32]:
    """Gets what the network's first layer makes of the empty board's strips (N x 16 x length/2 x width/2)."""
    shown = empty_input(reference)
    return np.concatenate([said_by(reference.network.empty_file, strip[None], shown.shape[2]) for strip in shown])


def likelier_seat(logits: Floats) -> int:
    """Gets whose checker a slot (8 numbers) rather holds, by its number."""
    return int(logits[1:HAND].argmax()) // LAYERS
