"""Records what the real firmware says in a short session with everything in it, for the replay test.

python tests/firmware_bridge/record_session.py > tests/data/bridge/session.jsonl
"""

import json
import sys
import time

from firmware_bridge.board import SensorBoard
from firmware_bridge.emulated import EmulatedBoard
from firmware_bridge.ports import ByteStream, open_port
from firmware_bridge.protocol import ChannelClass


class Recorder:
    """A byte stream that writes down when which bytes came from the board."""

    def __init__(self, inner: ByteStream, begun_s: float) -> None:
        self._inner, self._begun_s = inner, begun_s

    def read(self) -> bytes:
        data = self._inner.read()
        if data:
            line = {"ms": round((time.monotonic() - self._begun_s) * 1000, 1), "bytes": data.hex()}
            sys.stdout.write(json.dumps(line) + "\n")
        return data

    def write(self, data: bytes) -> None:
        self._inner.write(data)

    def close(self) -> None:
        self._inner.close()


def main() -> None:
    begun_s = time.monotonic()
    with (
        EmulatedBoard() as emulated,
        SensorBoard(emulated.path, wait_s=5, opener=lambda path: Recorder(open_port(path), begun_s)) as board,
    ):
        for channel in (0, 17, 64, 127):
            emulated.set_channels({channel: ChannelClass.LIGHT})
            board.events(timeout_s=1)
        emulated.press_button(0)
        board.events(timeout_s=1)
        emulated.babble(b"\x00\xff boot loader \x01\x02\x00")
        emulated.set_channels({17: ChannelClass.EMPTY, 18: ChannelClass.DARK})
        board.events(timeout_s=1)
        emulated.reset()
        time.sleep(0.3)
        emulated.set_channels({18: ChannelClass.EMPTY})
        board.events(timeout_s=1)
        time.sleep(2.2)


if __name__ == "__main__":
    main()
