"""What is inlaid in checkers is no die, and a die on them is one."""

from dataclasses import replace
from functools import cache
from random import Random

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from boardctl.referee.readings import Support
from boardctl.rules import Backgammon
from boardctl.virtual.dice import Die
from boardctl.virtual.drawing.render import Renderer
from boardctl.virtual.looks import DiceLook
from boardctl.virtual.unseen.looks import Installation, drawn_installation, inlaid
from boardctl.virtual.world import World, empty_world, set_up
from boardctl.vision.dice.checker_faces import CheckerFaces, faces_of
from boardctl.vision.dice.look import Sight
from boardctl.vision.dice.or_checker import A_FACE, is_face
from boardctl.vision.frame import read_frame
from boardctl.vision.photograph.reading import read_photograph
from calibration import BoardGeometry, Calibration, CameraModel, calibrate

SEED, STARS, LETTERS = 10901, 6, 11
"""Seed, and numbers of boards with light stars and with letters in their checkers."""


@cache
def board(is_inlaid: bool = True, number: int = STARS) -> Installation:
    plain = drawn_installation(SEED, number)
    return inlaid(plain) if is_inlaid else plain


def started(installation: Installation, dice: tuple[Die, ...] = (), cube: bool = True) -> World:
    random = Random(7)
    bare = empty_world(installation.geometry, random, cube=cube)
    return replace(set_up(bare, Backgammon().start().placement(), random), dice=dice)


def shown(installation: Installation, world: World, noise: int = 2) -> NDArray[np.uint8]:
    return Renderer(installation.look, installation.geometry, noise).frame(world)


@cache
def calibrated(is_inlaid: bool = True, number: int = STARS) -> Calibration:
    one = board(is_inlaid, number)
    empty = shown(one, empty_world(one.geometry, Random(7)), 0)
    return Calibration.of(one.look.camera, one.geometry, empty, shown(one, started(one), 1))


def test_faces_are_kept_only_where_checkers_look_like_dice() -> None:
    assert faces_of(calibrated()) is not None
    assert faces_of(calibrated(is_inlaid=False)) is None


def test_stars_in_checkers_are_no_dice() -> None:
    assert read_frame(shown(board(), started(board())), calibrated()).dice.dice == ()


def test_stars_are_taken_for_dice_where_nobody_knows_the_checkers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("boardctl.vision.dice.calibrated.faces_of", lambda _: None)
    assert len(read_frame(shown(board(), started(board())), calibrated()).dice.dice) >= 3


def test_letters_in_checkers_are_no_cube_that_is_offered(monkeypatch: pytest.MonkeyPatch) -> None:
    one = board(number=LETTERS)
    picture = shown(one, started(one, cube=False))
    assert read_frame(picture, calibrated(number=LETTERS)).board.cube is None
    monkeypatch.setattr("boardctl.vision.dice.calibrated.faces_of", lambda _: None)
    taken = read_frame(picture, calibrated(number=LETTERS)).board.cube
    assert taken is not None
    assert (taken.at, taken.value) == ("field", 4)


def test_the_cube_is_seen_beside_letters() -> None:
    one = board(number=LETTERS)
    cube = read_frame(shown(one, started(one)), calibrated(number=LETTERS)).board.cube
    assert cube is not None
    assert (cube.at, cube.value) == ("bar", 64)


def test_a_die_on_a_star_is_a_die_and_one_beside_it_too() -> None:
    one = board()
    below = started(one).checkers[7]
    size, high = one.geometry.die_size_mm, one.geometry.checker_height_mm
    dice = (
        Die(4, below.x_mm, below.y_mm, high + size / 2, 20.0),
        Die(4, 0.3 * one.geometry.field_width_mm, 0.0, size / 2, 70.0),
    )
    found = read_frame(shown(one, started(one, dice)), calibrated()).dice.dice
    assert sorted(die.on for die in found) == sorted((Support.CHECKER, Support.SURFACE))
    assert [die.value for die in found] == [4, 4]


