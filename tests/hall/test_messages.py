"""What may come in, and what is believed of it."""

import json
import re
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boardctl.hall.messages import (
    MOST_BYTES,
    VERSION,
    Line,
    LineStatus,
    MessageError,
    TableState,
    read_message,
    to_bytes,
    topic_of,
)

LINE = Line(table="Table 3", run="0123456789abcdef", status=LineStatus.ONLINE, now_ms=5, at=datetime.now(UTC))
TOPIC = "boardctl/tables/Table 3/line"
STATE_TOPIC = "boardctl/tables/Table 3/state"


def state(**fields: Any) -> dict[str, Any]:
    """Gets a state as JSON values."""
    at = "2026-11-22T19:00:00Z"
    whole: dict[str, Any] = {
        "version": 1,
        "table": "Table 3",
        "run": "0123456789abcdef",
        "number": 1,
        "now_ms": 60_000,
        "at": at,
        "software": "1",
        "game": "backgammon",
        "ruleset": "casual",
        "match_length": 5,
        "crawford": False,
        "game_number": 1,
        "turns": 3,
        "phase": "roll",
        "says": "A to roll",
        "on_turn": "A",
        "roll": "",
        "score": [{"seat": "A", "points": 2}, {"seat": "B", "points": 0}],
        "cube": None,
        "clock": None,
        "devices_lost": [],
        "question": None,
        "calls": [],
        "irregularities": [],
        "evidence": {"machine": "pi", "record": "/home/pi/a.journal", "page": None},
    }
    return {**whole, **fields}


def said(message: dict[str, Any]) -> bytes:
    return json.dumps(message).encode()


def test_a_message_is_read_as_it_was_sent() -> None:
    assert topic_of("Table 3", Line) == TOPIC
    assert read_message(TOPIC, to_bytes(LINE)) == LINE
    read = read_message(STATE_TOPIC, said(state()))
    assert isinstance(read, TableState)
    assert read_message(topic_of("Table 3", TableState), to_bytes(read)) == read


def test_the_messages_that_are_written_down_are_messages() -> None:
    page = (Path(__file__).parents[2] / "docs" / "hall.md").read_text(encoding="utf-8")
    written = re.findall(r"^    \{.*(?:\n     .*)*", page, re.MULTILINE)
    topics = ("boardctl/tables/table3/line", "boardctl/tables/table3/state")
    read = [read_message(topic, text.encode()) for topic, text in zip(topics, written, strict=True)]
    assert [type(message) for message in read] == [Line, TableState]
    assert set(json.loads(written[1])) == set(TableState.model_fields)


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"version": VERSION + 1}, "newer than 1"),
        ({"version": 0}, "there never was"),
        ({"version": "1"}, "version: "),
        ({"version": 10**30}, "version: "),
        ({"table": "Table 4"}, "another table"),
        ({"unheard_of": 1}, "unheard_of: Extra inputs"),
        ({"\u001b[2J": 1}, "a key that cannot be shown"),
        ({"says": "A to roll\u001b[2J"}, "says: holds signs that cannot be shown"),
        ({"says": "\u202etxet"}, "says: holds signs that cannot be shown"),
        ({"says": "x" * 401}, "says: String should have at most"),
        ({"on_turn": "E"}, "on_turn: "),
        ({"phase": "asleep"}, "phase: "),
        ({"run": "../../etc/passwd"}, "run: "),
        ({"now_ms": -1}, "now_ms: "),
        ({"at": "yesterday"}, "at: "),
        ({"score": [{"seat": "A", "points": 1}] * 5}, "score: "),
        ({"calls": [{"since_ms": 60_001, "since": "2026-11-22T19:00:00Z", "why": "x"}]}, "since later than"),
    ],
)
def test_what_does_not_fit_to_the_letter_is_not_believed(fields: dict[str, Any], why: str) -> None:
    with pytest.raises(MessageError, match=why) as refused:
        read_message(STATE_TOPIC, said(state(**fields)))
    assert str(refused.value).isprintable()


@pytest.mark.parametrize("payload", [b"", b"\xff", b"[" * 30_000, b"null", b"[]", b"x" * (MOST_BYTES + 1)])
def test_what_is_no_message_is_not_believed(payload: bytes) -> None:
    with pytest.raises(MessageError):
        read_message(TOPIC, payload)


@pytest.mark.parametrize(
    "topic",
    [
        *("", "boardctl", "boardctl/tables/line", "boardctl/tables//line", "boardctl/tables/a/b/line"),
        *("boardctl/tables/a/orders", "x/boardctl/tables/a/line", f"boardctl/tables/{'x' * 41}/line"),
        *("boardctl/tables/\u001b/line", "boardctl/tables/ a/line", "boardctl/tables/#/line"),
    ],
)
def test_no_table_speaks_elsewhere(topic: str) -> None:
    with pytest.raises(MessageError):
        read_message(topic, to_bytes(LINE))


@given(
    st.binary(max_size=200)
    | st.recursive(st.none() | st.text() | st.floats(), st.lists).map(json.dumps).map(str.encode)
)
def test_whatever_comes_in_is_read_or_refused(payload: bytes) -> None:
    with pytest.raises(MessageError):
        read_message(TOPIC, payload)
