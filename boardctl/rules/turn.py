"""One way to play a turn of any game, whether or not control passes within it.

>>> from boardctl.rules import Backgammon, Roll, Seat
>>> game = Backgammon()
>>> turn = begin(game, game.start(), Seat.A, Roll.of(3, 1))
>>> play = plays_in(game, game.start(), turn)[0]
>>> proceed(game, play.position, turn, played=len(play.moves)) is None
True
"""

from collections.abc import Sequence
from functools import cache
from typing import Protocol, TypeGuard, runtime_checkable

from boardctl.rules.board import Seat
from boardctl.rules.game import Game, MoveGraph, Play, Position, Roll, Turn


@runtime_checkable
class PassingGame(Protocol):
    """A game in which a turn has several states, see :class:`~boardctl.rules.blocking_express.BlockingExpress`."""

    def begin(self, position: Position, seat: Seat, roll: Roll) -> Turn:
        """Gets the first state of a turn."""
        ...

    def plays_in(self, position: Position, turn: Turn) -> Sequence[Play]:
        """Gets every play of the numbers that are to be played now by the seat in control."""
        ...

    def moves_in(self, position: Position, turn: Turn) -> MoveGraph:
        """Gets every position on the way of these plays."""
        ...

    def proceed(self, position: Position, turn: Turn, played: int) -> Turn | None:
        """Gets the state after ``played`` of the numbers, or None when the turn is over."""
        ...


def begin(game: Game, position: Position, seat: Seat, roll: Roll) -> Turn:
    """Gets the first state of the turn of ``seat`` with ``roll``."""
    if _passes(game):
        return game.begin(position, seat, roll)
    return Turn(seat, roll, seat, roll.numbers)


def plays_in(game: Game, position: Position, turn: Turn) -> Sequence[Play]:
    """Gets every play of the numbers that are to be played now by the seat in control; never empty."""
    if _passes(game):
        return game.plays_in(position, turn)
    return game.plays(position, turn.control, turn.roll)


def moves_in(game: Game, position: Position, turn: Turn) -> MoveGraph:
    """Gets every position on the way of these plays."""
    if _passes(game):
        return game.moves_in(position, turn)
    return game.moves(position, turn.control, turn.roll)


def has_parts(game: Game, turn: Turn) -> bool:
    """Whether other numbers may follow those to be played now, or pass to another seat."""
    return isinstance(game, PassingGame) and turn.roll.is_double


def proceed(game: Game, position: Position, turn: Turn, played: int) -> Turn | None:
    """Gets the state of the turn after ``played`` of its numbers led to ``position``, or None when it is over."""
    return game.proceed(position, turn, played) if _passes(game) else None


def _passes(game: Game) -> TypeGuard[PassingGame]:
    return _is_passing(type(game))


@cache
def _is_passing(game_class: type[Game]) -> bool:
    """Whether control passes in games of a class: looking through a protocol takes longer than listing plays."""
    return issubclass(game_class, PassingGame)
