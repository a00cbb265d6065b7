"""Host session and stand-in firmware joined by a bad line, all in simulated milliseconds."""

import heapq
from dataclasses import dataclass, field
from random import Random

from firmware_bridge.counters import ClockSample, DeviceClock
from firmware_bridge.errors import LinkError
from firmware_bridge.news import EventsArrived, News, SessionDown, SessionUp, StateArrived
from firmware_bridge.picture import ChannelPicture
from firmware_bridge.protocol import CHANNEL_COUNT, ChannelClass, Config, EventRecord, ResetCause
from firmware_bridge.session import EventCursor, Session
from firmware_bridge.standin_firmware import StandInFirmware, StandInMake
from firmware_bridge.timings import BackOff, LinkTimings


@dataclass
class Wire:
    """One direction. Whole frames are lost or doubled; delays change their order when ``reorder`` is set."""

    random: Random
    lose_percent: float = 0.0
    double_percent: float = 0.0
    delay_ms: tuple[int, int] = (1, 1)
    reorder: bool = False
    piece_bytes: int | None = None
    garbage_percent: float = 0.0
    _flying: list[tuple[int, int, bytes]] = field(default_factory=list)
    _count: int = 0
    _last_ms: int = 0

    def send(self, data: bytes, now_ms: int) -> None:
        if not data:
            return
        for frame in data.split(b"\0")[:-1]:
            if self.random.random() * 100 < self.garbage_percent:
                self._put(self.random.randbytes(self.random.randrange(1, 40)), now_ms)
            if self.random.random() * 100 >= self.lose_percent:
                self._put(frame + b"\0", now_ms)
            if self.random.random() * 100 < self.double_percent:
                self._put(frame + b"\0", now_ms)

    def _put(self, data: bytes, now_ms: int) -> None:
        at_ms = now_ms + self.random.randint(*self.delay_ms)
        if not self.reorder:
            at_ms = self._last_ms = max(at_ms, self._last_ms)
        size = self.piece_bytes or len(data)
        for start in range(0, len(data), size):
            self._count += 1
            heapq.heappush(self._flying, (at_ms, self._count, data[start : start + size]))

    def arrived(self, now_ms: int) -> list[bytes]:
        found = []
        while self._flying and self._flying[0][0] <= now_ms:
            found.append(heapq.heappop(self._flying)[2])
        return found

    def cut(self) -> None:
        self._flying.clear()


class SimulatedLine:
    """Steps host and board a millisecond at a time and keeps what the host was told."""

    def __init__(self, to_host: Wire, to_board: Wire, make: StandInMake | None = None) -> None:
        self.to_host, self.to_board = to_host, to_board
        self.make = make or StandInMake()
        self.sensed = [ChannelClass.EMPTY] * CHANNEL_COUNT
        self.now_ms = 1000
        self.timings = LinkTimings()
        self.picture = ChannelPicture()
        self.clock = DeviceClock()
        self.events: list[tuple[int, int, EventRecord]] = []
        self.news: list[News] = []
        self.failures: list[LinkError] = []
        self.plugged = True
        self._boot_id = 0
        self._back_off = BackOff(self.timings)
        self._reopen_ms: int | None = None
        self.cursor: EventCursor | None = None
        self.boot(ResetCause.POWER_ON)
        self.session = self._opened()

    def boot(self, cause: ResetCause) -> None:
        self._boot_id += 1
        self._boot_ms = self.now_ms
        self.firmware = StandInFirmware(self.make, self.sensed, self._boot_id, cause, Config())

    def _opened(self) -> Session:
        session = Session(self.timings, self.cursor)
        session.open(self.now_ms / 1000)
        return session

    def run(self, span_ms: int) -> None:
        for _ in range(span_ms):
            self.step()

    def step(self) -> None:
        self.now_ms += 1
        device_ms = self.now_ms - self._boot_ms
        for piece in self.to_board.arrived(self.now_ms):
            if self.plugged:
                self.firmware.receive(piece, device_ms)
        self.firmware.tick(device_ms)
        self.to_host.send(self.firmware.take_output(), self.now_ms)
        if self._reopen_ms is not None:
            if self.now_ms < self._reopen_ms or not self.plugged:
                return
            self._reopen_ms, self.session = None, self._opened()
        try:
            for piece in self.to_host.arrived(self.now_ms):
                self._hear(self.session.receive(piece, self.now_ms / 1000))
            self._hear(self.session.tick(self.now_ms / 1000))
        except LinkError as error:
            self.close(error)
            return
        self.to_board.send(self.session.take_output(), self.now_ms)

    def close(self, error: LinkError) -> None:
        self.failures.append(error)
        self.cursor = self.session.cursor
        self.clock.restart()
        self.to_host.cut()
        self.to_board.cut()
        self._reopen_ms = self.now_ms + int(self._back_off.next_s() * 1000)

    def _hear(self, news: list[News]) -> None:
        for entry in news:
            self.news.append(entry)
            if isinstance(entry, ClockSample):
                self.clock.add(entry)
            elif isinstance(entry, SessionDown):
                self.clock.restart()
            elif isinstance(entry, SessionUp):
                self._back_off.reset()
                self.picture.take_state(entry.state)
            elif isinstance(entry, StateArrived):
                self.picture.take_state(entry.state)
            elif isinstance(entry, EventsArrived):
                for offset, record in enumerate(entry.records):
                    number = entry.first_number + offset & 0xFFFF
                    self.picture.take_event(number, record)
                    self.events.append((entry.boot_id, number, record))

    @property
    def agree(self) -> bool:
        """Whether the host's picture is what lies over the sensors."""
        return list(self.picture.classes) == self.sensed
