"""``boardctl bench displaced``: how checkers are read that lie where people leave them, not where they should."""

from collections import Counter
from dataclasses import dataclass, replace
from math import dist
from random import Random
from typing import Annotated

import cv2
import typer
from rich.console import Console
from rich.progress import track

from boardctl.cli.bench.tables import print_counts
from boardctl.cli.reporting import UsageError
from boardctl.cli.session.options import GameName
from boardctl.rules import Backgammon, Game, Place, PlaceKind, Roll, Stack
from boardctl.rules.games import GAMES
from boardctl.virtual.drawing.render import Renderer
from boardctl.virtual.looks import LOOKS, Look
from boardctl.virtual.world import Checker, World, empty_world, set_up
from boardctl.vision.game_eyes import eyes_for, must_be_shown
from calibration import BoardGeometry, board_for, calibrate

SURELY = 0.95
_COUNTED = ("points", "right", "not sure", "surely wrong")
_TRIES = 40
_PLAYS = 8
"""So many plays go before each picture: both seats have moved, and some points are bare."""


@dataclass(frozen=True, slots=True)
class Way:
    """One way of not lying where it should. ``aside``: widths of a point off the middle line, ``inwards``: checkers
    away from the edge; of the top checker alone, or of the whole row of its point."""

    name: str
    aside: float = 0.0
    inwards: float = 0.0
    whole_row: bool = False


WAYS = (
    Way("where it should be"),
    Way("a fifth of a point aside", aside=0.2),
    Way("three tenths aside", aside=0.3),
    Way("between two points", aside=0.5),
    Way("a quarter checker from its row", inwards=0.25),
    Way("half a checker from its row", inwards=0.5),
    Way("a checker from its row", inwards=1.0),
    Way("the row a quarter from the edge", inwards=0.25, whole_row=True),
    Way("the row half a checker from it", inwards=0.5, whole_row=True),
    Way("three tenths aside, half away", aside=0.3, inwards=0.5),
)


def displaced(
    pictures: Annotated[int, typer.Option(help="Pictures of each look and each way of lying.", min=1)] = 10,
    seed: Annotated[int, typer.Option(help="The seed decides positions and which checker it is.", min=0)] = 11,
    game: GameName = "backgammon",
) -> None:
    """Draws boards on which one checker, or one row of up to four, does not lie where it should, and reads its point.

    A reading may be right or wrong, and surely so or not. Of a checker between two points nothing should be sure.

    Example: boardctl bench displaced --pictures 20
    """
    if game not in GAMES:
        raise UsageError(f"no game is called {game!r}; choose one of {', '.join(GAMES)}")
    cv2.setNumThreads(1)
    counts: Counter[tuple[str, str]] = Counter()
    for look in track(list(LOOKS.values()), "looks", console=Console(stderr=True), transient=True):
        _count(look, GAMES[game], pictures, seed, counts)
    print_counts("checkers lie", (way.name for way in WAYS), _COUNTED, counts)


def _count(look: Look, game: Game, pictures: int, seed: int, counts: "Counter[tuple[str, str]]") -> None:
    random, geometry = Random(seed), BoardGeometry()  # noqa: S311  a game, not a secret
    renderer = Renderer(look, geometry, seed)
    empty = empty_world(geometry, random)
    calibration = calibrate(
        renderer.frame(empty), renderer.frame(set_up(empty, Backgammon().start().placement(), random))
    )
    empty = empty_world(board_for(game, geometry), random)
    start = renderer.frame(set_up(empty, game.start().placement(), random))
    eyes = eyes_for(game, calibration, start if must_be_shown(game) else None)
    for _ in range(pictures):
        for way in WAYS:
            world, place, truth = _laid(empty, game, way, random)
            reading = eyes(renderer.frame(world)).board.at(place)
            sure, right = reading.confidence >= SURELY, reading.best == truth
            counts[way.name, "points"] += 1
            counts[way.name, "right"] += right
            counts[way.name, "not sure"] += not sure
            counts[way.name, "surely wrong"] += sure and not right


def _laid(empty: World, game: Game, way: Way, random: Random) -> tuple[World, Place, Stack]:
    """Gets a world with checkers displaced as a way has it, the place they belong to, and what truly lies there."""
    while True:
        position, seat = game.start(), game.seats[0]
        for _ in range(_PLAYS):
            roll = Roll.of(random.randint(1, 6), random.randint(1, 6))
            position, seat = random.choice(game.plays(position, seat, roll)).position, game.next_seat(position, seat)
        board = position.placement()
        world = set_up(empty, board, random)
        for _ in range(_TRIES):
            top = random.choice([one for one in world.checkers if _may_move(one, len(board.at(one.place)))])
            side = random.choice((-1.0, 1.0))
            moved = {
                one: _moved(one, way, side, world.geometry)
                for one in world.checkers
                if one is top or (way.whole_row and one.place == top.place)
            }
            if _fits(world, moved):
                checkers = tuple(moved.get(one, one) for one in world.checkers)
                return replace(world, checkers=checkers), top.place, board.at(top.place)


def _may_move(checker: Checker, count: int) -> bool:
    return checker.place.kind is PlaceKind.POINT and checker.index == count - 1 and count < 5


def _moved(checker: Checker, way: Way, side: float, geometry: BoardGeometry) -> Checker:
    inwards = 1.0 if geometry.is_near_row(checker.place.number) else -1.0
    return replace(
        checker,
        x_mm=checker.x_mm + side * way.aside * geometry.point_width_mm,
        y_mm=checker.y_mm + inwards * way.inwards * geometry.checker_diameter_mm,
    )


def _fits(world: World, moved: dict[Checker, Checker]) -> bool:
    """Whether what was moved lies on the board's field, on no other checker and not on the bar."""
    geometry = world.geometry
    for one in moved.values():
        apart = geometry.checker_diameter_mm * 0.97
        others = (other for other in world.checkers if other not in moved)
        if any(dist((one.x_mm, one.y_mm), (other.x_mm, other.y_mm)) < apart for other in others):
            return False
        reach = geometry.checker_diameter_mm / 2
        inside = [geometry.section_of(one.x_mm + shift, one.y_mm) for shift in (-reach, reach)]
        if None in inside or inside[0] is not inside[1]:
            return False
    return True
