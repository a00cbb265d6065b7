"""What a table looks like while it is played: facts and effects gathered into one view."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from boardctl.lights import TableView, follow, see
from boardctl.lights.on_board import BarColumns, placement_on_board, scene_on_board
from boardctl.lights.words import Say
from boardctl.referee import Referee, Ruleset, for_players
from boardctl.referee.announcing import is_course_kept
from boardctl.referee.effects import Effect, Ruled, Scene, Sign
from boardctl.referee.facts import Fact
from boardctl.rules import Seat

_TURN_OR_READY = (Sign.TURN, Sign.READY)


def heard_by_everybody(ruleset: Ruleset, effects: Iterable[Effect]) -> list[Effect]:
    """Gets what everybody hears of some effects. A ruling tells of a finding: where those are not announced, neither is
    it."""
    heard = for_players(effects)
    if ruleset.announce == "monitor":
        return heard
    return [effect for effect in heard if not isinstance(effect, Ruled)]


def seat_shown(referee: Referee) -> Seat | None:
    """Gets the seat on turn, as far as everybody may know it."""
    return None if is_course_kept(referee.ruleset, referee.state) else referee.state.seat


class TableFollower:
    """An output that keeps the view of the table: the checkers and dice as they were seen, the rest as it was said.

    ``heard`` picks what of the referee's effects this view may tell; by default what players may be told. ``referee``:
    whose ruleset says when the course of the game itself would give a finding away; None: nothing is held back.
    ``telling`` is the view at the last moment at which the lights said more than whose turn it is.
    """

    def __init__(
        self,
        say: Say,
        match_length: int | None = None,
        bar_columns: BarColumns | None = None,
        heard: Callable[[Iterable[Effect]], list[Effect]] = for_players,
        referee: Referee | None = None,
    ) -> None:
        self._say = say
        self._heard = heard
        self._referee = referee
        self._bar_columns = bar_columns or {}
        self.view = TableView(match_length=match_length, say=say)
        self.telling = self.view
        self._followed = self.view  # with nothing held back
        self._read = self.view.placement  # place by place of the game, however they lie on the board

    @classmethod
    def of(cls, referee: Referee, say: Say, bar_columns: BarColumns | None = None) -> "TableFollower":
        """Gets the view of a referee's table that everybody may see."""

        def heard(effects: Iterable[Effect]) -> list[Effect]:
            return heard_by_everybody(referee.ruleset, effects)

        return cls(say, referee.match.length, bar_columns, heard, referee)

    def __call__(self, fact: Fact, effects: Sequence[Effect]) -> None:
        """Brings the view up to date. Checkers and dice stay as they were seen, whatever is said about them."""
        seen = see(replace(self._followed, placement=self._read), fact)
        self._read = seen.placement
        seen = replace(seen, placement=placement_on_board(seen.placement, self._bar_columns))
        followed = seen
        for effect in self._heard(effects):
            shown = scene_on_board(effect, self._bar_columns) if isinstance(effect, Scene) else effect
            followed = follow(followed, shown)
        self._followed = replace(followed, placement=seen.placement, dice=seen.dice)
        self.view = self._followed if self._referee is None else _open(self.view, self._followed, self._referee)
        if any(mark.sign not in _TURN_OR_READY for mark in self.view.scene.marks):
            self.telling = self.view


def _open(before: TableView, followed: TableView, referee: Referee) -> TableView:
    """Gets what of a view may be shown to everybody, after what was shown before.

    Where only the director is told, nothing changes from the end of a turn to the next roll, but what the lights and
    the clock show. Where who asks is told, the phases between two turns are left out.
    """
    if not is_course_kept(referee.ruleset, referee.state):
        return followed
    if referee.ruleset.announce == "director_only":
        held = replace(before, phase=None, on_turn=None, roll=None, dice=(), prompt="")
        return replace(held, scene=followed.scene, clock=followed.clock)
    return replace(followed, phase=None, on_turn=None, roll=None)
