"""The sensor board as the table sees it: channel classes in, events in, lights and sounds out."""

import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from types import TracebackType
from typing import Self, TypeVar

from firmware_bridge.counters import ClockSample, DeviceClock, steps_between
from firmware_bridge.errors import BridgeError, LinkDownError, LinkError, MessageError, PermanentLinkError
from firmware_bridge.leds import LedFrame
from firmware_bridge.link import Link, LinkLost, LinkNews
from firmware_bridge.news import EventsArrived, SessionDown, SessionUp, StateArrived
from firmware_bridge.picture import ChannelPicture
from firmware_bridge.ports import ByteStream, open_port
from firmware_bridge.protocol import (
    CHANNEL_COUNT,
    Beep,
    Calibrate,
    Calibrated,
    CalibrationStep,
    ChannelClass,
    Config,
    ConfigRequest,
    ConfigState,
    EventRecord,
    Ident,
    Message,
    Raw,
    RawRequest,
    State,
    StateRequest,
    Stats,
    StatsRequest,
)
from firmware_bridge.timings import LinkTimings


@dataclass(frozen=True, slots=True)
class ChannelEvent:
    """A channel settled on another class. ``number`` counts the board's events since boot ``boot_id``, modulo 65536."""

    channel: int
    now: ChannelClass
    device_ms: int
    host_ms: float
    boot_id: int
    number: int


@dataclass(frozen=True, slots=True)
class ButtonEvent:
    """A seat button went down or up."""

    button: int
    down: bool
    device_ms: int
    host_ms: float
    boot_id: int
    number: int


@dataclass(frozen=True, slots=True)
class BoardUp:
    """The board is connected. ``restarted``: compare ``classes`` with the expected position; it tells no moves."""

    ident: Ident
    classes: tuple[ChannelClass, ...] = field(repr=False)
    restarted: bool


@dataclass(frozen=True, slots=True)
class BoardDown:
    """The board is not connected. ``permanent``: it stays so until a person does what ``reason`` says."""

    reason: str
    permanent: bool


@dataclass(frozen=True, slots=True)
class BoardRepaired:
    """A whole state showed channels that had changed unseen: channel -> (before, now). No moves either."""

    changed: tuple[tuple[int, ChannelClass, ChannelClass], ...]


@dataclass(frozen=True, slots=True)
class BoardMissed:
    """The board's memory for events was full: ``count`` things came and went untold. The snapshot is right anyway."""

    count: int


SensorEvent = ChannelEvent | ButtonEvent
BoardReport = BoardUp | BoardDown | BoardRepaired | BoardMissed


