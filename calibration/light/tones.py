"""Tones: what a camera makes of as much light as there was on the empty board.

Cameras raise contrast by themselves, and lighten what is dark; somebody turns brightness, contrast or gamma; the sun
shines on the lens and lays a veil over all. Light of another strength multiplies all levels alike; these change dark
ones otherwise than light ones. So they are told by places all over the board and around it, most of which look as they
did but for that, and taken out of the picture again. What such a change does not explain is left as it was taken.
"""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from calibration.difference import DARK_OFFSET
from calibration.drift import view_of
from calibration.empty_places import EmptyPlaces, colours_at, empty_places, places_over
from calibration.installation import INSTALLATIONS_KEPT, Calibration
from calibration.light.tone_curve import Curve, curves_told
from calibration.light.veil import Veil, veil_told

Picture = NDArray[np.uint8]
Floats = NDArray[np.float64]

CUT_OFF = (3.0, 250.0)
"""Levels beyond these may be cut off: nothing is told by them."""
ABOVE_DARKEST = 1.083
"""A level is lighter than the darkest where it is more than so many times as light: noise reaches less high."""
LEAST_PLACES = 300
"""Of fewer places nothing is told."""
PARTS = (1 / 3, 2 / 3)
SUSPECTED = 0.1
"""Tones are looked at more closely where the change of levels (logarithm) differs by this between the darkest, the
middle and the lightest third of the places."""
EXPLAINED, AS_CALIBRATED = 0.5, 2.2
LEAST_OFF = 0.05
"""A change of tones explains what is seen where it leaves no more than this share of what the middle one of the places
is off but for light of another strength, and no more than so many times what it is off in the starting position, which
was taken soon after the empty board; and that is no less than this (root scale)."""
PLAINLY, CLOSE = 0.3, 0.5
"""And where it leaves no more than this share, and is no further off (root scale): less than a change that is seen."""
HOPELESS = 1.5
"""No curve is looked for where any would leave more than so many times as much; that is known only roughly."""
BETTER = 0.8
"""A veil that differs over the picture is told where it leaves no more than this share of what a curve leaves."""
ALIKE, SAME = 1.2, 1.03
"""Tones are taken to be as in the picture before while the places are off without them by no more than so many times
as much as then, and no less than one by so many; tones that were not told in it, while they are off by the same."""


@dataclass(frozen=True)
class Tones:
    """How tones of a picture are changed, and how far off that leaves the middle one of the places (root scale); no
    ``change``: none explains how far off they are."""

    change: Curve | Veil | None
    off: float

    @property
    def darkest(self) -> float:
        """The level to which a picture's lowest is brought: what was written as that may have been anything darker."""
        return 0.0 if self.change is None else self.change.darkest

    def undone(self, picture: Picture) -> Picture:
        """Gets a picture (H x W x 3) with the tones of the empty board's; itself where it is not told how."""
        return picture if self.change is None else self.change.undone(picture)

    def hold(self, seen: "_Seen") -> bool:
        """Whether they may be taken to be what is seen, too."""
        alike = SAME if self.change is None else ALIKE
        return 1 / alike <= seen.off(self.change) / max(self.off, LEAST_OFF) <= alike


def tones_of(picture: Picture, calibration: Calibration, known: Tones | None = None) -> Tones | None:
    """Gets how tones of a picture (H x W x 3) are changed; None where they are as on the empty board, or nothing is
    seen of it. ``known``: as they were in the picture before."""
    places = empty_places(calibration)
    now = colours_at(picture, places.levels)
    if not _by_lightness(calibration).is_suspected(now):
        return None
    seen = _Seen.of(now, places)
    if known and known.hold(seen):
        return known
    straight = Tones(None, seen.off(None))
    usual = min(EXPLAINED * straight.off, AS_CALIBRATED * _off_as_calibrated(calibration))
    found = seen.told(max(usual, min(PLAINLY * straight.off, CLOSE)))
    if found is None:
        return straight
    # Where the camera has moved, or most is covered, levels differ that no change of tones brings back.
    view = view_of(found.undone(picture), calibration)
    return found if view.holds and view.shift_px is not None else straight


def with_tones_of(other: Picture, picture: Picture) -> Picture:
    """Gets a picture with the tones of another one of the same scene (each H x W x 3), whatever lies on the board in
    either; itself where they are the same, or it is not plain how they have changed."""
    places = places_over(other)
    now = colours_at(picture, places.levels)
    if not _ByLightness.of(places).is_suspected(now):
        return picture
    seen = _Seen.of(now, places)
    found = seen.told(min(PLAINLY * seen.off(None), CLOSE))
    return picture if found is None else found.undone(picture)


