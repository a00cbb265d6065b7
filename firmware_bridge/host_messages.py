"""What the host says to the sensor board."""

import struct
from collections.abc import Mapping
from dataclasses import dataclass
from struct import Struct
from typing import ClassVar, NamedTuple, Self

from firmware_bridge.errors import MessageError
from firmware_bridge.message_base import (
    CHANNEL_COUNT,
    LED_COUNT,
    MAX_PAYLOAD,
    PROTOCOL_MAJOR,
    PROTOCOL_MINOR,
    CalibrationStep,
    Message,
    SensorKind,
    unpacked,
)


@dataclass(frozen=True, slots=True)
class Hello(Message):
    """Opens a conversation. The board answers ``Ident`` and from then on sends events and states."""

    TYPE = 0x01
    LAYOUT = Struct("<BB")
    major: int = PROTOCOL_MAJOR
    minor: int = PROTOCOL_MINOR


@dataclass(frozen=True, slots=True)
class StateRequest(Message):
    """Asks for a ``State`` now."""

    TYPE = 0x02
    LAYOUT = Struct("<")


class LedRun(NamedTuple):
    """``count`` equal neighbouring LEDs. Bit n of ``pattern`` is lit in the n-th eighth of every second."""

    led_count: int
    red: int
    green: int
    blue: int
    pattern: int


_RUN_LAYOUT = Struct("<BBBBB")


@dataclass(frozen=True, slots=True)
class Leds(Message):
    """A part of an LED frame: runs from LED ``first`` on. With ``show`` the frame is complete and is lit."""

    TYPE = 0x03
    LAYOUT = Struct("<BB")
    MAX_RUNS: ClassVar[int] = (MAX_PAYLOAD - 2) // 5
    first: int
    show: bool
    runs: tuple[LedRun, ...]

    def to_bytes(self) -> bytes:
        if len(self.runs) > self.MAX_RUNS or self.first + sum(run.led_count for run in self.runs) > LED_COUNT:
            raise MessageError(f"{self!r} holds more than {self.MAX_RUNS} runs or reaches past LED {LED_COUNT - 1}")
        try:
            return self.LAYOUT.pack(self.first, self.show) + b"".join(_RUN_LAYOUT.pack(*run) for run in self.runs)
        except struct.error as error:
            raise MessageError(f"{self!r} holds a value outside 0..255: {error}") from error

    @classmethod
    def from_bytes(cls, payload: bytes, sequence: int = 0) -> Self:
        first, flags = unpacked(cls.LAYOUT, payload, "Leds")
        body = payload[cls.LAYOUT.size :]
        if len(body) % _RUN_LAYOUT.size:
            raise MessageError(f"Leds ends inside a run of {_RUN_LAYOUT.size} bytes: {payload.hex()}")
        runs = tuple(LedRun(*run) for run in _RUN_LAYOUT.iter_unpack(body))
        if first + sum(run.led_count for run in runs) > LED_COUNT:
            raise MessageError(f"Leds reaches past LED {LED_COUNT - 1}: {payload.hex()}")
        return cls(first, bool(flags & 1), runs, sequence=sequence)


@dataclass(frozen=True, slots=True)
class Config(Message):
    """The board's settings, absolute. It keeps them in EEPROM and answers ``ConfigState``.

    Bounds in analogue counts above the baseline of the empty channel (10-bit converter, light on minus light off):
    below ``empty_below`` empty, from ``light_from`` on light, between them dark; a class is left only when its bound is
    passed by ``hysteresis``.
    """

    TYPE = 0x04
    LAYOUT = Struct("<BBHHHBHHHB")
    LIMITS: ClassVar[Mapping[str, tuple[int, int]]] = {
        "debounce_scans": (1, 15),
        "current_budget_ma": (100, 4000),
        "state_period_ms": (100, 60000),
        "host_lost_ms": (500, 60000),
        "scan_period_ms": (1, 100),
    }
    """The least and the most of those settings that the board does not take at any value."""
    sensor_kind: SensorKind = SensorKind.REFLECTANCE
    debounce_scans: int = 3
    empty_below: int = 60
    light_from: int = 320
    hysteresis: int = 16
    brightness: int = 255
    current_budget_ma: int = 2000
    state_period_ms: int = 2000
    host_lost_ms: int = 3000
    scan_period_ms: int = 8

    @classmethod
    def from_bytes(cls, payload: bytes, sequence: int = 0) -> Self:
        kind, *rest = unpacked(cls.LAYOUT, payload, "Config")
        try:
            return cls(SensorKind(kind), *rest, sequence=sequence)
        except ValueError as error:
            raise MessageError(f"Config names sensor kind {kind}, known are 0 (reflectance) and 1 (hall)") from error


@dataclass(frozen=True, slots=True)
class ConfigRequest(Message):
    """Asks for the settings in use; the board answers ``ConfigState``."""

    TYPE = 0x05
    LAYOUT = Struct("<")


@dataclass(frozen=True, slots=True)
class RawRequest(Message):
    """Asks for the analogue values of ``count`` channels from ``first`` on, at most 96 at a time."""

    TYPE = 0x06
    LAYOUT = Struct("<BB")
    MAX_CHANNELS: ClassVar[int] = 96
    first: int
    count: int


@dataclass(frozen=True, slots=True)
class Calibrate(Message):
    """Records what ``count`` channels from ``first`` on see now as the ground that ``step`` names."""

    TYPE = 0x07
    LAYOUT = Struct("<BBB")
    step: CalibrationStep
    first: int = 0
    count: int = CHANNEL_COUNT

    @classmethod
    def from_bytes(cls, payload: bytes, sequence: int = 0) -> Self:
        step, first, count = unpacked(cls.LAYOUT, payload, "Calibrate")
        try:
            return cls(CalibrationStep(step), first, count, sequence=sequence)
        except ValueError as error:
            raise MessageError(f"Calibrate names step {step}, known are 0..4") from error


@dataclass(frozen=True, slots=True)
class Beep(Message):
    """Sounds the piezo: ``repeats`` times ``duration_ms`` on and as long off."""

    TYPE = 0x08
    LAYOUT = Struct("<HHB")
    frequency_hz: int
    duration_ms: int
    repeats: int = 1


@dataclass(frozen=True, slots=True)
class Ping(Message):
    """Asks whether the board is there, and what its clock says."""

    TYPE = 0x09
    LAYOUT = Struct("<I")
    host_ms: int


@dataclass(frozen=True, slots=True)
class StatsRequest(Message):
    """Asks for the board's counters."""

    TYPE = 0x0A
    LAYOUT = Struct("<")


@dataclass(frozen=True, slots=True)
class EventAck(Message):
    """Says that every event before ``next_number`` of this boot has arrived. It has no answer."""

    TYPE = 0x0B
    LAYOUT = Struct("<HH")
    boot_id: int
    next_number: int
