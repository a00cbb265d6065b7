"""What a table says of itself, as messages with a version; and how one that has come in is read.

Two retained messages a table: ``boardctl/tables/NAME/line``, whether it is there, said again and again while it is, and
by the broker in its stead when its line breaks; and ``boardctl/tables/NAME/state``, how it stands. Anybody who may
publish to the broker can send anything: what does not fit the models to the letter is not believed.
"""

from enum import StrEnum
from typing import Annotated, Self

from pydantic import AfterValidator, AwareDatetime, BaseModel, ConfigDict, Field, ValidationError, model_validator

from boardctl.referee.effects import Phase
from boardctl.rules import Seat
from config import TableName, fit_for_topic

VERSION = 1
"""Of the messages. A change that older readers would misread is a new one."""

ROOT = "boardctl/tables"
EVERY_TABLE = f"{ROOT}/#"

MOST_BYTES = 64 * 1024
"""A longer message is none of a table's: the longest that one sends has some 10 kB."""

MOST_MATTERS = 8
"""So many irregularities of a table are told, the last ones; all are in its record."""

MOST_SENTENCES = 8
LONGEST_WORDS = 400
_LONG_AGO_MS = 10**11  # three years: more than any table runs


class MessageError(ValueError):
    """A message that is not believed; the text says why."""


def _printable(words: str) -> str:
    """Refuses what could move a terminal's cursor, turn the direction of writing, or be no letter at all."""
    if not words.isprintable():
        raise ValueError("holds signs that cannot be shown")
    return words


Words = Annotated[str, Field(max_length=LONGEST_WORDS), AfterValidator(_printable)]
Count = Annotated[int, Field(ge=0, le=10**9)]
Milliseconds = Annotated[int, Field(ge=0, le=_LONG_AGO_MS)]
Run = Annotated[str, Field(pattern=r"^[0-9a-f]{16}$")]
"""One run of a program at a table, by chance."""


