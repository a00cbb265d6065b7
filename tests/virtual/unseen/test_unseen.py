"""Drawn installations for measuring: what is written of a picture is what is drawn in it."""

import json
from dataclasses import replace
from pathlib import Path
from random import Random

import cv2
import numpy as np
import pytest

from boardctl.devices.pictures import read_picture
from boardctl.rules import Backgammon, Seat, point, tray
from boardctl.virtual.dice import Die
from boardctl.virtual.drawing.picture_truth import covered_in, record_of
from boardctl.virtual.drawing.stage import Stage
from boardctl.virtual.looks import LOOKS
from boardctl.virtual.unseen.looks import (
    OTHER_SIZES_PX,
    POLISH,
    SLANTED_TILTS_DEG,
    TILTS_DEG,
    WIDE_FOCALS,
    drawn_installation,
    polished,
    printed,
    resized,
    slanted,
    wide,
)
from boardctl.virtual.unseen.palettes import LEAST_APART
from boardctl.virtual.unseen.tables import scenes_of, write_pictures
from boardctl.virtual.world import Hand, World, empty_world, set_up, with_hand
from boardctl.vision.measuring.truth import corners_of
from calibration import BoardGeometry
from calibration.colours import luminance

GEOMETRY = BoardGeometry()
STAGE = Stage(LOOKS["green-felt"], GEOMETRY)


def starting() -> World:
    random = Random(3)
    return set_up(empty_world(GEOMETRY, random), Backgammon().start().placement(), random)


@pytest.mark.parametrize("number", range(12))
def test_every_board_is_whole_in_its_picture_and_seat_a_is_lighter(number: int) -> None:
    drawn = drawn_installation(5, number)
    camera, geometry = drawn.look.camera, drawn.geometry
    corners = camera.project([(x, y, 0.0) for x, y in geometry.corners])
    assert (corners > 0).all()
    assert (corners < [camera.width_px, camera.height_px]).all()
    assert -camera.rotation[2, 2] >= np.cos(np.radians(TILTS_DEG[1] + 0.1))
    light, dark = luminance(np.array([one.colour for one in drawn.look.checkers], dtype=np.float64))
    assert light - dark >= LEAST_APART


def test_the_same_seed_draws_the_same_and_another_another() -> None:
    assert drawn_installation(5, 1) == drawn_installation(5, 1)
    assert drawn_installation(5, 1) != drawn_installation(6, 1) != drawn_installation(5, 2)


def test_a_game_in_which_nobody_comes_to_bear_off_is_played_again() -> None:
    scenes = [scene for scene, _ in scenes_of(drawn_installation(20405, 58), 6, 58, set_up)]
    assert any(checker.place in (tray(Seat.A), tray(Seat.B)) for checker in scenes[-1].world.checkers)


def test_a_polished_installation_is_the_same_but_for_its_polish() -> None:
    for number in range(8):
        drawn = drawn_installation(5, number)
        shining = polished(drawn)
        assert shining == polished(drawn)
        assert max(one.polish for one in shining.look.checkers) >= POLISH[0]
        matt = tuple(replace(one, polish=0.0) for one in shining.look.checkers)
        light = replace(shining.look.light, mirrored=drawn.look.light.mirrored)
        assert replace(shining.look, polish=0.0, checkers=matt, light=light) == drawn.look
        assert shining.described.startswith(f"{drawn.described}, polish ")
    assert len({polished(drawn_installation(5, number)).look.light.mirrored for number in range(8)}) == 8


def test_a_wide_lens_sees_the_same_board_from_nearer() -> None:
    for number in range(8):
        drawn = drawn_installation(5, number)
        seen = wide(drawn)
        assert seen == wide(drawn)
        camera = seen.look.camera
        assert replace(seen.look, camera=drawn.look.camera) == drawn.look
        assert WIDE_FOCALS[0] <= camera.focal_x_px / camera.width_px <= WIDE_FOCALS[1]
        corners = camera.project([(x, y, 0.0) for x, y in drawn.geometry.corners])
        assert (corners > 0).all()
        assert (corners < [camera.width_px, camera.height_px]).all()
        assert f", wide ({2 * np.degrees(np.arctan(camera.width_px / camera.focal_x_px / 2)):.0f} " in seen.described


def test_pictures_of_another_size_show_the_same_board_also_at_a_slant_and_through_a_wide_lens() -> None:
    sizes = set()
    for number in range(12):
        drawn = drawn_installation(5, number)
        seen = resized(drawn)
        assert seen == resized(drawn)
        assert replace(seen.look, camera=drawn.look.camera) == drawn.look
        size = (seen.look.camera.width_px, seen.look.camera.height_px)
        assert size in OTHER_SIZES_PX
        assert f", {size[0]}x{size[1]} px, " in seen.described
        sizes.add(size)
        for other in (seen, slanted(seen), wide(seen)):
            camera = other.look.camera
            assert (camera.width_px, camera.height_px) == size
            corners = camera.project([(x, y, 0.0) for x, y in drawn.geometry.corners])
            assert (corners > 0).all()
            assert (corners < size).all()
    assert len(sizes) > 4


