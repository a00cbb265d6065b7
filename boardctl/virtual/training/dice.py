"""Draws dice on boards of many drawn looks, for training the network that tells tilts.

    python -m boardctl.virtual.training.dice OUT.pickle [--looks 80] [--pictures 1] [--seed 21]

Boards, cameras and lights are those of :mod:`boardctl.virtual.training.boards`, the dice those that
:mod:`boardctl.vision.training.dice_sites` draws into rendered pictures. What is written is read by
``boardctl.vision.training.dice_tilt_training``. One core, five seconds a look.
"""

import logging
import pickle
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from boardctl.rules import PlaceKind
from boardctl.virtual.drawing.render import Renderer
from boardctl.virtual.training.boards import asked_for, drawn_look, filled
from boardctl.virtual.world import World, empty_world
from boardctl.vision.measuring.truth import TruePicture
from boardctl.vision.training.dice_sites import sites_of
from boardctl.vision.training.sites import Site
from calibration import BoardGeometry, CameraModel

LOG = logging.getLogger(__name__)

SEED = 21
KEPT = (0.15, 0.7)
"""What part of the points' checkers is left lying: dice need room."""


def boards(seed: int, looks: int, pictures: int) -> Iterator[tuple[TruePicture, NDArray[np.uint8]]]:
    """Gets pictures (height x width x 3) of boards without dice, and their truth: so many of each of so many looks."""
    for number in range(looks):
        rng, random = np.random.default_rng([seed, number]), Random(seed * 1000 + number)  # noqa: S311  drawings
        look = drawn_look(rng)
        geometry = BoardGeometry(checker_height_mm=rng.uniform(8.0, 11.4), die_size_mm=rng.uniform(11.5, 17.5))
        renderer = Renderer(look, geometry, number)
        empty = empty_world(geometry, random)
        for _ in range(pictures):
            world = filled(empty, random)
            kept = {one.place for one in world.checkers if random.random() < rng.uniform(*KEPT)}
            checkers = tuple(one for one in world.checkers if one.place in kept)
            world = replace(world, checkers=checkers, dice=())
            name, truth = f"look{number}", truth_of(world, look.camera)
            yield TruePicture(Path(name), name, look.camera, geometry, truth), renderer.frame(world)


def truth_of(world: World, camera: CameraModel) -> dict[str, Any]:
    """Gets of a world's truth what drawing dice asks for, named as beside the rendered pictures."""
    height = world.geometry.checker_height_mm
    checkers = []
    for one in world.checkers:
        pixel = camera.project([(one.x_mm, one.y_mm, one.z_mm + height / 2)])[0].tolist()
        at = "bar" if one.place.kind is PlaceKind.BAR else one.place.number
        checkers.append({"on_edge": one.on_edge, "px": pixel, "at": at, "layer": round(one.z_mm / height - 0.5)})
    cube = None
    if world.cube is not None:
        cube = {"center_px": camera.project([(world.cube.x_mm, world.cube.y_mm, world.cube.z_mm)])[0].tolist()}
    return {"dice": [], "cube": cube, "checkers": checkers}


def main() -> None:
    """Draws the dice and writes their sites."""
    given = asked_for(__doc__, 80, 1, SEED)
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    cv2.setNumThreads(1)
    sites: list[Site] = []
    for number, (picture, image) in enumerate(boards(given.seed, given.looks, given.pictures)):
        sites += sites_of(picture, image, np.random.default_rng([given.seed, number, 1]))
        if number % 20 == 0:
            LOG.info("%d pictures, %d sites", number, len(sites))
    with given.out.open("wb") as file:
        pickle.dump(sites, file)
    LOG.info("%s", dict(Counter(site.group for site in sites)))


if __name__ == "__main__":
    main()
