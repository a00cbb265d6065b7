"""Where journals go when nobody says where."""

import os
import time
from pathlib import Path

from boardctl.records import JournalError


def journal_path(asked: Path | None, command: str) -> Path:
    """Gets the path that was asked for, or a new one in the user's folder for boardctl's records.

    :raises JournalError: when the folder cannot be made.
    """
    if asked is not None:
        return asked
    folder = _folder()
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise JournalError(f"{folder}: cannot be made ({error.strerror}); give --journal FILE") from error
    stamp = time.strftime("%Y%m%d-%H%M%S")
    names = (f"{command}-{stamp}{suffix}.journal" for suffix in ("", *(f"-{number}" for number in range(2, 1000))))
    return next(path for name in names if not (path := folder / name).exists())


def newest_journal() -> Path:
    """Gets the journal in the user's folder that was written last.

    :raises JournalError: when there is none.
    """
    found = sorted(_folder().glob("*.journal"), key=lambda path: path.stat().st_mtime_ns)
    if not found:
        raise JournalError(f"{_folder()}: holds no journal; name one with --journal FILE")
    return found[-1]


def _folder() -> Path:
    state = Path(os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state")
    return state / "boardctl"
