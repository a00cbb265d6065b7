"""Every time span of the link, in one place."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class LinkTimings:
    """How long the host waits for what, made for 115200 baud and a board that resets when its port is opened.

    A request is sent again when its answer takes longer than answers usually do, at the latest after ``answer_s``; when
    ``tries`` times ``answer_s`` have passed without any answer, the link has failed.
    """

    hello_every_s: float = 0.075
    hello_give_up_s: float = 3.0
    answer_least_s: float = 0.05
    answer_s: float = 0.25
    tries: int = 3
    window: int = 3
    ping_every_s: float = 1.0
    back_off_first_s: float = 0.5
    back_off_last_s: float = 10.0


class AnswerWait:
    """How long to wait for an answer before asking again: from how long answers took so far, as RFC 6298 has it."""

    def __init__(self, timings: LinkTimings) -> None:
        self._timings = timings
        self._smoothed_s: float | None = None
        self._deviation_s = 0.0

    def answered(self, round_trip_s: float) -> None:
        """Takes the time of one answer into account, of a request that was sent once only."""
        if self._smoothed_s is None:
            self._smoothed_s, self._deviation_s = round_trip_s, round_trip_s / 2
            return
        self._deviation_s += (abs(self._smoothed_s - round_trip_s) - self._deviation_s) / 4
        self._smoothed_s += (round_trip_s - self._smoothed_s) / 8

    def wait_s(self, tries: int) -> float:
        """Gets how long to wait after the ``tries``-th sending of a request, in seconds."""
        if self._smoothed_s is None:
            return self._timings.answer_s
        usual_s = max(self._smoothed_s + 4 * self._deviation_s, self._timings.answer_least_s)
        return min(usual_s * 2.0 ** (tries - 1), self._timings.answer_s)

    @property
    def give_up_s(self) -> float:
        """Gets how long after its first sending a request without an answer means that the link has failed."""
        return self._timings.tries * self._timings.answer_s


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
