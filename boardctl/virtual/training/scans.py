"""Draws boards with dice of all kinds, for training the network that finds dice, and the cube, from afar.

    python -m boardctl.virtual.training.scans OUT.pickle [--looks 150] [--pictures 4] [--seed 51]

Looks are those of :mod:`boardctl.virtual.training.boards`, in all light; checkers and dice lie anywhere, some of them
on each other, the cube has any colour, over every fourth board a hand reaches. Into half of the others dice are drawn
as into rendered pictures. What is written is read by ``boardctl.vision.training.dice_scan_training``.
"""

import logging
import pickle
import time
from collections.abc import Iterator
from dataclasses import replace
from math import hypot
from pathlib import Path
from random import Random

import cv2
import numpy as np

from boardctl.rules import Seat
from boardctl.virtual.dice import Die, resting_height_mm
from boardctl.virtual.drawing.picture_truth import record_of
from boardctl.virtual.drawing.render import Renderer
from boardctl.virtual.drawn_colours import any_colour
from boardctl.virtual.looks import DiceLook, Look
from boardctl.virtual.playing.doubling import in_the_middle, on_field, owned_by
from boardctl.virtual.training.boards import asked_for, drawn_look, filled
from boardctl.virtual.training.trays import JPEG_QUALITY, coded
from boardctl.virtual.unseen.tables import reaching
from boardctl.virtual.world import CUBE_SIZE_MM, Checker, World, empty_world
from boardctl.vision.dice.cube_value import VALUES
from boardctl.vision.measuring.truth import TruePicture
from boardctl.vision.training.dice_scans import Scan, painted_scan, scan_of
from calibration import BoardGeometry

LOG = logging.getLogger(__name__)

SEED = 51
SEATS = (Seat.A, Seat.B)
KEPT = (0.1, 0.8)
"""What part of the points' checkers is left lying: dice need room."""
REACHED_OVER, PAINTED = 0.25, 0.5
"""Over so many boards a hand reaches; into so many of the others more dice are drawn."""
ON_CHECKERS = 3
"""So many dice at most are drawn on checkers."""
DIE_MM = (10.0, 20.0)
EXPOSURE = (0.45, 1.25)
"""How much brighter or darker than a look's light is."""
NEXT_TO_MM = 9.0
"""A checker whose middle is nearer to another's lies on it."""


def draw(seed: int, looks: int, pictures: int) -> list[Scan]:
    """Draws so many pictures of each of so many looks."""
    scans: list[Scan] = []
    for number in range(looks):
        rng, random = np.random.default_rng([seed, number]), Random(f"scans {seed} {number}")  # noqa: S311  drawings
        look = any_light(drawn_look(rng), rng)
        geometry = replace(BoardGeometry(), checker_height_mm=rng.uniform(8.0, 11.4), die_size_mm=rng.uniform(*DIE_MM))
        renderer = Renderer(look, geometry, number)
        for _ in range(pictures):
            empty = empty_world(geometry, random, cube=random.random() < 0.7)
            world = _thrown_on(empty, random)
            hand = random.random() < REACHED_OVER
            world = replace(world, hands=(reaching(geometry, random),) if hand else ())
            image = coded(renderer.frame(world), int(rng.integers(*JPEG_QUALITY)))
            truth = record_of(renderer.stage, world, Seat.A, "center")
            picture = TruePicture(Path(look.name), look.name, look.camera, geometry, truth)
            painted = not hand and random.random() < PAINTED
            scans.append(painted_scan(picture, image, rng) if painted else scan_of(picture, image, []))
        if number % 20 == 0:
            LOG.info("%d of %d looks", number, looks)
    return scans


def any_light(look: Look, rng: np.random.Generator) -> Look:
    """Gets a look in more or less light, with a cube of any colour."""
    light = replace(look.light, exposure=look.light.exposure * rng.uniform(*EXPOSURE))
    dark, pale = any_colour(rng, 15, 100), any_colour(rng, 140, 245)
    cube = DiceLook(dark, pale) if rng.random() < 0.5 else DiceLook(pale, dark)
    return replace(look, light=light, cube=cube)


