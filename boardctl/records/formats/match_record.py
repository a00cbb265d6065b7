"""A match as it was played: what every match file is written from and read into."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from boardctl.rules import (
    Backgammon,
    Cube,
    Game,
    Match,
    MatchRules,
    OfferKind,
    Outcome,
    Play,
    Position,
    Roll,
    Seat,
    WinKind,
)


@dataclass(frozen=True, slots=True)
class Rolled:
    """A seat rolled and played. An illegal play that was allowed to stand has no moves, only where it led."""

    seat: Seat
    roll: Roll
    play: Play
    legal: bool = True


@dataclass(frozen=True, slots=True)
class CubeTurned:
    """A seat offered a double, or answered one with a beaver or a raccoon."""

    seat: Seat
    kind: OfferKind = OfferKind.DOUBLE


@dataclass(frozen=True, slots=True)
class CubeAnswered:
    """A seat took or dropped the offer that waited."""

    seat: Seat
    taken: bool


@dataclass(frozen=True, slots=True)
class Resigned:
    """A seat resigned at a level, and the other accepted."""

    seat: Seat
    level: WinKind


@dataclass(frozen=True, slots=True)
class NotSeen:
    """A seat rolled, and what it played was not seen well enough to be told, or was never settled.

    ``position`` is where the game went on from; None when that is not known either.
    """

    seat: Seat
    roll: Roll
    position: Position | None


@dataclass(frozen=True, slots=True)
class SetUp:
    """The board was taken as set up anew, by whom it was said. ``position`` is None when no play was seen from it."""

    position: Position | None
    by: str


Action = Rolled | CubeTurned | CubeAnswered | Resigned | NotSeen | SetUp


@dataclass(frozen=True, slots=True)
class GameRecord:
    """One game of a match. ``outcome`` is None while it runs."""

    actions: tuple[Action, ...]
    outcome: Outcome | None = None
    equal_opening_rolls: int = 0

    def rolls(self) -> Iterator[Rolled]:
        """Gets the rolls and plays alone."""
        return (action for action in self.actions if isinstance(action, Rolled))


@dataclass(frozen=True, slots=True)
class MatchRecord:
    """A match or session of one game with all that is known about it. Texts are as the players gave them."""

    players: Mapping[Seat, str]
    games: tuple[GameRecord, ...]
    rules: MatchRules = field(default_factory=MatchRules)
    game: Game = field(default_factory=Backgammon)
    event: str = ""
    place: str = ""
    date: str = ""  # ISO 8601, as 2026-11-20

    def matches(self) -> Iterator[Match]:
        """Gets the match before each game; each outcome leads to the next."""
        match = self.opening_match()
        for game in self.games:
            yield match
            if game.outcome is not None:
                match = match.after(game.outcome)

    def opening_match(self) -> Match:
        """Gets the match before its first game."""
        return Match.of(self.game, self.rules)


@dataclass(frozen=True, slots=True)
class Moment:
    """One action of a game with what held before it."""

    position: Position
    cube: Cube
    action: Action


def moments(record: MatchRecord, match: Match, game: GameRecord) -> Iterator[Moment]:
    """Gets every action of a game with the position and the cube before it.

    :raises CubeError: when the cube's actions cannot follow on each other.
    """
    position: Position = record.game.start()
    cube = match.opening_cube(game.equal_opening_rolls)
    for action in game.actions:
        yield Moment(position, cube, action)
        if isinstance(action, Rolled):
            position = action.play.position
        elif isinstance(action, (NotSeen, SetUp)):
            position = position if action.position is None else action.position
        elif isinstance(action, CubeTurned):
            cube = cube.double(action.seat) if action.kind is OfferKind.DOUBLE else cube.redouble_at_once()
        elif isinstance(action, CubeAnswered) and action.taken:
            cube = cube.take()
