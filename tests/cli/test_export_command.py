import json
import os
import sqlite3
from pathlib import Path
from random import Random

import pytest
from command_line import run
from journalled_games import WRONG_31, write_journal

from boardctl.cli import export
from boardctl.records import Journal
from boardctl.records.formats import GameRecord, MatchRecord, Rolled, read_json, read_mat, read_sgf
from boardctl.referee import read_ruleset
from boardctl.rules import GAMES, MatchRules, Roll, Seat
from boardctl.rules.playouts import playout
from boardctl.table import Session


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    path = tmp_path / "evening.journal"
    write_journal(path)
    return path


@pytest.mark.parametrize(("kind", "read"), [("mat", read_mat), ("sgf", read_sgf), ("json", read_json)])
def test_a_journal_becomes_a_match_file(journal: Path, tmp_path: Path, kind: str, read: object) -> None:
    out = tmp_path / f"evening.{kind}"
    ran = run("export", journal, "--format", kind, "--players", "Ann Lee", "Bob", "--out", out)
    assert (ran.code, ran.output) == (0, f"games: 1, rolls with their plays: 3; written: {out}\n")
    record = read(out.read_text(encoding="utf-8"))  # type: ignore[operator]
    assert record.players == {Seat.A: "Ann Lee", Seat.B: "Bob"}
    assert record.rules.length == 3
    assert [rolled.roll for rolled in record.games[0].rolls()] == [Roll(3, 1), Roll(5, 2), Roll(6, 6)]


@pytest.mark.parametrize(("kind", "read"), [("mat", read_mat), ("sgf", read_sgf), ("json", read_json)])
def test_what_a_journal_does_not_know_is_told_on_the_command_line(
    journal: Path, tmp_path: Path, kind: str, read: object
) -> None:
    out = tmp_path / f"evening.{kind}"
    told = ("--event", "Club night", "--place", "Mill", "--date", "2026-11-20", "--player", "B=Bob")
    assert run("export", journal, "--format", kind, "--out", out, *told, "--player", "A=Ann").code == 0
    record = read(out.read_text(encoding="utf-8"))  # type: ignore[operator]
    assert (record.event, record.place, record.date) == ("Club night", "Mill", "2026-11-20")
    assert record.players == {Seat.A: "Ann", Seat.B: "Bob"}


def test_the_day_is_the_one_on_which_the_journal_was_begun(tmp_path: Path) -> None:
    begun, out = tmp_path / "begun.journal", tmp_path / "begun.json"
    write_journal(begun, begun="2026-11-20T19:12:30+01:00")
    assert run("export", begun, "--format", "json", "--out", out).code == 0
    assert read_json(out.read_text(encoding="utf-8")).date == "2026-11-20"


