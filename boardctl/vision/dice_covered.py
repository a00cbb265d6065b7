"""Dice over which a hand may reach: what an arm or a finger hides a part of is told with doubt, and not how it lies.

Half of a six shows a three, and a die whose edge a sleeve hides looks as if it leaned. An arm that reaches over a die
reaches over the board beside it, too: so the board around each die near a hand is held against the empty one.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from math import pi

import cv2
import numpy as np
from numpy.typing import NDArray

from boardctl.referee.readings import BoardReading, DieReading
from boardctl.rules import PlaceKind
from boardctl.vision.dice_patch import Picture
from boardctl.vision.dice_place import least_height
from boardctl.vision.hand_near import is_hand_near
from calibration import BoardGeometry, Calibration

XY = tuple[float, float]
Bools = NDArray[np.bool_]
Roots = NDArray[np.float64]

DIRECTIONS = 32
CIRCLES = (1.15, 1.3, 1.5)
"""The board is looked at on circles around a die's middle, of these radii in die widths: beyond its sides and most of
its shadow."""
LEAST_CIRCLES = 2
"""In a direction something lies beside a die where so many circles show it."""
AS_WIDE_AS_A_FINGER, ACROSS = 4, 12
"""So many directions side by side: 45 degrees, as much as a finger of a die's width hides of the middle circle (45);
and 135, as much as an arm whose edge is half a die's width from its middle (135)."""
CHANGED = 0.5
"""Change of a level's root from which something lies there, in light that may be less or more (next): a twelfth of a
level of 120."""
SHADE, LIGHT = 0.8, 1.2
"""By how much levels may be lower below the hand's shadow, and higher, for nothing to lie there. Deeper shade may as
well be a hand: one of the hue of a point was two thirds as light."""
OF_A_CHECKER, OF_A_DIE = 0.6, 0.8
"""So near to the middle of a checker (in its widths) and of another die (in its own) it is these that are seen."""
MAY_BE_COVERED, PROBABLY_COVERED = 0.8, 0.5
"""Most confidence in a die that a finger may cover partly, and in one that an arm may: the referee takes neither for a
roll. Of dice half of which a hand hides, and which still seem to show a number, every third shows another one
(``bench hands``)."""
AROUND_PX = np.array([(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1)], dtype=np.float32)
"""Of so many pixels around a spot the mean is taken, against noise."""


def doubted_near_hands(
    dice: tuple[DieReading, ...], picture: Picture, calibration: Calibration, board: BoardReading, die_mm: float
) -> tuple[DieReading, ...]:
    """Gets dice so wide with those doubted that something over the board may cover partly.

    ``picture`` (H x W x 3) is in the calibration's light; ``board`` was read in it.
    """
    near = [is_hand_near(board, die.center_mm, calibration.geometry) for die in dice]
    if not any(near):
        return dice
    rows = [*_surely_lying(board, calibration.geometry)]
    told = []
    for die, is_near in zip(dice, near, strict=True):
        others = [other.center_mm for other in dice if other is not die]
        beside = _most_beside(picture, calibration, die.center_mm, die_mm, others, rows) if is_near else 0
        told.append(_doubted(die, beside) if beside >= AS_WIDE_AS_A_FINGER else die)
    return tuple(told)


def _doubted(die: DieReading, beside: int) -> DieReading:
    most = PROBABLY_COVERED if beside >= ACROSS else MAY_BE_COVERED
    return replace(die, confidence=min(die.confidence, most), flat=None if die.flat is False else die.flat)


def _most_beside(
    picture: Picture,
    calibration: Calibration,
    spot_mm: XY,
    die_mm: float,
    dice_mm: Iterable[XY],
    checkers_mm: Iterable[XY],
) -> int:
    """Gets in how many of 32 directions, side by side, something lies beside a die that was not there on the empty
    board, and is neither one of the other dice nor of the checkers."""
    turns = np.arange(DIRECTIONS) * (2 * pi / DIRECTIONS)
    ways = np.stack([np.cos(turns), np.sin(turns)], axis=1)
    spots = np.concatenate([np.asarray(spot_mm) + radius * die_mm * ways for radius in CIRCLES])
    pixels = calibration.camera.project(np.column_stack([spots, np.full(len(spots), die_mm / 4)]))
    now, empty = (_roots_at(pixels, shown) for shown in (picture, calibration.empty))
    products = (now * empty).sum(axis=1) / np.maximum((empty * empty).sum(axis=1), 1e-3)
    in_its_light = empty * np.clip(products, SHADE**0.5, LIGHT**0.5)[:, None]
    changed = np.abs(now - in_its_light).max(axis=1) > CHANGED
    for middles, reach_mm in (
        (dice_mm, OF_A_DIE * die_mm),
        (checkers_mm, OF_A_CHECKER * calibration.geometry.checker_diameter_mm),
    ):
        for middle in middles:
            changed &= np.hypot(*(spots - middle).T) >= reach_mm
    return _longest_run(changed.reshape(len(CIRCLES), DIRECTIONS).sum(axis=0) >= LEAST_CIRCLES)


def _roots_at(pixels: Roots, picture: Picture) -> Roots:
    """Gets the roots of a picture's levels (N x 3) at pixels (N x 2), each of the mean of nine."""
    around = pixels.astype(np.float32)[:, None] + AROUND_PX
    x, y = around[..., 0], around[..., 1]
    levels = np.asarray(cv2.remap(picture, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE), dtype=np.float64)
    return np.asarray(np.sqrt(levels.mean(axis=1)))


def _longest_run(around: Bools) -> int:
    """Gets how many that are true lie side by side on a circle at most."""
    longest = run = 0
    for is_so in (*around, *around):
        run = run + 1 if is_so else 0
        longest = max(longest, run)
    return min(longest, len(around))


def _surely_lying(board: BoardReading, geometry: BoardGeometry) -> Iterator[XY]:
    """Gets the middles of checkers that surely lie on points."""
    for reading in board.places:
        if reading.place.kind is PlaceKind.POINT:
            for index in range(least_height(reading)):
                x, y, _ = geometry.on_point(reading.place.number, index)
                yield x, y
