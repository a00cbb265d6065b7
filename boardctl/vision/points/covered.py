"""What of a point's strip does not look as on the empty board: how far along the point it reaches, how far aside."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from math import nan

import cv2
import numpy as np
from numpy.typing import NDArray

from boardctl.vision.points.column_input import ROOTS
from boardctl.vision.points.columns import CHECKER_PX, STRIP_LENGTH, STRIP_WIDTH

Bools = NDArray[np.bool_]

CHANGED = 0.8
"""Change (root scale) of a pixel that something lies on; the network's strips are looked at from 0.6 of a block on."""

FINE = 15.0
"""Steps of the root scale in which changes are told here."""

FINE_ROOTS = np.asarray(np.minimum(ROOTS * FINE, 255.0), np.uint8)

MOST = 0.5
"""Share of a slot's middle rows, or of a row's middle columns, that must have changed."""

ROUND = 0.68
"""A disc fills 0.79 of the square around it; two dice that touch fill half of the rectangle around them, but for those
side by side, which are not as wide or not as long as a checker."""

CLOSING = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (5, 5))
"""A rim is closed over so many pixels in which it cannot be seen."""

GAP_PX = 3
"""So many pixels within one checker may look as on the empty board."""

RIM_PX, BARE = 4, 0.1
"""A neighbour's rim reaches so far in from the side of a strip; what is bare has changed in no more than this share."""

LEAST_PX = 7
"""So many columns something covers in a strip at least, to be looked at: less is a neighbour's rim, or an edge."""

LEAST_LONG_PX = 17
"""So long a checker is seen at least, where it is that wide. A die is nine."""

LEAST_WIDE_PX = 11
"""So wide a checker is seen at least where it is widest, half of it in the strip beside. A die is nine."""

CENTRAL_PX = 8
"""Between so many columns from either side a checker covers all, if it lies no more than a few columns aside."""

WHOLE_PX = 16
"""So wide it is seen at least where no part of it lies in the strip beside."""

OWN_PX = 5 * CHECKER_PX
"""What begins further from the edge, or goes on to the strip's end, belongs to a long row of the point opposite."""


@dataclass(frozen=True, slots=True)
class Stretch:
    """Rows of a strip, one after the other, on which something lies: the first, and the one after the last."""

    first: int
    end: int

    @property
    def checkers(self) -> int:
        """How many checkers lie there in a row."""
        return max(1, round((self.end - self.first) / CHECKER_PX))

    def middle_of(self, place: int) -> int:
        """Gets the row over the middle of one of these checkers."""
        return self.first + round((place + 0.5) * (self.end - self.first) / self.checkers)


