"""Which colours belong to the checkers of which seat, under the light of one installation."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from boardctl.rules import Seat
from calibration.difference import root_scale

Floats = NDArray[np.float32]

SEATS = (Seat.A, Seat.B)

BINS = 16
"""Bins a channel of the colour histograms, even on the root scale: 0.84 root units, about the spread of a colour
under shading."""

MOST = 4.0
"""Logarithms of ratios are cut here: a colour seen fifty times as often on checkers says no more than one seen
hundred times as often. Of a colour that both seats' checkers have so much more often than the board it is kept how
much more often one has it than the other."""

RARE = 0.02
"""Share of a histogram's mean bin that is added to every bin: a colour never seen is rare, not impossible."""


@dataclass(frozen=True)
class SeatPalette:
    """How much more often a colour is seen on the checkers of a seat than on the empty board, as logarithms."""

    ratios: Floats
    """BINS^3 x 2: seat A, seat B; not cut."""

    @cached_property
    def table(self) -> Floats:
        """The logarithms cut (BINS^3 x 2): the larger of both at MOST, the other as far below it as it is."""
        beyond = np.maximum(self.ratios.max(axis=-1, keepdims=True) - MOST, 0.0)
        return np.asarray(np.clip(self.ratios - beyond, -MOST, MOST), dtype=np.float32)

    def likeness(self, colours: NDArray[np.uint8]) -> Floats:
        """Gets how much more colours (... x 3) are like checkers of A and of B (... x 2) than like the board."""
        index = BIN_OF_LEVEL[colours[..., 0]] * (BINS * BINS)
        index += BIN_OF_LEVEL[colours[..., 1]] * BINS
        index += BIN_OF_LEVEL[colours[..., 2]]
        return np.asarray(self.table.take(index, axis=0), dtype=np.float32)

    def likeness_of_planes(self, planes: Sequence[NDArray[Any]], out: Floats | None = None) -> Floats:
        """Gets the same for colours given as blue, green and red, each H x W: likeness to A and to B (2 x H x W, put
        into ``out`` where that is given)."""
        index = _index_of(planes)
        likeness = np.empty((2, *index.shape), np.float32) if out is None else out
        for table, of_seat in zip(self._tables, likeness, strict=True):
            table.take(index, out=of_seat, mode="clip")  # all are in the table: without this it would look whether
        return likeness

    def likeness_to(self, seat: Seat, planes: Sequence[NDArray[Any]]) -> Floats:
        """Gets the likeness to the checkers of one seat (H x W) where none of the other's can lie."""
        return np.asarray(self._alone[SEATS.index(seat)].take(_index_of(planes)), dtype=np.float32)

    @cached_property
    def _tables(self) -> tuple[Floats, Floats]:
        """The table's columns, each by itself."""
        return np.ascontiguousarray(self.table[:, 0]), np.ascontiguousarray(self.table[:, 1])

    @cached_property
    def _alone(self) -> Floats:
        """The logarithms (2 x BINS^3), each cut by itself."""
        return np.ascontiguousarray(np.clip(self.ratios.T, -MOST, MOST), dtype=np.float32)


def _index_of(planes: Sequence[NDArray[Any]]) -> NDArray[np.int32]:
    """Gets the index in the table of colours given as blue, green and red, each H x W."""
    blue, green, red = (cv2.LUT(plane, table) for plane, table in zip(planes, BIN_PARTS, strict=True))
    return np.asarray(cv2.add(cv2.add(blue, green), red), dtype=np.int32)


def _bin_of_level() -> NDArray[np.int32]:
    levels = root_scale(np.arange(256, dtype=np.uint8))
    share = (levels - levels[0]) / (levels[-1] - levels[0])
    return np.asarray(np.minimum((share * BINS).astype(np.int32), BINS - 1))


BIN_OF_LEVEL = _bin_of_level()
BIN_PARTS = tuple((BIN_OF_LEVEL * BINS**power).astype(np.int32) for power in (2, 1, 0))
"""What each level of blue, green and red adds to the index of a colour's bin."""


def _histogram(colours: NDArray[np.uint8]) -> NDArray[np.float64]:
    """Gets how often each bin of colours (N x 3) is seen (BINS^3), smoothed by a bin."""
    bins = BIN_OF_LEVEL[colours]
    counts = np.zeros((BINS, BINS, BINS))
    np.add.at(counts, (bins[:, 0], bins[:, 1], bins[:, 2]), 1.0)
    for axis in range(3):
        turned = np.moveaxis(counts, axis, 0).reshape(BINS, -1)
        smooth = np.empty_like(turned)
        cv2.GaussianBlur(turned, (1, 5), 0.0, dst=smooth, sigmaY=0.8, borderType=cv2.BORDER_REPLICATE)
        counts = np.moveaxis(smooth.reshape(BINS, BINS, BINS), 0, axis)
    frequent = counts.ravel() / counts.sum()
    return np.asarray(frequent + RARE / BINS**2, dtype=np.float64)


def seat_palette(checkers_a: NDArray[np.uint8], checkers_b: NDArray[np.uint8], board: NDArray[np.uint8]) -> SeatPalette:
    """Gets the palette from colours (each N x 3) seen on checkers of either seat and on the empty board."""
    background = _histogram(board)
    ratios = [np.log(_histogram(colours) / background) for colours in (checkers_a, checkers_b)]
    return SeatPalette(np.stack(ratios, axis=-1).astype(np.float32))
