"""``boardctl bench stacks``: how tall stacks are counted, whose upper checkers a camera from above hardly sees."""

from collections import Counter
from dataclasses import replace
from random import Random
from typing import Annotated

import cv2
import typer
from rich.console import Console
from rich.progress import track

from boardctl.cli.bench.tables import print_counts
from boardctl.cli.whole_sets_option import CheckersOption
from boardctl.devices.faces import Picture
from boardctl.referee.readings import PlaceReading
from boardctl.rules import Backgammon, Place, Placement, Seat, point
from boardctl.virtual.drawing.render import Renderer
from boardctl.virtual.looks import LOOKS, Look
from boardctl.virtual.world import Checker, World, empty_world, set_up
from boardctl.vision.frame import read_frame
from boardctl.vision.points.reading import read_points_and_bar
from boardctl.vision.whole_sets import with_whole_sets
from calibration import BoardGeometry, Calibration, calibrate

SURELY, FAIRLY = 0.95, 0.9
_KINDS = ("bare", "up to four", "five", "six and more")
_COUNTED = ("points", "right", "right, over 0.9", "wrong, over 0.9", "surely wrong")
_FIRST_ROW = 5
_TALL, _SHORT = (5, 6, 6, 7, 7, 8, 9, 10), (2, 3, 4, 5)


def stacks(
    pictures: Annotated[int, typer.Option(help="Pictures of each look.", min=1)] = 14,
    seed: Annotated[int, typer.Option(help="The seed decides positions and how the checkers lie.", min=0)] = 17,
    in_hollows: Annotated[
        bool, typer.Option("--in-hollows", help="Upper checkers lie between those below, not on them.")
    ] = False,
    checkers: CheckersOption = 0,
) -> None:
    """Draws boards with stacks of up to ten checkers, and reads each place by itself: no other place tells how many of
    the fifteen are left for it. With ``--checkers 15`` they do.

    Example: boardctl bench stacks --pictures 14
    """
    cv2.setNumThreads(1)
    counts: Counter[tuple[str, str]] = Counter()
    for look in track(list(LOOKS.values()), "looks", console=Console(stderr=True), transient=True):
        _count(look, pictures, seed, in_hollows, checkers, counts)
    print_counts("stacks of", _KINDS, _COUNTED, counts)


def _count(
    look: Look, pictures: int, seed: int, in_hollows: bool, checkers: int, counts: "Counter[tuple[str, str]]"
) -> None:
    random, geometry = Random(seed), BoardGeometry()  # noqa: S311  a game, not a secret
    renderer = Renderer(look, geometry, seed)
    empty = empty_world(geometry, random)
    calibration = calibrate(
        renderer.frame(empty), renderer.frame(set_up(empty, Backgammon().start().placement(), random))
    )
    for _ in range(pictures):
        board = _with_tall_stacks(random)
        world = set_up(empty, board, random)
        picture = renderer.frame(laid_in_hollows(world) if in_hollows else world)
        for reading in _read(picture, calibration, checkers):
            if reading.place not in (point(number) for number in range(1, 25)):
                continue
            truth = board.at(reading.place)
            kind = _KINDS[0 if not truth else 1 if len(truth) < 5 else 2 if len(truth) == 5 else 3]
            right, confidence = reading.best == truth, reading.confidence
            counts[kind, "points"] += 1
            counts[kind, "right"] += right
            counts[kind, "right, over 0.9"] += right and confidence > FAIRLY
            counts[kind, "wrong, over 0.9"] += not right and confidence > FAIRLY
            counts[kind, "surely wrong"] += not right and confidence > SURELY


def _read(picture: Picture, calibration: Calibration, checkers: int) -> tuple[PlaceReading, ...]:
    if not checkers:
        return read_points_and_bar(picture, calibration).places
    return with_whole_sets(read_frame(picture, calibration), checkers).board.places


def laid_in_hollows(world: World) -> World:
    """Gets a board on which the second layer of each row of five lies in the four hollows between its checkers, and a
    tenth checker on the first of that layer."""
    geometry, checkers = world.geometry, list[Checker]()
    for one in world.checkers:
        inwards = 1.0 if geometry.is_near_row(one.place.number) else -1.0
        off_mm, raised_mm = (0.0, 0.0) if one.index < _FIRST_ROW else (0.5 * geometry.checker_diameter_mm, 0.0)
        if one.index == 2 * _FIRST_ROW - 1:
            off_mm -= (_FIRST_ROW - 1) * geometry.checker_diameter_mm
            raised_mm = geometry.checker_height_mm
        checkers.append(replace(one, y_mm=one.y_mm + inwards * off_mm, z_mm=one.z_mm + raised_mm))
    return replace(world, checkers=tuple(checkers))


def _with_tall_stacks(random: Random) -> Placement:
    """Draws where fifteen checkers of either seat lie: first a tall stack or two, then what is left."""
    left, laid = {Seat.A: 15, Seat.B: 15}, dict[Place, tuple[Seat, ...]]()
    for index, number in enumerate(random.sample(range(1, 25), 12)):
        seat = (Seat.A, Seat.B)[index % 2]
        count = min(random.choice(_TALL if left[seat] >= 9 else _SHORT), left[seat])
        if count:
            laid[point(number)] = (seat,) * count
            left[seat] -= count
    return Placement(laid)
