"""Things that look like dice and belong to the board: where the empty board showed the same, there is no die."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from math import prod, sqrt

import numpy as np
from numpy.typing import NDArray

from boardctl.referee.readings import Support
from boardctl.vision.dice.memory import ScanSeen
from boardctl.vision.dice.patch import Patch, PatchFrame, Picture, patch_to_picture, warped
from boardctl.vision.dice.place import support_of
from calibration import BoardGeometry, CameraModel

XY = tuple[float, float]

SAME_PLACE = 0.6
"""Two finds nearer than this many die widths are at the same place."""
SAME_LOOK = 0.8
"""Correlation of two pictures of a place from which on nothing has come to lie there: a die changes it all."""
BARE_LOOK = 0.93
"""The same for a place where the empty board showed nothing special: a die on a point's edge may look like the edge."""
UNCHANGED_LOOK = 0.98
"""The same for a place that looks like a die and did not on the empty board: marble, grain. Of 784 true dice on 49
boards (renders learned from, drawn 10501 and 9981, traced 10601) the most had 0.957, on a board that is burnt out; bare
marble that was taken for a flat four had 0.997."""
UNCHANGED_SPOT, SPOT_FROM_PX = 0.93, 5
"""The same for the place of the die alone, without the mean of each channel: something may have come to lie beside a
mark on the rail. What lies within so much of the patch's edge is left out. Of 1,107 true dice on 66 boards (renders
learned from, drawn 9981, 10821, 10901 and 10921, traced 10803) the most had 0.78, three numbers on a rail that were
taken for dice 0.96 to 0.98."""
A_PATTERN = 3
"""From so many things on that are taken for dice beside the empty board, its table has a pattern of them: a checked
cloth, tiles."""
AROUND_PX = 24
COMPARED_DIE_PX = 17.0
"""Width of the compared patch, and of a die in it: a die and a little of what is around it."""
_HALF_PX = AROUND_PX // 2 - SPOT_FROM_PX
HALVES = (np.s_[:_HALF_PX], np.s_[_HALF_PX:], np.s_[:, :_HALF_PX], np.s_[:, _HALF_PX:])
LEAST_GRAIN = 4.0
"""Halves of the place of the die, of which that which has so much to see (standard deviation of its levels, then and
now) may tell the same by itself: a die covers all of its place, and what has come to lie beside a mark on a narrow
border covers only a part. Of 736 views of true dice on 40 boards (renders learned from, drawn 25003, traced 25011 and
25021) the most had 0.73, of 18 of what was taken for dice there eleven 0.96 to 0.99."""


@dataclass(frozen=True)
class Background:
    """The picture of the empty board (H x W x 3), where in it there is what is taken for dice (x, y in mm), its scan
    for dice of a width (mm), and where what may be taken for the cube."""

    empty: Picture
    fixed_mm: tuple[XY, ...]
    camera: CameraModel
    geometry: BoardGeometry
    scan: Callable[[float], ScanSeen] | None = None
    cube_marks_mm: tuple[XY, ...] = ()

    def scan_of_empty(self, die_mm: float) -> ScanSeen | None:
        """Gets the scan of the empty board for dice of a width, if there is one."""
        return None if self.scan is None else self.scan(die_mm)

    def is_as_before(self, spot_mm: XY, picture: Picture) -> bool:
        """Whether a picture looks the same at a place as on the empty board: where that was taken to show a die, where
        nothing at all has changed, or nothing in half of the place of the die."""
        reach = SAME_PLACE * self.geometry.die_size_mm
        x, y = spot_mm
        near = any(np.hypot(x - other[0], y - other[1]) <= reach for other in self.fixed_mm)
        patch = self.patch(spot_mm, picture)
        if self._likeness(spot_mm, patch) >= (SAME_LOOK if near else UNCHANGED_LOOK):
            return True
        own = slice(SPOT_FROM_PX, -SPOT_FROM_PX)
        now, before = (each[own, own] for each in (patch, self.patch(spot_mm, self.empty)))
        if _alike(_shape(now), _shape(before)) >= UNCHANGED_SPOT:
            return True
        halves = [(_shape(now[half]), _shape(before[half])) for half in HALVES]
        return any(
            min(then.std(), seen.std()) >= LEAST_GRAIN and _alike(seen, then) >= UNCHANGED_SPOT for seen, then in halves
        )

    def is_cube_mark(self, spot_mm: XY, picture: Picture) -> bool:
        """Whether what may look like the cube at a place is what the empty board showed there, and is none."""
        reach = SAME_PLACE * self.geometry.die_size_mm
        near = any(np.hypot(spot_mm[0] - x, spot_mm[1] - y) <= reach for x, y in self.cube_marks_mm)
        return near and self.is_as_before(spot_mm, picture)

    def may_be_table(self, spot_mm: XY) -> bool:
        """Whether a place is beside the board, on a table that shows many things that look like dice."""
        return self._table_looks_like_dice and self._is_beside(spot_mm)

    @cached_property
    def _table_looks_like_dice(self) -> bool:
        return sum(self._is_beside(spot_mm) for spot_mm in self.fixed_mm) >= A_PATTERN

    def _is_beside(self, spot_mm: XY) -> bool:
        return support_of(spot_mm, self.camera, self.geometry) is Support.OFF_BOARD

    def is_bare(self, spot_mm: XY, patch: Patch) -> bool:
        """Whether the patch of a place shows so exactly what the empty board showed that nothing can lie there."""
        return self._likeness(spot_mm, patch) >= BARE_LOOK

    def patch(self, spot_mm: XY, picture: Picture) -> Picture:
        """Gets what a picture shows of a place and around it."""
        x, y = spot_mm
        frame = PatchFrame((x, y, self.geometry.die_size_mm / 2), self.geometry.die_size_mm / COMPARED_DIE_PX)
        return warped(picture, patch_to_picture(self.camera, frame, AROUND_PX), AROUND_PX)

    def _likeness(self, spot_mm: XY, patch: Patch) -> float:
        """Gets the correlation of a place with the empty board, in whatever light."""
        return _alike(_levels(patch), _levels(self.patch(spot_mm, self.empty)))


def _alike(now: NDArray[np.float32], before: NDArray[np.float32]) -> float:
    """Gets the correlation of values whose mean is zero."""
    spreads = (sqrt(float(values @ values) / len(values)) + 1e-3 for values in (now, before))
    return float(now @ before) / len(now) / prod(spreads)


def _levels(patch: Patch) -> NDArray[np.float32]:
    """Gets the levels of a patch's pixels in all channels, less their mean."""
    values = patch.ravel().astype(np.float32)
    values -= values.mean()
    return values


def _shape(patch: Patch) -> NDArray[np.float32]:
    """Gets the levels of a place (height x width x 3), less the mean of each channel: what is to be seen there,
    whatever its colour."""
    values = patch.astype(np.float32)
    return np.asarray(values - values.mean(axis=(0, 1)), dtype=np.float32).ravel()
