"""Recorded cases: the rules equal them, and a file that is not right is noticed."""

import gzip
import json
import re
from collections import Counter
from pathlib import Path

import pytest
from typer.testing import CliRunner

from boardctl.cli.rules import app
from boardctl.rules import Backgammon, BackgammonPosition, Roll, Seat
from boardctl.rules.recorded import RecordedCaseError, compare

DATA = Path(__file__).parents[1] / "data" / "rules"
STANDARD = DATA / "standard.jsonl.gz"
STANDARD_TAGS = {
    "nomove", "one_of_two", "forced_higher", "only_one_die_exists", "partial_double", "shorter_run_forbidden",
    "bar", "bar_partly_blocked", "dance", "bearoff", "double",
}  # fmt: skip


def lines_of(file: Path) -> list[str]:
    with gzip.open(file, "rt", encoding="utf-8") as lines:
        return lines.read().splitlines()


def test_standard_cases_are_equal() -> None:
    comparisons = list(compare(lines_of(STANDARD)))
    assert len(comparisons) == 1800
    assert [comparison.drawn() for comparison in comparisons if not comparison.equal] == []


@pytest.mark.parametrize(
    ("file", "count"),
    [
        ("minigam", 1000),
        ("multigam", 1000),
        ("blocking", 400),
        ("express_groups", 400),
        ("express_turns", 250),
    ],
)
def test_cases_of_the_other_games_are_equal_under_every_reading(file: str, count: int) -> None:
    comparisons = list(compare(lines_of(DATA / f"{file}.jsonl.gz")))
    assert len(comparisons) == count
    assert [comparison.drawn() for comparison in comparisons if not comparison.equal] == []


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("minigam", '"r":["', '"r":["0,0,0,0,0,0/8,8,0,0","'),
        ("minigam", '"bar=clear":["', '"bar=clear":["0,0,0,0,0,0/8,8,0,0","'),
        ("multigam", '"oblige=greedy":["', '"oblige=greedy":["-,-,-,-,-,-/5,5,5,5/0,0,0,0","'),
        ("blocking", '"own=single":["', '"own=single":["|||||||||||||||||||||||/15,15,0,0","'),
        ("express_groups", '"k":4', '"k":3'),
        ("express_turns", '["roller",6,4]]', '["other",6,4]]'),
        ("express_turns", '["roller",2,4]', '["roller",2,3]'),
    ],
)
def test_one_damaged_case_of_any_game_is_found(file: str, old: str, new: str) -> None:
    lines = lines_of(DATA / f"{file}.jsonl.gz")
    at = next(number for number, line in enumerate(lines) if number and old in line)
    damaged_lines = [lines[0], lines[at].replace(old, new, 1), *lines[at + 1 : at + 3]]
    differing = [comparison for comparison in compare(damaged_lines) if not comparison.equal]
    assert len(differing) == 1
    assert str(json.loads(lines[at])["id"]) in differing[0].case
    assert differing[0].drawn().count("+--") >= 2


def test_every_kind_of_standard_case_is_there() -> None:
    tags = Counter(tag for line in lines_of(STANDARD)[1:] for tag in json.loads(line)["tags"])
    assert set(tags) == STANDARD_TAGS
    assert min(tags.values()) >= 40


def test_the_graph_ends_where_the_plays_end() -> None:
    game = Backgammon()
    for line in lines_of(STANDARD)[1::6]:
        row = json.loads(line)
        position, roll = BackgammonPosition.from_mover_view(row["b"], Seat.B), Roll.of(*row["d"])
        ends = {at for at, step in game.moves(position, Seat.B, roll).steps.items() if step.complete}
        assert ends == {play.position for play in game.plays(position, Seat.B, roll)}


ONE_DAMAGE = {
    "standard": ('"r":["', '"r":["........................1.","'),
    "minigam": ('"r":["', '"r":["0,0,0,0,0,0/8,8,0,0","'),
    "multigam": ('"r":["', '"r":["-,-,-,-,-,-/5,5,5,5/0,0,0,0","'),
    "blocking": ('"r":["', '"r":["|||||||||||||||||||||||/15,15,0,0","'),
    "express_groups": ('"r":["', '"r":["|||||||||||||||||||||||/15,15,0,0","'),
    "express_turns": ('"end":"', ""),
}


