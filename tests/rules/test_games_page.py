"""Every drawing in the page about the games is held against the rules."""

import re
from pathlib import Path

import pytest
from backgammon_cases import texts

from boardctl.rules import Seat
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
    assert len(DRAWINGS) == 7


def test_options_that_there_are_not_are_refused() -> None:
    with pytest.raises(ValueError, match="backgammon has no option 'bar'; there are blocked_higher"):
        game_with("backgammon", {"bar": "clear"})
    with pytest.raises(ValueError, match="bar of minigam cannot be 'tight'; it can be loose, clear"):
        game_with("minigam", {"bar": "tight"})
    with pytest.raises(ValueError, match="it can be true, false"):
        game_with("backgammon", {"gammons": "maybe"})
