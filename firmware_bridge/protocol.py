"""The wire: messages in frames, and a decoder that takes bytes as they come. No input, no output, no clock.

A frame is ``COBS(type, sequence, payload, crc) 0x00``. The CRC is CRC-16/XMODEM (polynomial 0x1021, start 0, check
value of ``123456789`` 0x31C3), low byte first, over type, sequence and payload. Zero never occurs inside a frame, so a
reader that has lost its place is back at the next zero.
"""

import binascii
from dataclasses import dataclass
from enum import StrEnum

from cobs import cobs

from firmware_bridge.board_messages import (
    Ack,
    Calibrated,
    ConfigState,
    Error,
    EventRecord,
    Events,
    Ident,
    Log,
    Pong,
    Raw,
    State,
    Stats,
)
from firmware_bridge.errors import MessageError
from firmware_bridge.host_messages import (
    Beep,
    Calibrate,
    Config,
    ConfigRequest,
    EventAck,
    Hello,
    LedRun,
    Leds,
    Ping,
    RawRequest,
    StateRequest,
    StatsRequest,
)
from firmware_bridge.message_base import (
    CHANNEL_COUNT,
    LED_COUNT,
    MAX_PAYLOAD,
    PROTOCOL_MAJOR,
    PROTOCOL_MINOR,
    CalibrationStep,
    Capability,
    ChannelClass,
    ErrorCode,
    Message,
    ResetCause,
    SensorKind,
)

__all__ = [
    "CHANNEL_COUNT",
    "LED_COUNT",
    "MAX_PAYLOAD",
    "MESSAGE_TYPES",
    "PROTOCOL_MAJOR",
    "PROTOCOL_MINOR",
    "Ack",
    "Beep",
    "Calibrate",
    "Calibrated",
    "CalibrationStep",
    "Capability",
    "ChannelClass",
    "Config",
    "ConfigRequest",
    "ConfigState",
    "DecodeFault",
    "Decoder",
    "Error",
    "ErrorCode",
    "EventAck",
    "EventRecord",
    "Events",
    "FaultKind",
    "Hello",
    "Ident",
    "LedRun",
    "Leds",
    "Log",
    "Message",
    "Ping",
    "Pong",
    "Raw",
    "RawRequest",
    "ResetCause",
    "SensorKind",
    "State",
    "StateRequest",
    "Stats",
    "StatsRequest",
    "crc16",
    "encode",
    "parse_body",
]

MESSAGE_TYPES: dict[int, type[Message]] = {
    kind.TYPE: kind
    for kind in (
        *(Hello, StateRequest, Leds, Config, ConfigRequest, RawRequest, Calibrate, Beep, Ping, StatsRequest, EventAck),
        *(Ident, State, ConfigState, Raw, Calibrated, Pong, Stats, Ack, Error, Events, Log),
    )
}

_HEAD_AND_CRC = 4
_MAX_BODY = MAX_PAYLOAD + _HEAD_AND_CRC
_MAX_ENCODED = cobs.max_encoded_length(_MAX_BODY)


def crc16(data: bytes) -> int:
    """Gets the CRC-16/XMODEM of ``data``: the same as avr-libc's ``_crc_xmodem_update`` started at 0."""
    return binascii.crc_hqx(data, 0)


def encode(message: Message) -> bytes:
    """Gets the bytes that carry ``message`` over the wire, closing zero included.

    :raises MessageError: for a value that does not fit its field.
    """
    payload = message.to_bytes()
    if len(payload) > MAX_PAYLOAD or not 0 <= message.sequence <= 255:
        raise MessageError(f"{message!r} has {len(payload)} bytes of payload, at most {MAX_PAYLOAD}, or a bad sequence")
    body = bytes((message.TYPE, message.sequence)) + payload
    framed: bytes = cobs.encode(body + crc16(body).to_bytes(2, "little"))
    return framed + b"\0"


def parse_body(body: bytes) -> Message:
    """Gets the message in ``type, sequence, payload``, the frame without COBS and CRC.

    :raises MessageError: when it is no message of this protocol.
    """
    kind = MESSAGE_TYPES.get(body[0]) if len(body) >= 2 else None
    if kind is None:
        raise MessageError(f"no message begins with {body[:2].hex(' ') or 'nothing'}; a newer firmware may know it")
    return kind.from_bytes(body[2:], body[1])


class FaultKind(StrEnum):
    """Why bytes between two zeros were no message."""

    TOO_LONG = "too long"
    FRAMING = "framing"
    CRC = "crc"
    MESSAGE = "message"


@dataclass(frozen=True, slots=True)
class DecodeFault:
    """Bytes that were thrown away, and why. The stream is in step again behind them."""

    kind: FaultKind
    detail: str
    raw: bytes


class Decoder:
    """Turns a stream of bytes, in pieces of any size, into messages. Never raises; holds at most one frame."""

    def __init__(self) -> None:
        self._pending = bytearray()
        self._overlong = False

    def feed(self, data: bytes) -> list[Message | DecodeFault]:
        """Gets what ``data`` completes, in order."""
        found: list[Message | DecodeFault] = []
        *complete, rest = data.split(b"\0")
        for piece in complete:
            self._take(piece)
            if self._overlong:
                raw, self._overlong = bytes(self._pending), False
                found.append(DecodeFault(FaultKind.TOO_LONG, f"no zero within {_MAX_ENCODED} bytes", raw))
            elif self._pending:  # zeros in a row are a sender clearing the line
                found.append(_decode(bytes(self._pending)))
            self._pending.clear()
        self._take(rest)
        return found

    def _take(self, piece: bytes) -> None:
        room = _MAX_ENCODED - len(self._pending)
        self._overlong = self._overlong or len(piece) > room
        self._pending += piece[:room]


def _decode(encoded: bytes) -> Message | DecodeFault:
    try:
        framed = cobs.decode(encoded)
    except cobs.DecodeError as error:
        return DecodeFault(FaultKind.FRAMING, str(error), encoded)
    if len(framed) < _HEAD_AND_CRC:
        return DecodeFault(FaultKind.FRAMING, f"{len(framed)} bytes are fewer than head and CRC", encoded)
    body, received = framed[:-2], int.from_bytes(framed[-2:], "little")
    if received != crc16(body):
        return DecodeFault(FaultKind.CRC, f"CRC 0x{received:04x}, expected 0x{crc16(body):04x}", encoded)
    try:
        return parse_body(body)
    except MessageError as error:
        return DecodeFault(FaultKind.MESSAGE, str(error), encoded)