def test_other_games_have_only_the_json_record(journal: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game = GAMES["multigam"]
    states = playout(game, Random(1))
    played = GameRecord(tuple(Rolled(state.turn.control, state.turn.roll, state.play) for state in states))
    session = MatchRecord(dict.fromkeys(game.seats, ""), (played,), MatchRules(cube=False), game)
    monkeypatch.setattr(export, "_record", lambda path: session)
    ran = run("export", journal, "--format", "mat", "--out", tmp_path / "evening.mat")
    assert ran.code == 2
    assert "--format mat: holds backgammon, not multigam; use --format json" in ran.output
    out = tmp_path / "evening.json"
    assert run("export", journal, "--format", "json", "--player", "D=Dora", "--out", out).code == 0
    record = read_json(out.read_text(encoding="utf-8"))
    assert record.players[Seat.D] == "Dora"
    assert record.games == session.games


def test_the_plays_stand_in_the_file(journal: Path, tmp_path: Path) -> None:
    out = tmp_path / "evening.mat"
    assert run("export", journal, "--out", out).code == 0
    lines = [line.split() for line in out.read_text(encoding="utf-8").splitlines()]
    assert ["1)", "31:", "8/5", "6/5", "52:", "24/22", "13/8"] in lines
    assert ["2)", "66:", "24/18", "24/18", "13/7", "13/7"] in lines


def test_what_a_format_cannot_carry_is_said(tmp_path: Path) -> None:
    journal = tmp_path / "careless.journal"
    write_journal(journal, first=WRONG_31)
    said = "Game 1 is carried up to roll 0 only: then A played 8/5 6/4 with 3-1, which was illegal"
    mat, sgf, plain = (tmp_path / f"careless.{kind}" for kind in ("mat", "sgf", "json"))
    ran = run("export", journal, "--format", "mat", "--out", mat)
    assert ran.code == 0
    assert said in ran.output
    assert f"; {said}" in mat.read_text(encoding="utf-8")
    assert said not in run("export", journal, "--format", "sgf", "--out", sgf).output
    assert "This play was illegal" in sgf.read_text(encoding="utf-8")
    assert said not in run("export", journal, "--format", "json", "--out", plain).output
    first = next(read_json(plain.read_text(encoding="utf-8")).games[0].rolls())
    assert (first.legal, first.play.position) == (False, WRONG_31)


def test_a_file_that_exists_is_kept_unless_forced(journal: Path, tmp_path: Path) -> None:
    out = tmp_path / "evening.mat"
    out.write_text("precious")
    ran = run("export", journal, "--out", out)
    assert ran.code == 2
    assert "exists already; give --force" in ran.output
    assert out.read_text() == "precious"
    assert run("export", journal, "--out", out, "--force").code == 0
    assert "3 point match" in out.read_text()


def test_the_journal_itself_is_never_written_over(journal: Path) -> None:
    ran = run("export", journal, "--out", journal, "--force")
    assert ran.code == 2
    assert "is the journal itself" in ran.output
    with Journal.open(journal) as opened:
        assert opened.first_altered() is None


@pytest.mark.parametrize(
    ("words", "code", "why"),
    [
        (("none.journal", "--out", "a.mat"), 1, "no such journal"),
        (("evening.journal", "--format", "pdf", "--out", "a.pdf"), 2, "'pdf' is not one of"),
        (("evening.journal", "--out", "nowhere/a.mat"), 2, "no such folder"),
        (("evening.journal", "--out", "a.mat", "--players", "Ann"), 2, "requires 2 arguments"),
        (("evening.journal",), 2, "--out"),
        (("evening.journal", "--out", "a.mat", "--date", "20.11.2026"), 2, "give the day as year-month-day"),
        (("evening.journal", "--out", "a.mat", "--player", "C=Cleo"), 2, "seats here are A, B"),
    ],
)
def test_mistakes_are_told(
    journal: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], code: int, why: str
) -> None:
    monkeypatch.chdir(journal.parent)
    ran = run("export", *words)
    assert ran.code == code
    assert why in ran.output
    assert os.listdir() == ["evening.journal"]


def test_an_altered_journal_is_not_exported(journal: Path, tmp_path: Path) -> None:
    with sqlite3.connect(journal) as connection:
        connection.execute("UPDATE entries SET at_ms = at_ms + 1 WHERE number = 4")
    ran = run("export", journal, "--out", tmp_path / "a.mat")
    assert ran.code == 1
    assert "entry 4 is not what was recorded" in ran.output
    assert not (tmp_path / "a.mat").exists()


def test_rulings_of_another_version_are_not_passed_off_as_those_of_the_evening(journal: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.journal"
    with Journal.open(journal) as opened, Journal.create(other, opened.header) as written:
        for _, fact in list(opened.facts()):
            written.append_effects(written.append_fact(fact), fact.at_ms, [])
    ran = run("export", other, "--out", tmp_path / "a.mat")
    assert ran.code == 1
    assert "this version rules otherwise than was ruled then" in ran.output


def test_a_journal_without_a_turn_has_nothing_to_export(tmp_path: Path) -> None:
    path = tmp_path / "empty.journal"
    Journal.create(path, Session(ruleset=read_ruleset("house-seed")).header()).close()
    ran = run("export", path, "--out", tmp_path / "a.mat")
    assert ran.code == 1
    assert "no turn was played in it" in ran.output


@pytest.mark.parametrize(
    ("words", "names"),
    [
        ((), {"A": "Ann Lee", "B": "Bob"}),
        (("--player", "B=Ben"), {"A": "Ann Lee", "B": "Ben"}),
        (("--players", "X", "Y"), {"A": "X", "B": "Y"}),
    ],
)
def test_the_names_of_the_record_are_written_where_no_others_are_given(
    words: tuple[str, ...], names: dict[str, str], tmp_path: Path
) -> None:
    path, out = tmp_path / "named.journal", tmp_path / "named.json"
    write_journal(path, players={Seat.A: "Ann Lee", Seat.B: "Bob"})
    assert run("export", path, "--format", "json", *words, "--out", out).code == 0
    assert json.loads(out.read_text())["players"] == names
