"""What lies on boards by which the eyes are measured: games at all stages, throws of all kinds, hands, the cube."""

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import chain
from math import hypot
from pathlib import Path
from random import Random

import cv2
import numpy as np

from boardctl.rules import Backgammon, PlaceKind, Placement, Position, Roll, Seat, point, tray
from boardctl.rules.traits import pips_left
from boardctl.virtual.dice import Die, ThrowKind, throw_die
from boardctl.virtual.drawing.brush import Picture
from boardctl.virtual.drawing.picture_truth import record_of
from boardctl.virtual.drawing.render import Renderer
from boardctl.virtual.playing.doubling import in_the_middle, on_field, owned_by, turned
from boardctl.virtual.truth import ROW
from boardctl.virtual.unseen.beside import at_another_time
from boardctl.virtual.unseen.flat_bars import cube_with_room, without_bar
from boardctl.virtual.unseen.looks import Installation
from boardctl.virtual.unseen.no_trays import Layer, without_trays
from boardctl.virtual.unseen.put_down import put_down
from boardctl.virtual.world import CUBE_SIZE_MM, Checker, Cube, Hand, World, empty_world, set_up
from calibration import BoardGeometry

LIGHT_CHANGES = 0.03
"""How much brighter or darker the light gets from one picture to the next (standard deviation of the logarithm)."""

EMPTY_AND_START = 2
"""So many scenes of an installation, the first, are none of a game."""

STAGES = 6
OPENING, MIDDLE, CONTACT, STACKING = (2, 9), (12, 30), 34, 60
"""Plays after which an opening or a middle game is shown, after which both seats run home, and of a game in which each
seat builds the tallest stacks it can."""

TALLEST = 9
"""Taller stacks are seldom in any game."""

MOST_PLAYS = 400

_SEATS = (Seat.A, Seat.B)

Boards = list[tuple[Placement, Seat]]
"""Boards, and who is to throw on each."""

IRREGULAR = tuple(kind for kind in ThrowKind if kind is not ThrowKind.FLAT)


@dataclass(frozen=True, slots=True)
class Scene:
    """One instant of a game: what lies where, who has thrown, and whose the cube is."""

    world: World
    roller: Seat
    cube_at: str


def write_pictures(installation: Installation, folder: Path, pictures: int, seed: int) -> None:
    """Draws an installation into a folder, as rendered ones are kept: the empty board, the starting position, and so
    many pictures of a game, each as a JPEG with its truth beside it."""
    write_scenes(installation, folder, scenes_of(installation, pictures, seed, set_up), seed)


def write_scenes(installation: Installation, folder: Path, scenes: Iterable[tuple[Scene, float]], seed: int) -> None:
    """Draws scenes of an installation into a folder, each as much brighter as is said beside it."""
    renderer = Renderer(installation.look, installation.geometry, seed)
    folder.mkdir(parents=True, exist_ok=True)
    for index, (scene, brighter) in enumerate(scenes):
        picture = _in_other_light(renderer.frame(scene.world), brighter)
        quality = [cv2.IMWRITE_JPEG_QUALITY, installation.jpeg_quality]
        (folder / f"f{index:02}.jpg").write_bytes(cv2.imencode(".jpg", picture, quality)[1].tobytes())
        truth = record_of(renderer.stage, scene.world, scene.roller, scene.cube_at)
        (folder / f"f{index:02}.json").write_text(json.dumps(truth | {"installation": seed}), encoding="utf-8")


def scenes_of(installation: Installation, pictures: int, seed: int, lay: Layer) -> Iterator[tuple[Scene, float]]:
    """Gets the scenes of an installation, and how much brighter the light is in each: the empty board, the starting
    position, and so many of a game. ``lay``: what lays checkers on a board that has a bar and trays."""
    lay = lay if installation.geometry.bar_height_mm else without_bar(lay)
    lay = lay if installation.geometry.has_trays else without_trays(lay)
    random = Random(f"{installation.name} {seed}")  # noqa: S311  a game, not a secret
    bare = empty_world(installation.geometry, random, cube=random.random() < 0.5)
    start = lay(bare, Backgammon().start().placement(), random)
    first = [Scene(bare, Seat.A, "center"), Scene(start, Seat.A, "center")]
    aside = Random(f"{installation.name} {seed} beside")  # noqa: S311  what is beside changes nothing on the board
    at_hand = Random(f"{installation.name} {seed} at hand")  # noqa: S311  nor does what is put down where room is
    for index, scene in enumerate(chain(first, _scenes(bare, pictures, random, lay))):
        spots = [(die.x_mm, die.y_mm) for die in scene.world.dice]
        spots += [(one.x_mm, one.y_mm) for one in scene.world.checkers if one.place.kind is PlaceKind.TRAY]
        things = at_another_time(installation.beside, spots, installation.geometry.checker_diameter_mm / 2, aside)
        upon = put_down(scene.world, installation.at_hand, at_hand) if index >= EMPTY_AND_START else ()
        world = replace(scene.world, things=(*things, *upon))
        yield replace(scene, world=world), float(np.exp(random.gauss(0, LIGHT_CHANGES)))


