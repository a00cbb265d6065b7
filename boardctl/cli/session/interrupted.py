"""Which record a table goes on with by itself after it was interrupted."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from boardctl.cli.session.journals import written_last, written_s
from boardctl.records import Journal, JournalError
from boardctl.referee.effects import Phase

_OF_THE_START = ("begun", "software")
"""What a header says of when and with what its record was begun: all else is what is played, and by which rules."""


def interrupted(header: Mapping[str, Any], within_minutes: int, now_s: float) -> tuple[Path | None, str | None]:
    """Gets the record of ``boardctl play`` that was written last, if its game was interrupted and may go on by itself;
    and why not, where people should know. ``now_s``: the time, in seconds since 1970.

    It may if it was written at most so long ago, of the same game by the same rules and with the same camera, if its
    match is not over, and if every fact in it was answered: one that was not may be what stopped the program, and would
    again. A clock that went back, as one without a battery does when the power goes, makes no record old.
    """
    newest = written_last("play-*.journal")
    if newest is None or now_s - written_s(newest) > within_minutes * 60:
        return None, None
    try:
        with Journal.read(newest) as journal:
            if _played(journal.header) != _played(header):
                return None, (
                    f"{newest}: is of another game, other rules or another calibration than now; a new record begins"
                )
            if journal.last_phase() == Phase.MATCH_OVER:
                return None, None
            if journal.unanswered():
                return None, (
                    f"{newest}: ended at a fact that was never answered; a new record begins. To go on with it: "
                    f"boardctl play --resume {newest}"
                )
    except JournalError as error:
        return None, f"{error}. A new record begins"
    return newest, None


def _played(header: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in header.items() if key not in _OF_THE_START}
