"""Which record a table goes on with by itself after it was interrupted."""

import os
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from boardctl.cli.session.interrupted import interrupted
from boardctl.cli.session.journals import begin_journal, written_s
from boardctl.records import Journal
from boardctl.referee.effects import Phase, PhaseChanged
from boardctl.referee.facts import HandSeen
from boardctl.rules import Seat

HEADER = {"game": "backgammon", "match_length": 7, "source": "0", "begun": "2026-11-25T19:00:00", "software": "1"}
LATER = {**HEADER, "begun": "2026-11-25T19:40:00", "software": "2"}
WITHIN_MINUTES = 30


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    return tmp_path / "state" / "boardctl"


def recorded(header: dict[str, Any], *phases: Phase, command: str = "play", answered: bool = True) -> Path:
    """Gets a record in which the game went through some phases."""
    with begin_journal(None, command, header) as journal:
        for phase in phases:
            number = journal.append_fact(HandSeen(0, present=True))
            journal.append_effects(number, 0, [PhaseChanged(Phase.SETUP, None), PhaseChanged(phase, Seat.A)])
        if not answered:
            journal.append_fact(HandSeen(1, present=False))
        return journal.path


def found(minutes_later: float = 1, header: dict[str, Any] | None = None) -> tuple[Path | None, str | None]:
    records = [Path(each) for each in os.scandir(Path(os.environ["XDG_STATE_HOME"]) / "boardctl")]
    last_s = max(written_s(each) for each in records if each.suffix == ".journal")
    return interrupted(header or LATER, WITHIN_MINUTES, last_s + minutes_later * 60)


def test_the_game_that_was_interrupted_a_moment_ago_goes_on() -> None:
    path = recorded(HEADER, Phase.OPENING, Phase.MOVE)
    assert found() == (path, None)
    assert found(-600) == (path, None)  # a clock without a battery went back
    with Journal.read(path) as journal:
        assert journal.last_phase() == Phase.MOVE


def test_a_record_of_yesterday_or_of_a_match_that_is_over_is_left_without_a_word() -> None:
    recorded(HEADER, Phase.MOVE)
    assert found(WITHIN_MINUTES + 1) == (None, None)
    recorded(HEADER, Phase.MOVE, Phase.MATCH_OVER)
    assert found() == (None, None)


def test_no_record_and_records_of_other_commands_are_no_interrupted_game(folder: Path) -> None:
    assert interrupted(LATER, WITHIN_MINUTES, 0) == (None, None)
    recorded(HEADER, Phase.MOVE, command="demo")
    assert found() == (None, None)


def test_another_game_than_was_asked_for_is_not_gone_on_with_and_people_are_told() -> None:
    path = recorded(HEADER, Phase.MOVE)
    record, told = found(header={**LATER, "match_length": 9})
    assert record is None
    assert told == f"{path}: is of another game, other rules or another calibration than now; a new record begins"


def test_a_record_whose_last_fact_may_have_stopped_the_program_does_not_stop_it_for_ever() -> None:
    path = recorded(HEADER, Phase.MOVE, answered=False)
    record, told = found()
    assert record is None
    assert told is not None
    assert told.endswith(f"boardctl play --resume {path}")


def test_a_damaged_record_is_told_and_a_new_one_begins() -> None:
    path = recorded(HEADER, Phase.MOVE)
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA writable_schema = ON")
        connection.execute("DROP TRIGGER IF EXISTS no_delete")
        connection.execute("DROP TABLE entries")
    record, told = found()
    assert record is None
    assert told is not None
    assert told.endswith("A new record begins")
