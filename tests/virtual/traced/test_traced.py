"""Dice that are traced for training: their bodies, how they rest, and the rays that see them."""

from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from boardctl.virtual.traced.meshes import FINE, Mesh, box_mesh, die_mesh, joined, reflected, turned_mesh
from boardctl.virtual.traced.resting import Resting, die_kinds, resting_dice, settled
from boardctl.virtual.traced.setting import lamp, setting_of
from boardctl.virtual.traced.sight import as_counted, developed, die_windows, near_dice, view_rays
from boardctl.virtual.training.dice import truth_of
from boardctl.vision.measuring.truth import TruePicture
from boardctl.vision.training.die_render import DiePose, random_look, turn
from boardctl.vision.training.die_rest import Wall, beside

FACES = (6, 1, 5, 2, 4, 3)
SIZE_MM = 14.0


def volume(mesh: Mesh) -> float:
    first, second, third = (mesh.corners[mesh.triangles[:, i]] for i in range(3))
    return float((first * np.cross(second, third)).sum() / 6)


def faces_out(mesh: Mesh) -> bool:
    """Whether every triangle is seen from the side to which its corners' normals point."""
    assert mesh.normals is not None
    first, second, third = (mesh.corners[mesh.triangles[:, i]] for i in range(3))
    area = np.cross(second - first, third - first)
    told = mesh.normals[mesh.triangles].mean(axis=1)
    return bool(((area * told).sum(axis=1) >= -1e-9).all())


@pytest.mark.parametrize("hollow", [0.0, 0.4])
def test_a_die_is_a_closed_body_a_little_smaller_than_its_cube(hollow: float) -> None:
    look = random_look(np.random.default_rng(3))
    die = die_mesh(DiePose(np.zeros(3), turn(0.4, 0.2, 1.0), FACES), look, SIZE_MM, hollow)
    assert faces_out(die)
    assert 0.8 * SIZE_MM**3 < volume(die) < SIZE_MM**3
    assert np.abs(die.corners).max() < SIZE_MM * np.sqrt(3) / 2


def test_each_face_of_a_die_has_its_pips() -> None:
    look = random_look(np.random.default_rng(4))
    die = die_mesh(DiePose(np.zeros(3), np.eye(3), FACES), look, SIZE_MM, 0.0)
    assert die.colours is not None
    painted = (die.colours == reflected(look.pip)).all(axis=1).reshape(6, FINE + 1, FINE + 1)
    pips = [cv2.connectedComponents(face.astype(np.uint8))[0] - 1 for face in painted]
    assert pips == list(FACES)


def test_lathe_and_box_make_closed_bodies() -> None:
    checker = turned_mesh([(17.0, 0.0), (18.0, 1.0), (18.0, 9.0), (17.0, 10.0), (0.01, 10.0)])
    assert faces_out(checker)
    assert volume(joined([box_mesh((0, 0, 0), (2, 3, 4)), box_mesh((9, 0, 0), (10, 1, 1))])) == pytest.approx(25)


def test_light_goes_into_a_clear_die_but_not_into_its_pips() -> None:
    look = replace(random_look(np.random.default_rng(4)), translucent=0.6)
    die = die_mesh(DiePose(np.zeros(3), np.eye(3), FACES), look, SIZE_MM, 0.0)
    two = joined([die, die.moved((30, 0, 0))])
    assert two.colours is not None
    assert two.clear is not None
    painted = (two.colours == reflected(look.pip)).all(axis=1)
    assert painted.any()
    assert (two.clear[painted] == 0).all()
    assert (two.clear[~painted] == 0.6).all()


@pytest.mark.parametrize("tilt_deg", [0.0, 9.0, 25.0])
def test_a_die_beside_a_wall_touches_it_and_the_ground(tilt_deg: float) -> None:
    rng = np.random.default_rng(5)
    look = random_look(rng)
    wall = Wall(np.array([30.0, -20.0]), 0.7, 10.0)
    pose = beside(wall, SIZE_MM, tilt_deg, 0.0, 3, rng)
    body = die_mesh(pose, look, SIZE_MM, 0.0)
    rests = settled(pose, body, wall, 0.0)
    assert rests is not None
    corners = body.moved(rests.center_mm).corners
    away = (corners[:, :2] - wall.foot_mm) @ wall.normal
    assert corners[:, 2].min() == pytest.approx(0.0, abs=1e-9)
    assert away[corners[:, 2] <= wall.height_mm].min() == pytest.approx(0.0, abs=1e-9)


def test_a_die_that_is_higher_than_the_wall_everywhere_does_not_rest_on_it() -> None:
    rng = np.random.default_rng(6)
    look = random_look(rng)
    pose = DiePose(np.zeros(3), np.eye(3), FACES)
    body = die_mesh(pose, look, SIZE_MM, 0.0)
    assert settled(pose, body, Wall(np.zeros(2), 0.0, -1.0), 0.0) is None


