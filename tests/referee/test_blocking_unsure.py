"""The Blocking games where checkers lie under others: what nobody can see is not vouched for."""

from collections.abc import Mapping

import pytest
from seats_at_table import Seats

from boardctl.referee.effects import Certainty, GameEnded, Phase, TurnJudged
from boardctl.referee.facts import PositionDeclared, Role
from boardctl.referee.readings import BoardReading, PlaceReading, StackChance, Witness
from boardctl.rules import Place, Placement, Seat, Stack, point, tray
from boardctl.rules.games import GAMES
from boardctl.rules.turn import begin, plays_in, proceed

A, B = Seat.A, Seat.B
Chances = Mapping[Place, Mapping[Stack, float]]


def seen(game_name: str, board: Placement, otherwise: Chances | None = None) -> BoardReading:
    """Gets what a camera sees of a board: some places otherwise, with several stacks, the likeliest first."""
    otherwise = otherwise or {}
    places = [
        PlaceReading(place, tuple(StackChance(*one) for one in otherwise[place].items()))
        if place in otherwise
        else PlaceReading(place, (StackChance(board.at(place), 0.9995),))
        for place in GAMES[game_name].places
    ]
    return BoardReading(Witness.CAMERA, tuple(places))


def to_roll(game_name: str, board: Placement, seat: Seat, otherwise: Chances | None = None) -> Seats:
    """Gets a table where a seat is to roll from a board that was seen by :func:`seen`."""
    seats = Seats(game=GAMES[game_name])
    seats.feed(PositionDeclared(seats.now(), Role.DIRECTOR, seen(game_name, board, otherwise), seat))
    return seats


LOCKING = Placement({point(1): (B, B, *(A,) * 13), point(23): (B,), point(24): (A, A, *(B,) * 12)})
LOCKED = LOCKING.replaced({point(23): (), point(24): (A, A, *(B,) * 13)})


def covered(board: Placement) -> Chances:
    """Gets the two tall stacks of a board as they look when nobody sees whose checkers lie at the bottom."""
    tall = {place: board.at(place) for place in (point(1), point(24))}
    return {place: {stack: 0.499, (stack[0].other, *stack[1:]): 0.499} for place, stack in tall.items()}


def test_a_lock_of_checkers_that_are_known_ends_the_game() -> None:
    seats = to_roll("blocking", LOCKING, B)
    seats.roll(B, 3, 1)
    # Nobody sees whose checkers lie at the bottom; from where the game has come they are known.
    seats.see(seen("blocking", LOCKED, covered(LOCKED)))
    seats.lift()
    assert [effect.winner for effect in seats.effects if isinstance(effect, GameEnded)] == [None]


def test_a_lock_of_checkers_that_are_presumed_does_not_end_it() -> None:
    seats = to_roll("blocking", LOCKING, B, covered(LOCKING))
    seats.roll(B, 3, 1)
    seats.see(seen("blocking", LOCKED, covered(LOCKED)))
    seats.lift()
    assert seats.judged.certainty is Certainty.PROBABLE
    assert not [effect for effect in seats.effects if isinstance(effect, GameEnded)]
    assert (seats.referee.state.phase, seats.referee.state.seat) == (Phase.ROLL, A)


@pytest.mark.parametrize("known", [True, False])
def test_no_play_from_a_board_with_unknown_checkers_is_vouched_for(known: bool) -> None:
    seats = to_roll("blocking", LOCKING, B, None if known else covered(LOCKING))
    seats.see(seen("blocking", LOCKING, covered(LOCKING)))
    seats.roll(B, 4, 2)  # nothing can be moved
    seats.see(seen("blocking", LOCKING, covered(LOCKING)))
    after = LOCKING.replaced({point(23): (), tray(B): (B,)})
    seats.see(seen("blocking", after))
    seats.lift()
    expected = Certainty.CERTAIN if known else Certainty.PROBABLE
    assert (seats.judged.legal, seats.judged.certainty) == (False, expected)


def test_a_board_that_is_taken_up_with_unknown_checkers_stays_presumed() -> None:
    seats = to_roll("blocking", LOCKING, B, covered(LOCKING))
    other = LOCKING.replaced({point(23): (), point(21): (B,)})
    seats.see(seen("blocking", other, covered(other)))
    assert seats.referee.state.position is not None
    assert seats.referee.state.position.placement() == other
    seats.roll(B, 6, 2)
    seats.see(seen("blocking", other.replaced({point(21): (), point(22): (B,)})))
    seats.lift()
    assert (seats.judged.legal, seats.judged.certainty) == (False, Certainty.PROBABLE)


TALL = Placement(
    {point(1): (A,) * 7, point(2): (A,) * 8, point(10): (B,) * 3, point(14): (B,) * 3, point(24): (B,) * 9}
)


def miscounted(board: Placement) -> Chances:
    """Gets two tall stacks that look a little more like one checker fewer and one more than there are."""
    fewer, more = board.at(point(1)), board.at(point(2))
    return {point(1): {fewer[1:]: 0.5, fewer: 0.4}, point(2): {(*more, A): 0.5, more: 0.4}}


def test_a_run_of_doubles_is_found_among_stacks_that_are_hard_to_count() -> None:
    """Of a run only the end is seen. The likeliest board of it does not follow from where the run began; the one that
    differs from that only where it must does."""
    game = GAMES["express"]
    seats = to_roll("express", TALL, B)
    position, stand = seats.referee.state.position, None
    assert position is not None
    seats.roll(B, 4, 4)
    stand = begin(game, position, B, seats.referee.state.turn.roll) if seats.referee.state.turn else None
    assert stand is not None
    parts = 0
    while stand is not None:
        play = plays_in(game, position, stand)[0]
        parts += bool(play.moves)
        position, stand = play.position, proceed(game, position, stand, len(play.moves))
    assert parts > 1
    end = position.placement()
    seats.see(seen("express", end, miscounted(end)))
    seats.lift()
    judged = [effect for effect in seats.effects if isinstance(effect, TurnJudged)]
    assert [one.legal for one in judged] == [True] * parts
    assert judged[-1].after == end
