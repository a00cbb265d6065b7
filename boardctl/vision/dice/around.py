"""What is seen around a die, on circles about its middle, and what the empty board showed there.

Whatever hides the board beside a die, a hand, a cup, is told by it.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from math import pi

import cv2
import numpy as np
from numpy.typing import NDArray

from boardctl.referee.readings import BoardReading
from boardctl.rules import PlaceKind
from boardctl.vision.dice.patch import Picture
from boardctl.vision.dice.place import least_height
from calibration import BoardGeometry, CameraModel

XY = tuple[float, float]
Bools = NDArray[np.bool_]
Roots = NDArray[np.float64]

DIRECTIONS = 32
CIRCLES = (1.15, 1.3, 1.5)
"""The board is looked at on circles around a die's middle, of these radii in die widths: beyond its sides and most of
its shadow."""
LEAST_CIRCLES = 2
"""In a direction something lies beside a die where so many circles show it."""
OF_A_CHECKER, OF_A_DIE = 0.6, 0.8
"""So near to the middle of a checker (in its widths) and of another die (in its own) it is these that are seen."""
AROUND_PX = np.array([(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1)], dtype=np.float32)
"""Around a spot the mean of these pixels is taken, against noise."""


@dataclass(frozen=True, slots=True)
class Around:
    """The roots of the levels around a die (circles times directions x 3), now and on the empty board; and which of
    these spots show neither another die nor a checker that surely lies there."""

    now: Roots
    empty: Roots
    is_free: Bools

    def changed(self, in_its_light: Roots, by: float) -> Bools:
        """Gets in which directions (32) something lies that was not there on the empty board, as that would be in the
        light of now (spots x 3): where roots of levels have changed ``by`` more."""
        changed = (np.abs(self.now - in_its_light).max(axis=1) > by) & self.is_free
        return np.asarray(changed.reshape(len(CIRCLES), DIRECTIONS).sum(axis=0) >= LEAST_CIRCLES)

    @property
    def free(self) -> Bools:
        """In which directions (32) it can be told whether something lies there."""
        return np.asarray(self.is_free.reshape(len(CIRCLES), DIRECTIONS).sum(axis=0) >= LEAST_CIRCLES)


@dataclass(frozen=True, slots=True)
class Circles:
    """Spots around a die so wide (circles times directions x 2: x, y in millimetres), and where a camera sees them."""

    die_mm: float
    spots_mm: Roots
    pixels: Roots

    @classmethod
    def about(cls, spot_mm: XY, die_mm: float, camera: CameraModel) -> "Circles":
        """Gets those around a die whose middle is there."""
        spots = np.asarray(spot_mm) + die_mm * _WAYS
        return cls(die_mm, spots, camera.project(np.column_stack([spots, np.full(len(spots), die_mm / 4)])))

    def seen(self, picture: Picture) -> Roots:
        """Gets the roots of a picture's levels there (spots x 3), each of the mean of nine pixels."""
        around = self.pixels.astype(np.float32)[:, None] + AROUND_PX
        x, y = around[..., 0], around[..., 1]
        levels = np.asarray(
            cv2.remap(picture, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE), dtype=np.float64
        )
        return np.asarray(np.sqrt(levels.mean(axis=1)))

    def free_of(self, dice_mm: Iterable[XY], board: BoardReading, geometry: BoardGeometry) -> Bools:
        """Gets which spots show neither another die, lying there, nor a checker that surely lies on a point of a board
        as it was read."""
        is_free = np.ones(len(self.spots_mm), dtype=np.bool_)
        checkers_mm, of_a_checker = _surely_lying(board, geometry), OF_A_CHECKER * geometry.checker_diameter_mm
        for middles, reach_mm in ((dice_mm, OF_A_DIE * self.die_mm), (checkers_mm, of_a_checker)):
            apart = self.spots_mm[:, None] - np.array([*middles]).reshape(1, -1, 2)
            is_free &= (np.square(apart).sum(axis=2) >= reach_mm**2).all(axis=1)
        return is_free


def _surely_lying(board: BoardReading, geometry: BoardGeometry) -> Iterator[XY]:
    """Gets the middles of checkers that surely lie on points."""
    for reading in board.places:
        if reading.place.kind is PlaceKind.POINT:
            for index in range(least_height(reading)):
                x, y, _ = geometry.on_point(reading.place.number, index)
                yield x, y


def _ways() -> Roots:
    turns = np.arange(DIRECTIONS) * (2 * pi / DIRECTIONS)
    return np.concatenate([radius * np.stack([np.cos(turns), np.sin(turns)], axis=1) for radius in CIRCLES])


_WAYS = _ways()
