"""What stands open at a table: why the director is wanted, and what was found that nobody has settled."""

from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest
from turns import LEGAL_31, WRONG_31, played, rolled, session, set_up

from boardctl.hall.matters import OpenMatters, asks_director_alone
from boardctl.hall.texts import hall_say
from boardctl.records import Journal
from boardctl.referee.effects import Notice, Text
from boardctl.referee.facts import (
    Answered,
    ButtonPressed,
    Choice,
    ClockResumed,
    ClockStopped,
    Decision,
    DirectorRuled,
    EvidenceKept,
    Fact,
    HandSeen,
    KeptFrame,
    PauseReason,
    Role,
)
from boardctl.rules import Seat
from boardctl.table import Desk


class Followed:
    """A table whose open matters are followed; the time is that of the facts."""

    def __init__(self, path: Path, ruleset: str) -> None:
        of = session(ruleset)
        self.journal = Journal.create(path, of.header())
        self.referee = of.referee()
        self.matters = OpenMatters(of.ruleset, self.journal, hall_say())
        desk = Desk(self.journal, self.referee)
        desk.add_output(lambda fact, said: self.matters.hear(fact, said, self.referee.state, fact.at_ms))
        self._desk = desk

    def feed(self, facts: Iterable[Fact]) -> None:
        for fact in facts:
            self._desk.handle(fact)

    @property
    def calls(self) -> list[str]:
        return [hall_say()(call.why) for call in self.matters.open.calls]

    @property
    def found(self) -> list[int]:
        return [one.recorded.number for one in self.matters.open.findings]

    @property
    def prompt(self) -> int:
        assert self.referee.state.prompt is not None
        return self.referee.state.prompt.number

    def taken_up(self) -> OpenMatters:
        """Gets what another program knows that goes on with the same record."""
        return OpenMatters(self.referee.ruleset, self.journal, hall_say())


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Followed]:
    followed = Followed(tmp_path / "a.journal", "house-seed")
    yield followed
    followed.journal.close()


def test_a_legal_play_leaves_nothing_open(table: Followed) -> None:
    table.feed([*set_up(), *played(LEGAL_31), *rolled(Seat.B, 5, 2, 9000)])
    assert (table.calls, table.found) == ([], [])


def test_an_illegal_play_stands_open_in_its_entry_until_it_is_ruled_upon(table: Followed) -> None:
    table.feed([*set_up(), *played(WRONG_31)])
    (number,) = table.found
    (entry,) = [entry for entry in table.journal.entries() if entry.number == number]
    assert any(said["kind"] == "turn_judged" for said in entry.content)
    assert table.calls == []  # the opponent is asked, not the director
    assert table.matters.open.question_since_ms == table.matters.open.findings[0].since_ms
    kept = (KeptFrame("a.jpg", 0, "0" * 64), KeptFrame("b.jpg", 0, "1" * 64))
    table.feed([EvidenceKept(6000, number, kept)])
    assert table.matters.open.findings[0].pictures == 2
    table.feed([Answered(7000, Role.B, table.prompt, Choice.ACCEPT)])
    assert table.found == []


def test_what_is_said_again_stands_open_once_and_since_the_first_time(table: Followed) -> None:
    too_many, done = (
        Notice(Text.of("repair.too_many", place="point 9", count=1, more=0)),
        Notice(Text.of("repair.done")),
    )
    for now_ms in (1000, 2000):
        table.matters.hear(HandSeen(now_ms, False), [too_many], table.referee.state, now_ms)
    assert [one.since_ms for one in table.matters.open.findings] == [1000]
    table.matters.hear(HandSeen(3000, False), [done], table.referee.state, 3000)
    assert table.found == []


def test_the_opponent_s_roll_settles_an_illegal_play(table: Followed) -> None:
    table.feed([*set_up(), *played(WRONG_31)])
    assert table.found
    table.feed(rolled(Seat.B, 5, 2, 9000))
    assert table.found == []


def test_a_note_of_the_director_settles_nothing_and_a_decision_does(table: Followed) -> None:
    table.feed([*set_up(), *played(WRONG_31)])
    table.feed([DirectorRuled(7000, "Anna", Decision.NOTE, "heard both")])
    assert table.found
    table.feed([DirectorRuled(8000, "Anna", Decision.ACCEPT, "it stands")])
    assert table.found == []


def test_who_goes_on_with_a_record_knows_what_stands_open(table: Followed) -> None:
    table.feed([*set_up(), *played(WRONG_31)])
    table.feed([EvidenceKept(6000, table.found[0], (KeptFrame("a.jpg", 0, "0" * 64),))])
    (one,) = table.taken_up().open.findings
    assert (one.recorded.number, one.pictures) == (table.found[0], 1)
    table.feed(rolled(Seat.B, 5, 2, 9000))
    assert table.taken_up().open.findings == ()


def test_the_director_s_button_calls_him_until_it_is_pressed_again_or_he_acts(table: Followed) -> None:
    table.feed([*set_up(), ButtonPressed(2000, Role.DIRECTOR)])
    assert table.calls == ["the director's button was pressed"]
    table.feed([ButtonPressed(3000, Role.A)])
    assert [call.since_ms for call in table.matters.open.calls] == [2000]
    table.feed([ButtonPressed(4000, Role.DIRECTOR)])
    assert table.calls == []
    table.feed([ButtonPressed(5000, Role.DIRECTOR), DirectorRuled(6000, "Anna", Decision.NOTE, "was there")])
    assert table.calls == []


def test_a_clock_that_stands_for_the_director_calls_him(tmp_path: Path) -> None:
    table = Followed(tmp_path / "a.journal", "usbgf-like")
    table.feed([*set_up(), ButtonPressed(1500, Role.B), ClockStopped(2000, Role.B, PauseReason.BREAK)])
    assert table.referee.state.clock is not None
    assert table.referee.state.clock.paused is PauseReason.BREAK
    assert table.calls == []
    table.feed([ClockStopped(3000, Role.A, PauseReason.CONTEST)])
    assert table.calls == ["the clock stands: a disagreement"]
    table.feed([ClockResumed(4000, Role.DIRECTOR)])
    assert table.calls == []
    table.feed([ButtonPressed(5000, Role.DIRECTOR)])
    assert table.calls == ["the clock stands: the director"]
    table.feed([ButtonPressed(6000, Role.DIRECTOR)])
    assert table.referee.state.clock.running is not None
    assert table.calls == []
    table.feed([ClockStopped(7000, Role.A, PauseReason.CONTEST), ButtonPressed(8000, Role.DIRECTOR)])
    assert table.calls == []
    table.journal.close()


@pytest.mark.parametrize(("ruleset", "found"), [("house-seed", 0), ("us-2008-like", 1)])
def test_dice_to_be_thrown_again_are_the_players_matter_if_they_are_told(
    tmp_path: Path, ruleset: str, found: int
) -> None:
    table = Followed(tmp_path / "a.journal", ruleset)
    table.feed([*set_up(), *played(LEGAL_31), *rolled(Seat.A, 5, 2, 9000)])
    assert table.referee.state.roll is None
    assert len(table.found) == found
    table.feed(rolled(Seat.B, 5, 4, 12_000))
    assert table.found == []
    table.journal.close()


def test_what_players_may_not_know_of_is_a_question_for_the_director_alone(tmp_path: Path) -> None:
    table = Followed(tmp_path / "a.journal", "us-2008-like")
    table.feed([*set_up(), *played(WRONG_31)])
    assert asks_director_alone(table.referee.ruleset, table.referee.state)
    assert table.calls == ["a question that only the director may answer"]
    assert table.found
    table.journal.close()
