"""What the column network is shown of a strip."""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from boardctl.vision.points.columns import CHECKER_PX, ReferenceStrips
from boardctl.vision.points.seat_palette import SeatPalette
from calibration.difference import DARK_OFFSET

Floats = NDArray[np.float32]

CHANNELS = 5
"""Three of the strip, likeness to both seats."""

ROOTS = np.sqrt(np.arange(256) + DARK_OFFSET).astype(np.float32)

ROOT_OF_LEVEL = ((np.sqrt(np.arange(256) + DARK_OFFSET) - 9.0) / 4.0).astype(np.float32)
"""Grey levels on the root scale, brought to about -1.5 to 1.8."""

LEANING_PX = 4.0
"""A leaning that counts as one: a checker's height seen under thirty degrees."""


BLOCK_PX = 4
"""Strips are compared with the empty board in blocks of so many pixels, a sixth of a checker: over them noise goes."""

QUIET = 0.6
"""Change of a block (root scale) from which a strip is looked at: half of the least that any checker makes, be it of
the colour of its point, as its rim and shadow change at least six blocks by 1.1."""

NOISY = 0.9
"""The same in a picture so noisy that QUIET would be found everywhere: twice the median change, but no more than this,
which still is less than any checker makes."""

ABOVE_NOISE, ABOVE_LARGER_NOISE = 2.0, 2.5
"""So many times the median change; and in pictures made brighter, in which twice the noise is found nearly everywhere,
as QUIET no longer lies above it."""

QUIET_BLOCKS = 5
"""So many blocks may change more without being a checker, which covers about thirty: edges, when the camera shakes."""

FAINT_BLOCKS = 1
"""The same for one slot, in which a checker's end may be all that is seen."""

FAINT, FAINT_NOISE, FAINT_MANY = 0.2, 2.0, 14
"""Change of so many blocks of one slot, two in five, of which each may be edge or noise and all together are not: a
white checker on white, a red one on red, a black one on black. At least so many times the median change."""

PLAINLY_MANY, PLAINLY_FAINT = 14, 20
"""Blocks of a slot that have changed where something lies there: of 36. A checker of the very colour of its field shows
little but its rim."""

SAME = 0.5
"""Change of a block (root scale) since a strip was last looked at, up to which the strip is still the same: of 620
changes between two pictures, second layers among them, the least was 1.0. All but ``SAME_BLOCKS`` must be within it."""

SAME_BLOCKS = 1


MOST_UNEVEN = 0.035
"""By how much the light may differ (share, root scale) where a picture's was not brought to the empty board's: a little
more than what is mistaken for a change of light is there (:data:`calibration.drift.LIGHT_CHANGED`)."""

SOME = 3
"""Every third block tells the light as well as all do."""

WHOLE_BOARD = 18
"""Strips from which on most blocks show bare parts of the board, and so tell the light."""


def changed_strips(strips: NDArray[np.uint8], empty: NDArray[np.uint8]) -> NDArray[np.intp]:
    """Gets the indices of the strips (N x length x width x 3) that do not look as on the empty board."""
    blocks, reference = block_roots(strips), block_roots(empty)
    changes = _changes(_in_light_of(blocks, reference), reference)
    many = _above(changes.reshape(len(changes), 1, -1), _least_change(_median(changes)))
    return np.flatnonzero(many[:, 0] > QUIET_BLOCKS)


@dataclass(frozen=True)
class SlotChanges:
    """How strips differ from the empty board's: how many blocks of each slot do plainly (``many``) and faintly, by more
    than all do (``faint``; both N x slots), by how much the ``middle`` one of all does, and from how much on one does
    plainly (``least``; both root scale)."""

    many: NDArray[np.int32]
    faint: NDArray[np.int32]
    middle: float
    least: float

    @property
    def lengths(self) -> NDArray[np.intp]:
        """How many slots of each strip from the edge on reach to the last one that does not look as on the empty board;
        0 where the strip looks as there."""
        faint = self.faint >= FAINT_MANY
        seen = (self.many > FAINT_BLOCKS) | faint
        lengths = np.where(seen, np.arange(1, seen.shape[1] + 1), 0).max(axis=1)
        return np.where((self.many.sum(axis=1) > QUIET_BLOCKS) | faint.any(axis=1), lengths, 0)

    @property
    def plain(self) -> NDArray[np.bool_]:
        """In which slots something lies, whatever it is (N x slots)."""
        return (self.many >= PLAINLY_MANY) & (self.faint >= PLAINLY_FAINT)


