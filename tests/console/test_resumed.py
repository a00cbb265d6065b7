"""A record that is gone on with: its page stands where the table stands, and knows its findings."""

from pathlib import Path

from people import WRONG_31, People

from boardctl.console import Console
from boardctl.console.audience import Audience
from boardctl.console.texts import page_say
from boardctl.records import Journal
from boardctl.records.frame_store import FrameStore
from boardctl.referee import read_ruleset
from boardctl.referee.effects import Phase
from boardctl.referee.facts import EvidenceKept
from boardctl.rules import Seat
from boardctl.table import Desk, Session


def test_the_page_goes_on_where_the_table_stood(tmp_path: Path) -> None:
    path, people = tmp_path / "evening.journal", People()
    session = Session(ruleset=read_ruleset("house-seed"), match_length=3)
    with Journal.create(path, session.header()) as journal:
        referee = session.referee()
        console = Console(referee, journal, lambda: 0, page_say())
        desk = Desk(journal, referee, [console])
        for fact in (people.to_roll(Seat.A), *people.turn(Seat.A, (3, 1), WRONG_31)):
            desk.handle(fact)
        finding = console.findings.found[-1]
        kept = FrameStore(path).put("f1", 100, b"\xff\xd8")
        desk.handle(EvidenceKept(people.now(), finding.number, (kept,)))
        before = console.shown(Audience.EVERYBODY).telling
    with Journal.open(path) as journal:
        referee = session.referee()
        again = Console(referee, journal, lambda: 0, page_say())
        desk = Desk(journal, referee, [again])
        desk.resume()
        after = again.shown(Audience.EVERYBODY).telling
        assert (after.phase, after.on_turn, after.prompt) == (Phase.CONFIRM, Seat.A, before.prompt)
        assert (after.placement, after.scene, after.score) == (before.placement, before.scene, before.score)
        assert [one.number for one in again.findings.found] == [one.number for one in console.findings.found]
        assert again.findings.found[-1].kept.frames == (kept,)
        assert again.now_ms() == people.at_ms
