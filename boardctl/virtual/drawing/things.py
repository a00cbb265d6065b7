"""Things that belong to no game and lie on a board all the same: a mug, and to learn from, cups, boxes, telephones."""

import math
from collections.abc import Sequence
from dataclasses import replace
from random import Random

import cv2
import numpy as np
from numpy.typing import NDArray

from boardctl.virtual.dice import Die
from boardctl.virtual.drawing.bodies import SIDE_SHADE, circle, draw_die
from boardctl.virtual.drawing.brush import Picture, darken, fill, hull, lit, mask_of
from boardctl.virtual.drawing.stage import Stage, cast_onto
from boardctl.virtual.looks import Colour
from boardctl.virtual.world import Thing
from calibration import BoardGeometry

Floats = NDArray[np.float64]

MUG_RADIUS_MM, MUG_HEIGHT_MM = 42.0, 95.0
"""A common mug."""
PORCELAIN, COFFEE = (205, 214, 218), (28, 40, 62)
"""Colours of a white mug and of what is in it, blue-green-red."""

LENGTH_MM, HEIGHT_MM, LIES_ON_MM = (60.0, 150.0), (4.0, 120.0), 22.0
"""How long (longer than a checker is wide) and high things are, and how high their feet are at most, on checkers."""
ROUND, SQUARE, WITH_INSIDE, OF_ONE_COLOUR = 0.4, 0.6, 0.6, 0.6
"""How often a thing is round, how often one that is not has right angles, how often something is seen in its upper
face, and how often its sides have the colour of that."""

WALL_IN_CUP, DARK_IN_CUP = 0.6, 0.5
"""What is left of the light on the walls of a cup that holds dice, and what is taken from what lies at its bottom."""


def mug(x_mm: float, y_mm: float) -> Thing:
    """Gets a mug of coffee whose bottom's middle is there."""
    inside = (0.9, 0.85, COFFEE)
    return Thing(x_mm, y_mm, _outline(circle() * MUG_RADIUS_MM), MUG_HEIGHT_MM, PORCELAIN, PORCELAIN, 0.0, 0.92, inside)


def any_thing(geometry: BoardGeometry, colours: tuple[Colour, Colour, Colour], random: Random) -> Thing:
    """Draws a thing of any shape and size anywhere on a board. ``colours``: of its upper face, of its sides if they
    have another, and of what is in it."""
    long = _between(LENGTH_MM, random) / 2
    if random.random() < ROUND:
        shape = circle() * long
    elif random.random() < SQUARE:
        shape = np.array([(1, 1), (-1, 1), (-1, -1), (1, -1)]) * (long, long * random.uniform(0.4, 1.0))
    else:
        angles = np.array(sorted(random.uniform(0, 2 * math.pi) for _ in range(9)))
        shape = np.column_stack([np.cos(angles), np.sin(angles)]) * (long, long * random.uniform(0.5, 1.0))
    turn = random.uniform(0, 2 * math.pi)
    turned = shape @ np.array([[math.cos(turn), math.sin(turn)], [-math.sin(turn), math.cos(turn)]])
    top, sides, content = colours
    inside = (random.uniform(0.3, 0.95), random.uniform(0.3, 1.0), content)
    return Thing(
        random.uniform(-0.52, 0.52) * geometry.field_width_mm,
        random.uniform(-0.52, 0.52) * geometry.field_height_mm,
        _outline(turned),
        _between(HEIGHT_MM, random),
        top if random.random() < OF_ONE_COLOUR else sides,
        top,
        random.choice((0.0, random.uniform(0, LIES_ON_MM))),
        random.uniform(0.75, 1.0),
        inside if random.random() < WITH_INSIDE else None,
        random.uniform(0, 0.5),
    )


def draw_thing(stage: Stage, image: Picture, thing: Thing) -> None:
    """Draws a thing: its shadow, its sides, its upper face and what is in that."""
    strength = stage.light_at(thing.x_mm, thing.y_mm)
    if thing.shadow:
        cast = cast_onto(stage.look.light, _ring_mm(thing, 1.0, 1.0), 0.0)
        darken(image, [stage.camera.project(np.concatenate([cast, _ring_mm(thing, thing.foot, 0.0)]))], thing.shadow)
    fill(image, outline_px(stage, thing), lit(thing.sides, strength * SIDE_SHADE))
    fill(image, stage.camera.project(_ring_mm(thing, 1.0, 1.0)), lit(thing.top, strength))
    if thing.holds:
        _draw_held(stage, image, thing)
    elif thing.inside is not None:
        share, height, colour = thing.inside
        fill(image, stage.camera.project(_ring_mm(thing, share, height)), lit(colour, strength))


def dice_in(thing: Thing) -> tuple[Die, ...]:
    """Gets the dice that a thing holds, where they lie."""
    x, y, z = thing.x_mm, thing.y_mm, thing.z_mm
    return tuple(replace(die, x_mm=die.x_mm + x, y_mm=die.y_mm + y, z_mm=die.z_mm + z) for die in thing.holds)


def _draw_held(stage: Stage, image: Picture, thing: Thing) -> None:
    """Draws what is seen through the opening of a thing that holds dice: its wall, its floor, and the dice."""
    assert thing.inside is not None
    share, height, colour = thing.inside
    strength = stage.light_at(thing.x_mm, thing.y_mm)
    opening = stage.camera.project(_ring_mm(thing, share, 1.0))
    within = image.copy()
    fill(within, opening, lit(colour, strength * WALL_IN_CUP))
    fill(within, stage.camera.project(_ring_mm(thing, share, height)), lit(colour, strength))
    for die in dice_in(thing):
        draw_die(stage, within, die)
    within = np.asarray(cv2.convertScaleAbs(within, alpha=1 - DARK_IN_CUP * (1 - height)), dtype=np.uint8)
    cv2.copyTo(within, mask_of((image.shape[1], image.shape[0]), [opening]), image)


def outline_px(stage: Stage, thing: Thing) -> Floats:
    """Gets the outline (N x 2 pixels) of what is seen of a thing."""
    foot, rim = _ring_mm(thing, thing.foot, 0.0), _ring_mm(thing, 1.0, 1.0)
    return hull(stage.camera.project(np.concatenate([foot, rim])))


def narrowest_mm(thing: Thing) -> float:
    """Gets how wide a thing is where it is narrowest."""
    _, sides, _ = cv2.minAreaRect(np.array(thing.rim_mm, dtype=np.float32))
    return float(min(sides))


def _ring_mm(thing: Thing, share: float, height: float) -> Floats:
    """Gets an outline (N x 3) of a thing: how large in shares of its upper face, how high in shares of its height."""
    flat = np.array(thing.rim_mm) * share + np.array([thing.x_mm, thing.y_mm])
    return np.column_stack([flat, np.full(len(flat), thing.z_mm + thing.height_mm * height)])


def _outline(shape: Floats) -> tuple[tuple[float, float], ...]:
    return tuple((x, y) for x, y in shape.tolist())


def _between(limits: Sequence[float], random: Random) -> float:
    """Draws a size between two, as often in one doubling as in the next."""
    low, high = limits
    return math.exp(random.uniform(math.log(low), math.log(high)))
