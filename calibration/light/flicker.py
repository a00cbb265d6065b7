"""Lamps that flicker: bright and dark bands along the rows of a picture, elsewhere in each.

Many lamps grow bright and dark with the mains, 100 or 120 times a second, and a camera exposes the rows of a picture
one after the other. A light checker in a dark band looks as in a shadow, and from each picture to the next all of the
board seems to have changed. But a band takes the same share of the light of a whole row, bands come and go as a wave
does, and most of most rows looks as it did: so they are told from everything else, and taken out. Which bands the first
of two pictures has is not told: the other is made to have the same.
"""

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.installation import INSTALLATIONS_KEPT, Calibration

Picture = NDArray[np.uint8]
Floats = NDArray[np.float32]
Bools = NDArray[np.bool_]

ROWS, COLUMNS = 120, 64
"""Of a picture so many rows and columns are compared: bands are far wider than a row, and the median of sixty
pixels is off by a few thousandths."""

AROUND = 3
"""Each with so many pixels around it, down and across: whole levels of a dark picture are some hundredths apart."""

FAINTEST, LIGHTEST = 12, 250
"""Between these levels a pixel tells how bright it is: below is noise, above light is cut off."""

FEWEST, MOST, STEP = 1.2, 10.0, 0.05
"""Bands in a picture that are tried: cameras take 1/80 to 1/12 of a second for its rows. Less than one is light that
falls on one side."""

MOST_CHANGED = 0.6
"""Rows that have changed by more than this (logarithm) beyond what is usual are not under a flickering lamp alone."""

ROUNDS, USUAL, LEAST_USUAL = 5, 1.5, 0.004
"""Rows that differ from the bands that are found by more than so many times what is usual, and by more than their noise
(logarithm), count less (Huber's rule, in so many rounds): hands and checkers cover most of some."""

NOTHING = 1e-9
"""Least that is divided by."""

CANDIDATES, AS_LIKELY, NEARLY = 3, 0.3, 11
"""So many numbers of bands are looked at more closely, where they explain so much of what the likeliest does; those
within half a band of each other (so many steps) count as nearly the same. A hand that covers most of many rows may seem
to be the likeliest."""

ALIKE, CLOSER_ROUNDS = 0.08, 3
"""Bands are found anew, in so many rounds, from pixels that differ by no more than this (logarithm) from what they
would be in those found before: nothing else has come there."""

LEAST = 0.025
"""Bands in which levels go up and down by less than this (logarithm) are left: nothing is misread for them."""

MOST_ROWS = 0.75
"""Nine rows in ten differ by at least so much of what bands that are taken out go up and down."""

LEAST_EXPLAINED = 0.005
"""Share of what differs between two pictures, each pixel by ``ALIKE`` at most, that bands must explain. What seems to
be bands and is a hand explains nothing; the faintest bands that are taken out explain three times as much."""

FINE = 120
"""What rows are multiplied by is told in steps of 1 / 120: as whole numbers OpenCV multiplies fastest."""


@dataclass(frozen=True, eq=False)
class Sample:
    """Pixels of a picture that are compared (rows x columns): how bright they are (logarithm), and which tell it."""

    logs: Floats
    told: Bools

    @classmethod
    def of(cls, picture: Picture) -> "Sample":
        """Gets those of a picture (H x W x 3): of its channels the middle one, as noise is least there."""
        height, width = picture.shape[:2]
        levels = picture.reshape(-1).take(_places(height, width)).sum(axis=0, dtype=np.uint16)
        return cls(_LOGS.take(levels), (levels > FAINTEST * AROUND**2) & (levels < LIGHTEST * AROUND**2))


