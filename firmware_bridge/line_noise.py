"""A bad cable to order: what is sent through it may be lost, bent or doubled."""

from dataclasses import dataclass
from random import Random


@dataclass(slots=True)
class LineNoise:
    """Chances in per cent. Bytes are lost or have one bit flipped; frames (up to a zero) are lost or arrive twice."""

    random: Random
    lose_bytes_percent: float = 0.0
    flip_bits_percent: float = 0.0
    lose_frames_percent: float = 0.0
    double_frames_percent: float = 0.0
    _held: bytes = b""

    def carry(self, data: bytes) -> bytes:
        """Gets what arrives of ``data``. While frames are meddled with, an unfinished one waits for its end."""
        if self.lose_frames_percent or self.double_frames_percent:
            *frames, self._held = (self._held + data).split(b"\0")
            data = b"".join(self._frame(frame + b"\0") for frame in frames)
        elif self._held:
            data, self._held = self._held + data, b""
        if self.lose_bytes_percent or self.flip_bits_percent:
            data = bytes(self._bent(byte) for byte in data if not self._happens(self.lose_bytes_percent))
        return data

    def _frame(self, frame: bytes) -> bytes:
        if self._happens(self.lose_frames_percent):
            return b""
        return frame * 2 if self._happens(self.double_frames_percent) else frame

    def _bent(self, byte: int) -> int:
        return byte ^ 1 << self.random.randrange(8) if self._happens(self.flip_bits_percent) else byte

    def _happens(self, percent: float) -> bool:
        return percent > 0 and self.random.random() * 100 < percent
