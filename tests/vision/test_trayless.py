"""Boards without trays: what is borne off is put on the table, where nobody counts it."""

from dataclasses import replace
from functools import cache
from random import Random

import pytest

from boardctl.rules import Backgammon, PlaceKind, Seat, tray
from boardctl.rules.games import GAMES
from boardctl.virtual import VirtualTable
from boardctl.virtual.dice import TABLE_DEPTH_MM
from boardctl.virtual.drawing.brush import Picture
from boardctl.virtual.drawing.render import Renderer
from boardctl.virtual.unseen.looks import Installation, cluttered, drawn_installation, printed, trayless
from boardctl.virtual.unseen.mixed import mixed
from boardctl.virtual.unseen.tables import scenes_of
from boardctl.virtual.world import World, empty_world, set_up
from boardctl.vision import read_frame
from boardctl.vision.game_eyes import eyes_for
from boardctl.vision.whole_sets import with_whole_sets
from calibration import BoardGeometry, Calibration, calibrate
from calibration.follow import outline_mm
from calibration.home_tray import has_home_tray

SEED, NUMBER = 11041, 3


@cache
def board(has_trays: bool) -> Installation:
    plain = drawn_installation(SEED, NUMBER)
    return plain if has_trays else trayless(plain)


@cache
def renderer(has_trays: bool) -> Renderer:
    return Renderer(board(has_trays).look, board(has_trays).geometry, 0)


@cache
def shots(has_trays: bool) -> tuple[Picture, Picture]:
    random = Random(3)
    bare = empty_world(board(has_trays).geometry, random, cube=False)
    start = set_up(bare, Backgammon().start().placement(), random)
    empty, full = (renderer(has_trays).frame(world) for world in (bare, start))
    return empty, full


@cache
def calibrated(has_trays: bool) -> Calibration:
    return calibrate(*shots(has_trays))


def bearing_off() -> World:
    """Gets a board on which seat A has borne off two checkers, and nobody has thrown."""
    [*scenes] = scenes_of(board(False), 6, NUMBER, set_up)
    return replace(scenes[7][0].world, dice=(), hands=(), cube=None)


@pytest.mark.parametrize("has_trays", [True, False])
def test_the_picture_of_the_empty_board_tells_whether_it_has_trays(has_trays: bool) -> None:
    assert calibrated(has_trays).geometry.has_trays is has_trays


def test_a_tray_whose_rail_is_not_in_the_picture_is_none() -> None:
    calibration = calibrated(True)
    camera, geometry = calibration.camera, calibration.geometry
    assert has_home_tray(calibration.empty, camera, geometry)
    # The same picture, cut off where the home side's rail ends.
    side = 1.0 if geometry.home_on_right else -1.0
    [(x, _)] = camera.project([(side * (geometry.field_width_mm / 2 + 0.6 * geometry.checker_diameter_mm), 0.0, 0.0)])
    assert 0.5 * camera.width_px < x < camera.width_px
    narrower = replace(camera, width_px=int(x))
    assert not has_home_tray(calibration.empty[:, : int(x)], narrower, geometry)


def shows_tray(one: Installation) -> bool:
    bare = Renderer(one.look, one.geometry, 0).frame(empty_world(one.geometry, Random(3)))
    return has_home_tray(bare, one.look.camera, one.geometry)


@pytest.mark.parametrize("number", [6, 15])
def test_tiles_are_no_rails_of_trays(number: int) -> None:
    """Wherever a rail might be, most parts of the side show an edge of some tile."""
    tiled = mixed(drawn_installation(23001, number))
    assert not tiled.geometry.has_trays
    assert not shows_tray(tiled)


@pytest.mark.parametrize("number", [5, 6, 15])
def test_the_edge_of_a_mat_is_no_rail_of_a_tray_and_a_tray_on_a_mat_is_one(number: int) -> None:
    board_drawn = drawn_installation(24001, number)
    assert not shows_tray(cluttered(trayless(board_drawn)))
    assert shows_tray(cluttered(board_drawn))


