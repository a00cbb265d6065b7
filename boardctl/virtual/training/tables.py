"""Draws boards as tables show them, to train the network that reads points: cube, arms, cups and boxes, in all light.

    python -m boardctl.virtual.training.tables OUT.npz [--looks 100] [--pictures 8] [--seed 401]

What :mod:`boardctl.virtual.training.boards` draws has rows of all kinds, but the common board's sizes, and neither cube
nor hands, and nothing on the bar. Here boards have checkers, bars and rails of all sizes; the cube has any colour and
stands on the bar, on a rail, where rows begin, or on the field; over every third board an arm reaches, with a sleeve
and skin of any colour, and on every third things lie that belong to no game. In trays checkers lie, or stand on edge.
Lamps cast hard and soft shadows, and shine in boards and checkers that are polished. What is written is of the same
kind, the strips of bar and trays among it, and what share of each slot an arm, a thing or a run on edge covers.
"""

from collections.abc import Iterator
from dataclasses import replace
from random import Random

import cv2
import numpy as np
from numpy.typing import NDArray

from boardctl.rules import Seat, bar
from boardctl.virtual.drawing.bodies import footprint_mm, top_mm
from boardctl.virtual.drawing.brush import Picture, fill, hull
from boardctl.virtual.drawing.picture_truth import covered_in, record_of
from boardctl.virtual.drawing.render import Renderer
from boardctl.virtual.drawing.stage import Stage
from boardctl.virtual.drawing.things import any_thing
from boardctl.virtual.drawn_colours import any_colour
from boardctl.virtual.looks import Look
from boardctl.virtual.training.boards import Drawn, asked_for, drawn_look, filled
from boardctl.virtual.training.scans import DIE_MM, SEATS, any_light, with_cube
from boardctl.virtual.training.slots import slots_held, slots_held_in_tray
from boardctl.virtual.training.trays import (
    FIRST_ROW,
    JPEG_QUALITY,
    any_board,
    calibrated_on,
    coded,
    from_farther,
    row_in,
    run_in,
)
from boardctl.virtual.unseen.tables import LIGHT_CHANGES, reaching
from boardctl.virtual.world import CUBE_SIZE_MM, Checker, Thing, World, empty_world
from boardctl.vision.points.columns import POINTS, SLOTS, STRIPS
from boardctl.vision.points.reading import BAR_SLOTS
from boardctl.vision.training.column_data import LEVEL_INSIDE
from boardctl.vision.trays.rows import MIDDLES
from calibration import BoardGeometry
from calibration.start.stack_rims import TOUCHING

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
BARE = slice(0, FIRST_ROW)
"""The slots of a tray without a row by which it is told whether it is hidden."""
RUN_SEEN = 0.1
"""A slot of a tray of which a run on edge covers more is no place for a row."""
SPOTS = 8
"""So many spots of a middle line tell how much of a slot is covered."""
REACHED_OVER = 0.35
"""Over so many boards an arm reaches."""
THINGS = (0, 0, 0, 0, 1, 1, 2)
"""So many things lie on a board."""
SKIN = (0.35, 1.15)
"""How bright skin is, beside that of the looks."""
ARM_SHADOW = (0.1, 0.75)
"""How much of the light an arm's shadow takes."""
SHADOW, SOFT = (0.15, 0.75), (0.3, 3.0)
"""How much of the light the shadows of what lies there take, and how wide their edges are."""
POLISHED, POLISH = 0.5, (0.05, 1.0)
"""How often a board is polished, and how often each seat's checkers are; how much of the lamp's light they mirror."""
LAMP_SLOPE, SMOOTH = (0.01, 0.15), (0.01, 0.2)
"""How wide lamps are seen mirrored, and how much wider what is not quite smooth makes them (slopes)."""
ROW, RUN = 0.25, 0.25
"""How often checkers lie in a tray, and how often they stand there."""
TRAY_OFF = 0.05
"""By how much of a checker the middle of a row in a tray is found beside where it is (standard deviation)."""


