"""``boardctl bench rules``: it measures every game, and the recorded cases it is given."""

import json
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from boardctl.cli.bench.rules import rules
from boardctl.cli.reporting import reported
from boardctl.rules.games import GAMES

CASES = Path(__file__).parents[1] / "data" / "rules" / "standard.jsonl.gz"
app = typer.Typer()
app.command()(reported(rules))


def test_every_game_and_the_recorded_cases_are_measured() -> None:
    outcome = CliRunner().invoke(app, ["--runs", "1", "--games", "1", "--json", str(CASES)])
    assert outcome.exit_code == 0, outcome.output
    lines = [json.loads(line) for line in outcome.stdout.splitlines()]
    assert [line["game"] for line in lines] == ["recorded", *GAMES]
    assert lines[0]["lists"] == 1800
    assert all(line["pairs_a_second"] > 0 and line["non_double_p99_ms"] > 0 for line in lines)


@pytest.mark.parametrize("file", ["nowhere.jsonl.gz", str(CASES.with_name("minigam.jsonl.gz"))])
def test_other_files_are_refused(file: str) -> None:
    outcome = CliRunner().invoke(app, [file])
    assert outcome.exit_code == 2
    assert "take a file of recorded standard cases" in outcome.stderr
