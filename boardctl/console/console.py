"""The page's side at the table: a source of facts from people, and an output that keeps what is shown of the table.

Both run on the table's thread. What a browser asks for comes in by :meth:`Console.ask` from any thread, becomes a fact
in the table's one queue, and is answered once the desk has stored and judged it.
"""

import asyncio
import queue
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, replace

from boardctl.console.acting import Actor, RefusedError
from boardctl.console.asks import Ask
from boardctl.console.audience import Audience
from boardctl.console.bell import Bell
from boardctl.console.findings_log import FindingsLog, LoggedFinding
from boardctl.console.telling import TableTeller, Telling
from boardctl.lights.on_board import BarColumns
from boardctl.lights.words import Say
from boardctl.records import Journal
from boardctl.referee import Referee, for_players
from boardctl.referee.effects import Effect, Notice
from boardctl.referee.facts import Fact, Queried, Text

LOOK_S = 0.02
"""How often it looks whether something was asked for: less than a person can tell from at once."""

MOST_WAITING = 32
"""How many asks may wait; a table that does not get round to them is not asked for more."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What became of what was asked for: the journal's entry of its fact, and what the referee said to it."""

    entry: int
    said: tuple[Text, ...]


@dataclass(frozen=True, slots=True)
class Shown:
    """What is shown to one audience; a value. ``number`` grows with each that is worth telling: the record's last entry
    alone is not."""

    number: int
    telling: Telling
    last_entry: int = 0
    findings: tuple[LoggedFinding, ...] = ()


class Console:
    """A source beside the others, and an output. ``now_ms``: the table's time.

    It is to be told of what the referee says before the desk's responders answer, as every output is: then the entry
    written last is the one that a finding stands in.
    """

    waits = False

    def __init__(
        self,
        referee: Referee,
        journal: Journal,
        now_ms: Callable[[], int],
        say: Say,
        bar_columns: BarColumns | None = None,
    ) -> None:
        self.referee = referee
        self.journal_path = journal.path
        self._clock_ms = now_ms
        self._last_ms = 0
        self.bell = Bell()
        self.findings = FindingsLog(journal)
        self._journal = journal
        self._actor = Actor(referee, journal, self.now_ms)
        self._teller = TableTeller(referee, say, bar_columns)
        self._asked: queue.Queue[tuple[Ask, Audience, Future[Answer]]] = queue.Queue(MOST_WAITING)
        self._open: tuple[Fact, Audience, Future[Answer]] | None = None
        self._closed = False
        self._everybody = Shown(1, self._teller.everybody)
        self._director = Shown(1, self._teller.director, journal.last_number, self.findings.found)

    def now_ms(self) -> int:
        """Gets the table's time, never before what has been heard of already: a clock is not told of earlier times."""
        return max(self._clock_ms(), self._last_ms)

    def shown(self, audience: Audience) -> Shown:
        """Gets what is shown to an audience now. From any thread."""
        return self._director if audience is Audience.DIRECTOR else self._everybody

    def ask(self, ask: Ask, audience: Audience) -> "Future[Answer]":
        """Asks for something, from any thread; the answer comes once the table has got round to it.

        The answer is a :class:`RefusedError` where it is not done.
        """
        answer: Future[Answer] = Future()
        if self._closed:
            answer.set_exception(RefusedError(Text.of("page.refused.over")))
            return answer
        try:
            self._asked.put_nowait((ask, audience, answer))
        except queue.Full:
            answer.set_exception(RefusedError(Text.of("page.refused.busy")))
        return answer

    async def facts(self) -> AsyncIterator[Fact]:
        """Gets what people said at the page, as facts, for ever."""
        while True:
            for fact in self.said():
                yield fact
            await asyncio.sleep(LOOK_S)

    def said(self) -> Iterator[Fact]:
        """Gets what people have said until now, each once the one before was handled. For who asks with every frame."""
        while self._open is None and not self._asked.empty():
            ask, audience, answer = self._asked.get_nowait()
            if not answer.set_running_or_notify_cancel():
                continue  # nobody waits for it any more
            try:
                fact = self._actor.fact_of(ask, audience)
            except RefusedError as refused:
                answer.set_exception(refused)
                continue
            self._open = (fact, audience, answer)
            yield fact

    def __call__(self, fact: Fact, effects: Sequence[Effect]) -> None:
        """Brings what is shown up to date, and answers who asked for this fact."""
        self._last_ms = max(self._last_ms, fact.at_ms)
        self._teller(fact, effects)
        self.findings(fact, effects)
        self._show()
        if self._open is not None and self._open[0] is fact:
            _, audience, answer = self._open
            self._open = None
            # Who asks what was found is told that nothing was, where asking is what lets the referee speak.
            asked = isinstance(fact, Queried) and self.referee.ruleset.announce == "on_query"
            heard = effects if asked or audience is Audience.DIRECTOR else for_players(effects)
            said = tuple(effect.text for effect in heard if isinstance(effect, Notice))
            # Its own entry comes right before the one of what was said to it.
            answer.set_result(Answer(self._journal.last_number - 1, said))

    def close(self) -> None:
        """Refuses what is asked from now on, and what still waits. May be called again."""
        self._closed = True
        waiting = [] if self._open is None else [self._open[2]]
        self._open = None
        while not self._asked.empty():
            waiting.append(self._asked.get_nowait()[2])
        for answer in waiting:
            if not answer.done():
                answer.set_exception(RefusedError(Text.of("page.refused.over")))
        self.bell.ring()

    def _show(self) -> None:
        everybody = replace(self._everybody, telling=self._teller.everybody)
        director = replace(self._director, telling=self._teller.director, findings=self.findings.found)
        news = (everybody != self._everybody, director != self._director)
        self._everybody = replace(everybody, number=everybody.number + news[0])
        self._director = replace(director, number=director.number + news[1], last_entry=self._journal.last_number)
        if any(news):
            self.bell.ring()
