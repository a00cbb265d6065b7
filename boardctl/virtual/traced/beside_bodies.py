"""What stands and lies beside a traced board, as bodies, and the part of the table that shows patterns and papers."""

from collections.abc import Iterable

import cv2
import numpy as np
from numpy.typing import NDArray

from boardctl.virtual.drawing.stage import TABLE_REACH_MM
from boardctl.virtual.looks import Colour, Patch
from boardctl.virtual.traced.board_bodies import NOWHERE_MM
from boardctl.virtual.traced.board_paint import painted
from boardctl.virtual.traced.meshes import Mesh, colour_reflected, joined
from boardctl.virtual.world import Thing

Floats = NDArray[np.float64]

_NOTHING = Thing(*NOWHERE_MM[:2], ((1.0, 0.0), (0.0, 1.0), (-1.0, -1.0)), 1.0, (0, 0, 0), (0, 0, 0), NOWHERE_MM[2])

NEAR_MM = 1.0
"""A pixel of the table around the board."""

Level = tuple[float, float]
"""How large a ring around a thing is, in shares of its upper face, and how high it lies (mm)."""


def things_body(things: Iterable[Thing]) -> Mesh:
    """Gets things; one nowhere if there are none."""
    return joined([thing_body(thing) for thing in things] or [thing_body(_NOTHING)])


def thing_body(thing: Thing) -> Mesh:
    """Gets one thing: its sides taper to its foot; what it holds lies below its rim."""
    rim, top = np.array(thing.rim_mm), thing.height_mm
    parts = [_band(rim, (thing.foot, 0.0), (1.0, top), thing.sides)]
    share, level, colour = 1.0, top, thing.top
    if thing.inside is not None:
        share, height, colour = thing.inside
        level = height * top
        parts.append(_band(rim, (1.0, top), (share, top), thing.top))
        if level < top:
            parts.append(_band(rim, (share, top), (share, level), thing.top))
    fan = np.array([(0, second, second + 1) for second in range(1, len(rim) - 1)])
    parts.append(_mesh(_ring(rim, share, level), fan, colour))
    return joined(parts).moved((thing.x_mm, thing.y_mm, thing.z_mm))


def _band(rim: Floats, lower: Level, upper: Level, colour: Colour) -> Mesh:
    """Gets what is between two rings around a thing."""
    below, above = _ring(rim, *lower), _ring(rim, *upper)
    quads = np.stack([below, np.roll(below, -1, axis=0), np.roll(above, -1, axis=0), above], axis=1).reshape(-1, 3)
    starts = 4 * np.arange(len(rim))[:, None]
    return _mesh(quads, np.concatenate([starts + np.array((0, 1, 2)), starts + np.array((0, 2, 3))]), colour)


def _ring(rim: Floats, share: float, height_mm: float) -> Floats:
    return np.column_stack([rim * share, np.full(len(rim), height_mm)])


def _mesh(corners: Floats, triangles: NDArray[np.int64], colour: Colour) -> Mesh:
    """Gets triangles of one colour, each as flat as it is."""
    apart = corners[triangles].reshape(-1, 3)
    first, second, third = (corners[triangles[:, which]] for which in range(3))
    out = np.cross(second - first, third - first)
    out /= np.maximum(np.linalg.norm(out, axis=1, keepdims=True), 1e-9)
    colours = np.clip(np.tile(colour_reflected(colour), (len(apart), 1)), 0.005, 0.97)
    return Mesh(apart, np.arange(len(apart)).reshape(-1, 3), np.repeat(out, 3, axis=0), colours)


def near_cloth(table: Floats, table_px_mm: float, patches: Iterable[Patch]) -> Floats:
    """Gets the part of a table (square, height x width x 3: what is reflected) around the board, with what is on it."""
    half = round(TABLE_REACH_MM / table_px_mm)
    middle = len(table) // 2
    part = table[middle - half : middle + half, middle - half : middle + half]
    side = round(2 * TABLE_REACH_MM / NEAR_MM)
    fine = np.asarray(cv2.resize(part, (side, side), interpolation=cv2.INTER_CUBIC), dtype=np.float64)
    return np.clip(painted(fine, patches, (TABLE_REACH_MM, TABLE_REACH_MM), NEAR_MM), 0.004, 0.97)
