"""The LEDs of the chain, drawn where they lie: a lens, its glow, and a ring that tells its rhythm.

The ring is one second, clockwise from the top in eighths; a part is bright where the LED is lit.
"""

import math
from collections.abc import Iterator

import cv2
import numpy as np

from boardctl.lights.canvas import Canvas, Colour
from boardctl.lights.colour_vision import SCREEN_GAMMA, screen_colour
from boardctl.lights.grammar import End
from boardctl.lights.scene_frame import DICE_ZONES, Spot, leds_of
from boardctl.rules import PlaceKind, Seat, bar, point, tray
from calibration.geometry import XY, BoardGeometry
from firmware_bridge.leds import PATTERN_SLOT_MS, ChainLayout, LedFrame, Light

LENS_MM = 3.6
RING_MM = 6.6
RING_WIDTH_MM = 2.0
GLOW_MM = 12.0
UNLIT: Colour = (26, 24, 24)
RING_DARK: Colour = (38, 35, 34)


def led_places(geometry: BoardGeometry, layout: ChainLayout) -> Iterator[tuple[int, XY]]:
    """Gets every LED of the chain with its x, y in millimetres."""
    spots: list[Spot] = [*map(point, range(1, 25)), *map(bar, DICE_ZONES), *map(tray, DICE_ZONES), *DICE_ZONES]
    for spot in spots:
        for end in End:
            for led in leds_of(spot, end, layout):
                yield led, light_place(geometry, spot, end)


def light_place(geometry: BoardGeometry, spot: Spot, end: End) -> XY:
    """Gets x, y in millimetres of one light of a pair: base lights on the rails, tip lights towards the middle."""
    rail_y = geometry.field_height_mm / 2 + geometry.rail_width_mm / 2
    if isinstance(spot, Seat):
        side = 1.0 if spot is Seat.A else -1.0
        outer = geometry.field_width_mm / 2 + geometry.rail_width_mm / 2
        inner = geometry.bar_width_mm / 2 + RING_MM * 1.4
        return (side * (outer if end is End.BASE else inner), 0.0)
    if spot.kind is PlaceKind.POINT:
        side = -1.0 if geometry.is_near_row(spot.number) else 1.0
        tip_y = geometry.field_height_mm / 2 - geometry.point_length_mm - RING_MM * 1.2
        return (geometry.point_x_mm(spot.number), side * (rail_y if end is End.BASE else tip_y))
    if spot.kind is PlaceKind.BAR:
        side = 1.0 if spot.seat is Seat.A else -1.0
        return (0.0, side * (rail_y if end is End.BASE else RING_MM * 2.0))
    side = -1.0 if spot.seat is Seat.A else 1.0
    return (geometry.tray_x_mm(), side * (rail_y if end is End.BASE else RING_MM * 2.0))


def draw_lights(
    canvas: Canvas, geometry: BoardGeometry, frame: LedFrame, layout: ChainLayout, at_ms: int | None = None
) -> None:
    """Draws the chain. ``at_ms``: as it is lit at that instant of the board's clock; None: all that is ever lit."""
    now = None if at_ms is None else 1 << at_ms // PATTERN_SLOT_MS % 8
    places = list(led_places(geometry, layout))
    burning = [(frame[led], spot) for led, spot in places if _is_lit(frame[led], now)]
    _add_glow(canvas, burning)
    for led, center in places:
        light = frame[led]
        if light.pattern and any(light[:3]):
            draw_light(canvas, center, light, lit=_is_lit(light, now))
        else:
            canvas.disc(center, LENS_MM * 0.5, UNLIT)


def draw_light(canvas: Canvas, center_mm: XY, light: Light, lit: bool = True) -> None:
    """Draws the lens of one LED and the ring of its rhythm."""
    colour = screen_colour(light[:3])
    canvas.disc(center_mm, RING_MM + RING_WIDTH_MM / 2 + 0.6, RING_DARK)
    if lit:
        canvas.disc(center_mm, LENS_MM, colour)
        canvas.disc(center_mm, LENS_MM * 0.55, _paler(colour))
    else:
        canvas.disc(center_mm, LENS_MM, UNLIT)
    gap_deg = 0 if light.pattern == 0xFF else 7
    for slot in range(8):
        if light.pattern >> slot & 1:
            joined = light.pattern >> (slot + 1) % 8 & 1
            end = 45 * (slot + 1) - (0 if joined else gap_deg)
            canvas.arc(center_mm, RING_MM, 45 * slot, end, RING_WIDTH_MM, colour)


def _is_lit(light: Light, now: int | None) -> bool:
    return any(light[:3]) and bool(light.pattern if now is None else light.pattern & now)


def _add_glow(canvas: Canvas, burning: list[tuple[Light, XY]]) -> None:
    """Adds a halo around each light; light adds up, so this is done in linear values on a small copy."""
    if not burning:
        return
    shrink = 8
    height, width = (math.ceil(side / shrink) for side in canvas.pixels.shape[:2])
    halo = np.zeros((height, width, 3), np.float32)
    for light, center in burning:
        x, y = canvas.pixel(*center)
        level = [float(value) for value in light[2::-1]]
        cv2.circle(halo, (round(x / shrink), round(y / shrink)), round(GLOW_MM * canvas.px_per_mm / shrink), level, -1)
    blur_px = GLOW_MM * canvas.px_per_mm / shrink
    blurred = cv2.GaussianBlur(halo, (0, 0), blur_px)
    full = cv2.resize(blurred, (canvas.pixels.shape[1], canvas.pixels.shape[0]), interpolation=cv2.INTER_LINEAR)
    linear = (canvas.pixels.astype(np.float32) / 255) ** SCREEN_GAMMA + full * (0.9 / 255)
    canvas.pixels = np.asarray(255 * np.clip(linear, 0, 1) ** (1 / SCREEN_GAMMA), np.uint8)


def _paler(colour: Colour) -> Colour:
    red, green, blue = (value + (255 - value) * 6 // 10 for value in colour)
    return (red, green, blue)
