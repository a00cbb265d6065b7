"""Where journals go when nobody says where."""

import os
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

import pytest

from boardctl.cli.session.journals import begin_journal, newest_journal
from boardctl.records import Journal, JournalError

AT_ONCE = 6


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    return tmp_path / "state" / "boardctl"


def test_games_that_begin_in_the_same_second_have_a_journal_each(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(time, "strftime", lambda _: "20261122-190000")
    at_once = Barrier(AT_ONCE)

    def begin(number: int) -> Path:
        at_once.wait()
        with begin_journal(None, "demo", {"number": number}) as journal:
            return journal.path

    with ThreadPoolExecutor(AT_ONCE) as pool:
        paths = list(pool.map(begin, range(AT_ONCE)))
    names = ["", *(f"-{number}" for number in range(2, AT_ONCE + 1))]
    assert {path.name for path in paths} == {f"demo-20261122-190000{name}.journal" for name in names}
    for number, path in enumerate(paths):
        with Journal.open(path) as journal:
            assert journal.header == {"number": number}


def test_the_journal_that_was_asked_for_is_begun_or_none(folder: Path, tmp_path: Path) -> None:
    begin_journal(tmp_path / "a.journal", "demo", {}).close()
    with pytest.raises(JournalError, match="never overwritten"):
        begin_journal(tmp_path / "a.journal", "demo", {})
    assert not folder.exists()


def test_a_folder_that_cannot_be_made_is_told(folder: Path) -> None:
    folder.parent.write_text("a file where the folder should be")
    with pytest.raises(JournalError, match=r"cannot be made .* give --journal FILE"):
        begin_journal(None, "demo", {})


def test_the_newest_journal_is_the_one_written_last(folder: Path) -> None:
    begun = [begin_journal(None, command, {}) for command in ("play", "demo", "watch")]
    for age_s, journal in enumerate(begun):
        journal.close()
        os.utime(journal.path, (1_000_000 - age_s, 1_000_000 - age_s))
    assert newest_journal() == begun[0].path
