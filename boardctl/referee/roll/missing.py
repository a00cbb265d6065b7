"""Checkers that were never there: a seat began with fewer than all, and that is found after the game has begun.

They are put on where they are missing while a wrong start must be put right, afterwards if both agree. Until then they
stay out: they are not borne off, and a game lost without them can be a gammon all the same (US 2008, 4.4, and a case
ruled from a recording, as told by third parties). Inside the referee they lie in their seat's tray, so that positions
are whole; what was read of the trays is read accordingly, and what a game came to is counted without them.

A checker that was seen for sure and is gone was not missing since the start: that is another matter.
"""

from collections.abc import Iterable
from dataclasses import replace
from math import inf

from boardctl.referee.facts import BoardSeen, Fact, PositionDeclared
from boardctl.referee.readings import BoardReading, PlaceReading, StackChance
from boardctl.referee.response import Response
from boardctl.referee.seen.judging import LIKELY_ODDS
from boardctl.referee.seen.weighing import Evidence, combined
from boardctl.referee.state import WrongStart
from boardctl.referee.turn.parts import at_stand, first_stand
from boardctl.referee.turn.setup_window import say_what_holds
from boardctl.rules import Faults, Game, Place, PlaceKind, Placement, Position, Result, Seat, Stack, tray

Missing = tuple[tuple[Seat, int], ...]
"""How many checkers of which seats are missing."""


def with_missing(response: Response, fact: Fact) -> Fact:
    """Gets a fact with the missing checkers read as if they lay in their seats' trays.

    Who declares a board that has them all has put them on.
    """
    missing = response.state.missing
    if not missing or not isinstance(fact, BoardSeen | PositionDeclared):
        return fact
    board = Evidence((fact.reading,), response.game.places).best
    if isinstance(fact, PositionDeclared) and not lacking(response.game, board):
        nothing_missing(response)
        return fact
    return replace(fact, reading=in_trays(fact.reading, missing))


def in_trays(reading: BoardReading, missing: Missing, *, sign: int = 1) -> BoardReading:
    """Gets a reading with checkers added to the trays; ``sign`` -1: taken out of them again."""
    more = {tray(seat): (seat, sign * count) for seat, count in missing}
    places = tuple(_with_more(one, *more[one.place]) if one.place in more else one for one in reading.places)
    return replace(reading, places=places)


def _with_more(reading: PlaceReading, seat: Seat, count: int) -> PlaceReading:
    chances = [
        StackChance((*chance.stack, *(seat,) * count) if count > 0 else chance.stack[:count], chance.likelihood)
        for chance in reading.chances
        if len(chance.stack) + count >= 0
    ]
    return replace(reading, chances=tuple(chances))


def lacking(game: Game, board: Placement) -> Missing:
    """Gets how many checkers of which seats a board lacks; nothing where a seat has too many."""
    short = tuple((seat, game.checkers_a_seat - board.total(seat)) for seat in game.seats)
    return tuple((seat, count) for seat, count in short if count) if all(count >= 0 for _, count in short) else ()


def filled(board: Placement, missing: Missing) -> Placement:
    """Gets a board with missing checkers in their seats' trays."""
    return board.replaced({tray(seat): (*board.at(tray(seat)), *(seat,) * count) for seat, count in missing})


def leave_out(response: Response, missing: Missing) -> None:
    """Lets the game go on without these checkers, by what was read so far, too."""
    now = dict(response.state.missing)
    for seat, count in missing:
        now[seat] = now.get(seat, 0) + count
    _read_anew(response, missing, 1)
    response.change(missing=tuple(now.items()))


def nothing_missing(response: Response) -> None:
    """Lets all checkers be there again, by what was read so far, too."""
    _read_anew(response, response.state.missing, -1)
    response.change(missing=())


def _read_anew(response: Response, missing: Missing, sign: int) -> None:
    fields = ("readings", "standing", "ended_on", "began_on")
    response.change(
        **{
            name: tuple((witness, in_trays(one, missing, sign=sign)) for witness, one in getattr(response.state, name))
            for name in fields
        }
    )


def as_read(response: Response) -> Evidence:
    """Gets what all witnesses together saw, of the trays what lies in them."""
    missing = response.state.missing
    readings = {witness: in_trays(one, missing, sign=-1) for witness, one in response.readings.items()}
    return combined(readings, response.game.places)


