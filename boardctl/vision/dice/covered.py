"""Dice over which a hand may reach: what an arm or a finger hides a part of is told with doubt, and not how it lies.

Half of a six shows a three, and a die whose edge a sleeve hides looks as if it leaned. An arm that reaches over a die
reaches over the board beside it, too: so the board around each die near a hand is held against the empty one.
"""

from dataclasses import replace

import numpy as np

from boardctl.referee.readings import BoardReading, DieReading
from boardctl.vision.dice.around import Around, Bools, Circles
from boardctl.vision.dice.hand_near import is_hand_near
from boardctl.vision.dice.patch import Picture
from calibration import Calibration

AS_WIDE_AS_A_FINGER, ACROSS = 4, 12
"""So many directions side by side: 45 degrees, as much as a finger of a die's width hides of the middle circle (45);
and 135, as much as an arm whose edge is half a die's width from its middle (135)."""
CHANGED = 0.5
"""Change of a level's root from which something lies there, in light that may be less or more (next): a twelfth of a
level of 120."""
SHADE, LIGHT = 0.8, 1.2
"""By how much levels may be lower below the hand's shadow, and higher, for nothing to lie there. Deeper shade may as
well be a hand: one of the hue of a point was two thirds as light."""
MAY_BE_COVERED, PROBABLY_COVERED = 0.8, 0.5
"""Most confidence in a die that a finger may cover partly, and in one that an arm may: the referee takes neither for a
roll. Of dice half of which a hand hides, and which still seem to show a number, every third shows another one
(``bench hands``)."""


def doubted_near_hands(
    dice: tuple[DieReading, ...], picture: Picture, calibration: Calibration, board: BoardReading, die_mm: float
) -> tuple[DieReading, ...]:
    """Gets dice so wide with those doubted that something over the board may cover partly.

    ``picture`` (H x W x 3) is in the calibration's light; ``board`` was read in it.
    """
    near = [is_hand_near(board, die.center_mm, calibration.geometry) for die in dice]
    if not any(near):
        return dice

    def most_beside(die: DieReading) -> int:
        circles = Circles.about(die.center_mm, die_mm, calibration.camera)
        others = [other.center_mm for other in dice if other is not die]
        is_free = circles.free_of(others, board, calibration.geometry)
        return _most_beside(Around(circles.seen(picture), circles.seen(calibration.empty), is_free))

    return tuple(_doubted(die, most_beside(die)) if is_near else die for die, is_near in zip(dice, near, strict=True))


def _doubted(die: DieReading, beside: int) -> DieReading:
    if beside < AS_WIDE_AS_A_FINGER:
        return die
    most = PROBABLY_COVERED if beside >= ACROSS else MAY_BE_COVERED
    return replace(die, confidence=min(die.confidence, most), flat=None if die.flat is False else die.flat)


def _most_beside(around: Around) -> int:
    """Gets in how many of 32 directions, side by side, something lies beside a die that was not there on the empty
    board, and is neither another die nor a checker."""
    now, empty = around.now, around.empty
    products = (now * empty).sum(axis=1) / np.maximum((empty * empty).sum(axis=1), 1e-3)
    return _longest_run(around.changed(empty * np.clip(products, SHADE**0.5, LIGHT**0.5)[:, None], CHANGED))


def _longest_run(around: Bools) -> int:
    """Gets how many that are true lie side by side on a circle at most."""
    longest = run = 0
    for is_so in (*around, *around):
        run = run + 1 if is_so else 0
        longest = max(longest, run)
    return min(longest, len(around))