@lru_cache(maxsize=INSTALLATIONS_KEPT)
def _places(height: int, width: int) -> NDArray[np.intp]:
    """Gets where pixels that are compared, and those around each, lie in a picture (AROUND² x rows x columns)."""
    around = np.arange(AROUND) - AROUND // 2
    down, right = (
        ((np.arange(count) * size // count + size // count // 2)[:, None] + around).clip(0, size - 1)
        for count, size in ((ROWS, height), (COLUMNS, width))
    )
    pixels = down.T[:, None, :, None] * width + right.T[None, :, None, :]
    return np.asarray((pixels * 3 + 1).reshape(AROUND**2, ROWS, COLUMNS), dtype=np.intp)


def steadied(picture: Picture, reference: Picture, sample: Sample | None = None) -> Picture:
    """Gets a picture (H x W x 3) as it would be with the bands that another of the same camera has; itself where it has
    them, or none are plain. What a bright band has cut off is as light as in the other picture, where that may be.

    ``sample``: that of the other picture, where it is known.
    """
    light = bands(picture, sample or Sample.of(reference))
    if light is None:
        return picture
    steps = np.rint(np.exp(-light) * FINE).clip(0, 255).astype(np.uint8)
    flat = picture.reshape(len(picture), -1)
    lit = cv2.multiply(flat, np.repeat(steps[:, None], flat.shape[1], axis=1), scale=1 / FINE)
    cut_off = cv2.inRange(flat, (LIGHTEST,), (255,))
    lit = cv2.max(lit, cv2.min(reference.reshape(flat.shape), cut_off))
    return np.asarray(lit, dtype=np.uint8).reshape(picture.shape)


@lru_cache(maxsize=INSTALLATIONS_KEPT)
def on_empty(calibration: Calibration) -> Sample:
    """Gets what pictures of an installation are compared with; made on first use."""
    return Sample.of(calibration.empty)


def bands(picture: Picture, reference: Sample) -> Floats | None:
    """Gets how much lighter each row of a picture (H x W x 3) is for the bands of a flickering lamp (H, logarithm) than
    in another picture of the same camera; None where none are plain."""
    sample = Sample.of(picture)
    change, told = sample.logs - reference.logs, sample.told & reference.told
    usual, rows = _medians(change, told)
    ordered = np.sort(rows)
    if ordered[-ROWS // 20] - ordered[ROWS // 20] < MOST_ROWS * 2 * LEAST:  # in most pictures
        return None
    found = [(count, *_closer(change, told, _waves(count, _AT), wave)) for count, wave in _likely(rows, usual)]
    plain = [(_cost(change, told, wave), count, parts) for count, wave, parts in found if np.ptp(wave) >= 2 * LEAST]
    if not plain:
        return None
    cost, count, parts = min(plain, key=lambda each: each[0])
    without, _ = _closer(change, told, _waves(count, _AT)[:1], np.full(ROWS, usual, np.float32))
    if cost > (1 - LEAST_EXPLAINED) * _cost(change, told, without):
        return None
    at = (np.arange(len(picture)) + 0.5) / len(picture)
    return np.asarray(parts[1:] @ _waves(count, at)[1:], dtype=np.float32)


def _medians(change: Floats, told: Bools) -> tuple[float, Floats]:
    """Gets what is usual of the medians of all rows of what is told, and these (rows), no more than ``MOST_CHANGED``
    away from it, which they also are where nothing is told."""
    ordered = np.sort(np.where(told, change, np.float32(np.inf)), axis=1)
    counts = np.count_nonzero(told, axis=1)
    middle = ordered[np.arange(ROWS), counts // 2]
    usual = float(np.median(middle[counts > 0])) if counts.any() else 0.0
    return usual, np.where(counts > 0, np.clip(middle, usual - MOST_CHANGED, usual + MOST_CHANGED), np.float32(usual))


def _likely(rows: Floats, usual: float) -> list[tuple[float, Floats]]:
    """Gets the likeliest numbers of bands for what rows have changed by, each with the wave that they are, roughly: the
    likeliest of all first, and others that explain more than those of nearly their number, and not far less than it."""
    wave, weights = np.full(ROWS, usual, np.float32), np.ones(ROWS, np.float32)
    for _ in range(ROUNDS):
        parts = (_PLAIN.reshape(-1, ROWS) @ (wave + (rows - wave) * weights)).reshape(-1, 3)
        explained = np.square(parts[:, 1:]).sum(axis=1)
        best = int(explained.argmax())
        wave = parts[best] @ _PLAIN[best]
        off = np.abs(rows - wave)
        weights = np.minimum(1, max(USUAL * float(np.median(off)), LEAST_USUAL) / np.maximum(off, NOTHING))
    highest = cv2.dilate(explained[:, None], np.ones((NEARLY, 1), np.uint8)).ravel()
    peaks = np.flatnonzero((explained == highest) & (explained >= AS_LIKELY * explained[best]))
    chosen = peaks[np.argsort(-explained[peaks], kind="stable")][:CANDIDATES]
    return [(float(_COUNTS[each]), parts[each] @ _PLAIN[each]) for each in chosen]


def _closer(change: Floats, told: Bools, waves: Floats, wave: Floats) -> tuple[Floats, Floats]:
    """Gets bands found anew from the pixels that look as they did in those that were told, and what part of each wave
    is in them."""
    parts = np.zeros(len(waves), np.float32)
    for _ in range(CLOSER_ROUNDS):
        off = change - wave[:, None]
        alike = told & (np.abs(off) < ALIKE)
        counts = np.count_nonzero(alike, axis=1).astype(np.float32)
        rows = wave * counts + np.einsum("rc,rc->r", off, alike)
        parts = np.linalg.lstsq((waves * counts) @ waves.T, waves @ rows, rcond=1e-6)[0]
        wave = parts @ waves
    return wave, parts


def _cost(change: Floats, told: Bools, wave: Floats) -> float:
    """Gets how much differs from bands, each pixel by ``ALIKE`` at most."""
    off = np.minimum(np.square(change - wave[:, None]), np.float32(ALIKE**2))
    return float(np.einsum("rc,rc->", off, told)) / max(int(np.count_nonzero(told)), 1)


def _waves(count: float, at: NDArray[np.float64]) -> Floats:
    """Gets what so many bands in a picture are made of, at shares of its height (1 + 4 x N): what is everywhere, waves,
    and waves twice as many."""
    turns = 2 * np.pi * count * np.array([[1], [2]]) * at
    return np.vstack([np.ones_like(at), np.cos(turns), np.sin(turns)]).astype(np.float32)


_LOGS = np.log(np.arange(255 * AROUND**2 + 1, dtype=np.float32) / AROUND**2 + 1)
_AT = (np.arange(ROWS) + 0.5) / ROWS
_COUNTS = np.arange(FEWEST, MOST, STEP)
_PLAIN = np.stack([np.linalg.qr(_waves(count, _AT)[[0, 1, 3]].T)[0].T for count in _COUNTS]).astype(np.float32)
