"""How the rails around the field would look without the checkers that are seen before them.

From a slant a checker at the edge of the field is seen before the rail behind it. Where points are bare the rail is
seen: along it, at each height, light changes smoothly.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from boardctl.vision.photograph.point_light import smooth_light
from boardctl.vision.photograph.point_strips import PointStrips, seen_at
from calibration import CameraModel
from calibration.channels import strongest
from calibration.difference import DARK_OFFSET

Picture = NDArray[np.uint8]
Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]

TALLEST = 0.65
"""Height of two checkers, one on the other, as thick as any are made, in widths of points."""

DEGREE, ROUNDS = 2, 6
"""Light along a rail: a polynomial of this degree of its logarithm, told in so many rounds."""

LEAST_SPAN = 0.5
"""It is told where parts of the rail are seen that lie so far apart, as a share of its length; else it is even."""

LEAST_SEEN = 0.75
"""So much of a rail must be seen, in widths of points."""

UNLIKE, LEAST_UNLIKE = 3.0, 0.06
"""What differs by so many times as much as is usual where the rail is seen, and by so much (logarithm), is no rail."""


@dataclass(frozen=True)
class _Side:
    """The side of a rail towards the field, as it stands on the field's edge.

    ``foot_mm`` (N x 2): places along the edge, in their order along the axis that it runs along (0 or 1); ``seen``:
    at which of them the point before it is bare; ``heights_mm``: so high above it is looked at.
    """

    foot_mm: Floats
    axis: int
    seen: Mask
    heights_mm: Floats

    @property
    def along_mm(self) -> Floats:
        """The places along the edge."""
        return self.foot_mm[:, self.axis]

    def is_along(self, places_mm: Floats) -> Mask:
        """Which places along the edge (N) are between two of this side's; the bar's end is not."""
        after = np.searchsorted(self.along_mm, places_mm).clip(1, len(self.along_mm) - 1)
        gaps = np.diff(self.along_mm)
        between = (places_mm >= self.along_mm[0]) & (places_mm <= self.along_mm[-1])
        return np.asarray(between & (gaps[after - 1] < 2 * np.median(gaps)), dtype=np.bool_)


def rails_without_checkers(picture: Picture, strips: PointStrips, bare: Mask) -> Picture:
    """Gets a copy of a picture (H x W x 3) in which no checkers are seen before the rails, given which rows (24 x
    length) of the points' strips are bare."""
    shown = picture.copy()
    for side in _sides(strips, bare):
        if np.count_nonzero(side.seen) * strips.pixel_mm >= LEAST_SEEN * strips.geometry.point_width_mm:
            _lay_back(shown, strips.camera, side, _bare_side(picture, strips.camera, side))
    return shown


def _sides(strips: PointStrips, bare: Mask) -> Iterator[_Side]:
    """Gets the sides of rails that the camera sees."""
    geometry = strips.geometry
    eye_x, eye_y, _ = strips.camera.position_mm
    half_width, half_height = geometry.field_width_mm / 2, geometry.field_height_mm / 2
    heights: Floats = np.arange(strips.pixel_mm / 2, TALLEST * geometry.point_width_mm, strips.pixel_mm)
    for end in (-1.0, 1.0):
        if end * eye_y < half_height:
            own = np.flatnonzero(strips.inwards == -end)
            x = strips.places_mm[own, 0, :, 0]
            yield _side(x, end * half_height, 0, np.repeat(bare[own, 0], x.shape[1]), heights)
        if end * eye_x < half_width:
            own = np.flatnonzero(np.abs(strips.middles_mm - end * half_width) < geometry.point_width_mm)
            yield _side(strips.places_mm[own, :, 0, 1], end * half_width, 1, bare[own].ravel(), heights)


def _side(along_mm: Floats, across_mm: float, axis: int, seen: Mask, heights_mm: Floats) -> _Side:
    """Gets a side from places along its edge, in any order."""
    order = np.argsort(along_mm.ravel())
    axes = [along_mm.ravel()[order], np.full(along_mm.size, across_mm)]
    return _Side(np.column_stack(axes if axis == 0 else axes[::-1]), axis, seen[order], heights_mm)


def _bare_side(picture: Picture, camera: CameraModel, side: _Side) -> Floats:
    """Gets how a side looks (heights x N x 3, in levels of a picture): what hardly differs from a smooth look as it is,
    the rest so."""
    above = np.broadcast_to(side.foot_mm, (len(side.heights_mm), *side.foot_mm.shape))
    look = np.log(seen_at(picture, camera, above, side.heights_mm) + DARK_OFFSET)
    degree = DEGREE if np.ptp(side.along_mm[side.seen]) > LEAST_SPAN * np.ptp(side.along_mm) else 0
    basis = np.stack([(side.along_mm / np.abs(side.along_mm).max()) ** power for power in range(degree + 1)], axis=-1)
    for row in look:
        smooth = basis @ smooth_light(basis[side.seen], row[side.seen], ROUNDS)
        off = strongest(np.abs(row - smooth))
        unlike = off > max(UNLIKE * float(np.median(off[side.seen])), LEAST_UNLIKE)
        row[unlike] = smooth[unlike]
    return np.asarray(np.exp(look) - DARK_OFFSET, dtype=np.float64)


def _lay_back(shown: Picture, camera: CameraModel, side: _Side, look: Floats) -> None:
    """Lays the look of a side (heights x N x 3) into a picture."""
    ends = [(*side.foot_mm[end], z) for end in (0, -1) for z in (0.0, side.heights_mm[-1])]
    rows, columns = camera.part(ends, around_px=2.0)
    part = shown[rows, columns]
    if not part.size:
        return
    y_px, x_px = np.mgrid[rows, columns]
    behind = camera.to_plane(np.column_stack([x_px.ravel(), y_px.ravel()]).astype(np.float64))
    # Where the ray from the camera to the board's plane meets the side.
    eye, across = camera.position_mm, 1 - side.axis
    ahead_mm = behind[:, across] - eye[across]
    share = (side.foot_mm[0, across] - eye[across]) / np.where(ahead_mm == 0, np.inf, ahead_mm)
    along_mm = eye[side.axis] + share * (behind[:, side.axis] - eye[side.axis])
    height_mm = eye[2] * (1 - share)
    meets = (share > 0) & (share < 1) & (height_mm < side.heights_mm[-1]) & side.is_along(along_mm)
    meets = meets.reshape(part.shape[:2])
    # In the shape of the picture: OpenCV looks up no more than 32767 places in one row.
    at, up = (
        np.interp(found, told, np.arange(len(told))).reshape(meets.shape).astype(np.float32)
        for found, told in ((along_mm, side.along_mm), (height_mm, side.heights_mm))
    )
    laid = cv2.remap(look.astype(np.float32), at, up, cv2.INTER_LINEAR)
    part[meets] = np.clip(laid[meets] + 0.5, 0, 255).astype(np.uint8)
