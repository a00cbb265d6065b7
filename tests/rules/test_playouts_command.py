"""``boardctl rules playouts``: whole random games that must end and keep their checkers."""

import json
from collections.abc import Iterator
from random import Random

import pytest
from typer.testing import CliRunner

from boardctl.cli import playouts as command
from boardctl.cli.rules import app
from boardctl.rules import GAMES, Game, MiniGam
from boardctl.rules.playouts import Chance, Chosen, EndlessGameError, playout


def test_every_game_is_played_and_told() -> None:
    outcome = CliRunner().invoke(app, ["playouts", "--games", "2", "--json"])
    assert outcome.exit_code == 0, outcome.output
    lines = [json.loads(line) for line in outcome.stdout.splitlines()]
    assert [line["game"] for line in lines] == list(GAMES)
    assert all(line["decided"] + line["locked"] == line["games"] == 2 for line in lines)
    assert all(line["endless"] == line["damaged"] == 0 < line["positions"] for line in lines)


def test_a_game_without_end_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    def short(game: Game, chance: Chance) -> Iterator[Chosen]:
        return playout(game, chance, most_turns=3)

    monkeypatch.setattr(command, "playout", short)
    outcome = CliRunner().invoke(app, ["playouts", "--games", "1", "--game", "minigam"])
    assert outcome.exit_code == 1
    assert "1 without end" in outcome.stdout


def test_a_lost_checker_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    def careless(game: Game, chance: Chance) -> Iterator[Chosen]:
        for state in playout(game, chance):
            stacks = [stack.replace("A", "", 1) for stack in state.play.position]  # type: ignore[attr-defined]
            yield state._replace(play=type(state.play)(state.play.moves, type(state.play.position)(stacks)))  # type: ignore[call-arg]

    monkeypatch.setattr(command, "playout", careless)
    outcome = CliRunner().invoke(app, ["playouts", "--games", "1", "--game", "minigam"])
    assert outcome.exit_code == 1
    assert "1 with a wrong number of checkers" in outcome.stdout


def test_a_game_that_there_is_not_is_refused() -> None:
    outcome = CliRunner().invoke(app, ["playouts", "--game", "chess"])
    assert outcome.exit_code != 0
    assert "no game 'chess'" in str(outcome.exception)


def test_a_game_that_is_too_long_is_drawn_where_it_stood() -> None:
    with pytest.raises(EndlessGameError, match=r"minigam has no result after 1 turns in\n"):
        list(playout(MiniGam(), Random(1), most_turns=1))
