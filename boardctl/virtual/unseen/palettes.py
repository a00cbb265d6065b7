"""Colours of boards that nothing was trained on: of any kind, of little contrast, dark, white, red, of woods."""

import numpy as np
from numpy.typing import NDArray

from boardctl.virtual.drawn_colours import any_colour, near_colour
from boardctl.virtual.looks import Colour
from calibration.colours import luminance

PALETTES = ("any", "any", "low contrast", "dark", "white", "red", "wood")
"""Kinds of colours; each installation has one of them."""

LEAST_APART = 35.0
"""Levels of brightness by which the seats' checkers differ: seat A is the lighter one."""

_WOODS = ((90, 190), (40, 110), (130, 225), (140, 235), (25, 90))
"""Levels of red of field, both points, lighter and darker checkers of wood: from, to."""


def drawn_palette(rng: np.random.Generator, palette: str) -> tuple[Colour, Colour, Colour, Colour, Colour]:
    """Draws field, both points, and the lighter and the darker checkers, in a kind of colours."""
    while True:
        field, first, second = (any_colour(rng, 20, 235) for _ in range(3))
        light, dark = any_colour(rng, 130, 250), any_colour(rng, 12, 130)
        if palette == "low contrast":
            lighter, darker = sorted((first, second), key=_brightness, reverse=True)
            light, dark = near_colour(rng, lighter), near_colour(rng, darker)
        elif palette == "dark":
            field, first, second, dark = (_grey(rng, 16, 62, 0.25) for _ in range(4))
        elif palette == "white":
            field, first, second, light = (_grey(rng, 165, 245, 0.08) for _ in range(4))
        elif palette == "red":
            field, first = _red(rng), _grey(rng, 15, 220, 0.2)
            second = _red(rng)
            light, dark = (
                (_red(rng), _grey(rng, 12, 40, 0.2)) if rng.random() < 0.5 else (light, near_colour(rng, second))
            )
        elif palette == "wood":
            field, first, second, light, dark = (_wood(rng, *levels) for levels in _WOODS)
        lighter_first = _brightness(light) - _brightness(dark) >= LEAST_APART
        seen = min(_apart(field, first), _apart(field, second)) > 14 and _apart(first, second) > 14
        if lighter_first and seen:
            return field, first, second, light, dark


def _grey(rng: np.random.Generator, low: float, high: float, hue: float) -> Colour:
    blue, green, red = (int(level) for level in np.clip(rng.uniform(low, high) * np.exp(rng.normal(0, hue, 3)), 5, 252))
    return blue, green, red


def _red(rng: np.random.Generator) -> Colour:
    level = rng.uniform(80, 200)
    return int(level * rng.uniform(0.1, 0.35)), int(level * rng.uniform(0.1, 0.3)), int(level)


def _wood(rng: np.random.Generator, low: float, high: float) -> Colour:
    red = rng.uniform(low, high)
    return int(red * rng.uniform(0.4, 0.75)), int(red * rng.uniform(0.65, 0.88)), int(red)


def _brightness(colour: Colour) -> float:
    return float(luminance(np.array([colour], dtype=np.float64))[0])


def _apart(one: Colour, other: Colour) -> float:
    """Gets by how much two colours differ in the channel in which they differ most."""
    levels: NDArray[np.int64] = np.abs(np.array(one) - np.array(other))
    return float(levels.max())
