"""What the look for dice leaves to the next frame: where nothing has changed since, nothing is looked at anew.

A place counts as changed against how it looked when it was last looked at, not against the frame before: what changes
slowly is noticed, too. And everything is looked at again in turn, so that no mistake of this lasts.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from math import hypot, inf, log

import cv2
import numpy as np
from numpy.typing import NDArray

from boardctl.vision.dice.networks import scan_cells
from boardctl.vision.dice.patch import Patch
from boardctl.vision.dice.scan import CELL_PX, Scan, ScanFrame, scan_input
from boardctl.vision.points.column_input import ROOTS

Floats = NDArray[np.float32]
Box = tuple[slice, slice]
XY = tuple[float, float]
Output = NDArray[np.float32]
Key = tuple[float, float, float, bool]
"""A look: x and y in millimetres, the assumed width of the die (below zero for its tilt), mirrored or not."""

BARE_KEY, FACE_KEY, CUP_KEY = 0.0, -1.0, -2.0
"""Instead of a die's width, where it is remembered whether a place is bare, how much it looks like a checker's face,
and what is seen around it. No die is so narrow."""

CHANGED = 0.6
"""Change of a cell's colour (root scale) from which it is scanned anew, if one beside it has changed as much: a
die covers four cells and more, and a single pip that goes from a white die changes one by 0.7."""

CONTEXT_CELLS = 5
"""What the scan's network says of a cell depends on the cells so far around it, and hardly on two more."""

TOUCHED_CELLS = 2
"""Cells so far from a change are scanned anew with it. Beyond, and beyond the context above, it makes little difference
to the network: of 2,373 places in 84 pictures none became less likely by 0.25, and none of those above 0.4 was lost."""

CELLS_A_CALL = 60
"""To ask the network at all takes it as long as so many cells."""

ALL_CELLS = 0.9
"""Share of the scan from which on it is scanned in one piece."""

RENEWED_CELLS = 8
"""Each frame a square of so many cells is scanned anew whether it has changed or not; all of them in some ten seconds
of 15 frames each. Not in a frame in which more than that must be scanned anyway: it takes long enough."""

LOOK_CELLS = 4
"""A patch reaches so many cells from its middle to its corners."""

LOOKS_AT_FIRST = 3
"""So many frames one after the other a place is looked at before its looks are left to last: until dice are told to lie
still. What is told of them then is what the mean of these patches shows, each with noise of its own."""

LOOK_LASTS, RENEWED_LOOKS = 15, 2
"""So many frames looks count then, where nothing has changed; after them so many looks a frame are made anew."""

MOST_TOGETHER = 8
"""A place is seen in about the mean of so many of its last patches: noise has gone to a third by then, and what changes
so slowly that no cell is seen to change is followed."""

SAME_SPOT_MM = 1.0
"""A place this near to one that was looked at is that one: what the scan says of where a die is scatters as much."""

SAME_WIDTH = 0.03
"""A die that seems wider or narrower by so much (logarithm) than when it was looked at looks the same: half of what
looks on purpose are apart in."""


@dataclass(frozen=True)
class ScanSeen:
    """What the scan's network said of a rectified window (4 x h x w cells), and how each cell looked at a glance (h x w
    x 3, root scale) when it was asked."""

    frame: ScanFrame
    looked: Floats
    cells: Floats


@dataclass(frozen=True, slots=True)
class Look:
    """What looks at one place gave: the mean of the patches that were cut there, and what is said of it; how many they
    were, and how many frames ago the last was cut. ``is_due``: it is time for one more."""

    patch: Patch
    said: Output
    count: int = 1
    age: int = 0
    is_due: bool = False

    def older(self) -> "Look":
        """Gets the look a frame later; in its first frames one more is due at once."""
        return replace(self, age=self.age + 1, is_due=self.count < LOOKS_AT_FIRST)


@dataclass(frozen=True)
class DiceMemory:
    """What a frame leaves to the next one: its scan, and what looks at places gave."""

    scan: ScanSeen
    looks: Mapping[Key, Look]
    frames: int = 0


