import os
import shutil
import sqlite3
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

import pytest

from boardctl.records import EncodingError, Journal, JournalError, JournalExistsError, fact_from_json, fact_to_json
from boardctl.records import journal as journal_module
from boardctl.referee.effects import Cue, Mark, Scene, Sign
from boardctl.referee.facts import BoardSeen, ButtonPressed, DiceRested, HandSeen, Role
from boardctl.referee.readings import (
    BoardReading,
    CubeReading,
    DiceReading,
    DieReading,
    Hand,
    PlaceReading,
    StackChance,
    Support,
    Witness,
)
from boardctl.rules import Seat, bar, point

READING = BoardReading(
    Witness.CAMERA,
    (
        PlaceReading(point(6), (StackChance((Seat.A,) * 5, 0.97), StackChance((Seat.A,) * 6, 0.03))),
        PlaceReading(bar(Seat.B), (), hidden=True),
    ),
    hand=True,
    cube=CubeReading(64, "bar", 0.9),
    hands=(Hand(Seat.B, (point(6), bar(Seat.B))), Hand(None)),
)
DIE = DieReading(3, 0.99, True, Support.SURFACE, Seat.A, 0.5, (10.0, 20.0), (100.0, -50.0))
FACTS = [
    HandSeen(5, True, (Hand(Seat.A, (point(6),)), Hand(Seat.A))),
    BoardSeen(10, READING, device_ms=7, frame="f003.jpg"),
    DiceRested(20, DiceReading((DIE, DIE)), "f004.jpg"),
    ButtonPressed(30, Role.DIRECTOR),
]


@pytest.mark.parametrize("fact", FACTS, ids=lambda fact: fact.kind)
def test_a_fact_comes_back_equal(fact: HandSeen) -> None:
    assert fact_from_json(fact_to_json(fact)) == fact


def test_facts_of_before_hands_were_told_one_by_one_are_understood() -> None:
    assert fact_from_json('{"at_ms":5,"present":true,"kind":"hand_seen"}') == HandSeen(5, True)
    board = '{"witness":"camera","places":[],"hand":true,"cube":null}'
    fact = fact_from_json(f'{{"at_ms":5,"reading":{board},"kind":"board_seen"}}')
    assert fact == BoardSeen(5, BoardReading(Witness.CAMERA, (), hand=True))


def test_facts_are_there_after_closing_and_opening(tmp_path: Path) -> None:
    path = tmp_path / "night.journal"
    with Journal.create(path, {"game": "backgammon"}) as journal:
        numbers = [journal.append_fact(fact) for fact in FACTS]
        journal.append_effects(numbers[0], 5, [Cue("ok"), Scene((Mark(Sign.TARGET, point(5)),))])
    with Journal.open(path) as journal:
        assert [fact for _, fact in journal.facts()] == FACTS
        assert journal.header == {"game": "backgammon"}
        assert journal.unanswered() == set(numbers[1:])
        assert journal.first_altered() is None


def test_effects_are_written_in_words(tmp_path: Path) -> None:
    with Journal.create(tmp_path / "a.journal", {}) as journal:
        number = journal.append_fact(FACTS[0])
        journal.append_effects(number, 5, [Scene((Mark(Sign.TARGET, point(5)),))])
        entry = list(journal.entries())[-1]
    assert entry.answers == number
    assert entry.content == [{"kind": "scene", "marks": [{"sign": "target", "place": "point 5", "seat": None}]}]


def test_an_altered_entry_is_found(tmp_path: Path) -> None:
    path = tmp_path / "a.journal"
    with Journal.create(path, {}) as journal:
        for fact in FACTS:
            journal.append_fact(fact)
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE entries SET body = replace(body, 'director', 'A') WHERE number = 5")
    with Journal.open(path) as journal:
        altered = journal.first_altered()
    assert altered is not None
    assert altered.number == 5


def test_a_removed_entry_is_found(tmp_path: Path) -> None:
    path = tmp_path / "a.journal"
    with Journal.create(path, {}) as journal:
        for fact in FACTS:
            journal.append_fact(fact)
    with sqlite3.connect(path) as connection:
        connection.execute("DELETE FROM entries WHERE number = 3")
    with Journal.open(path) as journal:
        altered = journal.first_altered()
    assert altered is not None
    assert altered.number == 4


def test_a_full_disk_stops_recording_and_keeps_what_was_recorded(tmp_path: Path) -> None:
    path = tmp_path / "a.journal"
    with Journal.create(path, {}) as journal:
        journal._connection.execute("PRAGMA max_page_count = 12")
        stored: list[int] = []
        with pytest.raises(JournalError, match="disk is full"):
            stored.extend(journal.append_fact(FACTS[1]) for _ in range(1000))
    with Journal.open(path) as journal:
        assert len(list(journal.facts())) == len(stored) > 0
        assert journal.first_altered() is None
        journal.append_fact(FACTS[0])
        assert journal.first_altered() is None


def test_a_journal_is_never_overwritten(tmp_path: Path) -> None:
    Journal.create(tmp_path / "a.journal", {}).close()
    with pytest.raises(JournalError, match="never overwritten"):
        Journal.create(tmp_path / "a.journal", {})


