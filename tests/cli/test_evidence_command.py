"""Evidence packs as a user makes them, from a game with an illegal play."""

import json
import sqlite3
import zipfile
from pathlib import Path

import pytest
from command_line import run
from journalled_games import WRONG_31, write_journal

from boardctl.records import Journal
from boardctl.records.frame_store import FrameStore
from boardctl.referee.facts import EvidenceKept


@pytest.fixture
def game(tmp_path: Path) -> Path:
    path = tmp_path / "evening.journal"
    write_journal(path, first=WRONG_31)
    return path


def first_id(game: Path) -> int:
    return int(json.loads(run("evidence", "--journal", game, "--json").output.splitlines()[0])["id"])


def test_the_findings_of_a_record_are_listed(game: Path) -> None:
    line = json.loads(run("evidence", "--journal", game, "--json").output.splitlines()[0])
    assert line["says"][0] == "A 3-1: not legal (certain)"
    assert str(line["id"]) in run("evidence", "--journal", game).output


def test_a_record_without_findings_says_so(tmp_path: Path) -> None:
    write_journal(tmp_path / "legal.journal")
    assert run("evidence", "--journal", tmp_path / "legal.journal").output == "nothing was found in this record\n"
    assert run("evidence", "--journal", tmp_path / "legal.journal", "--json").output == ""


def test_a_roll_that_counts_is_listed_if_asked_for_and_packed_under_its_own_name(game: Path, tmp_path: Path) -> None:
    without = run("evidence", "--journal", game, "--json").output.splitlines()
    lines = [json.loads(line) for line in run("evidence", "--rolls", "--journal", game, "--json").output.splitlines()]
    rolled = [line for line in lines if "rolled" in line["says"][0]]
    assert [line for line in lines if line not in rolled] == [json.loads(line) for line in without]
    assert rolled[0]["says"] == ["A rolled 3-1 (probable)."]
    assert [line["id"] for line in lines] == sorted(line["id"] for line in lines)
    number = rolled[0]["id"]
    packed = run("evidence", str(number), "--journal", game, "--out", tmp_path / "pack.zip")
    assert packed.output.startswith(f"{tmp_path / 'pack.zip'}: roll {number} with 0 pictures")
    with zipfile.ZipFile(tmp_path / "pack.zip") as pack:
        assert f"<h1>Roll {number} of {game.name}</h1>" in pack.read("index.html").decode()


def test_a_finding_is_packed_with_positions_pictures_and_the_rule(game: Path, tmp_path: Path) -> None:
    number = first_id(game)
    with Journal.open(game) as journal:
        kept = FrameStore(game).put("f1", 14_000, b"\xff\xd8 a picture")
        fact = journal.append_fact(EvidenceKept(60_000, number, (kept,)))
        journal.append_effects(fact, 60_000, [])
    packed = run("evidence", str(number), "--journal", game, "--out", tmp_path / "pack.zip")
    assert packed.code == 0, packed.output
    with zipfile.ZipFile(tmp_path / "pack.zip") as pack:
        names = set(pack.namelist())
        assert {"positions/before.png", "positions/after.txt", f"frames/{kept.name}"} <= names
        assert "illegal_play: accept_or_require" in pack.read("ruleset.txt").decode()
        assert "the opponent has the option of accepting" in pack.read("ruleset.txt").decode()
        page = pack.read("index.html").decode()
    assert "A 3-1: not legal (certain)" in page
    assert "house-seed" in page


def test_a_picture_that_is_gone_is_said_and_the_rest_is_packed(game: Path, tmp_path: Path) -> None:
    number = first_id(game)
    with Journal.open(game) as journal:
        kept = FrameStore(game).put("f1", 14_000, b"\xff\xd8 a picture")
        journal.append_fact(EvidenceKept(60_000, number, (kept,)))
    (FrameStore(game).folder / kept.name).unlink()
    packed = run("evidence", str(number), "--journal", game, "--out", tmp_path / "pack.zip")
    assert packed.code == 1
    assert "cannot be read" in packed.output
    assert (tmp_path / "pack.zip").exists()


def test_a_record_that_was_altered_is_evidence_of_nothing(game: Path) -> None:
    with sqlite3.connect(game) as changed:
        changed.execute("UPDATE entries SET body = replace(body, 'true', 'false') WHERE number = 6")
    refused = run("evidence", "--journal", game)
    assert refused.code == 1
    assert "entry 6 is not what was recorded" in refused.output


@pytest.mark.parametrize(
    ("words", "code", "says"),
    [
        (("3", "--out", "pack.zip"), 1, "entry 3 is no finding"),
        (("3",), 2, "--out pack.zip"),
        (("3", "--out", "pack.txt"), 2, "--out pack.zip"),
    ],
)
def test_what_cannot_be_packed_is_refused(game: Path, words: tuple[str, ...], code: int, says: str) -> None:
    refused = run("evidence", *words, "--journal", game)
    assert refused.code == code
    assert says in refused.output


def test_without_a_record_it_is_said_how_to_name_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    refused = run("evidence")
    assert refused.code == 1
    assert "--journal FILE" in refused.output


def test_the_newest_record_is_taken_where_none_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    (tmp_path / "boardctl").mkdir()
    write_journal(tmp_path / "boardctl" / "game.journal", first=WRONG_31)
    assert "A 3-1: not legal" in run("evidence").output
