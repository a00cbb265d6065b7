"""Games refereed from facts, as perfect eyes would report them, with the truth of what was played."""

from dataclasses import dataclass, field
from random import Random

from boardctl.records.formats import MatchRecord
from boardctl.records.transcript import transcript
from boardctl.referee import Match, Referee, read_ruleset
from boardctl.referee.effects import Effect
from boardctl.referee.facts import (
    Answered,
    BoardSeen,
    Choice,
    DiceLifted,
    DiceRested,
    Fact,
    HandSeen,
    PositionDeclared,
    Role,
)
from boardctl.referee.readings import DiceReading, DieReading, Support, sure_reading
from boardctl.rules import Backgammon, MatchRules, Place, Placement, Position, Roll, Seat

GAME = Backgammon()
_SECTION_X_MM = {Seat.A: 150.0, Seat.B: -150.0}

Played = tuple[Seat, Roll, Position, bool]
"""One turn as it was: who, the roll, where it led, and whether it was legal."""


@dataclass
class Evening:
    """One table: what people do at it becomes facts, and what the referee says is kept."""

    length: int | None = None
    effects: list[Effect] = field(default_factory=list)
    random: Random = field(default_factory=lambda: Random(1))
    at_ms: int = 0
    cube: bool = False

    def __post_init__(self) -> None:
        self.referee = Referee(GAME, read_ruleset("house-seed"), Match(self.length, self.cube))

    def record(self) -> MatchRecord:
        """Gets the record so far."""
        return transcript(self.effects, GAME, MatchRules(length=self.length, cube=self.cube))

    def say(self, fact: Fact) -> None:
        """Something is said or pressed."""
        self._feed(fact)

    def see(self, board: Placement, hidden: frozenset[Place] = frozenset()) -> None:
        """The board is seen at rest."""
        self._feed(BoardSeen(self._now(), sure_reading(board, GAME.places, hidden=hidden)))

    def open_with(self, first: int, second: int) -> None:
        """The starting position is seen, then one die of seat A and one of seat B."""
        self.see(GAME.start().placement())
        self._dice_rest((first, Seat.A), (second, Seat.B))

    def throw(self, seat: Seat, roll: Roll) -> None:
        """The dice of a seat come to rest in its section."""
        self._dice_rest(*((value, seat) for value in roll))

    def _dice_rest(self, *dice: tuple[int, Seat]) -> None:
        lying = []
        for number, (value, seat) in enumerate(dice):
            spot = (_SECTION_X_MM[seat] + self.random.uniform(-60, 60), 60.0 * number + self.random.uniform(-12, 12))
            lying.append(DieReading(value, 0.999, True, Support.SURFACE, seat, 0.5, spot, spot))
        self._feed(DiceRested(self._now(), DiceReading(tuple(lying))))

    def play(self, board: Placement, hidden: frozenset[Place] = frozenset()) -> None:
        """Checkers are moved, the board is left as given, the dice are taken up."""
        self._feed(HandSeen(self._now(), True))
        self._feed(HandSeen(self._now(), False))
        self.see(board, hidden)
        self._feed(DiceLifted(self._now(), 0))

    def answer(self, by: Seat, choice: Choice) -> None:
        """Somebody answers the question that stands."""
        prompt = self.referee.state.prompt
        assert prompt is not None
        assert choice in prompt.choices
        self._feed(Answered(self._now(), Role(by.value), prompt.number, choice))

    def declare(self, board: Placement) -> None:
        """The director takes the board as set up anew; whose turn it is, the dice tell."""
        self._feed(PositionDeclared(self._now(), Role.DIRECTOR, sure_reading(board, GAME.places)))

    def play_game(self, illegal_share: float = 0.0) -> list[Played]:
        """A whole random game. Illegal plays are accepted by answer, or by rolling on."""
        random = self.random
        position: Position = GAME.start()
        roll = Roll(*random.sample(range(1, 7), 2))
        seat = Seat.A if roll.first > roll.second else Seat.B
        played: list[Played] = []
        self.open_with(*roll)
        while GAME.result(position) is None:
            if played:
                self.throw(seat, roll)
            legal = [play.position for play in GAME.plays(position, seat, roll)]
            after, is_legal = random.choice(legal), True
            if random.random() < illegal_share and (wrong := _illegal(position, seat, legal, random)) is not None:
                after, is_legal = wrong, False
            self.play(after.placement())
            contact_early = len(played) < 8 and len(legal) > 1  # where rolling on accepts what was played
            if not is_legal and (random.random() < 0.5 or not contact_early):
                self.answer(seat.other, Choice.ACCEPT)
            played.append((seat, _ordered(roll), after, is_legal))
            position = after
            seat, roll = seat.other, Roll(random.randint(1, 6), random.randint(1, 6))
        return played

    def _feed(self, fact: Fact) -> None:
        self.effects += self.referee.feed(fact)

    def _now(self) -> int:
        self.at_ms += 500
        return self.at_ms


def _illegal(position: Position, seat: Seat, legal: list[Position], random: Random) -> Position | None:
    """Gets where a play of some other roll leads, if that is no legal play of this one; the game goes on there."""
    other = GAME.plays(position, seat, Roll(*random.sample(range(1, 7), 2)))
    wrong = [play.position for play in other if play.position not in legal and GAME.result(play.position) is None]
    return random.choice(wrong) if wrong else None


def played_in(record: MatchRecord) -> list[list[Played]]:
    """Gets the turns of each game of a record."""
    return [
        [(each.seat, _ordered(each.roll), each.play.position, each.legal) for each in game.rolls()]
        for game in record.games
    ]


def _ordered(roll: Roll) -> Roll:
    return Roll(max(roll), min(roll))
