"""The camera of a virtual table, with the face of a real one."""

import time
from collections.abc import Callable, Iterator

from boardctl.devices.faces import Frame

NextFrames = Callable[[], "Iterator[Frame] | None"]


class Pacing:
    """Holds frames back until they are due, on a real clock."""

    def __init__(
        self, clock_s: Callable[[], float] = time.monotonic, sleep_s: Callable[[float], None] = time.sleep
    ) -> None:
        self._clock_s = clock_s
        self._sleep_s = sleep_s
        self._began_s: float | None = None

    def wait_until(self, at_ms: int) -> None:
        """Waits until the session is ``at_ms`` old; it begins with the first call."""
        now_s = self._clock_s()
        if self._began_s is None:
            self._began_s = now_s - at_ms / 1000
        left_s = self._began_s + at_ms / 1000 - now_s
        if left_s > 0:
            self._sleep_s(left_s)


class VirtualCamera:
    """Gives the frames of a virtual table as they come due.

    Taking the next frame lets the table go on: the players act when the frames of the act before have been taken, and
    by then everything that the referee said about these must have been told to the table.
    """

    def __init__(self, before: Callable[[], Iterator[Frame]], more: NextFrames, pacing: Pacing | None) -> None:
        self._before = before
        self._more = more
        self._pacing = pacing
        self._closed = False

    def frames(self) -> Iterator[Frame]:
        """Gets the empty board, the starting position, then the session; ends when the session is over."""
        yield from self._paced(self._before())
        while not self._closed and (frames := self._more()) is not None:
            yield from self._paced(frames)

    def close(self) -> None:
        """Ends the frames. May be called again."""
        self._closed = True

    def _paced(self, frames: Iterator[Frame]) -> Iterator[Frame]:
        for frame in frames:
            if self._closed:
                return
            if self._pacing is not None:
                self._pacing.wait_until(frame.at_ms)
            yield frame
