"""What dice have on their faces that are not of the common make: swirls, rings for pips, pips of other colours and
sizes, worn ones, emblems."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from boardctl.virtual.drawing.bodies import PIP_OFFSET, PIP_RADIUS, PIPS
from boardctl.virtual.drawing.outlines import FONTS, box, disc, lettering, star
from boardctl.virtual.drawn_colours import any_colour, near_colour
from boardctl.virtual.looks import Colour, DiceLook, Look, Patch
from boardctl.virtual.unseen.inlays import shaded_vein
from calibration.colours import luminance

SWIRLS = (5, 11)
"""How many swirls a face has: from, to below."""

DOT, HOLE = (0.2, 0.45), (0.55, 0.8)
"""Radii of the dots in rings, and of the rings' holes, in terms of the rings'."""

SMALL, LARGE, LARGE_ONE = (0.045, 0.065), (0.12, 0.15), (1.4, 2.2)
"""Radii of small and of large pips, in die widths; of the one's pip, in terms of the others'."""

WORN = (0.35, 0.65)
"""How much of the colour of worn pips is the body's."""

EMBLEM, FRAME, FRAME_WIDE = (0.18, 0.32), (0.4, 0.46), (0.015, 0.04)
"""Radii of emblems in place of the one; how far from the middle frames are, and how wide: in die widths."""

LEAST_APART = 70.0
"""Levels of brightness by which pips differ from what they lie on."""

Face = list[Patch]
Faces = tuple[list[Face], list[Face]]
"""What the six faces show, and what lies below that."""
Kind = Callable[[DiceLook, list[Face], list[Face], np.random.Generator], Faces]


def dice_with_faces(look: Look, rng: np.random.Generator) -> tuple[Look, str]:
    """Draws an uncommon make of dice, the same for both sets of a board; also says which."""
    kinds = [str(rng.choice(list(_KINDS)))]
    if rng.random() < 0.35:
        kinds.append(str(rng.choice(list(_KINDS))))
    first, second = (_made(dice, kinds, rng) for dice in (look.dice, look.second_dice))
    return replace(look, dice=first, second_dice=second), f"dice: {' and '.join(dict.fromkeys(kinds))}"


def _made(dice: DiceLook, kinds: list[str], rng: np.random.Generator) -> DiceLook:
    """Gets dice of some kinds; of two that tell how pips look, the later counts."""
    faces: list[Face] = [_pips(value, dice.pips, PIP_RADIUS) for value in PIPS]
    below: list[Face] = [[] for _ in faces]
    for kind in kinds:
        faces, below = _KINDS[kind](dice, faces, below, rng)
    return replace(dice, faces=tuple((*under, *over) for under, over in zip(below, faces, strict=True)))


def _pips(value: int, colour: Colour, radius: float, spread: float = PIP_OFFSET) -> Face:
    return [Patch((disc(x * spread, y * spread, radius),), colour) for x, y in PIPS[value]]


def _swirls(dice: DiceLook, faces: list[Face], below: list[Face], rng: np.random.Generator) -> Faces:
    """Draws swirls of other shades, or of a second colour, below the pips."""
    strength = float(rng.uniform(0.1, 0.4))
    return faces, [
        [*face, *(shaded_vein(dice.body, 0.46, strength, rng) for _ in range(int(rng.integers(*SWIRLS))))]
        for face in below
    ]


def _rings(dice: DiceLook, faces: list[Face], below: list[Face], rng: np.random.Generator) -> Faces:
    """Draws rings with dots in them for pips."""
    radius, hole, dot = float(rng.uniform(0.09, 0.13)), float(rng.uniform(*HOLE)), float(rng.uniform(*DOT))

    def ringed(x: float, y: float) -> Face:
        ring = Patch((disc(x, y, radius), disc(x, y, radius * hole)), dice.pips)
        return [ring, Patch((disc(x, y, radius * dot),), dice.pips)]

    return [
        [patch for x, y in PIPS[value] for patch in ringed(x * PIP_OFFSET, y * PIP_OFFSET)] for value in PIPS
    ], below


def _coloured(dice: DiceLook, faces: list[Face], below: list[Face], rng: np.random.Generator) -> Faces:
    """Draws pips of any colour that is plainly lighter or darker than the body."""
    colour = _apart(dice.body, rng)
    return [_pips(value, colour, PIP_RADIUS) for value in PIPS], below


def _red(dice: DiceLook, faces: list[Face], below: list[Face], rng: np.random.Generator) -> Faces:
    """Draws a large red one, and often a red four."""
    red, size = near_colour(rng, (40, 36, 190)), float(rng.uniform(*LARGE_ONE))
    made = [_pips(1, red, PIP_RADIUS * size), *faces[1:]]
    if rng.random() < 0.6:
        made[3] = _pips(4, red, PIP_RADIUS)
    return made, below


def _sized(ends: tuple[float, float]) -> Kind:
    def sized(dice: DiceLook, faces: list[Face], below: list[Face], rng: np.random.Generator) -> Faces:
        """Draws pips of another size."""
        radius, spread = float(rng.uniform(*ends)), float(rng.uniform(0.24, 0.3))
        return [_pips(value, dice.pips, radius, spread) for value in PIPS], below

    return sized


def _worn(dice: DiceLook, faces: list[Face], below: list[Face], rng: np.random.Generator) -> Faces:
    """Draws pips that have lost most of their colour, each by another part."""

    def faded(patch: Patch) -> Patch:
        share = float(rng.uniform(*WORN))
        blue, green, red = (
            round(own * (1 - share) + body * share) for own, body in zip(patch.colour, dice.body, strict=True)
        )
        return replace(patch, colour=(blue, green, red))

    return [[faded(patch) for patch in face] for face in faces], below


def _emblem(dice: DiceLook, faces: list[Face], below: list[Face], rng: np.random.Generator) -> Faces:
    """Draws a star or a letter in place of the one."""
    radius = float(rng.uniform(*EMBLEM))
    letter = lettering(str(rng.choice(list("ABGKM"))), int(rng.choice(FONTS)), (0, 0), (2 * radius, 2 * radius), False)
    emblem = Patch((star(0, 0, radius),) if rng.random() < 0.5 else letter, dice.pips)
    return [[emblem], *faces[1:]], below


def _framed(dice: DiceLook, faces: list[Face], below: list[Face], rng: np.random.Generator) -> Faces:
    """Draws a line around each face."""
    half, wide = float(rng.uniform(*FRAME)), float(rng.uniform(*FRAME_WIDE))
    inner = half - wide
    frame = Patch((box(-half, -half, half, half), box(-inner, -inner, inner, inner)), dice.pips)
    return faces, [[*face, frame] for face in below]


_KINDS: dict[str, Kind] = {
    "swirls": _swirls,
    "ringed pips": _rings,
    "coloured pips": _coloured,
    "red one": _red,
    "small pips": _sized(SMALL),
    "large pips": _sized(LARGE),
    "worn pips": _worn,
    "emblem for one": _emblem,
    "framed": _framed,
}


def _apart(body: Colour, rng: np.random.Generator) -> Colour:
    while True:
        colour = any_colour(rng, 10, 245)
        levels = luminance(np.array([colour, body], dtype=np.float64))
        if abs(float(levels[0] - levels[1])) >= LEAST_APART:
            return colour
