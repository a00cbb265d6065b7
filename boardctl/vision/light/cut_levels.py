"""What a camera's highest and lowest level cut off: light that is brighter than when the board was calibrated, and
darkness that it has written as black since.

Brought back to the light of the calibration, a picture in brighter light has nothing that is lighter than a ceiling:
the highest level divided by what the light has grown. White checkers look grey then, as the other seat's may be; or as
the light points do, on which they cannot be seen at all. Brought back to the tones of the calibration, a picture of a
camera whose contrast was raised or whose brightness was lowered has nothing that is darker than a floor: what it wrote
as none may have been anything below. So what a picture is compared with is cut off at the same ceiling and floor: what
the camera could not tell apart is not told apart. Shadows and rims still show most checkers of a light seat on light
points. Where nothing shows whether there is one, or whose it is, the point is said to be hidden. It is said of both
that the light is too bright there, or the picture too dark: people can do something about that. Where the board was as
white as checkers are already when it was calibrated, only their rims tell of them, too.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import combinations
from math import ceil, exp, log

import numpy as np
from numpy.typing import NDArray

from boardctl.referee.readings import BoardReading, DieReading, PlaceReading, Support
from boardctl.rules import Place, PlaceKind, Seat, Stack
from boardctl.vision.dice.told import SEEMS_FLAT
from boardctl.vision.light.glare import without_glare
from boardctl.vision.points.column_input import ROOTS
from boardctl.vision.points.columns import POINTS, reference_strips
from boardctl.vision.points.seats_seen import DISCS, OWN_SLOTS
from calibration import Calibration
from calibration.channels import strongest, weakest, white_level
from calibration.colours import checker_colours
from calibration.drift import LIGHT_CHANGED
from calibration.installation import INSTALLATIONS_KEPT
from calibration.light.tones import ABOVE_DARKEST

Picture = NDArray[np.uint8]
Colour = NDArray[np.uint8]
Bools = NDArray[np.bool_]
Floats = NDArray[np.float64]

HIGHEST = 255
"""The highest level of a picture."""

STEP = 0.08
"""Ceilings are that far apart (logarithm), and floors, so that what is made for one serves while light changes by
little."""

LEAST_CUT = 0.002
"""Share of the starting position's picture that must be lighter than a ceiling, or darker than a floor, for anything to
be cut off by it."""

LEAST_FLOOR = 4.0
"""A floor below this level cuts off nothing but noise."""

PLAIN = 0.8
"""Change (root scale) of a pixel that something lies on, as where rows are found."""

HALF = 0.5
"""Share of a checker's top that must look other than what is below it."""

CUT_OFF = 0.1
"""Share of a checker's top at ceiling or floor from which colours of a place are lost."""

NOTHING_SEEN = 0.95
"""Share of a checker's top with all three channels at the ceiling, or at the floor, of which nothing at all can be
seen: neither grain nor rim."""

AROUND_DIE = 1.0
"""So far from its middle on, in die widths, it is seen on what a die lies and whether it casts a shadow on that."""

MOST_TOLD, MOST_BY_RIMS = 0.9, 0.6
"""Most that is told of a place of which colours are lost: the networks have learned from pictures in which few are; and
where only rims and shadows tell whether there is one checker more."""

WHITE_NOISE = 10
"""What is up to so many levels darker than white may be that, too: of a white checker on a board of 245 to 250 nothing
was seen, and it was told to be none, surely."""

UNEVEN = 3.0
"""So many times as dark as usual a checker may be where little light falls on a board."""

LONG_ROW = 4
"""On rows of so many checkers and more others may lie."""

SEATS = (Seat.A, Seat.B)


@dataclass(frozen=True, slots=True)
class Levels:
    """The levels between which a picture tells anything, once it is brought to the calibration's light and tones."""

    lowest: int = 0
    highest: int = HIGHEST

    def cut(self, picture: Picture) -> Picture:
        """Gets a picture (H x W x 3) with all that is darker as dark as the lowest, and what is lighter as light as the
        highest."""
        if self.lowest > 0:
            picture = np.maximum(picture, np.uint8(self.lowest))
        return picture if self.highest == HIGHEST else np.minimum(picture, np.uint8(self.highest))

    def is_ceiling(self, levels: NDArray[np.uint8]) -> Bools:
        """Gets which levels are cut off at the highest."""
        return np.asarray((levels >= self.highest) & (self.highest < HIGHEST))

    def is_floor(self, levels: NDArray[np.uint8]) -> Bools:
        """Gets which levels are cut off at the lowest, but for what noise adds to it."""
        return np.asarray((levels <= self.lowest * ABOVE_DARKEST) & (self.lowest > 0))


