"""Whole games of legal plays chosen by chance: for checks and measurements, not for players.

>>> from random import Random
>>> from boardctl.rules import MiniGam
>>> *_, last = playout(MiniGam(), Random(1))
>>> result = MiniGam().result(last.play.position)
>>> result is not None and sum(result.points.values())
1
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple, Protocol, TypeVar

from boardctl.rules.board import Seat
from boardctl.rules.game import Game, Play, Position, Roll, Turn
from boardctl.rules.turn import begin, plays_in, proceed

_Chosen = TypeVar("_Chosen")


class Chance(Protocol):
    """Where chance comes from; ``random.Random`` is one."""

    def randint(self, a: int, b: int) -> int:
        """Gets a number from ``a`` to ``b``, both included."""
        ...

    def choice(self, seq: Sequence[_Chosen], /) -> _Chosen:
        """Gets one of them."""
        ...


class EndlessGameError(ValueError):
    """A game went on for so long that it cannot be expected to end; the message draws where it stood."""


class Chosen(NamedTuple):
    """One state of a turn, and the play that chance chose in it."""

    position: Position
    turn: Turn
    play: Play


def opening_by_chance(game: Game, chance: Chance) -> tuple[Seat, Roll | None]:
    """Gets who starts and with which roll, None where the starter rolls afresh; equal dice are rolled again."""
    shown = {seat: chance.randint(1, 6) for seat in game.seats}
    opening = game.opening(shown)
    while opening.starter is None:
        shown.update({seat: chance.randint(1, 6) for seat in opening.again})
        opening = game.opening(shown, opening.again)
    return opening.starter, opening.roll


def playout(game: Game, chance: Chance, most_turns: int = 20_000) -> Iterator[Chosen]:
    """Gets every state of every turn of one game, from the opening until the game has a result.

    :raises EndlessGameError: when it has none after ``most_turns``.
    """
    position = game.start()
    seat, roll = opening_by_chance(game, chance)
    for _ in range(most_turns):
        if game.result(position) is not None:
            return
        turn: Turn | None = begin(game, position, seat, roll or roll_by_chance(chance))
        while turn is not None:
            play = chance.choice(plays_in(game, position, turn))
            yield Chosen(position, turn, play)
            position = play.position
            turn = proceed(game, position, turn, len(play.moves))
        seat, roll = game.next_seat(position, seat), None
    raise EndlessGameError(f"{game.name} has no result after {most_turns} turns in\n{position}")


def roll_by_chance(chance: Chance) -> Roll:
    """Gets a roll of two dice."""
    return Roll(chance.randint(1, 6), chance.randint(1, 6))
