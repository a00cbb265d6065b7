"""What the sensor board says to the host."""

import binascii
import struct
from dataclasses import dataclass, replace
from struct import Struct
from typing import Any, ClassVar, Self

from firmware_bridge.errors import MessageError
from firmware_bridge.host_messages import Config, RawRequest
from firmware_bridge.message_base import (
    CHANNEL_COUNT,
    MAX_PAYLOAD,
    CalibrationStep,
    Capability,
    ChannelClass,
    ErrorCode,
    Message,
    ResetCause,
    unpacked,
)


@dataclass(frozen=True, slots=True)
class Ident(Message):
    """Who the board is. Sent in answer to ``Hello``, and once unasked when it has started."""

    TYPE = 0x81
    LAYOUT = Struct("<BB3s8sHBBBHIHHH")
    major: int
    minor: int
    firmware_version: tuple[int, int, int]
    board_id: str
    capabilities: Capability
    channel_count: int
    led_count: int
    reset_cause: ResetCause
    boot_id: int
    uptime_ms: int
    config_crc: int
    oldest_event: int
    next_event: int

    def _values(self) -> tuple[Any, ...]:
        values = list(Message._values(self))
        try:
            values[2], values[3] = bytes(self.firmware_version), self.board_id.encode("ascii")
        except ValueError as error:
            raise MessageError(f"{self!r}: version numbers are 0..255 and the board id is ASCII") from error
        return tuple(values)

    @classmethod
    def from_bytes(cls, payload: bytes, sequence: int = 0) -> Self:
        major, minor, version, board_id, capabilities, *rest = unpacked(cls.LAYOUT, payload, "Ident")
        channel_count, led_count, cause, *counters = rest
        return cls(
            major,
            minor,
            (version[0], version[1], version[2]),
            board_id.rstrip(b"\0").decode("ascii", "replace"),
            Capability(capabilities),
            channel_count,
            led_count,
            ResetCause(cause),
            *counters,
            sequence=sequence,
        )


