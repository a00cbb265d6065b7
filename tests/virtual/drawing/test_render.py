"""Frames: that what is drawn is where the camera model says, with the pips, the cover and the faults it should have."""

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from random import Random

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from boardctl.referee.readings import Support
from boardctl.rules import Backgammon, Placement, Seat, point
from boardctl.virtual.dice import Die, ThrowKind, throw_die
from boardctl.virtual.drawing.render import Renderer
from boardctl.virtual.looks import LOOKS, Look, camera_over
from boardctl.virtual.world import Hand, World, empty_world, set_up, with_hand
from calibration import BoardGeometry

GEOMETRY = BoardGeometry()
CLOSE = camera_over((95.0, 8.0, 300.0), (95.0, 10.0, 0.0), 2200.0, size_px=(640, 480))
"""A camera so near that a die is some hundred pixels wide."""


@cache
def renderer(name: str = "green-felt") -> Renderer:
    return Renderer(LOOKS[name], GEOMETRY)


@cache
def close_up() -> Renderer:
    look = replace(LOOKS["green-felt"], camera=CLOSE)
    return Renderer(replace(look, lens=replace(look.lens, noise=0.0)), GEOMETRY)


@cache
def starting() -> World:
    random = Random(2)
    return set_up(empty_world(GEOMETRY, random), Backgammon().start().placement(), random)


def pips_seen(picture: NDArray[np.uint8], keep: Callable[[float, float], bool]) -> int:
    """Counts the dark round spots inside the light body of a die."""
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    body = (grey > 120).astype(np.uint8)
    body = cv2.morphologyEx(body, cv2.MORPH_CLOSE, np.ones((25, 25), np.uint8))
    spots = ((grey < 90) & (cv2.erode(body, np.ones((5, 5), np.uint8)) > 0)).astype(np.uint8)
    _, _, stats, middles = cv2.connectedComponentsWithStats(spots)
    areas = [(stats[n, cv2.CC_STAT_AREA], *middles[n]) for n in range(1, len(stats))]
    return sum(area > 60 and keep(x, y) for area, x, y in areas)


