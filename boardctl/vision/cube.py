"""A picture -> the doubling cube: where it lies. Its value is not read: no way tried never took one for another."""

import numpy as np
from numpy.typing import NDArray

from boardctl.referee.readings import CubeReading
from boardctl.vision.dice_networks import scan_cells
from boardctl.vision.dice_patch import Picture
from boardctl.vision.dice_scan import ScanFrame, cube_peak, peak_spots_mm, scan_input, scan_picture
from calibration import BoardGeometry, Calibration, CameraModel

LEAST_CUBE = 0.5
"""Likelihood above which the cube is said to be there."""
OWNED_FROM = 0.4
"""The cube belongs to a seat from this part of half the board's depth on; in the middle it belongs to nobody."""


def read_cube(picture: Picture, calibration: Calibration) -> CubeReading | None:
    """Gets the reading of the doubling cube in a picture (H x W x 3, unscaled); None when none is seen.

    :raises CalibrationError: when the picture has not the size that was calibrated.
    """
    calibration.check_size(picture)
    return find_cube(picture, calibration.camera, calibration.geometry)


def find_cube(picture: Picture, camera: CameraModel, geometry: BoardGeometry) -> CubeReading | None:
    """Gets the reading of the cube in a picture of a known camera and board."""
    scan, frame = scan_picture(picture, camera, geometry)
    return cube_of_scan(scan_cells(scan_input(scan)), frame, geometry)


def cube_of_scan(cells: NDArray[np.float32], frame: ScanFrame, geometry: BoardGeometry) -> CubeReading | None:
    """Gets the reading of the cube from what the scan gave."""
    peak = cube_peak(cells)
    if peak.likelihood < LEAST_CUBE:
        return None
    ((x, y),) = peak_spots_mm([peak], frame)
    return CubeReading(None, _where(x, y, geometry), round(peak.likelihood, 4))


def _where(x_mm: float, y_mm: float, geometry: BoardGeometry) -> str:
    """Gets ``field`` for a cube on the playing surface (it is being offered), else to whom it belongs."""
    if geometry.section_of(x_mm, y_mm) is not None:
        return "field"
    part = y_mm / (geometry.field_height_mm / 2)
    return "bar" if abs(part) < OWNED_FROM else "B" if part > 0 else "A"
