"""One conversation with the board, host side, without input, output or clock: bytes and times in, bytes and news out.

A conversation opens with ``Hello`` until ``Ident`` comes, then fetches a state and one sample of the board's clock;
from then on it is up. A request without an answer is sent again, and after 750 ms the conversation has failed. A board
that starts again in between is noticed by its boot id and greeted again without closing the port (closing would reset a
Nano once more).
"""

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, replace

from firmware_bridge.counters import ClockSample, steps_between
from firmware_bridge.errors import (
    LinkDownError,
    NoAnswerError,
    NotABoardError,
    RequestRefusedError,
    VersionRefusedError,
)
from firmware_bridge.news import Answered, EventsArrived, News, SessionDown, SessionUp, StateArrived
from firmware_bridge.protocol import (
    PROTOCOL_MAJOR,
    Ack,
    ConfigRequest,
    ConfigState,
    DecodeFault,
    Decoder,
    Error,
    EventAck,
    Events,
    Hello,
    Ident,
    Leds,
    Log,
    Message,
    Ping,
    Pong,
    State,
    StateRequest,
    encode,
)
from firmware_bridge.timings import AnswerWait, LinkTimings


@dataclass(frozen=True, slots=True)
class EventCursor:
    """Which event the host waits for next: ``next_number`` of the boot ``boot_id``."""

    boot_id: int
    next_number: int


@dataclass(slots=True)
class _Request:
    ticket: int
    message: Message
    sent_s: float = 0.0
    due_s: float = 0.0
    tries: int = 0


_ANSWER_TYPES = {ConfigRequest.TYPE: ConfigState.TYPE}
"""The answers whose type is not the request's with the top bit set."""

_LED_TICKET = -1
_PING_TICKET = -2
_STATE_TICKET = -3


