"""What happens at a table, as facts: the board set up, an opening roll of 3-1 or 5-2, plays, dice taken up."""

from collections.abc import Iterator
from pathlib import Path

from boardctl.records import Journal
from boardctl.referee import Referee, read_ruleset
from boardctl.referee.facts import BoardSeen, DiceLifted, DiceRested, Fact, HandSeen
from boardctl.referee.readings import DiceReading, DieReading, Support, sure_reading
from boardctl.rules import Backgammon, BackgammonPosition, Position, Roll, Seat, read_play
from boardctl.table import Session

GAME = Backgammon()
LEGAL_31 = read_play(GAME, GAME.start(), Seat.A, Roll(3, 1), "8/5 6/5").position
WRONG_31 = BackgammonPosition.from_mover_view(
    [0, -2, 0, 0, 1, 1, 4, 0, 2, 0, 0, 0, -5, 5, 0, 0, 0, -3, 0, -5, 0, 0, 0, 0, 2, 0], Seat.A
)
"""The starting position after 8/5 6/4, which no roll of 3-1 allows."""


def set_up() -> Iterator[Fact]:
    """The board is seen in the starting position, and the opening roll falls: A 3, B 1."""
    yield BoardSeen(0, sure_reading(GAME.start().placement(), GAME.places))
    yield DiceRested(1000, DiceReading((_die(3, Seat.A, -30.0), _die(1, Seat.B, 30.0))))


def played(board: Position, at_ms: int = 2000) -> Iterator[Fact]:
    """A hand makes a play, and takes up the dice."""
    yield HandSeen(at_ms, True)
    yield HandSeen(at_ms + 1000, False)
    yield BoardSeen(at_ms + 2000, sure_reading(board.placement(), GAME.places))
    yield DiceLifted(at_ms + 3000, 0)


def rolled(seat: Seat, first: int, second: int, at_ms: int) -> Iterator[Fact]:
    """A seat rolls; the dice lie elsewhere than those of the opening."""
    yield DiceRested(at_ms, DiceReading((_die(first, seat, -5.0), _die(second, seat, 55.0))))


def session(ruleset: str = "house-seed", match_length: int | None = 5) -> Session:
    """A match with the cube."""
    return Session(ruleset=read_ruleset(ruleset), match_length=match_length, cube=True)


def begun(path: Path, played_by: Session) -> tuple[Journal, Referee]:
    """Gets a new record and its referee."""
    return Journal.create(path, played_by.header()), played_by.referee()


def _die(value: int, section: Seat, y_mm: float) -> DieReading:
    spot = (150.0 if section is Seat.A else -150.0, y_mm)
    return DieReading(value, 0.999, True, Support.SURFACE, section, 0.5, spot, spot)