@dataclass
class Looks:
    """What looks at places gave, of the frames before and of this one. Remembers which of them were of use."""

    before: Mapping[Key, Look] = field(default_factory=dict)
    used: dict[Key, Look] = field(default_factory=dict)

    def see(self, key: Key, cut: Callable[[], Patch], ask: Callable[[Patch], Output]) -> Output:
        """Gets what is said of a place, which is looked at again only when that is due: what ``ask`` says of the patch
        that ``cut`` makes, in the mean with those of the frames before."""
        found = self.used.get(key) or self.before.get(key)
        if found is None:
            patch = cut()
            found = Look(patch, ask(patch))
        elif found.is_due:
            count = min(found.count + 1, MOST_TOGETHER)
            mean = cv2.addWeighted(found.patch, 1 - 1 / count, cut(), 1 / count, 0, dtype=cv2.CV_32F).astype(np.float32)
            found = Look(mean, ask(mean), count)
        self.used[key] = found
        return found.said

    def near(self, spot_mm: XY, die_mm: float, mirrored: bool = False) -> XY:
        """Gets the place that was looked at in this way, for dice of a size, and is as good as this one; else this
        one."""
        return self.like((*spot_mm, die_mm, mirrored), 0.0)[:2]

    def like(self, key: Key, width_within: float = SAME_WIDTH) -> Key:
        """Gets the look of before, at about this place and at dice about so wide (logarithm), that is as good as this
        one; else this one."""
        x, y, mm, mirrored = key
        away = {
            other: hypot(other[0] - x, other[1] - y)
            for other in self.before
            if other[3] == mirrored and other[2] * mm > 0 and abs(log(other[2] / mm)) <= width_within
        }
        nearest = min(away, key=lambda other: away[other], default=key)
        return nearest if away.get(nearest, inf) < SAME_SPOT_MM else key

    def kept(self) -> dict[Key, Look]:
        """Gets what the next frame may use: what was of use in this one, a frame older; of what has lasted its time a
        few are due, those that were looked at longest ago."""
        kept = {key: look.older() for key, look in self.used.items()}
        lasted = sorted((key for key, look in kept.items() if look.age >= LOOK_LASTS), key=lambda key: kept[key].age)
        for key in lasted[-RENEWED_LOOKS:]:
            kept[key] = replace(kept[key], is_due=True)
        return kept


def cell_looks(scan: Scan) -> Floats:
    """Gets how a scan's cells look at a glance (h x w x 3, root scale)."""
    return np.asarray(cv2.LUT(scan.glance, ROOTS), dtype=np.float32)


def scan_all(scan: Scan) -> ScanSeen:
    """Gets what the network says of a whole scan."""
    return ScanSeen(scan.frame, cell_looks(scan), scan_cells(scan_input(scan.rectified())))


def scan_changes(
    scan: Scan, before: ScanSeen, frames: int, empty: ScanSeen | None = None
) -> tuple[ScanSeen, NDArray[np.bool_]]:
    """Gets what the network says of a scan, asked only of what has changed, and which cells (h x w) have.

    ``before``: a scan of the same frame; ``frames``: how many frames were read, which tells whose turn it is;
    ``empty``: a scan of the empty board with the same frame, whose cells hold where all around looks so again.
    """
    looks = cell_looks(scan)
    changed = _unlike(looks, before.looked)
    cells, kept = before.cells.copy(), before.looked.copy()
    turn = _turn(frames, (changed.shape[0], changed.shape[1]))
    cv2.copyTo(looks, changed.view(np.uint8), kept)
    touched = _widened(changed)
    if empty is not None:
        bare = touched & ~_widened(_unlike(looks, empty.looked))
        np.copyto(cells, empty.cells, where=bare)
        touched &= ~bare
    if np.count_nonzero(touched) <= RENEWED_CELLS**2:
        kept[turn] = looks[turn]
        touched[turn] = True
    _, _, boxes, _ = cv2.connectedComponentsWithStats(touched.astype(np.uint8), connectivity=8)
    corners = boxes[1:, :4] + np.pad(boxes[1:, :2], ((0, 0), (2, 0)))
    joined = _joined(corners.astype(np.intp))
    if _costs(joined).sum() > ALL_CELLS * changed.size:
        return ScanSeen(before.frame, looks, scan_cells(scan_input(scan.rectified()))), changed
    for left, top, right, bottom in joined.tolist():
        _rescan(scan, cells, (slice(top, bottom), slice(left, right)))
    return ScanSeen(before.frame, kept, cells), changed


