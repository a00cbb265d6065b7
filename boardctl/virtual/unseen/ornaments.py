"""What real boards have beside two rows of plain triangles: points of other shapes, and what is painted or inlaid.

Points that do not touch, or begin a little inside the field; spearheads and leaves; smaller triangles, lines and discs
in them; stripes across the board, lines around its halves, emblems and names in their middle.
"""

from dataclasses import replace

import numpy as np

from boardctl.virtual.drawing.field_paint import point_outline
from boardctl.virtual.drawing.outlines import FONTS, disc, lettering, star
from boardctl.virtual.drawn_colours import any_colour, near_colour
from boardctl.virtual.looks import Colour, Look, Outline, Patch, Profile
from calibration import BoardGeometry

STEPS = 12
"""Corners along a side of a point that is not straight."""

NARROW, INSET = (0.72, 0.97), (0.01, 0.07)
"""Widths of points that do not touch, in widths of points; where points begin that do not begin at the field's edge, in
their lengths."""

POINTED, SWOLLEN = (1.15, 1.7), (0.55, 0.85)
"""Powers of what is left of a point's length by which its width falls: hollow sides, and full ones."""

DISCS = ((0.25, 1.0, (0.05, 0.16), "discs at tips"), (0.15, 0.06, (0.15, 0.4), "discs at bases"))
"""How often discs lie in points, how far along these, between which radii in widths of points, and what they are."""

NAMES = ("CLUB", "Gammon", "BG", "M", "Open", "Tavla", "2026", "RG", "Cafe", "Master")
"""Letters of emblems, and what is written on boards."""


def adorned(look: Look, geometry: BoardGeometry, rng: np.random.Generator) -> tuple[Look, str]:
    """Draws the ornaments of a board; also says which there are. At least one is."""
    while True:
        kind, profile = _profile(rng)
        below, said_below = _below(look, geometry, rng)
        over, said_over = _in_points(look, geometry, profile, rng)
        emblems, said_emblem = _emblems(look, geometry, rng)
        said = [one for one in (kind, *said_below, *said_over, said_emblem) if one]
        if said:
            patches = (*over, *emblems)
            return replace(look, point_profile=profile, below_points=tuple(below), over_points=patches), ", ".join(said)


def _profile(rng: np.random.Generator) -> tuple[str, Profile]:
    """Draws the shape of points: their widths from edge to tip, each as where it is and how wide."""
    wide = float(rng.uniform(*NARROW)) if rng.random() < 0.5 else 1.0
    start = float(rng.uniform(*INSET)) if rng.random() < 0.35 else 0.0
    drawn = rng.random()
    power, leaf = 1.0, False
    said = [*(["narrow points"] if wide < 1 else []), *(["points inside the edge"] if start else [])]
    if drawn < 0.2:
        power = float(rng.uniform(*POINTED))
        said.append("hollow points")
    elif drawn < 0.4:
        power = float(rng.uniform(*SWOLLEN))
        said.append("full points")
    elif drawn < 0.5:
        leaf = True
        said.append("leaves")
    if power == 1 and not leaf:
        return ", ".join(said), ((start, wide * (1 - start)), (1.0, 0.0))
    steps = [start + (1 - start) * step / STEPS for step in range(STEPS + 1)]
    if leaf:
        # A leaf is narrower at its base than a quarter of the way along.
        widths = [min(0.6 + 1.6 * at, 1.0) * max(1 - max(at - 0.25, 0.0) / 0.75, 0.0) ** 0.8 for at in steps]
    else:
        widths = [max(1 - at, 0.0) ** power for at in steps]
    return ", ".join(said), tuple((at, wide * width) for at, width in zip(steps, widths, strict=True))


def _below(look: Look, geometry: BoardGeometry, rng: np.random.Generator) -> tuple[list[Patch], list[str]]:
    """Draws what lies below the points: a stripe across the board between the rows, and a line around each half."""
    patches, said = [], []
    gap = geometry.field_height_mm / 2 - geometry.point_length_mm
    if rng.random() < 0.3:
        half = gap * float(rng.uniform(0.3, 1.3))
        colour = _colour(look, rng)
        patches += [Patch((_rectangle(x0, x1, half),), colour) for x0, x1 in _halves(geometry)]
        said.append("stripe")
    if rng.random() < 0.3:
        inset, wide = float(rng.uniform(0, 5)), float(rng.uniform(0.8, 3.5))
        colour = _colour(look, rng)
        y = geometry.field_height_mm / 2 - inset
        for x0, x1 in _halves(geometry):
            outer = _rectangle(x0 + inset, x1 - inset, y)
            inner = _rectangle(x0 + inset + wide, x1 - inset - wide, y - wide)
            patches.append(Patch((outer, inner), colour))
        said.append("lines around")
    return patches, said


