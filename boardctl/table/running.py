"""The running table: sources of facts on one side, the desk on the other, one queue and one dispatcher between them."""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from typing import Any, Protocol

from boardctl.referee.facts import Fact
from boardctl.table.desk import Desk

_QUEUE_LENGTH = 256  # Facts that wait; a source that fills it waits until the desk has caught up.


class Source(Protocol):
    """Where facts come from: a camera with its reader, a sensor board, a panel, people at a console."""

    @property
    def waits(self) -> bool:
        """Whether each fact must be acted on before the next is made: recorded pictures, a virtual table."""
        ...

    def facts(self) -> AsyncIterator[Fact]:
        """Gets the facts as they happen; ends when the source has no more."""
        ...


async def run_table(
    desk: Desk, sources: Sequence[Source], until: Callable[[], bool] = lambda: False, beside: Sequence[Source] = ()
) -> None:
    """Runs until every source has ended, or until ``until`` says so after a fact was handled.

    Sources ``beside`` them, a timer or a coach, go on for ever by themselves: nobody waits for their end.

    Facts are handled one at a time in the order in which they came. An error in a source or at the desk stops the
    table and is raised; facts that were stored before it stay stored.
    """
    queue: asyncio.Queue[Fact] = asyncio.Queue(_QUEUE_LENGTH)
    finished = asyncio.Event()

    async def pump(source: Source) -> None:
        async for fact in source.facts():
            await queue.put(fact)
            if source.waits:
                await queue.join()

    async def dispatch() -> None:
        while True:
            fact = await queue.get()
            try:
                desk.handle(fact)
                if until():
                    finished.set()
            finally:
                queue.task_done()

    pumps = [asyncio.create_task(pump(source)) for source in sources]
    helpers = [asyncio.create_task(pump(source)) for source in beside]
    dispatcher = asyncio.create_task(dispatch())
    stop = asyncio.create_task(finished.wait())
    ended = asyncio.gather(*pumps)
    drained: asyncio.Task[None] | None = None
    try:
        await _first_of(ended, dispatcher, stop, *helpers)
        for helper in helpers:
            if helper.done():
                helper.result()
        if ended.done():
            ended.result()
            drained = asyncio.create_task(queue.join())
            await _first_of(drained, dispatcher)
        if dispatcher.done():
            dispatcher.result()
    finally:
        left = [future for future in (*pumps, *helpers, ended, dispatcher, stop, drained) if future is not None]
        for future in left:
            future.cancel()
        await asyncio.gather(*left, return_exceptions=True)


async def _first_of(*futures: asyncio.Future[Any]) -> None:
    await asyncio.wait(futures, return_when=asyncio.FIRST_COMPLETED)
