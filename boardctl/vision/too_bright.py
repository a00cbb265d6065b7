"""Light that is brighter than when the board was calibrated, so that the camera's highest level cuts off colours.

Brought back to the light of the calibration, such a picture has nothing that is lighter than a ceiling: the highest
level divided by what the light has grown. White checkers look grey then, as the other seat's may be; or as the light
points do, on which they cannot be seen at all. So what a picture is compared with is cut off at the same ceiling: what
the camera could not tell apart is not told apart. Shadows and rims still show most checkers of a light seat on light
points. Where nothing shows whether there is one, or whose it is, the point is said to be hidden. It is said of both
that the light is too bright there: people can do something about that.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import combinations
from math import ceil, exp, log

import numpy as np
from numpy.typing import NDArray

from boardctl.referee.readings import BoardReading, PlaceReading
from boardctl.rules import Place, PlaceKind, Seat
from boardctl.vision.column_input import ROOTS
from boardctl.vision.columns import POINTS, reference_strips
from boardctl.vision.seats_seen import DISCS, OWN_SLOTS
from calibration import Calibration
from calibration.colours import checker_colours
from calibration.drift import LIGHT_CHANGED
from calibration.installation import INSTALLATIONS_KEPT

Picture = NDArray[np.uint8]
Colour = NDArray[np.uint8]
Bools = NDArray[np.bool_]
Floats = NDArray[np.float64]

HIGHEST = 255
"""The highest level of a picture."""

STEP = 0.08
"""Ceilings are that far apart (logarithm), so that what is made for one serves while light changes by little."""

LEAST_CUT = 0.002
"""Share of the starting position's picture that must be lighter than a ceiling for anything to be cut off by it."""

PLAIN = 0.8
"""Change (root scale) of a pixel that something lies on, as where rows are found."""

HALF = 0.5
"""Share of a checker's top that must look other than what is below it."""

CUT_OFF = 0.1
"""Share of a checker's top at the ceiling from which colours of a place are lost."""

NOTHING_SEEN = 0.95
"""Share of a checker's top with all three channels at the ceiling, of which nothing at all can be seen: neither grain
nor rim."""

MOST_TOLD, MOST_BY_RIMS = 0.9, 0.6
"""Most that is told of a place of which colours are lost: the networks have learned from pictures in which few are; and
where only rims and shadows tell whether there is one checker more."""

SEATS = (Seat.A, Seat.B)


@dataclass(frozen=True, eq=False)
class _Lost:
    """What cannot be told apart at a ceiling."""

    bare: dict[Seat, Bools]
    """In which slots (26 x 5) a seat's checkers look as what is below them."""
    alike: bool
    """Whether both seats' checkers look alike."""


@dataclass(frozen=True, eq=False)
class BelowCeiling:
    """A picture (H x W x 3) and its calibration, both cut off at a ``ceiling``, and the calibration as it was taken."""

    picture: Picture
    calibration: Calibration
    taken: Calibration
    ceiling: int = HIGHEST

    @property
    def is_cut(self) -> bool:
        """Whether anything is cut off."""
        return self.ceiling < HIGHEST

    def doubted(self, board: BoardReading) -> BoardReading:
        """Gets what is read in the picture without what cannot be told at the ceiling."""
        return replace(board, places=tuple(self._doubted(board.places))) if self.is_cut else board

    def _doubted(self, places: tuple[PlaceReading, ...]) -> Iterator[PlaceReading]:
        lost = self._at_ceiling.any.max(axis=1) >= CUT_OFF
        for reading in places:
            strips = _strips_of(reading.place)
            if strips and not lost[strips].any():
                yield reading
            else:
                yield self._told(reading, strips)

    def _told(self, reading: PlaceReading, strips: list[int]) -> PlaceReading:
        """Gets the reading of a place of which colours are lost: hidden where it cannot be seen whether there is one
        checker more, or whose they are."""
        stack = reading.chances[0].stack if reading.chances else ()
        next_one = slice(len(stack), len(stack) + 1) if reading.place.kind is PlaceKind.POINT else slice(None)
        by_rims = np.any([self._lost.bare[seat][strips, next_one] for seat in SEATS if not stack or seat in stack], 0)
        blind = by_rims & (self._at_ceiling.all[strips, next_one] >= NOTHING_SEEN)
        unseen = bool(blind.any()) or (bool(stack) and self._lost.alike)
        told = reading.at_most(MOST_BY_RIMS if by_rims.any() else MOST_TOLD)
        is_seen = not reading.hidden  # by what lies on the board alone
        return replace(told, hidden=reading.hidden or unseen, too_bright=is_seen and (unseen or bool(by_rims.any())))

    @cached_property
    def _at_ceiling(self) -> "_Shares":
        strips = reference_strips(self.calibration).cutter.cut(self.picture)
        lightest, darkest = strips.max(axis=-1), strips.min(axis=-1)
        return _Shares(_shares_of_tops(lightest >= self.ceiling), _shares_of_tops(darkest >= self.ceiling))

    @property
    def _lost(self) -> _Lost:
        return _lost(self.taken, self.calibration)


