"""``boardctl bench trays``: how the trays of boards are read that nobody has seen, with checkers on edge and lying."""

from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Annotated

import cv2
import typer
from rich.console import Console
from rich.progress import track

from boardctl.cli.bench.tables import print_counts
from boardctl.referee.readings import PlaceReading
from boardctl.rules import Backgammon, Seat, tray
from boardctl.virtual.drawing.brush import Picture
from boardctl.virtual.drawing.picture_truth import record_of
from boardctl.virtual.drawing.render import Renderer
from boardctl.virtual.training.trays import coded, filled_trays
from boardctl.virtual.unseen.looks import Installation, drawn_installation
from boardctl.virtual.world import World, empty_world, set_up
from boardctl.vision.trays.reading import read_trays
from calibration import CalibrationError, calibrate

SURELY = 0.95
SEATS = (Seat.A, Seat.B)
SHORT = 3
KINDS = ("on edge", f"  up to {SHORT}", "lying", "empty", "under a hand")
COUNTED = ("trays", "right", "not told", "surely", "surely wrong")


def trays(
    looks: Annotated[int, typer.Option(help="How many installations are drawn.", min=1)] = 16,
    pictures: Annotated[int, typer.Option(help="Pictures of each.", min=1)] = 8,
    seed: Annotated[int, typer.Option(help="The seed decides boards, cameras, light and what lies where.", min=0)] = 1,
) -> None:
    """Draws installations of which nothing was learned, with checkers in their trays, and reads these.

    Each is calibrated by itself, from its empty and its starting picture. Most trays hold a run of checkers on edge,
    others a row of lying ones, a die or nothing; over some a hand reaches. A board that is not found is named, and not
    counted.

    Example: boardctl bench trays --looks 16 --seed 1
    """
    cv2.setNumThreads(1)
    counts: Counter[tuple[str, str]] = Counter()
    refused: list[str] = []
    for number in track(range(looks), "looks", console=Console(stderr=True), transient=True):
        installation = drawn_installation(seed, number)
        try:
            read = [*_read(installation, pictures, seed)]
        except CalibrationError as error:
            refused.append(f"{installation.name}: not calibrated, and not counted: {error}")
            continue
        for kinds, truth, reading in read:
            sure, right = reading.confidence >= SURELY, len(reading.best or ()) == truth and bool(reading.chances)
            for kind in kinds:
                counts[kind, "trays"] += 1
                counts[kind, "right"] += right and not reading.hidden
                counts[kind, "not told"] += reading.hidden
                counts[kind, "surely"] += sure
                counts[kind, "surely wrong"] += sure and not right
    print_counts("checkers", KINDS, COUNTED, counts)
    for line in refused:
        typer.echo(line)


def _read(installation: Installation, pictures: int, seed: int) -> Iterator[tuple[list[str], int, PlaceReading]]:
    """Gets for each tray of each picture of what kind it is, how many checkers are in it, and how it is read.

    :raises CalibrationError: when the board is not found.
    """
    random = Random(f"{installation.name} {seed} trays")  # noqa: S311  drawings
    renderer = Renderer(installation.look, installation.geometry, seed)
    empty = empty_world(installation.geometry, random)
    start = set_up(empty, Backgammon().start().placement(), random)
    calibration = calibrate(_taken(renderer, empty, installation), _taken(renderer, start, installation))
    for _ in range(pictures):
        world = filled_trays(empty, random)
        hidden = record_of(renderer.stage, world, Seat.A, "center")["tray_occluded"]
        readings = read_trays(_taken(renderer, world, installation), calibration)
        for seat, reading in zip(SEATS, readings, strict=True):
            held = world.at(tray(seat))
            yield _kinds(hidden[seat.value], len(held), bool(held) and held[0].on_edge), len(held), reading


def _taken(renderer: Renderer, world: World, installation: Installation) -> Picture:
    return coded(renderer.frame(world), installation.jpeg_quality)


def _kinds(is_hidden: bool, count: int, on_edge: bool) -> list[str]:
    """Gets as what a tray is counted."""
    if is_hidden:
        return ["under a hand"]
    if not count:
        return ["empty"]
    if not on_edge:
        return ["lying"]
    return ["on edge", f"  up to {SHORT}"] if count <= SHORT else ["on edge"]
