from pathlib import Path

import pytest

from boardctl.records import Journal
from boardctl.records.rulings import UnknownEntryError, check_entry
from boardctl.referee.facts import Decision, DirectorRuled, HandSeen


def ruling(entry: int | None) -> DirectorRuled:
    return DirectorRuled(0, "Dora", Decision.NOTE, "seen", entry=entry)


def test_a_ruling_names_an_entry_that_there_is_or_none(tmp_path: Path) -> None:
    with Journal.create(tmp_path / "a.journal", {}) as journal:
        number = journal.append_fact(HandSeen(0, True))
        for entry in (None, 1, number):
            check_entry(journal, ruling(entry))
        for entry in (0, -1, number + 1):
            with pytest.raises(UnknownEntryError, match=rf"entry {entry} does not exist: .* are 1 to {number}"):
                check_entry(journal, ruling(entry))
        assert journal.last_number == number