def fine_levels(strips: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Gets strips (N x length x width x 3) on the root scale, in the steps in which changes are told here."""
    fine = cv2.LUT(np.ascontiguousarray(strips).reshape(-1, STRIP_WIDTH, 3), FINE_ROOTS)
    return np.asarray(fine, dtype=np.uint8).reshape(strips.shape)


def changed(fine: NDArray[np.uint8], empty: NDArray[np.uint8], larger: float = 1.0) -> Bools:
    """Gets which pixels (N x length x width) of strips do not look as on the empty board, both in fine levels.

    ``larger``: by how much changes are so because pictures were made brighter.
    """
    most = CHANGED * FINE * larger
    same = cv2.inRange(cv2.absdiff(fine, empty).reshape(-1, STRIP_WIDTH, 3), (0, 0, 0), (most,) * 3)
    return np.asarray(same == 0).reshape(-1, STRIP_LENGTH, STRIP_WIDTH)


def is_round(mask: Bools, stretch: Stretch) -> bool:
    """Whether what lies there fills as much of the rectangle around it as a disc does, wholly seen or in part."""
    rows = filled(mask)[stretch.first : stretch.end].view(np.uint8)
    _, _, parts, _ = cv2.connectedComponentsWithStats(rows, connectivity=4)
    _, _, wide, long, area = max(parts[1:].tolist(), key=lambda part: part[-1], default=(0, 0, 1, 1, 0))
    return bool(area >= ROUND * wide * long)


def filled(mask: Bools) -> Bools:
    """Gets a mask (length x width) with what its outlines enclose: of a checker of the colour of its point little more
    than its rim is seen."""
    closed = cv2.morphologyEx(mask.view(np.uint8), cv2.MORPH_CLOSE, CLOSING)
    outlines, _ = cv2.findContours(closed, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    return np.asarray(cv2.drawContours(closed, outlines, -1, color=1, thickness=cv2.FILLED)).view(np.bool_)


def in_place(masks: Bools, held: Bools) -> Bools:
    """Gets which masks (N x length x width) show at a glance no more than what is ``held`` (N x slots) from the edge
    on, each checker over the middle of its slot. Of the others nothing is said."""
    checkers = np.cumprod(held, axis=1).sum(axis=1)
    wide = cv2.reduce(masks.reshape(-1, STRIP_WIDTH).view(np.uint8), 1, cv2.REDUCE_SUM, dtype=cv2.CV_32S)
    rows, end = np.arange(STRIP_LENGTH), ((checkers + 0.5) * CHECKER_PX)[:, None]
    beyond = (rows >= end) & ((rows < OWN_PX) | (end > OWN_PX))
    more = (wide.reshape(beyond.shape) >= LEAST_WIDE_PX) & beyond
    quarter = CHECKER_PX // 4
    slots = masks.reshape(len(masks), -1, CHECKER_PX, STRIP_WIDTH)[:, :, quarter:-quarter, CENTRAL_PX:-CENTRAL_PX]
    central = (slots.sum(axis=2, dtype=np.uint8) >= MOST * 2 * quarter).all(axis=2)
    bare = np.arange(central.shape[1]) >= checkers[:, None]
    return np.asarray((checkers > 0) & ~more.any(axis=1) & (central | bare).all(axis=1))


def stretches(mask: Bools) -> Iterator[Stretch]:
    """Gets the stretches of a strip (length x width) that are large enough for a checker, the nearest to the edge
    first."""
    wide = cv2.reduce(mask.view(np.uint8), 1, cv2.REDUCE_SUM, dtype=cv2.CV_32S)
    for first, last, _ in _parts(np.flatnonzero(wide >= LEAST_WIDE_PX).tolist()):
        if first >= OWN_PX or (first > 0 and last >= STRIP_LENGTH - GAP_PX):
            continue  # a long row of the point opposite
        stretch = Stretch(first, last + 1)
        if stretch.end - stretch.first >= LEAST_LONG_PX and _is_wide(mask, stretch):
            yield stretch


def _parts(places: list[int]) -> list[tuple[int, int, int]]:
    """Gets the parts of a row of pixels, given by those of it that are covered, in order: of each the first one, the
    last, and how many are covered."""
    if not places:
        return []
    ends = [index for index, (place, after) in enumerate(pairwise(places)) if after - place > GAP_PX]
    starts = [0, *(end + 1 for end in ends)]
    ends.append(len(places) - 1)
    return [(places[start], places[end], end + 1 - start) for start, end in zip(starts, ends, strict=True)]


def _is_wide(mask: Bools, stretch: Stretch) -> bool:
    """Whether something lies there that is as wide as a checker, or reaches out of the strip."""
    columns = [share >= MOST for share in _columns(mask, stretch.middle_of(0))]
    return sum(columns) >= WHOLE_PX or all(columns[:RIM_PX]) or all(columns[-RIM_PX:])


def is_over_middle(mask: Bools, slot: int) -> bool:
    """Whether something lies over the middle of a slot."""
    third = STRIP_WIDTH // 3
    return all(share >= MOST for share in _columns(mask, slot * CHECKER_PX + CHECKER_PX // 2)[third:-third])


def columns_off_px(mask: Bools, middle_row: int) -> float:
    """Gets how far to the right of the middle line a checker lies whose middle is in a row; NaN where what is covered
    there is not clearly one checker's.

    Of what reaches out of the strip the edge that is seen tells: a checker's other edge is a checker's width away. The
    rest must be bare, but for rims of neighbours: of a checker of the colour of its point only parts are seen.
    """
    share = _columns(mask, middle_row)
    parts = _parts([column for column, covered in enumerate(share) if covered >= MOST])
    if not parts:
        return nan
    middle, radius = (STRIP_WIDTH - 1) / 2, CHECKER_PX / 2
    first, last, _ = max(parts, key=lambda part: part[2])
    beside = share[RIM_PX : max(first - 1, RIM_PX)] + share[last + 2 : STRIP_WIDTH - RIM_PX]
    if last - first + 1 < LEAST_PX or (first == 0 and last == STRIP_WIDTH - 1):
        return nan
    if beside and sum(beside) > BARE * len(beside):
        return nan
    if last == STRIP_WIDTH - 1:
        return first + radius - 0.5 - middle
    if first == 0:
        return last - radius + 0.5 - middle
    return (first + last) / 2 - middle if last - first + 1 >= CHECKER_PX * 0.6 else nan


def _columns(mask: Bools, middle_row: int) -> list[float]:
    """Gets how much of each column is covered around a row, as a share."""
    quarter = CHECKER_PX // 4
    around = mask.view(np.uint8)[max(0, middle_row - quarter) : middle_row + quarter]
    covered: list[int] = cv2.reduce(around, 0, cv2.REDUCE_SUM, dtype=cv2.CV_32S)[0].tolist()
    return [count / len(around) for count in covered]