class Session:
    """The host's side of one conversation. Not safe to use from two threads at once."""

    def __init__(self, timings: LinkTimings, cursor: EventCursor | None = None, name: str = "sensor board") -> None:
        self._timings = timings
        self._wait = AnswerWait(timings)
        self._cursor = cursor
        self._name = name
        self._decoder = Decoder()
        self._out = bytearray()
        self._news: list[News] = []
        self._queue: deque[_Request] = deque()
        self._flying: dict[int, _Request] = {}
        self._led_parts: deque[Leds] = deque()
        self._led_waiting: tuple[Leds, ...] = ()
        self._sequence = 0
        self._tickets = 0
        self._ident: Ident | None = None
        self._up = False
        self._restarted = False
        self._hello = Hello()
        self._hello_due_s = 0.0
        self._give_up_s = 0.0
        self._ping_due_s = 0.0
        self._first_state: State | None = None
        self._clock_read = False
        self.faults: deque[DecodeFault] = deque(maxlen=32)

    @property
    def up(self) -> bool:
        """Gets whether the conversation is open for requests."""
        return self._up

    @property
    def cursor(self) -> EventCursor | None:
        """Gets the next event awaited, to hand to the session that follows this one."""
        return self._cursor

    def open(self, now_s: float) -> None:
        """Begins to greet the board."""
        self._ident, self._up = None, False
        self._first_state, self._clock_read = None, False
        self._queue.clear()
        self._flying.clear()
        self._led_parts.clear()
        self._hello = replace(self._hello, sequence=self._next_sequence())
        self._hello_due_s, self._give_up_s = now_s, now_s + self._timings.hello_give_up_s

    def ask(self, message: Message) -> int:
        """Queues a request and gets its ticket; the answer comes as ``Answered``.

        :raises LinkDownError: when the conversation is not open.
        """
        if not self._up:
            raise LinkDownError(f"{self._name}: {type(message).__name__} was not sent, the board is not connected")
        self._tickets += 1
        self._queue.append(_Request(self._tickets, message))
        return self._tickets

    def show(self, parts: Iterable[Leds]) -> None:
        """Puts an LED frame on its way in place of any frame still waiting; one whose sending has begun is finished."""
        self._led_waiting = tuple(parts)

    def take_output(self) -> bytes:
        """Gets the bytes to write now."""
        out = bytes(self._out)
        self._out.clear()
        return out

    def receive(self, data: bytes, now_s: float) -> list[News]:
        """Takes bytes as they came from the port, and gets what they tell.

        :raises VersionRefusedError: when the firmware speaks another major version.
        """
        for found in self._decoder.feed(data):
            if isinstance(found, DecodeFault):
                self.faults.append(found)
            else:
                self._take(found, now_s)
        return self._told(now_s)

    def tick(self, now_s: float) -> list[News]:
        """Sends again what is overdue, and pings.

        :raises NotABoardError: when the port talks, but nothing of what it says is a message.
        :raises NoAnswerError: when the board does not answer.
        """
        if self._ident is None:
            self._greet(now_s)
        elif self._up and now_s >= self._ping_due_s:
            self._ping_due_s = now_s + self._timings.ping_every_s
            self._queue.append(_Request(_PING_TICKET, Ping(_wire_ms(now_s))))
        for request in list(self._flying.values()):
            if now_s >= request.due_s:
                self._again(request, now_s)
        return self._told(now_s)

    def next_due_s(self) -> float:
        """Gets when ``tick`` has something to do."""
        if self._ident is None:
            return min(self._hello_due_s, self._give_up_s)
        return min([request.due_s for request in self._flying.values()] + [self._ping_due_s])

    # -- greeting

    def _greet(self, now_s: float) -> None:
        if now_s >= self._give_up_s:
            if self.faults:
                raise NotABoardError(
                    f"{self._name}: the port talks, but not as a sensor board does (last: {self.faults[-1].detail}; "
                    f"{self.faults[-1].raw[:16].hex(' ')}). Is it the right port and the right speed? "
                    f"If it is the board, flash its firmware again: {flash_command(self._name)}"
                )
            raise NoAnswerError(
                f"{self._name}: no answer within {self._timings.hello_give_up_s:g} s. Is the board powered? "
                f"If it is new, flash its firmware: {flash_command(self._name)}"
            )
        if now_s >= self._hello_due_s:
            self._out += b"\0" + encode(self._hello)  # the zero ends whatever half frame the board may hold
            self._hello_due_s = now_s + self._timings.hello_every_s

    def _take_ident(self, ident: Ident, now_s: float) -> None:
        if self._ident is not None:
            if ident.boot_id != self._ident.boot_id:
                self._greet_again(
                    f"{self._name}: the board started again ({ident.reset_cause.name.lower().replace('_', '-')})", now_s
                )
            return
        if ident.sequence != self._hello.sequence:
            self._hello_due_s = now_s  # it has just started and listens now
            return
        refuse_other_major(ident, self._name)
        self._ident = ident
        self._restarted = self._cursor is None or self._cursor.boot_id != ident.boot_id
        if self._restarted:
            self._cursor = EventCursor(ident.boot_id, ident.oldest_event)
        self._ping_due_s = now_s + self._timings.ping_every_s
        self._queue.appendleft(_Request(_STATE_TICKET, StateRequest()))
        self._queue.appendleft(_Request(_PING_TICKET, Ping(_wire_ms(now_s))))

    def _greet_again(self, reason: str, now_s: float) -> None:
        lost = [request.ticket for request in (*self._flying.values(), *self._queue)]
        if self._up:
            self._news.append(SessionDown(reason))
        self.open(now_s)
        for ticket in lost:
            if ticket > 0:
                self._news.append(Answered(ticket, LinkDownError(reason)))

    # -- messages in

    def _take(self, message: Message, now_s: float) -> None:
        if isinstance(message, Ident):
            self._take_ident(message, now_s)
            return
        if self._ident is None:
            return
        if isinstance(message, State | Events | Pong) and message.boot_id != self._ident.boot_id:
            self._greet_again(f"{self._name}: the board started again", now_s)
            return
        if isinstance(message, Events):
            self._take_events(message)
        elif isinstance(message, Log):
            self._news.append(message)
        else:
            request = self._answered_by(message)
            if isinstance(message, State):
                self._take_state(message)
            if request is not None:
                self._take_answer(request, message, now_s)

    def _answered_by(self, message: Message) -> _Request | None:
        request = self._flying.get(message.sequence)
        if request is None:
            return None
        asked = type(request.message).TYPE
        if isinstance(message, Ack | Error):
            fits = message.request == asked
        else:
            fits = _ANSWER_TYPES.get(asked, asked | 0x80) == type(message).TYPE
        if not fits:
            return None
        del self._flying[message.sequence]
        return request

    def _take_answer(self, request: _Request, message: Message, now_s: float) -> None:
        if request.tries == 1:
            self._wait.answered(now_s - request.sent_s)
        if isinstance(message, Pong):  # counted from the first try, as the answer may belong to any of them
            self._news.append(ClockSample(request.sent_s * 1000, now_s * 1000, message.device_ms))
            self._clock_read = True
            self._rise()
        if request.ticket < 0:
            return
        answer: Message | Exception = message
        if isinstance(message, Error):
            name, code = type(request.message).__name__, message.code.name.lower().replace("_", " ")
            answer = RequestRefusedError(f"{self._name}: the board refused {name}: {code} (detail {message.detail})")
        self._news.append(Answered(request.ticket, answer))

    def _take_state(self, state: State) -> None:
        if self._up:
            self._news.append(StateArrived(state))
        else:
            self._first_state = state
            self._rise()

    def _rise(self) -> None:
        if not self._up and self._ident is not None and self._first_state is not None and self._clock_read:
            self._up = True
            self._news.append(SessionUp(self._ident, self._first_state, self._restarted))

    def _take_events(self, events: Events) -> None:
        cursor = self._cursor
        if cursor is None or not self._up:
            return  # the board sends them again until they are acknowledged
        known = -steps_between(cursor.next_number, events.first_number)
        if known >= 0:  # else some before these are still missing, and the board will send from there
            fresh = events.records[known:]
            if fresh:
                self._news.append(EventsArrived(events.boot_id, cursor.next_number, events.overflow_count, fresh))
                cursor = replace(cursor, next_number=cursor.next_number + len(fresh) & 0xFFFF)
                self._cursor = cursor
        self._out += encode(EventAck(events.boot_id, cursor.next_number))

    # -- requests out

    def _told(self, now_s: float) -> list[News]:
        self.pump(now_s)
        news, self._news = self._news, []
        return news

    def pump(self, now_s: float) -> None:
        """Sends what the window has room for."""
        if self._ident is None:
            return
        if self._up and not any(request.ticket == _LED_TICKET for request in self._flying.values()):
            if not self._led_parts:
                self._led_parts, self._led_waiting = deque(self._led_waiting), ()
            if self._led_parts:
                self._send(_Request(_LED_TICKET, self._led_parts.popleft()), now_s)
        while self._queue and len(self._flying) < self._timings.window:
            self._send(self._queue.popleft(), now_s)

    def _send(self, request: _Request, now_s: float) -> None:
        request.message = replace(request.message, sequence=self._next_sequence())
        self._flying[request.message.sequence] = request
        request.sent_s = now_s
        self._transmit(request, now_s)

    def _again(self, request: _Request, now_s: float) -> None:
        if now_s - request.sent_s >= self._wait.give_up_s:
            raise NoAnswerError(
                f"{self._name}: the board left {type(request.message).__name__} unanswered for "
                f"{self._wait.give_up_s * 1000:.0f} ms, sent {request.tries} times. Is the cable plugged in?"
            )
        self._transmit(request, now_s)

    def _transmit(self, request: _Request, now_s: float) -> None:
        request.tries += 1
        give_up_s = request.sent_s + self._wait.give_up_s
        request.due_s = min(now_s + self._wait.wait_s(request.tries), give_up_s)
        self._out += encode(request.message)

    def _next_sequence(self) -> int:
        self._sequence = self._sequence % 255 + 1
        return self._next_sequence() if self._sequence in self._flying else self._sequence


def flash_command(port: str) -> str:
    """Gets what a person runs to put this program's firmware on the board at ``port``."""
    return f"boardctl firmware flash --port {port}"


def refuse_other_major(ident: Ident, port: str) -> None:
    """Checks that host and firmware speak the same major version.

    :raises VersionRefusedError: saying which side is older and what to run.
    """
    firmware = ".".join(map(str, ident.firmware_version))
    spoken = f"{ident.major}.{ident.minor}"
    if ident.major < PROTOCOL_MAJOR:
        raise VersionRefusedError(
            f"the firmware is older than this program: firmware {firmware} speaks protocol {spoken}, "
            f"this program needs {PROTOCOL_MAJOR}. Run: {flash_command(port)}"
        )
    if ident.major > PROTOCOL_MAJOR:
        raise VersionRefusedError(
            f"this program is older than the firmware: firmware {firmware} speaks protocol {spoken}, "
            f"this program speaks {PROTOCOL_MAJOR}. In boardctl's folder run: git pull, then .venv/bin/pip install ."
        )


def _wire_ms(now_s: float) -> int:
    return int(now_s * 1000) & 0xFFFFFFFF
