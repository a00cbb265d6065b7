"""What lights a whole board: a lamp near above it, others, a window, and the light of the room."""

from typing import Any

import mitsuba
import numpy as np
from numpy.typing import NDArray

from boardctl.virtual.looks import Light
from boardctl.virtual.traced.parts import place

Floats = NDArray[np.float64]

LAMPS = 3
LAMP_MM = 130.0
"""How wide a lamp is whose shadows are as soft as usual (``Light.soft`` is 1)."""
SECOND_OFTEN, THIRD_OFTEN, SHARE = 0.6, 0.35, (0.1, 0.8)
"""How often there is a second lamp, and a window or a third lamp; how much light it gives in terms of the first."""
LAMP_AWAY_MM, LAMP_OFF_DEG, LAMP_WIDE_MM = (900.0, 2400.0), (5.0, 55.0), (60.0, 700.0)
WINDOW_AWAY_MM, WINDOW_OFF_DEG, WINDOW_WIDE_MM = (1500.0, 3000.0), (50.0, 70.0), (700.0, 1600.0)
TINT = 0.07
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
    parts = {"sky": _around(ambient, rng)}
    for number, (spot, wide, share) in enumerate(lamps):
        parts[f"lamp{number}"] = _lamp(spot, wide, (1 - ambient) * share, rng)
    return parts


def _lamp(spot: Floats, wide_mm: float, strength: float, rng: np.random.Generator) -> dict[str, Any]:
    """Gets a square lamp that faces the board, from which so much light falls on its middle (1: all of it)."""
    away = float(np.linalg.norm(spot))
    radiance = strength * (away / wide_mm) ** 2 * away / float(spot[2])
    tint = np.exp(rng.normal(0, TINT, 3)) * (1.0, 0.97, 0.92)
    facing = place().look_at(origin=spot.tolist(), target=[0, 0, 0], up=[0.01, 1, 0.02])
    return {
        "type": "rectangle",
        "to_world": facing.scale([wide_mm / 2, wide_mm / 2, 1]),
        "emitter": {"type": "area", "radiance": {"type": "rgb", "value": (radiance * tint).tolist()}},
    }


def _around(ambient: float, rng: np.random.Generator) -> dict[str, Any]:
    """Draws all that is around, brighter above, with doors, pictures and bright walls."""
    above = np.maximum(np.linspace(1, -1, 16), 0)[:, None, None]
    around = np.full((16, 32, 3), 0.25) + above * rng.uniform(0.2, 1.2)
    for _ in range(rng.integers(0, 5)):
        top, left, high, wide = (int(rng.integers(*ends)) for ends in ((1, 8), (0, 32), (1, 4), (1, 6)))
        around[top : top + high, (left + np.arange(wide)) % 32] += rng.uniform(0.3, 4)
    around = around * np.exp(rng.normal(0, 0.3, (16, 32, 1))) * np.exp(rng.normal(0, 0.05, 3))
    scale = ambient / np.pi / float(around[:8].mean())
    return {
        "type": "envmap",
        "bitmap": mitsuba.Bitmap(around.astype(np.float32)),
        "scale": scale,
        "to_world": place().rotate([1, 0, 0], 90),
    }
