"""What a director's view knows of the tables, from the messages that came in. Pure: time is passed in.

It shows no old state as if it were live. What the broker had kept is what was said last; a table is there only once it
has been heard to say so since, and only as long as it goes on saying so. What cannot be read is reported, not believed.
"""

import re
from dataclasses import dataclass, field, replace
from enum import StrEnum

from boardctl.hall.messages import (
    Call,
    Irregularity,
    Line,
    LineStatus,
    Message,
    MessageError,
    Question,
    TableState,
    read_message,
    table_of,
)

SILENT_AFTER_S = 6.0
"""A table says every other second that it is there: two in a row may be late."""

MOST_TABLES = 200
MOST_RUNS = 4
MOST_REPORTS = 20
_LONGEST_TOPIC = 60


class Standing(StrEnum):
    """How a table's line stands, as far as is known here."""

    LIVE = "live"
    UNHEARD = "unheard"  # kept by the broker; the table has not been heard yet
    SILENT = "silent"  # it said it was there, and says nothing any more
    LOST = "lost"
    ENDED = "ended"
    CUT_OFF = "cut_off"  # this view's own line to the broker is broken: nothing is known of anybody


@dataclass(frozen=True, slots=True)
class Report:
    """A message that was not believed: where it came in, and why. ``times``: how often in a row."""

    topic: str
    why: str
    times: int = 1


@dataclass(frozen=True, slots=True)
class TableSeen:
    """A table as it is known at an instant. ``heard_s`` ago it gave a sign of life; None: none since this view began.

    ``age_ms``: how old the state is, as far as can be told: None where the table is not heard. ``state`` None: it has
    told nothing yet. ``shared``: two tables call themselves so.
    """

    table: str
    standing: Standing
    state: TableState | None
    heard_s: float | None
    age_ms: int | None
    shared: bool

    @property
    def waits_ms(self) -> int | None:
        """How long the director is wanted already, at least; None where he is not, or nobody is there any more."""
        if self.state is None or not self.state.calls or self.standing is Standing.ENDED:
            return None
        return max(self.open_ms(call) for call in self.state.calls)

    def open_ms(self, matter: Call | Irregularity | Question) -> int:
        """Gets how long something stands open, at least: as it was told, and since then if the table is heard."""
        assert self.state is not None
        return self.state.now_ms - matter.since_ms + (self.age_ms or 0)

    @property
    def is_open(self) -> bool:
        """Whether something stands open that the director may have to see."""
        return self.state is not None and bool(self.state.irregularities or self.state.question)


@dataclass(frozen=True, slots=True)
class _Run:
    """One program at a table: when it was heard last, and what it said its time was then."""

    heard_s: float
    now_ms: int


@dataclass(slots=True)
class _Known:
    line: Line | None = None
    state: TableState | None = None
    runs: dict[str, _Run] = field(default_factory=dict)  # those that were heard and have not said that they are gone
    heard_s: float | None = None

    def hear(self, name: str, now_ms: int, now_s: float) -> None:
        """Notes a sign of life. Of the programs that call themselves so only the last few are kept."""
        self.runs.pop(name, None)
        self.runs[name] = _Run(now_s, now_ms)
        self.heard_s = now_s
        for old in list(self.runs)[:-MOST_RUNS]:
            del self.runs[old]

    def fresh(self, now_s: float) -> dict[str, _Run]:
        """Gets the programs of which a sign of life was heard just now."""
        return {name: run for name, run in self.runs.items() if now_s - run.heard_s < SILENT_AFTER_S}


