"""Numbers that wrap around on the wire, and the board's clock as the host reads it."""

from collections import deque
from typing import NamedTuple

_CLOCK_BITS = 32

RESONATOR_DRIFT_MS_PER_S = 5.0
"""How far the board's clock may run off: 0.5 %, as a Nano's ceramic resonator (Murata CSTCE data sheet)."""


def steps_between(earlier: int, later: int, bits: int = 16) -> int:
    """Gets how many steps ``later`` is ahead of ``earlier`` (negative: behind) for counters of ``bits`` that wrap."""
    half = 1 << bits - 1
    return (later - earlier + half) % (2 * half) - half


class ClockSample(NamedTuple):
    """One ping: host time when it left and when its answer came, and the board's time between, all in ms."""

    sent_ms: float
    received_ms: float
    device_ms: int

    @property
    def round_trip_ms(self) -> float:
        """Gets how long the answer took."""
        return self.received_ms - self.sent_ms


class DeviceClock:
    """Maps the board's milliseconds to the host's by the pings that were answered fastest and latest."""

    def __init__(self, keep: int = 16) -> None:
        self._samples: deque[ClockSample] = deque(maxlen=keep)

    def add(self, sample: ClockSample) -> None:
        """Takes the answer to a ping into account."""
        self._samples.append(sample)

    def restart(self) -> None:
        """Forgets everything: the board has started again, and its clock with it."""
        self._samples.clear()

    @property
    def ready(self) -> bool:
        """Gets whether there is a sample to map by."""
        return bool(self._samples)

    def host_ms(self, device_ms: int) -> float:
        """Gets the host's time for an instant of the board's clock.

        The error is at most half the round trip of the sample used plus what the resonator drifts since.

        :raises ValueError: before the first sample.
        """
        if not self._samples:
            raise ValueError("no ping was answered since the board started, so its clock cannot be read yet")
        newest_ms = self._samples[-1].received_ms
        best = min(self._samples, key=lambda sample: _error_ms(sample, newest_ms))
        middle_ms = (best.sent_ms + best.received_ms) / 2
        return middle_ms + steps_between(best.device_ms, device_ms, _CLOCK_BITS)


def _error_ms(sample: ClockSample, now_ms: float) -> float:
    return sample.round_trip_ms / 2 + (now_ms - sample.received_ms) / 1000 * RESONATOR_DRIFT_MS_PER_S