def below_ceiling(picture: Picture, calibration: Calibration, gain: float) -> BelowCeiling:
    """Gets a picture (H x W x 3), brought to the calibration's light, cut off where that of the picture, ``gain`` times
    as bright at its brightest, has nothing to tell; as it is where nothing is lost so."""
    ceiling = int(HIGHEST * exp(-STEP * ceil(log(gain) / STEP)))
    if log(gain) < LIGHT_CHANGED or _lightest(calibration) <= ceiling:
        return BelowCeiling(picture, calibration, calibration)
    cut = _cut(calibration, ceiling)
    return BelowCeiling(cut_off(picture, ceiling), cut, calibration, ceiling)


def cut_off(picture: Picture, ceiling: int) -> Picture:
    """Gets a picture (H x W x 3) with all that is lighter as light as the ceiling."""
    return np.minimum(picture, np.uint8(ceiling))


@dataclass(frozen=True, eq=False)
class _Shares:
    """Share of a checker's top in each slot (26 x 5) of which any channel is at the ceiling, and all are."""

    any: Floats
    all: Floats


@lru_cache(maxsize=INSTALLATIONS_KEPT)
def _lightest(calibration: Calibration) -> int:
    """Gets the level that so little of the starting position's picture is lighter than that it does not count."""
    return int(np.quantile(calibration.start.max(axis=2), 1 - LEAST_CUT))


@lru_cache(maxsize=INSTALLATIONS_KEPT)
def _cut(calibration: Calibration, ceiling: int) -> Calibration:
    return calibration.in_light(lambda picture: cut_off(picture, ceiling))


@lru_cache(maxsize=INSTALLATIONS_KEPT)
def _lost(taken: Calibration, cut: Calibration) -> _Lost:
    """Gets what can be told apart in the light of the calibration, and not once it is cut off at a ceiling."""
    before, after = (_told_apart(calibration) for calibration in (taken, cut))
    return _Lost(
        {seat: before.bare[seat] & ~after.bare[seat] for seat in SEATS},
        before.seats and not after.seats,
    )


@dataclass(frozen=True, eq=False)
class _ToldApart:
    """In which slots (26 x 5) a seat's checkers look other than what is below them, and whether both seats' do."""

    bare: dict[Seat, Bools]
    seats: bool


@lru_cache(maxsize=2 * INSTALLATIONS_KEPT)  # as it was taken, and cut off
def _told_apart(calibration: Calibration) -> _ToldApart:
    found = checker_colours(calibration.camera, calibration.geometry, calibration.start)
    colours = {seat: np.median(found[seat], axis=0).astype(np.uint8) for seat in SEATS}
    empty = reference_strips(calibration).empty
    bare = {seat: _shares_of_tops(_differ(empty, colour)) >= HALF for seat, colour in colours.items()}
    return _ToldApart(bare, all(bool(_differ(one, other)) for one, other in combinations(colours.values(), 2)))


def _differ(colours: Picture, other: Colour) -> Bools:
    """Gets which colours (... x 3) differ plainly from another (3)."""
    return np.asarray(np.abs(ROOTS[colours] - ROOTS[other]).max(axis=-1) >= PLAIN)


def _shares_of_tops(pixels: Bools) -> Floats:
    """Gets what share of the top of a checker in each slot (26 x 5) some pixels of strips (26 x length x width) are."""
    tops = DISCS.tops[:OWN_SLOTS]
    return np.asarray(np.einsum("nlw,slw->ns", pixels, tops, dtype=np.float64) / tops.sum(axis=(1, 2)))


def _strips_of(place: Place) -> list[int]:
    """Gets the strips that show a place; of a tray there are none."""
    if place.kind is PlaceKind.POINT:
        return [place.number - 1]
    return [POINTS, POINTS + 1] if place.kind is PlaceKind.BAR else []
