"""What must hold in every game: random playouts end, nothing gets lost, the graph and the plays agree."""

import random
from collections.abc import Iterator

import pytest

from boardctl.rules import (
    Backgammon,
    Blocking,
    BlockingExpress,
    Faults,
    Game,
    MiniGam,
    Move,
    MultiGam,
    PlaceKind,
    Placement,
    Play,
    Position,
    Roll,
    Seat,
    Turn,
    bar,
    read_play,
    write_play,
)
from boardctl.rules.stack_game import StackGame
from boardctl.rules.turn import begin, moves_in, plays_in, proceed

GAMES = [Backgammon(), MiniGam(), MultiGam(), Blocking(), BlockingExpress()]
each_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
MOST_STATES = 20_000


def playout(game: Game, dice: random.Random) -> Iterator[tuple[Position, Turn, Play]]:
    """Every state of the turns of one game, with the play chosen; ends with the game's result."""
    position: Position = game.start()
    shown = {seat: dice.randint(1, 6) for seat in game.seats}
    opening = game.opening(shown)
    while opening.starter is None:
        shown.update({seat: dice.randint(1, 6) for seat in opening.again})
        opening = game.opening(shown, opening.again)
    seat, roll = opening.starter, opening.roll
    for _ in range(MOST_STATES):
        if game.result(position) is not None:
            return
        turn: Turn | None = begin(game, position, seat, roll or Roll(dice.randint(1, 6), dice.randint(1, 6)))
        while turn is not None:
            play = dice.choice(plays_in(game, position, turn))
            yield position, turn, play
            position = play.position
            turn = proceed(game, position, turn, len(play.moves))
        seat, roll = game.next_seat(position, seat), None
    pytest.fail(f"no end after {MOST_STATES} turns:\n{position}")


@each_game
def test_random_playouts_end_with_a_result(game: Game) -> None:
    dice = random.Random(7)
    for _ in range(12):
        *_, (_, _, last) = playout(game, dice)
        result = game.result(last.position)
        assert result is not None
        assert set(result.points) <= set(game.seats)


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


@pytest.mark.parametrize("game", [MiniGam(), MultiGam(), Blocking(), BlockingExpress()], ids=lambda game: game.name)
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


@pytest.mark.parametrize("game", [Backgammon(), MiniGam(), Blocking(), BlockingExpress()], ids=lambda game: game.name)
def test_both_seats_play_by_the_same_rules(game: Game) -> None:
    for position, turn, _ in list(playout(game, random.Random(29)))[::9]:
        other = game.position_of(mirrored(position.placement(), len(game.places) - 4))
        plays = {mirrored(play.position.placement(), len(game.places) - 4) for play in plays_in(game, position, turn)}
        turned = Turn(turn.roller.other, turn.roll, turn.control.other, turn.numbers, turn.later, turn.passed)
        assert {play.position.placement() for play in plays_in(game, other, turned)} == plays


@each_game
def test_strange_positions_seats_and_dice_are_refused(game: Game) -> None:
    with pytest.raises(ValueError, match="not a position of"):
        game.plays(Placement(), game.seats[0], Roll(3, 1))
    with pytest.raises(ValueError, match="a die shows 1 to 6"):
        game.moves(game.start(), game.seats[0], Roll(7, 1))
    with pytest.raises(ValueError, match="a die shows 1 to 6"):
        game.opening(dict.fromkeys(game.seats, 0))
    with pytest.raises(ValueError, match="one die of each"):
        game.opening({})
    if Seat.D not in game.seats:
        with pytest.raises(ValueError, match="is played by seats A"):
            game.plays(game.start(), Seat.D, Roll(3, 1))
    with pytest.raises(ValueError, match="no position of"):
        game.position_of(Placement())


def brute_force(game: StackGame, position: Position, turn: Turn) -> set[Position]:
    """What complete plays lead to, found by trying every order of the numbers and every single move."""
    runs: list[tuple[tuple[int, ...], Position]] = [((), position)]
    for numbers in {turn.numbers, turn.numbers[::-1]}:
        ends = [position]
        for at, number in enumerate(numbers, start=1):
            ends = list({after for end in ends for _, after in game.single_moves(end, turn.control, number)})
            runs += [(numbers[:at], end) for end in ends]
            done = [end for end in ends if isinstance(game, MultiGam) and turn.control in end.finished]
            runs += [(numbers, end) for end in done]  # the fifth checker off completes a play of Multi-Gam
            ends = [end for end in ends if end not in done]
    most = max(len(played) for played, _ in runs)
    longest = [run for run in runs if len(run[0]) == most]
    larger = [run for run in longest if run[0] == (max(turn.numbers),)] if most == 1 else longest
    return {end for _, end in larger or longest}


def moved(placement: Placement, seat: Seat, move: Move) -> Placement:
    assert placement.at(move.source)[-1] is seat
    changes = {move.source: placement.at(move.source)[:-1]}
    there = placement.at(move.target)
    if move.hit is not None:
        assert there == (move.hit,)
        changes[bar(move.hit)] = (*placement.at(bar(move.hit)), move.hit)
        there = ()
    changes[move.target] = (*there, seat)
    return placement.replaced(changes)


def mirrored(placement: Placement, points: int) -> Placement:
    """The placement with the seats exchanged and the board turned round."""
    return Placement(
        {
            place._replace(
                number=points + 1 - place.number if place.kind is PlaceKind.POINT else 0,
                seat=None if place.seat is None else place.seat.other,
            ): tuple(seat.other for seat in stack)
            for place, stack in placement.items()
        }
    )
