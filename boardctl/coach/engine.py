"""The face of an engine: who rates the plays of a roll, and what a play has cost in its eyes."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from boardctl.rules import Game, Play, Position, Roll, Seat


class EngineError(OSError):
    """An engine that does not answer; the message says why and what to do next."""


@dataclass(frozen=True, slots=True)
class RatedPlay:
    """A play and its equity: the points that its seat wins on average from there on, per unit of the stake."""

    play: Play
    equity: float


class Engine(Protocol):
    """Somebody who knows which play is best."""

    @property
    def name(self) -> str:
        """The name under which it is quoted."""
        ...

    def knows(self, game: Game) -> bool:
        """Whether it can rate plays of a game."""
        ...

    def rate(self, game: Game, position: Position, seat: Seat, roll: Roll) -> Sequence[RatedPlay]:
        """Gets the plays of a roll, the best first; none where there is no choice.

        :raises EngineError: when it does not answer in time, or is gone.
        """
        ...

    def close(self) -> None:
        """Lets it go. May be called again."""
        ...


@dataclass(frozen=True, slots=True)
class Review:
    """What a play that was made has cost. ``loss`` is 0 for the best one."""

    best: RatedPlay
    made: RatedPlay

    @property
    def loss(self) -> float:
        """By how many points of equity the play made falls short of the best."""
        return self.best.equity - self.made.equity


def review(rated: Sequence[RatedPlay], made: Position) -> Review | None:
    """Gets what the play that led to ``made`` has cost; None where there was no choice, or it was not rated."""
    for one in rated:
        if one.play.position == made:
            return Review(rated[0], one)
    return None
