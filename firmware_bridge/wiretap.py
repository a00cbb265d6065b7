"""Listens in on the wire: every message that passes, both ways, without touching a byte."""

from collections.abc import Callable
from enum import StrEnum
from typing import NamedTuple

from firmware_bridge.ports import ByteStream
from firmware_bridge.protocol import DecodeFault, Decoder, Message


class Direction(StrEnum):
    """Who speaks."""

    TO_BOARD = "->"
    TO_HOST = "<-"


class Heard(NamedTuple):
    """One message that passed, or bytes that were none."""

    direction: Direction
    what: Message | DecodeFault


class Wiretap:
    """A byte stream that tells ``listen`` what passes through ``inner``, on the thread that reads or writes."""

    def __init__(self, inner: ByteStream, listen: Callable[[Heard], None]) -> None:
        self._inner = inner
        self._listen = listen
        self._decoders = {direction: Decoder() for direction in Direction}

    def read(self) -> bytes:
        data = self._inner.read()
        self._hear(Direction.TO_HOST, data)
        return data

    def write(self, data: bytes) -> None:
        self._inner.write(data)
        self._hear(Direction.TO_BOARD, data)

    def close(self) -> None:
        self._inner.close()

    def _hear(self, direction: Direction, data: bytes) -> None:
        for what in self._decoders[direction].feed(data):
            self._listen(Heard(direction, what))
