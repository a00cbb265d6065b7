"""What the director reads: words, not colours alone; nothing of what came in is markup; what does not fit is said."""

import io
import json
from typing import Any

from rich.console import Console, RenderableType
from test_messages import said, state

from boardctl.hall.book import HallBook
from boardctl.hall.texts import hall_say
from boardctl.hall.view import HallView

VIEW = HallView(hall_say(), "broker:1883")
RUN, AT = "0123456789abcdef", "2026-11-22T19:00:00Z"
CLOCK = {
    "sides": [
        {"seat": "A", "reserve_ms": 65_000, "delay_ms": 2000, "is_up": False},
        {"seat": "B", "reserve_ms": 0, "delay_ms": 0, "is_up": True},
    ],
    "running": "A",
    "paused": "",
}


def told(*states: dict[str, Any], statuses: str = "online") -> HallBook:
    book = HallBook()
    book.line_is(there=True)
    for one in states:
        line = {"version": 1, "table": one["table"], "run": RUN, "status": statuses, "now_ms": one["now_ms"]}
        assert book.hear(f"boardctl/tables/{one['table']}/state", said(one), False, 0.0) is not None
        assert book.hear(f"boardctl/tables/{one['table']}/line", json.dumps(line).encode(), False, 0.0) is not None
    return book


def text_of(drawn: RenderableType, width: int = 240, height: int = 50) -> str:
    console = Console(file=io.StringIO(), width=width, height=height, color_system=None)
    console.print(drawn)
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def drawn(book: HallBook, now_s: float = 0.0) -> str:
    return text_of(VIEW.drawn(book.seen(now_s), book.reports, book.line or ""))


def test_a_call_is_read_with_how_long_it_stands_and_where_the_evidence_lies() -> None:
    call = {"since_ms": 0, "since": AT, "why": "the clock stands: a disagreement"}
    found = {
        "since_ms": 30_000,
        "since": AT,
        "entry": 57,
        "certainty": "certain",
        "says": ["It is not."],
        "pictures": 12,
    }
    words = drawn(told(state(calls=[call], irregularities=[found])), now_s=5.0)
    assert "DIRECTOR WANTED for 1:05" in words
    assert "the clock stands: a disagreement, for 1:05" in words
    assert "OPEN for 0:35: It is not. Entry 57, pictures: 12" in words
    assert "/home/pi/a.journal on pi" in words


def test_every_standing_is_a_word() -> None:
    book = told(state())
    assert "there: 1" in drawn(book)
    assert "SILENT: no sign of life" in drawn(book, now_s=100.0)
    assert "heard last 1:40 ago" in drawn(book, now_s=100.0)
    assert "as it was at 2026-" in drawn(book, now_s=100.0)
    book.line_is(there=False, why="the line broke")
    assert "NO LINE TO THE BROKER: the line broke." in drawn(book)
    assert "UNKNOWN" in drawn(book)
    assert "OFFLINE: its line broke" in drawn(told(state(), statuses="lost"))
    assert "ended" in drawn(told(state(), statuses="ended"))


def test_the_clock_runs_on_while_the_table_is_heard_its_delay_first() -> None:
    book = told(state(clock=CLOCK))
    assert "A 1:05  B 0:00 (up), runs for A" in drawn(book, now_s=2.0)
    assert "A 1:02  B 0:00 (up), runs for A" in drawn(book, now_s=5.0)
    assert "A 1:05  B 0:00 (up), runs for A" in drawn(book, now_s=100.0)  # as it was, and no longer live


def test_a_cube_is_told_once_it_was_turned() -> None:
    assert "cube" not in drawn(told(state(cube={"value": 1, "owner": None})))
    assert "cube 2 with B, offered at 4" in drawn(told(state(cube={"value": 2, "owner": "B", "offered": 4})))


def test_nothing_that_came_in_is_markup() -> None:
    words = drawn(told(state(says="[red]A[/red] [link=x]to roll", table="[b]1")))
    assert "[red]A[/red] [link=x]to roll" in words
    assert "[b]1" in words


def test_what_does_not_fit_is_said() -> None:
    book = told(*(state(table=f"Table {number}") for number in range(1, 31)))
    console = Console(width=140, height=40)
    words = text_of(VIEW.fitted(console, book.seen(0.0), book.reports, ""), width=140)
    lines = words.splitlines()
    assert len(lines) <= 40
    shown = sum("A to roll" in line for line in lines)
    assert 5 < shown < 30
    assert f"Tables that do not fit here: {30 - shown}." in words
    assert "Tables: 30, there: 30" in words


def test_news_is_one_line() -> None:
    book = told(state())
    book.hear("boardctl/tables/x/line", b"{}", False, 0.0)
    assert VIEW.line(book.seen(0.0)[0]) == "Table 3: there; A to roll; backgammon, casual; match to 5  A 2  B 0"
    assert VIEW.line(book.reports[0]).startswith("Not believed: boardctl/tables/x/line: ")
    assert VIEW.line("it broke").startswith("NO LINE TO THE BROKER: it broke.")
    assert VIEW.line("") == "The line to the broker is there."
