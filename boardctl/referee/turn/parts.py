"""Turns of several parts: in some games control passes within a turn, and a double is followed by higher ones.

Each part is played and seen by itself. What was played is said when the whole turn has ended: until then it may be
taken back, and a board that does not follow from the last part that was seen may follow from the turn's beginning.
"""

from dataclasses import replace
from enum import StrEnum
from functools import lru_cache

from boardctl.referee.effects import Certainty, Phase, Text, TurnJudged
from boardctl.referee.response import Response
from boardctl.referee.seen.judging import CONTRADICTION, LIKELY_ODDS
from boardctl.referee.seen.weighing import best_board, whole_board
from boardctl.referee.state import Part, Stage, Turn
from boardctl.rules import Game, Place, PlaceKind, Placement, Play, Position, Roll, Seat, write_play
from boardctl.rules import Turn as Stand
from boardctl.rules.traits import pips_left
from boardctl.rules.turn import begin, moves_in, plays_in, proceed

_MOST_BOARDS = 400
"""How many boards are looked at for a way to what is seen. A turn that needs more must be shown part by part."""

_STEPS_A_BOARD = 20  # so many positions of one part cost as much as one board

_GROUP = 4  # so often is each number of a run of doubles played


def first_stand(game: Game, position: Position, seat: Seat, roll: Roll) -> Stand:
    """Gets where a turn stands at its beginning: at the first numbers that somebody can play."""
    stand = begin(game, position, seat, roll)
    return _playable(game, position, stand) or stand


def next_stand(game: Game, play: Play, stand: Stand) -> Stand | None:
    """Gets the next numbers of a turn that somebody can play after a play of the present ones; None when it is over."""
    following = proceed(game, play.position, stand, len(play.moves))
    return None if following is None else _playable(game, play.position, following)


def _playable(game: Game, position: Position, stand: Stand | None) -> Stand | None:
    while stand is not None and not any(play.moves for play in plays_in(game, position, stand)):
        stand = proceed(game, position, stand, 0)
    return stand


def at_stand(turn: Turn, stand: Stand, before: Position, parts: tuple[Part, ...]) -> Turn:
    """Gets a turn at another of its parts."""
    roll = Roll(stand.numbers[0], stand.numbers[0]) if stand.roll.is_double else stand.roll
    return replace(turn, seat=stand.control, roll=roll, before=before, stand=stand, parts=parts)


def goes_on(response: Response, certainty: Certainty) -> bool:
    """Begins the next part of a turn whose present part stands complete; whether there is one."""
    turn, play = response.state.turn, response.state.progress.play
    if turn is None or play is None or response.state.progress.stage is not Stage.COMPLETE:
        return False
    following = next_stand(response.game, play, turn.stand)
    if following is None:
        return False
    part = Part(turn.seat, turn.roll, certainty, turn.before, play)
    _move_to(response, at_stand(turn, following, play.position, (*turn.parts, part)))
    return True


class Found(StrEnum):
    """Whether a board follows from the beginning of a turn by other parts than those that were followed."""

    YES = "yes"
    NO = "no"
    OPEN = "open"  # there are too many ways to try them all, or not every point is seen


def found_again(response: Response) -> Found:
    """Looks for the board that is seen in all parts of the turn, from its beginning; the turn goes on from there."""
    turn = response.state.turn
    evidence = response.evidence
    if turn is None or any(place.kind is PlaceKind.POINT for place in evidence.hidden):
        return Found.OPEN
    origin, stand = _origin(response.game, turn)
    found, given_up = None, False
    for board in _boards(response, turn.before.placement()):
        found, too_many = _way_to(response.game, origin, stand, board)
        given_up |= too_many
        if found is not None:
            break
    if found is None:
        return Found.OPEN if given_up else Found.NO
    position, reached, played = found
    if reached == turn.stand and position == turn.before:
        return Found.NO
    parts = tuple(Part(each.control, _roll(each), Certainty.PROBABLE, before, play) for each, before, play in played)
    _move_to(response, at_stand(turn, reached, position, parts))
    return Found.YES


def _boards(response: Response, expected: Placement) -> tuple[Placement, ...]:
    """Gets the boards that may be seen: the one that fits best, and the one that differs from what was expected only
    where that is seen to be wrong.

    Every board on the way of a turn has all checkers: one that seems to be missing may have been misread.
    """
    evidence = response.evidence
    best, weight = best_board(response.game, evidence, expected)
    whole = whole_board(response.game, evidence, weight - CONTRADICTION, expected) or best
    wrong = {place for place, gap in evidence.gaps(expected).items() if gap >= LIKELY_ODDS}
    likely = Placement(
        {place: (whole if place in wrong else expected).at(place) for place in response.game.places},
    )
    kept = all(likely.total(seat) == response.game.checkers_a_seat for seat in response.game.seats)
    return (whole, likely) if kept and weight - evidence.weight_of(likely) < CONTRADICTION else (whole,)


