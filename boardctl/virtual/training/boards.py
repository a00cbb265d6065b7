"""Draws boards full of checkers, as cameras and boards of all kinds would show them, for training the eyes.

    python -m boardctl.virtual.training.boards OUT.npz [--looks 110] [--pictures 6]

Each look has its own camera, light, colours and checkers; none is one of :data:`~boardctl.virtual.looks.LOOKS`, by
which the eyes are measured. Rows are tall or short, in order or not, and some lie off their point's middle line or away
from the edge. What is written is what ``boardctl.vision.training.column_data`` and ``stack_rows`` read.
"""

import argparse
from collections.abc import Sequence
from dataclasses import replace
from math import hypot
from pathlib import Path
from random import Random

import cv2
import numpy as np
from numpy.typing import NDArray

from boardctl.rules import Backgammon, Seat, point
from boardctl.virtual.dice import Die, resting_height_mm
from boardctl.virtual.drawing.render import Renderer
from boardctl.virtual.drawn_colours import any_colour, any_dice, near_colour
from boardctl.virtual.looks import LOOKS, CheckerLook, Lens, Light, Look, camera_over
from boardctl.virtual.training.slots import slots_held, slots_held_in_tray, slots_held_on_bar
from boardctl.virtual.world import GAP_MM, UPPER_JITTER_MM, Checker, World, empty_world, set_up
from boardctl.vision.points.columns import POINTS, SLOTS, STRIPS, reference_strips
from boardctl.vision.points.stack_strips import stack_cutter
from boardctl.vision.training.column_data import covered_shares
from boardctl.vision.training.stack_rows import Row, rows_in, rows_written
from boardctl.vision.trays.rows import SEATS, reference_rows
from calibration import BoardGeometry, Calibration, CameraModel

SEED = 99
FIRST_ROW = 5
"""Checkers of a point's lowest layer at most; a few rows are longer."""

FULL, SHORT = (5, 5, 6, 6, 7, 7, 8, 9, 10, 12), (1, 1, 2, 2, 3, 4)
BARE, IN_FULL = 0.3, 0.6
"""How often a point is bare, and one that is not holds a full row."""

IN_DISORDER = 0.4
"""How often the upper checkers of a full row are laid on any of its lowest."""

IN_HOLLOWS = 0.3
"""How often the upper checkers of a full row that lie in order are laid into the hollows between those below."""

DISPLACED = 0.25
"""How often a row does not lie where it should, or one of its checkers."""

MOST_DICE = 9


