"""Where journals go when nobody says where."""

import os
import time
from collections.abc import Mapping
from itertools import count
from pathlib import Path
from typing import Any

from boardctl.records import Journal, JournalError, JournalExistsError


def begin_journal(asked: Path | None, command: str, header: Mapping[str, Any]) -> Journal:
    """Begins the journal that was asked for, or a new one in the user's folder for boardctl's records, named after the
    command and the time. Nothing is overwritten: where a name is taken, also by one that begins now, the next is tried.

    :raises JournalError: when it cannot be begun.
    """
    if asked is not None:
        return Journal.create(asked, header)
    stem = made_folder() / f"{command}-{time.strftime('%Y%m%d-%H%M%S')}"
    for number in count(1):
        suffix = "" if number == 1 else f"-{number}"
        try:
            return Journal.create(stem.with_name(f"{stem.name}{suffix}.journal"), header)
        except JournalExistsError:
            continue
    raise AssertionError("there is always another number")


def made_folder() -> Path:
    """Gets the user's folder for boardctl's records, which is made where it is missing.

    :raises JournalError: when it cannot be made.
    """
    folder = _folder()
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise JournalError(f"{folder}: cannot be made ({error.strerror}); give --journal FILE") from error
    return folder


def newest_journal() -> Path:
    """Gets the journal in the user's folder that was written last.

    :raises JournalError: when there is none.
    """
    newest = written_last("*.journal")
    if newest is None:
        raise JournalError(f"{_folder()}: holds no journal; name one with --journal FILE")
    return newest


def written_last(pattern: str) -> Path | None:
    """Gets the journal in the user's folder that was written last, of those whose names fit a pattern."""
    return max(_folder().glob(pattern), key=written_s, default=None)


def written_s(journal: Path) -> float:
    """Gets when a journal was written last, in seconds since 1970: its newest entries may wait in a file beside it."""
    waiting = journal.with_name(journal.name + "-wal")
    return max(path.stat().st_mtime for path in (journal, waiting) if path.exists())


def _folder() -> Path:
    state = Path(os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state")
    return state / "boardctl"
