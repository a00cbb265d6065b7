"""Things that look like dice and belong to the board: where the empty board showed the same, there is no die."""

from dataclasses import dataclass
from math import prod, sqrt

import numpy as np
from numpy.typing import NDArray

from boardctl.vision.dice_memory import ScanSeen
from boardctl.vision.dice_patch import Patch, PatchFrame, Picture, patch_to_picture, warped
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
AROUND_PX = 24
COMPARED_DIE_PX = 17.0
"""Width of the compared patch, and of a die in it: a die and a little of what is around it."""


@dataclass(frozen=True, slots=True)
class Background:
    """The picture of the empty board (H x W x 3), where in it there is what is taken for dice (x, y in mm), and its
    scan."""

    empty: Picture
    fixed_mm: tuple[XY, ...]
    camera: CameraModel
    geometry: BoardGeometry
    scan: ScanSeen | None = None

    def is_as_before(self, spot_mm: XY, picture: Picture) -> bool:
        """Whether a picture looks the same at a place as on the empty board: where that was taken to show a die, or
        where nothing at all has changed."""
        reach = SAME_PLACE * self.geometry.die_size_mm
        x, y = spot_mm
        near = any(np.hypot(x - other[0], y - other[1]) <= reach for other in self.fixed_mm)
        return self._likeness(spot_mm, self.patch(spot_mm, picture)) >= (SAME_LOOK if near else UNCHANGED_LOOK)

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
        now, before = _levels(patch), _levels(self.patch(spot_mm, self.empty))
        spreads = (sqrt(float(levels @ levels) / len(levels)) + 1e-3 for levels in (now, before))
        return float(now @ before) / len(now) / prod(spreads)


def _levels(patch: Patch) -> NDArray[np.float32]:
    """Gets the levels of a patch's pixels in all channels, less their mean."""
    values = patch.ravel().astype(np.float32)
    values -= values.mean()
    return values