class Drawn:
    """What was drawn of all looks, as lists of arrays that are written as they are named.

    Of each picture ``strips`` (of the points, or of the bar, too), ``slots`` (what lies in them), ``hidden`` (what
    share of each a hand or a thing covers), ``covered`` (what share of each slot, NaN where that is not told) and
    ``of_look``; of each look ``empty``, ``leaning`` and ``palettes``; the ``rows`` that are kept for the closer look.
    """

    def __init__(self) -> None:
        self.strips: list[NDArray[np.uint8]] = []
        self.slots: list[NDArray[np.int64]] = []
        self.hidden: list[NDArray[np.float32]] = []
        self.covered: list[NDArray[np.float32]] = []
        self.of_look: list[int] = []
        self.empty: list[NDArray[np.uint8]] = []
        self.leaning: list[NDArray[np.float32]] = []
        self.palettes: list[NDArray[np.float32]] = []
        self.rows: list[Row] = []

    def begin(self, calibration: Calibration, tray_middle: float | None = None) -> None:
        """Begins a look, which was calibrated so. ``tray_middle``: how far from the field's edge the middle of a row in
        a tray is, in checkers; None: trays are not cut."""
        points = reference_strips(calibration)
        self._closer, self._geometry = stack_cutter(calibration), calibration.geometry
        references = [points] if tray_middle is None else [points, reference_rows(calibration, tray_middle)]
        self._cutters = tuple(reference.cutter for reference in references)
        self.empty.append(np.concatenate([reference.empty for reference in references]))
        self.leaning.append(np.concatenate([reference.leaning for reference in references]))
        self.palettes.append(points.palette.ratios)

    def add(
        self,
        world: World,
        picture: NDArray[np.uint8],
        hidden: Sequence[float],
        covered: NDArray[np.float64] | None = None,
    ) -> None:
        """Adds a picture of a world in the look that was begun last; of points of which something is hidden no row.

        ``hidden``: what share of each strip a hand or a thing covers, for the points alone or for the two of the bar
        and both trays, too. ``covered``: what share of each slot (strips x 7); NaN, or None for all, where that is not
        told.
        """
        self.strips.append(self._cut(picture)[: len(hidden)])
        of_points = [slots_held(world, number) for number in range(1, POINTS + 1)]
        of_bar = [slots_held_on_bar(world, strip) for strip in range(POINTS, STRIPS)]
        of_trays = [slots_held_in_tray(world, seat) for seat in SEATS]
        self.slots.append(np.stack([*of_points, *of_bar, *of_trays])[: len(hidden)])
        self.hidden.append(np.array(hidden, dtype=np.float32))
        shares = np.full((len(hidden), SLOTS), np.nan) if covered is None else covered
        self.covered.append(shares.astype(np.float32))
        self.of_look.append(len(self.empty) - 1)
        self.rows += rows_in(picture, self._closer, self._geometry, self.slots[-1][:POINTS], hidden[:POINTS])

    def shares(self, mask: NDArray[np.uint8]) -> NDArray[np.float64]:
        """Gets what share of each slot (26 x 7, or 28 x 7 with trays), as wide as a checker, a mask of a picture
        (height x width, 255 in it) covers."""
        return covered_shares(self._cut(np.repeat(mask[..., None], 3, axis=2)))

    def _cut(self, picture: NDArray[np.uint8]) -> NDArray[np.uint8]:
        return np.concatenate([cutter.cut(picture) for cutter in self._cutters])

    def write(self, out: Path) -> None:
        """Writes all that was added."""
        lists = {name: values for name, values in vars(self).items() if isinstance(values, list) and name != "rows"}
        arrays = {name: np.stack(values) for name, values in lists.items()} | rows_written(self.rows)
        np.savez(out, **arrays)


def draw(seed: int, looks: int, pictures: int) -> Drawn:
    """Draws so many pictures of each of so many looks."""
    drawn = Drawn()
    for number in range(looks):
        rng, random = np.random.default_rng([seed, number]), Random(seed * 1000 + number)  # noqa: S311  drawings
        look, geometry = drawn_look(rng), drawn_board(rng)
        renderer = Renderer(look, geometry, number)
        empty = empty_world(geometry, random)
        start = set_up(empty, Backgammon().start().placement(), random)
        drawn.begin(calibrated(look.camera, renderer.frame(empty), renderer.frame(start), rng))
        for _ in range(pictures):
            world = filled(empty, random)
            drawn.add(world, renderer.frame(world), (0.0,) * POINTS)
    return drawn


def drawn_board(rng: np.random.Generator) -> BoardGeometry:
    """Draws how thick checkers are and how large dice."""
    return BoardGeometry(checker_height_mm=rng.uniform(8.8, 11.4), die_size_mm=rng.uniform(12.5, 17.5))


