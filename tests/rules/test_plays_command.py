"""``boardctl rules plays``: legal plays of any game, and questions that make no sense."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from boardctl.cli.rules import app
from boardctl.rules import Blocking
from boardctl.rules.games import GAMES, game_with


def ask(*arguments: str, standard_input: str = "") -> tuple[int, list[str], str]:
    outcome = CliRunner().invoke(app, ["plays", *arguments], input=standard_input)
    return outcome.exit_code, outcome.stdout.splitlines(), outcome.stderr


def test_plays_of_the_start_are_printed_one_a_line() -> None:
    code, lines, _ = ask("--roll", "65")
    assert code == 0
    assert len(lines) == 7
    assert "24/13" in lines


@pytest.mark.parametrize("game", GAMES)
def test_every_game_can_be_asked(game: str) -> None:
    code, lines, _ = ask("--game", game, "--roll", "3-1", "--seat", "B")
    assert (code, bool(lines)) == (0, True)


@pytest.mark.parametrize("position", ["4HPwATDgc/ABMA", "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10", "start"])
def test_positions_are_given_by_identifiers(position: str) -> None:
    assert len(ask("--roll", "31", "--position", position)[1]) == 16


def test_positions_are_given_as_drawn_boards(tmp_path: Path) -> None:
    drawn = tmp_path / "board.txt"
    drawn.write_text(str(Blocking().start()), encoding="utf-8")
    assert ask("--game", "blocking", "--roll", "63", "--position", str(drawn))[1] == ["bar/19 bar/22"]
    again = ask("--game", "blocking", "--roll", "63", "--position", "-", standard_input=drawn.read_text())
    assert again[1] == ["bar/19 bar/22"]


def test_plays_are_answered_as_json() -> None:
    answer = json.loads("".join(ask("--roll", "65", "--json")[1]))
    assert len(answer["plays"]) == 7


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["--roll", "7"], "roll '7': two dice of 1 to 6"),
        (["--roll", "17"], "roll '17': two dice of 1 to 6"),
        (["--roll", "31", "--game", "chess"], "no game 'chess'; there are backgammon"),
        (["--roll", "31", "--position", "XYZ"], "Position ID 'XYZ' has 3 characters"),
        (["--roll", "31", "--position", "XGID=-:"], "'XGID=-:' is no XGID"),
        (["--roll", "31", "--game", "minigam", "--position", "XYZ"], "no drawn board of minigam"),
        (["--roll", "31", "--seat", "C"], "played by seats A and B"),
        (["--roll", "31", "--position", "x" * 5000], "has 5000 characters, not 14"),
        (["--roll", "31", "--position", "nowhere.txt"], "nowhere.txt: no such file"),
        (["--roll", "31", "--position", "4HPwATDgc/ABMA:cAkAAAAAAAA"], "Match ID 'cAkAAAAAAAA' has 11 characters"),
        (["--roll", "31", "--game", "minigam", "--position", str(Blocking().start())], "a board of six points"),
        (["--roll", "31", "--position", str(GAMES["minigam"].start())], "a drawn board"),
        (["--roll", "31", "--position", str(Blocking().start())], "at waiting"),
    ],
)
def test_questions_that_make_no_sense_are_refused_in_one_line(arguments: list[str], complaint: str) -> None:
    code, lines, message = ask(*arguments)
    assert (code, lines) == (2, [])
    assert complaint in message
    assert message.count("\n") == 1


def test_an_identifier_says_who_is_to_play_unless_another_seat_is_asked_for() -> None:
    for position in ("XGID=-b----E-C---eE---c-e----B-:0:0:-1:00:0:0:0:0:10", "4HPwATDgc/ABMA:MAEAAAAAAAAE"):
        answer = json.loads("".join(ask("--roll", "31", "--position", position, "--json")[1]))
        assert answer["seat"] == "B"
        answer = json.loads("".join(ask("--roll", "31", "--position", position, "--seat", "A", "--json")[1]))
        assert answer["seat"] == "A"


def test_a_file_that_is_no_text_is_refused_in_one_line(tmp_path: Path) -> None:
    file = tmp_path / "board.txt"
    file.write_bytes(b"\xff\xfe")
    code, lines, message = ask("--roll", "31", "--position", str(file))
    assert (code, lines) == (2, [])
    assert message == f"boardctl: {file}: is no text; name a file with a drawn board\n"


def test_options_of_a_game_are_given_by_name() -> None:
    drawn = str(game_with("minigam", {}).start())
    assert ask("--game", "minigam", "--roll", "21", "--position", "-", "--option", "bar=clear", standard_input=drawn)[1]
    for option, complaint in (("bar", "write its name and its value"), ("bar=x", "can be loose, clear")):
        code, lines, message = ask("--game", "minigam", "--roll", "21", "--option", option)
        assert (code, lines) == (2, [])
        assert complaint in message
