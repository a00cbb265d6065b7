"""The face of an engine: who rates the plays of a roll, and what a play has cost in its eyes."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from boardctl.rules import Cube, Game, Match, MatchRules, Play, Position, Roll, Seat
from boardctl.rules.cube import CENTRED


class EngineError(OSError):
    """An engine that does not answer; the message says why and what to do next."""


@dataclass(frozen=True, slots=True)
class Stake:
    """What a game is played for: the match or session as it stands, and the cube. A play may be best for one only."""

    match: Match
    cube: Cube = CENTRED


FOR_ITSELF = Stake(Match(MatchRules(cube=False)))
"""One game for its own points, without the cube."""


@dataclass(frozen=True, slots=True)
class RatedPlay:
    """A play and its equity: the points that its seat wins on average from there on, per unit of the stake.

    In a match they are normalized: +1 is what winning the game now at the cube's value would be worth, -1 losing it.
    """

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

    def rate(
        self, game: Game, position: Position, seat: Seat, roll: Roll, stake: Stake = FOR_ITSELF
    ) -> Sequence[RatedPlay]:
        """Gets the plays of a roll, the best first; none where there is no choice.

        An engine that knows nothing of cubes and matches rates the game for itself.

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