def _in_points(
    look: Look, geometry: BoardGeometry, profile: Profile, rng: np.random.Generator
) -> tuple[list[Patch], list[str]]:
    """Draws what lies in points: smaller ones, lines down their middle, discs at tips and bases."""
    patches: list[Patch] = []
    said: list[str] = []
    if rng.random() < 0.3:
        share = float(rng.uniform(0.35, 0.75))
        colours = _colour(look, rng), _colour(look, rng)
        for number in range(1, 25):
            patches.append(Patch((point_outline(geometry, number, profile, share),), colours[number % 2]))
        said.append("points in points")
    if rng.random() < 0.25:
        half, colour = float(rng.uniform(0.4, 1.2)), _colour(look, rng)
        for number in range(1, 25):
            x, base, tip = _middle(geometry, number)
            start, end = base + profile[0][0] * (tip - base), tip - 0.1 * (tip - base)
            patches.append(Patch((((x - half, start), (x + half, start), (x + half, end), (x - half, end)),), colour))
        said.append("lines in points")
    for chance, along, sizes, name in DISCS:
        if rng.random() < chance:
            radius, colour = geometry.point_width_mm * float(rng.uniform(*sizes)), _colour(look, rng)
            for number in range(1, 25):
                x, base, tip = _middle(geometry, number)
                patches.append(Patch((disc(x, base + along * (tip - base), radius),), colour))
            said.append(name)
    return patches, said


def _emblems(look: Look, geometry: BoardGeometry, rng: np.random.Generator) -> tuple[list[Patch], str]:
    """Draws what lies in the middle of each half, or of one of them."""
    if rng.random() < 0.4:
        return [], ""
    gap = geometry.field_height_mm / 2 - geometry.point_length_mm
    radius = max(gap, geometry.point_width_mm * 0.5) * float(rng.uniform(0.7, 1.8))
    colour, second = _colour(look, rng), _colour(look, rng)
    kind = str(rng.choice(("disc", "star", "ring", "name", "name")))
    text, font = str(rng.choice(NAMES)), int(rng.choice(FONTS))
    both, turned = rng.random() < 0.8, rng.random() < 0.3
    patches: list[Patch] = []
    for x0, x1 in _halves(geometry)[: 2 if both else 1]:
        x = (x0 + x1) / 2
        match kind:
            case "disc":
                patches.append(Patch((disc(x, 0, radius),), colour))
                patches.append(Patch(lettering(text[:1], font, (x, 0), (radius, radius), turned), second))
            case "ring":
                patches.append(Patch((disc(x, 0, radius), disc(x, 0, radius * 0.8)), colour))
                patches.append(Patch(lettering(text[:2], font, (x, 0), (radius, radius), turned), colour))
            case "star":
                patches.append(Patch((star(x, 0, radius),), colour))
            case _:
                patches.append(Patch(lettering(text, font, (x, 0), (0.8 * (x1 - x0), radius), turned), colour))
    return patches, f"emblem ({kind})"


def _colour(look: Look, rng: np.random.Generator) -> Colour:
    """Draws the colour of an ornament: one of the board's, nearly, or any."""
    drawn = rng.random()
    if drawn < 0.5:
        own = (look.field, *look.points, look.wood)
        return near_colour(rng, own[int(rng.integers(len(own)))])
    return any_colour(rng, 15, 240)


def _middle(geometry: BoardGeometry, number: int) -> tuple[float, float, float]:
    """Gets the x of the middle of a point, and the y of its base and of its tip."""
    _, (_, base), (x, tip) = geometry.point_triangle(number)
    return x, base, tip


def _halves(geometry: BoardGeometry) -> list[tuple[float, float]]:
    """Gets from where to where, along x, each half of the field goes."""
    bar, end = geometry.bar_width_mm / 2, geometry.field_width_mm / 2
    return [(bar, end), (-end, -bar)]


def _rectangle(x0: float, x1: float, y: float) -> Outline:
    return ((x0, -y), (x1, -y), (x1, y), (x0, y))
