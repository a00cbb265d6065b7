"""A drawing surface in millimetres of the board, drawn large and made small so that edges come out smooth."""

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.geometry import XY

Picture = NDArray[np.uint8]
Colour = tuple[int, int, int]
"""Red, green, blue as on a screen."""

SUPERSAMPLING = 2
_SHIFT_BITS = 4
_FONT = cv2.FONT_HERSHEY_DUPLEX
_FONT_HEIGHT_PX = 22.0
"""The height of a capital letter of the font at scale 1."""


class Canvas:
    """A picture under construction. ``origin_px`` is where x = y = 0 mm lies, in pixels of the finished picture."""

    def __init__(self, width_px: int, height_px: int, px_per_mm: float, origin_px: XY, ground: Colour) -> None:
        self.px_per_mm = px_per_mm * SUPERSAMPLING
        self._origin = (origin_px[0] * SUPERSAMPLING, origin_px[1] * SUPERSAMPLING)
        self.pixels = np.empty((height_px * SUPERSAMPLING, width_px * SUPERSAMPLING, 3), np.uint8)
        self.pixels[:] = ground[::-1]

    def pixel(self, x_mm: float, y_mm: float) -> XY:
        """Gets the pixel of a place of the board; y grows away from seat A, upwards in the picture."""
        return (self._origin[0] + x_mm * self.px_per_mm, self._origin[1] - y_mm * self.px_per_mm)

    def millimetres(self, x_px: float, y_px: float) -> XY:
        """Gets the place of the board that a pixel of the finished picture shows."""
        x, y = x_px * SUPERSAMPLING - self._origin[0], self._origin[1] - y_px * SUPERSAMPLING
        return (x / self.px_per_mm, y / self.px_per_mm)

    def inside(self, place_mm: XY, margin_mm: float) -> XY:
        """Gets the place, or the one nearest to it that is so far from the edges of the picture."""
        height, width = self.pixels.shape[:2]
        left, top = self.millimetres(0, 0)
        right, low = self.millimetres(width / SUPERSAMPLING, height / SUPERSAMPLING)
        x = min(max(place_mm[0], left + margin_mm), right - margin_mm)
        y = min(max(place_mm[1], low + margin_mm), top - margin_mm)
        return (x, y)

    def polygon(self, corners_mm: Sequence[XY], colour: Colour) -> None:
        """Fills a polygon."""
        corners = np.array([self._fixed(*corner) for corner in corners_mm], np.int32)
        cv2.fillPoly(self.pixels, [corners], colour[::-1], cv2.LINE_AA, _SHIFT_BITS)

    def rectangle(self, low_mm: XY, high_mm: XY, colour: Colour) -> None:
        """Fills an upright rectangle between two opposite corners."""
        (left, low), (right, high) = low_mm, high_mm
        self.polygon([(left, low), (right, low), (right, high), (left, high)], colour)

    def disc(self, center_mm: XY, radius_mm: float, colour: Colour) -> None:
        """Fills a circle."""
        radius = round(radius_mm * self.px_per_mm * (1 << _SHIFT_BITS))
        cv2.circle(self.pixels, self._fixed(*center_mm), radius, colour[::-1], -1, cv2.LINE_AA, _SHIFT_BITS)

    def arc(
        self, center_mm: XY, radius_mm: float, from_deg: float, to_deg: float, width_mm: float, colour: Colour
    ) -> None:
        """Draws a part of a circle, clockwise, 0 at the top."""
        x, y = self.pixel(*center_mm)
        radius = radius_mm * self.px_per_mm
        angles = np.radians(np.linspace(from_deg, to_deg, 9))
        line = np.column_stack([x + radius * np.sin(angles), y - radius * np.cos(angles)]) * (1 << _SHIFT_BITS)
        width = max(1, round(width_mm * self.px_per_mm))
        points = np.round(line).astype(np.int32)
        cv2.polylines(self.pixels, [points], False, colour[::-1], width, cv2.LINE_AA, _SHIFT_BITS)

    def line(self, start_mm: XY, end_mm: XY, width_mm: float, colour: Colour) -> None:
        """Draws a straight line."""
        width = max(1, round(width_mm * self.px_per_mm))
        start, end = self._fixed(*start_mm), self._fixed(*end_mm)
        cv2.line(self.pixels, start, end, colour[::-1], width, cv2.LINE_AA, _SHIFT_BITS)

    def text(
        self, words: str, at_px: XY, height_px: float, colour: Colour, align: float = 0.0, bold: bool = False
    ) -> None:
        """Writes one line; ``at_px`` in pixels of the finished picture, at the middle of the capitals.

        ``height_px``: of a capital letter. ``align``: 0 starts there, 0.5 is centred, 1 ends there.
        """
        scale, thickness = _font(height_px, bold)
        (width, height), _ = cv2.getTextSize(_ascii(words), _FONT, scale, thickness)
        x = at_px[0] * SUPERSAMPLING - align * width
        y = at_px[1] * SUPERSAMPLING + min(height, height_px * SUPERSAMPLING) / 2
        cv2.putText(
            self.pixels, _ascii(words), (round(x), round(y)), _FONT, scale, colour[::-1], thickness, cv2.LINE_AA
        )

    def lines(self, words: str, height_px: float, width_px: float) -> list[str]:
        """Gets a text cut between words into lines that are at most ``width_px`` wide where its words allow it."""
        found: list[str] = []
        for word in words.split():
            longer = f"{found[-1]} {word}" if found else word
            if found and _text_width_px(longer, height_px) <= width_px:
                found[-1] = longer
            else:
                found.append(word)
        return found

    def text_at(self, words: str, at_mm: XY, height_mm: float, colour: Colour, bold: bool = False) -> None:
        """Writes one centred line at a place of the board."""
        x, y = self.pixel(*at_mm)
        height_px = height_mm * self.px_per_mm / SUPERSAMPLING
        self.text(words, (x / SUPERSAMPLING, y / SUPERSAMPLING), height_px, colour, align=0.5, bold=bold)

    def finished(self) -> Picture:
        """Gets the picture: height x width x 3, blue-green-red."""
        height, width = self.pixels.shape[:2]
        small = (width // SUPERSAMPLING, height // SUPERSAMPLING)
        return np.asarray(cv2.resize(self.pixels, small, interpolation=cv2.INTER_AREA), np.uint8)

    def _fixed(self, x_mm: float, y_mm: float) -> tuple[int, int]:
        x, y = self.pixel(x_mm, y_mm)
        return (round(x * (1 << _SHIFT_BITS)), round(y * (1 << _SHIFT_BITS)))


_ASCII = str.maketrans({"–": "-", "—": "-", "·": "-", "×": "x", "’": "'", "…": "..."})


def _ascii(words: str) -> str:
    """Gets a text as the font of OpenCV 4 can write it: without letters beyond ASCII."""
    return words.translate(_ASCII).encode("ascii", "replace").decode("ascii")


def _font(height_px: float, bold: bool) -> tuple[float, int]:
    scale = height_px * SUPERSAMPLING / _FONT_HEIGHT_PX
    return scale, max(1, round(scale * (2 if bold else 1)))


def _text_width_px(words: str, height_px: float) -> float:
    (width, _), _ = cv2.getTextSize(_ascii(words), _FONT, *_font(height_px, bold=False))
    return float(width / SUPERSAMPLING)
