"""A picture with the found board drawn over it, for a person to confirm."""

from itertools import pairwise

import cv2
import numpy as np
from numpy.typing import NDArray

from boardctl.rules import Seat
from calibration.camera import CameraModel
from calibration.geometry import BoardGeometry
from calibration.starting_position import starting_checkers

Picture = NDArray[np.uint8]

Spot = tuple[float, float, float]

GREEN, YELLOW, WHITE, BLUE = (80, 220, 80), (0, 220, 255), (255, 255, 255), (255, 120, 40)
CURVE_STEPS = 24


def draw_board(picture: Picture, camera: CameraModel, geometry: BoardGeometry) -> Picture:
    """Gets a copy of the picture (H x W x 3) with field, points and starting checkers drawn where they were found."""
    drawn = draw_field(picture, camera, geometry)
    turns = np.linspace(0, 2 * np.pi, CURVE_STEPS)
    radius = geometry.checker_diameter_mm / 2
    for seat, (x, y, _) in starting_checkers(geometry):
        rim = [(x + radius * np.cos(t), y + radius * np.sin(t), geometry.checker_height_mm) for t in turns]
        _line(drawn, camera, rim, WHITE if seat is Seat.A else BLUE)
    return drawn


def draw_field(picture: Picture, camera: CameraModel, geometry: BoardGeometry) -> Picture:
    """Gets a copy of the picture (H x W x 3) with field and points drawn where they were found."""
    drawn = picture.copy()

    def line(places_mm: list[Spot], colour: tuple[int, int, int]) -> None:
        _line(drawn, camera, places_mm, colour)

    corners = [(x, y, 0.0) for x, y in geometry.corners]
    line([*corners, corners[0]], GREEN)
    half_bar, half_height = geometry.bar_width_mm / 2, geometry.field_height_mm / 2
    for x in (-half_bar, half_bar):
        line([(x, -half_height, 0.0), (x, half_height, 0.0)], GREEN)
    for number in range(1, 25):
        right, left, tip = geometry.point_triangle(number)
        line([(*right, 0.0), (*tip, 0.0), (*left, 0.0)], YELLOW)
        x, y = left[0] / 2 + right[0] / 2, right[1]
        _write(drawn, camera, (x, y * 1.07, 0.0), str(number), WHITE)
    for name, y in (("A", -half_height * 1.16), ("B", half_height * 1.16)):
        _write(drawn, camera, (0.0, y, 0.0), f"seat {name}", WHITE)
    return drawn


def _line(drawn: Picture, camera: CameraModel, places_mm: list[Spot], colour: tuple[int, int, int]) -> None:
    """Draws lines from place to place, bent as the lens bends them."""
    steps = np.linspace(0, 1, CURVE_STEPS)[:, None]
    dense = np.concatenate([a + (b - a) * steps for a, b in pairwise(np.array(places_mm))])
    pixels = np.round(camera.project(dense) * 16).astype(np.int32)
    thickness = max(1, drawn.shape[1] // 900)
    cv2.polylines(drawn, [pixels.reshape(-1, 1, 2)], False, colour, thickness, cv2.LINE_AA, 4)


def _write(drawn: Picture, camera: CameraModel, place_mm: Spot, text: str, colour: tuple[int, int, int]) -> None:
    """Writes a text in the middle of a place."""
    size = drawn.shape[1] / 2400
    (width, height), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, size, 1)
    x, y = camera.project([place_mm])[0]
    corner = (int(x - width / 2), int(y + height / 2))
    cv2.putText(drawn, text, corner, cv2.FONT_HERSHEY_SIMPLEX, size, (0, 0, 0), 3, cv2.LINE_AA)
    cv2.putText(drawn, text, corner, cv2.FONT_HERSHEY_SIMPLEX, size, colour, 1, cv2.LINE_AA)
