"""The LEDs of the chain, drawn where they lie: a lens, its glow, and a ring that tells its rhythm.

The ring is one second, clockwise from the top in eighths; a part is bright where the LED is lit.
"""

from collections.abc import Iterator

import cv2
import numpy as np
from numpy.typing import NDArray

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
HALO_STRENGTH = 0.9
UNLIT: Colour = (26, 24, 24)
RING_DARK: Colour = (38, 35, 34)

# Tables between the values of a screen and linear light; light is cut into enough steps for the darkest values.
_STEPS = 8191
_TO_LINEAR = (255 * (np.arange(256) / 255) ** SCREEN_GAMMA).astype(np.float32)
_TO_SCREEN = np.round(255 * (np.arange(_STEPS + 1) / _STEPS) ** (1 / SCREEN_GAMMA)).astype(np.uint8)


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
    """Adds a halo around each light. Light adds up, so this is done in linear values."""
    halo = _halo(round(GLOW_MM * canvas.px_per_mm))
    reach = halo.shape[0] // 2
    height, width = canvas.pixels.shape[:2]
    for light, center in burning:
        x, y = (round(value) for value in canvas.pixel(*center))
        left, top, right, bottom = max(0, x - reach), max(0, y - reach), min(width, x + reach), min(height, y + reach)
        if left >= right or top >= bottom:
            continue
        part = halo[top - y + reach : bottom - y + reach, left - x + reach : right - x + reach, None]
        region = canvas.pixels[top:bottom, left:right]
        linear = _TO_LINEAR[region] + part * np.array(light[2::-1], np.float32)
        region[:] = _TO_SCREEN[np.minimum(linear * (_STEPS / 255), _STEPS).astype(np.uint16)]


def _halo(radius_px: int) -> NDArray[np.float32]:
    """Gets the strength of a light's halo, 0 to 1, in a square of eight radii that fades to nothing at its edges."""
    shrink = max(1, radius_px // 8)
    small = max(2, radius_px // shrink)
    field = np.zeros((8 * small, 8 * small), np.float32)
    cv2.circle(field, (4 * small, 4 * small), small, (HALO_STRENGTH,), -1)
    blurred = cv2.GaussianBlur(field, (0, 0), small, borderType=cv2.BORDER_CONSTANT)
    fading = np.maximum(blurred - blurred[0].max(), 0.0)
    side = 8 * small * shrink
    return np.asarray(cv2.resize(fading, (side, side), interpolation=cv2.INTER_LINEAR), np.float32)


def _paler(colour: Colour) -> Colour:
    red, green, blue = (value + (255 - value) * 6 // 10 for value in colour)
    return (red, green, blue)
