"""Whole boards that are traced: bodies, checkers as people lay them, what hands cover, and how a camera shows it."""

import json
from dataclasses import replace
from itertools import combinations
from math import hypot
from pathlib import Path
from random import Random

import cv2
import numpy as np
import pytest

from boardctl.rules import Backgammon, PlaceKind, Placement, Seat, point
from boardctl.virtual.dice import Die, resting_height_mm
from boardctl.virtual.drawing.picture_truth import record_of
from boardctl.virtual.drawing.stage import Stage, boxes_of
from boardctl.virtual.looks import LOOKS
from boardctl.virtual.traced.arms import arm_of, limb, within_view
from boardctl.virtual.traced.board_bodies import (
    MAKES,
    checker_profile,
    checkers_body,
    die_body,
    die_shape,
    frame_body,
    let_down,
    make_of,
)
from boardctl.virtual.traced.board_paint import FIELD_MM, field_cloth
from boardctl.virtual.traced.laying import MOST_OFF, habits, laid
from boardctl.virtual.traced.meshes import reflected, turned_mesh
from boardctl.virtual.traced.taking import taking_of
from boardctl.virtual.unseen.looks import drawn_installation
from boardctl.virtual.unseen.tables import write_pictures
from boardctl.virtual.world import Hand, World, empty_world, set_up, with_hand
from boardctl.vision.measuring.truth import read_truth
from boardctl.vision.training.column_data import slots_of
from calibration import BoardGeometry

GEOMETRY = BoardGeometry()
LOOK = LOOKS["green-felt"]
STAGE = Stage(LOOK, GEOMETRY)
TALL = Placement({point(2): (Seat.A,) * 11, point(24): (Seat.B,) * 7, point(23): (Seat.B,) * 5})


def volume(corners: np.ndarray, triangles: np.ndarray) -> float:
    first, second, third = (corners[triangles[:, i]] for i in range(3))
    return float((first * np.cross(second, third)).sum() / 6)


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("placement", [Backgammon().start().placement(), TALL])
def test_people_lay_checkers_where_they_count_and_none_inside_another(placement: Placement, seed: int) -> None:
    random = Random(seed)
    world = laid(empty_world(GEOMETRY, random), placement, random, habits(random))
    assert world.placement() == placement
    size, high = GEOMETRY.checker_diameter_mm, GEOMETRY.checker_height_mm
    for one, other in combinations(world.checkers, 2):
        if abs(one.z_mm - other.z_mm) < high / 2:
            assert hypot(one.x_mm - other.x_mm, one.y_mm - other.y_mm) >= size * 0.999
    for one in world.checkers:
        assert one.place.kind is PlaceKind.POINT
        assert abs(one.x_mm - GEOMETRY.point_x_mm(one.place.number)) <= (MOST_OFF + 0.001) * size
        assert abs(one.y_mm) <= GEOMETRY.field_height_mm / 2 - size / 2 + 1e-6
        below = [each for each in world.checkers if abs(one.z_mm - high - each.z_mm) < 0.1]
        near = (hypot(one.x_mm - each.x_mm, one.y_mm - each.y_mm) for each in below)
        assert one.z_mm < high or min(near) < 0.75 * size


@pytest.mark.parametrize("kind", MAKES)
def test_checkers_of_every_make_are_as_wide_and_high_as_the_board_has_them(kind: str) -> None:
    profile = checker_profile(GEOMETRY, kind, LOOK.checkers[0], np.random.default_rng(3))
    body = turned_mesh(profile)
    assert body.corners[:, 2].max() == pytest.approx(GEOMETRY.checker_height_mm)
    assert body.corners[:, 2].min() == pytest.approx(0.0)
    assert np.hypot(body.corners[:, 0], body.corners[:, 1]).max() == pytest.approx(GEOMETRY.checker_diameter_mm / 2)
    # Foot and top are closed: what stands on its edge shows either.
    assert np.hypot(body.corners[:, 0], body.corners[:, 1])[[0, -1]] == pytest.approx(0.0, abs=0.02)
    assert body.corners[:, 2] == pytest.approx(GEOMETRY.checker_height_mm - body.corners[::-1, 2])
    whole = np.pi * (GEOMETRY.checker_diameter_mm / 2) ** 2 * GEOMETRY.checker_height_mm
    assert 0.6 * whole < volume(body.corners, body.triangles) < whole


