"""How sharp a camera sees by itself: one that is out of focus from the beginning lets pips run into each other.

Nothing sharper of the same board is known then. But an edge that is blurred once more loses more of its slope the
sharper it was: of one with the width ``a`` (standard deviation) that is blurred by ``b`` the slope is left by 1 in the
root of 1 + b²/a². So the steepest edges on the board in the starting position, rims of checkers above all, tell how
wide they are (Zhuo and Sim, "Defocus map estimation from a single image", 2011), whatever the light, and however narrow
what they bound is.
"""

from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.installation import INSTALLATIONS_KEPT, Calibration

Picture = NDArray[np.uint8]
Floats = NDArray[np.float32]

SMOOTH_PX, MORE_PX, FOUND_PX = 1.2, 1.5, 2.0
"""Blur that takes out noise before slopes are told, by which edges are blurred once more, and with which they are
looked for: where slopes are steep by chance alone is left out so."""
NEAR_PX = 4
"""An edge is where the slope is the steepest within so many pixels."""
EDGES = 400
"""So many edges tell, the steepest of all."""
SHARPEST_QUARTER = 25.0
"""Percentile of the edges' widths that counts: others are rounded by themselves."""
LEAST_LEFT = 1e-3
"""Least by which the square of a slope is more before it is blurred once more."""
AROUND = 1.0
"""The board is looked at with its rails: so far around the field, in checkers."""

SOFT_DICE, SOFT_PX = 0.1, 1.4
"""Width of a camera's sharpest edges, in widths of a die, above which it does not see dice sharply: from 0.1 on single
flat dice are told to lean, or a number they do not show, with 0.95 and more (eleven installations, blurred by 0.7 to
2.5 pixels, of which as they are none comes to more than 0.08); and in pixels, above which, too, it is out of focus: of
dice that are a few pixels wide less would be said."""


@lru_cache(maxsize=INSTALLATIONS_KEPT)
def edges_px(calibration: Calibration) -> float:
    """Gets how wide a camera's sharpest edges are (standard deviation, pixels); made on first use."""
    grey = cv2.cvtColor(calibration.start, cv2.COLOR_BGR2GRAY).astype(np.float32)
    slope, blurred, smooth = (
        _slope(grey, blur_px) for blur_px in (SMOOTH_PX, float(np.hypot(SMOOTH_PX, MORE_PX)), FOUND_PX)
    )
    around = 2 * NEAR_PX + 1
    crest = (smooth == cv2.dilate(smooth, np.ones((around, around), np.uint8))) & (smooth > 0) & _board(calibration)
    edges = np.flatnonzero(crest)
    edges = edges[np.argsort(-smooth.take(edges))][:EDGES]
    left = np.square(slope.take(edges) / np.maximum(blurred.take(edges), LEAST_LEFT)) - 1
    squares = MORE_PX**2 / np.maximum(left, LEAST_LEFT) - SMOOTH_PX**2
    return float(np.percentile(np.sqrt(np.maximum(squares, 0.0)), SHARPEST_QUARTER)) if len(edges) else 0.0


def sees_dice_softly(calibration: Calibration) -> bool:
    """Whether a camera does not see dice sharply enough for anything of them to be told for sure."""
    return edges_px(calibration) > SOFT_DICE * calibration.camera.seen_px(calibration.geometry.die_size_mm)


def soft_edges_px(calibration: Calibration) -> float | None:
    """Gets how wide a camera's sharpest edges are (standard deviation, pixels) where it is out of focus; None where it
    is not."""
    wide_px = edges_px(calibration)
    return wide_px if wide_px > SOFT_PX and sees_dice_softly(calibration) else None


def _slope(grey: Floats, blur_px: float) -> Floats:
    """Gets how steep a picture (H x W) is at each pixel once it is blurred (levels a pixel)."""
    smooth = cv2.GaussianBlur(grey, (0, 0), blur_px)
    right, down = (cv2.Sobel(smooth, cv2.CV_32F, *ways, ksize=1, scale=0.5) for ways in ((1, 0), (0, 1)))
    return np.asarray(cv2.magnitude(right, down), dtype=np.float32)


def _board(calibration: Calibration) -> NDArray[np.bool_]:
    """Gets where in the picture (H x W) the board is."""
    camera, geometry = calibration.camera, calibration.geometry
    out_mm = AROUND * geometry.checker_diameter_mm
    x, y = geometry.field_width_mm / 2 + out_mm, geometry.field_height_mm / 2 + out_mm
    corners = camera.project(np.array([[-x, -y, 0.0], [x, -y, 0.0], [x, y, 0.0], [-x, y, 0.0]]))
    mask = np.zeros((camera.height_px, camera.width_px), np.uint8)
    cv2.fillPoly(mask, [np.rint(corners).astype(np.int32)], 1)
    return np.asarray(mask, dtype=np.bool_)
