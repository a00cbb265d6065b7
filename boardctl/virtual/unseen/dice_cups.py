"""Dice cups with dice in them, as players put them down between their throws, beside the board and on it."""

import math
from dataclasses import replace

import numpy as np

from boardctl.rules import Seat
from boardctl.virtual.dice import Die
from boardctl.virtual.looks import Look
from boardctl.virtual.unseen.beside import drawn_thing
from boardctl.virtual.world import Thing
from calibration import BoardGeometry

FILL = 0.95
"""How much of the bottom of a cup its dice may use."""

TRIES = 200


def cup_with_dice(look: Look, geometry: BoardGeometry, rng: np.random.Generator) -> Thing:
    """Draws a cup that holds a seat's dice, somewhere beside a board; one die where there is no room for two."""
    cup = drawn_thing(("dice cup",), look, geometry, rng)
    assert cup.inside is not None
    share, height, _ = cup.inside
    radius = share * float(np.hypot(*np.array(cup.rim_mm).T).max()) * FILL
    size, owner = geometry.die_size_mm, (None, Seat.B)[int(rng.integers(2))]
    reach = radius - size / math.sqrt(2)
    held: list[Die] = []
    for _ in range(TRIES):
        away, angle = reach * math.sqrt(rng.uniform()), rng.uniform(0, 2 * math.pi)
        x, y = away * math.cos(angle), away * math.sin(angle)
        if reach > 0 and all(math.hypot(x - one.x_mm, y - one.y_mm) > size * 1.3 for one in held):
            z = height * cup.height_mm + size / 2
            held.append(Die(int(rng.integers(1, 7)), x, y, z, rng.uniform(0, 360), owner=owner))
        if len(held) == 2:
            break
    return replace(cup, holds=tuple(held))


def cup_that_stands(look: Look, geometry: BoardGeometry, seed: int) -> Thing:
    """Draws a cup that holds dice and stands in the middle of the left half of the board."""
    cup = cup_with_dice(look, geometry, np.random.default_rng(seed))
    return replace(cup, x_mm=-(geometry.field_width_mm + geometry.bar_width_mm) / 4, y_mm=0.0, z_mm=0.0)
