import json
import sqlite3
from pathlib import Path

import pytest
from typer.testing import CliRunner

from boardctl.cli import build
from boardctl.cli.session.turn_lines import HeadLine
from boardctl.lights.words import in_english
from boardctl.records import Journal
from boardctl.referee.effects import Cue, MatchLost
from boardctl.referee.facts import HandSeen
from boardctl.rules import Seat


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    path = tmp_path / "night.journal"
    with Journal.create(path, {"game": "backgammon"}) as opened:
        number = opened.append_fact(HandSeen(1500, True))
        opened.append_effects(number, 1500, [Cue("ok")])
    return path


def run(*words: str) -> tuple[int, str]:
    result = CliRunner().invoke(build(["journal"]), ["journal", *words])
    return result.exit_code, result.output


def test_a_whole_journal_passes(journal: Path) -> None:
    code, output = run("verify", str(journal))
    assert code == 0
    assert output.startswith("3 entries, none altered")


def test_an_altered_entry_is_named_and_fails(journal: Path) -> None:
    with sqlite3.connect(journal) as connection:
        connection.execute("UPDATE entries SET at_ms = 1600 WHERE number = 2")
    code, output = run("verify", str(journal))
    assert code == 1
    assert "entry 2 (fact) is not what was recorded" in output
    code, output = run("verify", str(journal), "--json")
    assert code == 1
    assert json.loads(output)["first_altered"] == 2


def test_a_hash_that_was_noted_down_tells_the_record_from_one_that_was_written_anew(journal: Path) -> None:
    with Journal.open(journal) as opened:
        noted = opened.head_hash
        opened.append_fact(HandSeen(2000, False))
    code, output = run("verify", str(journal), "--hash", noted)
    assert (code, f"the hash {noted} is that of entry 3; nothing up to there was written anew" in output) == (0, True)
    assert json.loads(run("verify", str(journal), "--json", "--hash", noted[:12].upper())[1])["noted"] == 3
    code, output = run("verify", str(journal), "--hash", "0" * 64)
    assert code == 1
    assert "this is not the record that it was noted of" in output
    code, output = run("verify", str(journal), "--json", "--hash", "0" * 64)
    assert (code, json.loads(output)["noted"]) == (1, None)
    code, output = run("verify", str(journal), "--hash", "a1")
    assert (code, "give at least 12 of its digits" in output) == (2, True)


def test_the_hash_of_the_record_is_said_when_a_game_ends(journal: Path) -> None:
    said: list[str] = []
    with Journal.open(journal) as opened:
        output = HeadLine(opened, in_english, said.append)
        output(HandSeen(2000, True), [Cue("ok")])
        assert said == []
        output(HandSeen(2000, True), [MatchLost(Seat.A, Seat.B, "time")])
        assert said == [f"hash of the record up to entry 3: {opened.head_hash}"]


def test_entries_are_shown_in_words_and_as_json(journal: Path) -> None:
    _, output = run("show", str(journal))
    assert "1.500 s  fact     hand_seen" in output
    assert "effects  cue" in output
    _, output = run("show", str(journal), "--json")
    assert [json.loads(line)["kind"] for line in output.splitlines()] == ["header", "fact", "effects"]


def test_a_missing_journal_is_one_line(tmp_path: Path) -> None:
    code, output = run("verify", str(tmp_path / "none.journal"))
    assert code == 1
    assert "no such journal" in output
    assert output.count("\n") == 1