def draw(seed: int, looks: int, pictures: int) -> Drawn:
    """Draws so many pictures of each of so many looks."""
    drawn = Drawn()
    for number in range(looks):
        rng, random = np.random.default_rng([seed, number]), Random(f"tables {seed} {number}")  # noqa: S311  drawings
        look, geometry = _look(rng), _board(rng)
        renderer = Renderer(look, geometry, number)
        empty = empty_world(geometry, random)
        drawn.begin(calibrated_on(renderer, empty, rng, random), _tray_middle(geometry, rng))
        for _ in range(pictures):
            world = _played_on(empty_world(geometry, random, cube=random.random() < WITH_CUBE), random)
            world = replace(world, things=tuple(_things(geometry, rng, random)))
            lit = cv2.convertScaleAbs(renderer.frame(world), alpha=float(np.exp(rng.normal(0, LIGHT_CHANGES))))
            picture = coded(np.asarray(lit, dtype=np.uint8), int(rng.integers(*JPEG_QUALITY)))
            drawn.add(world, picture, *_hidden(drawn, renderer, world))
    return drawn


def _look(rng: np.random.Generator) -> Look:
    """Draws a look, seen from nearer or farther, in more or less light, with arms of any colour."""
    look = any_light(from_farther(drawn_look(rng), rng.uniform(*FARTHER)), rng)
    brightness = rng.uniform(*SKIN)
    blue, green, red = (min(int(level * brightness), 250) for level in look.skin)
    look = replace(look, sleeve=any_colour(rng, 10, 230), skin=(blue, green, red))
    slope = rng.uniform(*LAMP_SLOPE)
    mirrored = (slope, slope + rng.uniform(*SMOOTH))
    light = replace(look.light, shadow=rng.uniform(*SHADOW), soft=rng.uniform(*SOFT), mirrored=mirrored)
    first, second = (replace(seat, polish=_polish(rng)) for seat in look.checkers)
    return replace(look, light=light, checkers=(first, second), polish=_polish(rng))


def _polish(rng: np.random.Generator) -> float:
    """Draws how much of the lamp's light something mirrors."""
    return rng.uniform(*POLISH) if rng.random() < POLISHED else 0.0


def _tray_middle(geometry: BoardGeometry, rng: np.random.Generator) -> float:
    """Draws where the middle of what lies in trays is found to be, in checkers from the field's edge."""
    middle = (abs(geometry.tray_x_mm()) - geometry.field_width_mm / 2) / geometry.checker_diameter_mm
    return float(MIDDLES[np.abs(MIDDLES - middle - rng.normal(0, TRAY_OFF)).argmin()])


def _board(rng: np.random.Generator) -> BoardGeometry:
    """Draws the sizes of a board."""
    board = any_board(rng)
    bar_width_mm = board.bar_width_mm * rng.uniform(*BAR_WIDTHS)
    return replace(board, bar_width_mm=bar_width_mm, die_size_mm=rng.uniform(*DIE_MM))


def _played_on(empty: World, random: Random) -> World:
    """Gets a board with checkers, dice, a cube if there is one, and an arm now and then."""
    world, part = filled(empty, random), random.uniform(*KEPT)
    kept = {one.place for one in world.checkers if random.random() < part}
    on_points = (one for one in world.checkers if one.place in kept)
    checkers = (*on_points, *_on_bar(world.geometry, random), *_in_trays(world.geometry, random))
    world = replace(world, checkers=checkers)
    world = _cube_on_rail(world, random) if random.random() < CUBE_ON_RAIL else with_cube(world, random)
    hand = replace(reaching(world.geometry, random), shadow=random.uniform(*ARM_SHADOW))
    return replace(world, hands=(hand,) if random.random() < REACHED_OVER else ())


