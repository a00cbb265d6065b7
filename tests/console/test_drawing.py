"""The board as shapes: every checker of every game is drawn, on the board or in its trays."""

from dataclasses import replace

import pytest

from boardctl.console.drawing import BoardDrawing, board_shape, words_of
from boardctl.console.telling import Telling
from boardctl.lights import DieShown
from boardctl.lights.on_board import layout_for, placement_on_board
from boardctl.referee.effects import Mark, Scene, Sign
from boardctl.rules import Backgammon, Placement, Seat, point, tray
from boardctl.rules.games import GAMES, game_named
from calibration import BoardGeometry, bar_columns, board_for

GEOMETRY = BoardGeometry()


@pytest.mark.parametrize("name", GAMES)
def test_every_checker_of_every_game_is_drawn_apart_from_the_others(name: str) -> None:
    game = game_named(name)
    geometry = board_for(game, GEOMETRY)
    placement = placement_on_board(game.start().placement(), bar_columns(game))
    drawn = BoardDrawing(geometry, layout_for(game.seats))(Telling(placement))
    shape = board_shape(geometry, game)
    assert len(drawn.checkers) == sum(map(len, placement.values()))
    assert len({(one.x, one.y) for one in drawn.checkers}) == len(drawn.checkers)
    outer = abs(shape.tray_x) + shape.tray_width / 2
    for one in drawn.checkers:
        assert abs(one.y) < shape.half_height
        assert abs(one.x) < (outer if one.edge else shape.half_width)
        assert shape.waiting or one.x * shape.tray_x > 0 or not one.edge


@pytest.mark.parametrize("seat", Seat)
def test_the_turn_of_each_of_four_seats_is_lit_elsewhere(seat: Seat) -> None:
    game = game_named("multigam")
    drawing = BoardDrawing(board_for(game, GEOMETRY), layout_for(game.seats))
    places = {
        one: {(lamp.x, lamp.y) for lamp in drawing(Telling(scene=Scene((Mark(Sign.TURN, None, one),)))).lamps}
        for one in Seat
    }
    assert len(places[seat]) == 2
    assert all(places[seat].isdisjoint(places[other]) for other in Seat if other is not seat)


def test_what_the_lights_say_is_explained_and_has_a_symbol_each() -> None:
    scene = Scene((Mark(Sign.PROBLEM, point(5)), Mark(Sign.TURN, None, Seat.B)))
    drawn = BoardDrawing(GEOMETRY, layout_for(Backgammon().seats))(Telling(scene=scene))
    assert {(one.symbol, one.means) for one in drawn.legend} == {
        ("!", "something is wrong here"),
        ("*", "whose turn it is"),
    }
    assert {lamp.symbol for lamp in drawn.lamps} == {"!", "*"}


def test_a_high_stack_and_a_tray_say_how_many_lie_there() -> None:
    placement = Placement({point(6): (Seat.A,) * 7, tray(Seat.B): (Seat.B,) * 3})
    drawn = BoardDrawing(GEOMETRY, layout_for(Backgammon().seats))(Telling(placement))
    assert [one.label for one in drawn.checkers if one.label] == ["7", "3"]
    assert words_of(placement) == "point 6: 7 A; tray B: 3 B"


def test_dice_lie_where_they_were_seen_and_say_what_cannot_be_read() -> None:
    seen = (DieShown(3, Seat.A, (100.0, -20.0)), DieShown(None, Seat.A, (140.0, 10.0), flat=False))
    drawn = BoardDrawing(GEOMETRY, layout_for(Backgammon().seats))(Telling(dice=seen))
    assert [(die.x, die.y, die.value, die.flat) for die in drawn.dice] == [
        (100.0, -20.0, 3, True),
        (140.0, 10.0, None, False),
    ]


@pytest.mark.parametrize(("owner", "side"), [(None, 0), (Seat.A, -1), (Seat.B, 1)])
def test_the_cube_lies_with_its_owner(owner: Seat | None, side: int) -> None:
    told = replace(Telling(), cube=(4, owner))
    cube = BoardDrawing(GEOMETRY, layout_for(Backgammon().seats))(told).cube
    assert cube is not None
    assert (cube.value, cube.y * side > 0 or side == cube.y == 0) == (4, True)
