"""Closed outlines of what is painted or inlaid: discs, stars and letters."""

import cv2
import numpy as np
from numpy.typing import NDArray

from boardctl.virtual.looks import Outline

FONTS = (cv2.FONT_HERSHEY_DUPLEX, cv2.FONT_HERSHEY_TRIPLEX, cv2.FONT_HERSHEY_SCRIPT_COMPLEX, cv2.FONT_HERSHEY_COMPLEX)


def corners_of(outline: NDArray[np.float64]) -> Outline:
    """Gets an outline (N x 2) as a patch has it."""
    return tuple((float(x), float(y)) for x, y in outline)


def turn(angle_rad: float) -> NDArray[np.float64]:
    """Gets what turns x, y to the left (2 x 2)."""
    cosine, sine = np.cos(angle_rad), np.sin(angle_rad)
    return np.array([[cosine, -sine], [sine, cosine]])


def box(x0: float, y0: float, x1: float, y1: float) -> Outline:
    """Gets a box along x and y from one corner to the opposite one."""
    return ((x0, y0), (x1, y0), (x1, y1), (x0, y1))


def disc(x: float, y: float, radius: float) -> Outline:
    """Gets a circle about a place."""
    turns = np.linspace(0, 2 * np.pi, 40, endpoint=False)
    return corners_of(np.column_stack([x + radius * np.cos(turns), y + radius * np.sin(turns)]))


def star(x: float, y: float, radius: float) -> Outline:
    """Gets a star of eight points about a place."""
    turns = np.linspace(0, 2 * np.pi, 16, endpoint=False)
    far = np.where(np.arange(16) % 2 == 0, radius, radius * 0.45)
    return corners_of(np.column_stack([x + far * np.cos(turns), y + far * np.sin(turns)]))


def lettering(
    text: str, font: int, at_mm: tuple[float, float], size_mm: tuple[float, float], turned: bool
) -> tuple[Outline, ...]:
    """Gets the outlines of a text with its middle there, as large as goes into a width and a height; ``turned``: a
    quarter to the left."""
    (wide, high), below = cv2.getTextSize(text, font, 4.0, 8)
    canvas = np.zeros((high + below + 40, wide + 40), dtype=np.uint8)
    cv2.putText(canvas, text, (20, high + 20), font, 4.0, (255,), 8)
    found, _ = cv2.findContours(canvas, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_NONE)
    scale = min(size_mm[0] / wide, size_mm[1] / high)
    rings = []
    for contour in found:
        corners = (contour.reshape(-1, 2) - np.array(canvas.shape[::-1]) / 2) * scale * [1, -1]
        corners = corners[:, ::-1] * [-1, 1] if turned else corners
        if len(corners) > 2:
            rings.append(corners_of(corners + np.array(at_mm)))
    return tuple(rings)
