"""Points of a board as they stand out in a picture of it: pairs of straight edges that run towards each other.

Whatever its colours, a point has two edges, and what is between them differs in the same way from what is beside them.
Checkers cover a part of both. Nothing else is known here of where the board is, how large, or how it is turned.
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

Picture = NDArray[np.uint8]
Floats = NDArray[np.float64]
Whole = NDArray[np.intp]

WIDTH_PX = 960
"""Length of the longer side of the picture in which edges are looked for: points are 15 to 60 pixels wide there."""

SHORTEST_PX = 20.0
"""Shorter edges are of dice, letters and the grain of wood."""

ANGLES = np.radians((5.5, 24.0))
"""Between the edges of a point: 12 degrees where it is a triangle as long as 4.7 widths, 7 where it is blunt and
narrow; a camera that looks at a slant makes of it up to twice as much."""

SIDE_BY_SIDE = 0.4
"""Share of the shorter edge that lies beside the other."""

MOST_SQUAT = 0.6
"""Width of a point over the length that is seen of it."""

NEXT = 3
"""A pair is left out when so many nearer ones have one of its two edges."""

LEAST_PX = 5.0
"""Narrowest pair."""


@dataclass(frozen=True)
class Wedges:
    """N pairs of edges, in pixels of the picture whose longer side is ``WIDTH_PX``.

    ``narrow`` and ``wide`` (N x 2) are the ends of the line in the middle between the edges, ``middle`` (N x 2) is on
    it where both edges are seen, for a length of ``beside`` (N). ``width`` (N) is that of the wide end. ``rank`` (N)
    tells how many nearer pairs its two edges have.
    """

    narrow: Floats
    wide: Floats
    middle: Floats
    beside: Floats
    width: Floats
    rank: Whole

    def __len__(self) -> int:
        """How many pairs there are."""
        return len(self.narrow)

    @property
    def towards(self) -> Floats:
        """The directions (N x 2) in which the pairs become narrower, of length 1."""
        along = self.narrow - self.wide
        return np.asarray(along / np.linalg.norm(along, axis=1, keepdims=True), dtype=np.float64)

    @property
    def length(self) -> Floats:
        """From end to end (N)."""
        return np.asarray(np.linalg.norm(self.narrow - self.wide, axis=1), dtype=np.float64)


def to_search_size(picture: Picture) -> tuple[Picture, float]:
    """Gets a picture (H x W x 3) with a longer side of ``WIDTH_PX``, and how many times its size it has."""
    scale = WIDTH_PX / max(picture.shape[:2])
    way = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
    return np.asarray(cv2.resize(picture, None, fx=scale, fy=scale, interpolation=way), dtype=np.uint8), scale


def straight_edges(picture: Picture) -> Floats:
    """Gets the straight edges (N x 4: x, y of both ends) of a picture of the search's size, brightness and both colours
    each by itself (LSD: Grompone von Gioi et al., 2010). Which end is first tells which side is the brighter one."""
    root = np.sqrt(picture.astype(np.float32) / 255)
    blue, green, red = (root[..., channel] for channel in range(3))
    shades = ((blue + 2 * green + red) / 4, red - green + 0.5, blue - (red + green) / 2 + 0.5)
    found: list[Floats] = []
    for shade in shades:
        level = np.clip(shade * 255, 0, 255).astype(np.uint8)
        lines = cv2.createLineSegmentDetector(cv2.LSD_REFINE_STD).detect(level)[0]
        if lines is not None:
            found.append(np.asarray(lines, dtype=np.float64).reshape(-1, 4))
    edges = np.concatenate(found) if found else np.empty((0, 4))
    long = np.linalg.norm(edges[:, 2:] - edges[:, :2], axis=1) > SHORTEST_PX
    return np.asarray(edges[long], dtype=np.float64)


def wedges(edges: Floats) -> Wedges:
    """Gets the pairs of edges (N x 4) that may be those of a point."""
    start, end = edges[:, :2], edges[:, 2:]
    length = np.linalg.norm(end - start, axis=1)
    along = (end - start) / length[:, None]
    turn = np.arctan2(along[:, 1], along[:, 0])
    apart = np.abs((turn[:, None] - turn[None] + 2 * np.pi) % (2 * np.pi) - np.pi)  # 0: the same, brighter within
    first, second = np.nonzero(np.triu((apart > ANGLES[0]) & (apart < ANGLES[1]), 1))
    axis = along[first] - along[second]
    axis /= np.linalg.norm(axis, axis=1, keepdims=True)
    across = np.stack([-axis[:, 1], axis[:, 0]], axis=1)
    middle = (start[first] + end[first] + start[second] + end[second]) / 4
    sides = [_Side.of(start[which] - middle, end[which] - middle, axis, across) for which in (first, second)]
    low = np.maximum(sides[0].low, sides[1].low)
    high = np.minimum(sides[0].high, sides[1].high)
    at_low, at_high = (sides[0].off(at) - sides[1].off(at) for at in (low, high))
    off = (sides[0].off(low) + sides[1].off(low) + sides[0].off(high) + sides[1].off(high)) / 4
    first_seen, last_seen = np.minimum(sides[0].low, sides[1].low), np.maximum(sides[0].high, sides[1].high)
    width = np.maximum(np.abs(at_low), np.abs(at_high))
    fits = high - low > SIDE_BY_SIDE * np.minimum(length[first], length[second])
    fits &= (at_low * at_high > 0) | (np.minimum(np.abs(at_low), np.abs(at_high)) < LEAST_PX)
    fits &= (width < MOST_SQUAT * (last_seen - first_seen)) & (width > LEAST_PX)
    rank = _ranks((first, second), (np.abs(at_low) + np.abs(at_high)) / 2, np.flatnonzero(fits), len(fits))
    kept = np.flatnonzero(fits & (rank <= NEXT))
    to_high = np.abs(at_high) < np.abs(at_low)
    base = middle + across * off[:, None]
    narrow = base + axis * np.where(to_high, last_seen, first_seen)[:, None]
    wide = base + axis * np.where(to_high, first_seen, last_seen)[:, None]
    shared = base + axis * ((low + high) / 2)[:, None]
    return Wedges(narrow[kept], wide[kept], shared[kept], (high - low)[kept], width[kept], rank[kept])


@dataclass(frozen=True)
class _Side:
    """One edge of each of N pairs, by the middle line of its pair: how far along it and how far off its ends are."""

    along: tuple[Floats, Floats]
    across: tuple[Floats, Floats]

    @classmethod
    def of(cls, start: Floats, end: Floats, axis: Floats, across: Floats) -> "_Side":
        ends = (start, end)
        on, off = ([np.asarray((each * way).sum(axis=1)) for each in ends] for way in (axis, across))
        return cls((on[0], on[1]), (off[0], off[1]))

    @property
    def low(self) -> Floats:
        return np.asarray(np.minimum(*self.along), dtype=np.float64)

    @property
    def high(self) -> Floats:
        return np.asarray(np.maximum(*self.along), dtype=np.float64)

    def off(self, at: Floats) -> Floats:
        """How far off the middle line the edge, or its continuation, is at a place along it."""
        share = (at - self.along[0]) / (self.along[1] - self.along[0])
        return np.asarray(self.across[0] + (self.across[1] - self.across[0]) * share, dtype=np.float64)


def _ranks(edges: tuple[Whole, Whole], width: Floats, pairs: Whole, count: int) -> Whole:
    """Gets for each pair how many narrower ones its two edges have among ``pairs``."""
    rank = np.zeros(count, dtype=np.intp)
    for edge in edges:
        order = pairs[np.lexsort((width[pairs], edge[pairs]))]
        begins = np.concatenate([[True], np.diff(edge[order]) != 0])[: len(order)]
        place = np.arange(len(order))
        rank[order] += place - np.maximum.accumulate(np.where(begins, place, 0))
    return rank
