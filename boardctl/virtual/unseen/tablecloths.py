"""What tables are covered with: cloths with a pattern, planks and tiles, a mat below the board, papers beside it."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from boardctl.virtual.drawing.outlines import FONTS, box, corners_of, disc, lettering, turn
from boardctl.virtual.drawing.stage import TABLE_REACH_MM
from boardctl.virtual.drawn_colours import any_colour, near_colour
from boardctl.virtual.looks import Colour, Look, Outline, Patch
from calibration import BoardGeometry
from calibration.follow import outline_mm

PATTERN_OFTEN, MAT_OFTEN = 0.75, 0.3
"""How many tables have a pattern, and how many boards lie on a mat."""

STEP_MM, WIDE = (10.0, 90.0), (0.06, 0.5)
"""How far apart the parts of a pattern are, and how wide each is in terms of that."""

MAT_MM = (10.0, 80.0)
"""So far beyond the board a mat goes."""

PAPERS, PAPER_MM, LINES_MM = (0, 4), (70.0, 210.0), (5.0, 10.0)
"""How many papers lie there (from, to below), how long they are, and how far apart their lines are."""

AWAY_MM = (10.0, 200.0)
"""How far from the board papers begin."""

WORDS = ("Score", "Match 7", "1 2 3", "White", "Black", "Round 4", "Doubling", "Winner", "Name", "5 - 3")


def covered_table(look: Look, geometry: BoardGeometry, rng: np.random.Generator) -> tuple[Look, str]:
    """Draws what the table is covered with; also says with what."""
    patches, said = list[Patch](), []
    if rng.random() < PATTERN_OFTEN:
        kind = str(rng.choice(list(_PATTERNS)))
        patches += _PATTERNS[kind](look, rng)
        said.append(kind)
    x, y = outline_mm(geometry)[2, :2].tolist()
    if rng.random() < MAT_OFTEN:
        wide = float(rng.uniform(*MAT_MM))
        patches.append(Patch((box(-x - wide, -y - wide, x + wide, y + wide),), any_colour(rng, 15, 230)))
        said.append("mat")
    papers = int(rng.integers(*PAPERS))
    for _ in range(papers):
        patches += _paper(x, y, rng)
    return replace(look, on_table=tuple(patches)), ", ".join([*said, f"{papers} papers"])


def _colours(look: Look, rng: np.random.Generator) -> tuple[Colour, Colour]:
    """Draws two colours of a pattern: shades of the table's, of the board's own, or any."""
    own = (look.table, look.wood, look.field, *look.points)
    drawn = [
        near_colour(rng, own[int(rng.integers(len(own)))]) if rng.random() < 0.4 else any_colour(rng, 15, 240)
        for _ in range(2)
    ]
    return drawn[0], drawn[1]


def _checked(look: Look, rng: np.random.Generator) -> list[Patch]:
    """Draws a checked cloth: stripes along both sides, in full colour where they cross."""
    step, first = float(rng.uniform(*STEP_MM)), _colours(look, rng)[0]
    blue, green, red = ((one + other) // 2 for one, other in zip(first, look.table, strict=True))
    half = (blue, green, red)
    return [
        Patch(tuple(box(at, -TABLE_REACH_MM, at + step / 2, TABLE_REACH_MM) for at in _steps(step)), half),
        Patch(tuple(box(-TABLE_REACH_MM, at, TABLE_REACH_MM, at + step / 2) for at in _steps(step)), half),
        Patch(tuple(box(x, y, x + step / 2, y + step / 2) for x in _steps(step) for y in _steps(step)), first),
    ]


def _striped(look: Look, rng: np.random.Generator) -> list[Patch]:
    """Draws stripes at any angle."""
    step, angle = float(rng.uniform(*STEP_MM)), turn(float(rng.choice((0.0, np.pi / 2, rng.uniform(0, np.pi)))))
    patches = []
    for colour, share in zip(_colours(look, rng), (0.0, 0.5), strict=True):
        wide = step * float(rng.uniform(*WIDE))
        strips = [
            box(at + share * step, -TABLE_REACH_MM, at + share * step + wide, TABLE_REACH_MM) for at in _steps(step)
        ]
        patches.append(Patch(tuple(corners_of(np.array(strip) @ angle) for strip in strips), colour))
    return patches


def _dotted(look: Look, rng: np.random.Generator) -> list[Patch]:
    """Draws dots in rows."""
    step, colour = max(float(rng.uniform(*STEP_MM)), 16.0), _colours(look, rng)[0]
    radius = step * float(rng.uniform(0.1, 0.35))
    rows = enumerate(_steps(step))
    return [
        Patch(
            tuple(disc(x + (step / 2 if row % 2 else 0.0), y, radius) for row, y in rows for x in _steps(step)), colour
        )
    ]


def _planks(look: Look, rng: np.random.Generator) -> list[Patch]:
    """Draws planks of different shades, with dark gaps."""
    step, across = float(rng.uniform(55, 160)), rng.random() < 0.5
    patches = []
    for at in _steps(step):
        shade = float(np.exp(rng.normal(0, 0.18)))
        blue, green, red = (int(np.clip(level * shade, 3, 250)) for level in look.table)
        plank = box(at, -TABLE_REACH_MM, at + step - float(rng.uniform(0.5, 3.0)), TABLE_REACH_MM)
        patches.append(Patch((corners_of(np.array(plank)[:, ::-1]) if across else plank,), (blue, green, red)))
    return patches


def _tiles(look: Look, rng: np.random.Generator) -> list[Patch]:
    """Draws squares in two colours, as of a chess board."""
    step, colours = float(rng.uniform(25, 120)), _colours(look, rng)
    squares: tuple[list[Outline], list[Outline]] = ([], [])
    for row, y in enumerate(_steps(step)):
        for column, x in enumerate(_steps(step)):
            squares[(row + column) % 2].append(box(x, y, x + step, y + step))
    return [Patch(tuple(each), colour) for each, colour in zip(squares, colours, strict=True)]


_PATTERNS: dict[str, Callable[[Look, np.random.Generator], list[Patch]]] = {
    "checked": _checked,
    "striped": _striped,
    "dotted": _dotted,
    "planks": _planks,
    "tiles": _tiles,
}


def _paper(x_mm: float, y_mm: float, rng: np.random.Generator) -> list[Patch]:
    """Draws a sheet with lines and words beside a board that reaches so far to each side."""
    long = float(rng.uniform(*PAPER_MM))
    half = np.array([long, long * float(rng.uniform(0.6, 0.8))]) / 2
    at_end = rng.random() < 0.5
    away = float(rng.uniform(*AWAY_MM)) + float(np.hypot(*half))
    side = float(rng.choice((-1.0, 1.0)))
    at = (side * (x_mm + away), float(rng.uniform(-1, 1)) * y_mm)
    if at_end:
        at = (float(rng.uniform(-1, 1)) * x_mm, side * (y_mm + away))
    angle = turn(float(rng.uniform(0, 2 * np.pi)))

    def laid(outline: Outline) -> Outline:
        return corners_of(np.array(outline) @ angle + at)

    ink = near_colour(rng, (60, 45, 40))
    patches = [Patch((laid(box(-half[0], -half[1], half[0], half[1])),), near_colour(rng, (232, 236, 238)))]
    step = float(rng.uniform(*LINES_MM))
    for y in np.arange(-half[1] + step, half[1] - step / 2, step):
        if rng.random() < 0.4:
            spot = (float(rng.uniform(-0.5, 0.4)) * half[0], float(y))
            word = lettering(str(rng.choice(WORDS)), int(rng.choice(FONTS)), spot, (half[0], 0.8 * step), False)
            patches.append(Patch(tuple(laid(each) for each in word), ink))
        else:
            patches.append(Patch((laid(box(-0.9 * half[0], y - 0.25, 0.9 * half[0], y + 0.25)),), ink))
    return patches


def _steps(step_mm: float) -> list[float]:
    return [float(at) for at in np.arange(-TABLE_REACH_MM, TABLE_REACH_MM, step_mm)]
