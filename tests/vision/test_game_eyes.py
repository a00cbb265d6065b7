"""The eyes of each game, on frames of the virtual table: order in a stack, four colours, bars in columns."""

from dataclasses import replace
from functools import cache
from random import Random

import numpy as np
import pytest
from brown_look import brown
from numpy.typing import NDArray

from boardctl.referee.readings import PlaceReading, Support
from boardctl.rules import Placement, Seat, bar, point
from boardctl.rules.games import GAMES
from boardctl.virtual import VirtualTable
from boardctl.virtual.dice import Die
from boardctl.virtual.world import set_up
from boardctl.vision.game_eyes import Eyes, eyes_for
from boardctl.vision.points.mixed import mixed_reading
from boardctl.vision.points.strip_reading import BARE_LOGITS, HAND, LAYERS
from calibration import CalibrationError, calibrate

A, B, C, D = Seat


@cache
def _table(name: str) -> tuple[VirtualTable, Eyes]:
    table = VirtualTable(GAMES[name], look="walnut", seed=5)
    calibration = calibrate(table.empty_frame(), table.starting_frame())
    return table, eyes_for(table.game, calibration, table.game_frame())


def seen(name: str, placement: Placement) -> dict[object, PlaceReading]:
    """Gets what the eyes of a game read of a placement."""
    table, eyes = _table(name)
    table.world = set_up(replace(table.world, dice=(), hands=()), placement, Random(1))
    return dict(eyes(table.picture()).board.by_place)


@pytest.mark.parametrize("name", ["minigam", "multigam", "blocking", "express"])
def test_the_starting_position_of_each_game_is_read(name: str) -> None:
    table, _ = _table(name)
    start = table.game.start().placement()
    read = seen(name, start)
    for place in table.game.places:
        assert read[place].hidden or read[place].best == start.at(place), place
    assert not any(read[place].hidden for place in table.game.places if place.seat is None)


def test_the_order_of_mixed_stacks_is_read() -> None:
    random = Random(2)
    stacks = {point(number): tuple(random.choices((A, B), k=random.randint(1, 4))) for number in range(1, 25)}
    read = seen("blocking", Placement(stacks))
    wrong = {place: read[place] for place, stack in stacks.items() if read[place].best != stack}
    assert len(wrong) <= 1
    assert all(reading.confidence < 0.98 for reading in wrong.values())


def test_four_colours_are_told_apart() -> None:
    stacks = {point(1): (A,), point(2): (B, B), point(4): (C, C), point(6): (D,), bar(A): (A,) * 4, bar(C): (C,) * 3}
    read = seen("multigam", Placement(stacks))
    for place, stack in stacks.items():
        assert read[place].best == stack, place
        assert read[place].confidence > 0.9, place  # a colour mistaken for another leaves less than half


def test_four_colours_are_told_apart_in_dim_light() -> None:
    table, _ = _table("multigam")
    calibration = calibrate(dimmed(table.empty_frame()), dimmed(table.starting_frame()))
    eyes = eyes_for(table.game, calibration, dimmed(table.game_frame()))
    stacks = {point(1): (A,), point(2): (B, B), point(4): (C, C), point(6): (D,), bar(A): (A,) * 4, bar(C): (C,) * 3}
    table.world = set_up(replace(table.world, dice=(), hands=()), Placement(stacks), Random(1))
    read = eyes(dimmed(table.picture())).board
    for place, stack in stacks.items():
        assert read.at(place).best == stack, place
        assert read.at(place).confidence > 0.9, place


