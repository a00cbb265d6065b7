"""Two seats whose checkers look alike to the camera are never told apart wrongly without a word."""

from dataclasses import replace
from random import Random

import numpy as np
import pytest
from numpy.typing import NDArray

from boardctl.rules import Backgammon, Seat
from boardctl.virtual.drawing.outlines import disc
from boardctl.virtual.drawing.render import Renderer
from boardctl.virtual.looks import GREEN_FELT, CheckerLook, Colour, Patch
from boardctl.virtual.world import empty_world, set_up
from calibration import BoardGeometry, Calibration, CalibrationError, calibrate
from calibration.colours import APART, HARDLY_LIGHTER, how_light, lab_of, luminance, seats_apart, seats_lightness

Picture = NDArray[np.uint8]


def pictures(
    other: Colour, first: Colour = (60, 60, 150), dots: tuple[Colour, Colour] | None = None
) -> tuple[Picture, Picture]:
    """Gets the pictures of a calibration, one seat's checkers of a middle red, and the other's of another colour.
    ``dots``: those in the middle of both, half as wide as they are."""
    half_mm = BoardGeometry().checker_diameter_mm / 4
    inlays = [(Patch((disc(0, 0, half_mm),), dot),) for dot in dots] if dots else [(), ()]
    checkers = (CheckerLook(first, 0.5, 0.3, inlays=inlays[0]), CheckerLook(other, 0.5, 0.3, inlays=inlays[1]))
    renderer, random = Renderer(replace(GREEN_FELT, checkers=checkers), BoardGeometry()), Random(2)
    empty = empty_world(BoardGeometry(), random, cube=False)
    laid = set_up(empty, Backgammon().start().placement(), Random(3))
    return renderer.frame(empty), renderer.frame(laid)


def apart(calibration: Calibration) -> float:
    return seats_apart(calibration.camera, calibration.geometry, calibration.start)


def test_usual_checkers_are_far_apart(found: Calibration) -> None:
    assert apart(found) > 1.6 * APART


def test_a_light_and_a_dark_red_are_apart() -> None:
    assert apart(calibrate(*pictures((30, 30, 75)))) > APART


def test_two_reds_that_are_hardly_told_apart_are_refused() -> None:
    with pytest.raises(CalibrationError, match=r"the checkers of the two sides look alike .* night mode"):
        calibrate(*pictures((58, 58, 144)))


def test_red_and_green_are_refused_by_a_camera_that_shows_no_colours() -> None:
    green = (45, 104, 60)
    assert apart(calibrate(*pictures(green))) > APART
    greys = [np.repeat(np.rint(picture @ (0.114, 0.587, 0.299))[..., None], 3, 2) for picture in pictures(green)]
    with pytest.raises(CalibrationError, match="look alike to this camera, or lie where the other side's belong"):
        calibrate(*(grey.astype(np.uint8) for grey in greys))


RED, CHARCOAL = (38, 35, 150), (72, 75, 72)


@pytest.mark.parametrize("red_first", [True, False])
def test_red_checkers_are_lighter_than_dark_grey_ones(red_first: bool) -> None:
    """Nobody would call charcoal the light side beside red, though by the weights of the channels it is as bright."""
    assert luminance(np.array([CHARCOAL]))[0] > luminance(np.array([RED]))[0]
    made = calibrate(*(pictures(CHARCOAL, RED) if red_first else pictures(RED, CHARCOAL)))
    red, green, blue = (int(made.colours[Seat.A][place : place + 2], 16) for place in (1, 3, 5))
    assert red > 2 * max(green, blue)
    light = seats_lightness(made.camera, made.geometry, made.start)
    assert light[Seat.A] > light[Seat.B] + HARDLY_LIGHTER


@pytest.mark.parametrize(("white", "yellow"), [((92, -3, -11), (86, 0, 75)), ((88, 1, 3), (81, -14, 78))])
def test_white_checkers_are_lighter_than_yellow_ones_however_strong_their_tint(
    white: tuple[int, int, int], yellow: tuple[int, int, int]
) -> None:
    """White beside yellow, silver beside gold (CIELAB, as seen): by a tint that counts alike in all hues they were
    exchanged."""
    assert how_light(np.array([white] * 15)) > how_light(np.array([yellow] * 15))


@pytest.mark.parametrize(("grey", "tinted"), [((55, 0, -3), (47, 18, -53)), ((59, -4, -1), (44, 59, 45))])
def test_grey_checkers_are_lighter_than_darker_ones_however_strong_their_tint(
    grey: tuple[int, int, int], tinted: tuple[int, int, int]
) -> None:
    """Of drawn 36003-23 (beside blue) and 25007-21 (beside red), that were exchanged when all of a tint counted."""
    assert how_light(np.array([grey] * 15)) > how_light(np.array([tinted] * 15))


def test_a_lamp_mirrored_in_some_dark_checkers_makes_them_none_the_lighter() -> None:
    dark, glossy, light = (40.0, 40.0, 40.0), (230.0, 230.0, 230.0), (120.0, 130.0, 140.0)
    shining = np.array([dark] * 7 + [glossy] * 8)
    assert np.median(luminance(shining)) > luminance(np.array([light]))[0]
    assert how_light(lab_of(shining)) < how_light(lab_of(np.array([light] * 15)))


def test_dark_checkers_with_light_dots_are_dark_ones() -> None:
    """Stars on drawn 10931-04 had seats exchanged, and 78 points surely wrong."""
    light, dark = (190, 205, 215), (45, 40, 40)
    made = calibrate(*pictures(dark, light, dots=(dark, light)))
    corners = [(x, y, 0.0) for x, y in BoardGeometry().corners]
    assert np.abs(made.camera.project(corners) - GREEN_FELT.camera.project(corners)).max() < 10
    lightness = seats_lightness(made.camera, made.geometry, made.start)
    assert lightness[Seat.A] > lightness[Seat.B] + HARDLY_LIGHTER
