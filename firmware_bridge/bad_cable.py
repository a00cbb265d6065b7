"""A bad cable between host and board: whole frames, both ways, are lost, doubled, delayed, cut, bent or buried."""

import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random

from firmware_bridge.ports import ByteStream

Fate = Callable[[bytes, Random], Sequence[tuple[bytes, float]]]
"""What becomes of one frame, closing zero included: pieces in order, each with its delay in seconds."""


@dataclass
class BadCable:
    """A byte stream through which whole frames, both ways, are treated as ``fate`` says."""

    inner: ByteStream
    fate: Fate
    random: Random

    def __post_init__(self) -> None:
        self._from_board = b""
        self._waiting: deque[tuple[float, bytes]] = deque()

    def read(self) -> bytes:
        """Gets what arrives of what the board sent."""
        *frames, self._from_board = (self._from_board + self.inner.read()).split(b"\0")
        now_s = time.monotonic()
        for frame in frames:
            for piece, delay_s in self.fate(frame + b"\0", self.random):
                self._waiting.append((now_s + delay_s, piece))
        due = sorted((entry for entry in self._waiting if entry[0] <= now_s), key=lambda entry: entry[0])
        self._waiting = deque(entry for entry in self._waiting if entry[0] > now_s)
        return b"".join(piece for _, piece in due)

    def write(self, data: bytes) -> None:
        """Sends what arrives of whole frames."""
        for frame in data.split(b"\0")[:-1]:
            for piece, delay_s in self.fate(frame + b"\0", self.random):
                if delay_s:
                    threading.Timer(delay_s, self._write_late, (piece,)).start()
                else:
                    self.inner.write(piece)

    def _write_late(self, piece: bytes) -> None:
        try:
            self.inner.write(piece)
        except OSError:
            return  # the port was closed meanwhile, and what was under way is lost

    def close(self) -> None:
        """Closes the stream; closing twice is allowed."""
        self.inner.close()


def lost(frame: bytes, random: Random) -> list[tuple[bytes, float]]:
    """Loses one frame in five."""
    return [] if random.random() < 0.2 else [(frame, 0)]


def doubled(frame: bytes, random: Random) -> list[tuple[bytes, float]]:
    """Doubles three frames in ten."""
    return [(frame, 0)] * (2 if random.random() < 0.3 else 1)


def delayed_out_of_order(frame: bytes, random: Random) -> list[tuple[bytes, float]]:
    """Delays every other frame by up to 60 ms, so that others overtake it."""
    return [(frame, random.uniform(0, 0.06) if random.random() < 0.5 else 0)]


def with_garbage(frame: bytes, random: Random) -> list[tuple[bytes, float]]:
    """Puts up to 29 random bytes before every frame."""
    return [(random.randbytes(random.randrange(30)), 0), (b"\0" + frame, 0)]


def cut_short(frame: bytes, random: Random) -> list[tuple[bytes, float]]:
    """Cuts off the end of 15 frames in a hundred."""
    return [(frame[: random.randrange(len(frame))] + b"\0" if random.random() < 0.15 else frame, 0)]


def bent(frame: bytes, random: Random) -> list[tuple[bytes, float]]:
    """Turns one bit of 15 frames in a hundred."""
    if random.random() > 0.15:
        return [(frame, 0)]
    spoiled = bytearray(frame)
    spoiled[random.randrange(len(frame))] ^= 1 << random.randrange(8)
    return [(bytes(spoiled), 0)]


def one_byte_at_a_time(frame: bytes, random: Random) -> list[tuple[bytes, float]]:
    """Delivers every byte by itself."""
    return [(bytes((byte,)), 0) for byte in frame]


FATES: dict[str, Fate] = {
    "one byte at a time": one_byte_at_a_time,
    "20 % of frames lost": lost,
    "30 % of frames doubled": doubled,
    "frames delayed, out of order": delayed_out_of_order,
    "garbage between frames": with_garbage,
    "frames cut short": cut_short,
    "frames with a bent bit": bent,
}
"""Every fate by its name."""
