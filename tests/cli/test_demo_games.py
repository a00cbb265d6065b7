"""``boardctl demo --game``: other games at the virtual table, seen by the eyes and refereed."""

from pathlib import Path

import pytest
from command_line import run

from boardctl.records import Journal


@pytest.mark.parametrize("name", ["express", "multigam"])
def test_a_game_is_seen_and_refereed_and_its_record_replays(name: str, tmp_path: Path) -> None:
    path = tmp_path / "demo.journal"
    ran = run("demo", "--game", name, "--fast", "--turns", "2", "--faults", "none", "--seed", "3", "--journal", path)
    assert ran.code == 0, ran.output
    assert "0 wrong and vouched for" in ran.output
    assert "plays: 2 of 2 right" in ran.output
    with Journal.open(path) as journal:
        assert journal.header["game"] == name
        assert journal.unanswered() == set()
    assert run("replay", path).code == 0


def test_a_demo_without_the_sensors_says_so(tmp_path: Path) -> None:
    ran = run("demo", "--game", "minigam", "--fast", "--turns", "1", "--journal", tmp_path / "demo.journal")
    assert "seen by the camera alone" in ran.output


def test_a_game_that_there_is_not_is_refused_in_one_line() -> None:
    ran = run("demo", "--game", "nonsense")
    assert ran.code == 2
    assert "no game is called 'nonsense'; choose one of backgammon, house-rules, blocking, express" in ran.output
