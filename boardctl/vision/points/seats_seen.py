"""Which colours are the two seats' checkers, told by a photograph alone: what is no bare point, looks like a checker
and is of one of two kinds. The lighter kind is seat A's."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from boardctl.rules import Seat
from boardctl.vision.points.column_input import ROOTS
from boardctl.vision.points.columns import CHECKER_PX, POINTS, SLOTS, STRIP_LENGTH, STRIP_WIDTH
from boardctl.vision.points.seat_palette import SeatPalette
from calibration.channels import strongest
from calibration.colours import how_light, lab_of

Floats = NDArray[np.float64]
Pixels = NDArray[np.uint8]

TOP_SHARE = 0.42
"""Radius of what is surely a checker's top, in checkers."""

CHANGED = (1.2, 0.8, 0.5)
"""Median change (root scale) of a slot that holds a checker: one of the colour of its point changes less; it is looked
for where the larger changes are of one seat's checkers alone."""

AROUND, CLEAREST = 0.75, 25
"""The clearest quarter of the corners around a checker changes by no more than this share of it: on one side there may
be its shadow. Under a hand they change as much."""

OWN_SLOTS = 5
LEAST_CHECKERS = 4
"""Fewer checkers do not tell two colours."""

LEAST_APART = 12.0
"""Least distance of the two kinds of checkers' colours (CIELAB): less is seen by nobody at a glance."""

MOST_MIXED = 0.065
"""Known checkers are plainly of two kinds up to here (see :func:`mixed`): in 100 drawn pictures, hands in every fourth,
those of two seats have 0.062 at most. A kind cut in two has 0.07 (median), and more where its colours lie evenly."""

STRAY, STRAY_FROM = 3.0, 6.0
"""What is further from the middle colour of its kind than this many median distances, and so much, is no checker."""

WEIGHTS = np.array([0.4, 1.0, 1.0, 0.6, 0.2], dtype=np.float32)
"""What counts of a checker's colour: the lightness of its middle shades, both tints, the lightness of its darker and of
its brighter parts. Gloss makes the bright parts of dark checkers as bright as light ones."""


@dataclass(frozen=True)
class Discs:
    """The places of checkers in the slots of a strip (each SLOTS x length x width)."""

    @cached_property
    def tops(self) -> NDArray[np.bool_]:
        """What is surely a checker's top."""
        return np.hypot(*self._from_middles) < TOP_SHARE * CHECKER_PX

    @cached_property
    def corners(self) -> NDArray[np.bool_]:
        """What is around a checker in its square."""
        down, right = self._from_middles
        square = np.maximum(np.abs(down), np.abs(right)) <= CHECKER_PX / 2
        return np.asarray(square & (np.hypot(down, right) > CHECKER_PX / 2 + 0.8), dtype=np.bool_)

    @cached_property
    def _from_middles(self) -> tuple[Floats, Floats]:
        rows, columns = np.mgrid[0:STRIP_LENGTH, 0:STRIP_WIDTH]
        middles = (np.arange(SLOTS)[:, None, None] + 0.5) * CHECKER_PX - 0.5
        right = np.broadcast_to(columns - (STRIP_WIDTH - 1) / 2, (SLOTS, STRIP_LENGTH, STRIP_WIDTH))
        return rows[None] - middles, right


DISCS = Discs()


def rows_seen(strips: Pixels, empty: Pixels, changed: float = CHANGED[0]) -> list[list[int]]:
    """Gets for each point the slots from the edge on that look like checkers, because they have changed by so much
    (root scale) and what is around them has not."""
    change = strongest(np.abs(ROOTS[strips[:POINTS]] - ROOTS[empty[:POINTS]]))
    rows = []
    for strip in change:
        slots: list[int] = []
        for slot in range(OWN_SLOTS):
            top = float(np.median(strip[DISCS.tops[slot]]))
            if top < changed or float(np.percentile(strip[DISCS.corners[slot]], CLEAREST)) > AROUND * top:
                break
            slots.append(slot)
        rows.append(slots)
    return rows


