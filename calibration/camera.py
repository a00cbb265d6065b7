"""The camera of one installation: lens, distortion and pose against the board plane, in millimetres."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray
from pydantic import ConfigDict, PositiveFloat, PositiveInt

Floats = NDArray[np.float64]

FEW = 6
"""So many points are projected one by one, which takes less time than all at once."""


@dataclass(frozen=True)
class CameraModel:
    """A pinhole camera with OpenCV's distortion, posed in the board frame of :mod:`calibration.geometry`.

    ``rotation_vector`` and ``translation_mm`` take board coordinates to camera coordinates, as ``cv2.projectPoints``
    wants them. ``distortion`` is k1, k2, p1, p2, k3. Pixel centres are at whole numbers, as in OpenCV.
    """

    width_px: PositiveInt
    height_px: PositiveInt
    focal_x_px: PositiveFloat
    focal_y_px: PositiveFloat
    center_x_px: float
    center_y_px: float
    distortion: tuple[float, float, float, float, float]
    rotation_vector: tuple[float, float, float]
    translation_mm: tuple[float, float, float]

    # A key nobody reads is a mistake in a file.
    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(extra="forbid", allow_inf_nan=False)

    @cached_property
    def matrix(self) -> Floats:
        """The 3x3 camera matrix."""
        return np.array(
            [[self.focal_x_px, 0, self.center_x_px], [0, self.focal_y_px, self.center_y_px], [0, 0, 1]],
            dtype=np.float64,
        )

    @cached_property
    def rotation(self) -> Floats:
        """The 3x3 rotation from board to camera."""
        return np.asarray(cv2.Rodrigues(np.array(self.rotation_vector))[0], dtype=np.float64)

    @cached_property
    def position_mm(self) -> Floats:
        """Where the camera is in the board frame: x, y, z."""
        return np.asarray(-self.rotation.T @ np.array(self.translation_mm), dtype=np.float64)

    def project(self, points_mm: ArrayLike) -> Floats:
        """Gets the pixels (N x 2) of points (N x 3) of the board frame.

        It gives what ``cv2.projectPoints`` gives, which takes several times as long: that also gets every derivative.
        """
        points = np.asarray(points_mm, dtype=np.float64).reshape(-1, 3)
        pixels = np.empty((len(points), 2))
        if len(points) > FEW:
            across, down, away = self.rotation @ points.T + np.array(self.translation_mm)[:, None]
            pixels[:, 0], pixels[:, 1] = self._bent(across / away, down / away)
            return pixels
        (a, b, c, to_x), (d, e, f, to_y), (g, h, i, to_z) = self._to_camera
        for row, (x, y, z) in enumerate(points.tolist()):
            away = g * x + h * y + i * z + to_z
            pixels[row] = self._bent((a * x + b * y + c * z + to_x) / away, (d * x + e * y + f * z + to_y) / away)
        return pixels

    def at_height(self, spot_mm: tuple[float, float], seen_at_mm: float, height_mm: float) -> tuple[float, float]:
        """Gets x and y of what is seen at a spot of one height, if it is as high as another."""
        eye_x, eye_y, eye_z = self.position_mm.tolist()
        part = (eye_z - height_mm) / (eye_z - seen_at_mm)
        return eye_x + (spot_mm[0] - eye_x) * part, eye_y + (spot_mm[1] - eye_y) * part

    def seen_px(self, width_mm: float) -> float:
        """Gets how wide something in the middle of the board comes out that is so wide along it."""
        ends = self.project([(0.0, 0.0, 0.0), (width_mm, 0.0, 0.0)])
        return float(np.linalg.norm(ends[1] - ends[0]))

    @cached_property
    def _to_camera(self) -> tuple[tuple[float, ...], ...]:
        """What takes x, y, z of the board, and 1, to x, y, z of the camera."""
        return tuple((*turn, shift) for turn, shift in zip(self.rotation.tolist(), self.translation_mm, strict=True))

    def _bent(self, x: Any, y: Any) -> tuple[Any, Any]:
        """Gets the pixel, right and down, of what is seen so far right and down of the lens's axis, at distance 1."""
        k1, k2, p1, p2, k3 = self.distortion
        xx, yy, xy = x * x, y * y, x * y
        rr = xx + yy
        radial = 1 + rr * (k1 + rr * (k2 + rr * k3))
        right = self.focal_x_px * (x * radial + 2 * p1 * xy + p2 * (rr + 2 * xx)) + self.center_x_px
        return right, self.focal_y_px * (y * radial + p1 * (rr + 2 * yy) + 2 * p2 * xy) + self.center_y_px

    def part(self, points_mm: ArrayLike, around_px: float = 0.0) -> tuple[slice, slice]:
        """Gets the rows and columns of the part of the picture in which all of some points (N x 3) are seen, with so
        many pixels around them."""
        seen, size = self.project(points_mm), (self.width_px, self.height_px)
        ends = np.rint([seen.min(axis=0) - around_px, seen.max(axis=0) + around_px]).astype(int).clip(0, size)
        (left, top), (right, bottom) = ends.tolist()
        return slice(top, bottom), slice(left, right)

    def to_plane(self, pixels: ArrayLike, z_mm: float = 0.0) -> Floats:
        """Gets x, y (N x 2) of where the rays of pixels (N x 2) meet the plane ``z_mm`` above the board."""
        flat = np.asarray(pixels, dtype=np.float64).reshape(-1, 1, 2)
        rays = np.asarray(cv2.undistortPoints(flat, self.matrix, np.array(self.distortion))).reshape(-1, 2)
        directions = np.column_stack([rays, np.ones(len(rays))]) @ self.rotation
        origin = self.position_mm
        scale = (z_mm - origin[2]) / directions[:, 2]
        return np.asarray(origin[:2] + directions[:, :2] * scale[:, None], dtype=np.float64)
