"""A board with some checkers, as some camera sees it, on which dice are to be traced."""

from dataclasses import dataclass, replace
from random import Random

import numpy as np
from numpy.typing import NDArray

from boardctl.virtual.looks import Look
from boardctl.virtual.training.boards import drawn_look, filled
from boardctl.virtual.training.dice import KEPT
from boardctl.virtual.world import World, empty_world
from calibration import BoardGeometry, CameraModel

LAMP_AWAY_MM, LAMP_SIZE, LAMP_OFF_DEG = (700.0, 2500.0), (0.02, 0.45), (3.0, 65.0)
"""How far away lamps are, how wide in terms of that, how far from the vertical."""
IN_VIEW_MM = 450.0
"""What a camera sees of the board reaches so far around its middle."""


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


def lamp(camera: CameraModel, rng: np.random.Generator) -> tuple[NDArray[np.float64], float]:
    """Draws where a lamp hangs (x, y, z) that does not hide the board from the camera, and how wide it is (mm)."""
    while True:
        away, off = rng.uniform(*LAMP_AWAY_MM), np.radians(rng.uniform(*LAMP_OFF_DEG))
        angle = rng.uniform(0, 2 * np.pi)
        spot = away * np.array([np.sin(off) * np.cos(angle), np.sin(off) * np.sin(angle), np.cos(off)])
        width = float(away * np.exp(rng.uniform(*np.log(LAMP_SIZE))))
        if not _is_in_the_way(spot, width, camera):
            return spot, width


def _is_in_the_way(spot_mm: NDArray[np.float64], width_mm: float, camera: CameraModel) -> bool:
    """Whether something so wide may hide a part of the board from a camera: it is nearer to the line between its middle
    and the camera than the view is wide there."""
    sight = -camera.position_mm
    part = float((spot_mm - camera.position_mm) @ sight / (sight @ sight))
    aside = float(np.linalg.norm(spot_mm - (camera.position_mm + part * sight)))
    return 0 < part < 1 and aside < part * IN_VIEW_MM + width_mm