def note_whole(response: Response) -> None:
    """Remembers the seats of which all checkers were seen for sure in this game, where they should be."""
    state = response.state
    if state.position is None or len(state.seen_whole) == len(response.game.seats) or state.missing:
        return
    evidence, board = response.evidence, state.position.placement()
    if evidence.hand:
        return
    whole = [seat for seat in response.game.seats if seat in state.seen_whole or _seen(evidence, board, seat)]
    response.change(seen_whole=tuple(whole))


def _seen(evidence: Evidence, board: Placement, seat: Seat) -> bool:
    """Whether all checkers of a seat on the points are seen for sure; what lies beside the board may be hidden."""
    places = [place for place in board if seat in board.at(place)]
    return all(
        _surely(evidence, place, board.at(place))
        for place in places
        if place.kind is PlaceKind.POINT or place in evidence.weights
    )


def _surely(evidence: Evidence, place: Place, stack: Stack) -> bool:
    others = [weight for other, weight in evidence.weights.get(place, {}).items() if other != stack]
    seen = place in evidence.weights
    return seen and evidence.weight(place, stack) - max(others, default=-inf) >= LIKELY_ODDS


def found_short(response: Response, seen: Placement, expected: Iterable[Position]) -> bool:
    """Takes it that a board lacks checkers that nobody has seen for sure since the start, if it is otherwise one of
    those that are expected; whether it does. The turn in progress is then played without them, too."""
    state = response.state
    missing = lacking(response.game, seen)
    if not missing or any(seat in state.seen_whole for seat, _ in missing) or response.evidence.hand:
        return False
    found = next((gone for one in expected if (gone := _only_gone(one.placement(), seen)) is not None), None)
    if found is None or state.position is None or state.wrong_start is not None or _were_there(response, found):
        return False
    before = _without(state.position.placement(), found)
    if before is None or response.game.faults(before) is not Faults.NONE:
        return False
    leave_out(response, missing)
    position = response.position_of(before)
    rolls = state.turns_played + (state.turn is not None)
    starter = state.opening_winner or state.seat or response.game.seats[0]
    astray = tuple((tray(seat), place, seat) for place, seat in found)
    wrong = WrongStart(astray, starter, rolls, (rolls + 1) // len(response.game.seats))
    response.change(position=position, wrong_start=wrong, unexplained=())
    turn = state.turn
    if turn is not None:
        stand = first_stand(response.game, position, turn.roller, turn.stand.roll)
        response.change(turn=at_stand(turn, stand, position, ()))
    say_what_holds(response, wrong)
    return True


def _were_there(response: Response, gone: Iterable[tuple[Place, Seat]]) -> bool:
    """Whether checkers that are gone were seen for sure when the turn began, by all witnesses together or by one."""
    state = response.state
    assert state.position is not None
    then = dict(state.ended_on if state.turn is None else state.began_on)
    looks = [then, *({witness: reading} for witness, reading in then.items())]
    seen = [combined(look, response.game.places) for look in looks]
    return any(_surely(one, place, state.position.at(place)) for one in seen for place, _ in gone)


def _only_gone(board: Placement, seen: Placement) -> tuple[tuple[Place, Seat], ...] | None:
    """Gets which checkers of a board are gone, if nothing else is different."""
    gone: list[tuple[Place, Seat]] = []
    for place, (stack, now) in board.differences(seen).items():
        if place.kind is not PlaceKind.POINT or len(now) >= len(stack) or stack[: len(now)] != now:
            return None
        gone += [(place, seat) for seat in stack[len(now) :]]
    return tuple(gone) or None


def _without(board: Placement, gone: Iterable[tuple[Place, Seat]]) -> Placement | None:
    """Gets a board with some checkers in the trays instead of at their places; None where one is not there."""
    for place, seat in gone:
        stack = board.at(place)
        if seat not in stack:
            return None
        board = board.replaced({place: stack[:-1], tray(seat): (*board.at(tray(seat)), seat)})
    return board


def counted(response: Response, result: Result) -> Result:
    """Gets what a game came to: what is missing was not borne off, and saves nobody from a gammon."""
    state = response.state
    if result.winner is None or state.position is None or not state.missing:
        return result
    board = state.position.placement()
    for seat, count in state.missing:
        if seat is result.winner or board.count(tray(seat), seat) > count:
            continue
        place = next(place for place in board if place != tray(seat) and board.count(place, seat))
        there = (*board.at(place), *(seat,) * count)
        board = board.replaced({tray(seat): (), place: there})
    return response.game.result(response.game.position_of(board)) or result