def drawn_look(rng: np.random.Generator) -> Look:
    """Draws a camera, a light and colours; in every third look checkers have nearly the colour of what they lie on."""
    base = list(LOOKS.values())[int(rng.integers(len(LOOKS)))]
    height_mm = rng.uniform(800, 1200)
    large = rng.random() < 0.3
    camera = camera_over(
        (rng.uniform(-260, 260), rng.uniform(-420, 160), height_mm),
        (rng.uniform(-15, 15), rng.uniform(-15, 15), 0.0),
        rng.uniform(1.1, 1.3) * height_mm * (1.5 if large else 1.0),
        roll_deg=rng.uniform(-4, 4),
        size_px=(1920, 1080) if large else (1280, 720),
        distortion=(rng.uniform(-0.12, 0.06), rng.uniform(-0.03, 0.03), 0.0, 0.0, 0.0),
    )
    lamp = (rng.uniform(-500, 500), rng.uniform(-500, 500), rng.uniform(900, 1500))
    ambient = rng.uniform(0.3, 0.75)
    rng.uniform()  # was the lamp's width, which no picture shows: the looks of a seed stay what they were
    exposure = rng.uniform(0.7, 1.15)
    light = Light(lamp, ambient, exposure, tint=tuple(rng.uniform(0.88, 1.1, 3).tolist()))
    points, field = (any_colour(rng, 15, 240), any_colour(rng, 15, 240)), any_colour(rng, 15, 240)
    colours = [any_colour(rng, *levels) for levels in ((120, 245), (15, 120))]
    if rng.random() < 0.35:
        alike = (*points, field)[int(rng.integers(3))]
        colours[int(rng.integers(2))] = near_colour(rng, alike)
    dishes = [CheckerLook(colour, rng.uniform(0, 0.9), rng.uniform(0, 0.7)) for colour in colours]
    if rng.random() < 0.5:
        dishes.reverse()
    return replace(
        base,
        camera=camera,
        field=field,
        points=points,
        wood=any_colour(rng, 20, 150),
        table=any_colour(rng, 30, 200),
        checkers=(dishes[0], dishes[1]),
        dice=any_dice(rng, colours[int(rng.integers(2))]),
        light=light,
        lens=Lens(rng.uniform(0.4, 1.2), rng.uniform(0.8, 4.5)),
        field_grain=rng.uniform(2.0, 12.0),
        wood_grain=rng.uniform(4.0, 14.0),
    )


def calibrated(
    camera: CameraModel,
    empty: NDArray[np.uint8],
    start: NDArray[np.uint8],
    rng: np.random.Generator,
    assumed: BoardGeometry = BoardGeometry(),  # noqa: B008  a frozen value
) -> Calibration:
    """Gets a calibration that is off by as much as real ones are: a millimetre or so, and a hundredth of the sizes."""
    turn = np.array(camera.rotation_vector) + rng.normal(0, 0.0006, 3)
    shift = np.array(camera.translation_mm) + rng.normal(0, 0.7, 3)
    taken = replace(camera, rotation_vector=tuple(turn.tolist()), translation_mm=tuple(shift.tolist()))
    size = assumed.checker_diameter_mm * (1 + rng.normal(0, 0.008))
    height = assumed.field_height_mm + rng.normal(0, 1.0)
    return Calibration.of(taken, replace(assumed, checker_diameter_mm=size, field_height_mm=height), empty, start)


def filled(empty: World, random: Random, bare: float = BARE) -> World:
    """Gets a board with checkers of either seat on most of its points, more than any game has. ``bare``: how often a
    point holds none."""
    checkers: list[Checker] = []
    for number in range(1, POINTS + 1):
        if random.random() < bare:
            continue
        seat = random.choice((Seat.A, Seat.B))
        count = random.choice(FULL if random.random() < IN_FULL else SHORT)
        row = _row(empty.geometry, seat, number, count, random)
        if _apart(row, checkers, empty.geometry):
            checkers += row
    return replace(empty, checkers=tuple(checkers), dice=_dice(checkers, empty.geometry, random))


def _dice(checkers: list[Checker], geometry: BoardGeometry, random: Random) -> tuple[Die, ...]:
    """Gets dice that lie anywhere but on checkers, some side by side: none of them is a checker."""
    dice: list[Die] = []
    for _ in range(random.randrange(1, MOST_DICE)):
        x = random.uniform(-0.5, 0.5) * (geometry.field_width_mm - 20)
        y = random.uniform(-0.5, 0.5) * (geometry.field_height_mm - 20)
        beside = random.random() < 0.4
        for number in range(1 + beside):
            at = (x + number * geometry.die_size_mm * random.uniform(1.05, 1.6), y + number * random.uniform(-8, 8))
            clear = geometry.checker_diameter_mm / 2 + geometry.die_size_mm * 0.75
            if abs(at[0]) < geometry.bar_width_mm / 2 + 8 or any(
                hypot(one.x_mm - at[0], one.y_mm - at[1]) < clear for one in checkers
            ):
                continue
            tilt = random.choice((0.0, 0.0, 0.0, random.uniform(8, 40)))
            height = resting_height_mm(geometry.die_size_mm, tilt)
            die = Die(random.randint(1, 6), *at, height, random.uniform(0, 360), tilt, random.uniform(0, 360))
            dice.append(die)
    return tuple(dice)