def _thrown_on(empty: World, random: Random) -> World:
    """Gets a board with checkers and dice, some of these on checkers and beside the field, and the cube if there is
    one."""
    world = filled(empty, random)
    part = random.uniform(*KEPT)
    kept = {one.place for one in world.checkers if random.random() < part}
    world = replace(world, checkers=tuple(one for one in world.checkers if one.place in kept))
    dice = [*world.dice, *_on_checkers(world, random), *_beside(world.geometry, random)]
    return with_cube(replace(world, dice=tuple(dice)), random)


def _on_checkers(world: World, random: Random) -> Iterator[Die]:
    """Gets dice that lie on checkers on which nothing else lies."""
    tops = [one for one in world.checkers if not any(_is_on(other, one) for other in world.checkers)]
    for one in random.sample(tops, min(len(tops), random.randint(0, ON_CHECKERS))):
        top = one.z_mm + world.geometry.checker_height_mm / 2
        yield _die(world.geometry, (one.x_mm + random.gauss(0, 6), one.y_mm + random.gauss(0, 6), top), random)


def _beside(geometry: BoardGeometry, random: Random) -> Iterator[Die]:
    """Gets dice on rails, in trays and on the table."""
    for _ in range(random.randint(0, 2)):
        x = random.choice((-1, 1)) * (geometry.field_width_mm / 2 + random.uniform(30, 110))
        yield _die(geometry, (x, random.uniform(-0.5, 0.5) * geometry.field_height_mm, 0.0), random)


def _die(geometry: BoardGeometry, at_mm: tuple[float, float, float], random: Random) -> Die:
    """Gets a die whose lowest spot is so high, one in three of them tilted."""
    tilt = random.choice((0.0, 0.0, random.uniform(8, 40)))
    x, y, ground = at_mm
    z = ground + resting_height_mm(geometry.die_size_mm, tilt)
    return Die(random.randint(1, 6), x, y, z, random.uniform(0, 360), tilt, random.uniform(0, 360))


def with_cube(world: World, random: Random) -> World:
    """Gets the world with its cube anywhere that it may lie, and nothing where it lies."""
    if world.cube is None:
        return world
    seat = random.choice(SEATS)
    at = random.choice(
        (in_the_middle(world, world.cube), owned_by(world, world.cube, seat), on_field(world, world.cube, seat))
    )
    cube = replace(at, value=random.choice(VALUES), yaw_deg=random.uniform(0, 360))
    reach = CUBE_SIZE_MM * 0.8

    def is_clear(x_mm: float, y_mm: float, away_mm: float) -> bool:
        return hypot(x_mm - cube.x_mm, y_mm - cube.y_mm) > away_mm + reach

    size, radius = world.geometry.die_size_mm, world.geometry.checker_diameter_mm / 2
    return replace(
        world,
        cube=cube,
        dice=tuple(die for die in world.dice if is_clear(die.x_mm, die.y_mm, size)),
        checkers=tuple(one for one in world.checkers if is_clear(one.x_mm, one.y_mm, radius)),
    )


def _is_on(upper: Checker, lower: Checker) -> bool:
    away = hypot(upper.x_mm - lower.x_mm, upper.y_mm - lower.y_mm)
    return upper.z_mm > lower.z_mm and away < NEXT_TO_MM


def main() -> None:
    """Draws the boards and writes their scans."""
    given = asked_for(__doc__, 150, 4, SEED)
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    cv2.setNumThreads(1)
    began = time.monotonic()
    scans = draw(given.seed, given.looks, given.pictures)
    given.out.write_bytes(pickle.dumps(scans))
    LOG.info("%d scans, %d dice, %.0f s", len(scans), sum(len(scan.dice) for scan in scans), time.monotonic() - began)


if __name__ == "__main__":
    main()