ALL_LEVELS = Levels()


@dataclass(frozen=True, eq=False)
class _Lost:
    """What cannot be told apart where levels are cut off."""

    bare: dict[Seat, Bools]
    """In which slots (26 x 5) a seat's checkers look as what is below them."""
    wholly: dict[Seat, Bools]
    """In which they do so all over, whether they did in the light of the calibration or not."""
    alike: bool
    """Whether both seats' checkers look alike."""


@dataclass(frozen=True, eq=False)
class Shown:
    """A picture (H x W x 3) and its calibration, both cut off at the same ``levels``, and the calibration as it was
    taken."""

    picture: Picture
    calibration: Calibration
    taken: Calibration
    levels: Levels = ALL_LEVELS

    @property
    def is_cut(self) -> bool:
        """Whether anything is cut off."""
        return self.levels != ALL_LEVELS

    def doubted(self, board: BoardReading) -> BoardReading:
        """Gets what is read in the picture without what cannot be told where levels are cut off."""
        places = tuple(self._doubted(board.places)) if self.is_cut else board.places
        white = _white_at_start(self.taken)
        told = replace(board, places=tuple(_as_white(reading, white) for reading in places) if white else places)
        return without_glare(told, self.taken)

    def _doubted(self, places: tuple[PlaceReading, ...]) -> Iterator[PlaceReading]:
        lost = self._cut_off.bright | self._cut_off.dark
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
        seats = [seat for seat in SEATS if not stack or seat in stack]
        by_rims, wholly = (
            np.any([slots[seat][strips, next_one] for seat in seats], 0)
            for slots in (self._lost.bare, self._lost.wholly)
        )
        burnt, black = (each[strips, next_one] >= NOTHING_SEEN for each in (self._cut_off.burnt, self._cut_off.black))
        blind = (burnt & (by_rims | wholly)) | (black & self._may_be_black(seats))
        unseen = bool(blind.any()) or (bool(stack) and self._lost.alike)
        only_rims = bool(by_rims.any()) or self._may_bear_more(reading.place, stack, strips)
        told = reading.at_most(MOST_BY_RIMS if only_rims else MOST_TOLD)
        # Of what is hidden by what lies on the board nothing is said.
        is_told = not reading.hidden and (unseen or only_rims)
        bright, dark = self._which_end(strips)
        hidden = reading.hidden or unseen
        return replace(told, hidden=hidden, too_bright=is_told and bright, too_dark=is_told and dark)

    def _may_bear_more(self, place: Place, stack: Stack, strips: list[int]) -> bool:
        """Whether checkers as black as those below them may lie on a point's row."""
        is_long = place.kind is PlaceKind.POINT and len(stack) >= LONG_ROW
        return is_long and bool((self._cut_off.black[strips, : len(stack)] >= NOTHING_SEEN).any())

    def _may_be_black(self, seats: list[Seat]) -> bool:
        """Whether checkers of any of the seats are so dark that they are as black as the floor somewhere."""
        darkest = self.levels.lowest * UNEVEN
        return any(float(_told_apart(self.taken).colours[seat].max()) <= darkest for seat in seats)

    def _which_end(self, strips: list[int]) -> tuple[bool, bool]:
        """Gets whether strips are too bright, and too dark; of a tray, of which there are none, whether anything is."""
        if not strips:
            return self.levels.highest < HIGHEST, self.levels.lowest > 0
        return bool(self._cut_off.bright[strips].any()), bool(self._cut_off.dark[strips].any())

    def doubted_dice(self, dice: tuple[DieReading, ...], die_mm: float) -> tuple[DieReading, ...]:
        """Gets dice so wide without what their pictures cannot tell: one whose sides, or what is around it, are as
        black as all that is dark may as well lie flat."""
        if self.levels.lowest == 0:
            return dice
        reach_px = AROUND_DIE * self.calibration.camera.seen_px(die_mm)
        return tuple(self._doubted_die(die, reach_px) for die in dice)

    def _doubted_die(self, die: DieReading, reach_px: float) -> DieReading:
        if die.flat is not False or die.on is not Support.SURFACE or die.confidence > SEEMS_FLAT:
            return die  # it is not said to lean, is seen to lie on something, or leans for sure
        (left, top), (right, bottom) = (np.rint(np.add(die.center_px, way * reach_px)).astype(int) for way in (-1, 1))
        around = self.picture[max(top, 0) : bottom + 1, max(left, 0) : right + 1]
        is_black = float(self.levels.is_floor(strongest(around)).mean()) >= CUT_OFF
        return replace(die, flat=None) if is_black else die

    @cached_property
    def _cut_off(self) -> "_CutOff":
        strips = reference_strips(self.calibration).cutter.cut(self.picture)
        lightest, darkest = strongest(strips), weakest(strips)
        any_bright, burnt = (_shares_of_tops(self.levels.is_ceiling(level)) for level in (lightest, darkest))
        any_dark, black = (_shares_of_tops(self.levels.is_floor(level)) for level in (darkest, lightest))
        bright, dark = (share.max(axis=1) >= CUT_OFF for share in (any_bright, any_dark))
        return _CutOff(bright, dark, burnt, black)

    @property
    def _lost(self) -> _Lost:
        return _lost(self.taken, self.calibration)


