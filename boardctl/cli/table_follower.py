"""What a table looks like while it is played: facts and effects gathered into one view, drawn in the terminal."""

import time
from collections.abc import Callable, Sequence
from dataclasses import replace

from rich.console import Console
from rich.live import Live

from boardctl.lights import TableDrawing, TableView, follow, see
from boardctl.lights.on_board import BarColumns, placement_on_board, scene_on_board
from boardctl.lights.table_view import Say
from boardctl.referee import for_players
from boardctl.referee.effects import Effect, RollRead, Ruled, Scene, Sign, TurnJudged
from boardctl.referee.facts import Fact

_TURN_OR_READY = (Sign.TURN, Sign.READY)


class TableFollower:
    """An output that keeps the view of the table: the checkers and dice as they were seen, the rest as it was said.

    ``telling`` is the view at the last moment at which the lights said more than whose turn it is.
    """

    def __init__(self, say: Say, match_length: int | None = None, bar_columns: BarColumns | None = None) -> None:
        self._say = say
        self._bar_columns = bar_columns or {}
        self.view = TableView(match_length=match_length)
        self.telling = self.view
        self._read = self.view.placement  # place by place of the game, however they lie on the board

    def __call__(self, fact: Fact, effects: Sequence[Effect]) -> None:
        """Brings the view up to date. Checkers and dice stay as they were seen, whatever is said about them."""
        seen = see(replace(self.view, placement=self._read), fact)
        self._read = seen.placement
        seen = replace(seen, placement=placement_on_board(seen.placement, self._bar_columns))
        self.view = seen
        for effect in for_players(effects):
            shown = scene_on_board(effect, self._bar_columns) if isinstance(effect, Scene) else effect
            self.view = follow(self.view, shown, self._say)
        self.view = replace(self.view, placement=seen.placement, dice=seen.dice)
        if any(mark.sign not in _TURN_OR_READY for mark in self.view.scene.marks):
            self.telling = self.view


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
