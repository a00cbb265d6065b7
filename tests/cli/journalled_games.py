"""Journals of short games, as a table with perfect eyes would write them."""

from collections.abc import Mapping
from pathlib import Path

from boardctl.records import Journal
from boardctl.referee import read_ruleset
from boardctl.referee.facts import BoardSeen, DiceLifted, DiceRested, Fact, HandSeen
from boardctl.referee.readings import DiceReading, DieReading, Support, sure_reading
from boardctl.rules import Backgammon, BackgammonPosition, Position, Roll, Seat, read_play
from boardctl.table import Desk, Session

GAME = Backgammon()
LEGAL = [(Seat.A, Roll(3, 1), "8/5 6/5"), (Seat.B, Roll(5, 2), "13/8 24/22"), (Seat.A, Roll(6, 6), "24/18(2) 13/7(2)")]
WRONG_31 = BackgammonPosition.from_mover_view(
    [0, -2, 0, 0, 1, 1, 4, 0, 2, 0, 0, 0, -5, 5, 0, 0, 0, -3, 0, -5, 0, 0, 0, 0, 2, 0], Seat.A
)
"""The starting position after 8/5 6/4, which no roll of 3-1 allows."""


def write_journal(
    path: Path, first: Position | None = None, begun: str = "", players: Mapping[Seat, str] | None = None
) -> None:
    """Writes a journal of three turns; ``first``: where the first of them led, if not where it should."""
    position = first or _led_to(GAME.start(), *LEGAL[0])
    boards = [position]
    for turn in LEGAL[1:]:
        boards.append(_led_to(boards[-1], *turn))
    session = Session(ruleset=read_ruleset("house-seed"), match_length=3, begun=begun, players=players or {})
    with Journal.create(path, session.header()) as journal:
        desk = Desk(journal, session.referee())
        for fact in _facts(boards):
            desk.handle(fact)


def _led_to(position: Position, seat: Seat, roll: Roll, text: str) -> Position:
    return read_play(GAME, position, seat, roll, text).position


def _facts(boards: list[Position]) -> list[Fact]:
    facts: list[Fact] = [BoardSeen(0, sure_reading(GAME.start().placement(), GAME.places))]
    for number, ((seat, roll, _), board) in enumerate(zip(LEGAL, boards, strict=True)):
        at_ms = 10_000 * (number + 1)
        sections = [Seat.A, Seat.B] if number == 0 else [seat, seat]
        thrown = zip(roll, sections, (-30.0, 30.0), strict=True)
        dice = tuple(_die(value, section, y_mm + 25.0 * number) for value, section, y_mm in thrown)
        facts += [
            DiceRested(at_ms, DiceReading(dice)),
            HandSeen(at_ms + 1000, True),
            HandSeen(at_ms + 3000, False),
            BoardSeen(at_ms + 4000, sure_reading(board.placement(), GAME.places)),
            DiceLifted(at_ms + 5000, 0),
        ]
    return facts


def _die(value: int, section: Seat, y_mm: float) -> DieReading:
    spot = (150.0 if section is Seat.A else -150.0, y_mm)
    return DieReading(value, 0.999, True, Support.SURFACE, section, 0.5, spot, spot)