def _things(geometry: BoardGeometry, rng: np.random.Generator, random: Random) -> Iterator[Thing]:
    """Gets the things that lie on a board, of any colours."""
    for _ in range(random.choice(THINGS)):
        top, sides, content = (any_colour(rng, 10, 230) for _ in range(3))
        yield any_thing(geometry, (top, sides, content), random)


def _in_trays(geometry: BoardGeometry, random: Random) -> Iterator[Checker]:
    """Gets what lies or stands in both trays."""
    for seat in SEATS:
        drawn = random.random()
        if drawn < ROW:
            yield from row_in(geometry, seat, random)
        elif drawn < ROW + RUN:
            yield from run_in(geometry, seat, random)


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


def _hidden(drawn: Drawn, renderer: Renderer, world: World) -> tuple[list[float], NDArray[np.float64]]:
    """Gets what share of each strip (28) an arm, a thing, or in a tray a run on edge covers, and of each slot (28 x 7):
    of what lies there, or of a bare point's middle line."""
    covered = covered_in(renderer.stage, world)
    points = record_of(renderer.stage, world, Seat.A, "center", covered)["points"]
    shares = drawn.shares(covered)
    of_bar = shares[POINTS:STRIPS, :BAR_SLOTS].mean(axis=1)
    bare = np.stack([slots_held(world, number) == 0 for number in range(1, POINTS + 1)])
    shares[:POINTS][bare] = _of_lines(renderer.stage, covered)[bare]
    of_points = [float(points[str(number)]["occluded_frac"]) for number in range(1, POINTS + 1)]
    runs = np.zeros_like(covered)
    for one in world.checkers:
        if one.on_edge:
            fill(runs, _edge_px(renderer.stage, one), (255,))
    shares[STRIPS:][drawn.shares(runs)[STRIPS:] > RUN_SEEN] = 1.0
    held = [slots_held_in_tray(world, seat) > 0 for seat in SEATS]
    of_trays = [
        row[own].mean() if own.any() else row[BARE].max() for row, own in zip(shares[STRIPS:], held, strict=True)
    ]
    return [*of_points, *(float(share) for share in (*of_bar, *of_trays))], shares


def _edge_px(stage: Stage, checker: Checker) -> NDArray[np.float64]:
    """Gets the outline (N x 2 pixels) of what is seen of a checker on edge."""
    foot = footprint_mm(stage, checker, 0.0)
    return hull(stage.camera.project(np.concatenate([foot, footprint_mm(stage, checker, top_mm(stage, checker))])))


def _of_lines(stage: Stage, mask: Picture) -> NDArray[np.float64]:
    """Gets what share of each slot of middle lines of points (24 x 7) a mask of a picture covers; NaN beyond tips."""
    geometry = stage.geometry
    inwards = np.array([1.0 if geometry.is_near_row(number) else -1.0 for number in range(1, POINTS + 1)])
    across = np.array([geometry.point_x_mm(number) for number in range(1, POINTS + 1)])
    away = (np.arange(SLOTS * SPOTS) + 0.5) / SPOTS * geometry.checker_diameter_mm * TOUCHING
    along = inwards[:, None] * (away - geometry.field_height_mm / 2)
    places = np.stack(np.broadcast_arrays(across[:, None], along, 0.0), axis=-1)
    pixels = np.rint(stage.camera.project(places.reshape(-1, 3))).astype(int).clip(0, np.array(mask.shape[::-1]) - 1)
    shares = (mask[pixels[:, 1], pixels[:, 0]] > LEVEL_INSIDE).reshape(POINTS, SLOTS, SPOTS).mean(axis=2)
    return np.where(away[::SPOTS] < geometry.point_length_mm, shares, np.nan)


def main() -> None:
    """Draws the boards and writes them."""
    given = asked_for(__doc__, 100, 8, SEED)
    cv2.setNumThreads(1)
    draw(given.seed, given.looks, given.pictures).write(given.out)


if __name__ == "__main__":
    main()
