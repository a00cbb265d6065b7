"""What a table looks like while it is played: facts and effects gathered into one view, drawn in the terminal."""

import time
from collections.abc import Callable, Sequence
from dataclasses import replace

from rich.console import Console
from rich.live import Live

from boardctl.lights import TableDrawing, TableView, dice_of, follow
from boardctl.lights.table_view import Say
from boardctl.referee.effects import Effect, RollRead, Ruled, Sign, TurnJudged
from boardctl.referee.facts import BoardSeen, DiceLifted, DiceRested, Fact
from boardctl.rules import Placement

_TURN_OR_READY = (Sign.TURN, Sign.READY)


class TableFollower:
    """An output that keeps the view of the table: the checkers and dice as they were seen, the rest as it was said.

    ``telling`` is the view at the last moment at which the lights said more than whose turn it is.
    """

    def __init__(self, say: Say, match_length: int | None = None) -> None:
        self._say = say
        self.view = TableView(match_length=match_length)
        self.telling = self.view

    def __call__(self, fact: Fact, effects: Sequence[Effect]) -> None:
        """Brings the view up to date."""
        if isinstance(fact, BoardSeen):
            seen = {reading.place: reading.best or () for reading in fact.reading.places}
            self.view = replace(self.view, placement=Placement(seen))
        elif isinstance(fact, DiceRested):
            self.view = replace(self.view, dice=dice_of(fact.reading))
        elif isinstance(fact, DiceLifted) and fact.left == 0:
            self.view = replace(self.view, dice=())
        placement, dice = self.view.placement, self.view.dice
        for effect in effects:
            self.view = follow(self.view, effect, self._say)
        self.view = replace(self.view, placement=placement, dice=dice)
        if any(mark.sign not in _TURN_OR_READY for mark in self.view.scene.marks):
            self.telling = self.view


class LiveTable:
    """An output that draws the follower's view in the terminal, and stays long enough on what one wants to see."""

    def __init__(
        self, follower: TableFollower, console: Console, pause_s: float, sleep_s: Callable[[float], None] = time.sleep
    ) -> None:
        self._follower = follower
        self._pause_s = pause_s
        self._sleep_s = sleep_s
        self._live = Live(console=console, auto_refresh=False, screen=False, transient=False)

    def __enter__(self) -> "LiveTable":
        self._live.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._live.stop()

    def __call__(self, fact: Fact, effects: Sequence[Effect]) -> None:
        """Draws the table as it is now."""
        self._live.update(TableDrawing(self._follower.view, fact.at_ms), refresh=True)
        if any(isinstance(effect, (RollRead, TurnJudged, Ruled)) for effect in effects):
            self._sleep_s(self._pause_s)
