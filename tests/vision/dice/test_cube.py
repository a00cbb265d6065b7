"""The doubling cube is seen where it lies: in the middle, with a seat, or on the playing surface, offered."""

from dataclasses import replace
from functools import cache
from itertools import chain, product, repeat
from random import Random
from typing import Any

import cv2
import numpy as np
import pytest

from boardctl.referee.doubling import CUBE_SEEN
from boardctl.referee.readings import BoardReading, CubeReading, PlaceReading, StackChance, Witness
from boardctl.rules import Backgammon, Seat, point
from boardctl.virtual.dice import Die
from boardctl.virtual.drawing.render import Renderer
from boardctl.virtual.drawing.things import mug
from boardctl.virtual.looks import LOOKS
from boardctl.virtual.world import CUBE_SIZE_MM, Checker, Cube, Hand, World, empty_world, set_up
from boardctl.vision import read_frame
from boardctl.vision.dice.cube import cube_of_scan, find_cube, where_cube_lies
from boardctl.vision.dice.cube_value import VALUES, look_for_number, value_told
from boardctl.vision.dice.look import Sight
from boardctl.vision.dice.networks import scan_cells
from boardctl.vision.dice.scan import CELL_PX, scan_input, scan_picture
from calibration import BoardGeometry

GEOMETRY = BoardGeometry()
HALF_WIDTH, HALF_HEIGHT = GEOMETRY.field_width_mm / 2, GEOMETRY.field_height_mm / 2
OFFERED = [(150.0, 0.0), (-150.0, 0.0), (90.0, 20.0), (-200.0, -15.0)]
ON_BAR = [("bar", 0.0), ("A", -0.84 * HALF_HEIGHT), ("B", 0.84 * HALF_HEIGHT)]


@cache
def renderer(look: str) -> Renderer:
    return Renderer(LOOKS[look], GEOMETRY)


@cache
def starting() -> World:
    random = Random(2)
    return set_up(empty_world(GEOMETRY, random, cube=False), Backgammon().start().placement(), random)


def seen(look: str, world: World) -> tuple[str, float] | None:
    found = find_cube(renderer(look).frame(world), LOOKS[look].camera, GEOMETRY)
    return None if found is None else (found.at, found.confidence)


CORNER = GEOMETRY.on_point(1, 1)[:2]
"""Where a checker of the starting position lies."""


def with_cube(x_mm: float, y_mm: float, floor_mm: float, value: int = 2) -> World:
    return replace(starting(), cube=Cube(value, x_mm, y_mm, floor_mm + CUBE_SIZE_MM / 2, 7.0))


@pytest.mark.parametrize("look", sorted(LOOKS))
def test_a_cube_on_the_playing_surface_is_offered(look: str) -> None:
    found = [seen(look, with_cube(x, y, 0.0)) for x, y in OFFERED]
    assert {at for at, _ in filter(None, found)} == {"field"}
    assert found.count(None) <= 1


@pytest.mark.parametrize("look", sorted(LOOKS))
def test_an_offered_cube_is_seen_as_surely_as_the_referee_asks(look: str) -> None:
    cubes = [with_cube(x, y, 0.0, value) for (x, y), value in product(OFFERED, (2, 16, 32, 64))]
    found = [seen(look, world) for world in cubes]
    assert sum(each is not None and each[1] >= CUBE_SEEN for each in found) >= 15


def after_five_other_places(world: World) -> CubeReading | None:
    """Gets what is read as the cube where five places along the middle look more like one from afar than (150, 0)."""
    camera = LOOKS["green-felt"].camera
    picture = Renderer(LOOKS["green-felt"], GEOMETRY).frame(world)  # of its own: each frame of one has other noise
    scan, frame = scan_picture(picture, camera, GEOMETRY)
    cells = scan_cells(scan_input(scan)).copy()
    cells[3] = -9.0
    for number, x_mm in enumerate((-200.0, -150.0, -100.0, -50.0, 40.0, 150.0)):
        spot = frame.to_pixels(np.array([(x_mm, 0.0)]))[0]
        column, row = np.round((spot + 0.5) / CELL_PX - 0.5).astype(int)
        cells[3, row, column] = 3.0 - 0.1 * number
    return cube_of_scan(cells, frame, Sight(picture, camera), GEOMETRY)


def test_a_cube_is_seen_that_looks_less_like_one_from_afar_than_five_other_places_do() -> None:
    found = after_five_other_places(with_cube(150.0, 0.0, 0.0))
    assert found is not None
    assert found.at == "field"


