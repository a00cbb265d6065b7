"""The director's view as a terminal shows it. What stands is said in words; colours only help.

Everything that tables told is put in as text, never as markup.
"""

from collections.abc import Iterator, Sequence

from rich.box import HEAVY_HEAD
from rich.console import Console, Group, RenderableType
from rich.style import Style
from rich.table import Table
from rich.text import Text as Line

from boardctl.hall.book import Report, Standing, TableSeen
from boardctl.hall.changes import News
from boardctl.hall.messages import ClockTold, Cube, Question, SeatClock, TableState
from boardctl.lights.words import Say, cube_text
from boardctl.referee.effects import Text

_STANDINGS = {
    Standing.LIVE: "hall.standing.live",
    Standing.UNHEARD: "hall.standing.unheard",
    Standing.SILENT: "hall.standing.silent",
    Standing.LOST: "hall.standing.lost",
    Standing.ENDED: "hall.standing.ended",
    Standing.CUT_OFF: "hall.standing.cut_off",
}
_WANTED = Style(bold=True, reverse=True)
_GONE = Style(bold=True, color="yellow")
_OPEN = Style(bold=True, color="cyan")
_DIM = Style(dim=True)
_PLAIN = Style()
_DIRECTOR = "director"
_CUBE_UNTOUCHED = Cube(value=1, owner=None)
_REPORTS_SHOWN = 5


