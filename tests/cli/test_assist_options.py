"""Help as it is asked for on the command line."""

import pytest
from command_line import run

from boardctl.cli.reporting import UsageError
from boardctl.cli.session.sessions import session_of
from boardctl.referee.assistance import Assistance, Level
from boardctl.rules import Seat
from boardctl.table import Session


def asked(assist: str | None, ruleset: str = "teaching", lifts: int | None = None) -> Session:
    return session_of("backgammon", ruleset, None, "", assist=assist, assist_lifts=lifts)


def test_one_level_is_for_all_seats() -> None:
    assert asked("3", lifts=2).assist == (
        (Seat.A, Assistance(Level.REASONS, 2)),
        (Seat.B, Assistance(Level.REASONS, 2)),
    )


def test_each_seat_may_have_its_own() -> None:
    assert asked("A=6, B=0").assist == ((Seat.A, Assistance(Level.BEST)), (Seat.B, Assistance(Level.OFF)))


def test_who_asks_for_nothing_has_chosen_nothing() -> None:
    assert asked(None).assist is None


def test_what_was_chosen_stands_in_the_record() -> None:
    session = asked("A=5", lifts=1)
    assert Session.from_header(session.header()) == session


@pytest.mark.parametrize(
    ("assist", "ruleset", "says"),
    [
        ("7", "teaching", "no level '7'; levels are 0 to 6"),
        ("much", "teaching", "no level 'much'"),
        ("A=1,C=2", "teaching", "one for each seat"),
        ("A=1,2", "teaching", "one for each seat"),
        ("1", "house-seed", "allows no aids"),
    ],
)
def test_help_that_there_is_not_is_refused(assist: str, ruleset: str, says: str) -> None:
    with pytest.raises(UsageError, match=says):
        asked(assist, ruleset)


def test_a_user_is_told_in_one_line() -> None:
    refused = run("demo", "--assist", "6")
    assert refused.code == 2
    assert "try --ruleset teaching" in refused.output
    assert "Traceback" not in refused.output


def test_no_help_may_be_asked_for_under_any_ruleset() -> None:
    assert asked("0", "house-seed").assist is not None
