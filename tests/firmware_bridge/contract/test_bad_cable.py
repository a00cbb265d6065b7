"""Every board over cables that split, lose, double, delay, reorder, bend and invent: no event lost, none doubled."""

import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from random import Random

import pytest

from firmware_bridge.board import BoardUp, SensorBoard, SensorEvent
from firmware_bridge.leds import LedFrame, Light
from firmware_bridge.ports import ByteStream, open_port
from firmware_bridge.protocol import CHANNEL_COUNT, ChannelClass
from firmware_bridge.rig import BoardRig
from firmware_bridge.timings import LinkTimings

QUICK = LinkTimings(back_off_first_s=0.05, back_off_last_s=0.1)


@dataclass
class BadCable:
    """A byte stream through which whole frames, both ways, are treated as ``fate`` says."""

    inner: ByteStream
    fate: Callable[[bytes, Random], list[tuple[bytes, float]]]
    random: Random

    def __post_init__(self) -> None:
        self._from_board = b""
        self._waiting: deque[tuple[float, bytes]] = deque()

    def read(self) -> bytes:
        *frames, self._from_board = (self._from_board + self.inner.read()).split(b"\0")
        now_s = time.monotonic()
        for frame in frames:
            for piece, delay_s in self.fate(frame + b"\0", self.random):
                self._waiting.append((now_s + delay_s, piece))
        due = sorted((entry for entry in self._waiting if entry[0] <= now_s), key=lambda entry: entry[0])
        self._waiting = deque(entry for entry in self._waiting if entry[0] > now_s)
        return b"".join(piece for _, piece in due)

    def write(self, data: bytes) -> None:
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
        self.inner.close()


def lost(frame: bytes, random: Random) -> list[tuple[bytes, float]]:
    return [] if random.random() < 0.2 else [(frame, 0)]


def doubled(frame: bytes, random: Random) -> list[tuple[bytes, float]]:
    return [(frame, 0)] * (2 if random.random() < 0.3 else 1)


def delayed_out_of_order(frame: bytes, random: Random) -> list[tuple[bytes, float]]:
    return [(frame, random.uniform(0, 0.06) if random.random() < 0.5 else 0)]


def with_garbage(frame: bytes, random: Random) -> list[tuple[bytes, float]]:
    return [(random.randbytes(random.randrange(30)), 0), (b"\0" + frame, 0)]


def cut_short(frame: bytes, random: Random) -> list[tuple[bytes, float]]:
    return [(frame[: random.randrange(len(frame))] + b"\0" if random.random() < 0.15 else frame, 0)]


def bent(frame: bytes, random: Random) -> list[tuple[bytes, float]]:
    if random.random() > 0.15:
        return [(frame, 0)]
    spoiled = bytearray(frame)
    spoiled[random.randrange(len(frame))] ^= 1 << random.randrange(8)
    return [(bytes(spoiled), 0)]


def one_byte_at_a_time(frame: bytes, random: Random) -> list[tuple[bytes, float]]:
    return [(bytes((byte,)), 0) for byte in frame]


@pytest.mark.parametrize(
    "fate", [lost, doubled, delayed_out_of_order, with_garbage, cut_short, bent, one_byte_at_a_time]
)
def test_every_event_arrives_once_and_in_order(
    rig: BoardRig, fate: Callable[[bytes, Random], list[tuple[bytes, float]]]
) -> None:
    random = Random(fate.__name__)
    with SensorBoard(
        rig.path, wait_s=15, timings=QUICK, opener=lambda path: BadCable(open_port(path), fate, random)
    ) as board:
        seen = [ChannelClass.EMPTY] * CHANNEL_COUNT
        events: list[SensorEvent] = []
        made = 0
        for _ in range(10):
            for channel in random.sample(range(CHANNEL_COUNT), 12):
                seen[channel] = ChannelClass.DARK if seen[channel] is ChannelClass.EMPTY else ChannelClass.EMPTY
                made += 1
            rig.set_channels(dict(enumerate(seen)))
            board.show(LedFrame.of({made % 60: Light(1, 2, 3)}))
            give_up = time.monotonic() + 20
            while len(events) < made and time.monotonic() < give_up:
                events += board.events(timeout_s=0.2)
        assert [event.number for event in events] == list(range(made))
        assert {event.boot_id for event in events} == {1}
        assert list(board.snapshot()) == seen
        last = LedFrame(tuple(Light(n, 2 * n, 60 - n) for n in range(60)))
        board.show(last)
        give_up = time.monotonic() + 20
        while rig.colours != tuple(light[:3] for light in last):
            assert time.monotonic() < give_up
            time.sleep(0.02)
        time.sleep(0.3)  # nothing that was under way may change it again
        assert rig.colours == tuple(light[:3] for light in last)


def test_unplugging_again_and_again_in_mid_frame_loses_nothing(rig: BoardRig) -> None:
    random = Random(5)
    with SensorBoard(rig.path, wait_s=10, timings=QUICK) as board:
        events: list[SensorEvent] = []
        for channel in range(8):
            rig.set_channels({channel: ChannelClass.LIGHT})
            time.sleep(random.uniform(0.015, 0.035))  # about when the event is on the wire
            rig.unplug()
            time.sleep(0.05)
            rig.replug()
            give_up = time.monotonic() + 10
            while not any(isinstance(report, BoardUp) for report in board.reports(timeout_s=0.5)):
                assert time.monotonic() < give_up
            events += board.events(timeout_s=0.2)
        assert [event.number for event in events] == list(range(8))
