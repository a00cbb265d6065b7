"""What real checkers have beside one colour: dots, rings and rims of another, stars and letters, and marble.

What is inlaid or painted lies on both faces of a checker, about its middle; each checker lies turned in its own way.
"""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from boardctl.virtual.drawing.outlines import FONTS, corners_of, disc, lettering, star, turn
from boardctl.virtual.drawn_colours import any_colour, near_colour
from boardctl.virtual.looks import CheckerLook, Colour, Look, Patch
from calibration import BoardGeometry

KINDS = ("dot", "ring", "two rings", "rim", "star", "letter", "marble")
BOTH_OFTEN = 0.75
"""So often both seats' checkers have the same kind."""

DOT, RING, RING_WIDTH, RIM, EMBLEM = (0.12, 0.5), (0.4, 0.85), (0.05, 0.22), (0.74, 0.9), (0.35, 0.7)
"""Radii of dots, outer ones of rings, how wide rings are, from where on rims are of another colour, and radii of stars
and letters: all in radii of the checker."""

FACE = 0.96
"""Where the rounded edge begins, in radii: what is inlaid ends there."""

VEINS, VEIN_RADIUS, VEIN_SHADE = (4, 9), (0.15, 0.5), 0.25
"""How many veins marble has, how large they are in radii, and by how much they are lighter or darker (standard
deviation of the logarithm)."""

LETTERS = "ABGKMRSX"


def inlaid_look(look: Look, geometry: BoardGeometry, rng: np.random.Generator) -> tuple[Look, str]:
    """Draws what the checkers of a board have inlaid; also says what."""
    radius = geometry.checker_diameter_mm / 2
    both = rng.random() < BOTH_OFTEN
    first = str(rng.choice(KINDS))
    kinds = (first, first if both else str(rng.choice((*KINDS, "nothing"))))
    shares = rng.random(4)
    checkers = []
    for number, kind in enumerate(kinds):
        own, other = look.checkers[number], look.checkers[1 - number]
        patches = _patches(kind, own, other.colour, radius, shares, rng)
        checkers.append(replace(own, inlays=patches))
    said = f"inlaid: {kinds[0]}" if both else f"inlaid: {kinds[0]} and {kinds[1]}"
    return replace(look, checkers=(checkers[0], checkers[1])), said


def _patches(
    kind: str, own: CheckerLook, other: Colour, radius: float, shares: NDArray[np.float64], rng: np.random.Generator
) -> tuple[Patch, ...]:
    """Draws the patches of a kind; ``shares``: where between their ends its sizes lie, for both seats the same."""
    colour = _colour(own.colour, other, rng)

    def size(ends: tuple[float, float], which: int) -> float:
        return radius * (ends[0] + (ends[1] - ends[0]) * float(shares[which]))

    def ring(outer: float, wide: float) -> Patch:
        return Patch((disc(0, 0, outer), disc(0, 0, max(outer - wide, 0.05 * radius))), colour)

    match kind:
        case "dot":
            return (Patch((disc(0, 0, size(DOT, 0)),), colour),)
        case "ring":
            return (ring(size(RING, 0), size(RING_WIDTH, 1)),)
        case "two rings":
            wide = size(RING_WIDTH, 1) / 2
            return (ring(size(RING, 0), wide), ring(size(RING, 0) - 2 * wide, wide / 2))
        case "rim":
            return (Patch((disc(0, 0, FACE * radius), disc(0, 0, size(RIM, 0))), colour),)
        case "star":
            return (Patch((star(0, 0, size(EMBLEM, 0)),), colour),)
        case "letter":
            text, font = str(rng.choice(list(LETTERS))), int(rng.choice(FONTS))
            side = 1.4 * size(EMBLEM, 0)
            return (Patch(lettering(text, font, (0, 0), (side, side), False), colour),)
        case "marble":
            return tuple(shaded_vein(own.colour, radius, VEIN_SHADE, rng) for _ in range(int(rng.integers(*VEINS))))
    return ()


def shaded_vein(own: Colour, radius: float, strength: float, rng: np.random.Generator) -> Patch:
    """Draws a spot of marble, lighter or darker than the rest (standard deviation of the logarithm), that stays on a
    face of such a radius."""
    wide = radius * float(rng.uniform(*VEIN_RADIUS))
    turns = np.linspace(0, 2 * np.pi, 24, endpoint=False)
    waves = sum(rng.normal(0, 0.25) * np.sin(number * turns + rng.uniform(0, 6)) for number in (2, 3, 5))
    spot = np.column_stack([np.cos(turns), np.sin(turns) * rng.uniform(0.25, 1)]) * (wide * np.exp(waves))[:, None]
    angle = rng.uniform(0, np.pi)
    away = radius * rng.uniform(0, 0.7) * np.array([np.cos(2 * angle), np.sin(2 * angle)])
    spot = spot @ turn(angle).T + away
    far = np.maximum(np.linalg.norm(spot, axis=1) / (0.9 * radius), 1.0)
    shade = np.exp(rng.normal(0, strength))
    blue, green, red = (int(np.clip(level * shade, 3, 252)) for level in own)
    return Patch((corners_of(spot / far[:, None]),), (blue, green, red))


def _colour(own: Colour, other: Colour, rng: np.random.Generator) -> Colour:
    """Draws the colour of an inlay: nearly the other seat's, a shade of the checker's own, or any."""
    drawn = rng.random()
    if drawn < 0.3:
        return near_colour(rng, other)
    if drawn < 0.6:
        shade = rng.uniform(0.4, 0.8) if rng.random() < 0.5 else rng.uniform(1.2, 1.7)
        blue, green, red = (int(np.clip(level * shade + (12 if shade > 1 else 0), 3, 252)) for level in own)
        return blue, green, red
    return any_colour(rng, 12, 245)
