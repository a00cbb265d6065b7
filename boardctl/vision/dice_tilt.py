"""Whether a die beside something leans on it, and by how much: the look that is for this alone.

Only a die that touches something can lean, so few dice are looked at in this way. The network is one of its own: the
one that reads dice has learned few tilted ones but by heart (``training/MODEL_CARD.md``).
"""

from dataclasses import replace
from math import asin, degrees, exp, hypot, log

import numpy as np
from numpy.typing import NDArray

from boardctl.vision.dice_look import DieView, Sight
from boardctl.vision.dice_networks import tilt_of_patch
from boardctl.vision.dice_patch import PatchFrame, cut_patch, die_size_px, network_input, obliqueness

DIE_PX = 26.0
"""Width of a die in a patch: of what lies around it less counts than for its value, and every pixel of it does."""
SHRINK_ABOVE_PX = 46.0
"""Dice larger than this in the picture are cut from the picture at half size, against aliasing."""
TILT_LOOKS = ((1.0, False), (1.0, True), (0.96, False), (1.04, True))
"""How a die is looked at: with which part of its size assumed, mirrored or not."""
LOGIT_COUNTS, NORMAL_COUNTS, READER_COUNTS, LIKELY_FLAT = 0.354, 10.6, 0.708, 1.16
"""How much what the network says, how far its normal leans, and what the reader says (logit) make a tilt likely, and
how much is asked of all."""
MOST_READER = 5.0
"""What the reader says counts up to this."""
PLAINLY_FLAT = -3.0
"""Logarithm of odds of a tilt below which the first look is enough: of 2,694 dice for which it was, the other three
would have raised it by 1.9 at most and moved it by 0.2 (standard deviation), and a die is called flat below -0.85. Of
true dice that lie flat nine in ten are so."""


def look_for_tilt(sight: Sight, die_mm: float, views: list[DieView], free: list[bool]) -> list[DieView]:
    """Gets the views with the tilt of those that do not stand free (``free``) as the looks for it tell."""
    seen = []
    for view, stands_free in zip(views, free, strict=True):
        if stands_free:
            seen.append(view)
        else:
            tilted, tilt_deg = _tilt(sight, die_mm, view)
            seen.append(replace(view, tilted=tilted, tilt_deg=tilt_deg))
    return seen


def _tilt(sight: Sight, die_mm: float, view: DieView) -> tuple[float, float]:
    """Gets how likely a die is tilted, 0 to 1, and by how many degrees."""
    least = 1 / (1 + exp(MOST_READER))
    read = min(max(view.tilted, least), 1 - least)
    looks: list[NDArray[np.float32]] = []
    leans = aside = 0.0
    for part, mirrored in TILT_LOOKS:
        looks.append(_look(sight, part * die_mm, die_mm, view.spot_mm, mirrored))
        logit, right, up = np.mean(looks, axis=0).tolist()
        aside = min(1.0, hypot(right, up))
        leans = LOGIT_COUNTS * logit + NORMAL_COUNTS * aside + READER_COUNTS * log(read / (1 - read)) - LIKELY_FLAT
        if len(looks) == 1 and leans < PLAINLY_FLAT:
            break
    return 1 / (1 + exp(-leans)), degrees(asin(aside))


def _look(
    sight: Sight, assumed_mm: float, die_mm: float, spot_mm: tuple[float, float], mirrored: bool
) -> NDArray[np.float32]:
    """Gets what the network says of one patch, turned back if it was mirrored."""
    key = (*spot_mm, -assumed_mm, mirrored)  # less than nothing: no look at a value has such a width
    known = sight.looks.get(key)
    if known is not None:
        return known
    center = (*spot_mm, die_mm / 2)
    large = die_size_px(sight.camera, center, assumed_mm) > SHRINK_ABOVE_PX
    frame = PatchFrame(center, assumed_mm / DIE_PX, mirrored=mirrored)
    patch = cut_patch(sight.picture, sight.camera, frame, half_picture=sight.half_picture if large else None)
    said = tilt_of_patch(network_input([patch], [obliqueness(sight.camera, center)]))
    if mirrored:
        said[1] *= -1
    sight.looks.put(key, said)
    return said
