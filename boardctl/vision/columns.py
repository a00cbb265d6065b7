"""The points of the board as upright strips: cut from the picture at the height of a checker's top.

All strips of a picture lie in one array (24 x length x width x 3). Strip 0 is point 1; row 0 is the edge of the board,
the middle column the middle of the point. A checker is ``CHECKER_PX`` across wherever it lies.
"""

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration import BoardGeometry, Calibration, CameraModel

Picture = NDArray[np.uint8]
Floats = NDArray[np.float32]

CHECKER_PX = 20
"""Width of a checker in a strip: half to a third of what a 1280 or 1920 pixel picture has, enough for its outline."""

STRIP_WIDTH = 28
"""A point is some 21 pixels wide; the rest shows what lies close beside it."""

STRIP_LENGTH = 144
"""Seven checkers in a row, more than a half board holds."""

POINTS = 24


@dataclass(frozen=True)
class Cutter:
    """Cuts the strips of one installation from its pictures."""

    map_x: Floats
    map_y: Floats
    inside: NDArray[np.bool_]
    """Which pixels of the strips (24 x length x width) the picture has."""

    def cut(self, picture: Picture) -> NDArray[np.uint8]:
        """Gets the strips (24 x length x width x 3) of a picture."""
        flat = cv2.remap(picture, self.map_x, self.map_y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        return np.asarray(flat, dtype=np.uint8).reshape(POINTS, STRIP_LENGTH, STRIP_WIDTH, 3)


def strip_places_mm(geometry: BoardGeometry, number: int) -> NDArray[np.float64]:
    """Gets x and y (length x width x 2) of a strip's pixels on the board plane."""
    mm_per_px = geometry.checker_diameter_mm / CHECKER_PX
    side = -1.0 if geometry.is_near_row(number) else 1.0
    along = side * (geometry.field_height_mm / 2 - (np.arange(STRIP_LENGTH) + 0.5) * mm_per_px)
    # Seen from the middle of the board towards the edge, left stays left: the far row is turned, not mirrored.
    across = geometry.point_x_mm(number) - side * (np.arange(STRIP_WIDTH) - (STRIP_WIDTH - 1) / 2) * mm_per_px
    return np.stack(np.broadcast_arrays(across[None, :], along[:, None]), axis=-1)


def cutter(camera: CameraModel, geometry: BoardGeometry, height_mm: float) -> Cutter:
    """Gets the cutter for the plane ``height_mm`` above the board."""
    places = np.stack([strip_places_mm(geometry, number) for number in range(1, POINTS + 1)]).reshape(-1, 2)
    pixels = camera.project(np.column_stack([places, np.full(len(places), height_mm)])).astype(np.float32)
    shape = (POINTS * STRIP_LENGTH, STRIP_WIDTH)
    map_x, map_y = pixels[:, 0].reshape(shape), pixels[:, 1].reshape(shape)
    inside = (map_x >= 0) & (map_y >= 0) & (map_x < camera.width_px) & (map_y < camera.height_px)
    return Cutter(map_x, map_y, inside.reshape(POINTS, STRIP_LENGTH, STRIP_WIDTH))


@dataclass(frozen=True)
class ReferenceStrips:
    """What reading needs of one installation: its cutter, and the strips of the empty and the starting board."""

    cutter: Cutter
    empty: NDArray[np.uint8]
    start: NDArray[np.uint8]


@lru_cache(maxsize=8)
def reference_strips(calibration: Calibration) -> ReferenceStrips:
    """Gets the reference strips of a calibration, made on first use."""
    geometry = calibration.geometry
    tool = cutter(calibration.camera, geometry, geometry.checker_height_mm)
    return ReferenceStrips(tool, tool.cut(calibration.empty), tool.cut(calibration.start))
