"""What a director's view takes for live, what it takes for old, and in which order it shows the tables."""

import json
from typing import Any

import pytest
from test_messages import said, state

from boardctl.hall.book import MOST_REPORTS, MOST_TABLES, SILENT_AFTER_S, HallBook, Standing, by_name
from boardctl.hall.changes import Changes, plain

RUN, OTHER = "0123456789abcdef", "fedcba9876543210"
AT = "2026-11-22T19:00:00Z"


def line_of(status: str, table: str = "Table 3", run: str = RUN, now_ms: int = 60_000) -> bytes:
    return said({"version": 1, "table": table, "run": run, "status": status, "now_ms": now_ms})


def standing(book: HallBook, now_s: float, table: str = "Table 3") -> Standing:
    seen = book.table(table, now_s)
    assert seen is not None
    return seen.standing


def tell(book: HallBook, message: bytes, now_s: float = 0.0, kept: bool = False) -> None:
    fields = json.loads(message)
    kind = "line" if "status" in fields else "state"
    assert book.hear(f"boardctl/tables/{fields['table']}/{kind}", message, kept, now_s) == fields["table"]


def test_what_the_broker_kept_is_not_live_before_the_table_is_heard() -> None:
    book = HallBook()
    tell(book, said(state()), kept=True)
    tell(book, line_of("online"), kept=True)
    assert standing(book, 0.0) is Standing.UNHEARD
    assert standing(book, 1000.0) is Standing.UNHEARD
    tell(book, line_of("online"), 1001.0)
    assert standing(book, 1001.0) is Standing.LIVE


def test_a_table_that_says_nothing_any_more_is_not_live() -> None:
    book = HallBook()
    tell(book, line_of("online"), 10.0)
    assert standing(book, 10.0 + SILENT_AFTER_S - 0.1) is Standing.LIVE
    assert standing(book, 10.0 + SILENT_AFTER_S) is Standing.SILENT


def test_the_broker_s_word_of_a_broken_line_counts_at_once() -> None:
    book = HallBook()
    tell(book, line_of("online"), 10.0)
    tell(book, line_of("lost"), 10.5)
    assert standing(book, 10.5) is Standing.LOST
    tell(book, line_of("online"), 11.0)
    assert standing(book, 11.0) is Standing.LIVE


def test_the_broken_line_of_an_earlier_run_says_nothing_of_the_one_that_is_heard() -> None:
    book = HallBook()
    tell(book, line_of("online", run=OTHER), 10.0)
    tell(book, line_of("lost", run=RUN), 11.0)
    assert standing(book, 11.0) is Standing.LIVE
    seen = book.table("Table 3", 11.0)
    assert seen is not None
    assert not seen.shared


def test_a_state_of_an_earlier_run_has_no_age() -> None:
    book = HallBook()
    tell(book, said(state()), kept=True)
    tell(book, line_of("online", run=OTHER), 10.0)
    seen = book.table("Table 3", 10.0)
    assert seen is not None
    assert (seen.standing, seen.age_ms) == (Standing.LIVE, None)


def test_two_runs_that_are_heard_share_a_name_until_one_leaves() -> None:
    book = HallBook()
    for run, now_s in ((RUN, 1.0), (OTHER, 2.0)):
        tell(book, line_of("online", run=run), now_s)
    assert [seen.shared for seen in book.seen(2.0)] == [True]
    tell(book, line_of("ended", run=RUN), 3.0)
    assert [(seen.shared, seen.standing) for seen in book.seen(3.0)] == [(False, Standing.LIVE)]


def test_without_an_own_line_nothing_is_known_of_anybody() -> None:
    book = HallBook()
    book.line_is(there=True)
    tell(book, line_of("online"), 1.0)
    tell(book, line_of("ended", "Table 4"), 1.0)
    book.line_is(there=False, why="the line broke")
    assert {seen.standing for seen in book.seen(1.0)} == {Standing.CUT_OFF}
    book.line_is(there=True)
    assert standing(book, 1.0) is Standing.SILENT
    assert standing(book, 1.0, "Table 4") is Standing.ENDED


def test_how_long_the_director_is_waited_for_goes_by_the_table_s_time_and_then_by_ours() -> None:
    book = HallBook()
    call = {"since_ms": 50_000, "since": AT, "why": "the clock stands"}
    tell(book, said(state(calls=[call])), kept=True)
    seen = book.seen(100.0)[0]
    assert seen.waits_ms == 10_000  # as it was told: at least so long
    tell(book, line_of("online", now_ms=200_000), 100.0)
    assert book.seen(103.0)[0].waits_ms == 153_000


