"""Tells a hall of one table, on a thread of its own: nobody at the table ever waits for the broker.

It publishes and does nothing else: it subscribes to nothing, and what a broker sends unasked is thrown away. Only the
newest state is kept for sending, so that nothing piles up while the broker is away or slow.
"""

import asyncio
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime

from aiomqtt import Client, MqttError, Will

from boardctl.hall.broker import Broker
from boardctl.hall.messages import Line, LineStatus, TableState, to_bytes, topic_of

Making = Callable[[int], TableState]
"""Makes the message with a number."""


@dataclass(frozen=True, slots=True)
class Pace:
    """How often a table says that it is there, how close states may follow each other, how long a broker that is away
    is waited for before the next try, an answer of it, and all of it when the table is left."""

    alive_every_s: float = 2.0
    least_between_s: float = 0.1
    first_wait_s: float = 1.0
    longest_wait_s: float = 30.0
    answer_s: float = 5.0
    close_s: float = 2.0


class Publisher:
    """Publishes one table's line and state until :meth:`close`. ``tell`` is told, once each time, of a broker that
    cannot be reached or is back; ``is_alive``: whether the table itself still goes on, else nothing is said of it.
    """

    def __init__(
        self,
        broker: Broker,
        table: str,
        run: str,
        now_ms: Callable[[], int],
        is_alive: Callable[[], bool],
        tell: Callable[[str], None],
        pace: Pace | None = None,
    ) -> None:
        self._broker = broker
        self._table = table
        self._run = run
        self._now_ms = now_ms
        self._is_alive = is_alive
        self._tell = tell
        self._pace = pace or Pace()
        self._newest: Making | None = None
        self._sent: Making | None = None
        self._number = 0
        self._last: LineStatus | None = None
        self._told_lost = ""
        self._told_there = False
        self._is_there = False
        self._loop: asyncio.AbstractEventLoop | None = None
        self._news = asyncio.Event()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._run_all()), name="hall", daemon=True)

    def start(self) -> None:
        """Begins to tell."""
        self._thread.start()

    def put(self, making: Making) -> None:
        """Takes the newest state, in place of one that was not sent yet. From any thread; waits for nobody."""
        self._newest = making
        self._ring()

    def close(self, last: LineStatus) -> None:
        """Says that the table is left, and waits for that a little while at most, or not at all where there is no line.
        May be called again."""
        self._last = self._last or last
        self._ring()
        if self._is_there and self._thread.is_alive():
            self._thread.join(self._pace.close_s)

    def _ring(self) -> None:
        loop = self._loop
        if loop is not None and not self._news.is_set():
            with suppress(RuntimeError):  # the loop has been closed meanwhile: nobody is left who sends
                loop.call_soon_threadsafe(self._news.set)

    async def _run_all(self) -> None:
        self._loop = asyncio.get_running_loop()
        wait_s = self._pace.first_wait_s
        while True:
            try:
                async with self._client() as client:
                    self._is_there = True
                    wait_s = self._pace.first_wait_s
                    self._say_there()
                    await self._publish(client)
                    return
            except MqttError as error:
                self._is_there = False
                self._say_lost(error)
            if await self._left_within(wait_s):
                return
            wait_s = min(2 * wait_s, self._pace.longest_wait_s)

    def _client(self) -> Client:
        will = Will(topic_of(self._table, Line), to_bytes(self._line(LineStatus.LOST, sure=False)), qos=1, retain=True)
        return self._broker.client(f"boardctl-{self._run[:12]}", self._pace.answer_s, incoming=1, will=will)

    async def _publish(self, client: Client) -> None:
        """Sends the line now and again, and each state that is new, until the table is left."""
        self._sent = None  # whatever the broker has forgotten is told anew
        alive_due_s = 0.0
        while True:
            self._news.clear()
            last, newest = self._last, self._newest
            if newest is not None and newest is not self._sent:
                self._number += 1
                await self._send(client, newest(self._number), qos=1)
                self._sent = newest
            if last is not None:
                await self._send(client, self._line(last), qos=1)
                return
            if time.monotonic() >= alive_due_s and self._is_alive():
                await self._send(client, self._line(LineStatus.ONLINE), qos=0)
                alive_due_s = time.monotonic() + self._pace.alive_every_s
            await asyncio.sleep(self._pace.least_between_s)
            await self._rung_within(max(0.0, alive_due_s - time.monotonic()))

    async def _send(self, client: Client, message: Line | TableState, qos: int) -> None:
        await client.publish(topic_of(self._table, type(message)), to_bytes(message), qos=qos, retain=True)

    def _line(self, status: LineStatus, sure: bool = True) -> Line:
        at = datetime.now(UTC).replace(microsecond=0) if sure else None
        return Line(table=self._table, run=self._run, status=status, now_ms=self._now_ms() if sure else None, at=at)

    async def _left_within(self, seconds: float) -> bool:
        """Whether the table is left before so many seconds have passed."""
        until_s = time.monotonic() + seconds
        while self._last is None and (left_s := until_s - time.monotonic()) > 0:
            self._news.clear()
            await self._rung_within(min(left_s, self._pace.alive_every_s))
        return self._last is not None

    async def _rung_within(self, seconds: float) -> None:
        with suppress(TimeoutError):
            await asyncio.wait_for(self._news.wait(), seconds)

    def _say_there(self) -> None:
        if not self._told_there:
            how = "encrypted" if self._broker.tls else "not encrypted"
            self._tell(f"hall: {self._table} is told of to {self._broker}, {how}")
        elif self._told_lost:
            self._tell(f"hall: {self._broker} is there again")
        self._told_there, self._told_lost = True, ""

    def _say_lost(self, error: MqttError) -> None:
        """Tells of a loss once, whatever the tries after it fail of; what only a person can put right is told, too."""
        lost = self._broker.lost(error)
        if self._last is None and (not self._told_lost or (lost.lasts and str(lost) != self._told_lost)):
            self._told_lost = str(lost)
            self._tell(f"hall: {lost}; the game goes on without, and it is tried again")