def test_dice_of_nearly_the_colour_of_the_field_are_not_overlooked_for_stars() -> None:
    """Each of thirty stars looks more like a die from afar than dice that hardly differ from what they lie on."""
    one = board()
    body = tuple(round(level * 0.8 + 25) for level in one.look.field)
    one = replace(one, look=replace(one.look, dice=DiceLook((body[0], body[1], body[2]), (235, 235, 235))))
    size, x = one.geometry.die_size_mm, (one.geometry.field_width_mm + one.geometry.bar_width_mm) / 4
    dice = (Die(3, x - 20, -10.0, size / 2, 20.0), Die(5, x + 40, 15.0, size / 2, 50.0))
    bare, start = empty_world(one.geometry, Random(7), cube=False), started(one, cube=False)
    calibration = calibrate(shown(one, bare), shown(one, start))
    found = read_frame(shown(one, replace(start, dice=dice)), calibration).dice.dice
    assert sorted((die.value, die.on) for die in found) == [(3, Support.SURFACE), (5, Support.SURFACE)]


def test_a_photograph_shows_its_own_checkers_faces() -> None:
    one = board()
    size = one.geometry.die_size_mm
    dice = (Die(5, 0.3 * one.geometry.field_width_mm, 0.0, size / 2, 70.0),)
    picture = shown(one, started(one, dice))
    corners = one.look.camera.project([(x, y, 0.0) for x, y in one.geometry.corners])
    read = read_photograph(picture, as_given(corners), one.geometry.home_on_right, 15)
    assert [die.value for die in read.dice.dice] == [5]


def as_given(corners: NDArray[np.float64]) -> tuple[tuple[float, float], ...]:
    return tuple((float(x), float(y)) for x, y in corners)


ABOVE = CameraModel(1280, 720, 1200, 1200, 640, 360, (0, 0, 0, 0, 0), (np.pi, 0.0, 0.0), (0.0, 0.0, 1000.0))
GEOMETRY = BoardGeometry()
PLACES_MM = [(-200.0, 60.0), (-80.0, 60.0), (80.0, 60.0), (200.0, 60.0)]


def with_faces(turns: list[int | None]) -> NDArray[np.uint8]:
    """Gets a picture with the same face at each of the places, turned by so many right angles; None: another one."""
    patterns = (np.random.default_rng(seed).integers(0, 255, (5, 5, 3)).astype(np.uint8) for seed in (1, 2))
    face, other = (cv2.resize(pattern, (45, 45), interpolation=cv2.INTER_CUBIC) for pattern in patterns)
    picture = np.full((720, 1280, 3), 90, dtype=np.uint8)
    for (u, v), turn in zip(
        ABOVE.project([(*place, GEOMETRY.checker_height_mm) for place in PLACES_MM]), turns, strict=True
    ):
        rows, columns = (slice(round(middle) - 22, round(middle) + 23) for middle in (v, u))
        picture[rows, columns] = other if turn is None else np.rot90(face, turn)
    return picture


@pytest.mark.parametrize(
    ("turns", "is_face"), [([0, 1, 2, 3], True), ([0, 1, 3, None], True), ([0, 3, None, None], False)]
)
def test_what_looks_like_the_faces_of_two_others_is_a_face_however_it_is_turned(
    turns: list[int | None], is_face: bool
) -> None:
    """Of two dice that lie on checkers each looks like one other thing at most."""
    picture = with_faces(turns)
    faces = CheckerFaces.seen(picture, ABOVE, GEOMETRY, PLACES_MM)
    assert (faces.likeness(PLACES_MM[0], faces.around(PLACES_MM[0], picture))[0] >= A_FACE) is is_face


@pytest.mark.parametrize(
    ("plainly_else", "part", "is_one"), [(False, 0.3, True), (True, 0.3, False), (True, 0.0, True)]
)
def test_what_is_plainly_a_die_is_a_face_only_where_it_looks_as_much_like_others_as_they_do(
    plainly_else: bool, part: float, is_one: bool
) -> None:
    """A white die on a black checker looks much like the white star in the others, but less than these do."""
    start, seen = with_faces([0, 1, 2, 3]), with_faces([None, 1, 2, 3])
    faces = CheckerFaces.seen(start, ABOVE, GEOMETRY, PLACES_MM)
    picture = cv2.addWeighted(seen, part, start, 1 - part, 0.0)
    assert faces.likeness(PLACES_MM[0], faces.around(PLACES_MM[0], picture))[0] > A_FACE
    sight = Sight(np.asarray(picture, dtype=np.uint8), ABOVE)
    assert is_face(PLACES_MM[0], sight, GEOMETRY, faces, is_above=True, plainly_else=plainly_else) is is_one
