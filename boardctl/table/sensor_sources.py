"""The sensor board as a source of facts: of a real one as it tells them, of a virtual table's in step with its time."""

import asyncio
import queue
import time
from collections.abc import AsyncIterator, Callable, Mapping

from boardctl.devices.sensor_witness import SensorWitness
from boardctl.referee.facts import Fact
from firmware_bridge import BoardReport, ButtonEvent, ChannelClass, ChannelEvent, SensorBoard, SensorEvent

_LOOK_S = 0.2  # How long it waits for news before it looks whether it is to end.
_IN_STEP_S = 2.0
"""How long a virtual table waits for its board: all 128 channels are told within 0.25 s, and a board that has started
again is back within a second. A board that was taken away stays silent, and the table goes on without it."""


class SensorSource:
    """Facts of a board as they happen. Give :meth:`hear` to the board as its listener.

    >>> source = SensorSource(witness, clock_ms)
    >>> board = SensorBoard(port, listen=source.hear)

    ``clock_ms`` gets milliseconds since the session began; what the board tells with times of its own is reckoned back
    to when it happened, by the offset between the two clocks.
    """

    waits = False

    def __init__(self, witness: SensorWitness, clock_ms: Callable[[], int]) -> None:
        self._witness = witness
        self._clock_ms = clock_ms
        self._heard: queue.SimpleQueue[SensorEvent | BoardReport] = queue.SimpleQueue()
        self._closed = False

    def hear(self, entry: SensorEvent | BoardReport) -> None:
        """Takes what the board tells, from any thread."""
        self._heard.put(entry)

    async def facts(self) -> AsyncIterator[Fact]:
        """Gets the facts as they happen, until it is closed."""
        while not self._closed:
            entry = await asyncio.to_thread(self._next)
            now_ms = self._clock_ms()
            found = [] if entry is None else self._witness.feed(entry, _happened_ms(entry, now_ms))
            for fact in (*found, *self._witness.rested(now_ms)):
                yield fact

    def close(self) -> None:
        """Ends the facts. May be called again."""
        self._closed = True

    def _next(self) -> SensorEvent | BoardReport | None:
        due_ms = self._witness.due_ms
        wait_s = _LOOK_S if due_ms is None else min(_LOOK_S, max(0.0, (due_ms - self._clock_ms()) / 1000))
        try:
            return self._heard.get(timeout=wait_s) if wait_s else self._heard.get_nowait()
        except queue.Empty:
            return None


def _happened_ms(entry: SensorEvent | BoardReport, now_ms: int) -> int:
    if not isinstance(entry, ChannelEvent | ButtonEvent):
        return now_ms
    return now_ms - max(0, round(time.monotonic() * 1000 - entry.host_ms))


class SensorsInStep:
    """Facts of the board of a virtual table, whose time is not the board's: the table waits until the host knows.

    Give :meth:`changed` to the table; :meth:`facts` gets what was told since it was asked last.
    """

    def __init__(self, board: SensorBoard, witness: SensorWitness) -> None:
        self._board = board
        self._witness = witness
        self._facts: list[Fact] = []

    def changed(self, classes: Mapping[int, ChannelClass], at_ms: int) -> None:
        """Waits until the host knows what the sensors see since ``at_ms``: ``classes``, by channel."""
        give_up_s = time.monotonic() + _IN_STEP_S
        while not self._knows(classes) and time.monotonic() < give_up_s:
            time.sleep(0.001)
        self._take(at_ms)

    def facts(self, at_ms: int) -> list[Fact]:
        """Gets the facts until now, oldest first."""
        self._take(at_ms)
        found, self._facts = self._facts, []
        return [*found, *self._witness.rested(at_ms)]

    def _knows(self, classes: Mapping[int, ChannelClass]) -> bool:
        known = self._board.snapshot()
        return all(known[channel] is kind for channel, kind in classes.items())

    def _take(self, at_ms: int) -> None:
        for entry in (*self._board.reports(), *self._board.events()):
            self._facts += self._witness.feed(entry, at_ms)