class HallView:
    """Draws tables in the words of one language."""

    def __init__(self, say: Say, broker: str) -> None:
        self._say = say
        self._broker = broker

    def drawn(self, tables: Sequence[TableSeen], reports: Sequence[Report], cut_off: str = "") -> RenderableType:
        """Gets the whole view. ``cut_off``: why there is no line to the broker; empty where there is one."""
        return self._drawn(tables, tables, reports, cut_off)

    def fitted(
        self, console: Console, tables: Sequence[TableSeen], reports: Sequence[Report], cut_off: str
    ) -> RenderableType:
        """Gets as much of the view as a terminal has lines for; how many tables are left out is said."""
        shown = len(tables)
        while True:
            drawn = self._drawn(tables[:shown], tables, reports, cut_off)
            lines = len(console.render_lines(drawn, pad=False))
            if lines <= console.height or shown == 0:
                return drawn
            shown = min(shown - 1, shown * console.height // lines)

    def _drawn(
        self, shown: Sequence[TableSeen], tables: Sequence[TableSeen], reports: Sequence[Report], cut_off: str
    ) -> RenderableType:
        there = sum(seen.standing is Standing.LIVE for seen in tables)
        title = self._words("hall.title", broker=self._broker, count=len(tables), there=there)
        parts: list[RenderableType] = [Line(title, style="bold")]
        if cut_off:
            parts.append(Line(self._words("hall.cut_off", why=cut_off), style=_GONE))
        parts.append(self._table(shown) if tables else Line(self._words("hall.none")))
        if left_out := len(tables) - len(shown):
            parts.append(Line(self._words("hall.left_out", count=left_out), style=_GONE))
        if reports:
            parts.append(Line(self._words("hall.not_believed"), style=_GONE))
            parts += [Line("  " + self._reported(report)) for report in reports[-_REPORTS_SHOWN:]]
        return Group(*parts)

    def line(self, news: News) -> str:
        """Gets news in one plain line."""
        match news:
            case str():
                return self._words("hall.cut_off", why=news) if news else self._words("hall.line_back")
            case Report():
                return f"{self._words('hall.not_believed')} {self._reported(news)}"
            case TableSeen():
                match = [] if news.state is None else self._match(news, news.state)
                told = (*self._standing(news), *self._stands(news), *match)
                return f"{news.table}: {'; '.join(words.plain for words in told)}"

    def _reported(self, report: Report) -> str:
        return self._words("hall.report", topic=report.topic, why=report.why, times=report.times)

    def _table(self, tables: Sequence[TableSeen]) -> Table:
        table = Table(box=HEAVY_HEAD, show_lines=True, expand=True, padding=(0, 1))
        for key, ratio in (("table", 2), ("line", 3), ("match", 4), ("stands", 8)):
            table.add_column(self._words(f"hall.column.{key}"), ratio=ratio)
        for seen in tables:
            match = [] if seen.state is None else list(self._match(seen, seen.state))
            cells = (list(self._standing(seen)), match, list(self._stands(seen)))
            style = _PLAIN if seen.standing is Standing.LIVE else _DIM
            table.add_row(Line(seen.table, style="bold"), *(Line("\n").join(cell) for cell in cells), style=style)
        return table

    def _standing(self, seen: TableSeen) -> Iterator[Line]:
        style = {Standing.LIVE: _PLAIN, Standing.ENDED: _DIM}.get(seen.standing, _GONE)
        yield Line(self._words(_STANDINGS[seen.standing]), style=style)
        if seen.shared:
            yield Line(self._words("hall.shared"), style=_GONE)
        if seen.standing is not Standing.LIVE and seen.heard_s is not None:
            yield Line(self._words("hall.heard", time=_time(seen.heard_s * 1000)), style=style)
        if seen.age_ms is None and seen.state is not None:
            yield Line(self._words("hall.as_of", at=f"{seen.state.at.astimezone():%Y-%m-%d %H:%M:%S}"), style=style)

    def _match(self, seen: TableSeen, state: TableState) -> Iterator[Line]:
        yield Line(f"{state.game}, {state.ruleset}")
        length = state.match_length
        kind = self._words("hall.single") if length is None else self._words("hall.match_to", length=length)
        yield Line("  ".join([kind, *(f"{one.seat} {one.points}" for one in state.score)]))
        if state.crawford:
            yield Line(self._words("hall.crawford"))
        if state.cube is not None and state.cube != _CUBE_UNTOUCHED:
            cube = self._say(cube_text(state.cube.value, state.cube.owner))
            offered = state.cube.offered
            yield Line(cube if offered is None else f"{cube}, {self._words('hall.offered', value=offered)}")
        if state.clock is not None:
            yield Line(self._clock(state.clock, seen.age_ms or 0))

    def _clock(self, clock: ClockTold, age_ms: int) -> str:
        sides = "  ".join(self._side(side, age_ms if side.seat is clock.running else 0) for side in clock.sides)
        if clock.running is not None:
            return self._words("hall.clock.runs", sides=sides, seat=clock.running)
        if clock.paused:
            return self._words("hall.clock.stands_for", sides=sides, reason=clock.paused)
        return self._words("hall.clock.stands", sides=sides)

    def _side(self, side: SeatClock, gone_ms: int) -> str:
        left_ms = side.reserve_ms - max(0, gone_ms - side.delay_ms)
        shown = f"{side.seat} {_time(max(0, left_ms), up=True)}"
        return self._words("hall.clock.up", side=shown) if side.is_up else shown

    def _stands(self, seen: TableSeen) -> Iterator[Line]:
        """Gets what stands at a table, what concerns the director first."""
        state = seen.state
        if state is None:
            yield Line(self._words("hall.no_state"))
            return
        if (waits_ms := seen.waits_ms) is not None:
            yield Line(self._words("hall.wanted", time=_time(waits_ms)), style=_WANTED)
        for call in state.calls:
            yield Line(self._words("hall.call", why=call.why, time=_time(seen.open_ms(call))))
        if state.question is not None:
            yield self._asked(state.question, _time(seen.open_ms(state.question)))
        for one in state.irregularities:
            says, time = " ".join(one.says), _time(seen.open_ms(one))
            found = self._words("hall.open", time=time, says=says, entry=one.entry, pictures=one.pictures)
            yield Line(found, style=_OPEN)
        if seen.is_open or state.calls:
            where = state.evidence
            yield Line(self._words("hall.evidence", record=where.record, machine=where.machine), style=_DIM)
            if where.page is not None:
                yield Line(self._words("hall.page", page=where.page), style=_DIM)
        if state.devices_lost:
            yield Line(self._words("hall.devices", devices=", ".join(state.devices_lost)), style=_GONE)
        rolled = f" ({state.roll})" if state.roll else ""
        yield Line(f"{state.says}{rolled}")

    def _asked(self, question: Question, time: str) -> Line:
        asked = [self._words("hall.director") if one == _DIRECTOR else one for one in question.to]
        to, choices = ", ".join(asked), " / ".join(question.choices)
        words = self._words("hall.question", to=to, text=question.text, choices=choices, time=time)
        return Line(words, style=_OPEN)

    def _words(self, key: str, **arguments: object) -> str:
        return self._say(Text.of(key, **arguments))


def _time(ms: float, up: bool = False) -> str:
    """Gets a time in minutes and seconds. ``up``: a clock that shows 0:00 has nothing left."""
    seconds = -(-int(ms) // 1000) if up else int(ms) // 1000
    hours, minutes = seconds // 3600, seconds // 60 % 60
    return f"{hours}:{minutes:02}:{seconds % 60:02}" if hours else f"{minutes}:{seconds % 60:02}"