def ground_mm(picture: TruePicture, die: Resting) -> float:
    """Gets how high what a die stands on is: the highest checker under its middle, if it stands on one."""
    if die.label.on != "checker":
        return 0.0
    away = np.hypot(*(picture.checkers_mm[:, :2] - die.pose.center_mm[:2]).T)
    return float(picture.checkers_mm[away < picture.geometry.checker_diameter_mm / 2, 2].max())


def test_dice_of_a_picture_rest_and_are_told_as_they_lie() -> None:
    rng = np.random.default_rng(7)
    setting = setting_of(7, 0, rng)
    picture = TruePicture(Path(), "drawn", setting.camera, setting.geometry, truth_of(setting.world, setting.camera))
    kinds = die_kinds(rng)
    dice = resting_dice(picture, kinds, rng)
    assert {die.group for die in dice} == {"leaning", "beside", "drawn", "stacked"}
    for die in dice:
        up = die.pose.rotation[:, 2]
        assert np.degrees(np.arccos(min(up[2], 1.0))) == pytest.approx(die.label.tilt_deg, abs=1e-5)
        assert die.label.up == pytest.approx(tuple(up[:2]))
        assert (die.label.on == "checker") == (die.group == "stacked")
        for body in die.meshes(kinds):
            assert body.corners[:, 2].min() == pytest.approx(ground_mm(picture, die), abs=1e-6)
        middle = setting.camera.project([die.pose.center_mm])[0]
        assert setting.camera.project([die.spot_mm])[0] == pytest.approx(middle, abs=0.01)
        assert near_dice(setting.camera, dice)[round(middle[1]), round(middle[0])]
    shapes = {tuple(side.stop - side.start for side in window) for window in die_windows(setting.camera, dice)}
    assert len(shapes) == 1
    width, height = setting.camera.width_px, setting.camera.height_px
    for down, across in die_windows(setting.camera, dice):
        assert down.start >= 0
        assert down.stop <= height
        assert across.start >= 0
        assert across.stop <= width


def test_rays_go_where_the_camera_looks() -> None:
    setting = setting_of(8, 0, np.random.default_rng(8))
    camera = setting.camera
    pixels = np.random.default_rng(9).uniform((300, 200), (900, 500), (50, 2))
    middle, right, down = view_rays(camera, pixels)
    for rays, shift in ((middle, (0, 0)), (middle + right, (1, 0)), (middle + 0.5 * down, (0, 0.5))):
        meets = camera.position_mm - rays * (camera.position_mm[2] / rays[:, 2:])
        assert camera.project(meets) == pytest.approx(pixels + shift, abs=0.02)


def test_no_lamp_hides_the_board_from_the_camera() -> None:
    rng = np.random.default_rng(12)
    setting = setting_of(63, 2, rng)
    camera, geometry = setting.camera, setting.geometry
    across = np.linspace(-0.5, 0.5, 7)
    board = [(x * geometry.field_width_mm, y * geometry.field_height_mm, 0.0) for x in across for y in across]
    sights = np.array(board) - camera.position_mm
    near = 0
    for _ in range(300):
        spot, width = lamp(camera, rng)
        parts = np.clip(sights @ (spot - camera.position_mm) / (sights**2).sum(axis=1), 0, 1)
        aside = np.linalg.norm(camera.position_mm + parts[:, None] * sights - spot, axis=1).min()
        assert aside > width / 2, (spot, width)
        near += bool(aside < 2 * width + 100)
    assert near > 0


def test_a_sensor_counts_dark_light_least_surely_for_what_there_is() -> None:
    rng = np.random.default_rng(13)
    light = np.full((60, 80, 3), 0.04, dtype=np.float32)
    light[:, 40:] = 0.64
    for _ in range(20):
        counted = as_counted(light, rng)
        dark, bright = counted[:, 2:34], counted[:, 46:78]
        assert dark.mean() == pytest.approx(0.04, abs=0.002)
        assert bright.mean() == pytest.approx(0.64, abs=0.002)
        assert 0.9 * dark.std() < bright.std() < 16 * 0.5 * dark.std()


def test_a_picture_is_exposed_for_what_lies_near_the_dice() -> None:
    rng = np.random.default_rng(10)
    light = rng.uniform(0.0, 0.02, (80, 90, 3)).astype(np.float32)
    light[:, 45:] *= 100
    near = np.zeros((80, 90), dtype=bool)
    near[:, :45] = True
    dark_side = [developed(light, near, np.random.default_rng(seed))[:, :40].mean() for seed in range(8)]
    bright_side = [developed(light, ~near, np.random.default_rng(seed))[:, :40].mean() for seed in range(8)]
    assert min(dark_side) > 40
    assert max(bright_side) < 40
