"""Points of the very colour of a seat's checkers are known, and not told bare for sure once something changes there."""

from dataclasses import replace

import cv2
import numpy as np
import pytest
from conftest import Shots
from numpy.typing import NDArray

from boardctl.referee.readings import PlaceReading
from boardctl.rules import Seat, point
from boardctl.vision.points.column_input import block_roots, slot_changes
from boardctl.vision.points.columns import reference_strips
from boardctl.vision.points.own_colour import ALIKE, BARE_OF_ITS_COLOUR, away_from_board, colours_at_start
from boardctl.vision.points.reading import read_points_and_bar
from boardctl.vision.points.strip_reading import see_strips
from calibration import Calibration
from calibration.channels import strongest
from calibration.difference import DARK_OFFSET
from calibration.starting_position import STARTING_STACKS, starting_checkers

Picture = NDArray[np.uint8]


def painted(shots: Shots, picture: Picture, number: int, seat: Seat, *, darker: int = 0) -> Picture:
    """Gets a picture with the edge of a point in the colour of a seat's checkers, or by so many levels darker."""
    calibration = shots.calibration
    roots = colours_at_start(reference_strips(calibration))[list(Seat).index(seat), 0]
    x, y, _ = calibration.geometry.on_point(number, 0)
    half = 0.55 * calibration.geometry.checker_diameter_mm
    corners = [(x + across * half, y + along * half, 0.0) for across, along in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
    outline = np.rint(calibration.camera.project(corners)).astype(np.int32)
    levels = [float(root) ** 2 - DARK_OFFSET - darker for root in roots]
    return cv2.fillConvexPoly(picture.copy(), outline, levels).astype(np.uint8)


def with_point_of(shots: Shots, number: int, seat: Seat) -> Calibration:
    """Gets the installation as if the edge of a point were of the colour of a seat's checkers."""
    return shots.calibration.in_light(lambda picture: painted(shots, picture, number, seat))


def read(picture: Picture, calibration: Calibration, number: int) -> PlaceReading:
    places = read_points_and_bar(picture, calibration).places
    return next(reading for reading in places if reading.place == point(number))


@pytest.mark.parametrize("seat", [Seat.A, Seat.B])
@pytest.mark.parametrize("number", [4, 21])
def test_a_point_of_the_colour_of_checkers_is_known(green: Shots, number: int, seat: Seat) -> None:
    before = green.calibration
    after = with_point_of(green, number, seat)
    known = set(np.flatnonzero(away_from_board(reference_strips(before)) < ALIKE).tolist())
    assert set(np.flatnonzero(away_from_board(reference_strips(after)) < ALIKE).tolist()) == known | {number - 1}
    assert number - 1 not in known


def test_so_it_is_where_a_spot_of_another_colour_is_inlaid_in_them(green: Shots) -> None:
    """Black checkers with a white spot on a black point: the spot alone is hardly noticed (21001-16, traced)."""
    plain = with_point_of(green, 4, Seat.A)
    camera, geometry, start = plain.camera, plain.geometry, plain.start.copy()
    radius_px = 0.13 * camera.seen_px(geometry.checker_diameter_mm)
    for middle in camera.project([(x, y, geometry.checker_height_mm) for _, (x, y, _) in starting_checkers(geometry)]):
        x, y = np.rint(middle).astype(int).tolist()
        cv2.circle(start, (x, y), round(radius_px), (250, 120, 250), cv2.FILLED)
    spotted = reference_strips(Calibration.of(camera, geometry, plain.empty, start))
    middles_away = strongest(np.abs(colours_at_start(spotted)[0] - colours_at_start(reference_strips(plain))[0]))
    assert middles_away.min() > 3 * ALIKE
    assert away_from_board(spotted)[3] < ALIKE


@pytest.mark.parametrize("number", [4, 21])
def test_it_is_not_told_bare_for_sure_when_something_has_changed_on_it(green: Shots, number: int) -> None:
    bare = green.calibration.empty
    calibration = with_point_of(green, number, Seat.A)
    empty, shaded = (painted(green, bare, number, Seat.A, darker=darker) for darker in (0, 14))
    assert read(empty, calibration, number).likelihood(()) > 0.999
    assert BARE_OF_ITS_COLOUR / 2 < read(shaded, calibration, number).likelihood(()) <= BARE_OF_ITS_COLOUR


@pytest.mark.parametrize(("lighter", "noise_levels"), [(8, 0.0), (8, 6.0), (8, 8.0)])
def test_where_all_has_changed_a_little_points_on_which_a_checker_may_hide_are_looked_at(
    green: Shots, lighter: int, noise_levels: float
) -> None:
    reference = reference_strips(green.calibration)
    assert not see_strips(reference.empty, reference).asked.any()
    grain = np.random.default_rng(5).normal(0, noise_levels, reference.empty.shape)
    hazed = np.clip(np.rint(reference.empty * 0.97 + lighter + grain), 0, 255).astype(np.uint8)
    least = slot_changes(block_roots(hazed), block_roots(reference.empty)).least
    may_hide = away_from_board(reference) < least
    assert 0 < may_hide.sum() < len(may_hide)
    without = see_strips(hazed, replace(reference, start=None)).asked
    assert not without[may_hide].all()
    assert (see_strips(hazed, reference).asked == without | may_hide).all()


def test_colours_at_the_start_are_those_of_the_checkers(brown: Shots) -> None:
    # Its dark checkers shine on two points, so that they are four times as light there.
    colours = colours_at_start(reference_strips(brown.calibration))
    for (number, seat, count), which in zip(STARTING_STACKS, [0, 1, 2, 3] * 2, strict=True):
        x, y, z = brown.calibration.geometry.on_point(number, count // 2)
        u, v = np.rint(brown.calibration.camera.project([(x, y, 2 * z)])[0]).astype(int)
        around = brown.calibration.start[v - 2 : v + 3, u - 2 : u + 3].reshape(-1, 3)
        root = colours[(Seat.A, Seat.B).index(seat), which]
        assert (
            np.abs(np.sqrt(np.median(around, axis=0) + DARK_OFFSET) - root).max() < 1.2
        )  # a row shines more at one end