class HallBook:
    """Keeps what was heard. ``reports`` are the last messages that were not believed. ``line``: why this view's own
    line to the broker is broken; empty while it is there, None before it ever was."""

    def __init__(self) -> None:
        self._tables: dict[str, _Known] = {}
        self.line: str | None = None
        self.reports: tuple[Report, ...] = ()

    def hear(self, topic: str, payload: bytes, kept: bool, now_s: float) -> str | None:
        """Takes a message. ``kept``: the broker had kept it, it was not sent just now. Gets the name of the table it is
        about; None where it is not believed."""
        try:
            table, kind = table_of(topic)
            if not payload:
                self._forget(table, kind)
                return table
            message = read_message(topic, payload)
            if table not in self._tables and len(self._tables) >= MOST_TABLES:
                raise MessageError(f"more than {MOST_TABLES} tables; this one is left out")
        except MessageError as error:
            self._report(topic, str(error))
            return None
        known = self._tables.setdefault(table, _Known())
        if isinstance(message, Line):
            self._hear_line(known, message, kept, now_s)
        else:
            self._hear_state(known, message, kept, now_s)
        return table

    def line_is(self, *, there: bool, why: str = "") -> None:
        """Notes that this view's own line to the broker is there, or why it is not. What was heard before it broke says
        nothing of who is there now."""
        self.line = "" if there else why
        if not there:
            for known in self._tables.values():
                known.runs.clear()

    def seen(self, now_s: float) -> list[TableSeen]:
        """Gets the tables: first where the director is wanted, longest first; then where something stands open; then
        the others; each by name."""
        return sorted((self._seen(table, known, now_s) for table, known in self._tables.items()), key=_place)

    def table(self, name: str, now_s: float) -> TableSeen | None:
        """Gets one table; None where nothing is known of it."""
        known = self._tables.get(name)
        return None if known is None else self._seen(name, known, now_s)

    def _hear_line(self, known: _Known, line: Line, kept: bool, now_s: float) -> None:
        known.line = line
        if line.status is not LineStatus.ONLINE:
            known.runs.pop(line.run, None)
        elif not kept:
            known.hear(line.run, line.now_ms or 0, now_s)

    def _hear_state(self, known: _Known, state: TableState, kept: bool, now_s: float) -> None:
        known.state = state
        if not kept:
            known.hear(state.run, state.now_ms, now_s)

    def _seen(self, table: str, known: _Known, now_s: float) -> TableSeen:
        fresh, state = known.fresh(now_s), known.state
        age_ms = None
        if state is not None and (run := fresh.get(state.run)) is not None:
            age_ms = max(0, run.now_ms - state.now_ms) + round(1000 * (now_s - run.heard_s))
        return TableSeen(
            table=table,
            standing=self._standing(known, bool(fresh)),
            state=state,
            heard_s=None if known.heard_s is None else now_s - known.heard_s,
            age_ms=age_ms,
            shared=len(fresh) > 1,
        )

    def _standing(self, known: _Known, is_fresh: bool) -> Standing:
        if self.line:
            return Standing.CUT_OFF
        if is_fresh:
            return Standing.LIVE
        if known.line is not None and known.line.status is not LineStatus.ONLINE:
            return Standing.ENDED if known.line.status is LineStatus.ENDED else Standing.LOST
        return Standing.UNHEARD if known.heard_s is None else Standing.SILENT

    def _forget(self, table: str, kind: type[Message]) -> None:
        """Somebody has deleted what the broker had kept of a table."""
        known = self._tables.get(table)
        if known is None:
            return
        if kind is Line:
            known.line = None
        else:
            known.state = None
        if known.line is None and known.state is None:
            del self._tables[table]

    def _report(self, topic: str, why: str) -> None:
        report = Report(_shown(topic), why)
        same = next((one for one in self.reports if (one.topic, one.why) == (report.topic, report.why)), None)
        others = [one for one in self.reports if one is not same]
        if same is not None:
            report = replace(same, times=same.times + 1)
        self.reports = (*others, report)[-MOST_REPORTS:]


def _place(seen: TableSeen) -> tuple[int, int, list[tuple[int, int, str]]]:
    waits_ms = seen.waits_ms
    is_open = seen.is_open and seen.standing is not Standing.ENDED
    return 0 if waits_ms is not None else 1 if is_open else 2, -(waits_ms or 0), by_name(seen.table)


def by_name(name: str) -> list[tuple[int, int, str]]:
    """Gets what names are sorted by: Table 2 before Table 10."""
    parts = re.findall(r"[0-9]+|[^0-9]+", name)
    return [(0, int(part), "") if part.isdecimal() else (1, 0, part.casefold()) for part in parts]


def _shown(topic: str) -> str:
    shown = "".join(sign if sign.isprintable() else "?" for sign in topic)
    return shown if len(shown) <= _LONGEST_TOPIC else shown[:_LONGEST_TOPIC] + "…"
