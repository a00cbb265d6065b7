"""Whether a die beside something leans on it, and by how much: the look that is for this alone.

Only a die that touches something can lean, so few dice are looked at in this way. The network is one of its own: the
one that reads dice has learned few tilted ones but by heart (``vision/training/MODEL_CARD.md``).
"""

from collections.abc import Callable
from dataclasses import replace
from math import asin, degrees, exp, hypot, log

import numpy as np
from numpy.typing import NDArray

from boardctl.vision.dice.look import DieView, Sight
from boardctl.vision.dice.memory import Output
from boardctl.vision.dice.networks import tilt_of_patch
from boardctl.vision.dice.patch import Patch, PatchFrame, Picture, network_input, obliqueness, patch_axes

XY = tuple[float, float]

DIE_PX = 26.0
"""Width of a die in a patch: of what lies around it less counts than for its value, and every pixel of it does."""
SHRINK_ABOVE_PX = 46.0
"""Dice larger than this in the picture are cut from the picture at half size, against aliasing."""
MOST_MOVED = 0.3
"""How far the second look is from the first at most, in die widths: in training the middle was seldom further off."""
LOGIT_COUNTS, NORMAL_COUNTS, READER_COUNTS, LIKELY_FLAT = 0.5, 15.0, 0.35, 1.1
"""How much what the network says, how far its normal leans, and what the reader says (logit) make a tilt likely, and
how much is asked of all."""
MOST_READER = 5.0
"""What the reader says counts up to this."""
PLAINLY_FLAT = -3.5
"""Logarithm of odds of a tilt below which the first look is enough: of 3,280 dice that nothing had learned from, drawn
and traced, for which it was, the other would have raised it by 3.8 at most and moved it by 0.5 (standard deviation),
one of them to a likelihood of more than 0.3 (0.43); from -3 on five would have come to more. Of drawn dice that lie
flat beside something 94 in 100 are so, of traced ones 86."""

UNCLEAR = 3.0
"""Logarithm of odds up to which, for or against, two looks leave it open: then others follow."""
MORE_LOOKS = ((1.05, False), (0.95, True))
"""More looks at a die, taken to be a little larger or smaller, mirrored or not. Of dice drawn and traced that nothing
had learned from as many are seen to lean with them, and 73 instead of 71 of 3,351 flat ones called so (one in eleven is
unclear by two looks); but a die of which a little more or less of its size is believed is told alike."""


LookForTilt = Callable[[Sight, float | None, list[DieView], list[bool]], list[DieView]]
"""What gets views with the tilt of the dice, as :func:`look_for_tilt` does."""


def look_for_tilt(sight: Sight, die_mm: float | None, views: list[DieView], free: list[bool]) -> list[DieView]:
    """Gets the views with the tilt of those that do not stand free (``free``) as the looks for it tell.

    ``die_mm``: how wide the dice are; None where that is not settled: then each is looked at as wide as it looks. Of
    864 drawn flat dice that were taken to be larger or smaller by an eighth (standard deviation) 27 in a thousand
    looked tilted, as wide as they looked 13; of 1,152 that lean 94 and 97 in a hundred did.
    """
    seen = []
    for view, stands_free in zip(views, free, strict=True):
        if stands_free:
            seen.append(view)
        else:
            tilted, tilt_deg = tilt_of(sight, view.size_mm if die_mm is None else die_mm, view)
            seen.append(replace(view, tilted=tilted, tilt_deg=tilt_deg))
    return seen


def tilt_of(sight: Sight, die_mm: float, view: DieView) -> tuple[float, float]:
    """Gets how likely a die is tilted, 0 to 1, and by how many degrees.

    The second look, mirrored, is from where the first one shows the middle of the die, and so are those after it.
    """
    first, spot = _look(sight, die_mm, view.spot_mm, mirrored=False)
    leans, aside = _leans([first], view.tilted)
    if leans >= PLAINLY_FLAT:
        middle = _middle(sight, die_mm, spot, first)
        looks = [first, _look(sight, die_mm, middle, mirrored=True)[0]]
        leans, aside = _leans(looks, view.tilted)
        if abs(leans) < UNCLEAR:
            looks += [_look(sight, part * die_mm, middle, mirrored)[0] for part, mirrored in MORE_LOOKS]
            leans, aside = _leans(looks, view.tilted)
    return 1 / (1 + exp(-leans)), degrees(asin(aside))


def _leans(looks: list[NDArray[np.float32]], tilted: float) -> tuple[float, float]:
    """Gets the logarithm of the odds of a tilt by some looks and by what the reader says, and the sine of the tilt."""
    least = 1 / (1 + exp(MOST_READER))
    read = min(max(tilted, least), 1 - least)
    logit, right, up, *_ = np.mean(looks, axis=0).tolist()
    aside = min(1.0, hypot(right, up))
    leans = LOGIT_COUNTS * logit + NORMAL_COUNTS * aside + READER_COUNTS * log(read / (1 - read)) - LIKELY_FLAT
    return leans, aside


def _middle(sight: Sight, die_mm: float, spot_mm: XY, said: NDArray[np.float32]) -> XY:
    """Gets where on the board a look from a spot shows the middle of a die."""
    up, right = patch_axes(sight.camera, spot_mm)
    x, y = np.clip(said[3:5], -MOST_MOVED, MOST_MOVED) * die_mm
    moved = x * right + y * up
    return float(spot_mm[0] + moved[0]), float(spot_mm[1] + moved[1])


def _look(sight: Sight, die_mm: float, spot_mm: XY, mirrored: bool) -> tuple[Output, XY]:
    """Gets what the network says of one patch, turned back if it was mirrored, and the middle of the patch."""
    # A width of less than nothing: no look at a value has such a one.
    key = sight.looks.like((*spot_mm, -die_mm, mirrored))
    x, y, minus_mm, _ = key
    center, mm = (x, y, -minus_mm / 2), -minus_mm

    def cut() -> Picture:
        return sight.patch(PatchFrame(center, mm / DIE_PX, mirrored=mirrored), mm, SHRINK_ABOVE_PX)

    def ask(patch: Patch) -> Output:
        said = tilt_of_patch(network_input([patch], [obliqueness(sight.camera, center)]))
        if mirrored:
            said[[1, 3]] *= -1
        return said

    return sight.looks.see(key, cut, ask), (x, y)