class _Message(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class LineStatus(StrEnum):
    """What is said of a table's line."""

    ONLINE = "online"
    ENDED = "ended"  # by the table itself, when it was left
    LOST = "lost"  # by the broker in the table's stead, or by a table that could not go on


class Line(_Message):
    """Whether a table is there. ``now_ms``: its time since it began to tell, ``at``: what its clock on the wall shows;
    None where the broker says it, who does not know."""

    version: int = VERSION
    table: TableName
    run: Run
    status: LineStatus
    now_ms: Milliseconds | None = None
    at: AwareDatetime | None = None


class SeatScore(_Message):
    """The points of a seat."""

    seat: Seat
    points: Count


class SeatClock(_Message):
    """The time of a seat when the message was made: its delay runs first, then its reserve."""

    seat: Seat
    reserve_ms: Milliseconds
    delay_ms: Milliseconds
    is_up: bool


class ClockTold(_Message):
    """The clock. ``running``: whose time goes down; ``paused``: why it stands, in words."""

    sides: Annotated[tuple[SeatClock, ...], Field(max_length=4)]
    running: Seat | None
    paused: Words


class Cube(_Message):
    """The doubling cube. ``owner`` None: it lies in the middle. ``offered``: its value once the offer is taken."""

    value: Count
    owner: Seat | None
    offered: Count | None = None


class Since(_Message):
    """Something that stands open: since when by the table's time, and by its clock on the wall."""

    since_ms: Milliseconds
    since: AwareDatetime


class Question(Since):
    """What the referee asks, and whom: seats, or ``director``."""

    to: Annotated[tuple[Words, ...], Field(max_length=5)]
    text: Words
    choices: Annotated[tuple[Words, ...], Field(max_length=8)]


class Call(Since):
    """Why the director is wanted at the table."""

    why: Words


class Irregularity(Since):
    """Something found that nobody has settled yet. ``entry``: the record's entry in which it stands; ``pictures``: how
    many were stored of it; ``certainty`` is empty where none is said."""

    entry: Count
    certainty: Words
    says: Annotated[tuple[Words, ...], Field(max_length=MOST_SENTENCES)]
    pictures: Count


class Evidence(_Message):
    """Where what shows the irregularities lies: the record on a machine, and the table's page, if there is one."""

    machine: Words
    record: Words
    page: Words | None = None


class TableState(_Message):
    """How a table stands. ``number`` grows with each message of a run; ``now_ms`` and ``at`` are when it was made."""

    version: int = VERSION
    table: TableName
    run: Run
    number: Count
    now_ms: Milliseconds
    at: AwareDatetime
    software: Words
    game: Words
    ruleset: Words
    match_length: Annotated[int, Field(ge=1, le=99)] | None
    crawford: bool
    game_number: Count
    turns: Count
    phase: Phase
    says: Words
    on_turn: Seat | None
    roll: Words
    score: Annotated[tuple[SeatScore, ...], Field(max_length=4)]
    cube: Cube | None
    clock: ClockTold | None
    devices_lost: Annotated[tuple[Words, ...], Field(max_length=8)]
    question: Question | None
    calls: Annotated[tuple[Call, ...], Field(max_length=8)]
    irregularities: Annotated[tuple[Irregularity, ...], Field(max_length=MOST_MATTERS)]
    evidence: Evidence

    @model_validator(mode="after")
    def _nothing_begins_later(self) -> Self:
        open_matters = (*self.calls, *self.irregularities, *((self.question,) if self.question else ()))
        if any(matter.since_ms > self.now_ms for matter in open_matters):
            raise ValueError("something is open since later than the message")
        return self


Message = Line | TableState
_KINDS: dict[str, type[Line] | type[TableState]] = {"line": Line, "state": TableState}


def topic_of(table: str, kind: type[Message]) -> str:
    """Gets where a table's messages of a kind go."""
    name = next(name for name, model in _KINDS.items() if model is kind)
    return f"{ROOT}/{fit_for_topic(table)}/{name}"


def to_bytes(message: Message) -> bytes:
    """Gets a message as it is sent: one JSON object."""
    return message.model_dump_json().encode()


def table_of(topic: str) -> tuple[str, type[Message]]:
    """Gets whose message comes by a topic, and of which kind it is.

    :raises MessageError: for a topic that no table writes to.
    """
    head, _, rest = topic.rpartition(f"{ROOT}/")
    name, _, kind = rest.rpartition("/")
    if head or kind not in _KINDS:
        raise MessageError("no table tells of itself there")
    try:
        return fit_for_topic(name), _KINDS[kind]
    except ValueError as error:
        raise MessageError(str(error)) from error


class _Versioned(BaseModel):
    version: Annotated[int, Field(strict=True, le=10**6)]


def read_message(topic: str, payload: bytes) -> Message:
    """Gets what a message says.

    :raises MessageError: when it is too long, too new, does not fit its model to the letter, or speaks of another table
        than its topic.
    """
    table, kind = table_of(topic)
    if len(payload) > MOST_BYTES:
        raise MessageError(f"has {len(payload)} bytes, more than any message of a table")
    try:
        version = _Versioned.model_validate_json(payload).version
        if version > VERSION:
            raise MessageError(f"speaks version {version}, newer than {VERSION}, the one known here: update boardctl")
        if version < 1:
            raise MessageError(f"speaks version {version}, which there never was")
        message = kind.model_validate_json(payload)
    except ValidationError as error:
        raise MessageError(_fault_of(error)) from error
    if message.table != table:
        raise MessageError("speaks of another table than its topic")
    return message


def _fault_of(error: ValidationError) -> str:
    """Gets the first fault in words; nothing of what came in is quoted but names of keys, if they can be shown."""
    fault = error.errors(include_url=False, include_context=False, include_input=False)[0]
    where = ".".join(str(part) for part in fault["loc"])
    if not where.isprintable() or len(where) > LONGEST_WORDS:
        where = "a key that cannot be shown"
    if fault["type"] == "json_invalid":
        return "is no JSON"
    return f"{where or 'the message'}: {fault['msg'].removeprefix('Value error, ')}"