def test_all_checkers_of_a_seat_are_where_they_lie() -> None:
    random = Random(4)
    world = set_up(empty_world(GEOMETRY, random), TALL, random)
    make = make_of(GEOMETRY, LOOK, np.random.default_rng(4))
    body = checkers_body(make, GEOMETRY, LOOK, world.checkers, Seat.A)
    mine = [one for one in world.checkers if one.seat is Seat.A]
    middles = body.corners.reshape(len(mine), -1, 3)
    for one, corners in zip(mine, middles, strict=True):
        assert corners.min(axis=0)[2] == pytest.approx(one.z_mm - GEOMETRY.checker_height_mm / 2)
        middle = (corners.min(axis=0) + corners.max(axis=0))[:2] / 2
        assert middle == pytest.approx((one.x_mm, one.y_mm), abs=0.1)


def test_rails_and_bar_are_the_boxes_of_the_board_with_broken_edges() -> None:
    boxes = boxes_of(GEOMETRY)
    body = frame_body(boxes, 2.0, 0.0)
    assert body.places is not None
    assert len(body.places) == len(body.corners)
    assert body.corners[:, 2].max() == GEOMETRY.rail_height_mm
    assert body.corners[:, 0].max() == max(box.x_mm[1] for box in boxes)
    split = frame_body([box for box in boxes if box.name == "bar"], 2.0, 1.0)
    assert np.abs(split.corners[:, 0]).min() == 0.5


def test_a_leaning_die_with_round_edges_touches_the_board() -> None:
    shape, hollow = die_shape(np.random.default_rng(5))
    size = GEOMETRY.die_size_mm
    die = Die(5, 10.0, 20.0, resting_height_mm(size, 25.0), 30.0, 25.0, 80.0)
    lower = let_down(die, shape, hollow, size)
    lowest = die_body(lower, shape, hollow, size).corners[:, 2].min() + lower.z_mm
    assert lowest == pytest.approx(0.0, abs=1e-9)
    flat = Die(5, 10.0, 20.0, size / 2, 30.0)
    assert let_down(flat, shape, hollow, size) == flat


def test_a_die_shows_its_value_on_top() -> None:
    shape, _ = die_shape(np.random.default_rng(6))
    for value in range(1, 7):
        body = die_body(Die(value, 0.0, 0.0, 7.0, 40.0), shape, 0.0, 14.0)
        assert body.colours is not None
        pips = (body.colours == reflected(shape.pip)).all(axis=1)
        on_top, below = (body.corners[:, 2] > 6.99), (body.corners[:, 2] < -6.99)
        paint = {number: float(number) for number in range(1, 7)} | {1: shape.one_radius**2}
        expected = paint[value] / paint[7 - value]
        assert pips[on_top].sum() / pips[below].sum() == pytest.approx(expected, rel=0.25)


def test_a_limb_is_a_closed_body_from_one_place_to_another() -> None:
    start, end = np.array([10.0, -5.0, 30.0]), np.array([40.0, 60.0, 12.0])
    body = limb(start, end, 9.0, 7.0)
    length = float(np.linalg.norm(end - start))
    assert volume(body.corners, body.triangles) == pytest.approx(np.pi * 64 * (length + 4 / 3 * 8), rel=0.05)
    assert (np.linalg.norm(body.corners - start, axis=1) > 8.9).all()
    assert (np.linalg.norm(body.corners - end, axis=1) > 6.9).all()


@pytest.mark.parametrize("seed", range(4))
def test_a_hand_covers_what_is_under_it_and_comes_from_its_side(seed: int) -> None:
    x, y, _ = GEOMETRY.on_point(6, 2)
    for seat in (Seat.A, Seat.B):
        arm = arm_of(Hand(seat, x, y), np.random.default_rng(seed))
        covered = arm.covered(STAGE.camera)
        edge = covered[-1] if seat is Seat.A else covered[0]
        other = covered[0] if seat is Seat.A else covered[-1]
        assert edge.any()
        assert not other.any()
        random = Random(3)
        start = set_up(empty_world(GEOMETRY, random), Backgammon().start().placement(), random)
        record = record_of(STAGE, with_hand(start, Hand(seat, x, y)), Seat.A, "center", covered)
        hidden = {number for number, place in record["points"].items() if place["occluded"]}
        assert hidden
        assert all(record["points"][number]["occluded_frac"] > 0.15 for number in hidden)
        assert record["points"]["12"]["occluded_frac"] == 0.0


