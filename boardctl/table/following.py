"""What a table looks like while it is played: facts and effects gathered into one view."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from boardctl.lights import TableView, follow, see
from boardctl.lights.on_board import BarColumns, placement_on_board, scene_on_board
from boardctl.lights.table_view import Say
from boardctl.referee import for_players
from boardctl.referee.effects import Effect, Scene, Sign
from boardctl.referee.facts import Fact

_TURN_OR_READY = (Sign.TURN, Sign.READY)


class TableFollower:
    """An output that keeps the view of the table: the checkers and dice as they were seen, the rest as it was said.

    ``heard`` picks what of the referee's effects this view may tell; by default what players may be told. ``telling``
    is the view at the last moment at which the lights said more than whose turn it is.
    """

    def __init__(
        self,
        say: Say,
        match_length: int | None = None,
        bar_columns: BarColumns | None = None,
        heard: Callable[[Iterable[Effect]], list[Effect]] = for_players,
    ) -> None:
        self._say = say
        self._heard = heard
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
        for effect in self._heard(effects):
            shown = scene_on_board(effect, self._bar_columns) if isinstance(effect, Scene) else effect
            self.view = follow(self.view, shown, self._say)
        self.view = replace(self.view, placement=seen.placement, dice=seen.dice)
        if any(mark.sign not in _TURN_OR_READY for mark in self.view.scene.marks):
            self.telling = self.view
