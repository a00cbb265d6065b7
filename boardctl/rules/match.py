"""Matches and money sessions: the score, who may double, what a game is worth. Values only; every step gets a new one.

>>> from boardctl.rules import Backgammon, Cube, Match, MatchRules, Seat, WinKind
>>> match = Match(MatchRules(length=3))
>>> match = match.after(match.won(Seat.A, WinKind.GAMMON, Cube()))
>>> match.score, match.is_crawford, match.winner
((2, 0), True, None)

A game of ranks has more than one seat that scores:

>>> from boardctl.rules import MultiGam, Result
>>> session = Match.of(MultiGam())
>>> ranks = Result(Seat.C, WinKind.SINGLE, {Seat.C: 5, Seat.A: 3, Seat.D: 2, Seat.B: 1})
>>> session.after(session.ended(ranks)).score
(3, 1, 5, 2)
"""

from dataclasses import dataclass, replace
from enum import StrEnum

from boardctl.rules.backgammon import Backgammon
from boardctl.rules.backgammon_options import HOUSE_RULES, STANDARD, BackgammonOptions
from boardctl.rules.board import Seat
from boardctl.rules.cube import CENTRED, Cube, OfferKind
from boardctl.rules.game import Game, Result, WinKind
from boardctl.rules.match_rules import MONEY_SESSION, Ledger, MatchRules, TiedCrawford

_TWO = (Seat.A, Seat.B)


class EndedBy(StrEnum):
    """How a game of a match ended."""

    BORNE_OFF = "borne_off"
    DROPPED = "dropped"
    RESIGNED = "resigned"
    LAST_ROLL = "last_roll"
    TIED = "tied"
    LOCKED = "locked"  # no roll could move anything again, as it happens in the Blocking games


@dataclass(frozen=True, slots=True)
class Outcome:
    """One game of a match when it is over: who scores how many points, and why. ``winner`` is None for a tie.

    ``shares`` says what each seat scores in a game of ranks, where not only the winner does; else it is empty.
    """

    winner: Seat | None
    points: int  # for the winner; for each seat when it is a tie
    kind: WinKind
    ended_by: EndedBy
    cube_value: int
    shares: tuple[tuple[Seat, int], ...] = ()

    def gains(self, seats: tuple[Seat, ...]) -> tuple[tuple[Seat, int], ...]:
        """Gets what each of the seats of the game scores, in their order."""
        shares = dict(self.shares) or {seat: self.points for seat in seats if self.winner in (seat, None)}
        return tuple((seat, shares.get(seat, 0)) for seat in seats)


@dataclass(frozen=True, slots=True)
class Resignation:
    """An offer of ``by`` to lose at ``level``; the game goes on when it is refused."""

    by: Seat
    level: WinKind


