"""Cuts of a strip from elsewhere than where rows of checkers should lie, and what the network says of them."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from boardctl.vision.points.columns import (
    CHECKER_PX,
    SLOTS,
    STRIP_LENGTH,
    Cutter,
    Picture,
    ReferenceStrips,
    cutter,
    strip_places_mm,
    top_height_mm,
)
from boardctl.vision.points.strip_reading import slot_logits
from calibration import Calibration

Floats = NDArray[np.float64]


class MovedCuts:
    """Those of one strip of a picture. ``strips`` (26 x length x width x 3): all as they were cut at first."""

    def __init__(
        self,
        picture: Picture,
        calibration: Calibration,
        reference: ReferenceStrips,
        strips: NDArray[np.uint8],
        strip: int,
    ) -> None:
        self._picture, self._calibration, self._reference = picture, calibration, reference
        self._strips, self._strip = strips, strip
        self._known: dict[tuple[int, float], tuple[NDArray[np.uint8], Floats]] = {}

    def at(self, along_px: int, off_px: float, checkers: int) -> tuple[NDArray[np.uint8], Floats]:
        """Gets the strip cut so far from the edge and to the right, at least so many slots of it, and its logits (8 x
        7), which are good for these."""
        if (along_px, off_px) not in self._known:
            self._known[along_px, off_px] = self._cut(along_px, off_px, checkers)
        return self._known[along_px, off_px]

    def _cut(self, along_px: int, off_px: float, checkers: int) -> tuple[NDArray[np.uint8], Floats]:
        # What the network says of a slot depends on little more than the next one: with two more it is as of a whole
        # strip.
        slots = min(checkers + 2, SLOTS)
        lengths, reference, strip = np.array([slots - 1]), self._reference, self._strip
        if (along_px, off_px) == (0, 0):
            return self._strips[strip], slot_logits(self._strips, reference, np.array([strip]), lengths)[0]
        end_px = along_px + slots * CHECKER_PX
        if off_px == 0 and along_px >= 0 and end_px <= STRIP_LENGTH:
            own = slice(strip, strip + 1), slice(along_px, end_px)
            shown, empty = self._strips[own], reference.empty[own]
        else:
            tool = self._moved_cutter(along_px, off_px, slots)
            shown, empty = tool.cut(self._picture), tool.cut(self._calibration.empty)
        moved = replace(reference, empty=empty, leaning=reference.leaning[strip : strip + 1], start=None)
        return shown[0], slot_logits(shown, moved, np.array([0]), lengths)[0]

    def _moved_cutter(self, along_px: int, off_px: float, slots: int) -> Cutter:
        geometry = self._calibration.geometry
        places = strip_places_mm(geometry, self._strip)[: slots * CHECKER_PX]
        places = places + along_px * (places[1, 0] - places[0, 0]) + off_px * (places[0, 1] - places[0, 0])
        return cutter(self._calibration.camera, [(places, top_height_mm(geometry, self._strip))])
