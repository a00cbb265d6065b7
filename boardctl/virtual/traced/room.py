"""What lights a whole board: a lamp near above it, others, a window, and the light of the room."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from boardctl.virtual.looks import Light
from boardctl.virtual.traced.parts import drawn_around, lamp_at, light_around

Floats = NDArray[np.float64]

LAMPS = 3
LAMP_MM = 130.0
"""How wide a lamp is whose shadows are as soft as usual (``Light.soft`` is 1)."""
SECOND_OFTEN, THIRD_OFTEN, SHARE = 0.6, 0.35, (0.1, 0.8)
"""How often there is a second lamp, and a window or a third lamp; how much light it gives in terms of the first."""
LAMP_AWAY_MM, LAMP_OFF_DEG, LAMP_WIDE_MM = (900.0, 2400.0), (5.0, 55.0), (60.0, 700.0)
WINDOW_AWAY_MM, WINDOW_OFF_DEG, WINDOW_WIDE_MM = (1500.0, 3000.0), (50.0, 70.0), (700.0, 1600.0)
TINT, AROUND_TINT = 0.07, 0.05
MOST_BRIGHT, BRIGHT = 5, (0.3, 4.0)
"""Fewer than so many bright things are around, so much brighter than the rest."""
LEAST_AMBIENT, MOST_AMBIENT = 0.12, 0.75


def drawn_room(light: Light, rng: np.random.Generator) -> dict[str, Any]:
    """Draws a room whose first lamp is that of a look's light."""
    ambient = float(np.clip(light.ambient * rng.uniform(0.6, 1.1), LEAST_AMBIENT, MOST_AMBIENT))
    lamps = [(np.array(light.at_mm), LAMP_MM * light.soft**0.5 * float(rng.uniform(0.7, 1.6)), 1.0)]
    for often, away_mm, off_deg, wide_mm in (
        (SECOND_OFTEN, LAMP_AWAY_MM, LAMP_OFF_DEG, LAMP_WIDE_MM),
        (THIRD_OFTEN, WINDOW_AWAY_MM, WINDOW_OFF_DEG, WINDOW_WIDE_MM),
    ):
        share = float(rng.uniform(*SHARE)) if rng.random() < often else 0.0
        away, off, angle = float(rng.uniform(*away_mm)), np.radians(rng.uniform(*off_deg)), rng.uniform(0, 2 * np.pi)
        spot = away * np.array([np.sin(off) * np.cos(angle), np.sin(off) * np.sin(angle), np.cos(off)])
        lamps.append((spot, float(rng.uniform(*wide_mm)), share))
    around = drawn_around(rng, MOST_BRIGHT, BRIGHT, AROUND_TINT)
    parts = {"sky": light_around(around, ambient / np.pi / float(around[:8].mean()))}
    for number, (spot, wide, share) in enumerate(lamps):
        parts[f"lamp{number}"] = _lamp(spot, wide, (1 - ambient) * share, rng)
    return parts


def _lamp(spot: Floats, wide_mm: float, strength: float, rng: np.random.Generator) -> dict[str, Any]:
    """Gets a square lamp that faces the board, from which so much light falls on its middle (1: all of it)."""
    away = float(np.linalg.norm(spot))
    radiance = strength * (away / wide_mm) ** 2 * away / float(spot[2])
    tint = np.exp(rng.normal(0, TINT, 3)) * (1.0, 0.97, 0.92)
    return lamp_at(spot, wide_mm, radiance * tint)