class SensorBoard:
    """One sensor and LED board behind a serial port.

        with SensorBoard("/dev/serial/by-id/usb-1a86_USB_Serial-if00-port0") as board:
            board.show(LedFrame.of({0: Light(0, 80, 0)}))
            for event in board.events(timeout_s=10):
                print(event)

    It connects in the background and stays with the board through unplugging and resets. With ``wait_s`` the
    constructor waits that long for the first connection. ``listen`` gets every event and report as it comes, on the
    link's thread, beside the queues of :meth:`events` and :meth:`reports`; it must return quickly and not raise.

    :raises LinkError: when ``wait_s`` is given and the board is not connected by then; the port is closed again.
    """

    def __init__(
        self,
        path: str,
        *,
        wait_s: float | None = None,
        listen: Callable[[SensorEvent | BoardReport], None] | None = None,
        opener: Callable[[str], ByteStream] = open_port,
        clock_s: Callable[[], float] = time.monotonic,
        timings: LinkTimings | None = None,
    ) -> None:
        self.path = path
        self._listen = listen
        self._changed = threading.Condition()
        self._picture = ChannelPicture()
        self._clock = DeviceClock()
        self._events: deque[SensorEvent] = deque()
        self._reports: deque[BoardReport] = deque(maxlen=256)
        self._ident: Ident | None = None
        self._overflows = 0
        self._connected = False
        self._closed = False
        self._error: LinkError | None = None
        self._link = Link(path, lambda: opener(path), self._hear, clock_s=clock_s, timings=timings)
        self._link.start()
        if wait_s is not None:
            try:
                self.wait_connected(wait_s)
            except BaseException:
                self.close()
                raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Closes the port; closing twice is allowed."""
        self._link.close()
        with self._changed:
            self._connected, self._closed = False, True
            self._changed.notify_all()

    @property
    def connected(self) -> bool:
        """Gets whether the board answers."""
        return self._connected

    @property
    def ident(self) -> Ident | None:
        """Gets who the board is, as it said last; None before the first connection."""
        return self._ident

    @property
    def error(self) -> LinkError | None:
        """Gets why the board is not connected; None while it is, and before the first try has ended."""
        return None if self._connected else self._error

    def wait_connected(self, timeout_s: float) -> Ident:
        """Waits until the board is connected.

        :raises LinkError: the reason, when it is not within ``timeout_s`` or will not be.
        """
        with self._changed:
            self._changed.wait_for(
                lambda: self._connected or self._closed or isinstance(self._error, PermanentLinkError), timeout_s
            )
            if self._connected and self._ident is not None:
                return self._ident
            raise self._error or LinkDownError(f"{self.path}: no sensor board within {timeout_s:g} s")

    def snapshot(self) -> tuple[ChannelClass, ...]:
        """Gets the class of every channel as last told; all unknown before the first connection."""
        with self._changed:
            return self._picture.classes

    def events(self, timeout_s: float = 0.0) -> list[SensorEvent]:
        """Gets the events not yet fetched, oldest first, each exactly once; waits up to ``timeout_s`` for the first."""
        with self._changed:
            self._changed.wait_for(lambda: self._events or self._closed, timeout_s)
            found = list(self._events)
            self._events.clear()
            return found

    def reports(self, timeout_s: float = 0.0) -> list[BoardReport]:
        """Gets what happened to the link and is not yet fetched; waits up to ``timeout_s`` for the first."""
        with self._changed:
            self._changed.wait_for(lambda: self._reports or self._closed, timeout_s)
            found = list(self._reports)
            self._reports.clear()
            return found

    def show(self, frame: LedFrame) -> None:
        """Lights ``frame``; while the board is away it is kept and lit when it is back. Does not wait."""
        self._link.show(frame)

    def beep(self, frequency_hz: int = 2000, duration_ms: int = 80, repeats: int = 1) -> None:
        """Sounds the piezo.

        :raises LinkDownError: when the board is not connected.
        """
        self._link.request(Beep(frequency_hz, duration_ms, repeats))

    def stats(self) -> Stats:
        """Gets the board's counters.

        :raises LinkDownError: when the board is not connected.
        """
        return _expect(Stats, self._link.request(StatsRequest()))

    def state(self) -> State:
        """Fetches the whole state from the board now.

        :raises LinkDownError: when the board is not connected.
        """
        return _expect(State, self._link.request(StateRequest()))

    def configure(self, config: Config | None = None) -> ConfigState:
        """Sets the board's settings, or only reads them, and gets those in use.

        :raises RequestRefusedError: when a value is out of the board's range.
        :raises LinkDownError: when the board is not connected.
        """
        return _expect(ConfigState, self._link.request(config or ConfigRequest()))

    def raw(self) -> tuple[int, ...]:
        """Gets the analogue value of every channel, in converter counts, light on minus light off.

        :raises LinkDownError: when the board is not connected.
        """
        values: list[int] = []
        while len(values) < CHANNEL_COUNT:
            count = min(CHANNEL_COUNT - len(values), 64)
            part = _expect(Raw, self._link.request(RawRequest(len(values), count))).values
            if len(part) != count:
                raise MessageError(f"{self.path}: asked for {count} analogue values and got {len(part)}")
            values.extend(part)
        return tuple(values)

    def calibrate(self, step: CalibrationStep, first: int = 0, count: int = CHANNEL_COUNT) -> frozenset[int]:
        """Records what the channels see now as the ground that ``step`` names; gets those with too little contrast.

        :raises RequestRefusedError: when a step before this one is missing.
        :raises LinkDownError: when the board is not connected.
        """
        return _expect(Calibrated, self._link.request(Calibrate(step, first, count))).weak

    # -- news, on the link's thread

    def _hear(self, news: LinkNews) -> None:
        with self._changed:
            told = self._digest(news)
            for entry in told:
                if isinstance(entry, ChannelEvent | ButtonEvent):
                    self._events.append(entry)
                else:
                    self._reports.append(entry)
            self._changed.notify_all()
        if self._listen is not None:
            for entry in told:
                self._listen(entry)

    def _digest(self, news: LinkNews) -> list[SensorEvent | BoardReport]:
        if isinstance(news, ClockSample):
            self._clock.add(news)
        elif isinstance(news, EventsArrived):
            return self._take_events(news)
        elif isinstance(news, StateArrived):
            changed = self._picture.take_state(news.state)
            missed = self._missed(news.state.overflow_count)
            if changed:
                return [*missed, BoardRepaired(tuple((channel, *pair) for channel, pair in sorted(changed.items())))]
            return missed
        elif isinstance(news, SessionUp):
            self._ident, self._connected, self._error = news.ident, True, None
            self._picture.take_state(news.state)
            missed = [] if news.restarted else self._missed(news.state.overflow_count)
            self._overflows = news.state.overflow_count
            return [BoardUp(news.ident, self._picture.classes, news.restarted), *missed]
        elif isinstance(news, SessionDown):
            return self._fall(LinkDownError(news.reason))
        elif isinstance(news, LinkLost):
            return self._fall(news.error)
        return []

    def _fall(self, error: LinkError) -> list[SensorEvent | BoardReport]:
        self._clock.restart()  # another boot may answer next, with another clock
        told_before = not self._connected and self._error is not None
        self._connected, self._error = False, error
        permanent = isinstance(error, PermanentLinkError)
        return [] if told_before and not permanent else [BoardDown(str(error), permanent)]

    def _missed(self, overflow_count: int) -> list[SensorEvent | BoardReport]:
        count = steps_between(self._overflows, overflow_count, bits=8)
        if count <= 0:  # less than nothing: told by a frame that came late
            return []
        self._overflows = overflow_count
        return [BoardMissed(count)]

    def _take_events(self, news: EventsArrived) -> list[SensorEvent | BoardReport]:
        told = self._missed(news.overflow_count)
        for offset, record in enumerate(news.records):
            number = news.first_number + offset & 0xFFFF
            self._picture.take_event(number, record)
            event = _event(record, self._clock.host_ms(record.device_ms), news.boot_id, number)
            if event is not None:
                told.append(event)
        return told


def _event(record: EventRecord, host_ms: float, boot_id: int, number: int) -> SensorEvent | None:
    if record.source >= EventRecord.BUTTON_BASE:
        button = record.source - EventRecord.BUTTON_BASE
        return ButtonEvent(button, bool(record.value), record.device_ms, host_ms, boot_id, number)
    if record.value not in {int(kind) for kind in ChannelClass}:
        return None  # a class of a newer firmware; the picture leaves it out too
    return ChannelEvent(record.source, ChannelClass(record.value), record.device_ms, host_ms, boot_id, number)


_M = TypeVar("_M", bound=Message)


def _expect(kind: type[_M], answer: Message) -> _M:
    if isinstance(answer, kind):
        return answer
    raise BridgeError(
        f"the board answered with {type(answer).__name__} where {kind.__name__} was due; flash its firmware"
    )