def test_four_colours_are_told_apart_where_a_shadow_lies_over_half_of_the_board() -> None:
    table, eyes = _table("multigam")
    stacks = {point(1): (A,), point(2): (B, B), point(4): (C, C), point(6): (D,), bar(A): (A,) * 4, bar(C): (C,) * 3}
    table.world = set_up(replace(table.world, dice=(), hands=()), Placement(stacks), Random(1))
    shown = table.picture().astype(float)
    shown[:, shown.shape[1] // 2 :] *= 0.6
    read = eyes(np.asarray(np.rint(shown), dtype=np.uint8))
    assert read.view is not None
    assert read.view.gains == pytest.approx((1.0, 1.0, 1.0), abs=0.1), "the shadow was taken out"
    for place, stack in stacks.items():
        assert read.board.at(place).best == stack, place
        assert read.board.at(place).confidence > 0.9, place


def test_four_colours_are_told_apart_in_light_brighter_than_the_camera_can_take() -> None:
    table, eyes = _table("multigam")
    stacks = {point(1): (A,), point(2): (B, B), point(4): (C, C), point(6): (D,), bar(A): (A,) * 4, bar(C): (C,) * 3}
    table.world = set_up(replace(table.world, dice=(), hands=()), Placement(stacks), Random(1))
    board = eyes(np.asarray(np.clip(table.picture() * 1.6, 0, 255), dtype=np.uint8)).board
    for place, stack in stacks.items():
        assert board.at(place).best == stack, place


def test_seats_that_differ_in_lightness_alone_are_told_apart_under_uneven_light() -> None:
    """Light and dark wood, in any order on each other, on a board of which one end is far from the lamp."""
    table = VirtualTable(GAMES["blocking"], look=brown(), seed=5)
    calibration = calibrate(under_lamp(table.empty_frame()), under_lamp(table.starting_frame()))
    eyes = eyes_for(table.game, calibration)
    stacks = {point(2): (A, B), point(11): (B,), point(14): (A,), point(17): (B, A), point(22): (A, A), point(24): (B,)}
    table.world = set_up(replace(table.world, dice=(), hands=()), Placement(stacks), Random(1))
    read = eyes(under_lamp(table.picture())).board
    for place, stack in stacks.items():
        assert read.at(place).best == stack, place


def under_lamp(picture: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Gets a picture as it would be under a lamp far to its right."""
    light = np.exp(np.linspace(-0.8, 0.8, picture.shape[1]))[None, :, None]
    return np.asarray(np.clip(picture * light * 0.6, 0, 255), dtype=np.uint8)


def dimmed(picture: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Gets a picture as it would be in a fifth of the light."""
    return np.asarray(np.rint(picture * 0.2), dtype=np.uint8)


def test_the_colours_of_four_seats_must_be_shown_first() -> None:
    table, _ = _table("multigam")
    calibration = calibrate(table.empty_frame(), table.starting_frame())
    with pytest.raises(CalibrationError, match="the colours of C and D are not known"):
        eyes_for(table.game, calibration)


def test_checkers_underneath_are_left_open() -> None:
    logits = BARE_LOGITS.copy()
    logits[0, :5] = -8.0
    logits[1, :5] = 8.0
    logits[1, 0] = -8.0
    logits[2, 0] = 8.0
    logits[HAND] = -12.0
    colours = np.full((2, 7), 0.5)
    colours[:, :5] = [[0.998], [0.002]]
    read = mixed_reading(point(1), logits, colours, (A, B))
    six = [chance for chance in read.chances if len(chance.stack) == 6]
    assert {chance.stack[0] for chance in six[:2]} == {A, B}
    assert six[0].likelihood == pytest.approx(six[1].likelihood)
    assert six[0].stack[1:] == (A,) * 5
    assert LAYERS == 3


def die_at(x_mm: float, y_mm: float, height_mm: float) -> Die:
    return Die(2, x_mm, y_mm, height_mm, yaw_deg=30.0)


@pytest.mark.parametrize("seat", [A, B, C, D])
def test_a_die_on_a_checker_of_any_colour_does_not_lie_on_the_board(seat: Seat) -> None:
    table, eyes = _table("multigam")
    geometry = table.geometry
    world = set_up(replace(table.world, dice=(), hands=()), Placement({bar(seat): (seat,) * 3}), Random(1))
    lying = world.checkers[1]
    above = lying.z_mm + geometry.checker_height_mm / 2 + geometry.die_size_mm / 2
    table.world = replace(world, dice=(die_at(lying.x_mm + 8.0, lying.y_mm + 5.0, above),))
    (die,) = eyes(table.picture()).dice.dice
    assert die.on is Support.CHECKER
    # The same die between the columns lies on the board.
    beside = die_at(-140.0, lying.y_mm, geometry.die_size_mm / 2)
    table.world = replace(world, dice=(beside,))
    (die,) = eyes(table.picture()).dice.dice
    assert die.on is Support.SURFACE


@pytest.mark.parametrize("look", ["green-felt", "cork"])
def test_a_die_on_any_checker_of_a_stack_in_backgammon_stands_on_it(look: str) -> None:
    table = VirtualTable(GAMES["backgammon"], look=look, seed=5)
    eyes = eyes_for(table.game, calibrate(table.empty_frame(), table.starting_frame()))
    geometry = table.geometry
    world = set_up(replace(table.world, dice=(), hands=()), table.game.start().placement(), Random(1))
    for number, index in [(12, 1), (12, 4), (19, 0), (19, 3), (1, 1)]:
        x_mm, y_mm, z_mm = geometry.on_point(number, index)
        above = z_mm + geometry.checker_height_mm / 2 + geometry.die_size_mm / 2
        table.world = replace(world, dice=(die_at(x_mm + 6.0, y_mm, above),))
        (die,) = eyes(table.picture()).dice.dice
        assert die.on is Support.CHECKER, (number, index)


@pytest.mark.parametrize(("name", "stack"), [("blocking", (A, B)), ("multigam", (C,)), ("express", (B,))])
@pytest.mark.parametrize(("aside", "inwards"), [(0.25, 0.0), (0.0, 0.6)])
def test_checkers_off_their_row_are_seen_in_every_game(
    name: str, stack: tuple[Seat, ...], aside: float, inwards: float
) -> None:
    table, eyes = _table(name)
    place = point(2)  # pale checkers on this table's pale points, 3 among them, show their rims only
    world = set_up(replace(table.world, dice=(), hands=()), Placement({place: stack}), Random(1))
    geometry = world.geometry
    moved = tuple(
        replace(
            one,
            x_mm=one.x_mm + aside * geometry.point_width_mm,
            y_mm=one.y_mm + inwards * geometry.checker_diameter_mm,
        )
        for one in world.checkers
    )
    table.world = replace(world, checkers=moved)
    for _ in range(3):  # also where only what has changed is read anew
        reading = eyes(table.picture()).board.by_place[place]
        assert reading.best == stack