def say_parts(response: Response) -> None:
    """Says the parts of a turn that were played before the present one; from now on they stand."""
    turn = response.state.turn
    if turn is None or not turn.parts:
        return
    for part in turn.parts:
        written = write_play(response.game, part.seat, part.play)
        before, after = part.before.placement(), part.play.position.placement()
        response.say(TurnJudged(part.seat, part.roll, written, True, part.certainty, before, after))
    played = len(turn.parts)
    response.change(turn=replace(turn, parts=()), turns_played=response.state.turns_played + played)


def _roll(stand: Stand) -> Roll:
    return Roll(stand.numbers[0], stand.numbers[0])


def _origin(game: Game, turn: Turn) -> tuple[Position, Stand]:
    if not turn.parts:
        return turn.before, turn.stand
    origin = turn.parts[0].before
    return origin, first_stand(game, origin, turn.stand.roller, turn.stand.roll)


def _move_to(response: Response, turn: Turn) -> None:
    before = response.state.turn
    response.change(turn=turn, standing=(), lifted=(), followed=None)
    if before is not None and before.seat is not turn.seat:
        response.enter(Phase.MOVE, turn.seat)
    numbers = ", ".join(map(str, turn.stand.numbers))
    response.notice(Text.of("turn.numbers", seat=turn.seat, numbers=numbers))


class _Search:
    """The search for a way from the beginning of a turn to a board, the likeliest plays of every part first.

    ``given_up``: it was left because there are too many ways, so that nothing follows from having found none.
    """

    def __init__(self, game: Game, board: Placement) -> None:
        self._game = game
        self._board = board
        self._tried: set[tuple[Position, Stand]] = set()
        self._left = _MOST_BOARDS
        self.given_up = False

    def way(self, position: Position, stand: Stand) -> "_Way | None":
        """Gets where the turn stands when the board shows a position of it: the part, and the parts before it."""
        if (position, stand) in self._tried:
            return None
        self._tried.add((position, stand))
        if self._within_part(position, stand):
            return position, stand, ()
        leading = [
            play
            for play in plays_in(self._game, position, stand)
            if play.moves and _may_lead_to(self._game, play.position, self._board, stand)
        ]
        self._left -= 1 + len(leading)
        for play in sorted(leading, key=lambda play: len(play.position.placement().differences(self._board))):
            following = next_stand(self._game, play, stand)
            if following is None:
                continue
            if self._left < 0:
                self.given_up = True
                return None
            found = self.way(play.position, following)
            if found is not None:
                at, reached, parts = found
                return at, reached, ((stand, position, play), *parts)
        return None

    def _within_part(self, position: Position, stand: Stand) -> bool:
        if _pips_between(self._game, position, self._board) > sum(stand.numbers):
            return False
        graph = moves_in(self._game, position, stand)
        self._left -= len(graph.steps) // _STEPS_A_BOARD
        return any(reached.placement() == self._board for reached in graph.steps)


_Way = tuple[Position, Stand, tuple[tuple[Stand, Position, Play], ...]]


@lru_cache(maxsize=4)
def _way_to(game: Game, position: Position, stand: Stand, board: Placement) -> tuple[_Way | None, bool]:
    """Gets the way to a board and whether the search for it was given up; the same is asked more than once a turn."""
    search = _Search(game, board)
    return search.way(position, stand), search.given_up


def _may_lead_to(game: Game, position: Position, board: Placement, stand: Stand) -> bool:
    """Whether no checker would have to go backwards, and none of them farther than the numbers that are left.

    From every distance on, at least as many checkers lie as shall lie there.
    """
    for seat in game.seats:
        ahead = 0
        for _, place in _from_behind(game, seat):
            ahead += position.at(place).count(seat) - board.count(place, seat)
            if ahead < 0:
                return False
    left = sum(stand.numbers) + sum(_GROUP * number for number in stand.later)
    return _pips_between(game, position, board) <= left


def _pips_between(game: Game, position: Position, board: Placement) -> int:
    return sum(
        pips * (position.at(place).count(seat) - board.count(place, seat))
        for seat in game.seats
        for pips, place in _from_behind(game, seat)
    )


@lru_cache(maxsize=16)
def _from_behind(game: Game, seat: Seat) -> tuple[tuple[int, Place], ...]:
    """Gets all places with how many pips a checker has to go from there, the farthest first."""
    return tuple(sorted(((pips_left(game, seat, place), place) for place in game.places), reverse=True))
