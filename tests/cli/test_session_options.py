"""The options of a game, a match and Last Roll, as a session asks for them and its record keeps them."""

import pytest
from command_line import run
from pydantic import ValidationError

from boardctl.referee import read_ruleset
from boardctl.rules import Backgammon, LastRollRules
from boardctl.rules.blocking import Blocking, Deadlock
from boardctl.rules.match_rules import GammonsJudged
from boardctl.table import Session

RULESET = read_ruleset("casual")


def test_options_of_game_match_and_last_roll_reach_the_referee_and_come_back_from_the_record() -> None:
    options = {"gammons": "false", "crawford": "false", "tie_points": "2", "gammons_judged": "before"}
    session = Session(ruleset=RULESET, match_length=5, cube=True, last_roll=True, options=options)
    for asked in (session, Session.from_header(session.header())):
        referee = asked.referee()
        assert isinstance(referee.game, Backgammon)
        assert not referee.game.options.gammons
        assert not referee.state.ledger.rules.crawford
        assert referee.state.ledger.rules.last_roll == LastRollRules(2, GammonsJudged.BEFORE)


def test_a_record_from_before_there_were_options_is_read() -> None:
    header = Session(ruleset=RULESET).header()
    del header["options"]
    assert Session.from_header(header).options == {}


def test_a_game_of_stacks_has_its_own() -> None:
    game = Session(ruleset=RULESET, game="blocking", options={"deadlock": "pips"}).referee().game
    assert isinstance(game, Blocking)
    assert game.deadlock is Deadlock.PIPS


@pytest.mark.parametrize(
    ("game", "options", "says"),
    [
        ("blocking", {"deadlok": "pips"}, "blocking has no option 'deadlok'; there are own, trapped, entry, deadlock"),
        ("blocking", {"deadlock": "luck"}, "deadlock of blocking cannot be 'luck'; it can be "),
        ("backgammon", {"tie_points": "1"}, "it belongs to --last-roll"),
        ("backgammon", {"raccoons": "true"}, "allow beavers too"),
        ("backgammon", {"length": "7"}, "backgammon has no option 'length'"),
    ],
)
def test_options_that_there_are_not_are_refused(game: str, options: dict[str, str], says: str) -> None:
    with pytest.raises(ValidationError, match=says):
        Session(ruleset=RULESET, game=game, options=options)


def test_points_of_a_tie_are_a_number() -> None:
    with pytest.raises(ValidationError, match="tie_points of Last Roll cannot be 'one'; it is a number of 0 or more"):
        Session(ruleset=RULESET, last_roll=True, options={"tie_points": "one"})


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("--option", "deadlock"), "write its name and its value"),
        (("--option", "own=two", "--option", "own=any"), "own: is given twice"),
        (("--game", "blocking", "--option", "deadlock=luck"), "cannot be 'luck'"),
    ],
)
def test_who_asks_for_them_wrongly_is_told(words: tuple[str, ...], says: str) -> None:
    ran = run("demo", "--fast", "--eyes", "standin", *words)
    assert ran.code == 2
    assert says in " ".join(ran.output.split())