def new_in_scan(seen: ScanSeen, empty: ScanSeen | None, least: float) -> Floats:
    """Gets what a scan says (4 x h x w cells), without dice where the empty board showed some, likelier than ``least``,
    and all around looks so at a glance: a checked cloth beside the board may show so many things that look like dice
    that no true one would be looked at."""
    if empty is None or empty.frame != seen.frame:
        return seen.cells
    shown = cv2.dilate((empty.cells[0] >= log(least / (1 - least))).astype(np.uint8), np.ones((3, 3), np.uint8)) > 0
    if not shown.any():
        return seen.cells
    cells = seen.cells.copy()
    cells[0, shown & ~_widened(_unlike(seen.looked, empty.looked))] = -inf
    return cells


def _unlike(looks: Floats, others: Floats) -> NDArray[np.bool_]:
    """Gets which cells (h x w) look otherwise, and one beside them, too."""
    blue, green, red = cv2.split(cv2.absdiff(looks, others))
    above = (cv2.max(cv2.max(blue, green), red) > CHANGED).astype(np.float32)
    return np.asarray((above > 0) & (cv2.blur(above, (3, 3), borderType=cv2.BORDER_CONSTANT) > 1.5 / 9), dtype=np.bool_)


def _widened(cells: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Gets the cells (h x w) that lie near some."""
    return cv2.dilate(cells.astype(np.uint8), np.ones((2 * TOUCHED_CELLS + 1,) * 2, np.uint8)) > 0


def _costs(corners: NDArray[np.intp]) -> NDArray[np.intp]:
    """Gets how many cells the network has to see for boxes (... x 4: left, top, right, bottom), each by itself."""
    across, down = (corners[..., 2 + side] - corners[..., side] + 2 * CONTEXT_CELLS for side in (0, 1))
    return np.asarray(across * down + CELLS_A_CALL)


def _joined(corners: NDArray[np.intp]) -> NDArray[np.intp]:
    """Gets the boxes (N x 4) with those made one of which that is less to see, the most saving pair first."""
    while len(corners) > 1:
        one, other = corners[:, None], corners[None]
        pairs = np.concatenate([np.minimum(one, other)[..., :2], np.maximum(one, other)[..., 2:]], axis=-1)
        costs = _costs(corners)
        saved = costs[:, None] + costs - _costs(pairs)
        np.fill_diagonal(saved, 0)
        first, second = np.unravel_index(int(np.argmax(saved)), saved.shape)
        if saved[first, second] <= 0:
            break
        corners = np.concatenate([np.delete(corners, (first, second), axis=0), pairs[first, second][None]])
    return corners


def _rescan(scan: Scan, cells: Floats, box: Box) -> None:
    """Puts into ``cells`` what the network says of those in a box, with what is around it in view."""
    first = [max(side.start - CONTEXT_CELLS, 0) for side in box]
    down, across = (
        slice(start * CELL_PX, (side.stop + CONTEXT_CELLS) * CELL_PX) for start, side in zip(first, box, strict=True)
    )
    said = scan_cells(scan_input(scan.rectified(down, across)))
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


def looks_left(memory: DiceMemory, changed: NDArray[np.bool_]) -> dict[Key, Look]:
    """Gets the looks at places around which no cell has changed."""
    near = cv2.dilate(changed.astype(np.uint8), np.ones((2 * LOOK_CELLS + 1,) * 2, np.uint8))
    if not memory.looks:
        return {}
    spots = memory.scan.frame.to_pixels(np.array([key[:2] for key in memory.looks])) // CELL_PX
    columns, rows = np.clip(spots.astype(np.intp), 0, np.array(near.shape)[::-1] - 1).T
    touched = near[rows, columns]
    return {key: look for (key, look), is_near in zip(memory.looks.items(), touched, strict=True) if not is_near}