def test_of_all_that_begin_one_journal_at_once_one_gets_it(tmp_path: Path) -> None:
    path = tmp_path / "a.journal"
    at_once = Barrier(8)

    def begin(number: int) -> int | None:
        at_once.wait()
        try:
            Journal.create(path, {"number": number}).close()
        except JournalExistsError:
            return None
        return number

    with ThreadPoolExecutor(8) as pool:
        (got_it,) = [number for number in pool.map(begin, range(8)) if number is not None]
    with Journal.open(path) as journal:
        assert journal.header == {"number": got_it}


def test_a_journal_that_could_not_be_begun_leaves_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.journal"
    with monkeypatch.context() as patched:
        patched.setattr(journal_module, "_SCHEMA", "PRAGMA max_page_count = 1;" + journal_module._SCHEMA)
        with pytest.raises(JournalError, match="disk is full"):
            Journal.create(path, {})
    assert list(tmp_path.iterdir()) == []
    Journal.create(path, {}).close()


def test_what_is_left_of_a_journal_that_was_taken_away_is_kept(tmp_path: Path) -> None:
    left = tmp_path / "a.journal-wal"
    left.write_bytes(b"its last entries")
    with pytest.raises(JournalExistsError, match="may hold its last entries"):
        Journal.create(tmp_path / "a.journal", {})
    assert [path.name for path in tmp_path.iterdir()] == ["a.journal-wal"]
    assert left.read_bytes() == b"its last entries"


def test_a_journal_is_a_file_whatever_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Journal.create(Path(":memory:"), {"game": "backgammon"}).close()
    with Journal.open(Path(":memory:")) as journal:
        assert journal.header == {"game": "backgammon"}


def test_what_is_no_journal_is_refused(tmp_path: Path) -> None:
    text = tmp_path / "a.txt"
    text.write_text("a shopping list\n" * 100)
    with pytest.raises(JournalError, match="is not a boardctl journal"):
        Journal.open(text)
    other = tmp_path / "other.sqlite"
    with sqlite3.connect(other) as connection:
        connection.execute("CREATE TABLE t (a)")
    with pytest.raises(JournalError, match="is not a boardctl journal"):
        Journal.open(other)
    with pytest.raises(JournalError, match="no such journal"):
        Journal.open(tmp_path / "none.journal")
    with pytest.raises(JournalError, match=r"cannot be read .Is a directory."):
        Journal.open(tmp_path)


@pytest.mark.parametrize("way", [Journal.open, Journal.read])
def test_what_is_no_journal_is_left_as_it_is(way: Callable[[Path], Journal], tmp_path: Path) -> None:
    other = tmp_path / "other.sqlite"
    with sqlite3.connect(other) as connection:
        connection.execute("CREATE TABLE t (a)")
    (tmp_path / "empty").touch()
    for path in (other, tmp_path / "empty"):
        before = path.read_bytes()
        with pytest.raises(JournalError, match="is not a boardctl journal"):
            way(path)
        assert path.read_bytes() == before
    assert len(list(tmp_path.iterdir())) == 2


def test_a_journal_is_read_where_nothing_may_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "night of 22%23?.journal"
    with Journal.create(path, {}) as writing:
        writing.append_fact(FACTS[0])
        monkeypatch.setattr(os, "access", lambda *_: False)
        with Journal.read(path) as beside:  # while it is written
            assert [fact for _, fact in beside.facts()] == FACTS[:1]
    with Journal.read(path) as journal:
        assert [fact for _, fact in journal.facts()] == FACTS[:1]
        assert journal.first_altered() is None
        with pytest.raises(JournalError):
            journal.append_fact(FACTS[1])
        assert [one.name for one in tmp_path.iterdir()] == [path.name], "nothing is written beside it"


def test_a_journal_that_was_killed_is_read_with_what_still_waits(tmp_path: Path) -> None:
    path, killed = tmp_path / "a.journal", tmp_path / "killed"
    killed.mkdir()
    with Journal.create(path, {}) as writing:
        writing.append_fact(FACTS[0])
        for name in ("a.journal", "a.journal-wal"):
            shutil.copy(tmp_path / name, killed / name)
    with Journal.read(killed / "a.journal") as journal:
        assert [fact for _, fact in journal.facts()] == FACTS[:1]


def test_a_journal_that_was_cut_short_is_told_from_what_is_none(tmp_path: Path) -> None:
    path = tmp_path / "a.journal"
    with Journal.create(path, {}) as journal:
        for _ in range(20):
            journal.append_fact(FACTS[1])
    whole = path.read_bytes()
    for kept in (len(whole) // 2, len(whole) - 4096):
        path.write_bytes(whole[:kept])
        with pytest.raises(JournalError, match=r"is damaged or cut short .* copy it anew"):
            list(Journal.read(path).entries())


def test_a_journal_of_a_newer_version_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.journal"
    Journal.create(path, {}).close()
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA user_version = 99")
    with pytest.raises(JournalError, match="newer boardctl"):
        Journal.open(path)


def test_a_missing_folder_is_named(tmp_path: Path) -> None:
    with pytest.raises(JournalError, match="does not exist"):
        Journal.create(tmp_path / "no" / "a.journal", {})


def test_a_fact_of_a_newer_version_is_refused_with_what_to_do() -> None:
    with pytest.raises(EncodingError, match=r"'seat_swapped'.*update boardctl"):
        fact_from_json('{"at_ms": 0, "kind": "seat_swapped"}')
