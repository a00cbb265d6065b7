"""The table drawn in the terminal while it is played."""

import time
from collections.abc import Callable, Sequence

from rich.console import Console
from rich.live import Live

from boardctl.lights import TableDrawing
from boardctl.referee import for_players
from boardctl.referee.effects import Effect, RollRead, Ruled, TurnJudged
from boardctl.referee.facts import Fact
from boardctl.table.following import TableFollower

__all__ = ["LiveTable", "TableFollower"]


class LiveTable:
    """An output that draws the follower's view in the terminal, and stays long enough on what one wants to see.

    The drawing is renewed all the while, so that the lights blink as they do on the board. The staying is done by who
    calls :meth:`stay`, on a thread that may wait: whatever gives the next frame.
    """

    def __init__(
        self, follower: TableFollower, console: Console, pause_s: float, sleep_s: Callable[[float], None] = time.sleep
    ) -> None:
        self._follower = follower
        self._pause_s = pause_s
        self._sleep_s = sleep_s
        self._began_s = time.monotonic()
        self._worth_a_look = False
        self._live = Live(console=console, get_renderable=self._drawing, refresh_per_second=8)

    def __enter__(self) -> "LiveTable":
        self._live.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._live.stop()

    def __call__(self, fact: Fact, effects: Sequence[Effect]) -> None:
        """Notes whether something was said that is worth a look."""
        self._worth_a_look |= any(isinstance(effect, (RollRead, TurnJudged, Ruled)) for effect in for_players(effects))

    def stay(self) -> None:
        """Waits a while if something was said since the last time."""
        if self._worth_a_look:
            self._worth_a_look = False
            self._sleep_s(self._pause_s)

    def _drawing(self) -> TableDrawing:
        return TableDrawing(self._follower.view, round((time.monotonic() - self._began_s) * 1000))