def _in_other_light(picture: Picture, factor: float) -> Picture:
    return np.asarray(cv2.convertScaleAbs(picture, alpha=factor), dtype=np.uint8)


def _scenes(bare: World, pictures: int, random: Random, lay: Layer) -> Iterator[Scene]:
    """Gets scenes of all stages in turn; every third throw is irregular, in every fourth picture there is a hand."""
    game, bearing_off = _played_out(random)
    stacked = _stacked(random)
    for index in range(pictures):
        stage = index % STAGES
        if stage == 0:
            board, roller = game[random.randint(*OPENING)]
        elif stage < 3:
            board, roller = game[random.randint(*MIDDLE)]
        else:
            board, roller = random.choice(stacked if stage == 3 else bearing_off)
        world = lay(bare, board, random)
        at, cube = _cube(world, index, random)
        world = replace(world, cube=cube_with_room(world, cube))
        world = replace(world, dice=_thrown(world, roller, index % 3 == 2, random))
        if index % 4 == 3:
            world = replace(world, hands=(reaching(world.geometry, random),))
        yield Scene(world, roller, at)


def _played_out(random: Random) -> tuple[Boards, Boards]:
    """Plays a game to its end: anyhow at first, then each seat runs home. Gets the board after each play, and those on
    which checkers have been borne off."""
    game = Backgammon()

    def cost(board: Placement, seat: Seat, number: int) -> int:
        if number < CONTACT:
            return 0
        left = sum(pips_left(game, seat, place) * board.at(place).count(seat) for place in game.places)
        return TALLEST * left + _tallest(board, seat)

    while True:  # in one game of some hundred the seats hit each other until the plays are over
        boards = _played(random, cost, MOST_PLAYS)
        if bearing_off := [one for one in boards if any(one[0].at(tray(seat)) for seat in _SEATS)]:
            return boards, bearing_off


def _stacked(random: Random) -> Boards:
    """Gets boards with tall stacks."""
    while True:
        boards = _played(random, lambda play, seat, _: -_tallest(play, seat), STACKING)
        if tall := [one for one in boards if ROW < max(_tallest(one[0], seat) for seat in _SEATS) <= TALLEST]:
            return tall


def _played(random: Random, cost: Callable[[Placement, Seat, int], int], plays: int) -> Boards:
    """Plays so many plays, or to the game's end; of the plays that cost least any."""
    game, found = Backgammon(), Boards()
    position: Position = game.start()
    seat = Seat.A
    for number in range(plays):
        legal = game.plays(position, seat, Roll.of(random.randint(1, 6), random.randint(1, 6)))
        costs = [cost(play.position.placement(), seat, number) for play in legal]
        position = random.choice([play for play, one in zip(legal, costs, strict=True) if one == min(costs)]).position
        seat = game.next_seat(position, seat)
        if game.result(position) is not None:
            break
        found.append((position.placement(), seat))
    return found


def _tallest(board: Placement, seat: Seat) -> int:
    return max(board.at(point(number)).count(seat) for number in range(1, 25))


def _cube(world: World, index: int, random: Random) -> tuple[str, Cube]:
    """Gets the cube in the middle, at a seat's end of the bar, or on the field where it is offered."""
    seat = random.choice(_SEATS)
    body = Cube(random.choice((2, 4, 8, 16, 32)), 0.0, 0.0, 0.0, 0.0)
    if index % 3 == 1:
        return seat.value, turned(owned_by(world, body, seat), random)
    lying = on_field(world, body, seat)
    reach = (CUBE_SIZE_MM + world.geometry.checker_diameter_mm) / 2 + 2
    free = all(hypot(one.x_mm - lying.x_mm, one.y_mm - lying.y_mm) > reach for one in world.checkers)
    if index % 6 == 3 and free:
        return "field", turned(lying, random)
    return "center", turned(in_the_middle(world, replace(body, value=64)), random)


def _thrown(world: World, roller: Seat, irregular: bool, random: Random) -> tuple[Die, ...]:
    """Gets two dice of one set; of an irregular throw one has come to rest badly."""
    kinds = [ThrowKind.FLAT, random.choice(IRREGULAR) if irregular else ThrowKind.FLAT]
    owner = random.choice((None, roller))
    dice: tuple[Die, ...] = ()
    for kind in random.sample(kinds, 2):
        laid = throw_die(world.geometry, roller, random.randint(1, 6), kind, _obstacles(world), dice, random)
        dice = (*dice, replace(laid, owner=owner))
    return dice


def _obstacles(world: World) -> tuple[Checker, ...]:
    """Gets the checkers, and one where a cube lies on the field: no die lies in it."""
    cube = world.cube
    if cube is None or cube.z_mm > CUBE_SIZE_MM / 2:
        return world.checkers
    return (*world.checkers, Checker(Seat.A, point(1), 0, cube.x_mm, cube.y_mm, world.geometry.checker_height_mm))


def reaching(geometry: BoardGeometry, random: Random) -> Hand:
    """Draws a hand over any place of a board."""
    x, y = geometry.field_width_mm * 0.45, geometry.field_height_mm * 0.4
    return Hand(random.choice(_SEATS), random.uniform(-x, x), random.uniform(-y, y))
