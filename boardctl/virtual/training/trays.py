"""Draws trays with runs of checkers on edge, and with what is none, for training the network that counts them.

    python -m boardctl.virtual.training.trays OUT.npz [--looks 300] [--pictures 16] [--seed 31]

Looks are those of :mod:`boardctl.virtual.training.boards`, seen from nearer and farther and in all light; boards have
checkers of all thicknesses, and trays of all widths. What is written is read by
``boardctl.vision.training.tray_training``.
"""

from dataclasses import replace
from pathlib import Path
from random import Random

import cv2
import numpy as np
from numpy.typing import NDArray

from boardctl.rules import Backgammon, Seat, tray
from boardctl.virtual.dice import Die
from boardctl.virtual.drawing.picture_truth import record_of
from boardctl.virtual.drawing.render import Renderer
from boardctl.virtual.looks import Look
from boardctl.virtual.training.boards import asked_for, calibrated, drawn_look
from boardctl.virtual.world import Checker, Hand, World, empty_world, set_up
from boardctl.vision.points.columns import reference_strips
from boardctl.vision.trays.runs import MOST
from boardctl.vision.trays.strips import run_strip
from calibration import BoardGeometry, Calibration

SEED = 31
SEATS = (Seat.A, Seat.B)

RUN, ROW = 0.72, 0.14
"""How often checkers stand in a tray, and how often they lie there."""

REACHED_OVER, ON_TRAY = 0.25, 0.7
"""How often a hand is over the board, and how often of these over a tray."""

DIE_IN_TRAY = 0.3
"""How often a die lies in a tray without checkers."""

PUSHED = 0.6
"""How often a run is pushed against its rail; others begin up to ``FAR_OFF`` checker widths from it."""
FAR_OFF = 0.3

CHECKER_HEIGHT_ASSUMED = 0.26
"""What a calibration takes for the height of checkers, in their diameters: it sees none from aside."""

FIRST_ROW, MOST_LYING = 5, 9
"""Checkers of the lowest layer of a row at most, and of a row."""

HIDDEN = -1
"""Number of checkers in a tray of which a hand covers too much."""

JPEG_QUALITY = (70, 96)


class DrawnTrays:
    """Runs' pictures with what stands in them, as lists of arrays that are written as they are named.

    Of each tray that is seen ``shown``, ``counts`` and ``of_tray``; of each tray of each look ``empty``, ``palettes``,
    ``colours`` (of the checkers; blue, green, red), ``seats`` (0, 1) and ``sides`` (how wide the last checker's side is
    seen at the edge, and its change inwards).
    """

    def __init__(self) -> None:
        self.shown: list[NDArray[np.uint8]] = []
        self.counts: list[int] = []
        self.of_tray: list[int] = []
        self.empty: list[NDArray[np.uint8]] = []
        self.palettes: list[NDArray[np.float32]] = []
        self.colours: list[list[int]] = []
        self.seats: list[int] = []
        self.sides: list[tuple[float, float]] = []

    def begin(self, calibration: Calibration) -> None:
        """Begins a look, which was calibrated so."""
        palette = reference_strips(calibration).palette
        self._strips = [run_strip(calibration, seat) for seat in SEATS]
        for index, (seat, strip) in enumerate(zip(SEATS, self._strips, strict=True)):
            self.empty.append(strip.empty)
            red, green, blue = bytes.fromhex(calibration.colours[seat][1:])
            self.colours.append([blue, green, red])
            self.palettes.append(palette.ratios)
            self.seats.append(index)
            self.sides.append((strip.side_at_edge, strip.side_a_width))

    def add(self, picture: NDArray[np.uint8], counts: tuple[int, int]) -> None:
        """Adds both trays of a picture of the look that was begun last; a count of ``HIDDEN`` is left out."""
        for index, (strip, count) in enumerate(zip(self._strips, counts, strict=True)):
            if count != HIDDEN:
                self.shown.append(strip.cut(picture))
                self.counts.append(count)
                self.of_tray.append(len(self.empty) - len(SEATS) + index)

    def write(self, out: Path) -> None:
        """Writes all that was added."""
        lists = {name: values for name, values in vars(self).items() if not name.startswith("_")}
        np.savez(out, **{name: np.array(values) for name, values in lists.items()})  # type: ignore[arg-type]


def draw(seed: int, looks: int, pictures: int) -> DrawnTrays:
    """Draws so many pictures of each of so many looks."""
    drawn = DrawnTrays()
    for number in range(looks):
        rng, random = np.random.default_rng([seed, number]), Random(f"trays {seed} {number}")  # noqa: S311  drawings
        look, geometry = _look(rng), any_board(rng)
        renderer = Renderer(look, geometry, number)
        empty = empty_world(geometry, random)
        drawn.begin(calibrated_on(renderer, empty, rng, random))
        for _ in range(pictures):
            world = filled_trays(empty, random)
            picture = coded(renderer.frame(world), int(rng.integers(*JPEG_QUALITY)))
            drawn.add(picture, _counts(renderer, world))
    return drawn


def calibrated_on(renderer: Renderer, empty: World, rng: np.random.Generator, random: Random) -> Calibration:
    """Gets a board's calibration from its empty picture and that of its starting position, off by as much as real ones
    are; how high its checkers are it can only assume."""
    start, board = set_up(empty, Backgammon().start().placement(), random), empty.geometry
    assumed = replace(board, checker_height_mm=board.checker_diameter_mm * CHECKER_HEIGHT_ASSUMED)
    return calibrated(renderer.stage.camera, renderer.frame(empty), renderer.frame(start), rng, assumed)


