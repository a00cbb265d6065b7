"""The points of a board as upright strips of its surface: cut from a picture, and laid back into it.

Unlike the strips that are read (``columns``), which are cut at the height of a checker's top, these show the board
itself: all bare points of one colour look alike in them. Strips lie in one array (24 x length x width x 3). Strip 0 is
point 1; row 0 is the edge of the board, the last one its middle; a strip is as wide as a point.
"""

from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from boardctl.vision.points.columns import POINTS, fixed_maps
from calibration.camera import CameraModel
from calibration.geometry import POINTS_A_SECTION, BoardGeometry

Picture = NDArray[np.uint8]
Floats = NDArray[np.float64]

WIDTH_PX = 26
"""Width of a strip: about what a point has in a 1280 pixel picture."""


def seen_at(picture: Picture, camera: CameraModel, places_mm: Floats, height_mm: float | Floats = 0.0) -> Picture:
    """Gets what a picture (H x W x 3) shows (N x M x 3) at places (N x M x 2) so high above the board: one height, or
    one of each row (N)."""
    heights = np.broadcast_to(np.reshape(height_mm, (-1, 1)), places_mm.shape[:2])
    pixels = camera.project(np.dstack([places_mm, heights]).reshape(-1, 3)).astype(np.float32)
    maps = fixed_maps(pixels.reshape(places_mm.shape))
    seen = cv2.remap(picture, *maps, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(seen, dtype=np.uint8)


@dataclass(frozen=True)
class PointStrips:
    """How the strips of one photograph lie in it. ``step_px``: only each so-many-th pixel of the strips is taken."""

    camera: CameraModel
    geometry: BoardGeometry
    step_px: int = 1

    @property
    def pixel_mm(self) -> float:
        """How wide a strip's pixel is on the board."""
        return self.geometry.point_width_mm * self.step_px / WIDTH_PX

    @cached_property
    def inwards(self) -> Floats:
        """Whether a strip runs with y (1) or against it (-1); strips of opposite directions are turned, not
        mirrored."""
        return np.array([1.0 if self.geometry.is_near_row(number) else -1.0 for number in range(1, POINTS + 1)])

    @cached_property
    def middles_mm(self) -> Floats:
        """The x of the strips' middle lines."""
        return np.array([self.geometry.point_x_mm(number) for number in range(1, POINTS + 1)])

    @cached_property
    def places_mm(self) -> Floats:
        """The x and y (24 x length x width x 2) of the strips' pixels."""
        width = WIDTH_PX // self.step_px
        half_height = self.geometry.field_height_mm / 2
        depths = (np.arange(int(np.ceil(half_height / self.pixel_mm))) + 0.5) * self.pixel_mm
        across = (np.arange(width) - (width - 1) / 2) * self.pixel_mm
        x = self.middles_mm[:, None, None] + self.inwards[:, None, None] * across
        y = self.inwards[:, None, None] * (depths - half_height)[None, :, None]
        return np.stack(np.broadcast_arrays(x, y), axis=-1)

    def cut(self, picture: Picture, moved_px: Floats | None = None) -> NDArray[np.uint8]:
        """Gets the strips of a picture (H x W x 3).

        ``moved_px`` (24 x 3): how far to the right each strip lies at the edge, how much further in the middle of the
        board, and how far inwards.
        """
        places = self.places_mm
        if moved_px is not None:
            share = np.linspace(0, 1, places.shape[1])[None, :, None]
            right = moved_px[:, 0, None, None] + moved_px[:, 1, None, None] * share
            inwards = self.inwards[:, None, None] * self.pixel_mm
            along = np.broadcast_to(moved_px[:, 2, None, None], right.shape)
            places = places + np.stack([right * inwards, along * inwards], axis=-1)
        return seen_at(picture, self.camera, places.reshape(-1, *places.shape[2:])).reshape(*places.shape[:3], 3)

    def laid_back(self, picture: Picture, strips: Floats, moved_px: Floats) -> Picture:
        """Gets a copy of a picture in which the points look as in ``strips`` (24 x length x width x 3), which lie as
        ``moved_px`` tells, and the bar as it mostly looks along its length."""
        geometry = self.geometry
        shown = picture.copy()
        corners = self.camera.project([(x, y, 0.0) for x, y in geometry.corners])
        left, top = np.maximum(np.floor(corners.min(axis=0)).astype(int), 0)
        right, bottom = np.ceil(corners.max(axis=0)).astype(int) + 1
        part = shown[top:bottom, left:right]
        rows, columns = np.mgrid[top : top + part.shape[0], left : left + part.shape[1]]
        places = self.camera.to_plane(np.column_stack([columns.ravel(), rows.ravel()]))
        x, y = (places[:, axis].reshape(rows.shape) for axis in (0, 1))
        inside = (np.abs(x) <= geometry.field_width_mm / 2) & (np.abs(y) <= geometry.field_height_mm / 2)
        on_bar = inside & (np.abs(x) <= geometry.bar_width_mm / 2)
        strip = self._strip_at(x, y)
        length, width = strips.shape[1:3]
        across = self.inwards[strip] * (x - self.middles_mm[strip]) / self.pixel_mm + (width - 1) / 2
        along = (geometry.field_height_mm / 2 + self.inwards[strip] * y) / self.pixel_mm - 0.5
        across -= moved_px[strip, 0] + moved_px[strip, 1] * along / length
        along -= moved_px[strip, 2]
        points = cv2.remap(
            strips.reshape(-1, width, 3).astype(np.float32),
            np.clip(across, 0, width - 1).astype(np.float32),
            (np.clip(along, 0, length - 1) + strip * length).astype(np.float32),
            cv2.INTER_LINEAR,
        )
        on_points = inside & ~on_bar
        part[on_points] = np.clip(points[on_points] + 0.5, 0, 255).astype(np.uint8)
        column = np.floor(x[on_bar] / self.pixel_mm).astype(int)
        bar = part[on_bar]
        for each in np.unique(column):
            bar[column == each] = np.median(bar[column == each], axis=0)
        part[on_bar] = bar
        return shown

    def _strip_at(self, x: Floats, y: Floats) -> NDArray[np.intp]:
        """Gets in which strip places on the board lie."""
        geometry = self.geometry
        from_bar = (np.abs(x) - geometry.bar_width_mm / 2) / geometry.point_width_mm
        place = np.clip(from_bar.astype(int), 0, POINTS_A_SECTION - 1)
        strips = np.zeros((2, 2, POINTS_A_SECTION), dtype=np.intp)
        for strip, (middle, inwards) in enumerate(zip(self.middles_mm, self.inwards, strict=True)):
            beside_bar = (abs(middle) - geometry.bar_width_mm / 2) / geometry.point_width_mm
            strips[int(inwards > 0), int(middle > 0), int(beside_bar)] = strip
        return np.asarray(strips[(y < 0).astype(int), (x > 0).astype(int), place], dtype=np.intp)
