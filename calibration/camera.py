"""The camera of one installation: lens, distortion and pose against the board plane, in millimetres."""

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]

MANY = 100
"""Points from which on they are projected all at once."""


@dataclass(frozen=True)
class CameraModel:
    """A pinhole camera with OpenCV's distortion, posed in the board frame of :mod:`calibration.geometry`.

    ``rotation_vector`` and ``translation_mm`` take board coordinates to camera coordinates, as ``cv2.projectPoints``
    wants them. ``distortion`` is k1, k2, p1, p2, k3. Pixel centres are at whole numbers, as in OpenCV.
    """

    width_px: int
    height_px: int
    focal_x_px: float
    focal_y_px: float
    center_x_px: float
    center_y_px: float
    distortion: tuple[float, float, float, float, float]
    rotation_vector: tuple[float, float, float]
    translation_mm: tuple[float, float, float]

    __pydantic_config__: ClassVar[dict[str, str]] = {"extra": "forbid"}  # a key nobody reads is a mistake in a file

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
        """Gets the pixels (N x 2) of points (N x 3) of the board frame."""
        points = np.asarray(points_mm, dtype=np.float64).reshape(-1, 3)
        if len(points) >= MANY:
            return self._project_many(points)
        pixels, _ = cv2.projectPoints(
            points[:, None],
            np.array(self.rotation_vector),
            np.array(self.translation_mm),
            self.matrix,
            np.array(self.distortion),
        )
        return np.asarray(pixels, dtype=np.float64).reshape(-1, 2)

    def _project_many(self, points: Floats) -> Floats:
        """Does the same for many points (N x 3): ``cv2.projectPoints``, which also gets every derivative, takes ten
        times as long for them."""
        across, down, away = self.rotation @ points.T + np.array(self.translation_mm)[:, None]
        x, y = across / away, down / away
        k1, k2, p1, p2, k3 = self.distortion
        xx, yy, xy = x * x, y * y, x * y
        rr = xx + yy
        radial = 1 + rr * (k1 + rr * (k2 + rr * k3))
        pixels = np.empty((len(points), 2))
        pixels[:, 0] = self.focal_x_px * (x * radial + 2 * p1 * xy + p2 * (rr + 2 * xx)) + self.center_x_px
        pixels[:, 1] = self.focal_y_px * (y * radial + p1 * (rr + 2 * yy) + 2 * p2 * xy) + self.center_y_px
        return pixels

    def to_plane(self, pixels: ArrayLike, z_mm: float = 0.0) -> Floats:
        """Gets x, y (N x 2) of where the rays of pixels (N x 2) meet the plane ``z_mm`` above the board."""
        flat = np.asarray(pixels, dtype=np.float64).reshape(-1, 1, 2)
        rays = np.asarray(cv2.undistortPoints(flat, self.matrix, np.array(self.distortion))).reshape(-1, 2)
        directions = np.column_stack([rays, np.ones(len(rays))]) @ self.rotation
        origin = self.position_mm
        scale = (z_mm - origin[2]) / directions[:, 2]
        return np.asarray(origin[:2] + directions[:, :2] * scale[:, None], dtype=np.float64)
