"""The lights of the board as its camera sees them: white or nearly where they shine, and a glow around.

They are far brighter than what lies beside them, so that most of what is seen of one is what the lens spreads of its
light. What lies on a light hides it.
"""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from boardctl.lights.picture_lights import led_places
from boardctl.virtual.drawing.brush import Picture
from calibration import BoardGeometry, CameraModel
from calibration.light.linear import levels_of, light_of
from firmware_bridge.leds import ChainLayout

Floats = NDArray[np.float32]
Colour = tuple[int, int, int]
"""Red, green and blue, 0 to 255, as the LEDs have them: twice the number is twice the light."""

Light = tuple[tuple[float, float, float], Colour]
"""Where one lies in millimetres, and what it is lit with."""

GLOW_RADII = 1.3
"""How wide the glow close by is (standard deviation), in radii of what shines."""
REACH = 3
"""Farther than so many times as wide as the veil nothing of a light is seen."""

HIDDEN_LEVELS = 40
"""By so many levels what lies on a light differs from the bare board: shadows differ by less on most boards."""


@dataclass(frozen=True)
class LightLook:
    """How lights come out in a camera's pictures.

    ``lens_mm``: the radius of what shines. ``strength``: how many times as bright as the camera's white it is at full
    level. ``glow`` and ``veil``: shares of that which are seen beside it, close by (within some two radii) and farther
    off (within ``veil_mm``).
    """

    lens_mm: float = 3.0
    strength: float = 6.0
    glow: float = 0.06
    veil: float = 0.002
    veil_mm: float = 12.0

    @classmethod
    def drawn(cls, rng: np.random.Generator) -> "LightLook":
        """Draws how lights come out: bare or below ground glass, and through a clean lens or one that is not."""
        return cls(
            lens_mm=float(rng.uniform(2.2, 4.5)),
            strength=float(rng.uniform(1.5, 12.0)),
            glow=float(rng.uniform(0.03, 0.1)),
            veil=float(rng.uniform(0.0005, 0.005)),
        )


def lights_of(geometry: BoardGeometry, layout: ChainLayout, colours: Iterable[Colour]) -> list[Light]:
    """Gets the lights of a board that burn, by what each LED of its chain is lit with."""
    lit = dict(enumerate(colours))
    places = [(led, place) for led, place in led_places(geometry, layout) if any(lit[led])]
    return [((x, y, _height_mm(geometry, x, y)), lit[led]) for led, (x, y) in places]


def with_lights(
    picture: Picture, bare: Picture, camera: CameraModel, lights: Iterable[Light], look: LightLook
) -> Picture:
    """Gets a picture (H x W x 3) with the lights that nothing lies on. ``bare``: the same without anything on it."""
    height, width = picture.shape[:2]
    burning = []
    for place, colour in lights:
        middle, beside = camera.project([place, (place[0] + 1.0, *place[1:])])
        x, y = (int(value) for value in np.rint(middle))
        if 1 <= x < width - 1 and 1 <= y < height - 1 and _is_bare(picture, bare, x, y):
            burning.append((middle, float(np.linalg.norm(beside - middle)), colour))
    if not burning:
        return picture
    reach = REACH * look.veil_mm * max(px_per_mm for _, px_per_mm, _ in burning)
    middles = np.array([middle for middle, _, _ in burning])
    left, top = np.maximum(np.floor(middles.min(axis=0) - reach), 0).astype(int)
    right, bottom = np.minimum(np.ceil(middles.max(axis=0) + reach), (width, height)).astype(int)
    light = np.zeros((bottom - top, right - left, 3), np.float32)
    for (x, y), px_per_mm, colour in burning:
        _add(light, (x - left, y - top), px_per_mm, colour, look)
    part = (slice(top, bottom), slice(left, right))
    shown = picture.copy()
    shown[part] = levels_of(light_of(picture[part]) + light)
    return shown


def _add(light: Floats, at: tuple[float, float], px_per_mm: float, colour: Colour, look: LightLook) -> None:
    """Adds one light (in camera's whites, blue first) about a place of a picture's part (h x w x 3)."""
    height, width = light.shape[:2]
    reach = REACH * look.veil_mm * px_per_mm
    rows = slice(max(int(at[1] - reach), 0), min(int(at[1] + reach) + 1, height))
    columns = slice(max(int(at[0] - reach), 0), min(int(at[0] + reach) + 1, width))
    down, right = np.mgrid[rows, columns].astype(np.float32)
    away_mm = np.hypot(right - at[0], down - at[1]) / px_per_mm
    core = np.clip((look.lens_mm - away_mm) * px_per_mm + 0.5, 0, 1)
    glow = look.glow * np.exp(-((away_mm / (GLOW_RADII * look.lens_mm)) ** 2) / 2)
    veil = look.veil * np.exp(-((away_mm / look.veil_mm) ** 2) / 2)
    level = np.array(colour[::-1], np.float32) / 255 * look.strength
    light[rows, columns] += ((core + glow + veil)[..., None] * level).astype(np.float32)


def _is_bare(picture: Picture, bare: Picture, x: int, y: int) -> bool:
    """Whether a pixel, with those around it, looks as on the bare board."""
    around = (slice(y - 1, y + 2), slice(x - 1, x + 2))
    one, other = (each[around].reshape(-1, 3).mean(axis=0) for each in (picture, bare))
    return bool(np.abs(one - other).max() < HIDDEN_LEVELS)


def _height_mm(geometry: BoardGeometry, x_mm: float, y_mm: float) -> float:
    """Gets how high a light lies above the field: in it, on the bar, or on a rail."""
    if abs(x_mm) > geometry.field_width_mm / 2 or abs(y_mm) > geometry.field_height_mm / 2:
        return geometry.rail_height_mm
    return geometry.bar_height_mm if abs(x_mm) < geometry.bar_width_mm / 2 else 0.0
