"""What changed in a hall since somebody looked last, for programs and for who reads a log."""

from collections.abc import Iterator
from typing import Any

from boardctl.hall.book import HallBook, Report, TableSeen

News = TableSeen | Report | str
"""A table as it is now, a message that was not believed, or of the view's own line why it broke: empty, it is there."""


class Changes:
    """Compares a hall with what it was at the last look. That what stands open grows older is no change."""

    def __init__(self, book: HallBook) -> None:
        self._book = book
        self._tables: dict[str, Any] = {}
        self._reports: dict[tuple[str, str], int] = {}
        self._line: str | None = None

    def since(self, now_s: float) -> Iterator[News]:
        """Gets what is new; a table that somebody has deleted from the broker is not told of."""
        if self._book.line != self._line and self._book.line is not None:
            if self._book.line or self._line is not None:
                yield self._book.line
            self._line = self._book.line
        tables = {}
        for seen in self._book.seen(now_s):
            tables[seen.table] = _what_counts(seen)
            if tables[seen.table] != self._tables.get(seen.table):
                yield seen
        self._tables = tables
        for report in self._book.reports:
            if self._reports.get((report.topic, report.why)) != report.times:
                yield report
        self._reports = {(report.topic, report.why): report.times for report in self._book.reports}


def _what_counts(seen: TableSeen) -> Any:
    state = seen.state
    if state is None:
        return seen.standing, seen.shared, None
    told = state.model_dump(exclude={"number": True, "now_ms": True, "at": True, "clock": {"sides"}})
    return seen.standing, seen.shared, told


def plain(news: News, broker: str) -> dict[str, Any]:
    """Gets news as JSON values."""
    match news:
        case str():
            return {"broker": broker, "line": "broken" if news else "there", "why": news}
        case Report():
            return {"not_believed": news.topic, "why": news.why, "times": news.times}
        case TableSeen():
            return {
                "table": news.table,
                "standing": news.standing.value,
                "shared": news.shared,
                "heard_s": None if news.heard_s is None else round(news.heard_s, 1),
                "state_age_ms": news.age_ms,
                "waits_ms": news.waits_ms,
                "state": None if news.state is None else news.state.model_dump(mode="json"),
            }
