"""Blocking Backgammon: no hitting; one checker alone owns a point; the last to arrive is the first that may leave."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar

from boardctl.rules import diagram
from boardctl.rules.blocking_runs import Side, longest_runs
from boardctl.rules.board import Place, Placement, Seat, point, tray, waiting
from boardctl.rules.game import Move, Opening, Play, Position, Result, Roll, WinKind
from boardctl.rules.refusals import checked_roll
from boardctl.rules.stack_game import SingleMoves, StackGame
from boardctl.rules.stack_position import StackPosition

CHECKERS = 15
POINTS = 24
ENTRY = POINTS + 1  # from where a waiting checker counts its way
HOME = 6

_SEATS = (Seat.A, Seat.B)
_TRAY = {seat: POINTS + at for at, seat in enumerate(_SEATS)}
_WAITING = {seat: POINTS + len(_SEATS) + at for at, seat in enumerate(_SEATS)}
# Where a position keeps what a seat counts as 0 (its tray), 1 to 24 (the points) and 25 (its waiting place).
_INDEX: dict[Seat, tuple[int, ...]] = {
    Seat.A: (_TRAY[Seat.A], *range(POINTS), _WAITING[Seat.A]),
    Seat.B: (_TRAY[Seat.B], *reversed(range(POINTS)), _WAITING[Seat.B]),
}
_LETTER = {seat: seat.value for seat in _SEATS}
_OTHER = {seat: seat.other.value for seat in _SEATS}


class Own(StrEnum):
    """When a seat owns a point."""

    MINE1 = "mine1"
    SINGLE = "single"


class Enter(StrEnum):
    """Whether checkers may move while others of their seat still wait to be entered."""

    ALL_FIRST = "all_first"
    ANY_TIME = "any_time"


class Trapped(StrEnum):
    """Whether covered checkers count in the bear-off."""

    COUNTS = "counts"
    IGNORED = "ignored"


class Deadlock(StrEnum):
    """How a game ends in which no roll can ever move a checker again."""

    DRAW = "draw"
    PIPS = "pips"
    VOID = "void"


class BlockingPosition(StackPosition):
    """The 24 points as seat A counts them, the two trays, and beside the board the checkers still to be entered."""

    __slots__ = ()

    title = "Blocking Backgammon"
    places = (
        *(point(number) for number in range(1, POINTS + 1)),
        *(tray(seat) for seat in _SEATS),
        *(waiting(seat) for seat in _SEATS),
    )
    seats = _SEATS
    checkers = CHECKERS
    shared_points = True

    @classmethod
    def draw(cls, placement: Placement) -> str:
        """Gets any placement drawn on a board of 24 points."""
        return diagram.draw(placement)

    @classmethod
    def read(cls, drawn: str) -> Placement:
        """Gets the placement of a drawn board of 24 points."""
        return diagram.read(drawn)

    def pips(self, seat: Seat) -> int:
        """Gets how many pips ``seat`` still needs to bear off everything."""
        on_points = sum(at * self[_INDEX[seat][at]].count(seat) for at in range(1, ENTRY))
        return on_points + ENTRY * len(self[_WAITING[seat]])


@dataclass(frozen=True, slots=True)
class Blocking(StackGame):
    """Blocking Backgammon. Each seat enters in the other's home board and goes round to its own, as in backgammon."""

    own: Own = Own.MINE1
    """"Any time you have exactly one checker on a point, you own the point [...]. If you have two or more checkers on
    a point, you no longer own the point." ``MINE1``: exactly one of your checkers, whatever lies under or over it.
    ``SINGLE``: exactly one checker in all."""

    trapped: Trapped = Trapped.COUNTS
    """"If there is no checker on the point indicated by the roll, you must make a legal move using a checker on a
    higher-numbered point. If there are no checkers on higher-numbered points, you must remove a checker from the
    highest point that has a checker." ``COUNTS``: covered checkers are checkers too. ``IGNORED``: they are not."""

    entry: Enter = Enter.ALL_FIRST
    """"You must enter all of your checker before you can begin moving forward." ``ALL_FIRST``: so it is, and after the
    last entry the same roll's remaining number may move. ``ANY_TIME``: a house reading that lets those move that are
    in; all fifteen must still be home before any is borne off."""

    deadlock: Deadlock = Deadlock.DRAW
    """"Only the last checker to arrive on a point may move off the point": a game can lock for good, and no sentence
    says what then. ``DRAW``: nobody scores. ``PIPS``: whoever needs fewer pips wins; equal pips are a draw. ``VOID``:
    the game does not count, and its result has no points at all."""

    position_class: ClassVar[type[StackPosition]] = BlockingPosition

    @property
    def name(self) -> str:
        """The name on the command line."""
        return "blocking"

    def start(self) -> BlockingPosition:
        """Gets the starting position: "Each player starts with fifteen checkers off the board." """
        return BlockingPosition(
            [""] * POINTS + [""] * len(_SEATS) + [seat.value * CHECKERS for seat in _SEATS],
        )

    def opening(self, dice: Mapping[Seat, int], rerolled: Sequence[Seat] = ()) -> Opening:
        """Gets who starts: the higher die. "That player then rolls both dice again to begin his first turn."

        :raises ValueError: when a seat's die is missing or is not 1 to 6.
        """
        # Without arguments, super() finds no class here: slots=True builds the class a second time.
        opening = StackGame.opening(self, dice)
        return Opening(opening.starter, None, opening.again)

    def result(self, position: Position) -> Result | None:
        """Gets the result, or None while the game runs; always one point, and none when the game has locked."""
        stacks = self._stacks(position)
        for seat in _SEATS:
            if len(stacks[_TRAY[seat]]) == CHECKERS:
                return Result(seat, WinKind.SINGLE, {seat: 1, seat.other: 0})
        if not self.is_locked(stacks):
            return None
        if self.deadlock is Deadlock.VOID:
            return Result(None, WinKind.SINGLE, {})
        light, dark = (stacks.pips(seat) for seat in _SEATS)
        if self.deadlock is Deadlock.DRAW or light == dark:
            return Result(None, WinKind.SINGLE, {Seat.A: 0, Seat.B: 0})
        winner = Seat.A if light < dark else Seat.B
        return Result(winner, WinKind.SINGLE, {winner: 1, winner.other: 0})

    def is_locked(self, position: Position) -> bool:
        """Whether no number moves any checker of either seat, so that the position can never change again."""
        stacks = self._stacks(position)
        return not any(self.single_moves(stacks, seat, number) for number in range(6, 0, -1) for seat in _SEATS)

    def number_for(self, seat: Seat, place: Place) -> int:
        """Gets the number that ``seat`` gives to a point: each counts from its own home board."""
        return place.number if seat is Seat.A else ENTRY - place.number

    def single_moves(self, position: StackPosition, seat: Seat, number: int) -> SingleMoves:
        """Gets every move of one checker by ``number``, and where it leads."""
        index, letter = _INDEX[seat], _LETTER[seat]
        moves: SingleMoves = []
        waits = bool(position[_WAITING[seat]])
        if waits:
            if not self._is_owned(position[index[ENTRY - number]], seat):
                moves.append(_moved(position, seat, ENTRY, number))
            if self.entry is Enter.ALL_FIRST:
                return moves
        mine = [at for at in range(POINTS, 0, -1) if letter in position[index[at]]]
        moves += [
            _moved(position, seat, at, number)
            for at in mine
            if at > number
            and position[index[at]][-1] == letter
            and not self._is_owned(position[index[at - number]], seat)
        ]
        if mine and mine[0] <= HOME and not waits:
            moves += [_moved(position, seat, at, number) for at in self._leaving(position, seat, number, mine)]
        return moves

    def plays(self, position: Position, seat: Seat, roll: Roll) -> list[Play]:
        """Gets every distinct complete play, one for each position that can result; never empty.

        :raises ValueError: when the position is not one of this game, or a die is not 1 to 6.
        """
        return self.plays_of(position, seat, checked_roll(roll, position).numbers)

    def plays_of(self, position: Position, seat: Seat, numbers: Sequence[int]) -> list[Play]:
        """Gets the same for any numbers, as many of them as possible."""
        if len(set(numbers)) > 1:
            return self.search(position, seat, numbers).plays()
        stacks, mover, number = self._stacks(position), self.player(seat), numbers[0]
        return [
            _run_from(stacks, mover, number, run)
            for run in longest_runs(self._side(stacks, mover), number, len(numbers))
        ]

    def _side(self, stacks: BlockingPosition, seat: Seat) -> Side:
        """Gets the position as its mover sees it."""
        mine = _LETTER[seat]
        seen = ["", *(stacks[at] for at in _INDEX[seat][1:])]
        return Side(
            free=[len(stack) - len(stack.rstrip(mine)) for stack in seen],
            own=[stack.count(mine) for stack in seen],
            open_points=sum(1 << at for at in range(1, ENTRY) if not self._is_owned(seen[at], seat)),
            entry_first=self.entry is Enter.ALL_FIRST,
            covered_count=self.trapped is Trapped.COUNTS,
        )

    def _leaving(self, position: StackPosition, seat: Seat, number: int, mine: list[int]) -> list[int]:
        """Gets from where ``number`` bears a checker off; ``mine`` are the points with checkers, the highest first."""
        free = [at for at in mine if position[_INDEX[seat][at]][-1] == _LETTER[seat]]
        counted = mine if self.trapped is Trapped.COUNTS else free
        leaving = number if number in counted else next((at for at in counted[:1] if at < number), None)
        return [leaving] if leaving in free else []

    def _is_owned(self, stack: str, seat: Seat) -> bool:
        """Whether a point with this stack is owned by the other seat than ``seat``."""
        other = _OTHER[seat]
        return stack == other if self.own is Own.SINGLE else stack.count(other) == 1

    def _stacks(self, position: Position) -> BlockingPosition:
        stacks = self.checked(position)
        assert isinstance(stacks, BlockingPosition)
        return stacks


def _moved(position: StackPosition, seat: Seat, source: int, number: int) -> tuple[Move, BlockingPosition]:
    start, end, move = _STEPS[seat][source][number]
    stacks = list(position)
    stacks[start] = stacks[start][:-1]
    stacks[end] += _LETTER[seat]
    return move, BlockingPosition(stacks)


def _run_from(position: BlockingPosition, seat: Seat, number: int, run: tuple[int, ...]) -> Play:
    stacks, moves = list(position), []
    for source in run:
        start, end, move = _STEPS[seat][source][number]
        stacks[start] = stacks[start][:-1]
        stacks[end] += _LETTER[seat]
        moves.append(move)
    return Play(tuple(moves), BlockingPosition(stacks))


def _steps(seat: Seat) -> list[list[tuple[int, int, Move]]]:
    """Gets, by source and number, where a position keeps the source and the target, and the move between them."""
    places, index = BlockingPosition.places, _INDEX[seat]
    return [
        [
            (index[source], end := index[max(source - number, 0)], Move(places[index[source]], places[end], number))
            for number in range(7)
        ]
        for source in range(ENTRY + 1)
    ]


_STEPS = {seat: _steps(seat) for seat in _SEATS}
