"""A board with some checkers, as some camera sees it, on which dice are to be traced."""

from dataclasses import dataclass, replace
from random import Random

import numpy as np

from boardctl.virtual.looks import Look
from boardctl.virtual.training_boards import drawn_look, filled
from boardctl.virtual.training_dice import KEPT
from boardctl.virtual.world import World, empty_world
from calibration import BoardGeometry, CameraModel


@dataclass(frozen=True)
class Setting:
    """A board with checkers, and what it looks like."""

    look: Look
    camera: CameraModel
    geometry: BoardGeometry
    world: World


def setting_of(seed: int, number: int, rng: np.random.Generator) -> Setting:
    """Draws a board with some checkers, its look and its camera."""
    random = Random(seed * 1000 + number)  # noqa: S311  drawings
    look = drawn_look(rng)
    geometry = BoardGeometry(
        checker_height_mm=rng.uniform(7.5, 12),
        die_size_mm=rng.uniform(11.5, 17.5),
        rail_height_mm=rng.uniform(8, 32),
        bar_height_mm=rng.uniform(4, 26),
    )
    world = filled(empty_world(geometry, random), random)
    kept = {one.place for one in world.checkers if random.random() < rng.uniform(*KEPT)}
    checkers = tuple(one for one in world.checkers if one.place in kept)
    return Setting(look, look.camera, geometry, replace(world, checkers=checkers, dice=()))
