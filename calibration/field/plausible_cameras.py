"""Which other cameras may have taken a photograph of which only the field's corners are known.

Corners leave open how long the lens is, and with it from how far aslant a place is seen: by three degrees in the median
photograph, by seven in one of ten. That is told by one number, nearly: the others hardly change by what is left open.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.camera import CameraModel
from calibration.field.corner_pose import STEPS, CornerFit, camera_of, is_above, middle_of
from calibration.geometry import XY
from calibration.least_squares import slopes

Floats = NDArray[np.float64]

LEFT_OPEN = 0.65
"""What is usual, and how exact corners are, is said so loosely that cameras are off by this part of what that leaves
open (root mean square of 103 parts of renders that may be learned from; 0.9 of 300 of drawn and traced boards)."""

OFFS = (-3.0, -2.0, -1.0, 0.0, 1.0, 2.0, 3.0)
"""How far off the cameras are that are tried, in standard deviations."""

ASIDE, PART = 0.12, 2.0
"""Fields lie so far from the middle of a picture, in its longer side (standard deviation), where it is all that its
camera saw; further than that a picture may hold a camera's as a part, as broadcasts do, beside faces and scores. That
is so far off, in standard deviations."""


@dataclass(frozen=True, slots=True)
class PlausibleCamera:
    """A camera that sees the field's corners where they are; ``off``: how far from the likeliest one of its kind, and
    ``unusual``: how unusual such a picture is, both in standard deviations."""

    camera: CameraModel
    off: float
    unusual: float = 0.0


CamerasSeeing = Callable[[XY], list[PlausibleCamera]]
"""Gets the cameras that may have taken a photograph, as they differ in how they see a spot of it (pixels)."""


def cameras_seeing(
    spot_px: XY, corners_px: Floats, size_px: tuple[int, int], bar_width: float
) -> list[PlausibleCamera]:
    """Gets cameras that may have taken a photograph of ``size_px`` (width, height) with the field's corners (4 x 2
    pixels): they differ in the way in which the corners leave most open from where ``spot_px`` is seen, and are as
    usual as that allows. Of those below the board there are none.

    ``bar_width`` is in point widths. Nothing where no camera above the board sees the corners so, or just above it.
    """
    fit = CornerFit(corners_px, size_px, bar_width)
    aside = float(np.linalg.norm(middle_of(corners_px) - (np.array(size_px) - 1) / 2)) / max(size_px) / ASIDE
    may_be_part = not fit.is_part and aside > 1
    found = _seeing(fit, spot_px, size_px, aside if may_be_part else 0.0)
    if not (found and may_be_part):
        return found
    return found + _seeing(CornerFit(corners_px, size_px, bar_width, is_part=True), spot_px, size_px, PART)


def _seeing(fit: CornerFit, spot_px: XY, size_px: tuple[int, int], unusual: float) -> list[PlausibleCamera]:
    """Gets the cameras of a fit, of pictures that are so unusual."""
    values = fit.best()
    if values is None or not all(is_above(values + way * move) for move in np.diag(STEPS) for way in (-1, 1)):
        return []

    def seen_from(tried: Floats) -> Floats:
        return _seen_from(camera_of(tried, size_px), spot_px)

    of_misfit, view_slopes = slopes(fit.misfit, values, STEPS), slopes(seen_from, values, STEPS).T
    left_open = np.linalg.pinv(of_misfit @ of_misfit.T)
    of_view = view_slopes @ left_open @ view_slopes.T
    variances, ways = np.linalg.eigh(of_view)
    worst = np.sqrt(variances[-1]) * ways[:, -1]
    step = LEFT_OPEN * left_open @ view_slopes.T @ np.linalg.pinv(of_view) @ worst
    moved = [(off, values + off * step) for off in OFFS]
    return [PlausibleCamera(camera_of(tried, size_px), off, unusual) for off, tried in moved if is_above(tried)]


def _seen_from(camera: CameraModel, spot_px: XY) -> Floats:
    """Gets from where a spot on the board is seen: x and y of the direction to the camera (of unit length)."""
    x, y = camera.to_plane([spot_px], 0.0)[0]
    away = camera.position_mm - (x, y, 0.0)
    return np.asarray(away[:2] / np.linalg.norm(away), dtype=np.float64)
