"""The timer says when a time is up, once, and to the millisecond however late it looked."""

import asyncio

from boardctl.referee.facts import TimePassed
from boardctl.table import ClockTimer


class Time:
    """A time that goes on only while somebody sleeps, and dues that change at given instants."""

    def __init__(self, dues: dict[int, int | None], until_ms: int) -> None:
        self.now_ms = 0
        self._dues = dues
        self._until_ms = until_ms

    def due_ms(self) -> int | None:
        return self._dues[max(at for at in self._dues if at <= self.now_ms)]

    async def sleep(self, seconds: float) -> None:
        self.now_ms += round(seconds * 1000)
        if self.now_ms > self._until_ms:
            raise asyncio.CancelledError


def facts(dues: dict[int, int | None], until_ms: int = 5000) -> list[TimePassed]:
    time = Time(dues, until_ms)
    timer = ClockTimer(time.due_ms, lambda: time.now_ms, time.sleep)
    told: list[TimePassed] = []

    async def listen() -> None:
        async for fact in timer.facts():
            told.append(fact)

    try:
        asyncio.run(listen())
    except asyncio.CancelledError:
        return told
    raise AssertionError("the timer ended by itself")


def test_a_time_that_is_up_is_told_once_and_exactly() -> None:
    assert facts({0: 1234}) == [TimePassed(1234)]


def test_nothing_is_told_while_nobodys_time_can_be_up() -> None:
    assert facts({0: None}) == []


def test_a_lever_that_is_hit_in_time_moves_the_instant() -> None:
    assert facts({0: 1000, 900: 2500}) == [TimePassed(2500)]
