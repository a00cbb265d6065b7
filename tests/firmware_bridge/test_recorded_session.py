"""Recorded bytes of the real firmware, replayed in their own time: the host must make of them what it made then."""

import json
from pathlib import Path

import pytest

from firmware_bridge.news import EventsArrived, News, SessionDown, SessionUp
from firmware_bridge.picture import ChannelPicture
from firmware_bridge.protocol import ChannelClass, EventRecord, ResetCause
from firmware_bridge.session import Session
from firmware_bridge.timings import LinkTimings

RECORDED = Path(__file__).parents[1] / "data" / "bridge" / "session.jsonl"


def replay(piece_bytes: int | None) -> list[News]:
    """Feeds the record to a new session, each entry in pieces of this size, ticking every millisecond between."""
    entries = [json.loads(line) for line in RECORDED.read_text().splitlines()]
    now_ms = entries[0]["ms"] - 5.0
    session, news = Session(LinkTimings()), list[News]()
    session.open(now_ms / 1000)
    for entry in entries:
        while now_ms < entry["ms"]:
            news += session.tick(now_ms / 1000)
            now_ms += 1
        data = bytes.fromhex(entry["bytes"])
        size = piece_bytes or len(data)
        for start in range(0, len(data), size):
            news += session.receive(data[start : start + size], now_ms / 1000)
    return news


@pytest.mark.parametrize("piece_bytes", [None, 1, 7])
def test_recorded_session_gives_its_events_once_and_both_starts(piece_bytes: int | None) -> None:
    news = replay(piece_bytes)
    events = [
        (entry.boot_id, entry.first_number + offset, record.source, record.value)
        for entry in news
        if isinstance(entry, EventsArrived)
        for offset, record in enumerate(entry.records)
    ]
    light, dark, empty = ChannelClass.LIGHT, ChannelClass.DARK, ChannelClass.EMPTY
    assert [event[:2] for event in events] == [*((1, number) for number in range(7)), (2, 0)]
    assert [event[2:] for event in events[:5]] == [
        *((channel, light) for channel in (0, 17, 64, 127)),
        (EventRecord.BUTTON_BASE, 1),
    ]
    assert {event[2:] for event in events[5:7]} == {(17, empty), (18, dark)}
    assert events[7][2:] == (18, empty)
    ups = [entry for entry in news if isinstance(entry, SessionUp)]
    assert [up.ident.reset_cause for up in ups] == [ResetCause.POWER_ON, ResetCause.EXTERNAL]
    assert len([entry for entry in news if isinstance(entry, SessionDown)]) == 1


def test_picture_after_the_recorded_session_is_what_lay_on_the_board() -> None:
    picture = ChannelPicture()
    for entry in replay(None):
        if isinstance(entry, SessionUp):
            picture.take_state(entry.state)
        elif isinstance(entry, EventsArrived):
            for offset, record in enumerate(entry.records):
                picture.take_event(entry.first_number + offset, record)
    lying = {channel for channel, kind in enumerate(picture.classes) if kind is not ChannelClass.EMPTY}
    assert lying == {0, 64, 127}