def test_a_slanted_photograph_is_of_the_same_board_and_what_is_nearer_is_lower() -> None:
    for number in range(8):
        drawn = drawn_installation(5, number)
        seen = slanted(drawn)
        camera, eye = seen.look.camera, seen.look.camera.position_mm
        assert seen == slanted(drawn)
        assert replace(seen.look, camera=drawn.look.camera) == drawn.look
        tilt = np.degrees(np.arccos(-camera.rotation[2, 2]))
        assert SLANTED_TILTS_DEG[0] <= tilt <= SLANTED_TILTS_DEG[1]
        assert f"{tilt:.0f} degrees" in seen.described
        near, far = camera.project([(*(eye[:2] * 0.1), 0.0), (*(eye[:2] * -0.1), 0.0)])
        across, down = near - far
        assert abs(np.degrees(np.arctan2(across, down))) < 20
        corners = camera.project([(x, y, 0.0) for x, y in drawn.geometry.corners])
        assert (corners > 0).all()
        assert (corners < [camera.width_px, camera.height_px]).all()


@pytest.mark.parametrize("x_mm", [-100.0, 0.0, 100.0])
def test_an_arm_that_reaches_to_behind_a_wide_camera_is_seen_as_far_as_it_is_ahead_of_it(x_mm: float) -> None:
    drawn = wide(drawn_installation(13103, 16))
    stage = Stage(drawn.look, drawn.geometry)
    covered = covered_in(stage, World(drawn.geometry, hands=(Hand(Seat.A, x_mm, 0.0),))) > 0
    fingers = stage.camera.project([(x_mm, -25.0, 38.0)])[0].round().astype(int)
    assert covered[fingers[1], fingers[0]]
    assert covered.mean() < 0.1


def test_what_a_hand_covers_is_hidden_and_nothing_else() -> None:
    without = record_of(STAGE, starting(), Seat.A, "center")
    assert not any(place["occluded"] for place in without["points"].values())
    assert without["hand"] is None
    assert without["covers_px"] == []
    x, y, _ = GEOMETRY.on_point(6, 2)
    record = record_of(STAGE, with_hand(starting(), Hand(Seat.A, x, y + 40)), Seat.A, "center")
    hidden = {number for number, place in record["points"].items() if place["occluded"]}
    assert "6" in hidden
    assert hidden <= {"4", "5", "6", "7", "8"}
    assert record["hand"] == {"player_side": "A"}
    assert record["points"]["6"]["count"] == 5
    covered = covered_in(STAGE, with_hand(starting(), Hand(Seat.A, x, y + 40))) > 127
    told = np.zeros(covered.shape, dtype=np.uint8)
    cv2.fillPoly(told, [np.array(outline) for outline in record["covers_px"]], 1)
    assert (told.astype(bool) ^ covered).sum() < 0.02 * covered.sum()


def test_a_die_is_told_with_its_half_and_how_much_of_it_is_seen() -> None:
    x, y = GEOMETRY.middle_of(point(4))
    die = Die(5, x, 0.0, GEOMETRY.die_size_mm / 2, 20.0)
    [told] = record_of(STAGE, World(GEOMETRY, dice=(die,)), Seat.A, "center")["dice"]
    assert (told["value"], told["where"], told["legal"], told["visible_frac"]) == (5, "right", True, 1.0)
    [of_other] = record_of(STAGE, World(GEOMETRY, dice=(die,)), Seat.B, "center")["dice"]
    assert (of_other["where"], of_other["legal"]) == ("left", False)
    covered = World(GEOMETRY, dice=(die,), hands=(Hand(Seat.A, x, 60.0),))
    assert record_of(STAGE, covered, Seat.A, "center")["dice"][0]["visible_frac"] < 0.2
    assert y < 0


def test_pictures_come_with_their_truth(tmp_path: Path) -> None:
    drawn = drawn_installation(5, 2)
    write_pictures(drawn, tmp_path, 4, 2)
    empty, start, *others = (json.loads(path.read_text()) for path in sorted(tmp_path.glob("*.json")))
    assert sum(place["count"] for place in empty["points"].values()) == 0
    assert [start["points"][number]["count"] for number in ("24", "13", "8", "6")] == [2, 5, 3, 5]
    for truth in others:
        for seat in ("A", "B"):
            held = sum(place["count"] for place in truth["points"].values() if place["color"] == seat)
            assert held + truth["bar"][seat] + truth["off"][seat] == 15
        assert len(truth["dice"]) == 2
    bare, laid = (read_picture(tmp_path / f"f0{number}.jpg").astype(int) for number in (0, 1))
    change = np.abs(laid - bare).max(axis=2)
    field = np.zeros(change.shape, dtype=np.uint8)
    cv2.fillConvexPoly(field, np.array(corners_of(start)).round().astype(np.int32), 1)
    assert change[field > 0].mean() > 2 * change[field == 0].mean()


def test_a_printed_board_is_flat_and_has_no_bar_on_which_a_checker_lies() -> None:
    for number in range(6):
        drawn = drawn_installation(5, number)
        flat = printed(drawn)
        geometry = flat.geometry
        assert flat == printed(drawn)
        assert (geometry.bar_height_mm, geometry.rail_height_mm) == (0.0, 0.0)
        assert geometry.bar_width_mm < geometry.checker_diameter_mm / 2
        assert (geometry.point_width_mm, flat.look) == (drawn.geometry.point_width_mm, drawn.look)
    assert {printed(drawn_installation(5, number)).geometry.bar_width_mm == 0 for number in range(6)} == {True, False}
