"""The timer of the clock: says that time has passed when a player's time is due to be up, and at no other instant."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable

from boardctl.referee.facts import TimePassed

LOOK_S = 0.1
"""How often it looks whether somebody hit a lever meanwhile. It decides when a flag is said to have fallen, not when
it fell: that is reckoned to the millisecond."""


class ClockTimer:
    """A source of facts. ``due_ms`` gets when a flag falls next, None while none can; ``now_ms`` the table's time."""

    waits = False

    def __init__(
        self,
        due_ms: Callable[[], int | None],
        now_ms: Callable[[], int],
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._due_ms = due_ms
        self._now_ms = now_ms
        self._sleep = sleep

    async def facts(self) -> AsyncIterator[TimePassed]:
        """Gets a fact for each instant at which a time was up; goes on for ever."""
        told: int | None = None
        while True:
            due_ms = self._due_ms()
            if due_ms is not None and due_ms != told and self._now_ms() >= due_ms:
                told = due_ms
                yield TimePassed(due_ms)
                continue
            await self._sleep(LOOK_S)
