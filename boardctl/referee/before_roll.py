"""A board that changes before anybody has rolled: whether it has changed at all, and what that is called.

Where the turn before led to may only be presumed. A board that is seen otherwise then either is what that turn led to,
or has changed since: the readings by which the turn was ended tell which, as far as they go.
"""

from collections.abc import Iterable, Sequence
from math import inf

from boardctl.referee.effects import Notice, Text
from boardctl.referee.judging import AGREEMENT, CONTRADICTION, LIKELY_ODDS
from boardctl.referee.parts import first_stand
from boardctl.referee.response import Response
from boardctl.referee.unsettled import drop_unsettled
from boardctl.referee.weighing import best_board, combined, weigh_graph
from boardctl.rules import Faults, Placement, Position, Roll, Seat
from boardctl.rules.turn import moves_in, plays_in

ROLLS = tuple(Roll.of(high, low) for high in range(1, 7) for low in range(1, high + 1))
"""Every roll of two dice."""


def ends_last_turn(response: Response, board: Placement) -> bool:
    """Whether a legal play of the turn before leads to a board."""
    last = response.state.previous
    plays = plays_in(response.game, last.before, last.stand) if last is not None else ()
    return any(play.position.placement() == board for play in plays)


def is_presumed(response: Response, board: Placement) -> bool:
    """Whether the turn before, whose end was not seen for sure, may have led to a board that is seen."""
    possible = board != response.game.start().placement() and response.game.faults(board) is Faults.NONE
    return not response.state.position_sure and response.evidence.shows(board) and possible


def has_changed(response: Response, board: Placement) -> bool:
    """Whether what was seen when the turn before ended contradicts a board, so that it has changed since.

    False also where nothing was seen then, where a legal play of that turn leads to the board, and where the game is
    followed from pictures taken now and then, between which anything may have been played.
    """
    seen = combined(dict(response.state.ended_on), response.game.places)
    if not seen.weights or response.match.recorded or ends_last_turn(response, board):
        return False
    _, weight = best_board(response.game, seen, board)
    return weight - seen.weight_of(board) >= CONTRADICTION


def take_as_it_stands(response: Response, board: Placement) -> None:
    """Lets the game go on from a board, where the turn before led to was only presumed.

    It is vouched for if a legal play leads there: otherwise it may as well have been knocked since.
    """
    drop_unsettled(response)
    played = ends_last_turn(response, board)
    sure = played and not response.evidence.leaves_open(board)
    response.change(position=response.position_of(board), position_sure=sure, unplayed=not played)


def take_before_roll(response: Response, seat: Seat, roll: Roll) -> None:
    """Lets the game go on from a board that was said to have changed, when a seat rolls on it all the same.

    Only where the turn before led to was presumed: then the players know better. Who has moved a part of this very roll
    before throwing it plays on from where it was.
    """
    state = response.state
    evidence = response.evidence
    if not state.unexplained or state.position is None or state.position_sure or evidence.hand:
        return
    board, weight = best_board(response.game, evidence, state.position.placement())
    begun, _ = _best(response, state.position, seat, (roll,))
    if weight - begun >= CONTRADICTION and is_presumed(response, board):
        take_as_it_stands(response, board)


def say_what_changed(response: Response, board: Placement, weight: float) -> None:
    """Says what happened to a board of a weight although nobody has rolled; and that the turn before may have ended so,
    where that was not seen for sure."""
    state = response.state
    assert state.position is not None
    expected = state.position.placement()
    points = ", ".join(str(place) for place in response.game.places if board.at(place) != expected.at(place))
    text = Text.of("roll.board_changed", points=points)
    if state.seat is not None and state.previous is not None:
        results = state.unsettled.results if state.unsettled is not None else ()
        bases = dict.fromkeys((state.position, *results))
        seats = (state.seat, *(seat for seat in response.game.seats if seat is not state.seat))
        text = moved_unrolled(response, bases, weight, seats, state.previous.roll) or text
    response.say(Notice(text))
    if is_presumed(response, board):
        response.notice(Text.of("roll.or_ended_so"))


def moved_unrolled(
    response: Response, bases: Iterable[Position], weight: float, seats: Sequence[Seat], roll: Roll
) -> Text | None:
    """Gets what was moved by whom without a roll, if that explains what is seen.

    ``bases``: from where, the likeliest first. ``weight``: that of the board that fits best of all. ``seats``: who may
    have moved, first who is to roll. ``roll``: the one before, which that seat may have played instead of rolling.
    """
    for base in bases:
        for seat in seats:
            own = seat is seats[0]
            whole = _best(response, base, seat, (roll,), whole=True) if own else (-inf, base)
            part = _best(response, base, seat, ROLLS)
            if weight - max(whole, part, key=_weight)[0] >= LIKELY_ODDS:
                continue
            if part[0] - whole[0] <= AGREEMENT:
                return Text.of("roll.played_opponents_roll", seat=seat, roll=roll)
            changed = (place for place in response.game.places if part[1].at(place) != base.at(place))
            return Text.of("roll.played_without_rolling", seat=seat, points=", ".join(map(str, changed)))
    return None


_Found = tuple[float, Position]


def _weight(found: _Found) -> float:
    return found[0]


def _best(response: Response, base: Position, seat: Seat, rolls: Iterable[Roll], *, whole: bool = False) -> _Found:
    """Gets the likeliest position that moves of one of some rolls lead to, and its weight; ``whole``: all of them."""
    best: _Found = (-inf, base)
    for roll in rolls:
        graph = moves_in(response.game, base, first_stand(response.game, base, seat, roll))
        weights = weigh_graph(response.evidence, graph)
        for position, weight in weights.items():
            moved = position != base and (graph.steps[position].complete or not whole)
            if moved and weight > best[0]:
                best = (weight, position)
    return best