def from_farther(look: Look, farther: float) -> Look:
    """Gets a look whose camera sees everything so much smaller (a share of its size)."""
    focal = {name: getattr(look.camera, name) * farther for name in ("focal_x_px", "focal_y_px")}
    return replace(look, camera=replace(look.camera, **focal))


def _look(rng: np.random.Generator) -> Look:
    """Draws a look, seen from nearer or farther, in more or less light."""
    look = drawn_look(rng)
    look = from_farther(look, rng.uniform(0.55, 1.0))
    return replace(look, light=replace(look.light, exposure=look.light.exposure * rng.uniform(0.4, 1.2)))


def any_board(rng: np.random.Generator) -> BoardGeometry:
    """Draws how large checkers, rails and trays are."""
    common = BoardGeometry()
    diameter = common.point_width_mm * rng.uniform(0.88, 0.985)
    return replace(
        common,
        checker_diameter_mm=diameter,
        checker_height_mm=diameter * rng.uniform(0.19, 0.3),
        rail_width_mm=diameter * rng.uniform(0.35, 0.8),
        rail_height_mm=diameter * rng.uniform(0.25, 0.7),
        tray_width_mm=diameter * rng.uniform(1.1, 1.4),
        home_on_right=bool(rng.random() < 0.5),
    )


def filled_trays(empty: World, random: Random) -> World:
    """Gets a board of whose trays most hold a run, some a row, a die or nothing; a hand may be over them."""
    geometry = empty.geometry
    checkers: list[Checker] = []
    dice: list[Die] = []
    for seat in SEATS:
        drawn = random.random()
        if drawn < RUN:
            checkers += run_in(geometry, seat, random)
        elif drawn < RUN + ROW:
            checkers += row_in(geometry, seat, random)
        elif random.random() < DIE_IN_TRAY:
            y = random.uniform(0.1, 0.45) * geometry.field_height_mm * (-1 if seat is Seat.A else 1)
            size = geometry.die_size_mm
            dice.append(Die(random.randint(1, 6), geometry.tray_x_mm(), y, size / 2, random.uniform(0, 360), 0.0, 0.0))
    hands: tuple[Hand, ...] = ()
    if random.random() < REACHED_OVER:
        over_tray = random.random() < ON_TRAY
        x = geometry.tray_x_mm() if over_tray else random.uniform(-0.5, 0.5) * geometry.field_width_mm
        spread = geometry.field_height_mm * 0.45
        hands = (Hand(random.choice(SEATS), x + random.gauss(0, 25), random.uniform(-spread, spread)),)
    return replace(empty, checkers=tuple(checkers), dice=tuple(dice), hands=hands)


def run_in(geometry: BoardGeometry, seat: Seat, random: Random) -> list[Checker]:
    """Gets checkers on edge: one to three more often than more, as a mistake counts there as much."""
    count = random.randint(1, 3) if random.random() < 0.25 else random.randint(1, MOST)
    inwards = 1.0 if seat is Seat.A else -1.0
    thick, loose = geometry.checker_height_mm, random.choice((0.01, 0.03, 0.05, 0.08))
    spare = max(geometry.tray_width_mm - geometry.checker_diameter_mm, 0.0) / 2
    aside = random.uniform(-spare, spare)
    along = 0.0 if random.random() < PUSHED else random.uniform(0, FAR_OFF) * geometry.checker_diameter_mm
    run: list[Checker] = []
    for index in range(count):
        x = geometry.tray_x_mm() + aside + random.gauss(0, 0.8)
        y = inwards * (along + thick / 2 - geometry.field_height_mm / 2)
        run.append(Checker(seat, tray(seat), index, x, y, geometry.checker_diameter_mm / 2, on_edge=True))
        along += thick * (1 + random.uniform(0, 2 * loose))
    return run


def row_in(geometry: BoardGeometry, seat: Seat, random: Random) -> list[Checker]:
    """Gets checkers that lie in a tray, as on a point."""
    inwards = 1.0 if seat is Seat.A else -1.0
    row: list[Checker] = []
    for index in range(random.randint(1, MOST_LYING)):
        slot, layer = index % FIRST_ROW, index // FIRST_ROW
        y = inwards * ((slot + 0.5) * geometry.checker_diameter_mm * 1.01 - geometry.field_height_mm / 2)
        z = (layer + 0.5) * geometry.checker_height_mm
        row.append(Checker(seat, tray(seat), index, geometry.tray_x_mm() + random.gauss(0, 1.0), y, z))
    return row


def _counts(renderer: Renderer, world: World) -> tuple[int, int]:
    """Gets how many checkers stand in both trays' runs: none where they lie, ``HIDDEN`` where a hand hides some."""
    hidden = record_of(renderer.stage, world, Seat.A, "center")["tray_occluded"]
    runs = [sum(one.on_edge for one in world.at(tray(seat))) for seat in SEATS]
    first, second = (HIDDEN if hidden[seat.value] and run else run for seat, run in zip(SEATS, runs, strict=True))
    return first, second


def coded(picture: NDArray[np.uint8], quality: int) -> NDArray[np.uint8]:
    """Gets a picture as a camera sends it."""
    coded = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, quality])[1]
    return np.asarray(cv2.imdecode(coded, cv2.IMREAD_COLOR), dtype=np.uint8)


def main() -> None:
    """Draws the trays and writes them."""
    given = asked_for(__doc__, 300, 16, SEED)
    cv2.setNumThreads(1)
    draw(given.seed, given.looks, given.pictures).write(given.out)


if __name__ == "__main__":
    main()
