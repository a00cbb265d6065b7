"""What real boards have beside two rows of plain triangles: points of other shapes, and what is painted or inlaid.

Points that do not touch, or begin a little inside the field; spearheads and leaves; smaller triangles, lines and discs
in them; stripes across the board, lines around its halves, emblems and names in their middle.
"""

from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from boardctl.virtual.field_paint import corners_of, point_outline
from boardctl.virtual.looks import Colour, Look, Outline, Patch, Profile
from boardctl.virtual.training_boards import any_colour, near_colour
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

FONTS = (cv2.FONT_HERSHEY_DUPLEX, cv2.FONT_HERSHEY_TRIPLEX, cv2.FONT_HERSHEY_SCRIPT_COMPLEX, cv2.FONT_HERSHEY_COMPLEX)
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
                patches.append(Patch((corners_of(_disc(x, base + along * (tip - base), radius)),), colour))
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
                patches.append(Patch((corners_of(_disc(x, 0, radius)),), colour))
                patches.append(_name(text[:1], font, (x, 0), (radius, radius), turned, second))
            case "ring":
                patches.append(Patch((corners_of(_disc(x, 0, radius)), corners_of(_disc(x, 0, radius * 0.8))), colour))
                patches.append(_name(text[:2], font, (x, 0), (radius, radius), turned, colour))
            case "star":
                patches.append(Patch((corners_of(_star(x, 0, radius)),), colour))
            case _:
                patches.append(_name(text, font, (x, 0), (0.8 * (x1 - x0), radius), turned, colour))
    return patches, f"emblem ({kind})"


def _name(
    text: str, font: int, at_mm: tuple[float, float], size_mm: tuple[float, float], turned: bool, colour: Colour
) -> Patch:
    """Draws a text with its middle there, as large as goes into a width and a height."""
    (wide, high), below = cv2.getTextSize(text, font, 4.0, 8)
    canvas = np.zeros((high + below + 40, wide + 40), dtype=np.uint8)
    cv2.putText(canvas, text, (20, high + 20), font, 4.0, (255,), 8)
    found, _ = cv2.findContours(canvas, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_NONE)
    scale = min(size_mm[0] / wide, size_mm[1] / high)
    rings = []
    for contour in found:
        corners = (contour.reshape(-1, 2) - np.array(canvas.shape[::-1]) / 2) * scale * [1, -1]
        corners = corners[:, ::-1] * [-1, 1] if turned else corners
        if len(corners) > 2:
            rings.append(corners_of(corners + np.array(at_mm)))
    return Patch(tuple(rings), colour)


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


def _disc(x: float, y: float, radius: float) -> NDArray[np.float64]:
    turns = np.linspace(0, 2 * np.pi, 40, endpoint=False)
    return np.column_stack([x + radius * np.cos(turns), y + radius * np.sin(turns)])


def _star(x: float, y: float, radius: float) -> NDArray[np.float64]:
    turns = np.linspace(0, 2 * np.pi, 16, endpoint=False)
    far = np.where(np.arange(16) % 2 == 0, radius, radius * 0.45)
    return np.column_stack([x + far * np.cos(turns), y + far * np.sin(turns)])
