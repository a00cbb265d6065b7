"""Every drawing in the page about the games is held against the rules."""

import re
from dataclasses import fields
from enum import StrEnum
from pathlib import Path

import pytest
from backgammon_cases import texts

from boardctl.rules import BackgammonOptions, Blocking, LastRollRules, MatchRules, MiniGam, MultiGam, Seat
from boardctl.rules.games import GAMES, game_with, read_position

PAGE = (Path(__file__).parents[2] / "docs" / "games.md").read_text(encoding="utf-8")
DRAWINGS = re.findall(r"```\n(.*?)\n\n(.*?)\n```", PAGE, re.DOTALL)
CLAIM = re.compile(
    r"^(?P<game>\S+)(?: (?P<option>\w+)=(?P<value>\w+))?: (?P<seat>[A-D]) plays (\d)-(\d): (?P<plays>.+)$"
)


@pytest.mark.parametrize(("board", "claims"), DRAWINGS, ids=[claims.splitlines()[-1] for _, claims in DRAWINGS])
def test_what_is_said_below_a_drawing_is_so(board: str, claims: str) -> None:
    for line in claims.splitlines():
        claim = CLAIM.match(line)
        assert claim is not None, line
        game = game_with(claim["game"], {claim["option"]: claim["value"]} if claim["option"] else {})
        seat = Seat(claim["seat"])
        position = read_position(game, board, seat)
        assert texts(game, position, seat, int(claim[5]), int(claim[6])) == set(claim["plays"].split(" | "))


def test_the_page_names_every_game_and_has_its_drawings() -> None:
    assert all(f"`{name}`" in PAGE for name in GAMES)
    assert len(DRAWINGS) == PAGE.count("```") // 2 == 26


@pytest.mark.parametrize(("board", "claims"), DRAWINGS, ids=[claims.splitlines()[-1] for _, claims in DRAWINGS])
def test_the_drawings_are_those_that_the_program_draws(board: str, claims: str) -> None:
    game = game_with(claims.partition(":")[0].split()[0], {})
    assert str(read_position(game, board, Seat.A)) == board


@pytest.mark.parametrize("options", [BackgammonOptions, MatchRules, LastRollRules, Blocking, MiniGam, MultiGam])
def test_the_page_names_every_option(options: type) -> None:
    for option in fields(options):
        assert f"`{option.name}`" in PAGE, option.name
        default = option.default
        if isinstance(default, StrEnum):
            assert all(value in PAGE for value in type(default))
            assert f"`{default}`" in PAGE or f"`{option.name}={default}`" in PAGE


def test_options_that_there_are_not_are_refused() -> None:
    with pytest.raises(ValueError, match="backgammon has no option 'bar'; there are blocked_higher"):
        game_with("backgammon", {"bar": "clear"})
    with pytest.raises(ValueError, match="bar of minigam cannot be 'tight'; it can be loose, clear"):
        game_with("minigam", {"bar": "tight"})
    with pytest.raises(ValueError, match="it can be true, false"):
        game_with("backgammon", {"gammons": "maybe"})
