"""Tables that tell a broker of themselves without a board, and directors who look what is there."""

import asyncio
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from turns import session

from boardctl.hall.book import HallBook, Standing, TableSeen
from boardctl.hall.broker import Broker
from boardctl.hall.listening import listen
from boardctl.hall.publishing import Pace
from boardctl.hall.table_line import TableLine
from boardctl.records import Journal
from boardctl.referee.facts import Fact
from boardctl.table import Desk

QUICK = Pace(alive_every_s=0.1, least_between_s=0.01, first_wait_s=0.1, longest_wait_s=0.2, answer_s=1.0)
WAIT_S = 10.0


@dataclass
class ToldTable:
    """A table and what it said of its broker."""

    desk: Desk
    line: TableLine
    said: list[str] = field(default_factory=list)

    def feed(self, facts: Iterable[Fact]) -> None:
        """Lets facts happen."""
        for fact in facts:
            self.desk.handle(fact)


@contextmanager
def told_table(
    broker: Broker, folder: Path, name: str = "Table 1", ruleset: str = "house-seed", page: str | None = None
) -> Iterator[ToldTable]:
    """Has a table tell of itself until the context ends."""
    played = session(ruleset)
    said: list[str] = []
    with ExitStack() as stack:
        journal = stack.enter_context(Journal.create(folder / f"{name}-{time.monotonic_ns()}.journal", played.header()))
        referee = played.referee()
        line = TableLine(broker, name, referee, played.game, journal, lambda: 0, said.append, page, QUICK)
        stack.enter_context(line)
        yield ToldTable(Desk(journal, referee, [line]), line, said)


def look_until(broker: Broker, is_so: Callable[[list[TableSeen]], bool], what: str) -> tuple[list[TableSeen], HallBook]:
    """Gets what a director sees who comes now, and looks until something is so."""
    book = HallBook()

    async def look() -> None:
        listening = asyncio.create_task(listen(broker, book))
        give_up_s = time.monotonic() + WAIT_S
        while not is_so(book.seen(time.monotonic())):
            assert time.monotonic() < give_up_s, f"never: {what}; seen {book.seen(time.monotonic())}"
            await asyncio.wait([listening], timeout=0.02)
            if listening.done():
                listening.result()
        listening.cancel()
        await asyncio.gather(listening, return_exceptions=True)

    asyncio.run(look())
    return book.seen(time.monotonic()), book


def look_for(broker: Broker, seconds: float) -> list[TableSeen]:
    """Gets what a director sees who looks for so long."""
    until_s = time.monotonic() + seconds
    return look_until(broker, lambda _: time.monotonic() > until_s, "time passes")[0]


def standing(where: Standing) -> Callable[[list[TableSeen]], bool]:
    """Gets whether there is one table, and how its line stands."""
    return lambda seen: [one.standing for one in seen] == [where]


def until(happened: Callable[[], bool], what: str) -> None:
    """Waits until something has happened."""
    give_up_s = time.monotonic() + WAIT_S
    while not happened():
        assert time.monotonic() < give_up_s, f"never: {what}"
        time.sleep(0.02)