@lru_cache(maxsize=INSTALLATIONS_KEPT)
def _off_as_calibrated(calibration: Calibration) -> float:
    """Gets how far off places are in the starting position (root scale)."""
    places = empty_places(calibration)
    return max(_Seen.of(colours_at(calibration.start, places.levels), places).off(None), LEAST_OFF)


@dataclass(frozen=True, eq=False)
class _ByLightness:
    """How light places are on the empty board (N, logarithm), and which are dark, middling and light ones (3 x N)."""

    logs: NDArray[np.float32]
    parts: NDArray[np.bool_]

    @classmethod
    def of(cls, places: EmptyPlaces) -> "_ByLightness":
        """Gets those of which levels are not cut off."""
        logs = _logs(places.colours)
        told = _are_told(places.colours)
        of_parts = np.digitize(logs, np.quantile(logs[told], PARTS) if told.any() else PARTS)
        return cls(logs, np.stack([told & (of_parts == part) for part in range(len(PARTS) + 1)]))

    def is_suspected(self, now: NDArray[np.float32]) -> bool:
        """Whether dark places have changed otherwise than light ones, by what colours (N x 3) they have now."""
        change, told = _logs(now) - self.logs, _are_told(now)
        parts = [change[part & told] for part in self.parts]
        if sum(map(len, parts)) < LEAST_PLACES or not all(map(len, parts)):
            return False
        return float(np.ptp([np.median(part) for part in parts])) > SUSPECTED


@lru_cache(maxsize=INSTALLATIONS_KEPT)
def _by_lightness(calibration: Calibration) -> _ByLightness:
    """Gets this of an installation, made on first use."""
    return _ByLightness.of(empty_places(calibration))


def _are_told(colours: NDArray[np.float32]) -> NDArray[np.bool_]:
    """Gets of which places no channel (N x 3) may be cut off."""
    return np.asarray(((colours > CUT_OFF[0]) & (colours < CUT_OFF[1])).all(axis=1))


def _logs(colours: NDArray[np.float32]) -> NDArray[np.float32]:
    return np.asarray(np.log(colours.mean(axis=1) + np.float32(DARK_OFFSET)), dtype=np.float32)


@dataclass(frozen=True, eq=False)
class _Seen:
    """Levels at places of a picture, and what they were on the empty board (N x 3); where these are (N x 2, -1 to 1
    over the picture)."""

    now: Floats
    before: Floats
    at: Floats

    @classmethod
    def of(cls, now: NDArray[np.float32], places: EmptyPlaces) -> "_Seen":
        """Gets those whose levels are not cut off."""
        told = _are_told(now) & _are_told(places.colours)
        return cls(now[told].astype(np.float64), places.colours[told].astype(np.float64), places.at[told])

    def told(self, most: float) -> Tones | None:
        """Gets the change of tones that explains best what is seen; None where each leaves more than ``most``."""
        veil = veil_told(self.now, self.before, self.at)
        changes: list[Curve | Veil] = [] if veil is None else [veil]
        if self._off_any_curve() <= HOPELESS * most:
            changes += curves_told(self.now, self.before)
        found = [each for each in (Tones(change, self.off(change)) for change in changes) if each.off <= most]
        return min(found, key=lambda each: each.off * (1 if each.change is veil else BETTER), default=None)

    def _off_any_curve(self) -> float:
        """Gets how far off the middle one of the places is (root scale) without any curve whatever: by how far those
        next to each other in level are apart (Rice, 1984)."""
        apart = [
            np.abs(np.diff(np.sqrt(before[np.argsort(now)] + DARK_OFFSET)))
            for now, before in zip(self.now.T, self.before.T, strict=True)
        ]
        return float(np.median(apart) / np.sqrt(2))

    def off(self, change: Curve | Veil | None) -> float:
        """Gets how far the middle one of the places is off (root scale) without a change, but for light of another
        strength and colour."""
        back = self.now if change is None else change.back(self.now, self.at)
        gains = np.median((self.before + DARK_OFFSET) / (back + DARK_OFFSET), axis=0)
        return float(np.median(np.abs(np.sqrt(back * gains + DARK_OFFSET) - np.sqrt(self.before + DARK_OFFSET))))