@dataclass(frozen=True, slots=True)
class Match:
    """The state of a match or session between two games, and the rules that hold in the next one.

    :raises ValueError: when there is not one score for each seat.
    """

    rules: MatchRules = MONEY_SESSION
    options: BackgammonOptions = STANDARD
    score: tuple[int, ...] = (0, 0)  # of the seats in their order; may pass the match length
    crawford_played: bool = False
    outcomes: tuple[Outcome, ...] = ()
    seats: tuple[Seat, ...] = _TWO

    def __post_init__(self) -> None:
        if len(self.score) != len(self.seats):
            raise ValueError(f"score {self.score}: there is one for each of {', '.join(self.seats)}")

    @classmethod
    def of(cls, game: Game, rules: MatchRules = MONEY_SESSION) -> "Match":
        """Gets a match of any game before its first one. Games other than backgammon have no cube and no gammons."""
        options = game.options if isinstance(game, Backgammon) else HOUSE_RULES
        return cls(rules, options, (0,) * len(game.seats), seats=game.seats)

    @property
    def winner(self) -> Seat | None:
        """The seat that has reached the match length; None while the match runs, and always in a session.

        Where several reach it in one game it is the one with most points, and with as many points nobody yet.
        """
        if self.rules.length is None or max(self.score) < self.rules.length:
            return None
        leaders = [seat for seat in self.seats if self.points(seat) == max(self.score)]
        return leaders[0] if len(leaders) == 1 else None

    @property
    def has_cube(self) -> bool:
        """Whether the doubling cube is used: both the game and the players must allow it."""
        return self.rules.cube and self.options.cube

    @property
    def is_crawford(self) -> bool:
        """Whether the game now played, or next to be played, is the Crawford game."""
        if self.rules.length is None or not self.rules.crawford or self.crawford_played or self.winner is not None:
            return False
        return any(self.needs(seat) == 1 for seat in self.seats)

    @property
    def is_post_crawford(self) -> bool:
        """Whether the Crawford game is behind."""
        return self.crawford_played and self.winner is None

    def points(self, seat: Seat) -> int:
        """Gets the score of ``seat``."""
        return self.score[self.seats.index(seat)]

    def needs(self, seat: Seat) -> int:
        """Gets how many points ``seat`` still needs to win the match.

        :raises ValueError: in a money session.
        """
        if self.rules.length is None:
            raise ValueError("a money session has no length, so nobody needs a number of points")
        return max(self.rules.length - self.points(seat), 0)

    def opening_cube(self, equal_rolls: int = 0) -> Cube:
        """Gets the cube of a new game, after so many equal opening rolls."""
        cube = Cube()
        for _ in range(min(equal_rolls, self.rules.automatic_doubles)):
            cube = cube.doubled_automatically(self.rules.automatic_doubles)
        return cube

    def refusal(
        self, cube: Cube, seat: Seat, *, opening_played: bool, closed_out: bool = False, last_roll_due: bool = False
    ) -> str | None:
        """Gets why ``seat``, on turn and before rolling, may not double; None when it may.

        ``opening_played`` says whether the first play of the game was made: the opening dice are its first roll, so
        nobody doubles before it. ``closed_out`` says that no roll could enter a checker of ``seat``.
        """
        if self.winner is not None:
            return "the match is over"
        if not self.has_cube:
            return "the cube is not used"
        if self.is_crawford:
            return "this is the Crawford game"
        if not opening_played:
            return "the opening dice are the first roll"
        if last_roll_due and not (self.rules.last_roll and self.rules.last_roll.cube_action):
            return "there is no cube action before the last roll"
        if closed_out and not self.options.closed_out_may_double:
            return "a seat that is closed out has no turn"
        if cube.offer is not None:
            return f"the {cube.offer.kind} of {cube.offer.by.value} waits for its answer"
        if not cube.may_be_turned_by(seat):
            return f"the cube is {seat.other.value}'s"
        return None

    def may_redouble_at_once(self, cube: Cube) -> bool:
        """Whether the waiting offer may be answered with a beaver or a raccoon."""
        if cube.offer is None or self.rules.length is not None:
            return False
        return {OfferKind.DOUBLE: self.rules.beavers, OfferKind.BEAVER: self.rules.raccoons}.get(cube.offer.kind, False)

    def is_dead(self, cube: Cube, seat: Seat) -> bool:
        """Whether turning the cube cannot help ``seat``, because the points at stake already win it the match."""
        return self.rules.length is not None and self.needs(seat) <= cube.value

    def resignation_levels(self) -> tuple[WinKind, ...]:
        """Gets the levels at which a game may be resigned: what it can be lost by."""
        if not self.options.gammons:
            return (WinKind.SINGLE,)
        levels = (WinKind.SINGLE, WinKind.GAMMON, WinKind.BACKGAMMON)
        return (*levels, WinKind.DOUBLE_BACKGAMMON) if self.options.double_backgammon else levels

    def resign(self, seat: Seat, level: WinKind) -> Resignation:
        """Gets the offer of ``seat`` to lose at ``level``.

        :raises ValueError: when games cannot be lost by that much, or are played for ranks.
        """
        if self.seats != _TWO:
            raise ValueError(f"{seat.value} resigns: a game of {len(self.seats)} seats is played for ranks, to its end")
        if level not in self.resignation_levels():
            raise ValueError(
                f"{seat.value} resigns {int(level)}: levels here are {_numbers(self.resignation_levels())}"
            )
        return Resignation(seat, level)

    def won(self, seat: Seat, kind: WinKind, cube: Cube, ended_by: EndedBy = EndedBy.BORNE_OFF) -> Outcome:
        """Gets the outcome of a game that ``seat`` won by bearing off, after Last Roll, or by resignation."""
        multiplier = 1 if self.rules.jacoby and not cube.offered else int(kind)
        value = cube.value
        if ended_by is EndedBy.LAST_ROLL:
            rules = self.rules.last_roll
            multiplier = 1
            value = cube.value if rules is None or rules.win_counts_cube else 1
        return Outcome(seat, multiplier * value, kind, ended_by, cube.value)

    def ended(self, result: Result, cube: Cube = CENTRED, ended_by: EndedBy = EndedBy.BORNE_OFF) -> Outcome:
        """Gets the outcome of a game with the result that its rules gave it: won, drawn in a lock, or ranked."""
        if len(self.seats) > len(_TWO):
            shares = tuple((seat, result.points.get(seat, 0)) for seat in self.seats)
            most = max(points for _, points in shares)
            return Outcome(result.winner, most, result.kind, ended_by, cube.value, shares)
        if result.winner is None:
            return self.locked(None)
        return self.won(result.winner, result.kind, cube, ended_by)

    def resigned(self, resignation: Resignation, cube: Cube) -> Outcome:
        """Gets the outcome of a game whose resignation was accepted."""
        return self.won(resignation.by.other, resignation.level, cube, EndedBy.RESIGNED)

    def dropped(self, cube: Cube) -> Outcome:
        """Gets the outcome of a game whose waiting offer was refused.

        :raises CubeError: when no offer waits.
        """
        drop = cube.drop()
        return Outcome(drop.winner, drop.value, WinKind.SINGLE, EndedBy.DROPPED, cube.value)

    def tied(self, cube: Cube) -> Outcome:
        """Gets the outcome of a game that Last Roll has tied.

        :raises ValueError: where Last Roll is not played.
        """
        if self.rules.last_roll is None:
            raise ValueError("a tie needs Last Roll, which is not played here")
        return Outcome(None, self.rules.last_roll.tie_points, WinKind.SINGLE, EndedBy.TIED, cube.value)

    def locked(self, winner: Seat | None) -> Outcome:
        """Gets the outcome of a game that has locked for good; a game that does not count has none."""
        return Outcome(winner, 0 if winner is None else 1, WinKind.SINGLE, EndedBy.LOCKED, 1)

    def after(self, outcome: Outcome) -> "Match":
        """Gets the match after one more game.

        :raises ValueError: when the match is over already.
        """
        if self.winner is not None:
            raise ValueError(f"{self.winner.value} has won this match {'-'.join(map(str, self.score))}")
        last_roll = self.rules.last_roll
        replayed = outcome.winner is None and (last_roll is None or last_roll.tied_crawford is TiedCrawford.REPLAYED)
        return replace(
            self,
            score=tuple(self.points(seat) + gained for seat, gained in outcome.gains(self.seats)),
            crawford_played=self.crawford_played or (self.is_crawford and not replayed),
            outcomes=(*self.outcomes, outcome),
        )

    def to_length(self, length: int) -> "Match":
        """Gets this match as one to another length, from its first game on: where it was to be shorter, it ended with
        the game in which somebody first had so many points. A score that is not what the games came to stays.

        Source: US rules 4.10, as told at bkgm.com (1246): too short, the match is resumed; too long, the first to the
        right length wins.

        :raises ValueError: for a length below 1, or customs of money play.
        """
        rules = replace(self.rules, length=length)
        gains = [dict(outcome.gains(self.seats)) for outcome in self.outcomes]
        if self.score != tuple(sum(gained[seat] for gained in gains) for seat in self.seats):
            return replace(self, rules=rules)
        match = replace(self, rules=rules, score=(0,) * len(self.seats), crawford_played=False, outcomes=())
        for outcome in self.outcomes:
            match = match.after(outcome) if match.winner is None else match
        return match

    def ledger(self) -> tuple[int, ...]:
        """Gets what the ledger shows for each seat: what it gained or, with minus signs, what the others gained."""
        if self.rules.ledger is Ledger.GAINS:
            return self.score
        return tuple(points - sum(self.score) for points in self.score)


def _numbers(levels: tuple[WinKind, ...]) -> str:
    return ", ".join(str(int(level)) for level in levels)
