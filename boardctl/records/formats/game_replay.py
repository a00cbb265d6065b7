"""One game followed action by action while a match file is read; it refuses what the rules do not allow."""

from dataclasses import replace

from boardctl.records.formats.match_record import Action, CubeAnswered, CubeTurned, GameRecord, Resigned, Rolled
from boardctl.rules import (
    Backgammon,
    EndedBy,
    Match,
    OfferKind,
    Outcome,
    Roll,
    Seat,
    WinKind,
    read_play,
)


class GameReplay:
    """The state of one game of backgammon while its actions are read. Every refusal is a ValueError that says why."""

    def __init__(self, game: Backgammon, match: Match, equal_opening_rolls: int = 0) -> None:
        self._game = game
        self._match = match
        self._equal_opening_rolls = equal_opening_rolls
        self._position = game.start()
        self._cube = match.opening_cube(equal_opening_rolls)
        self._turn: Seat | None = None  # who rolls or doubles next; None before the opening play
        self._actions: list[Action] = []
        self._outcome: Outcome | None = None

    @property
    def is_over(self) -> bool:
        """Whether the game has ended by a drop or by bearing off."""
        return self._outcome is not None

    def roll(self, seat: Seat, roll: Roll, text: str) -> None:
        """Takes a roll and its play in standard notation."""
        self._check_turn(seat)
        if self._cube.offer is not None:
            raise ValueError(f"{seat.value} rolls while a {self._cube.offer.kind} waits for its answer")
        if self._turn is None and roll.is_double:
            raise ValueError(f"the opening roll cannot be {roll}: equal dice are rolled again")
        play = read_play(self._game, self._position, seat, roll, text)
        position = self._game.position_of(play.position.placement())
        self._actions.append(Rolled(seat, roll, play))
        self._position = position
        self._turn = seat.other
        result = self._game.result(position)
        if result is not None and result.winner is not None:
            self._outcome = self._match.won(result.winner, result.kind, self._cube)

    def turn_cube(self, seat: Seat, value: int | None = None) -> None:
        """Takes a double, beaver or raccoon; ``value`` is what the file says the cube then shows."""
        waiting = self._cube.offer
        if waiting is None:
            self._check_turn(seat)
            why = self._match.refusal(self._cube, seat, opening_played=self._turn is not None)
            if why is not None:
                raise ValueError(f"{seat.value} cannot double: {why}")
            turned = self._cube.double(seat)
        else:
            if seat is not waiting.answers or not self._match.may_redouble_at_once(self._cube):
                raise ValueError(f"{seat.value} cannot turn the cube again now")
            turned = self._cube.redouble_at_once()
        assert turned.offer is not None
        if value not in (None, turned.offer.value):
            raise ValueError(f"the cube would be turned to {turned.offer.value}, not to {value}")
        self._actions.append(CubeTurned(seat, turned.offer.kind))
        self._cube = turned

    def answer(self, seat: Seat, *, taken: bool) -> None:
        """Takes the answer to the offer that waits."""
        if self._cube.offer is None or self._cube.offer.answers is not seat:
            raise ValueError(f"{seat.value} has no offer to answer")
        self._actions.append(CubeAnswered(seat, taken))
        if taken:
            self._cube = self._cube.take()
        else:
            self._outcome = self._match.dropped(self._cube)

    def end(self, winner: Seat | None, points: int | None) -> GameRecord:
        """Gets the game when the file says who won how much; None when it does not say.

        A game that is not over by then was resigned by the loser at as many points.
        """
        if winner is not None and points is not None:
            self._outcome = self._won(winner, points)
        return GameRecord(tuple(self._actions), self._outcome, self._equal_opening_rolls)

    def _won(self, winner: Seat, points: int) -> Outcome:
        outcome = self._outcome
        if outcome is None:
            offered = self._cube.offer
            if offered is not None and offered.kind is OfferKind.DOUBLE:
                raise ValueError(f"{winner.value} wins while a double waits for its answer")
            level, rest = divmod(points, self._cube.value)
            if rest or level not in self._match.resignation_levels():
                raise ValueError(f"{points} points cannot be resigned with the cube at {self._cube.value}")
            self._actions.append(Resigned(winner.other, WinKind(level)))
            return Outcome(winner, points, WinKind(level), EndedBy.RESIGNED, self._cube.value)
        # In a money session with Jacoby, which not every file can say, a gammon may have counted once.
        counted_once = self._match.rules.length is None and points == self._cube.value
        if outcome.winner is not winner or (outcome.points != points and not counted_once):
            won_by = "nobody" if outcome.winner is None else outcome.winner.value
            raise ValueError(f"{won_by} has won {outcome.points}, not {winner.value} {points}")
        return replace(outcome, points=points)

    def _check_turn(self, seat: Seat) -> None:
        if self._outcome is not None:
            raise ValueError("the game is over already")
        if self._turn not in (None, seat):
            raise ValueError(f"{seat.value} is not on turn")