@pytest.mark.parametrize("kind", ONE_DAMAGE)
def test_verify_fails_on_a_file_of_any_kind_with_one_damaged_row(tmp_path: Path, kind: str) -> None:
    lines = lines_of(DATA / f"{kind}.jsonl.gz")
    old, new = ONE_DAMAGE[kind]
    at = next(number for number, line in enumerate(lines) if number > 20 and old in line)
    kept = lines[:200]
    assert at < len(kept)
    whole, damaged = tmp_path / "whole.jsonl.gz", tmp_path / "damaged.jsonl.gz"
    whole.write_bytes(gzip.compress("\n".join(kept).encode()))
    kept[at] = _damaged_end(kept[at]) if kind == "express_turns" else kept[at].replace(old, new, 1)
    damaged.write_bytes(gzip.compress("\n".join(kept).encode()))
    assert CliRunner().invoke(app, ["verify", str(whole)]).stdout == f"checked {len(kept) - 1}, differ 0\n"
    outcome = CliRunner().invoke(app, ["verify", str(damaged)])
    assert outcome.exit_code == 1
    assert outcome.stdout.endswith(f"checked {len(kept) - 1}, differ 1\n")
    assert f"case {json.loads(kept[at])['id']}" in outcome.stdout


def _damaged_end(line: str) -> str:
    """A turn whose recorded end is where it began."""
    row = json.loads(line)
    assert row["end"] != row["s"]
    return json.dumps({**row, "end": row["s"]})


@pytest.fixture
def damaged(tmp_path: Path) -> Path:
    """A file in which one case lacks one result and has one that is impossible."""
    lines = lines_of(STANDARD)
    row = json.loads(lines[3])
    row["r"][0] = row["r"][0].translate(str.maketrans("12", "21"))
    lines[3] = json.dumps(row)
    file = tmp_path / "damaged.jsonl.gz"
    file.write_bytes(gzip.compress("\n".join(lines).encode()))
    return file


def test_verify_counts_equal_cases() -> None:
    outcome = CliRunner().invoke(app, ["verify", str(STANDARD)])
    assert (outcome.exit_code, outcome.stdout) == (0, "checked 1800, differ 0\n")


def test_verify_draws_a_damaged_case_and_fails(damaged: Path) -> None:
    outcome = CliRunner().invoke(app, ["verify", str(damaged)])
    assert outcome.exit_code == 1
    assert outcome.stdout.endswith("checked 1800, differ 1\n")
    assert "recorded, not found:" in outcome.stdout
    assert outcome.stdout.count("B off") == 3  # the position, what is missing, what is surplus


def test_verify_answers_as_json(damaged: Path) -> None:
    outcome = CliRunner().invoke(app, ["verify", "--json", str(damaged)])
    answer = json.loads(outcome.stdout)
    assert (outcome.exit_code, answer["checked"], answer["differ"]) == (1, 1800, 1)


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        (None, "line 1: no such file"),
        (b"", "line 1: no recorded case follows"),
        (b"some words\n", "line 1: not JSON at column 1"),
        (b"[1, 2]\n", "line 1: expected a JSON object"),
        (b'{"game": "Chess"}\n', "line 1: the header's game"),
        (b'{"truth": "gnubg"}\n', "line 1: no recorded case follows"),
        (b'{"truth": "gnubg"}\n{"id": 1, "d": [3, 1]}\n', "line 2: case has no 'b'"),
        (b'{"truth": "gnubg"}\n{"id": 1, "b": [0, 1], "d": [3, 1], "r": []}\n', "line 2: case 2 numbers"),
        (b'{"truth": "gnubg"}\n{"id": 1, "b": 7, "d": [3, 1], "r": []}\n', "line 2: case"),
        (b"\xff\xfe\n", "line 1: the file is damaged here"),
    ],
)
def test_verify_refuses_other_files_in_one_line(tmp_path: Path, content: bytes | None, complaint: str) -> None:
    file = tmp_path / "cases.jsonl.gz"
    if content is not None:
        file.write_bytes(content)
    outcome = CliRunner().invoke(app, ["verify", str(file)])
    assert outcome.exit_code == 2
    assert outcome.stderr.startswith(f"boardctl: {file}: {complaint}")
    assert outcome.stderr.count("\n") == 1


def test_verify_says_where_a_truncated_file_breaks_off(tmp_path: Path) -> None:
    file = tmp_path / "cases.jsonl.gz"
    file.write_bytes(STANDARD.read_bytes()[:60_000])
    outcome = CliRunner().invoke(app, ["verify", str(file)])
    assert outcome.exit_code == 2
    assert re.match(rf"boardctl: {re.escape(str(file))}: line \d+: the file is damaged here", outcome.stderr)


def test_a_damaged_line_is_named() -> None:
    lines = lines_of(STANDARD)
    lines[6] = lines[6][:-9]
    with pytest.raises(RecordedCaseError, match=r"^line 7: not JSON at column"):
        list(compare(lines))