@pytest.mark.parametrize("bent", [-0.25, 0.0])
def test_an_arm_hides_nothing_where_a_lens_that_bends_would_fold_what_is_far_outside(bent: float) -> None:
    """Beside the picture a barrel's distortion turns back: an arm that goes on there was said to come in once more."""
    x, y, _ = GEOMETRY.on_point(6, 2)
    camera = replace(STAGE.camera, distortion=(bent, 0.0, 0.0, 0.0, 0.0))
    arm = arm_of(Hand(Seat.A, x, y), np.random.default_rng(1))
    covered = arm.covered(camera)
    rows, columns = (covered > 0).any(axis=1).nonzero()[0], (covered > 0).any(axis=0).nonzero()[0]
    assert rows[-1] == camera.height_px - 1
    assert rows[0] > 0.3 * camera.height_px
    assert np.ptp(columns) < 0.3 * camera.width_px
    _, parts = cv2.connectedComponents(covered)
    assert parts.max() == 1


def test_what_a_camera_shows_of_a_triangle_is_all_of_it_or_all_that_is_in_the_picture() -> None:
    within = np.array([[[0.0, 0.0, 0.0], [30.0, 0.0, 0.0], [0.0, 30.0, 0.0]]])
    assert (within_view(within, STAGE.camera) == within).all()
    assert len(within_view(within + np.array([5000.0, 0.0, 0.0]), STAGE.camera)) == 0
    across = np.array([[[-4000.0, -10.0, 0.0], [4000.0, -10.0, 0.0], [0.0, 10.0, 0.0]]])
    pixels = STAGE.camera.project(within_view(across, STAGE.camera).reshape(-1, 3))
    assert pixels.min() >= -1
    assert (pixels.max(axis=0) <= (STAGE.camera.width_px, STAGE.camera.height_px)).all()
    assert np.ptp(pixels[:, 0]) > 0.95 * STAGE.camera.width_px


def test_points_are_painted_where_they_are() -> None:
    half = max(box.x_mm[0] for box in boxes_of(GEOMETRY))
    cloth = field_cloth(LOOK, GEOMETRY, half, np.random.default_rng(8))
    height, width = cloth.reflects.shape[:2]
    assert (width * FIELD_MM, height * FIELD_MM) == pytest.approx((2 * half, GEOMETRY.field_height_mm), abs=1)
    for number in range(1, 25):
        x, y = GEOMETRY.point_x_mm(number), GEOMETRY.middle_of(point(number))[1]
        column, row = round((x + half) / FIELD_MM), round((GEOMETRY.field_height_mm / 2 - y) / FIELD_MM)
        seen = cloth.reflects[row - 20 : row + 20, column - 6 : column + 6].mean(axis=(0, 1))
        ways = [
            np.abs(np.log(seen / reflected([c / 255 for c in colour]))).max() for colour in (*LOOK.points, LOOK.field)
        ]
        assert int(np.argmin(ways)) == number % 2


def test_a_camera_shows_what_reflects_all_as_white_and_the_same_from_picture_to_picture() -> None:
    rng = np.random.default_rng(9)
    colour = np.full((60, 80, 3), 0.5, dtype=np.float32)
    light = colour * np.float32(0.21)
    field = np.ones((60, 80), dtype=bool)
    taking = taking_of(LOOK, 90, light, colour, field, 0.45, np.random.default_rng(1))
    white = np.full((60, 80, 3), 0.21, dtype=np.float32)
    shown = taking.picture(white, 1.0, rng)[30, 40].astype(float)
    assert shown == pytest.approx((235, 250, 255), abs=25)
    darker = taking.picture(white * np.float32(0.5), 1.0, rng).mean()
    assert darker < shown.mean() - 30
    assert abs(taking.picture(light, 1.0, rng).mean() - taking.picture(light, 1.0, rng).mean()) < 1.0


def test_what_is_told_of_drawn_pictures_can_be_learned_from_as_of_rendered_ones(tmp_path: Path) -> None:
    drawn = drawn_installation(5, 2)
    write_pictures(drawn, tmp_path, 4, 2)
    for path in sorted(tmp_path.glob("*.json")):
        truth = json.loads(path.read_text())
        path.write_text(json.dumps(truth | {"installation": 2}))
        picture = read_truth(path)
        pixels = picture.camera.project([(20.0, -30.0, 5.0)])
        assert pixels == pytest.approx(drawn.look.camera.project([(20.0, -30.0, 5.0)]), abs=0.01)
        slots = slots_of(picture)[:24]
        for number in range(1, 25):
            place = truth["points"][str(number)]
            held = slots[number - 1]
            assert int(((held - 1) % 3 + 1)[held > 0].sum()) == min(place["count"], 15)
            assert set(held[held > 0] > 3) <= {place["color"] == "B"}


def test_worlds_without_anything_have_truth_too() -> None:
    record = record_of(STAGE, World(GEOMETRY), Seat.A, "center")
    assert record["checkers"] == []
    assert record["cube"] is None
