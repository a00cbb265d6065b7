"""Recorded rule cases, compared with what the games here say. Works on lines of text; opening files is for others.

The first line of a file is a header, every further line a case, all JSON objects. A case holds a position, a roll and
every position that can result; it is equal when :meth:`Game.plays` finds these and no others.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from boardctl.rules.backgammon import Backgammon
from boardctl.rules.backgammon_position import BackgammonPosition
from boardctl.rules.board import Seat
from boardctl.rules.game import Position, Roll

Row = Mapping[str, Any]


class RecordedCaseError(ValueError):
    """A line of recorded cases cannot be read. The message starts with the line's number."""

    def __init__(self, line: int, why: str) -> None:
        super().__init__(f"line {line}: {why}")
        self.line = line


@dataclass(frozen=True, slots=True)
class Comparison:
    """One recorded case beside what the rules say about it."""

    case: str
    position: Position
    missing: tuple[Position, ...]  # recorded, but not found
    surplus: tuple[Position, ...]  # found, but not recorded

    @property
    def equal(self) -> bool:
        """Whether exactly the recorded positions were found."""
        return not self.missing and not self.surplus

    def drawn(self) -> str:
        """Gets the case with its position and every difference as drawn boards."""
        parts = [self.case, str(self.position)]
        for title, positions in (("recorded, not found:", self.missing), ("found, not recorded:", self.surplus)):
            parts += [f"{title}\n{position}" for position in positions]
        return "\n".join(parts)


Comparer = Callable[[Row], Comparison]


def compare(lines: Iterable[str]) -> Iterator[Comparison]:
    """Gets the comparison of every case; the header says which game it is.

    :raises RecordedCaseError: at a line that is damaged, of no known kind, or when there is no case at all.
    """
    comparer: Comparer | None = None
    number = 0
    for number, line in enumerate(lines, start=1):
        row = _row(number, line)
        if comparer is None:
            comparer = _comparer(row)
            continue
        try:
            yield comparer(row)
        except (KeyError, TypeError, ValueError) as error:
            why = f"has no {error}" if isinstance(error, KeyError) else str(error).replace("\n", " ")
            raise RecordedCaseError(number, f"case {why}") from error
    if number < 2:
        raise RecordedCaseError(max(number, 1), "no recorded case follows")


def comparison(case: str, position: Position, recorded: Iterable[Position], found: Iterable[Position]) -> Comparison:
    """Gets the comparison of two sets of positions."""
    recorded_set, found_set = set(recorded), set(found)
    missing, surplus = (sorted(some, key=str) for some in (recorded_set - found_set, found_set - recorded_set))
    return Comparison(case, position, tuple(missing), tuple(surplus))


def _row(number: int, line: str) -> Row:
    try:
        row = json.loads(line)
    except json.JSONDecodeError as error:
        raise RecordedCaseError(number, f"not JSON at column {error.colno}: {error.msg}") from None
    if not isinstance(row, dict):
        raise RecordedCaseError(number, f"expected a JSON object, not {line.strip()[:40]!r}")
    return row


def _comparer(header: Row) -> Comparer:
    if str(header.get("truth", "")).startswith("gnubg"):
        return _compare_standard
    for name, comparer in _COMPARERS.items():
        if str(header.get("game", "")).startswith(name):
            return comparer
    known = ", ".join(["truth gnubg", *(f"game {name}" for name in _COMPARERS)])
    raise RecordedCaseError(1, f"the header names no kind of recorded cases that is known ({known})")


def _compare_standard(row: Row) -> Comparison:
    game = Backgammon()
    position = BackgammonPosition.from_mover_view(row["b"], Seat.A)
    roll = Roll.of(*row["d"])
    recorded = [BackgammonPosition.from_mover_view(_view(text), Seat.A) for text in row["r"]]
    found = [play.position for play in game.plays(position, Seat.A, roll)]
    return comparison(f"case {row['id']}: A to play {roll}", position, recorded or [position], found)


def _view(text: str) -> list[int]:
    """Gets the numbers of a recorded result: ``.`` is none, ``1`` to ``F`` the mover's, ``a`` to ``o`` the other's."""
    if strange := set(text) - set(_SIGNS):
        raise ValueError(f"result {text!r} has {''.join(sorted(strange))!r}, which counts no checkers")
    return [_SIGNS.index(character) - _SIGNS.index(".") for character in text]


_SIGNS = "onmlkjihgfedcba.123456789ABCDEF"

_COMPARERS: dict[str, Comparer] = {}