def _row(geometry: BoardGeometry, seat: Seat, number: int, count: int, random: Random) -> list[Checker]:
    """Gets the checkers of a point as hands lay them."""
    lowest = min(count, random.choice((FIRST_ROW,) * 8 + (FIRST_ROW + 1, FIRST_ROW - 1)))
    aside = away = 0.0
    loose = -1
    if random.random() < DISPLACED:
        aside, away = random.uniform(-0.36, 0.36) * (random.random() < 0.7), random.random() ** 2
        loose = random.randrange(lowest) if random.random() < 0.4 else -1
    diameter, inwards = geometry.checker_diameter_mm, 1.0 if geometry.is_near_row(number) else -1.0
    along = (0.5 + away) * diameter - geometry.field_height_mm / 2
    row: list[Checker] = []
    for slot in range(lowest):
        along += abs(random.gauss(0, GAP_MM)) + (random.uniform(0.1, 1.0) * diameter if slot == loose else 0.0)
        off = aside + (random.uniform(-0.4, 0.4) if slot == loose else 0.0)
        x = geometry.point_x_mm(number) + random.gauss(0, 0.8) + off * geometry.point_width_mm
        z = geometry.checker_height_mm / 2
        row.append(Checker(seat, point(number), slot, x, inwards * along, z))
        along += diameter
    tops = list(row)
    spread = random.choice((0.4, 1.0, 1.0, 1.6, 2.2)) * UPPER_JITTER_MM
    in_order = random.random() >= IN_DISORDER
    hollow = random.uniform(0.35, 0.62) * diameter if in_order and random.random() < IN_HOLLOWS else 0.0
    second = lowest - (hollow > 0)
    for index in range(lowest, count):
        under = (index - lowest) % second if in_order else random.randrange(lowest)
        below = tops[under]
        if below.z_mm > 2 * geometry.checker_height_mm:
            continue
        tops[under] = replace(
            below,
            index=index,
            x_mm=below.x_mm + random.gauss(0, spread),
            y_mm=below.y_mm + random.gauss(0, spread) + inwards * hollow * (index < lowest + second),
            z_mm=below.z_mm + geometry.checker_height_mm,
        )
        row.append(tops[under])
    return row


def _apart(row: list[Checker], others: list[Checker], geometry: BoardGeometry) -> bool:
    """Whether a row lies inside its half and on no other's checkers."""
    least = geometry.checker_diameter_mm * 0.97
    reach = geometry.checker_diameter_mm / 2
    for one in row:
        if geometry.section_of(one.x_mm - reach, one.y_mm) is not geometry.section_of(one.x_mm + reach, one.y_mm):
            return False
        if any(hypot(one.x_mm - each.x_mm, one.y_mm - each.y_mm) < least for each in others):
            return False
    return True


def asked_for(description: str | None, looks: int, pictures: int, seed: int) -> argparse.Namespace:
    """Gets what the command line asks to be drawn: ``out``, ``looks``, ``pictures`` of each, ``seed``."""
    return asked_parser(description, looks, pictures, seed).parse_args()


def asked_parser(description: str | None, looks: int, pictures: int, seed: int) -> argparse.ArgumentParser:
    """Gets what reads that of the command line, for those who ask for more."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("out", type=Path)
    parser.add_argument("--looks", type=int, default=looks)
    parser.add_argument("--pictures", type=int, default=pictures)
    parser.add_argument("--seed", type=int, default=seed)
    return parser


def main() -> None:
    """Draws the boards and writes them."""
    given = asked_for(__doc__, 110, 6, SEED)
    cv2.setNumThreads(1)
    draw(given.seed, given.looks, given.pictures).write(given.out)


if __name__ == "__main__":
    main()