@pytest.mark.parametrize("number", [33, 34])
def test_the_shadow_beyond_a_broad_rail_is_no_second_rail(number: int) -> None:
    """It ends softly: what differs beside the rail's own edge differs farther out as well."""
    board_drawn = drawn_installation(83001, number)
    assert not shows_tray(trayless(board_drawn))
    assert shows_tray(board_drawn)


def test_the_outer_rail_of_a_narrow_tray_is_one_where_a_broad_rail_might_end() -> None:
    narrow = printed(drawn_installation(81001, 20))
    assert shows_tray(narrow)
    assert not shows_tray(trayless(narrow))


@pytest.mark.parametrize(("seed", "number"), [(81001, 14), (83001, 8)])
def test_a_stripe_that_goes_on_beyond_the_board_is_no_rail_of_a_tray(seed: int, number: int) -> None:
    board_drawn = drawn_installation(seed, number)
    assert not shows_tray(cluttered(trayless(board_drawn)))
    assert shows_tray(cluttered(board_drawn))


def test_checkers_that_were_borne_off_lie_on_the_table_beside_their_seats_home() -> None:
    world = bearing_off()
    off = [one for one in world.checkers if one.place == tray(Seat.A)]
    assert len(off) == len(world.at(tray(Seat.A))) == 2
    geometry = world.geometry
    side = 1.0 if geometry.home_on_right else -1.0
    for one in off:
        assert not one.on_edge
        assert side * one.x_mm - geometry.checker_diameter_mm / 2 > outline_mm(geometry)[2, 0]
        assert one.y_mm < 0
    layers = sorted((one.z_mm + TABLE_DEPTH_MM) / geometry.checker_height_mm for one in off)
    assert layers == pytest.approx([0.5, 1.5])


def test_nobody_says_how_many_were_borne_off_but_for_what_is_missing_elsewhere() -> None:
    world = bearing_off()
    reading = read_frame(renderer(False).frame(world), calibrated(False))
    told = {place.place: place for place in reading.board.places}
    for seat in (Seat.A, Seat.B):
        assert told[tray(seat)].hidden
        assert told[tray(seat)].chances == ()
    placement = world.placement()
    assert all(
        place.best == placement.at(place.place) for place in reading.board.places if place.place.kind is PlaceKind.POINT
    )
    # With trays where there are none it is sure that nothing was borne off: what this is for.
    given = calibrated(False)
    trays = Calibration.of(given.camera, given.geometry.with_trays(True), given.empty, given.start)
    wrong = {place.place: place for place in read_frame(renderer(False).frame(world), trays).board.places}
    assert wrong[tray(Seat.A)].best == ()
    assert wrong[tray(Seat.A)].confidence > 0.95
    counted = {place.place: place for place in with_whole_sets(reading, 15).board.places}
    assert counted[tray(Seat.A)].likelihood((Seat.A,) * 2) > 0.1
    assert counted[tray(Seat.A)].confidence < 0.9


@pytest.mark.parametrize("name", ["multigam", "blocking"])
def test_every_tray_of_a_game_is_left_open(name: str) -> None:
    table = VirtualTable(GAMES[name], look="walnut", seed=5)
    made = calibrate(table.empty_frame(), table.starting_frame())
    assert made.geometry.has_trays
    without = Calibration.of(made.camera, made.geometry.with_trays(False), made.empty, made.start)
    beside = (PlaceKind.TRAY, PlaceKind.WAITING)
    for calibration, hidden in ((made, {False}), (without, {True})):
        read = eyes_for(table.game, calibration, table.game_frame())(table.empty_frame()).board
        assert {place.hidden for place in read.places if place.place.kind in beside} == hidden


def test_trays_that_are_said_to_be_there_are_as_wide_as_common_ones() -> None:
    plain = BoardGeometry(checker_diameter_mm=40.0, tray_width_mm=50.0)
    assert plain.with_trays(True) is plain
    without = plain.with_trays(False)
    assert without == replace(plain, tray_width_mm=0.0)
    assert not without.has_trays
    assert without.with_trays(True).tray_width_mm == pytest.approx(45.0 * 40.0 / 38.0)
