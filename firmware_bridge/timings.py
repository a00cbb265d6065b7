"""Every time span of the link, in one place."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class LinkTimings:
    """How long the host waits for what, made for 115200 baud and a board that resets when its port is opened."""

    hello_every_s: float = 0.075
    hello_give_up_s: float = 3.0
    answer_s: float = 0.25
    tries: int = 3
    window: int = 3
    ping_every_s: float = 1.0
    back_off_first_s: float = 0.5
    back_off_last_s: float = 10.0


class BackOff:
    """The wait before the next try to open: doubles from try to try, and starts again after a success."""

    def __init__(self, timings: LinkTimings) -> None:
        self._timings = timings
        self._next_s = timings.back_off_first_s

    def next_s(self) -> float:
        """Gets how long to wait now, in seconds."""
        wait_s = self._next_s
        self._next_s = min(wait_s * 2, self._timings.back_off_last_s)
        return wait_s

    def reset(self) -> None:
        """Starts again at the shortest wait."""
        self._next_s = self._timings.back_off_first_s
