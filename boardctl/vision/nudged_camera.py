"""When a camera that seems to have moved is followed: always where its calibration does not hold any more; where it
does, once two frames in a row show the board off alike. What moves meanwhile, or covers much, seems so for a moment."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from calibration import Calibration
from calibration.drift import View
from calibration.follow import followed, is_off

Picture = NDArray[np.uint8]
Shift = tuple[float, float]
"""Right and down, in pixels."""

ALIKE_PX = 1.0
"""Two frames that show the board off within so much show it alike."""


@dataclass(frozen=True, slots=True)
class Following:
    """What is known of a camera that is followed.

    ``calibration``: as it sees the board since it has moved; None while it sees it as it was calibrated.
    ``seemed_off_px``: how far off the frame before showed the board. ``in_vain_px``: how far off it seemed when it was
    looked for how the camera sees it now, and that was as before or could not be told.
    """

    calibration: Calibration | None = None
    seemed_off_px: Shift | None = None
    in_vain_px: Shift | None = None

    def after(self, calibration: Calibration, picture: Picture, view: View) -> "Following":
        """Gets what is known after a picture (H x W x 3), and how it sees the board by what was known before.
        ``calibration``: the one that was made.

        :raises CalibrationError: when the picture has not the size that was calibrated.
        """
        now = self.calibration or calibration
        shift = view.shift_px
        if shift is None or not is_off(now, view):
            return Following(self.calibration)
        if not view.moved and (_alike(shift, self.in_vain_px) or not _alike(shift, self.seemed_off_px)):
            return replace(self, seemed_off_px=shift)
        found = followed(calibration, picture, now)
        return replace(self, in_vain_px=shift) if found is None else Following(found)

    def followed_px(self, calibration: Calibration) -> float:
        """Gets how far from where it was calibrated the board's middle is seen."""
        if self.calibration is None:
            return 0.0
        now, before = (each.camera.project([(0.0, 0.0, 0.0)])[0] for each in (self.calibration, calibration))
        return float(np.hypot(*(now - before)))


AS_CALIBRATED = Following()


def _alike(one: Shift, other: Shift | None) -> bool:
    return other is not None and float(np.hypot(*np.subtract(one, other))) < ALIKE_PX