def shown_by(picture: Picture, calibration: Calibration, gain: float, darkest: float = 0.0) -> Shown:
    """Gets a picture (H x W x 3), brought to the calibration's light and tones, cut off where it has nothing to tell;
    as it is where nothing is lost so.

    ``gain``: how many times as bright it was at its brightest. ``darkest``: the level to which its lowest was brought.
    """
    levels = Levels(_floor(calibration, darkest), _ceiling(calibration, gain))
    if levels == ALL_LEVELS:
        return Shown(picture, calibration, calibration)
    return Shown(levels.cut(picture), _cut(calibration, levels), calibration, levels)


def _ceiling(calibration: Calibration, gain: float) -> int:
    """Gets the level above which a picture so many times as bright tells nothing."""
    ceiling = int(HIGHEST * exp(-STEP * ceil(log(gain) / STEP)))
    return HIGHEST if log(gain) < LIGHT_CHANGED or _lightest(calibration) <= ceiling else ceiling


def _floor(calibration: Calibration, darkest: float) -> int:
    """Gets the level below which a picture tells nothing of which the lowest was brought to ``darkest``."""
    if darkest < LEAST_FLOOR:
        return 0
    floor = min(ceil(exp(STEP * ceil(log(darkest) / STEP))), HIGHEST)
    return 0 if _darkest(calibration) >= floor else floor


def white_points(calibration: Calibration) -> list[int]:
    """Gets the points on which only rims tell of a checker: it would be as white there as the board, and both as white
    as the camera can tell, in the calibration's own pictures."""
    slots = [*_white_at_start(calibration).values()]
    return (np.flatnonzero(np.any(slots, axis=(0, 2))[:POINTS]) + 1).tolist() if slots else []


def _as_white(reading: PlaceReading, white: dict[Seat, Bools]) -> PlaceReading:
    """Gets the reading of a place with doubt where one checker more of a seat would be as white as the board below it:
    ``white`` (26 x 5) as :func:`_white_at_start` tells of each seat."""
    stack = reading.best or ()
    if reading.place.kind is not PlaceKind.POINT or len(stack) >= OWN_SLOTS:
        return reading
    strip = reading.place.number - 1
    if not any(white[seat][strip, len(stack)] for seat in white if not stack or seat in stack):
        return reading
    return replace(reading.at_most(MOST_BY_RIMS), too_bright=not reading.hidden)


@dataclass(frozen=True, eq=False)
class _CutOff:
    """In which strips (26) colours are lost as they are too ``bright``, and too ``dark``; and what share of a checker's
    top in each slot (26 x 5) is ``burnt``, with all channels at the ceiling, and ``black``, with all at the floor."""

    bright: Bools
    dark: Bools
    burnt: Floats
    black: Floats


