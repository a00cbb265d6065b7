"""What the look for dice leaves to the next frame: where nothing has changed since, nothing is looked at anew.

A place counts as changed against how it looked when it was last looked at, not against the frame before: what changes
slowly is noticed, too. And everything is looked at again in turn, so that no mistake of this lasts.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from boardctl.vision.column_input import ROOTS
from boardctl.vision.dice_networks import scan_cells
from boardctl.vision.dice_scan import CELL_PX, Picture, ScanFrame, scan_input

Floats = NDArray[np.float32]
Box = tuple[slice, slice]
Key = tuple[float, float, float, bool]
"""A look: x and y in millimetres, the assumed width of the die, mirrored or not."""

CHANGED = 0.6
"""Change of a cell's mean colour (root scale) from which it is scanned anew, if one beside it has changed as much: a
die covers four cells and more, and a single pip that goes from a white die changes one by 0.7."""

CONTEXT_CELLS = 7
"""What the scan's network says of a cell depends on the cells so far around it."""

TOUCHED_CELLS = 4
"""Cells so far from a change are scanned anew with it: beyond, it makes no difference that counts to the network."""

ALL_CELLS = 0.9
"""Share of the scan from which on it is scanned in one piece."""

RENEWED_CELLS = 8
"""Each frame a square of so many cells is scanned anew whether it has changed or not; all of them in some ten seconds
of 15 frames each."""

LOOK_CELLS = 4
"""A patch reaches so many cells from its middle to its corners."""

LOOK_LASTS = 15
"""So many frames what was seen of a die counts, where nothing has changed."""


@dataclass(frozen=True)
class ScanSeen:
    """What the scan's network said of a rectified window (4 x h x w cells), and how each cell looked (h x w x 3, root
    scale) when it was asked."""

    frame: ScanFrame
    means: Floats
    cells: Floats


@dataclass(frozen=True)
class DiceMemory:
    """What a frame leaves to the next one: its scan, and what looks at places gave, with their age in frames."""

    scan: ScanSeen
    looks: Mapping[Key, tuple[NDArray[np.float32], int]]
    frames: int = 0


@dataclass
class Looks:
    """What looks at places gave, of the frames before and of this one. Remembers which of them were of use."""

    before: Mapping[Key, tuple[NDArray[np.float32], int]] = field(default_factory=dict)
    used: dict[Key, tuple[NDArray[np.float32], int]] = field(default_factory=dict)

    def get(self, key: Key) -> NDArray[np.float32] | None:
        """Gets what was seen at a place, if it was looked at in this way."""
        found = self.used.get(key) or self.before.get(key)
        if found is None:
            return None
        self.used[key] = found
        return found[0]

    def put(self, key: Key, output: NDArray[np.float32]) -> None:
        """Keeps what was seen at a place."""
        self.used[key] = output, 0

    def kept(self) -> dict[Key, tuple[NDArray[np.float32], int]]:
        """Gets what the next frame may use: those of use in this one, a frame older."""
        return {key: (output, age + 1) for key, (output, age) in self.used.items() if age + 1 < LOOK_LASTS}


def cell_means(scan: Picture) -> Floats:
    """Gets the mean colours of a scan's cells (h x w x 3, root scale)."""
    size = (scan.shape[1] // CELL_PX, scan.shape[0] // CELL_PX)
    return np.asarray(ROOTS[cv2.resize(scan, size, interpolation=cv2.INTER_AREA)], dtype=np.float32)


def scan_all(scan: Picture, frame: ScanFrame) -> ScanSeen:
    """Gets what the network says of a whole scan."""
    return ScanSeen(frame, cell_means(scan), scan_cells(scan_input(scan)))


def scan_changes(scan: Picture, before: ScanSeen, frames: int) -> tuple[ScanSeen, NDArray[np.bool_]]:
    """Gets what the network says of a scan, asked only of what has changed, and which cells (h x w) have.

    ``before``: a scan of the same frame; ``frames``: how many frames were read, which tells whose turn it is.
    """
    means = cell_means(scan)
    above = (np.abs(means - before.means).max(axis=-1) > CHANGED).astype(np.float32)
    changed = (above > 0) & (cv2.blur(above, (3, 3), borderType=cv2.BORDER_CONSTANT) > 1.5 / 9)
    cells, kept = before.cells.copy(), before.means.copy()
    turn = _turn(frames, (changed.shape[0], changed.shape[1]))
    kept[changed] = means[changed]
    kept[turn] = means[turn]
    around = cv2.dilate(changed.astype(np.uint8), np.ones((2 * TOUCHED_CELLS + 1,) * 2, np.uint8))
    _, _, boxes, _ = cv2.connectedComponentsWithStats(around, connectivity=8)
    boxes = boxes[1:]
    if (boxes[:, 2:4] + 2 * CONTEXT_CELLS).prod(axis=1).sum() > ALL_CELLS * changed.size:
        return ScanSeen(before.frame, means, scan_cells(scan_input(scan))), changed
    for left, top, width, height, _ in boxes.tolist():
        _rescan(scan, cells, (slice(top, top + height), slice(left, left + width)))
    _rescan(scan, cells, turn)
    return ScanSeen(before.frame, kept, cells), np.asarray(changed, dtype=np.bool_)


def _rescan(scan: Picture, cells: Floats, box: Box) -> None:
    """Puts into ``cells`` what the network says of those in a box, with what is around it in view."""
    first = [max(side.start - CONTEXT_CELLS, 0) for side in box]
    down, across = (
        slice(start * CELL_PX, (side.stop + CONTEXT_CELLS) * CELL_PX) for start, side in zip(first, box, strict=True)
    )
    said = scan_cells(scan_input(scan[down, across]))
    rows, columns = (slice(side.start - start, side.stop - start) for start, side in zip(first, box, strict=True))
    cells[:, box[0], box[1]] = said[:, rows, columns]


def _turn(frames: int, shape: tuple[int, int]) -> Box:
    """Gets the rows and columns of the cells whose turn it is to be scanned anew."""
    down, across = (-(-size // RENEWED_CELLS) for size in shape)
    turn = divmod(frames % (down * across), across)
    rows, columns = (
        slice(index * RENEWED_CELLS, min((index + 1) * RENEWED_CELLS, size))
        for index, size in zip(turn, shape, strict=True)
    )
    return rows, columns


def looks_left(memory: DiceMemory, changed: NDArray[np.bool_]) -> dict[Key, tuple[NDArray[np.float32], int]]:
    """Gets the looks at places around which no cell has changed."""
    near = cv2.dilate(changed.astype(np.uint8), np.ones((2 * LOOK_CELLS + 1,) * 2, np.uint8))
    left = {}
    for key, look in memory.looks.items():
        x, y = memory.scan.frame.to_pixels(np.array([key[:2]]))[0] // CELL_PX
        row, column = int(np.clip(y, 0, near.shape[0] - 1)), int(np.clip(x, 0, near.shape[1] - 1))
        if not near[row, column]:
            left[key] = look
    return left
