"""What stands and lies on a table beside a board: cups, glasses, bottles, clocks, telephones, boxes, spare checkers."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from random import Random

import numpy as np

from boardctl.virtual.dice import TABLE_DEPTH_MM
from boardctl.virtual.drawing.bodies import circle
from boardctl.virtual.drawing.brush import Picture, along, hull, mask_of
from boardctl.virtual.drawing.outlines import corners_of, turn
from boardctl.virtual.drawing.stage import Stage, boxes_of
from boardctl.virtual.drawing.things import outline_px
from boardctl.virtual.drawn_colours import any_colour, near_colour
from boardctl.virtual.looks import Colour, Look
from boardctl.virtual.world import Thing
from calibration import BoardGeometry
from calibration.follow import outline_mm

HOW_MANY = (3, 10)
"""How many things are beside a board: from, to below."""

TRIES, AWAY_MM = 80, (5.0, 160.0)
"""How often a place is sought for one, and how far from the board it begins."""

MOVED, TAKEN, MOVED_MM = 0.25, 0.2, 50.0
"""How many have been moved in a picture, and taken away; how far (standard deviation)."""

CLEAR_MM = 6.0
"""So far things are from each other."""


@dataclass(frozen=True)
class Kind:
    """A kind of thing: half its length, its width in terms of that, its height, how large its foot is in terms of its
    upper face; and of what is seen in that, how large it is and how high, in shares of the whole."""

    half_mm: tuple[float, float]
    high_mm: tuple[float, float]
    flat: tuple[float, float] | None = None
    """None: it is round."""
    foot: tuple[float, float] = (1.0, 1.0)
    inside: tuple[float, float] = (0.6, 0.95)
    deep: tuple[float, float] = (1.0, 1.0)
    colour: Colour | None = None
    """None: any."""
    as_checkers: bool = False
    """Whether it has the colour of checkers."""
    of_one: bool = False
    """Whether what is seen in its upper face has nearly the colour of that."""


KINDS = {
    "cup": Kind((32, 48), (60, 110), foot=(0.6, 0.95), inside=(0.85, 0.95), deep=(0.4, 0.95)),
    "glass": Kind((26, 40), (80, 150), foot=(0.7, 1.0), inside=(0.8, 0.95), deep=(0.3, 0.9)),
    "dice cup": Kind((30, 45), (70, 110), foot=(0.85, 1.0), inside=(0.75, 0.9), deep=(0.05, 0.3)),
    "bottle": Kind((30, 40), (120, 220), inside=(0.3, 0.4)),
    "telephone": Kind((65, 85), (6, 12), (0.45, 0.52), inside=(0.88, 0.95)),
    "clock": Kind((70, 110), (35, 70), (0.4, 0.6), inside=(0.6, 0.85)),
    "box": Kind((40, 120), (8, 60), (0.3, 1.0)),
    "paper": Kind((40, 120), (0.4, 2.0), (0.6, 0.8), colour=(232, 236, 238), of_one=True),
    "pen": Kind((60, 75), (7, 10), (0.06, 0.1), of_one=True),
    "coaster": Kind((42, 55), (2, 5)),
    "checkers": Kind((16, 24), (8, 36), inside=(0.6, 0.85), deep=(0.95, 1.0), as_checkers=True, of_one=True),
}


def things_beside(look: Look, geometry: BoardGeometry, rng: np.random.Generator) -> tuple[Thing, ...]:
    """Draws what is beside a board; nothing of it hides any of the board."""
    stage = Stage(look, geometry)
    board = _board_px(stage)
    found: list[Thing] = []
    for _ in range(int(rng.integers(*HOW_MANY))):
        for _ in range(TRIES):
            thing = drawn_thing(list(KINDS), look, geometry, rng)
            apart = all(_apart_mm((thing.x_mm, thing.y_mm), one) > reach_mm(thing) + CLEAR_MM for one in found)
            if apart and not (mask_of(_size(stage), [outline_px(stage, thing)]) & board).any():
                found.append(thing)
                break
    return tuple(found)


def at_another_time(
    things: Sequence[Thing], taken_mm: Sequence[tuple[float, float]], clear_mm: float, random: Random
) -> tuple[Thing, ...]:
    """Gets what is there of some things at some time: some have been moved away from the board a little, some taken;
    so far from places that are taken (x, y) there is nothing."""
    found = []
    for thing in things:
        drawn = random.random()
        if drawn < TAKEN:
            continue
        if drawn < TAKEN + MOVED:
            by = 1 + abs(random.gauss(0, MOVED_MM)) / math.hypot(thing.x_mm, thing.y_mm)
            thing = replace(thing, x_mm=thing.x_mm * by, y_mm=thing.y_mm * by)
        if all(_apart_mm(at_mm, thing) > clear_mm for at_mm in taken_mm):
            found.append(thing)
    return tuple(found)


def reach_mm(thing: Thing) -> float:
    """Gets how far a thing reaches from its middle."""
    return float(np.hypot(*np.array(thing.rim_mm).T).max())


def _apart_mm(at_mm: tuple[float, float], thing: Thing) -> float:
    """Gets how far a place is from what a thing may cover; below zero: it may cover it."""
    return math.hypot(thing.x_mm - at_mm[0], thing.y_mm - at_mm[1]) - reach_mm(thing)


def drawn_thing(kinds: Sequence[str], look: Look, geometry: BoardGeometry, rng: np.random.Generator) -> Thing:
    """Draws a thing of one of some kinds, as often of each, somewhere around the board."""
    kind = KINDS[str(rng.choice(list(kinds)))]
    half = float(rng.uniform(*kind.half_mm))
    shape = circle() * half
    if kind.flat is not None:
        wide = half * float(rng.uniform(*kind.flat))
        shape = np.array([(half, wide), (-half, wide), (-half, -wide), (half, -wide)]) @ turn(rng.uniform(0, 2 * np.pi))
    top = look.checkers[int(rng.integers(2))].colour
    if not kind.as_checkers:
        top = near_colour(rng, kind.colour) if kind.colour else any_colour(rng, 10, 240)
    share, height, content = float(rng.uniform(*kind.inside)), float(rng.uniform(*kind.deep)), any_colour(rng, 10, 240)
    inside = (share, height, near_colour(rng, top) if kind.of_one else content)
    x, y = outline_mm(geometry)[2, :2].tolist()
    away = float(rng.uniform(*AWAY_MM)) + float(np.hypot(*shape.T).max())
    side = float(rng.choice((-1.0, 1.0)))
    at = (side * (x + away), float(rng.uniform(-1, 1)) * (y + away))
    if rng.random() < 0.5:
        at = (float(rng.uniform(-1, 1)) * (x + away), side * (y + away))
    return Thing(
        *at,
        corners_of(shape),
        float(rng.uniform(*kind.high_mm)),
        top if rng.random() < 0.6 else any_colour(rng, 10, 240),
        top,
        z_mm=-TABLE_DEPTH_MM,
        foot=float(rng.uniform(*kind.foot)),
        inside=inside,
        shadow=look.light.shadow,
    )


def _board_px(stage: Stage) -> Picture:
    """Gets where the board is seen (height x width, 255 there), rails and all."""
    corners = [along(one.corners(z_mm)) for one in boxes_of(stage.geometry) for z_mm in one.z_mm]
    return mask_of(_size(stage), [hull(stage.camera.project(np.concatenate(corners)))])


def _size(stage: Stage) -> tuple[int, int]:
    return stage.camera.width_px, stage.camera.height_px
