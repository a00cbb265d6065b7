"""What rails and bars of real boards have inlaid: diamonds, discs and numbers at the points, lines, plates, hinges."""

from dataclasses import replace

import numpy as np

from boardctl.virtual.drawing.outlines import box, disc
from boardctl.virtual.drawn_colours import any_colour, near_colour
from boardctl.virtual.looks import Colour, Look, Outline, Patch
from calibration import BoardGeometry

OFTEN = {"at points": 0.7, "lines": 0.35, "corners": 0.3, "hinges": 0.35}
"""How often each kind lies on the rails of a board; one of them does."""

SIZE, WIDE, INSET = (0.25, 0.7), (0.05, 0.16), (0.2, 0.8)
"""Sizes of what lies at points, widths of lines, and how far these lie from the field: all in widths of the rail."""

HINGE = (0.3, 0.9), (0.8, 1.8), (0.35, 0.8)
"""How wide hinges are, in widths of the bar, how long, in widths of points, and how far from the middle, in halves of
the field's height."""

SEGMENTS = ("abcdef", "bc", "abged", "abgcd", "fgbc", "afgcd", "afgedc", "abc", "abcdefg", "abcdfg")
"""Which bars a digit has: a to f around from the top, g in the middle."""
LEVEL, UPRIGHT = (1.0, 0.0), (0.0, 0.5)
BARS = {
    "a": (0.5, 1.0, *LEVEL),
    "b": (1.0, 0.75, *UPRIGHT),
    "c": (1.0, 0.25, *UPRIGHT),
    "d": (0.5, 0.0, *LEVEL),
    "e": (0.0, 0.25, *UPRIGHT),
    "f": (0.0, 0.75, *UPRIGHT),
    "g": (0.5, 0.5, *LEVEL),
}
"""Middle (x, y) and length along x and y of each bar of a digit, in its width and height."""


def railed_look(look: Look, geometry: BoardGeometry, rng: np.random.Generator) -> tuple[Look, str]:
    """Draws what the rails and the bar of a board have inlaid; also says what."""
    while True:
        patches, said = [], []
        for kind, often in OFTEN.items():
            if rng.random() < often:
                drawn, name = _DRAWN[kind](look, geometry, rng)
                patches += drawn
                said.append(name)
        if said:
            return replace(look, on_rails=tuple(patches)), f"rails: {', '.join(said)}"


def _at_points(look: Look, geometry: BoardGeometry, rng: np.random.Generator) -> tuple[list[Patch], str]:
    """Draws something at the base of each point."""
    kind, colour = str(rng.choice(("diamonds", "discs", "numbers"))), _colour(look, rng)
    half = geometry.rail_width_mm * float(rng.uniform(*SIZE)) / 2
    stretched = float(rng.uniform(0.6, 1.8))
    patches = []
    outlines: list[Outline]
    for number in range(1, 25):
        side = -1.0 if geometry.is_near_row(number) else 1.0
        x, y = geometry.point_x_mm(number), side * (geometry.field_height_mm + geometry.rail_width_mm) / 2
        match kind:
            case "diamonds":
                wide = half * stretched
                outlines = [((x - wide, y), (x, y - half), (x + wide, y), (x, y + half))]
            case "discs":
                outlines = [disc(x, y, half)]
            case _:
                outlines = _number(number, (x, y), 2 * half, -side)
        patches += [Patch((outline,), colour) for outline in outlines]
    return patches, kind


def _number(number: int, at_mm: tuple[float, float], high_mm: float, up: float) -> list[Outline]:
    """Draws a number about a place, so high, which way ``up`` is along y: 1 or -1."""
    digits, wide, thick = str(number), 0.5 * high_mm, 0.16 * high_mm
    step = wide + 0.3 * high_mm
    left = -((len(digits) - 1) * step + wide) / 2
    found = []
    for place, digit in enumerate(digits):
        for x, y, along, upward in (BARS[bar] for bar in SEGMENTS[int(digit)]):
            middle = np.array([left + place * step + x * wide, (y - 0.5) * high_mm])
            reach = np.array([along * wide + thick, upward * high_mm + thick]) / 2
            low, high = (np.array(at_mm) + up * (middle + sign * reach) for sign in (-1, 1))
            found.append(box(float(low[0]), float(low[1]), float(high[0]), float(high[1])))
    return found


def _lines(look: Look, geometry: BoardGeometry, rng: np.random.Generator) -> tuple[list[Patch], str]:
    """Draws a line along the rails, all around field and trays."""
    wide, inset = (geometry.rail_width_mm * float(rng.uniform(*ends)) for ends in (WIDE, INSET))
    colour = _colour(look, rng)
    x = geometry.field_width_mm / 2 + geometry.rail_width_mm + geometry.tray_width_mm + inset
    y = geometry.field_height_mm / 2 + inset
    patches = []
    for side in (-1, 1):
        patches.append(Patch((box(-x, side * y - wide / 2, x, side * y + wide / 2),), colour))
        patches.append(Patch((box(side * x - wide / 2, -y, side * x + wide / 2, y),), colour))
    return patches, "lines"


def _corners(look: Look, geometry: BoardGeometry, rng: np.random.Generator) -> tuple[list[Patch], str]:
    """Draws a plate on each outer corner."""
    colour, rail = _colour(look, rng), geometry.rail_width_mm
    x = geometry.field_width_mm / 2 + 2 * rail + geometry.tray_width_mm
    y = geometry.field_height_mm / 2 + rail
    long = rail * float(rng.uniform(0.6, 1.0))
    return [
        Patch((box(sx * (x - long), sy * (y - long), sx * x, sy * y),), colour) for sx in (-1, 1) for sy in (-1, 1)
    ], "corners"


def _hinges(look: Look, geometry: BoardGeometry, rng: np.random.Generator) -> tuple[list[Patch], str]:
    """Draws two hinges on the bar."""
    wide, long, away = (float(rng.uniform(*ends)) for ends in HINGE)
    half_x, half_y = geometry.bar_width_mm * wide / 2, geometry.point_width_mm * long / 2
    y = away * (geometry.field_height_mm / 2 - half_y)
    colour = _colour(look, rng)
    return [Patch((box(-half_x, at - half_y, half_x, at + half_y),), colour) for at in (-y, y)], "hinges"


_DRAWN = {"at points": _at_points, "lines": _lines, "corners": _corners, "hinges": _hinges}


def _colour(look: Look, rng: np.random.Generator) -> Colour:
    """Draws the colour of an inlay: brass, a shade of the wood, nearly one of the board's, or any."""
    drawn = rng.random()
    if drawn < 0.25:
        return near_colour(rng, (70, 160, 190))
    if drawn < 0.5:
        shade = float(rng.uniform(0.45, 0.8) if rng.random() < 0.5 else rng.uniform(1.25, 1.8))
        blue, green, red = (int(np.clip(level * shade + 8, 3, 250)) for level in look.wood)
        return blue, green, red
    if drawn < 0.75:
        own = (look.field, *look.points)
        return near_colour(rng, own[int(rng.integers(len(own)))])
    return any_colour(rng, 15, 240)
