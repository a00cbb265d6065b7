"""What looks like rows of checkers among all that has changed: things on the table come, go and are moved, too.

Rows of checkers are as wide as one another, are longer than wide, and lie along the same line, or nearly, wherever the
camera hangs. Cups, telephones and papers may do one of this, hardly all.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.start.quads import patches

Floats = NDArray[np.float64]
Mask = NDArray[np.uint8]

LONGER = 1.4
"""A row of two is so many times as long as wide at least: 2, less the blur, and what a slant takes away."""

NARROWEST, WIDEST = 0.65, 1.55
"""So wide are the rows of a board against one of its own: the nearest against the furthest, at a slant 1.4."""

ALONG_DEG = 30.0
"""So far from that one's line rows lie at most: as much as a wide lens or a slant turns them."""

FULL = 0.75
"""Share of the rectangle around a row that it fills at least, with all that lies between what is seen of it: a row of
two circles 0.89."""

LEAST_SHARE = 0.01
"""A row is no smaller a part of the largest thing that has changed: a row of two of a book or a case."""

FEWEST = 5
"""So many rows are seen at least: eight, where none of them touches another."""

MARGIN = 0.25
"""So far around a row what has changed still counts, in its width: shadows, and what its blur leaves."""

MOST_PARTS = 2


@dataclass(frozen=True, eq=False)
class _Patch:
    """A patch that changed: its hull (N x 2), the sides of the rectangle around it, and along which line it lies."""

    hull: Floats
    width: float
    length: float
    along_deg: float
    full: float

    @classmethod
    def of(cls, outline: Floats) -> "_Patch":
        """Gets the patch within an outline (N x 2)."""
        hull = cv2.convexHull(outline.astype(np.float32))
        _, (one, other), turned_deg = cv2.minAreaRect(hull)
        along_deg = turned_deg if one >= other else turned_deg + 90
        width, length = sorted((one + 1, other + 1))
        area = cv2.contourArea(hull) + cv2.arcLength(hull, True) / 2 + 1
        return cls(hull.reshape(-1, 2).astype(np.float64), width, length, along_deg, area / (width * length))

    @property
    def is_row(self) -> bool:
        return self.length >= LONGER * self.width and self.full >= FULL

    def is_like(self, other: "_Patch") -> bool:
        """Whether this may be a row of checkers beside another row."""
        turned = abs((self.along_deg - other.along_deg + 90) % 180 - 90)
        return NARROWEST <= self.width / other.width <= WIDEST and turned <= ALONG_DEG


def parts_by_rows(seen: NDArray[np.float32]) -> Iterator[Mask]:
    """Gets the parts (each H x W, 0 or 1) of what was seen to change (H x W, 0 to 1) that hold what looks like rows of
    checkers and nothing else, those with most rows first; none where all that changed looks so, or too little."""
    height, width = seen.shape
    found = [_Patch.of(outline) for outline in patches(seen, LEAST_SHARE)]
    rows = [patch for patch in found if patch.is_row and _is_within(patch.hull, width, height)]
    alike = [[each for each in rows if each.is_like(row)] for row in rows]
    told: list[list[_Patch]] = []
    for chosen in sorted(alike, key=len, reverse=True):
        if FEWEST <= len(chosen) < len(found) and chosen not in told and len(told) < MOST_PARTS:
            told.append(chosen)
            yield _mask_of(chosen, width, height)


def _is_within(hull: Floats, width: int, height: int) -> bool:
    """Whether a hull (N x 2) touches no side of the picture."""
    return bool((hull > 1).all() and (hull < (width - 2, height - 2)).all())


def _mask_of(rows: list[_Patch], width: int, height: int) -> Mask:
    mask = np.zeros((height, width), np.uint8)
    margin = round(MARGIN * float(np.median([row.width for row in rows])))
    for row in rows:
        cv2.fillConvexPoly(mask, np.rint(row.hull).astype(np.int32), 1)
    return np.asarray(cv2.dilate(mask, np.ones((2 * margin + 1, 2 * margin + 1), np.uint8)), dtype=np.uint8)