def slot_changes(blocks: Floats, empty: Floats, larger: float = 1.0) -> SlotChanges:
    """Gets how strips differ from the empty board's, both given by their blocks as by :func:`block_roots`.

    ``larger``: by how much changes are so because pictures were made brighter.
    """
    changes = _changes(_in_light_of(blocks, empty), empty)
    median = _median(changes)
    slots = changes.reshape(len(changes), -1, CHECKER_PX // BLOCK_PX * changes.shape[2])
    faint = _above(slots, max(FAINT, FAINT_NOISE * median))
    least = _least_change(median, larger)
    return SlotChanges(_above(slots, least), faint, median, least)


def unlike(blocks: Floats, others: Floats, larger: float = 1.0) -> NDArray[np.bool_]:
    """Gets which strips, given by their blocks, have changed since they looked like the others. ``larger``: as in
    :func:`slot_changes`."""
    changes = _changes(blocks, others)
    return np.asarray(_above(changes.reshape(len(changes), 1, -1), SAME * larger)[:, 0] > SAME_BLOCKS)


def block_roots(strips: NDArray[np.uint8]) -> Floats:
    """Gets the mean colours of the strips' blocks (N x rows x columns x 3, root scale), without those at the sides,
    where neighbours reach in."""
    count, length, width, _ = strips.shape
    size = (width // BLOCK_PX, count * length // BLOCK_PX)
    shrunk = cv2.resize(strips.reshape(count * length, width, 3), size, interpolation=cv2.INTER_AREA)
    roots = np.asarray(cv2.LUT(shrunk, ROOTS), dtype=np.float32)
    return np.ascontiguousarray(roots.reshape(count, length // BLOCK_PX, -1, 3)[:, :, 1:-1])


def _in_light_of(blocks: Floats, empty: Floats) -> Floats:
    """Gets blocks in the light of the empty board's, as far as light that is hardly another goes.

    A slight change of light all over the board would be taken for noise, and what is not more than that for nothing: a
    checker of the colour of its point.
    """
    if len(blocks) < WHOLE_BOARD:
        return blocks
    ratios = (blocks / empty).reshape(-1, 3)[::SOME]
    usual = np.partition(ratios, len(ratios) // 2, axis=0)[len(ratios) // 2]
    return np.asarray(blocks / np.clip(usual, 1 - MOST_UNEVEN, 1 + MOST_UNEVEN), dtype=np.float32)


def _changes(blocks: Floats, others: Floats) -> Floats:
    """Gets how much each block differs (N x rows x columns), the most of its channels."""
    blue, green, red = cv2.split(cv2.absdiff(blocks, others).reshape(-1, blocks.shape[2], 3))
    return np.asarray(cv2.max(cv2.max(blue, green), red), dtype=np.float32).reshape(blocks.shape[:3])


def _above(changes: Floats, least: float) -> NDArray[np.int32]:
    """Gets how many of the changes (N x M x K) are above a bound (N x M)."""
    count, parts, each = changes.shape
    above = (changes.reshape(-1, each) > np.float32(least)).view(np.uint8)
    return np.asarray(cv2.reduce(above, 1, cv2.REDUCE_SUM, dtype=cv2.CV_32S), dtype=np.int32).reshape(count, parts)


def _least_change(median: float, larger: float = 1.0) -> float:
    """Gets from which change on a block of pictures with such a median change does not look as before."""
    above = ABOVE_NOISE if larger == 1.0 else ABOVE_LARGER_NOISE
    return min(max(QUIET, above * median), NOISY * larger)


def _median(changes: Floats) -> float:
    return float(np.partition(changes, changes.size // 2, axis=None)[changes.size // 2])


def column_input(strips: Sequence[NDArray[np.uint8]], palette: SeatPalette) -> Floats:
    """Gets the network's input (1 x 5 x rows x width) for strips of one width (each rows x width x 3), one below the
    other; what is made of the empty board goes beside it."""
    rows = np.concatenate(strips)
    blob = np.empty((1, CHANNELS, *rows.shape[:2]), np.float32)
    planes = _planes(rows)
    for channel, plane in enumerate(planes):
        cv2.LUT(plane, ROOT_OF_LEVEL, dst=blob[0, channel])
    palette.likeness_of_planes(planes, blob[0, 3:])
    return blob


def empty_input(reference: ReferenceStrips) -> Floats:
    """Gets the empty board's strips and how far a second checker's top is displaced in them (N x 5 x length x width):
    of these the network makes what is the same in every picture."""
    shape = reference.empty.shape
    blob = np.empty((shape[0], CHANNELS, *shape[1:3]), np.float32)
    for channel, plane in enumerate(_planes(reference.empty)):
        blob[:, channel] = cv2.LUT(plane, ROOT_OF_LEVEL).reshape(shape[:3])
    blob[:, 3:] = (reference.leaning / LEANING_PX)[:, :, None, None]
    return blob


def _planes(strips: NDArray[np.uint8]) -> tuple[NDArray[np.uint8], ...]:
    """Gets blue, green and red of strips (... x width x 3) by themselves, as OpenCV works on fastest."""
    return tuple(np.asarray(plane, dtype=np.uint8) for plane in cv2.split(strips.reshape(-1, strips.shape[-2], 3)))
