"""The colours of the checkers under the light of one installation."""

import cv2
import numpy as np
from numpy.typing import NDArray

from boardctl.rules import Seat
from calibration.camera import CameraModel
from calibration.geometry import BoardGeometry
from calibration.starting_position import starting_checkers

Picture = NDArray[np.uint8]
Floats = NDArray[np.float64]

INNER_SHARE = 0.7
"""Share of a checker's radius that is surely its top, were it placed a tenth of its width beside its place."""

CIRCLE = np.array([(np.cos(turn), np.sin(turn)) for turn in np.linspace(0, 2 * np.pi, 24, endpoint=False)])


def checker_colours(camera: CameraModel, geometry: BoardGeometry, start: Picture) -> dict[Seat, Floats]:
    """Gets the median colour (blue, green, red) of each checker of the starting position, N x 3 a seat."""
    colours: dict[Seat, list[Floats]] = {Seat.A: [], Seat.B: []}
    for seat, (x, y, _) in starting_checkers(geometry):
        rim = np.array((x, y)) + geometry.checker_diameter_mm / 2 * INNER_SHARE * CIRCLE
        top = np.column_stack([rim, np.full(len(rim), geometry.checker_height_mm)])
        rows, columns = camera.part(top, around_px=2)
        part = start[rows, columns]
        if not part.size:
            continue
        inside = np.zeros(part.shape[:2], np.uint8)
        outline = (camera.project(top) - (columns.start, rows.start)) * 16
        cv2.fillConvexPoly(inside, np.round(outline).astype(np.int32), 255, cv2.LINE_8, 4)
        pixels = part[inside > 0]
        if len(pixels):
            colours[seat].append(np.median(pixels, axis=0))
    return {seat: np.array(found).reshape(-1, 3) for seat, found in colours.items()}


def luminance(colours: Floats) -> Floats:
    """Gets how bright colours (N x 3, blue, green, red) are, by the weights of ITU-R BT.601."""
    return np.asarray(colours @ np.array([0.114, 0.587, 0.299]), dtype=np.float64)


def seat_colours(camera: CameraModel, geometry: BoardGeometry, start: Picture) -> dict[Seat, str]:
    """Gets the middle colour of each seat's checkers as ``#rrggbb``."""
    written = {}
    for seat, colours in checker_colours(camera, geometry, start).items():
        blue, green, red = np.median(colours, axis=0).round().astype(int) if len(colours) else (0, 0, 0)
        written[seat] = f"#{red:02x}{green:02x}{blue:02x}"
    return written