def seats_seen(strips: Pixels, empty: Pixels) -> dict[Seat, Pixels] | None:
    """Gets colours (each N x 3, blue, green, red) that checkers of either seat have, from strips (26 x length x width x
    3) and the same of the empty board; None where no checkers of two colours are found."""
    for changed in CHANGED:
        rows = rows_seen(strips, empty, changed)
        seats = _of_two_kinds([strips[strip][DISCS.tops[slot]] for strip, slots in enumerate(rows) for slot in slots])
        if seats is not None:
            return seats
    return None


def seats_known(tops: Sequence[Pixels]) -> dict[Seat, Pixels] | None:
    """Gets the same of tops (each N x 3) that are known to be checkers' tops; None where they are not plainly of two
    colours."""
    return _of_two_kinds(tops, MOST_MIXED)


def _of_two_kinds(tops: Sequence[Pixels], most_mixed: float = np.inf) -> dict[Seat, Pixels] | None:
    """Gets the colours of either seat's from those of what may be their checkers (each N x 3)."""
    if len(tops) < LEAST_CHECKERS:
        return None
    features = np.array([shades(top) for top in tops])
    two = _two_kinds(features)
    if two.apart < LEAST_APART or two.mixed > most_mixed:
        return None
    found = []
    for kind in (0, 1):
        own = np.flatnonzero(two.kinds == kind)
        away = np.linalg.norm(features[own] - np.median(features[own], axis=0), axis=1)
        usual = own[away <= max(STRAY * float(np.median(away)), STRAY_FROM)]
        found.append(np.concatenate([tops[index] for index in usual]))
    found.sort(key=lambda colours: how_light(lab_of(colours.astype(np.float64))))
    return {Seat.A: found[1], Seat.B: found[0]}


def mixed(strips: Pixels, rows: list[list[int]]) -> float:
    """Gets how far the colours of checkers, which lie in rows of strips, are from being of two kinds: 0 where each
    kind's are all alike."""
    features = np.array([shades(strips[strip][DISCS.tops[slot]]) for strip, slots in enumerate(rows) for slot in slots])
    return _two_kinds(features).mixed if len(features) >= LEAST_CHECKERS else 1.0


@dataclass(frozen=True)
class _TwoKinds:
    """Of which of two kinds (0, 1) each of N colours is, how far the kinds' middles are ``apart``, and how far colours
    are from their kind's middle, squared, as a share of that."""

    kinds: NDArray[np.int32]
    apart: float
    mixed: float


def _two_kinds(features: NDArray[np.float32]) -> _TwoKinds:
    """Gets the two kinds of which features (N x 5) are."""
    criteria = (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_MAX_ITER, 50, 0.1)
    cv2.setRNGSeed(1)
    off, kinds, middles = cv2.kmeans(features, 2, np.empty(0, np.int32), criteria, 8, cv2.KMEANS_PP_CENTERS)
    apart = float(np.linalg.norm(middles[0] - middles[1]))
    return _TwoKinds(np.asarray(kinds.ravel(), dtype=np.int32), apart, float(off) / len(features) / max(apart**2, 1.0))


def shades(top: Pixels) -> NDArray[np.float32]:
    """Gets what tells the colour of a checker's top (N x 3), weighted, so that distances count: lightness and tints of
    its middle shades, lightness of its dark and bright ones."""
    dark, middle, bright = lab_of(np.percentile(top, (20, 50, 80), axis=0))
    return np.asarray(np.array([*middle, dark[0], bright[0]]) * WEIGHTS, dtype=np.float32)


def is_like(seat: Seat, strip: Pixels, slot: int, palette: SeatPalette) -> bool:
    """Whether a slot of a strip (length x width x 3) has a seat's colours rather than the board's or the other's."""
    likeness = palette.likeness(strip[DISCS.tops[slot]]).mean(axis=0)
    own, other = (likeness[0], likeness[1]) if seat is Seat.A else (likeness[1], likeness[0])
    return bool(own > max(other, 0.0) + 1.0)
