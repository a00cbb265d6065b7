"""Recorded rule cases, compared with what the games here say. Works on lines of text; opening files is for others.

The first line of a file is a header, every further line a case, all JSON objects. What a case holds depends on the
kind of file; see :mod:`boardctl.rules.recorded_rows`.
"""

import json
from collections.abc import Iterable, Iterator

from boardctl.rules.backgammon_position import BackgammonPosition
from boardctl.rules.game import Roll
from boardctl.rules.recorded_rows import COMPARERS, Comparer, Comparison, Difference, Row, standard_question

__all__ = ["Comparison", "Difference", "RecordedCaseError", "compare", "standard_questions"]


class RecordedCaseError(ValueError):
    """A line of recorded cases cannot be read. The message starts with the line's number."""

    def __init__(self, line: int, why: str) -> None:
        super().__init__(f"line {line}: {why}")
        self.line = line


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
        except (AttributeError, IndexError, KeyError, TypeError, ValueError) as error:
            why = f"has no {error}" if isinstance(error, KeyError) else str(error).partition("\n")[0]
            raise RecordedCaseError(number, f"case {why}") from error
    if number < 2:
        raise RecordedCaseError(max(number, 1), "no recorded case follows")


def standard_questions(lines: Iterable[str]) -> Iterator[tuple[BackgammonPosition, Roll]]:
    """Gets the position and the roll of every recorded case of standard backgammon; A is to play.

    :raises RecordedCaseError: at a line that is damaged, or when the file holds another game.
    """
    for number, line in enumerate(lines, start=1):
        row = _row(number, line)
        if number == 1:
            if _comparer(row) is not COMPARERS["gnubg"]:
                raise RecordedCaseError(1, f"the cases are of {row['game']}, not of standard backgammon")
            continue
        try:
            yield standard_question(row)
        except (KeyError, TypeError, ValueError) as error:
            raise RecordedCaseError(number, f"case {error}") from error


def _row(number: int, line: str) -> Row:
    try:
        row = json.loads(line)
    except json.JSONDecodeError as error:
        raise RecordedCaseError(number, f"not JSON at column {error.colno}: {error.msg}") from None
    if not isinstance(row, dict):
        raise RecordedCaseError(number, f"expected a JSON object, not {line.strip()[:40]!r}")
    return row


def _comparer(header: Row) -> Comparer:
    # The file of standard cases names no game, only the program whose truth it is.
    name = "gnubg" if str(header.get("truth", "")).startswith("gnubg") else str(header.get("game", ""))
    if name not in COMPARERS:
        known = ", ".join(repr(each) for each in COMPARERS)
        raise RecordedCaseError(1, f"the header's game {name!r} is no kind of recorded cases that is known ({known})")
    return COMPARERS[name]
