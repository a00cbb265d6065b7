"""What must hold in every position of the games on stacks with every roll."""

from dataclasses import replace

import pytest
from backgammon_cases import rolls
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from stack_cases import OTHER_READINGS, STACK_GAMES, after, brute_force, exchanged, moved, stack_positions

from boardctl.rules import (
    Faults,
    Placement,
    Play,
    Position,
    Roll,
    Turn,
    begin,
    moves_in,
    plays_in,
    read_play,
    write_play,
)
from boardctl.rules.stack_game import StackGame

each_game = pytest.mark.parametrize("game", STACK_GAMES, ids=lambda game: game.name)
quick = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def drawn(data: st.DataObject, game: StackGame) -> tuple[Position, Turn, list[Play]]:
    """Any position of a game with the turn of any seat that begins in it, and the legal plays."""
    position = data.draw(stack_positions(game))
    turn = begin(game, position, data.draw(st.sampled_from(game.seats)), data.draw(rolls))
    return position, turn, list(plays_in(game, position, turn))


@pytest.mark.parametrize("game", [*STACK_GAMES, *OTHER_READINGS], ids=str)
@given(data=st.data())
@settings(quick, max_examples=400)
def test_plays_are_what_trying_everything_finds(game: StackGame, data: st.DataObject) -> None:
    position, turn, plays = drawn(data, game)
    assert len({play.position for play in plays}) == len(plays)
    assert {play.position for play in plays} == brute_force(game, position, turn)


@each_game
@given(data=st.data())
@quick
def test_no_checker_appears_or_vanishes(game: StackGame, data: st.DataObject) -> None:
    position, turn, plays = drawn(data, game)
    for play in plays:
        placement = position.placement()
        for move in play.moves:
            placement = moved(placement, turn.control, move)
            assert [placement.total(seat) for seat in game.seats] == [game.checkers_a_seat] * len(game.seats)
        assert placement == play.position.placement()
        assert game.faults(placement) is Faults.NONE


@each_game
@given(data=st.data())
@quick
def test_no_play_leaves_the_graph_and_the_graph_holds_no_other(game: StackGame, data: st.DataObject) -> None:
    position, turn, plays = drawn(data, game)
    steps = moves_in(game, position, turn).steps
    assert {at for at, step in steps.items() if step.complete} == {play.position for play in plays}
    for play in plays:
        here = position
        for move in play.moves:
            here = dict(steps[here].onward)[move]
        assert here == play.position
    for step in steps.values():
        assert step.complete or step.onward
        assert all(result in steps for _, result in step.onward)


@each_game
@given(data=st.data())
@quick
def test_all_seats_play_by_the_same_rules(game: StackGame, data: st.DataObject) -> None:
    position, turn, plays = drawn(data, game)
    other = game.position_of(exchanged(game, position.placement()))
    turned = replace(turn, roller=after(game, turn.roller), control=after(game, turn.control))
    theirs: set[Placement] = {play.position.placement() for play in plays_in(game, other, turned)}
    assert theirs == {exchanged(game, play.position.placement()) for play in plays}


@each_game
@given(data=st.data())
@quick
def test_the_order_of_the_dice_never_matters_and_notation_reads_back(game: StackGame, data: st.DataObject) -> None:
    position, turn, plays = drawn(data, game)
    first, second = turn.roll
    swapped = plays_in(game, position, begin(game, position, turn.roller, Roll(second, first)))
    assert {play.position for play in swapped} == {play.position for play in plays}
    for play in plays[:10]:
        text = write_play(game, turn.control, play)
        assert read_play(game, position, turn.control, turn.roll, text).position == play.position


@each_game
@given(data=st.data())
@quick
def test_drawn_boards_read_back(game: StackGame, data: st.DataObject) -> None:
    position = data.draw(stack_positions(game))
    assert game.position_class.parse(str(position)).placement() == position.placement()
    assert all(position.at(place) == position.placement().at(place) for place in game.places)
