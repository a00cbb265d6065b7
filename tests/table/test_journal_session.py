import pytest

from boardctl.records import JournalError
from boardctl.referee import Ruleset, read_ruleset
from boardctl.referee.effects import Phase
from boardctl.table import Session


def test_a_session_comes_back_from_its_header() -> None:
    session = Session(ruleset=read_ruleset("casual"), match_length=7, source="club night")
    assert Session.from_header(session.header()) == session
    assert session.referee().state.phase is Phase.SETUP


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"game": "chess"}, "cannot referee"),
        ({"match_length": 0}, "match_length"),
        ({"surprise": 1, "software": "9.1"}, r"written by boardctl 9\.1 and says surprise.*update boardctl"),
        ({"ruleset_digest": "0" * 64}, "was altered"),
    ],
)
def test_a_header_that_cannot_be_used_is_refused(changes: dict[str, object], message: str) -> None:
    header = {**Session(ruleset=read_ruleset("house-seed")).header(), **changes}
    with pytest.raises(JournalError, match=message):
        Session.from_header(header)


def test_a_journal_from_before_an_option_was_known_is_still_read() -> None:
    ruleset = read_ruleset("house-seed").model_dump(mode="json", exclude={"clock": {"cocked", "replay"}})
    older = Ruleset.model_validate(ruleset)
    header = {**Session(ruleset=older).header(), "ruleset": ruleset, "ruleset_digest": older.stated_digest}
    assert Session.from_header(header).ruleset == read_ruleset("house-seed")
