"""Draws boards as tables show them, for training the network that reads points: with a cube, with arms, in all light.

    python -m boardctl.virtual.training_tables OUT.npz [--looks 100] [--pictures 8] [--seed 401]

What :mod:`boardctl.virtual.training_boards` draws has rows of all kinds, but the common board's sizes, and neither cube
nor hands, and nothing on the bar. Here boards have checkers, bars and rails of all sizes; the cube has any colour and
stands on the bar, on a rail, where rows begin, or on the field; over every third board an arm reaches. What is written
is of the same kind, the strips of the bar among it.
"""

from dataclasses import replace
from random import Random

import cv2
import numpy as np

from boardctl.rules import Seat, bar
from boardctl.virtual.looks import Look
from boardctl.virtual.picture_truth import covered_by_hands, record_of
from boardctl.virtual.render import Renderer
from boardctl.virtual.training_boards import Drawn, asked_for, drawn_look, filled
from boardctl.virtual.training_scans import DIE_MM, SEATS, any_light, with_cube
from boardctl.virtual.training_trays import JPEG_QUALITY, any_board, calibrated_on, coded, from_farther
from boardctl.virtual.unseen_tables import LIGHT_CHANGES, reaching
from boardctl.virtual.world import CUBE_SIZE_MM, Checker, World, empty_world
from boardctl.vision.columns import POINTS, STRIPS
from boardctl.vision.points import BAR_SLOTS
from calibration import BoardGeometry

SEED = 401
FARTHER = (0.6, 1.0)
"""How far away a look's camera is drawn to be, in shares of its focal length."""
BAR_WIDTHS = (0.7, 1.3)
"""How wide a bar is, in widths of the common board's."""
KEPT = (0.3, 1.0)
"""What part of the points' checkers is left lying."""
WITH_CUBE, CUBE_ON_RAIL = 0.8, 0.3
"""How often there is a cube, and how often of these it stands on a rail."""
ON_BAR = (0, 0, 0, 1, 1, 2, 3)
"""So many checkers each seat has on the bar."""
RIGHT_SIDE, OFF_MIDDLE, LAID_ON = 0.8, 0.5, 0.15
"""How often they lie on the side where they belong, how often they begin farther from the bar's middle, and how often
the next is laid on the last."""
REACHED_OVER = 0.35
"""Over so many boards an arm reaches."""


def draw(seed: int, looks: int, pictures: int) -> Drawn:
    """Draws so many pictures of each of so many looks."""
    drawn = Drawn()
    for number in range(looks):
        rng, random = np.random.default_rng([seed, number]), Random(f"tables {seed} {number}")  # noqa: S311  drawings
        look, geometry = _look(rng), _board(rng)
        renderer = Renderer(look, geometry, number)
        empty = empty_world(geometry, random)
        drawn.begin(calibrated_on(renderer, empty, rng, random))
        for _ in range(pictures):
            world = _played_on(empty_world(geometry, random, cube=random.random() < WITH_CUBE), random)
            lit = cv2.convertScaleAbs(renderer.frame(world), alpha=float(np.exp(rng.normal(0, LIGHT_CHANGES))))
            picture = coded(np.asarray(lit, dtype=np.uint8), int(rng.integers(*JPEG_QUALITY)))
            drawn.add(world, picture, _hidden(drawn, renderer, world))
    return drawn


def _look(rng: np.random.Generator) -> Look:
    """Draws a look, seen from nearer or farther, in more or less light."""
    look = drawn_look(rng)
    return any_light(from_farther(look, rng.uniform(*FARTHER)), rng)


def _board(rng: np.random.Generator) -> BoardGeometry:
    """Draws the sizes of a board."""
    board = any_board(rng)
    bar_width_mm = board.bar_width_mm * rng.uniform(*BAR_WIDTHS)
    return replace(board, bar_width_mm=bar_width_mm, die_size_mm=rng.uniform(*DIE_MM))


def _played_on(empty: World, random: Random) -> World:
    """Gets a board with checkers, dice, a cube if there is one, and an arm now and then."""
    world, part = filled(empty, random), random.uniform(*KEPT)
    kept = {one.place for one in world.checkers if random.random() < part}
    checkers = (*(one for one in world.checkers if one.place in kept), *_on_bar(world.geometry, random))
    world = replace(world, checkers=checkers)
    world = _cube_on_rail(world, random) if random.random() < CUBE_ON_RAIL else with_cube(world, random)
    hands = (reaching(world.geometry, random),) if random.random() < REACHED_OVER else ()
    return replace(world, hands=hands)


def _on_bar(geometry: BoardGeometry, random: Random) -> list[Checker]:
    """Gets checkers of either seat on the bar: from near its middle on, one beside the other, or one on another."""
    checkers: list[Checker] = []
    taken: set[float] = set()
    for seat in SEATS:
        x, y, z = geometry.on_bar(seat if random.random() < RIGHT_SIDE else seat.other, 0)
        if y in taken:
            continue
        taken.add(y)
        along = random.uniform(-0.2, 2.0) if random.random() < OFF_MIDDLE else 0.0
        for index in range(random.choice(ON_BAR)):
            if index and random.random() < LAID_ON:
                below = checkers[-1]
                raised = below.z_mm + geometry.checker_height_mm
                checkers.append(replace(below, index=index, x_mm=below.x_mm + random.gauss(0, 1), z_mm=raised))
                break
            away = np.copysign(along * geometry.checker_diameter_mm, y)
            checkers.append(Checker(seat, bar(seat), index, x + random.gauss(0, 1.5), y + away, z))
            along += 1 + abs(random.gauss(0, 0.05))
    return checkers


def _cube_on_rail(world: World, random: Random) -> World:
    """Gets the world with its cube on the rail before some points."""
    if world.cube is None:
        return world
    geometry = world.geometry
    reach = max(geometry.rail_width_mm, CUBE_SIZE_MM) / 2
    x = random.uniform(-0.5, 0.5) * geometry.field_width_mm
    y = random.choice((-1, 1)) * (geometry.field_height_mm / 2 + reach)
    z = geometry.rail_height_mm + CUBE_SIZE_MM / 2
    return replace(world, cube=replace(world.cube, x_mm=x, y_mm=y, z_mm=z, yaw_deg=random.uniform(0, 360)))


def _hidden(drawn: Drawn, renderer: Renderer, world: World) -> list[float]:
    """Gets what share of each point, and of both ends of the bar, a hand covers."""
    if not world.hands:
        return [0.0] * STRIPS
    covered = covered_by_hands(renderer.stage, world)
    points = record_of(renderer.stage, world, Seat.A, "center", covered)["points"]
    of_bar = drawn.shares(covered)[POINTS:, :BAR_SLOTS].mean(axis=1)
    of_points = [float(points[str(number)]["occluded_frac"]) for number in range(1, POINTS + 1)]
    return [*of_points, *(float(share) for share in of_bar)]


def main() -> None:
    """Draws the boards and writes them."""
    given = asked_for(__doc__, 100, 8, SEED)
    cv2.setNumThreads(1)
    draw(given.seed, given.looks, given.pictures).write(given.out)


if __name__ == "__main__":
    main()