@pytest.mark.parametrize("value", range(1, 7))
@pytest.mark.parametrize("yaw", [0, 33, 80])
def test_the_upper_face_shows_as_many_pips_as_its_value(value: int, yaw: float) -> None:
    die = Die(value, 95.0, 10.0, GEOMETRY.die_size_mm / 2, yaw)
    picture = close_up().frame(World(GEOMETRY, dice=(die,)))
    half = GEOMETRY.die_size_mm / 2
    angle = np.radians(yaw)
    across, up = np.array([np.cos(angle), np.sin(angle)]), np.array([-np.sin(angle), np.cos(angle)])
    square = [np.array([95.0, 10.0]) + half * (a * across + b * up) for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
    top = CLOSE.project([[x, y, GEOMETRY.die_size_mm] for x, y in square]).astype(np.float32)
    assert pips_seen(picture, lambda x, y: cv2.pointPolygonTest(top, (float(x), float(y)), False) > 0) == value


def test_a_tilted_die_shows_the_pips_of_two_faces() -> None:
    die = Die(6, 95.0, 10.0, GEOMETRY.die_size_mm * 0.7, 0, 45.0, 0.0, Support.CHECKER)
    # Tilted by half a quarter turn towards +x, the die shows its upper face and the one that was on -x.
    rotation = die.rotation()
    normals = {1: (0, 0, 1), 2: (1, 0, 0), 3: (0, 1, 0), 4: (0, -1, 0), 5: (-1, 0, 0), 6: (0, 0, -1)}
    up = [face for face, normal in normals.items() if (rotation @ np.array(normal))[2] > 0.5]
    assert len(up) == 2
    assert pips_seen(close_up().frame(World(GEOMETRY, dice=(die,))), lambda x, y: True) == sum(up)


@pytest.mark.parametrize("name", list(LOOKS))
def test_the_whole_board_is_in_the_picture_and_dice_are_big_enough_to_read(name: str) -> None:
    camera = LOOKS[name].camera
    x = GEOMETRY.field_width_mm / 2 + 2 * GEOMETRY.rail_width_mm + GEOMETRY.tray_width_mm
    y = GEOMETRY.field_height_mm / 2 + GEOMETRY.rail_width_mm
    pixels = camera.project([[a * x, b * y, GEOMETRY.rail_height_mm] for a in (-1, 1) for b in (-1, 1)])
    assert pixels.min() > 5
    assert (pixels < [camera.width_px - 5, camera.height_px - 5]).all()
    near, far = camera.project([[0, 0, 0], [GEOMETRY.die_size_mm, 0, 0]])
    assert np.linalg.norm(far - near) > 14
    # Seat A sits at the lower edge, and her right is the picture's right.
    assert camera.project([[0, -100, 0]])[0, 1] > camera.project([[0, 100, 0]])[0, 1]
    assert camera.project([[100, 0, 0]])[0, 0] > camera.project([[-100, 0, 0]])[0, 0]


@pytest.mark.parametrize("name", list(LOOKS))
def test_each_seat_s_checkers_have_their_colour_where_the_camera_model_puts_them(name: str) -> None:
    look = LOOKS[name]
    picture = renderer(name).scene(starting())
    for checker in starting().checkers:
        top = [[checker.x_mm, checker.y_mm, checker.z_mm + GEOMETRY.checker_height_mm / 2]]
        x, y = np.round(look.camera.project(top)[0]).astype(int)
        seen = picture[y - 4 : y + 5, x - 4 : x + 5].reshape(-1, 3).mean(axis=0)
        own, other = (np.array(one.colour) for one in look.checkers)
        if checker.seat is Seat.B:
            own, other = other, own
        assert np.linalg.norm(seen - own) < np.linalg.norm(seen - other)


def test_checkers_cover_points_and_nothing_else_changes() -> None:
    empty = renderer().scene(replace(starting(), checkers=())).astype(int)
    full = renderer().scene(starting()).astype(int)
    changed = np.abs(full - empty).max(axis=2) > 30
    x, y = renderer().stage.camera.project([[GEOMETRY.point_x_mm(3), -150, 0]])[0]
    assert not changed[int(y) - 8 : int(y) + 8, int(x) - 8 : int(x) + 8].any()
    assert 0.03 < changed.mean() < 0.12


def test_a_checker_behind_the_bar_is_partly_hidden_by_it() -> None:
    look = replace(LOOKS["cork"], camera=camera_over((-500.0, 0.0, 800.0), (0.0, 0.0, 0.0), 1100.0))
    low = Renderer(look, GEOMETRY)
    random = Random(3)
    bare = empty_world(GEOMETRY, random)
    beside = set_up(bare, Placement({point(6): (Seat.B,)}), random)
    bar = low.stage.covers["bar"]
    hides = bar.mask > 250
    before = low.scene(bare)[bar.rows, bar.columns][hides]
    assert (np.abs(low.scene(beside)[bar.rows, bar.columns][hides].astype(int) - before.astype(int)) < 40).all()


def test_a_hand_covers_what_is_under_it_and_comes_from_its_seat() -> None:
    bare = renderer().scene(starting()).astype(int)
    for seat, side in ((Seat.A, -1), (Seat.B, 1)):
        covered = renderer().scene(with_hand(starting(), Hand(seat, 100.0, 0.0))).astype(int)
        changed = np.abs(covered - bare).max(axis=2) > 25
        assert changed.mean() > 0.02
        tip = renderer().stage.camera.project([[100.0, 0.0, 30.0]])[0]
        rows = np.flatnonzero(changed.any(axis=1))
        assert (rows.max() if side < 0 else rows.min()) == (bare.shape[0] - 1 if side < 0 else 0)
        assert abs((rows.min() if side < 0 else rows.max()) - tip[1]) < 45


def test_noise_differs_from_frame_to_frame_and_averages_out() -> None:
    frames = [renderer().frame(starting()).astype(float) for _ in range(12)]
    clean = renderer().scene(starting()).astype(float)
    noise = LOOKS["green-felt"].lens.noise
    assert np.std(frames[0] - clean) == pytest.approx(noise, rel=0.15)
    assert np.abs(np.mean(frames, axis=0) - clean).mean() < noise * 0.6


def test_the_same_world_gives_the_same_frame_whatever_was_drawn_before() -> None:
    random = Random(6)
    die = throw_die(GEOMETRY, Seat.A, 5, ThrowKind.FLAT, starting().checkers, (), random)
    with_die = replace(starting(), dice=(die,))
    first = renderer().scene(with_die).copy()
    renderer().scene(with_hand(starting(), Hand(Seat.B, 0.0, 0.0)))
    renderer().scene(replace(starting(), checkers=()))
    assert (renderer().scene(with_die) == first).all()


def test_looks_differ() -> None:
    pictures = [renderer(name).scene(starting()).astype(int) for name in LOOKS]
    for number, one in enumerate(pictures):
        for other in pictures[number + 1 :]:
            assert np.abs(one - other).mean() > 8


def test_a_look_of_another_size_gives_frames_of_that_size() -> None:
    camera = camera_over((0.0, -100.0, 950.0), (0.0, 0.0, 0.0), 1700.0, size_px=(1920, 1080))
    look: Look = replace(LOOKS["walnut"], camera=camera)
    assert Renderer(look, GEOMETRY).frame(starting()).shape == (1080, 1920, 3)


def test_a_die_that_falls_off_the_board_is_drawn_while_it_falls() -> None:
    geometry = BoardGeometry()
    world = set_up(empty_world(geometry, Random(1)), Backgammon().start().placement(), Random(1))
    renderer = Renderer(next(iter(LOOKS.values())), geometry, 1)
    die = throw_die(geometry, Seat.A, 3, ThrowKind.OFF_BOARD, world.checkers, [], Random(2))
    for fallen_mm in (0.0, 5.0, 12.0, 20.0):
        falling = replace(die, moving=True, z_mm=geometry.die_size_mm / 2 - fallen_mm)
        assert renderer.frame(replace(world, dice=(falling,))).shape == (720, 1280, 3)
