"""What every message between host and sensor board is made of: the base class, the constants and the named values.

All numbers are little-endian. A payload may be longer than its layout: a newer minor version appends fields, and an
older reader leaves them out. Sequence 1..255 belongs to the host's requests and is echoed in their replies; 0 marks
what the board sends unasked.
"""

import struct
from dataclasses import dataclass, field, fields
from enum import IntEnum, IntFlag
from struct import Struct
from typing import Any, ClassVar, Self

from firmware_bridge.errors import MessageError

PROTOCOL_MAJOR = 1
PROTOCOL_MINOR = 0
MAX_PAYLOAD = 200
CHANNEL_COUNT = 128
LED_COUNT = 60


class ChannelClass(IntEnum):
    """What one sensor channel sees, two bits on the wire."""

    EMPTY = 0
    LIGHT = 1
    DARK = 2
    UNKNOWN = 3


class ResetCause(IntEnum):
    """Why the board last started."""

    UNKNOWN = 0
    POWER_ON = 1
    EXTERNAL = 2
    BROWN_OUT = 3
    WATCHDOG = 4

    @classmethod
    def _missing_(cls, value: object) -> "ResetCause":
        return cls.UNKNOWN


class Capability(IntFlag):
    """What the board is built from; the host's maps must fit it."""

    REFLECTANCE = 1
    HALL = 2
    COUNT = 4
    LEDS_WS2812 = 16
    LEDS_APA102 = 32
    PIEZO = 64
    SEAT_BUTTONS = 128


class ErrorCode(IntEnum):
    """Why the board refused a request."""

    UNKNOWN_TYPE = 1
    BAD_PAYLOAD = 2
    OUT_OF_RANGE = 3
    BUSY = 4
    NOT_CALIBRATED = 5
    EEPROM = 6
    UNNAMED = 255

    @classmethod
    def _missing_(cls, value: object) -> "ErrorCode":
        return cls.UNNAMED


class CalibrationStep(IntEnum):
    """The steps of a calibration: one recording a kind of ground, then store, or forget everything."""

    FORGET = 0
    EMPTY = 1
    LIGHT = 2
    DARK = 3
    STORE = 4


class SensorKind(IntEnum):
    """How the classifier turns analogue values into classes."""

    REFLECTANCE = 0
    HALL = 1


@dataclass(frozen=True, slots=True)
class Message:
    """One message. ``sequence`` travels in the frame's head, everything else in the payload."""

    TYPE: ClassVar[int]
    LAYOUT: ClassVar[Struct]
    sequence: int = field(default=0, kw_only=True)

    def to_bytes(self) -> bytes:
        """Gets the payload.

        :raises MessageError: for a value that its field cannot hold.
        """
        try:
            return self.LAYOUT.pack(*self._values())
        except struct.error as error:
            raise MessageError(f"{self!r} does not fit layout {self.LAYOUT.format!r}: {error}") from error

    @classmethod
    def from_bytes(cls, payload: bytes, sequence: int = 0) -> Self:
        """Reads a payload.

        :raises MessageError: for a payload that is too short or carries an impossible value.
        """
        return cls(*unpacked(cls.LAYOUT, payload, cls.__name__), sequence=sequence)

    def _values(self) -> tuple[Any, ...]:
        return tuple(getattr(self, entry.name) for entry in fields(self) if entry.name != "sequence")


def unpacked(layout: Struct, payload: bytes, name: str) -> tuple[Any, ...]:
    """Gets the values at the head of ``payload``.

    :raises MessageError: when the payload is shorter than the layout.
    """
    if len(payload) < layout.size:
        raise MessageError(f"{name} needs {layout.size} bytes and got {len(payload)}: {payload.hex()}")
    return layout.unpack_from(payload)
