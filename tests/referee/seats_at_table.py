"""Two people at a board, for tests: what they do becomes facts, as a table with perfect eyes would report it."""

from collections.abc import Sequence

from boardctl.referee import Match, Referee, Ruleset, read_ruleset
from boardctl.referee.effects import Effect, TurnJudged
from boardctl.referee.facts import BoardSeen, DiceLifted, DiceRested, Fact
from boardctl.referee.readings import BoardReading, DiceReading, DieReading, Lab, Support, Witness, sure_reading
from boardctl.rules import Backgammon, BackgammonPosition, Game, Place, Placement, Position, Seat, bar, point, tray

SPOTS = {Seat.A: 200.0, Seat.B: -200.0}
"""Where the dice of a seat lie, in millimetres right of the middle."""


def die(
    value: int | None,
    seat: Seat | None = Seat.A,
    *,
    spot: int = 0,
    on: Support = Support.SURFACE,
    flat: bool | None = True,
    confidence: float = 0.999,
    body: Lab | None = None,
) -> DieReading:
    """Gets a die in the section of a seat; dice with different spots lie apart. ``body``: its colour."""
    x = SPOTS.get(seat, 0.0) if seat is not None else 0.0
    tilt_deg = 0.5 if flat else 25.0
    at = (x + 23.0 * (spot % 8), -80.0 + 21.0 * (spot // 8))
    return DieReading(value, confidence, flat, on, seat, tilt_deg, at, at, body)


def place_named(name: str) -> Place:
    """Gets a place by a short name: ``6``, ``bar A``, ``off B``."""
    if name.isdecimal():
        return point(int(name))
    kind, seat = name.split()
    return bar(Seat(seat)) if kind == "bar" else tray(Seat(seat))


def moved(board: Placement, *moves: tuple[str, str], seat: Seat | None = None) -> Placement:
    """Gets a board after checkers were taken from one place and put on another, whatever the rules say.

    The topmost checker moves, or the topmost of ``seat``. A place ``nowhere`` makes a checker vanish or appear.
    """
    for source, target in moves:
        mover = seat
        if source != "nowhere":
            place = place_named(source)
            stack = list(board.at(place))
            mover = seat or stack[-1]
            stack.reverse()
            stack.remove(mover)
            stack.reverse()
            board = board.replaced({place: tuple(stack)})
        if target != "nowhere":
            assert mover is not None
            place = place_named(target)
            board = board.replaced({place: (*board.at(place), mover)})
    return board


class Seats:
    """Feeds a referee and keeps what it was fed and what it answered."""

    def __init__(
        self,
        ruleset: str | Ruleset = "house-seed",
        game: Game | None = None,
        match: Match | None = None,
        witnesses: tuple[Witness, ...] = (Witness.CAMERA,),
    ) -> None:
        self.game = game or Backgammon()
        rules = read_ruleset(ruleset) if isinstance(ruleset, str) else ruleset
        self.referee = Referee(self.game, rules, match)
        self.witnesses = witnesses
        self.facts: list[Fact] = []
        self.effects: list[Effect] = []
        self.at_ms = 0
        self._throws = 0

    def feed(self, fact: Fact) -> list[Effect]:
        """Feeds one fact."""
        effects = self.referee.feed(fact)
        self.facts.append(fact)
        self.effects.extend(effects)
        return effects

    def now(self) -> int:
        """Gets the time of the next fact."""
        self.at_ms += 100
        return self.at_ms

    def show(self, board: Placement | Position, confidence: float = 0.999) -> list[Effect]:
        """Lets every witness see a board at rest."""
        placement = board if isinstance(board, Placement) else board.placement()
        readings = (sure_reading(placement, self.game.places, witness, confidence) for witness in self.witnesses)
        return [effect for reading in readings for effect in self.see(reading)]

    def see(self, reading: BoardReading) -> list[Effect]:
        """Feeds a reading of the board."""
        return self.feed(BoardSeen(self.now(), reading))

    def rest(self, *dice: DieReading) -> list[Effect]:
        """Feeds dice at rest."""
        return self.feed(DiceRested(self.now(), DiceReading(dice)))

    def roll(
        self,
        seat: Seat,
        first: int,
        second: int,
        confidence: float = 0.999,
        bodies: Sequence[Lab | None] = (None, None),
    ) -> list[Effect]:
        """Throws two dice into the section of a seat, each time on other spots. ``bodies``: their colours."""
        self._throws += 1
        spot = 2 * (self._throws % 8)
        one, other = bodies
        return self.rest(
            die(first, seat, spot=spot, confidence=confidence, body=one),
            die(second, seat, spot=spot + 1, confidence=confidence, body=other),
        )

    def lift(self, left: int = 0) -> list[Effect]:
        """Takes dice up."""
        return self.feed(DiceLifted(self.now(), left))

    def take_up(self, *still: DieReading) -> list[Effect]:
        """Takes all dice up but those given."""
        return self.feed(DiceLifted(self.now(), len(still), still=still))

    def start(self) -> None:
        """Sets up the starting position."""
        self.show(self.game.start())

    @property
    def judged(self) -> TurnJudged:
        """The last judgement."""
        return [effect for effect in self.effects if isinstance(effect, TurnJudged)][-1]


def board(drawn: str) -> BackgammonPosition:
    """Gets the position of a drawn board."""
    return BackgammonPosition.parse(drawn)


def at_turn(position: Position, seat: Seat, ruleset: str | Ruleset = "house-seed", match: Match | None = None) -> Seats:
    """Gets a table where a seat is to roll from a position."""
    from boardctl.referee.facts import PositionDeclared, Role

    seats = Seats(ruleset, match=match)
    reading = sure_reading(position.placement(), seats.game.places)
    seats.feed(PositionDeclared(seats.now(), Role.DIRECTOR, reading, seat))
    return seats
