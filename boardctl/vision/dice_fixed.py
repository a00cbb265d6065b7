"""Things that look like dice and belong to the board: where the empty board showed the same, there is no die."""

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from boardctl.referee.readings import DieReading
from boardctl.vision.dice_patch import DIE_PX, PatchFrame, Picture, cut_patch
from calibration import BoardGeometry, CameraModel

SAME_PLACE = 0.6
"""Two finds nearer than this many die widths are at the same place."""
SAME_LOOK = 0.8
"""Correlation of two pictures of a place from which on nothing has come to lie there: a die changes it all."""
AROUND_PX = 24
"""Width of the compared patch: a die and a little of what is around it."""


def is_as_before(
    die: DieReading,
    picture: Picture,
    empty: Picture,
    fixed: Iterable[DieReading],
    camera: CameraModel,
    geometry: BoardGeometry,
) -> bool:
    """Whether the picture of the empty board was taken to show a die at the same place, and looked the same there."""
    reach = SAME_PLACE * geometry.die_size_mm
    x, y = die.center_mm
    if all(np.hypot(x - other.center_mm[0], y - other.center_mm[1]) > reach for other in fixed):
        return False
    frame = PatchFrame((x, y, geometry.die_size_mm / 2), geometry.die_size_mm / DIE_PX)
    now, before = (_shape(cut_patch(source, camera, frame, AROUND_PX)) for source in (picture, empty))
    return float((now * before).mean()) >= SAME_LOOK


def _shape(patch: Picture) -> NDArray[np.float32]:
    values = patch.astype(np.float32)
    values -= values.mean()
    return np.asarray(values / (values.std() + 1e-3), dtype=np.float32)
