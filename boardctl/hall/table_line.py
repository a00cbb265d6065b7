"""The hall's end at a table: an output that tells the hall what stands, and a source that never has a fact."""

import asyncio
import secrets
import time
from collections.abc import AsyncIterator, Callable, Sequence
from datetime import UTC, datetime, timedelta
from functools import partial
from types import TracebackType

from boardctl.hall.broker import Broker
from boardctl.hall.matters import OpenMatters
from boardctl.hall.messages import LineStatus, TableState
from boardctl.hall.publishing import Pace, Publisher
from boardctl.hall.telling import Snapshot, Teller
from boardctl.hall.texts import hall_say
from boardctl.records import Journal
from boardctl.referee import Referee
from boardctl.referee.effects import Effect
from boardctl.referee.facts import Fact

PULSE_S = 0.5
STUCK_AFTER_S = 5.0
"""A table whose event loop has not come round for so long is not said to be there: nobody may take it for one that goes
on."""

_CLOCK_SET = timedelta(seconds=2)
"""A clock on the wall that has moved so far against time itself was set."""


class TableLine:
    """An output of the desk, and a context manager: tells of the table as long as it is entered.

    All that is done on the table's thread is to note values that do not change; words are made of them, and sent, on
    another thread. ``now_ms``: the table's time. ``record`` and ``page``: where the director finds the evidence.
    """

    def __init__(
        self,
        broker: Broker,
        table: str,
        referee: Referee,
        game: str,
        journal: Journal,
        now_ms: Callable[[], int],
        tell: Callable[[str], None],
        page: str | None = None,
        pace: Pace | None = None,
    ) -> None:
        run, say = secrets.token_hex(8), hall_say()
        record = str(journal.path.resolve())
        self._referee = referee
        self._table_ms = now_ms
        self._teller = Teller(table, run, game, referee.ruleset, record, page, say)
        self._began_s = self._came_round_s = time.monotonic()
        self._began_at = datetime.now(UTC)
        self._matters = OpenMatters(referee.ruleset, journal, say)
        self._publisher = Publisher(broker, table, run, self._now_ms, self._is_alive, tell, pace)
        self.pulse = Pulse(self._come_round)

    def __enter__(self) -> "TableLine":
        self._put()
        self._publisher.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        failed = kind is not None and issubclass(kind, Exception)
        self._publisher.close(LineStatus.LOST if failed else LineStatus.ENDED)

    def __call__(self, fact: Fact, effects: Sequence[Effect]) -> None:
        """Notes how the table stands now, for the hall."""
        self._come_round()
        self._matters.hear(fact, effects, self._referee.state, self._now_ms())
        self._put()

    def _put(self) -> None:
        shown = Snapshot(self._referee.state, self._matters.open, self._now_ms(), self._table_ms())
        self._publisher.put(partial(self._message, shown))

    def _message(self, shown: Snapshot, number: int) -> TableState:
        return self._teller.message(shown, number, self._began())

    def _began(self) -> datetime:
        """Gets when it began by the clock on the wall. It stays unless that clock is set: a Raspberry Pi knows the time
        only once it is in a network."""
        began = datetime.now(UTC) - timedelta(milliseconds=self._now_ms())
        if abs(began - self._began_at) > _CLOCK_SET:
            self._began_at = began
        return self._began_at

    def _come_round(self) -> None:
        self._came_round_s = time.monotonic()

    def _now_ms(self) -> int:
        return round((time.monotonic() - self._began_s) * 1000)

    def _is_alive(self) -> bool:
        return time.monotonic() - self._came_round_s < STUCK_AFTER_S


class Pulse:
    """A source beside the others that never gives a fact: it notes that the table's event loop comes round."""

    waits = False

    def __init__(self, come_round: Callable[[], None]) -> None:
        self._come_round = come_round

    def facts(self) -> AsyncIterator[Fact]:
        """Gets nothing, for ever."""
        return self

    def __aiter__(self) -> "Pulse":
        return self

    async def __anext__(self) -> Fact:
        while True:
            self._come_round()
            await asyncio.sleep(PULSE_S)