@lru_cache(maxsize=INSTALLATIONS_KEPT)
def _lightest(calibration: Calibration) -> int:
    """Gets the level that so little of the starting position's picture is lighter than that it does not count."""
    return int(np.quantile(strongest(calibration.start), 1 - LEAST_CUT))


@lru_cache(maxsize=INSTALLATIONS_KEPT)
def _darkest(calibration: Calibration) -> int:
    """Gets the level that so little of the starting position's picture is darker than that it does not count."""
    return int(np.quantile(weakest(calibration.start), LEAST_CUT))


@lru_cache(maxsize=INSTALLATIONS_KEPT)
def _white_at_start(calibration: Calibration) -> dict[Seat, Bools]:
    """Gets for each seat of which a checker was as white as the camera can tell at the start, in which slots (26 x 5)
    the empty board was; nothing where it was in none."""
    empty = reference_strips(calibration).empty
    white = _shares_of_tops(weakest(empty) >= _least_white(empty)) >= HALF
    if not white.any():
        return {}
    least = _least_white(reference_strips(calibration).cutter.cut(calibration.start))
    found = checker_colours(calibration.camera, calibration.geometry, calibration.start)
    return {seat: white for seat in SEATS if bool((found[seat].min(axis=1) >= least).any())}


def _least_white(strips: Picture) -> float:
    """Gets the level from which on all channels of strips (26 x length x width x 3) are as white as can be told."""
    return white_level(strips) - WHITE_NOISE


@lru_cache(maxsize=INSTALLATIONS_KEPT)
def _cut(calibration: Calibration, levels: Levels) -> Calibration:
    return calibration.in_light(levels.cut)


@lru_cache(maxsize=INSTALLATIONS_KEPT)
def _lost(taken: Calibration, cut: Calibration) -> _Lost:
    """Gets what can be told apart in the light of the calibration, and not once levels are cut off."""
    before, after = (_told_apart(calibration) for calibration in (taken, cut))
    return _Lost(
        {seat: before.bare[seat] & ~after.bare[seat] for seat in SEATS},
        {seat: after.shares[seat] <= 1 - NOTHING_SEEN for seat in SEATS},
        before.seats and not after.seats,
    )


@dataclass(frozen=True, eq=False)
class _ToldApart:
    """Each seat's colour (3), the share of the top of its checkers that looks other than what is below them in each
    slot (26 x 5), and whether both seats' do."""

    colours: dict[Seat, Colour]
    shares: dict[Seat, Floats]
    seats: bool

    @property
    def bare(self) -> dict[Seat, Bools]:
        """In which slots checkers look other than what is below them."""
        return {seat: share >= HALF for seat, share in self.shares.items()}


@lru_cache(maxsize=2 * INSTALLATIONS_KEPT)  # as it was taken, and cut off
def _told_apart(calibration: Calibration) -> _ToldApart:
    found = checker_colours(calibration.camera, calibration.geometry, calibration.start)
    colours = {seat: np.median(found[seat], axis=0).astype(np.uint8) for seat in SEATS}
    empty = reference_strips(calibration).empty
    shares = {seat: _shares_of_tops(_differ(empty, colour)) for seat, colour in colours.items()}
    return _ToldApart(
        colours, shares, all(bool(_differ(one, other)) for one, other in combinations(colours.values(), 2))
    )


def _differ(colours: Picture, other: Colour) -> Bools:
    """Gets which colours (... x 3) differ plainly from another (3)."""
    return np.asarray(strongest(np.abs(ROOTS[colours] - ROOTS[other])) >= PLAIN)


def _shares_of_tops(pixels: Bools) -> Floats:
    """Gets what share of the top of a checker in each slot (26 x 5) some pixels of strips (26 x length x width) are."""
    tops = DISCS.tops[:OWN_SLOTS]
    return np.asarray(np.einsum("nlw,slw->ns", pixels, tops, dtype=np.float64) / tops.sum(axis=(1, 2)))


def _strips_of(place: Place) -> list[int]:
    """Gets the strips that show a place; of a tray there are none."""
    if place.kind is PlaceKind.POINT:
        return [place.number - 1]
    return [POINTS, POINTS + 1] if place.kind is PlaceKind.BAR else []
