"""What must hold in every game: random playouts end, nothing gets lost, the graph and the plays agree."""

import random
from dataclasses import replace

import pytest
from stack_cases import STACK_GAMES, after, brute_force, exchanged, moved

from boardctl.rules import (
    Backgammon,
    Blocking,
    BlockingExpress,
    Faults,
    Game,
    MiniGam,
    MultiGam,
    Placement,
    Roll,
    Seat,
    read_play,
    tray,
    write_play,
)
from boardctl.rules.playouts import playout
from boardctl.rules.stack_game import StackGame
from boardctl.rules.turn import moves_in, plays_in

GAMES = [Backgammon(), MiniGam(), MultiGam(), Blocking(), BlockingExpress()]
each_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)


@each_game
def test_random_playouts_end_with_a_result_or_in_the_detected_lock(game: Game) -> None:
    """``boardctl rules playouts`` plays two thousand of each."""
    dice = random.Random(7)
    for _ in range(100 if isinstance(game, Blocking) else 200):
        *_, (_, _, last) = playout(game, dice)
        result = game.result(last.position)
        assert result is not None
        if result.winner is None:
            assert isinstance(game, Blocking)
            assert game.is_locked(last.position)
        else:
            assert sum(result.points.values()) in ({11} if isinstance(game, MultiGam) else {1, 2, 3})
            assert len(last.position.at(tray(result.winner))) == game.checkers_a_seat


@each_game
def test_every_move_of_a_playout_is_made_as_hands_make_it(game: Game) -> None:
    for position, turn, play in playout(game, random.Random(11)):
        placement = position.placement()
        for move in play.moves:
            placement = moved(placement, turn.control, move)
        assert placement == play.position.placement()
        assert game.faults(placement) is Faults.NONE
        assert game.position_of(placement).placement() == placement
        assert all(placement.total(seat) == game.checkers_a_seat for seat in game.seats)


@each_game
def test_graph_and_plays_agree_along_a_playout(game: Game) -> None:
    for position, turn, _ in list(playout(game, random.Random(13)))[::5]:
        plays = plays_in(game, position, turn)
        graph = moves_in(game, position, turn)
        assert len({play.position for play in plays}) == len(plays)
        assert {at for at, step in graph.steps.items() if step.complete} == {play.position for play in plays}
        for play in plays:
            here = position
            for move in play.moves:
                here = dict(graph.steps[here].onward)[move]
            assert here == play.position
        for step in graph.steps.values():
            assert step.complete or step.onward
            assert all(result in graph.steps for _, result in step.onward)


@pytest.mark.parametrize("game", STACK_GAMES, ids=lambda game: game.name)
def test_no_longer_play_is_overlooked(game: StackGame) -> None:
    for position, turn, _ in list(playout(game, random.Random(17)))[::5]:
        assert {play.position for play in plays_in(game, position, turn)} == brute_force(game, position, turn)


@each_game
def test_notation_of_plays_reads_back(game: Game) -> None:
    for position, turn, play in list(playout(game, random.Random(19)))[::7]:
        text = write_play(game, turn.control, play)
        if turn.control is turn.roller and turn.numbers == turn.roll.numbers:
            assert read_play(game, position, turn.control, turn.roll, text).position == play.position


@each_game
def test_boards_read_back(game: Game) -> None:
    for position, _, _ in list(playout(game, random.Random(23)))[::9]:
        again = type(position).parse(str(position))  # type: ignore[attr-defined]
        assert again.placement() == position.placement()
        assert all(position.at(place) == position.placement().at(place) for place in game.places)


@each_game
def test_all_seats_play_by_the_same_rules(game: Game) -> None:
    for position, turn, _ in list(playout(game, random.Random(29)))[::9]:
        other = game.position_of(exchanged(game, position.placement()))
        plays = {exchanged(game, play.position.placement()) for play in plays_in(game, position, turn)}
        turned = replace(turn, roller=after(game, turn.roller), control=after(game, turn.control))
        assert {play.position.placement() for play in plays_in(game, other, turned)} == plays


@each_game
def test_strange_positions_seats_and_dice_are_refused(game: Game) -> None:
    foreign = Backgammon().start() if isinstance(game, StackGame) else MiniGam().start()
    with pytest.raises(ValueError, match="not a position of") as refusal:
        game.plays(foreign, game.seats[0], Roll(3, 1))
    assert str(foreign) in str(refusal.value)
    with pytest.raises(ValueError, match="roll 7-1: a die shows 1 to 6") as refusal:
        game.moves(game.start(), game.seats[0], Roll(7, 1))
    assert str(game.start()) in str(refusal.value)
    with pytest.raises(ValueError, match="a die shows 1 to 6"):
        game.opening(dict.fromkeys(game.seats, 0))
    with pytest.raises(ValueError, match="one die of each"):
        game.opening({})
    if Seat.D not in game.seats:
        with pytest.raises(ValueError, match="is played by seats A"):
            game.plays(game.start(), Seat.D, Roll(3, 1))
    with pytest.raises(ValueError, match="no position of"):
        game.position_of(Placement())
