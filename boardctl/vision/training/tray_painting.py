"""Paints runs of checkers on edge into pictures of empty trays, of many more kinds than are drawn.

What a rim looks like from above differs from maker to maker: flat or round, with a groove or a pale edge, marbled, more
or less alike. Here each run is of a kind of its own; where its checkers lie is as exact as in a drawing.
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from boardctl.vision.trays.strips import INNER, LENGTH, RUN_PX, STARTS

Picture = NDArray[np.uint8]
Floats = NDArray[np.float64]

FINE = 4
"""Rows are painted so many times finer than they are shown."""

THICK = (0.195, 0.315)
"""Thickness of a checker, in checker widths."""

GROOVED, PALE_EDGED, MARBLED = 0.2, 0.25, 0.3


@dataclass(frozen=True)
class Rims:
    """How the rims of a run's checkers look: how dark and how wide the line between two is, and what each shows."""

    line: float
    line_width: float
    roundness: float
    slant: float
    groove: float
    pale_edge: float
    unlike: float
    marble: float


def _rims(rng: np.random.Generator) -> Rims:
    return Rims(
        line=rng.uniform(0.1, 0.7),
        line_width=rng.uniform(0.06, 0.25),
        roundness=rng.uniform(0.0, 0.45),
        slant=rng.normal(0, 0.12),
        groove=rng.uniform(-0.3, 0.35) * (rng.random() < GROOVED),
        pale_edge=rng.uniform(0.05, 0.35) * (rng.random() < PALE_EDGED),
        unlike=abs(rng.normal(0, 0.04)),
        marble=rng.uniform(0.02, 0.1) * (rng.random() < MARBLED),
    )


def painted(empty: Picture, colour: Floats, count: int, side: tuple[float, float], rng: np.random.Generator) -> Picture:
    """Gets an empty tray's picture (length x width x 3) with so many checkers of a colour (blue, green, red) on edge.

    ``side``: how wide the last one's side is seen at the field's edge, and its change a checker width inwards.
    """
    rims, thick = _rims(rng), float(np.clip(rng.normal(0.26, 0.03), *THICK))
    first = abs(rng.normal(0, 0.05)) + (rng.uniform(0, 0.28) if rng.random() < 0.25 else 0.0)
    gaps = np.abs(rng.normal(0, rng.choice((0.002, 0.008, 0.016)), count))
    begins = first + np.arange(count) * thick + np.concatenate([[0.0], np.cumsum(gaps)[:-1]])
    width = empty.shape[1]
    middle = rng.uniform(0.88, 1.5)
    across = (INNER + (np.arange(width) + 0.5) / RUN_PX - middle) / 0.5
    crown = np.sqrt(np.clip(1 - across**2, 0, 1))
    lit = (1 - rng.uniform(0.0, 0.6) * (1 - crown)) * (1 + rng.normal(0, 0.12) * across)
    covers = np.clip((0.5 - np.abs(across) * 0.5) * RUN_PX + 0.5, 0, 1)

    depths = STARTS + (np.arange(LENGTH * FINE) + 0.5) / (RUN_PX * FINE)
    picture = np.repeat(empty.astype(np.float64), FINE, axis=0)
    end = begins[-1] + thick
    _shade(picture, depths, covers, (begins[0], end), rng)
    seen_side = float(np.clip(side[0] + end * side[1], 0, 0.4)) * rng.uniform(0.8, 1.15)
    reach = end + seen_side * crown
    on_side = np.clip((reach[None, :] - depths[:, None]) * RUN_PX * FINE + 0.5, 0, 1) * (depths >= end)[:, None]
    dark = rng.uniform(0.45, 1.05)
    _lay(picture, on_side * covers, np.ones_like(depths)[:, None] * lit * dark, colour)
    for begin in begins:
        place = (depths - begin) / thick
        inside = (place >= 0) & (place < 1)
        profile = _profile(place, rims) * (1 + rng.normal(0, rims.unlike))
        shift = colour * (1 + rng.normal(0, rims.unlike, 3) * 0.5)
        texture = 1 + rims.marble * cv2.GaussianBlur(rng.normal(0, 1, (len(depths), width)), (0, 0), 3.0) * 6
        _lay(picture, inside[:, None] * covers, profile[:, None] * lit * texture, shift)
    picture = picture.reshape(LENGTH, FINE, width, 3).mean(axis=1)
    picture = cv2.GaussianBlur(picture, (0, 0), rng.uniform(0.4, 2.2))
    noise = cv2.GaussianBlur(rng.normal(0, 1, picture.shape), (0, 0), 0.8) * rng.uniform(0.5, 4.0)
    return np.asarray(np.clip(np.rint(picture + noise), 0, 255), dtype=np.uint8)


def _profile(place: Floats, rims: Rims) -> Floats:
    """Gets how light a rim is at each place (0 to 1 from one side to the other)."""
    off = np.abs(2 * place - 1)
    light = 1 - rims.roundness * off**2 + rims.slant * (2 * place - 1)
    light -= rims.line * np.clip((off - (1 - rims.line_width)) / rims.line_width, 0, 1)
    light += rims.pale_edge * np.exp(-(((off - 0.7) / 0.1) ** 2))
    return np.asarray(light - rims.groove * np.exp(-((off / 0.15) ** 2)), dtype=np.float64)


def _lay(picture: Floats, covers: Floats, light: Floats, colour: Floats) -> None:
    """Lays a colour in some light over a picture where it is covered."""
    picture += covers[..., None] * (light[..., None] * colour - picture)


def _shade(picture: Floats, depths: Floats, covers: Floats, run: tuple[float, float], rng: np.random.Generator) -> None:
    """Darkens what lies behind, before and beside a run."""
    strength, far = rng.uniform(0.0, 0.6), rng.uniform(0.05, 0.7)
    behind = np.exp(-np.clip(depths - run[1], 0, None) / far) * (depths > run[0])
    if rng.random() < 0.5:
        behind = ((depths > run[0]) & (depths < run[1] + far)).astype(np.float64)
    beside = np.clip(cv2.GaussianBlur(covers[None, :], (0, 0), 6.0)[0] * 1.5, 0, 1)
    picture *= 1 - strength * (behind[:, None] * beside)[..., None]
