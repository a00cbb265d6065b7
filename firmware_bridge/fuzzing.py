"""Feeds the decoder of frames what no board would send, and looks whether it keeps its promises."""

from dataclasses import dataclass
from random import Random

from cobs import cobs

from firmware_bridge.protocol import MESSAGE_TYPES, Decoder, Ping, crc16, encode

_LONGEST = 64
_TYPES = tuple(MESSAGE_TYPES)
_PIECE = 7  # Bytes handed over at once, so that frames are split at every place.


@dataclass(frozen=True, slots=True)
class FuzzCount:
    """How many buffers were fed, how often the decoder raised, how often the frame after one was not read."""

    buffers: int
    raised: int
    out_of_step: int


def fuzz_decoder(buffers: int, random: Random) -> FuzzCount:
    """Feeds one decoder ``buffers`` buffers: random bytes, frames with some bytes changed, frames cut short.

    Behind each come two frames. The first may be taken for the rest of what was before it; the second must be read.
    """
    decoder = Decoder()
    raised = out_of_step = 0
    for number in range(buffers):
        wanted = Ping(number & 0xFFFFFFFF, sequence=number & 0xFF)
        frame = encode(wanted)
        data = _buffer(random, frame) + frame + frame
        try:
            found = [
                entry for start in range(0, len(data), _PIECE) for entry in decoder.feed(data[start : start + _PIECE])
            ]
        except Exception:  # noqa: BLE001  that it raises anything at all is what is counted
            raised += 1
            decoder = Decoder()
            continue
        out_of_step += not (found and found[-1] == wanted)
    return FuzzCount(buffers, raised, out_of_step)


def _buffer(random: Random, frame: bytes) -> bytes:
    kind = random.randrange(4)
    if kind == 0:
        return random.randbytes(random.randrange(_LONGEST))
    if kind == 1:
        spoiled = bytearray(frame)
        for _ in range(random.randrange(1, 4)):
            spoiled[random.randrange(len(spoiled))] = random.randrange(256)
        return bytes(spoiled)
    if kind == 2:
        return frame[: random.randrange(len(frame))]
    # Random bytes under a type that there is, framed and checked as they should be: only their meaning is wrong.
    body = bytes((random.choice(_TYPES), random.randrange(256))) + random.randbytes(random.randrange(_LONGEST))
    return bytes(cobs.encode(body + crc16(body).to_bytes(2, "little"))) + b"\0"
