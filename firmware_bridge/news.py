"""What a conversation with the board tells the host, in the order in which it happened."""

from dataclasses import dataclass

from firmware_bridge.counters import ClockSample
from firmware_bridge.protocol import EventRecord, Ident, Log, Message, State


@dataclass(frozen=True, slots=True)
class SessionUp:
    """The board has identified itself and told its state. ``restarted``: not the boot that was talked to before."""

    ident: Ident
    state: State
    restarted: bool


@dataclass(frozen=True, slots=True)
class SessionDown:
    """The board started again; it is being greeted anew on the same port."""

    reason: str


@dataclass(frozen=True, slots=True)
class Answered:
    """The answer to the request with this ticket: a message, or why there is none."""

    ticket: int
    answer: Message | Exception


@dataclass(frozen=True, slots=True)
class EventsArrived:
    """Events in order, each exactly once; the first has number ``first_number`` of ``boot_id``."""

    boot_id: int
    first_number: int
    overflow_count: int
    records: tuple[EventRecord, ...]


@dataclass(frozen=True, slots=True)
class StateArrived:
    """A whole state, asked for or not."""

    state: State


News = SessionUp | SessionDown | Answered | EventsArrived | StateArrived | ClockSample | Log