@dataclass(frozen=True, slots=True)
class State(Message):
    """The whole board: what every event before ``next_event`` adds up to. Asked for, and unasked every 2 s.

    ``classes`` holds one entry a channel, four to a byte, the lowest bits first. Bit n of ``buttons`` is seat button n.
    ``overflow_count`` counts, modulo 256, how often the ring of events was full and something between was not told.
    """

    TYPE = 0x82
    LAYOUT = Struct("<HHIBB32s")
    boot_id: int
    next_event: int
    device_ms: int
    buttons: int
    overflow_count: int
    classes: tuple[ChannelClass, ...]

    def _values(self) -> tuple[Any, ...]:
        if len(self.classes) != CHANNEL_COUNT:
            raise MessageError(f"State needs {CHANNEL_COUNT} classes and has {len(self.classes)}")
        packed = bytearray(CHANNEL_COUNT // 4)
        for channel, kind in enumerate(self.classes):
            packed[channel >> 2] |= kind << 2 * (channel & 3)
        return (self.boot_id, self.next_event, self.device_ms, self.buttons, self.overflow_count, bytes(packed))

    @classmethod
    def from_bytes(cls, payload: bytes, sequence: int = 0) -> Self:
        boot_id, next_event, device_ms, buttons, overflow_count, packed = unpacked(cls.LAYOUT, payload, "State")
        classes = tuple(_CLASSES[packed[c >> 2] >> 2 * (c & 3) & 3] for c in range(CHANNEL_COUNT))
        return cls(boot_id, next_event, device_ms, buttons, overflow_count, classes, sequence=sequence)


_CLASSES = tuple(ChannelClass)


@dataclass(frozen=True, slots=True)
class EventRecord:
    """One thing that happened: a settled change of a channel, or a seat button (source 128 + button; 1 is down)."""

    LAYOUT: ClassVar[Struct] = Struct("<IBB")
    BUTTON_BASE: ClassVar[int] = CHANNEL_COUNT
    device_ms: int
    source: int
    value: int


@dataclass(frozen=True, slots=True)
class Events(Message):
    """What happened, numbered from ``first_number`` on. Sent again until an ``EventAck`` covers it."""

    TYPE = 0xA0
    LAYOUT = Struct("<HHB")
    MAX_RECORDS: ClassVar[int] = 24
    boot_id: int
    first_number: int
    overflow_count: int
    records: tuple[EventRecord, ...]

    def to_bytes(self) -> bytes:
        if len(self.records) > self.MAX_RECORDS:
            raise MessageError(f"Events holds {len(self.records)} records, at most {self.MAX_RECORDS} fit")
        try:
            head = self.LAYOUT.pack(self.boot_id, self.first_number, self.overflow_count)
            return head + b"".join(EventRecord.LAYOUT.pack(r.device_ms, r.source, r.value) for r in self.records)
        except struct.error as error:
            raise MessageError(f"{self!r} holds a value out of range: {error}") from error

    @classmethod
    def from_bytes(cls, payload: bytes, sequence: int = 0) -> Self:
        boot_id, first_number, overflow_count = unpacked(cls.LAYOUT, payload, "Events")
        body = payload[cls.LAYOUT.size :]
        if len(body) % EventRecord.LAYOUT.size:
            raise MessageError(f"Events ends inside a record of {EventRecord.LAYOUT.size} bytes: {payload.hex()}")
        records = tuple(EventRecord(*values) for values in EventRecord.LAYOUT.iter_unpack(body))
        return cls(boot_id, first_number, overflow_count, records, sequence=sequence)


@dataclass(frozen=True, slots=True)
class ConfigState(Config):
    """The settings in use, in answer to ``Config`` and ``ConfigRequest``."""

    TYPE = 0x84

    @property
    def crc(self) -> int:
        """CRC-16/XMODEM of the settings, as ``Ident`` reports it."""
        return binascii.crc_hqx(self.to_bytes(), 0)


@dataclass(frozen=True, slots=True)
class Raw(Message):
    """Analogue values of the channels from ``first`` on: light on minus light off, in counts; they may be negative."""

    TYPE = 0x86
    LAYOUT = Struct("<B")
    first: int
    values: tuple[int, ...]

    def to_bytes(self) -> bytes:
        if len(self.values) > RawRequest.MAX_CHANNELS:
            raise MessageError(f"Raw holds {len(self.values)} channels, at most {RawRequest.MAX_CHANNELS} fit")
        try:
            return self.LAYOUT.pack(self.first) + struct.pack(f"<{len(self.values)}h", *self.values)
        except struct.error as error:
            raise MessageError(f"{self!r} holds a value out of range: {error}") from error

    @classmethod
    def from_bytes(cls, payload: bytes, sequence: int = 0) -> Self:
        (first,) = unpacked(cls.LAYOUT, payload, "Raw")
        body = payload[cls.LAYOUT.size :]
        if len(body) % 2:
            raise MessageError(f"Raw ends inside a value: {payload.hex()}")
        return cls(first, struct.unpack(f"<{len(body) // 2}h", body), sequence=sequence)


@dataclass(frozen=True, slots=True)
class Calibrated(Message):
    """A calibration step is done. ``weak`` holds the channels whose grounds differ too little to tell apart."""

    TYPE = 0x87
    LAYOUT = Struct("<B16s")
    step: CalibrationStep
    weak: frozenset[int]

    def _values(self) -> tuple[Any, ...]:
        if any(not 0 <= channel < CHANNEL_COUNT for channel in self.weak):
            raise MessageError(f"{self!r}: channels are 0..{CHANNEL_COUNT - 1}")
        return (self.step, sum(1 << channel for channel in self.weak).to_bytes(CHANNEL_COUNT // 8, "little"))

    @classmethod
    def from_bytes(cls, payload: bytes, sequence: int = 0) -> Self:
        step, packed = unpacked(cls.LAYOUT, payload, "Calibrated")
        bits = int.from_bytes(packed, "little")
        weak = frozenset(channel for channel in range(CHANNEL_COUNT) if bits >> channel & 1)
        try:
            return cls(CalibrationStep(step), weak, sequence=sequence)
        except ValueError as error:
            raise MessageError(f"Calibrated names step {step}, known are 0..4") from error


@dataclass(frozen=True, slots=True)
class Pong(Message):
    """The answer to ``Ping``: its time back, and the board's own."""

    TYPE = 0x89
    LAYOUT = Struct("<HII")
    boot_id: int
    host_ms: int
    device_ms: int


@dataclass(frozen=True, slots=True)
class Stats(Message):
    """The board's counters since it started; the 16-bit ones stop at 65535."""

    TYPE = 0x8A
    LAYOUT = Struct("<IHHHHHHHHHHHHB")
    uptime_ms: int
    frames_received: int
    crc_errors: int
    framing_errors: int
    uart_overruns: int
    events_made: int
    events_resent: int
    overflow_count: int
    led_frames: int
    led_current_ma: int
    worst_scan_us: int
    worst_loop_us: int
    free_ram_bytes: int
    reset_cause: ResetCause

    @classmethod
    def from_bytes(cls, payload: bytes, sequence: int = 0) -> Self:
        values = unpacked(cls.LAYOUT, payload, "Stats")
        return replace(cls(*values, sequence=sequence), reset_cause=ResetCause(values[-1]))


@dataclass(frozen=True, slots=True)
class Ack(Message):
    """The request of type ``request`` is done."""

    TYPE = 0x90
    LAYOUT = Struct("<B")
    request: int


@dataclass(frozen=True, slots=True)
class Error(Message):
    """The request of type ``request`` is refused. ``detail`` is the type, index or size at fault, as the code says."""

    TYPE = 0x91
    LAYOUT = Struct("<BBH")
    request: int
    code: ErrorCode
    detail: int = 0

    @classmethod
    def from_bytes(cls, payload: bytes, sequence: int = 0) -> Self:
        request, code, detail = unpacked(cls.LAYOUT, payload, "Error")
        return cls(request, ErrorCode(code), detail, sequence=sequence)


@dataclass(frozen=True, slots=True)
class Log(Message):
    """A line of text for people; ``level`` as in Python's logging, divided by ten."""

    TYPE = 0xA1
    LAYOUT = Struct("<BI")
    level: int
    device_ms: int
    text: str

    def to_bytes(self) -> bytes:
        text = self.text.encode()
        if len(text) > MAX_PAYLOAD - self.LAYOUT.size:
            raise MessageError(f"Log text of {len(text)} bytes, at most {MAX_PAYLOAD - self.LAYOUT.size} fit")
        try:
            return self.LAYOUT.pack(self.level, self.device_ms) + text
        except struct.error as error:
            raise MessageError(f"{self!r} holds a value out of range: {error}") from error

    @classmethod
    def from_bytes(cls, payload: bytes, sequence: int = 0) -> Self:
        level, device_ms = unpacked(cls.LAYOUT, payload, "Log")
        return cls(level, device_ms, payload[cls.LAYOUT.size :].decode("utf-8", "replace"), sequence=sequence)
