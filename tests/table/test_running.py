import asyncio
from collections.abc import AsyncIterator, Sequence
from pathlib import Path

import pytest

from boardctl.records import Journal, JournalError
from boardctl.referee.effects import Cue, Effect, Mark, Scene, Sign
from boardctl.referee.facts import Fact, HandSeen
from boardctl.table import Desk, run_table


class CountingJudge:
    """Answers every fact with a scene and a sound, and remembers what it was fed."""

    def __init__(self) -> None:
        self.fed: list[Fact] = []

    def feed(self, fact: Fact, /) -> list[Effect]:
        self.fed.append(fact)
        return [Scene((Mark(Sign.TURN),)), Cue("ok")]


class Listed:
    """A source that hands out the facts of a list."""

    def __init__(self, facts: Sequence[Fact], waits: bool = False, fails: Exception | None = None) -> None:
        self._facts, self.waits, self._fails = facts, waits, fails

    async def facts(self) -> AsyncIterator[Fact]:
        for fact in self._facts:
            await asyncio.sleep(0)
            yield fact
        if self._fails:
            raise self._fails


def hands(first_ms: int, count: int) -> list[Fact]:
    return [HandSeen(first_ms + step, step % 2 == 0) for step in range(count)]


def test_a_fact_is_stored_before_it_is_judged_and_answered_before_it_is_shown(tmp_path: Path) -> None:
    order: list[str] = []
    with Journal.create(tmp_path / "a.journal", {}) as journal:

        class Watching(CountingJudge):
            def feed(self, fact: Fact, /) -> list[Effect]:
                order.append(f"judged with {len(list(journal.entries()))} entries")
                return super().feed(fact)

        def show(fact: Fact, effects: Sequence[Effect]) -> None:
            order.append(f"shown with {len(list(journal.entries()))} entries")

        Desk(journal, Watching(), [show]).handle(HandSeen(1, True))
    assert order == ["judged with 2 entries", "shown with 3 entries"]


def test_every_fact_of_every_source_is_handled_once(tmp_path: Path) -> None:
    judge = CountingJudge()
    with Journal.create(tmp_path / "a.journal", {}) as journal:
        asyncio.run(run_table(Desk(journal, judge), [Listed(hands(0, 400)), Listed(hands(1000, 400), waits=True)]))
        assert sorted(fact.at_ms for fact in judge.fed) == [*range(400), *range(1000, 1400)]
        assert [fact for _, fact in journal.facts()] == judge.fed
        assert journal.unanswered() == set()


def test_a_failing_source_stops_the_table_and_keeps_what_was_stored(tmp_path: Path) -> None:
    judge = CountingJudge()
    with Journal.create(tmp_path / "a.journal", {}) as journal:
        source = Listed(hands(0, 5), waits=True, fails=OSError("camera gone"))
        with pytest.raises(OSError, match="camera gone"):
            asyncio.run(run_table(Desk(journal, judge), [source, Listed(hands(10, 3))]))
        assert len(list(journal.facts())) == len(judge.fed) >= 5


def test_a_full_disk_stops_the_table_before_anything_is_decided(tmp_path: Path) -> None:
    judge = CountingJudge()
    with Journal.create(tmp_path / "a.journal", {}) as journal:
        journal._connection.execute("PRAGMA max_page_count = 8")
        with pytest.raises(JournalError, match="disk is full"):
            asyncio.run(run_table(Desk(journal, judge), [Listed(hands(0, 5000))]))
        assert len(judge.fed) == len(list(journal.facts()))


def test_the_table_stops_when_told(tmp_path: Path) -> None:
    judge = CountingJudge()
    with Journal.create(tmp_path / "a.journal", {}) as journal:
        source = Listed(hands(0, 1000), waits=True)
        asyncio.run(run_table(Desk(journal, judge), [source], until=lambda: len(judge.fed) >= 10))
    assert 10 <= len(judge.fed) < 1000


def test_a_restarted_table_answers_what_was_left_unanswered_and_repeats_only_the_lights(tmp_path: Path) -> None:
    path = tmp_path / "a.journal"
    with Journal.create(path, {}) as journal:
        desk = Desk(journal, CountingJudge())
        desk.handle(HandSeen(1, True))
        journal.append_fact(HandSeen(2, False))
    shown: list[tuple[int, list[str]]] = []
    with Journal.open(path) as journal:
        desk = Desk(
            journal, CountingJudge(), [lambda fact, effects: shown.append((fact.at_ms, [e.kind for e in effects]))]
        )
        assert desk.resume() == 2
        assert journal.unanswered() == set()
    assert shown == [(1, ["scene"]), (2, ["scene", "cue"])]
