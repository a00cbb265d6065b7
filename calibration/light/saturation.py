"""How much colour a camera shows, against the picture of the empty board.

Cameras take colour out of their pictures where light gets low, and show none at all where they go over to their night
mode; somebody may turn a setting, too. Then a red checker and a green one are two greys, and may be the same. Light of
any colour tints all that is in view alike; saturation draws colours nearer to their greys, or further from them. So it
is told by how far colours are from each other, all over the board and around it, wherever it is as light as it was.
"""

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.difference import DARK_OFFSET
from calibration.drift import GREY, view_of
from calibration.empty_places import colours_at, empty_places
from calibration.installation import INSTALLATIONS_KEPT, Calibration
from calibration.light.tones import ABOVE_DARKEST

Picture = NDArray[np.uint8]
Floats = NDArray[np.float32]

DARKEST = 15.0
"""Below this level a camera shows little colour."""
ALIKE = 0.6
"""A place is as light as it was to within this (root scale): as much as a change that is seen at all."""
LEAST_PLACES = 120
"""Of fewer places that are as light as they were nothing is told."""
LEAST_PATTERN = 0.4
"""Nor where light and dark of these places differ by less than such a share of what they did: one colour fills the
picture."""
LEAST_COLOUR = 0.04
"""How far colours of the empty board are from each other at least, in parts of their lightness, if saturation is to be
told; it is 0.1 to 0.5 on the eleven installations that were looked at. Half of them are as far from their middle one
where colours are seen at last."""
NO_COLOUR = 0.02
"""Tints no further from each other than this are greys: what packing pictures makes of them."""
FAR_OFF = 3.0
"""Tints that are so many times as far off as the middle one are none of the board's."""
SEEN_AGAIN = 0.5
"""Share of the tints of the empty board that the starting position must show again beside the checkers, or they are
mostly noise, and nothing hangs on their being seen no more."""
NOTHING = 1e-9
"""Least that is divided by."""

COLOURLESS = 0.22
"""Below this saturation a camera shows no colours: none can be brought back."""
FAINT, STRONG = 0.7, 1.2
"""Between these saturations a picture is left as it was taken. It is told as 0.95 to 1.01 of pictures as they were
calibrated, as 0.80 to 1.05 in sunlight and in other hours' light (eleven installations)."""


@dataclass(frozen=True, eq=False)
class ColouredPlaces:
    """Places on the empty board and around it: their levels in a picture (9 x 3 N), their colours (N x 3), how light
    they are (N, root scale), and their tints (N x 3). ``again``: their tints in the starting position, and ``bare``:
    which were as light then. ``in_colour``: the pictures of the calibration have colours, those of the checkers if no
    others."""

    levels: NDArray[np.intp]
    colours: Floats
    roots: Floats
    tints: Floats
    again: Floats
    bare: NDArray[np.bool_]
    in_colour: bool

    def are_sure(self, chosen: NDArray[np.intp]) -> bool:
        """Whether chosen places have the tints that they show: noise gives a place another one in each picture."""
        seen_twice = chosen[self.bare[chosen]]
        if len(seen_twice) < LEAST_PLACES:
            return False
        return _slope(_from_middle(self.again[seen_twice]), _from_middle(self.tints[seen_twice])) >= SEEN_AGAIN


def saturation_of(picture: Picture, calibration: Calibration, darkest: float = 0.0) -> float | None:
    """Gets how saturated a picture's colours (H x W x 3) are, in parts of what those of the empty board are; infinity
    where these have none. None where it cannot be told: the board is covered or elsewhere, or without colours.

    ``darkest``: the level to which its lowest was brought; a colour of which a channel is no lighter is another one.
    """
    saturation = _saturation(picture, coloured_places(calibration), darkest)
    if saturation is None or FAINT <= saturation <= STRONG:
        return saturation
    # Where the camera has moved other colours are seen, which are not fainter or stronger ones.
    view = view_of(picture, calibration)
    return saturation if view.holds and view.shift_px is not None else None


def _saturation(picture: Picture, were: ColouredPlaces, darkest: float) -> float | None:
    colours = colours_at(picture, were.levels)
    whole = colours.min(axis=1) > darkest * ABOVE_DARKEST
    colours /= np.maximum(np.median((colours + 1) / (were.colours + 1), axis=0), 1e-3)
    tints, roots = _tints(colours)
    alike = whole & (np.abs(roots - were.roots) < ALIKE) & (roots > np.sqrt(DARKEST + DARK_OFFSET))
    if np.count_nonzero(alike) < LEAST_PLACES or roots[alike].std() < LEAST_PATTERN * were.roots.std():
        return None
    now, before = (_from_middle(each[alike]) for each in (tints, were.tints))
    if not were.in_colour:
        return float("inf") if _usual(now) > LEAST_COLOUR else None
    if _spread(before) < LEAST_COLOUR:
        return None
    # Checkers and hands that are as light as what they cover have other tints: those farthest off are left out.
    off = np.linalg.norm(now - _slope(now, before) * before, axis=1)
    usual = off <= FAR_OFF * np.median(off)
    saturation = max(_slope(now[usual], before[usual]), 0.0)
    return None if saturation < COLOURLESS and not were.are_sure(np.flatnonzero(alike)[usual]) else saturation


def _slope(now: Floats, before: Floats) -> float:
    """Gets by how much tints (N x 3) are those of before, multiplied (least squares)."""
    return float(np.vdot(now, before)) / max(float(np.vdot(before, before)), NOTHING)


def _from_middle(tints: Floats) -> Floats:
    """Gets how far tints (N x 3) are from the middle one."""
    return np.asarray(tints - np.median(tints, axis=0), dtype=np.float32)


def _usual(tints: Floats) -> float:
    """Gets how far the middle one of tints (N x 3) is from no tint at all."""
    return float(np.median(np.linalg.norm(tints, axis=1)))


def _spread(tints: Floats) -> float:
    """Gets how far tints (N x 3) are from each other (standard deviation)."""
    return float(np.sqrt(tints.var(axis=0).sum()))


def is_colourless(saturation: float | None) -> bool:
    """Whether a picture shows other colours than its saturation can be brought back to: none, or some at last."""
    return saturation is not None and (saturation < COLOURLESS or saturation == float("inf"))


def saturated(picture: Picture, saturation: float | None) -> Picture:
    """Gets a picture (H x W x 3) with the saturation of the empty board's; itself where its own is about that."""
    if saturation is None or FAINT <= saturation <= STRONG:
        return picture
    grey = np.tile(GREY, (3, 1))
    return np.asarray(cv2.transform(picture, (np.eye(3) - grey) / saturation + grey), dtype=np.uint8)


@lru_cache(maxsize=INSTALLATIONS_KEPT)
def coloured_places(calibration: Calibration) -> ColouredPlaces:
    """Gets the places of an installation that are looked at, made on first use."""
    places = empty_places(calibration)
    tints, roots = _tints(places.colours)
    again, roots_again = _tints(colours_at(calibration.start, places.levels))
    in_colour = max(_spread(tints), _spread(again)) > NO_COLOUR
    bare = np.abs(roots_again - roots) < ALIKE
    return ColouredPlaces(places.levels, places.colours, roots, tints, again, bare, in_colour)


def _tints(colours: Floats) -> tuple[Floats, Floats]:
    """Gets how far colours (N x 3) are from their greys, in parts of their lightness, and how light they are (N, root
    scale)."""
    lightness = colours.mean(axis=1)
    tints = (colours - lightness[:, None]) / (lightness + 2 * DARK_OFFSET)[:, None]
    return tints, np.sqrt(lightness + DARK_OFFSET)
