"""A player of our own for the games that no engine knows: it plays each candidate out many times with the same dice.

It knows nothing of a game but its rules: both sides take, of all plays, the one after which they are furthest ahead in
pips. That is no strength; but what a play leads to is then counted, and two plays meet the same luck.
"""

from collections.abc import Sequence
from random import Random

from boardctl.coach.engine import FOR_ITSELF, RatedPlay, Stake
from boardctl.coach.way import Way
from boardctl.rules import Game, Play, Position, Roll, Seat
from boardctl.rules.turn import begin, plays_in, proceed

CANDIDATES = 6
"""How many plays are played out: those after which the seat is furthest ahead."""

GAMES = 12
"""How often each is played out. The equities scatter by about a third of a point then, the same for all plays."""

HORIZON_TURNS = 60
"""After so many turns a game is broken off; whoever is ahead in pips then has that share of a point."""


class RolloutPlayer:
    """Rates plays by playing them out. The same seed, the same answer."""

    name = "The rollout player"

    def __init__(
        self, seed: int = 0, games: int = GAMES, candidates: int = CANDIDATES, horizon_turns: int = HORIZON_TURNS
    ) -> None:
        self._seed = seed
        self._games = games
        self._candidates = candidates
        self._horizon_turns = horizon_turns

    def knows(self, game: Game) -> bool:
        """Whether it can rate plays of a game: any."""
        return True

    def rate(
        self, game: Game, position: Position, seat: Seat, roll: Roll, stake: Stake = FOR_ITSELF
    ) -> Sequence[RatedPlay]:
        """Gets the likeliest candidates among the plays of a roll, the best first; none where there is no choice.

        The game is rated for itself, whatever the ``stake``.
        """
        plays = game.plays(position, seat, roll)
        if len(plays) < 2:
            return ()
        table = _Table(game)
        ranked = sorted(plays, key=lambda play: -table.lead(play.position, seat))[: self._candidates]
        rated = [RatedPlay(play, self._equity(table, play, seat)) for play in ranked]
        return tuple(sorted(rated, key=lambda one: -one.equity))

    def close(self) -> None:
        """Has nothing to let go."""

    def _equity(self, table: "_Table", play: Play, seat: Seat) -> float:
        """Gets the mean of what ``seat`` wins after a play, less what the others win on average."""
        won = 0.0
        for number in range(self._games):
            dice = Random(f"{self._seed}/{number}")  # noqa: S311  dice of a game, not a secret
            won += table.played_out(play.position, seat, dice, self._horizon_turns)
        return won / self._games


class _Table:
    """A game with the ways of its seats, worked out once."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self._ways = {seat: Way.of(game, seat) for seat in game.seats}
        self._whole = max(way.pips(game.start()) for way in self._ways.values())

    def lead(self, position: Position, seat: Seat) -> float:
        """Gets by how much of a whole game's way ``seat`` is ahead of the others' average, about -1 to 1."""
        pips = {one: way.pips(position) for one, way in self._ways.items()}
        others = [count for one, count in pips.items() if one is not seat]
        return (sum(others) / len(others) - pips[seat]) / self._whole

    def played_out(self, position: Position, seat: Seat, dice: Random, horizon_turns: int) -> float:
        """Gets what ``seat``, who has just moved, wins when both sides go on from a position."""
        mover = seat
        for _ in range(horizon_turns):
            if (score := self._score(position, seat)) is not None:
                return score
            mover = self.game.next_seat(position, mover)
            if self.game.may_roll(position, mover):
                position = self._turn(position, mover, Roll(dice.randint(1, 6), dice.randint(1, 6)))
        return self.lead(position, seat)

    def _score(self, position: Position, seat: Seat) -> float | None:
        result = self.game.result(position)
        if result is None:
            return None
        others = [result.points.get(one, 0) for one in self.game.seats if one is not seat]
        return result.points.get(seat, 0) - sum(others) / len(others)

    def _turn(self, position: Position, seat: Seat, roll: Roll) -> Position:
        turn = begin(self.game, position, seat, roll)
        while True:
            control = turn.control
            play = max(plays_in(self.game, position, turn), key=lambda play: self.lead(play.position, control))
            position = play.position
            following = proceed(self.game, position, turn, len(play.moves))
            if following is None:
                return position
            turn = following