def test_what_looks_less_like_a_cube_from_afar_than_other_places_do_must_show_a_number(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    looks = chain([-6.0] * 3, repeat(3.6))
    monkeypatch.setattr("boardctl.vision.dice.cube.cube_logit", lambda *_: next(looks))
    assert after_five_other_places(starting()) is None


@pytest.mark.parametrize("look", sorted(LOOKS))
@pytest.mark.parametrize(("at", "y_mm"), ON_BAR)
def test_a_cube_on_the_bar_is_in_the_middle_or_a_seats(look: str, at: str, y_mm: float) -> None:
    found = seen(look, with_cube(0.0, y_mm, GEOMETRY.bar_height_mm))
    assert found is None or found[0] == at


def test_where_a_checker_was_read_to_lie_a_cube_must_show_a_number(monkeypatch: pytest.MonkeyPatch) -> None:
    camera, picture = LOOKS["green-felt"].camera, Renderer(LOOKS["green-felt"], GEOMETRY).frame(starting())
    scan, frame = scan_picture(picture, camera, GEOMETRY)
    cells = scan_cells(scan_input(scan)).copy()
    cells[3] = -9.0
    column, row = np.round((frame.to_pixels(np.array([CORNER]))[0] + 0.5) / CELL_PX - 0.5).astype(int)
    cells[3, row, column] = 3.0
    placement = Backgammon().start().placement()
    checkers = tuple(
        PlaceReading(point(number), (StackChance(placement.at(point(number)), 0.99),)) for number in range(1, 25)
    )
    board = BoardReading(Witness.CAMERA, checkers)
    monkeypatch.setattr("boardctl.vision.dice.cube.cube_logit", lambda *_: 6.0)  # a window is mirrored in the checker
    told = [cube_of_scan(cells, frame, Sight(picture, camera), GEOMETRY, known) for known in (None, board)]
    assert [None if each is None else each.at for each in told] == ["field", None]
    number = np.zeros((4, 7), dtype=np.float32)
    number[:, 3] = 1.0
    monkeypatch.setattr("boardctl.vision.dice.cube.look_for_number", lambda *_: number)
    read = cube_of_scan(cells, frame, Sight(picture, camera), GEOMETRY, board)
    assert read is not None
    assert read.value == 16


@pytest.mark.parametrize(
    ("shown", "looks"), [([3, 3, 3, 3], 2), ([3, 2, 3, 3], 4), ([6, 6, 6, 6], 4)], ids=["plain", "two numbers", "none"]
)
def test_only_what_is_not_plain_by_two_windows_is_looked_at_through_all(
    shown: list[int], looks: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = iter(np.eye(7, dtype=np.float32)[shown])
    monkeypatch.setattr("boardctl.vision.dice.cube_value._window_said", lambda _: next(said))
    camera = LOOKS["green-felt"].camera
    sight = Sight(Renderer(LOOKS["green-felt"], GEOMETRY).frame(starting()), camera)
    assert look_for_number(sight, (0.0, 0.0), 7.0).shape == (4, 7)
    assert len([*said]) == 4 - looks


@pytest.mark.parametrize(
    ("likelihood", "cube_px", "told"),
    [(0.7, 30.0, [None, None]), (0.8, 30.0, [None, 32]), (0.9, 20.0, [2, 32]), (0.9, 19.0, [None, 32])],
    ids=["7", "8", "9", "small"],
)
def test_one_digit_may_be_what_is_left_of_two_and_must_be_plainer_and_larger(
    likelihood: float, cube_px: float, told: list[int | None]
) -> None:
    said = []
    for value in (2, 32):
        window = np.zeros(7, dtype=np.float32)
        window[VALUES.index(value)], window[-1] = likelihood, 1 - likelihood
        said.append(value_told(np.stack([window] * 4), cube_px))
    assert said == told


@pytest.mark.parametrize("look", sorted(LOOKS))
def test_where_no_cube_lies_dice_are_not_taken_for_it(look: str) -> None:
    random = Random(5)
    for _ in range(4):
        dice = tuple(
            Die(random.randint(1, 6), x, random.uniform(-30, 30), GEOMETRY.die_size_mm / 2, random.uniform(0, 90))
            for x in (90.0, 180.0)
        )
        assert seen(look, replace(starting(), dice=dice)) is None


@pytest.mark.parametrize("look", sorted(LOOKS))
def test_large_dice_that_touch_checkers_on_edge_hands_and_mugs_are_not_taken_for_it(look: str) -> None:
    random = Random(11)
    geometry = replace(GEOMETRY, die_size_mm=22.0)
    large = Renderer(LOOKS[look], geometry)
    radius = GEOMETRY.checker_diameter_mm / 2
    for count in (1, 2, 3, 4):
        x, y, side = random.choice((-1, 1)) * random.uniform(70, 200), random.uniform(-20, 20), 22.2
        dice = tuple(
            Die(random.randint(1, 6), x + side * (index % 2), y + side * (index // 2), 11.0, 0.0)
            for index in range(count)
        )
        edge = Checker(random.choice(tuple(Seat)[:2]), point(1), 0, -x, y, radius, on_edge=True)
        world = replace(starting(), dice=dice, checkers=(*starting().checkers, edge))
        if count == 3:
            world = replace(world, hands=(Hand(Seat.A, -x / 2, -60.0, Seat.A),))
        if count == 4:
            world = replace(world, things=(mug(-x / 2, 90.0),))
        assert find_cube(large.frame(world), LOOKS[look].camera, GEOMETRY) is None


@pytest.mark.parametrize("look", sorted(LOOKS))
def test_a_number_that_is_half_under_a_finger_is_told_rightly_or_not_at_all(look: str) -> None:
    camera, told = LOOKS[look].camera, 0
    for value, turn_deg in product((2, 4, 8, 16, 32, 64), (0, 60, 120, 180, 240, 300)):
        x, y = OFFERED[turn_deg % 4]
        world = with_cube(x, y, 0.0, value)
        across = np.array([np.cos(np.radians(turn_deg)), np.sin(np.radians(turn_deg))])
        along = np.array([-across[1], across[0]])
        corners = [(x, y) + away * across + beside * along for away, beside in ((2, -12), (2, 12), (80, 16), (80, -16))]
        outline = camera.project([(*corner, 36.0) for corner in corners])
        picture = renderer(look).frame(world).copy()
        cv2.fillConvexPoly(picture, outline.astype(np.int32), (96, 128, 190), cv2.LINE_AA)
        found = find_cube(picture, camera, GEOMETRY)
        told += found is not None and found.value is not None
        assert found is None or found.value in (None, value)
    assert told < 24


def test_a_cube_that_seems_to_lie_beside_the_bar_is_not_offered() -> None:
    camera = LOOKS["green-felt"].camera
    aside = camera.position_mm.copy()
    top = GEOMETRY.bar_height_mm + CUBE_SIZE_MM  # what is found is the middle of its top face
    for x in np.linspace(-GEOMETRY.bar_width_mm / 2, GEOMETRY.bar_width_mm / 2, 9):
        for y in np.linspace(-HALF_HEIGHT, HALF_HEIGHT, 9):
            part = (aside[2] - GEOMETRY.die_size_mm / 2) / (aside[2] - top)
            spot = aside[:2] + (np.array([x, y]) - aside[:2]) * part
            assert where_cube_lies((float(spot[0]), float(spot[1])), camera, GEOMETRY) != "field"


def test_a_cube_across_the_line_that_is_the_bar_is_in_the_middle() -> None:
    camera = LOOKS["green-felt"].camera
    creased = replace(GEOMETRY, bar_width_mm=2.0).with_likely_bar
    end = 0.8 * HALF_HEIGHT
    for x, y, at in ((9.0, 0.0, "bar"), (-8.0, end, "B"), (0.0, -end, "A"), (60.0, 5.0, "field")):
        pixel = camera.project([(x, y, CUBE_SIZE_MM)])
        spot = camera.to_plane(pixel, creased.die_size_mm / 2)[0]
        assert where_cube_lies((float(spot[0]), float(spot[1])), camera, creased) == at


def test_the_cube_is_part_of_the_boards_reading(green: Any) -> None:
    cube = read_frame(green.picture("f06"), green.calibration).board.cube
    truth = green.truth("f06")["cube"]
    assert cube is not None
    assert cube.at == ("bar" if truth["owner"] == "center" else truth["owner"])
    assert cube.confidence > 0.9
    assert cube.value == truth["value"]


@pytest.mark.parametrize("look", sorted(LOOKS))
def test_what_a_cube_on_the_bar_shows_is_told(look: str) -> None:
    for value in (2, 4, 8, 16, 32, 64):
        found = find_cube(
            renderer(look).frame(with_cube(0.0, 0.0, GEOMETRY.bar_height_mm, value)), LOOKS[look].camera, GEOMETRY
        )
        assert found is not None
        assert found.value == value


def test_what_the_cubes_of_rendered_boards_show_is_read_or_left_open(green: Any, brown: Any) -> None:
    told = []
    for shots, frames in ((green, ("f03", "f06", "f09", "f12", "f13")), (brown, ("f10",))):
        for frame in frames:
            cube = read_frame(shots.picture(frame), shots.calibration).board.cube
            assert cube is not None
            assert cube.value in (None, shots.truth(frame)["cube"]["value"])
            told.append(cube.value)
    assert {4, 64} <= {*told}
