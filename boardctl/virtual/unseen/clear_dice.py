"""Dice that light goes through, as precision dice are: of what colours, and how they look."""

from dataclasses import replace

import numpy as np

from boardctl.virtual.drawn_colours import near_colour
from boardctl.virtual.looks import Colour, DiceLook, Look

CLEAR = (0.6, 0.97)
"""Which part of the light goes into what such dice are made of: cloudy ones and clear ones."""

COLOURS: dict[str, Colour] = {
    "red": (42, 34, 205),
    "green": (70, 150, 40),
    "blue": (190, 90, 30),
    "amber": (40, 150, 235),
    "violet": (165, 55, 130),
    "smoky": (85, 80, 80),
    "clear": (238, 238, 236),
}
"""What colours they have in the trade (blue, green, red): what light they let through."""

WHITE, BLACK = (236, 240, 240), (24, 22, 22)


def dice_made_clear(look: Look, rng: np.random.Generator) -> tuple[Look, str]:
    """Draws dice that light goes through, for both sets of a board; also says of what colours."""
    clear = float(rng.uniform(*CLEAR))
    names = [str(rng.choice(list(COLOURS))) for _ in range(2)]
    first, second = (_made(name, clear, rng) for name in names)
    return replace(look, dice=first, second_dice=second), f"dice: clear ({clear:.2f}), {names[0]} and {names[1]}"


def _made(name: str, clear: float, rng: np.random.Generator) -> DiceLook:
    dark_pips = name == "clear" and rng.random() < 0.5
    return DiceLook(near_colour(rng, COLOURS[name]), BLACK if dark_pips else WHITE, clear=clear)