def test_calls_come_first_and_the_longest_of_them_then_what_is_open_then_names() -> None:
    book = HallBook()
    found = {"since_ms": 0, "since": AT, "entry": 7, "certainty": "certain", "says": ["x"], "pictures": 0}
    with_fields: dict[str, dict[str, Any]] = {
        "Table 10": {},
        "Table 2": {},
        "Table 9": {"irregularities": [found]},
        "Table 7": {"calls": [{"since_ms": 50_000, "since": AT, "why": "x"}]},
        "Table 8": {"calls": [{"since_ms": 20_000, "since": AT, "why": "x"}]},
        "Table 1": {"calls": [{"since_ms": 0, "since": AT, "why": "x"}]},
    }
    for table, fields in with_fields.items():
        tell(book, said(state(table=table, **fields)))
    tell(book, line_of("ended", "Table 1"))
    assert [seen.table for seen in book.seen(0.0)] == [
        *("Table 8", "Table 7", "Table 9", "Table 1", "Table 2", "Table 10")
    ]
    assert [seen.table for seen in book.seen(0.0) if seen.waits_ms is not None] == ["Table 8", "Table 7"]


def test_a_name_with_any_digits_has_its_place() -> None:
    assert sorted(["t²", "t10", "T2", "٣", "2", "a"], key=by_name)[:1] == ["2"]


def test_a_table_that_was_deleted_is_forgotten() -> None:
    book = HallBook()
    tell(book, line_of("ended"), kept=True)
    tell(book, said(state()), kept=True)
    assert book.hear("boardctl/tables/Table 3/line", b"", False, 0.0) == "Table 3"
    assert book.hear("boardctl/tables/Table 3/state", b"", False, 0.0) == "Table 3"
    assert book.seen(0.0) == []


def test_nobody_fills_the_view() -> None:
    book = HallBook()
    for number in range(MOST_TABLES + 5):
        book.hear(f"boardctl/tables/{number}/line", line_of("online", str(number)), False, 0.0)
        book.hear(f"boardctl/tables/{number}\u001b/line", b"{}", False, 0.0)
    for number in range(50):
        book.hear("boardctl/tables/0/line", line_of("online", "0", f"{number:016x}"), False, 0.0)
    assert len(book.seen(0.0)) == MOST_TABLES
    assert len(book.reports) == MOST_REPORTS
    assert all(report.topic.isprintable() for report in book.reports)


def test_a_message_that_is_sent_again_and_again_is_one_report() -> None:
    book = HallBook()
    for _ in range(3):
        assert book.hear("boardctl/tables/a/line", b"{}", False, 0.0) is None
    (report,) = book.reports
    assert report.times == 3


def test_a_change_is_told_once_and_time_alone_is_none() -> None:
    book = HallBook()
    changes = Changes(book)
    book.line_is(there=True)
    assert list(changes.since(0.0)) == []
    tell(book, said(state()))
    (seen,) = changes.since(0.0)
    assert seen == book.seen(0.0)[0]
    tell(book, line_of("online"), 1.0)
    tell(book, said(state(number=2, now_ms=61_000)), 1.0)
    assert list(changes.since(1.0)) == []
    tell(book, said(state(number=3, turns=4)), 2.0)
    assert [plain(news, "b")["state"]["turns"] for news in changes.since(2.0)] == [4]
    assert [plain(news, "b")["standing"] for news in changes.since(20.0)] == ["silent"]
    book.hear("boardctl/tables/a/line", b"{}", False, 20.0)
    assert [plain(news, "b") for news in changes.since(20.0)] == [
        {"not_believed": "boardctl/tables/a/line", "why": "version: Field required", "times": 1}
    ]
    book.line_is(there=False, why="broken")
    assert plain(next(changes.since(20.0)), "b") == {"broker": "b", "line": "broken", "why": "broken"}


@pytest.mark.parametrize("status", ["lost", "ended"])
def test_what_was_told_last_stays_to_be_seen(status: str) -> None:
    book = HallBook()
    tell(book, said(state()))
    tell(book, line_of(status))
    seen = book.seen(1.0)[0]
    assert seen.standing.value == status
    assert seen.state is not None
    assert seen.age_ms is None
