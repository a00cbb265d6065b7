"""Boards that fold in the middle: what the camera sees of halves that are not level, and of the seam."""

from dataclasses import fields, replace

import numpy as np
import pytest

from boardctl.virtual.dice import TABLE_DEPTH_MM
from boardctl.virtual.drawing.stage import boxes_of, on_top
from boardctl.virtual.looks import LOOKS
from boardctl.virtual.unseen.folding import CameraOverFold
from boardctl.virtual.unseen.looks import drawn_installation, folding
from calibration import BoardGeometry, CameraModel

LEVEL = LOOKS["green-felt"].camera
PARTS = {each.name: getattr(LEVEL, each.name) for each in fields(CameraModel)}
BOARD = BoardGeometry()
FOLD = CameraOverFold(**PARTS, rise=0.01, step_mm=1.2, shift_mm=-1.6, bar_width_mm=BOARD.bar_width_mm)
PLACES = np.array([(x, y) for x in (-240.0, -60.0, -8.0, 0.0, 8.0, 60.0, 240.0) for y in (-200.0, 0.0, 200.0)])


def at(z_mm: float) -> np.ndarray:
    return np.column_stack([PLACES, np.full(len(PLACES), z_mm)])


@pytest.mark.parametrize("z_mm", [0.0, 15.0])
def test_what_is_seen_in_a_pixel_is_what_the_camera_shows_there(z_mm: float) -> None:
    assert np.abs(FOLD.to_plane(FOLD.project(at(z_mm)), z_mm) - PLACES).max() < 0.01


def test_halves_rise_and_are_shifted_and_the_table_is_level() -> None:
    flat = CameraOverFold(**PARTS)
    assert np.allclose(flat.project(at(0.0)), LEVEL.project(at(0.0)))
    on_table = at(-TABLE_DEPTH_MM)
    assert np.allclose(FOLD.project(on_table), LEVEL.project(on_table))
    moved = at(0.0)
    right = np.sign(PLACES[:, 0]) * (np.abs(PLACES[:, 0]) > BOARD.bar_width_mm / 2)
    out = right != 0
    moved[:, 1] += -1.6 * right / 2
    moved[:, 2] += 0.01 * np.abs(PLACES[:, 0]) + 1.2 * right / 2
    assert np.abs(FOLD.project(at(0.0)) - LEVEL.project(moved))[out].max() < 1e-6


def test_bar_and_rails_are_divided_and_nothing_else_is_changed_but_the_latches() -> None:
    plain = drawn_installation(5, 1)
    folded = folding(plain)
    assert folded == folding(plain)
    camera = {each.name: getattr(folded.look.camera, each.name) for each in fields(CameraModel)}
    assert CameraModel(**camera) == plain.look.camera
    assert replace(folded.look, camera=plain.look.camera, on_rails=()) == plain.look
    on = {box.name: sum(bool(on_top(patch, box)) for patch in folded.look.on_rails) for box in boxes_of(plain.geometry)}
    divided = {"bar": 1, "south rail": 1, "north rail": 1, "left rail": 2, "right rail": 2}
    assert {name: count for name, count in on.items() if count} == divided
