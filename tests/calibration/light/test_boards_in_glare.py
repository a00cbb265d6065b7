"""Where a lamp is mirrored in a board what is dark is white, and checkers would be; a white board in much light is only
white where it is white."""

from dataclasses import replace
from random import Random

import numpy as np
import pytest
from numpy.typing import NDArray

from boardctl.rules import Backgammon
from boardctl.virtual.drawing.render import Renderer
from boardctl.virtual.looks import LOOKS, Look
from boardctl.virtual.world import empty_world, set_up
from boardctl.vision.measuring.poor_cameras import mirroring_lamp
from calibration import BoardGeometry, CalibrationError, calibrate
from calibration.light.enough import much_burnt_out
from calibration.light.glare import BAR_SLOTS, POINTS, in_glare
from calibration.light.linear import levels_of, light_of

Picture = NDArray[np.uint8]

GEOMETRY = BoardGeometry()


def pictures(look: Look) -> tuple[Picture, Picture]:
    """Gets pictures of the empty board and of the starting position."""
    renderer, bare = Renderer(look, GEOMETRY), empty_world(GEOMETRY, Random(1))
    return renderer.frame(bare), renderer.frame(set_up(bare, Backgammon().start().placement(), Random(4)))


def mirroring(picture: Picture, look: Look, at_mm: tuple[float, float], reach_mm: float = 30.0) -> Picture:
    """Gets a picture with a lamp mirrored at a place of the board."""
    ((x, y),) = look.camera.project([(*at_mm, 0.0)])
    return mirroring_lamp(picture, (x, y), look.camera.seen_px(reach_mm))


def exposed(picture: Picture, times: float) -> Picture:
    return levels_of(light_of(picture) * np.float32(times))


@pytest.mark.parametrize("name", sorted(LOOKS))
def test_a_board_lies_in_no_glare(name: str) -> None:
    look = LOOKS[name]
    assert not in_glare(*pictures(look), look.camera, GEOMETRY).any()


@pytest.mark.parametrize("name", sorted(LOOKS))
@pytest.mark.parametrize(("number", "slot"), [(3, 1), (16, 0), (20, 3)])
def test_where_a_lamp_is_mirrored_the_places_there_lie_in_glare(name: str, number: int, slot: int) -> None:
    look = LOOKS[name]
    at = GEOMETRY.on_point(number, slot)[:2]
    empty, start = (mirroring(each, look, at) for each in pictures(look))
    found = in_glare(empty, start, look.camera, GEOMETRY)
    assert found[number - 1, slot]
    for point, row in np.argwhere(found[:POINTS]).tolist():
        away = np.hypot(*np.subtract(GEOMETRY.on_point(point + 1, row)[:2], at))
        assert away < 30 + GEOMETRY.checker_diameter_mm, (point + 1, row)
    assert not found[POINTS:].any()


def test_on_the_bar_too() -> None:
    look = LOOKS["walnut"]
    empty, start = (mirroring(each, look, (0.0, 80.0)) for each in pictures(look))
    found = in_glare(empty, start, look.camera, GEOMETRY)[POINTS:]
    assert found[1].any()
    assert not found[0].any()
    assert not found[:, BAR_SLOTS:].any()


def test_a_white_board_in_much_light_lies_in_none_and_is_calibrated() -> None:
    look = replace(LOOKS["walnut"], field=(235, 238, 240))
    empty, start = (exposed(each, 2.0) for each in pictures(look))
    made = calibrate(empty, start)
    assert not in_glare(empty, start, look.camera, GEOMETRY).any()
    corners = [(x, y, 0.0) for x, y in GEOMETRY.corners]
    away = made.camera.project([(x, y, 0.0) for x, y in made.geometry.corners]) - look.camera.project(corners)
    assert np.hypot(*away.T).max() < look.camera.seen_px(GEOMETRY.checker_diameter_mm) / 5
    said = much_burnt_out(empty, look.camera.project(corners))
    assert said.startswith("45% of the board is burnt out; white dice may not be seen there")
    assert much_burnt_out(pictures(LOOKS["walnut"])[0], look.camera.project(corners)) == ""


def test_one_of_which_most_is_burnt_out_is_refused() -> None:
    look = replace(LOOKS["walnut"], field=(245, 245, 245))
    empty, start = (exposed(each, 3.5) for each in pictures(look))
    with pytest.raises(CalibrationError, match=r"6\d% of the board is burnt out: move or soften the lamp, or expose"):
        calibrate(empty, start)


def test_what_is_seen_on_a_lamp_that_the_board_mirrors_lies_in_no_glare() -> None:
    look = LOOKS["walnut"]
    at = GEOMETRY.on_point(19, 2)[:2]
    bare, laid = pictures(look)
    empty = mirroring(bare, look, at)
    # Checkers cover what the board mirrors: where they lie nothing has changed.
    start = np.where((laid == bare).all(axis=2, keepdims=True), empty, laid)
    dazzled = in_glare(empty, mirroring(laid, look, at), look.camera, GEOMETRY)
    assert dazzled[18, :5].any()
    assert not in_glare(empty, start, look.camera, GEOMETRY).any()
