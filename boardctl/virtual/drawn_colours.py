"""Colours of points, wood, checkers and dice that are drawn by chance."""

import numpy as np

from boardctl.virtual.looks import Colour, DiceLook


def any_colour(rng: np.random.Generator, low: float, high: float) -> Colour:
    """Draws a colour about as bright as two levels (0 to 255) and what is between."""
    blue, green, red = (int(level) for level in np.clip(rng.uniform(low, high) * rng.uniform(0.5, 1.5, 3), 5, 250))
    return blue, green, red


def any_dice(rng: np.random.Generator, checker: Colour) -> DiceLook:
    """Draws dice of any colour, often that of one side's checkers."""
    drawn = rng.random()
    levels = (170, 245) if drawn < 0.75 else (15, 240)
    body = near_colour(rng, checker) if drawn < 0.5 else any_colour(rng, *levels)
    return DiceLook(body, (20, 20, 20) if sum(body) > 330 else (235, 235, 235))


def near_colour(rng: np.random.Generator, colour: Colour) -> Colour:
    """Draws a colour that is hard to tell from another."""
    factor = np.exp(rng.normal(0, 0.12)) * np.exp(rng.normal(0, 0.05, 3))
    blue, green, red = (int(level) for level in np.clip(np.array(colour) * factor + rng.normal(0, 5, 3), 5, 250))
    return blue, green, red
