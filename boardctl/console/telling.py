"""What the page may tell of a table, and to whom: one view for everybody who looks, one for the director.

Everybody is told what the lights tell, and nothing besides. Where the ruleset keeps findings from the players, the
referee already mutes what it says; here what would give them away by being there at all is left out as well: that a
question stands, that a turn is not yet followed by the next.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from boardctl.lights import DieShown, TableView, follow
from boardctl.lights.on_board import BarColumns, scene_on_board
from boardctl.lights.words import Say
from boardctl.referee import Referee
from boardctl.referee.announcing import is_silent
from boardctl.referee.clock import Clock
from boardctl.referee.effects import Effect, Phase, Prompt, RollRead, Scene, Sign
from boardctl.referee.facts import Fact, HandSeen, Role
from boardctl.referee.state import State
from boardctl.rules import Placement, Roll, Seat
from boardctl.table.following import TableFollower, heard_by_everybody

SAID_LINES = 8
"""How many of the last sentences are kept: what happened in the last few turns."""

OFFERS = ("ask.double", "ask.resign")
"""What a player asks, and no finding: who is asked may answer it, whatever the ruleset keeps from players."""

_NOTHING_LIT = Scene(())


@dataclass(frozen=True, slots=True)
class Telling:
    """What is told of a table at one instant. ``phase`` None: the game goes on, and more is not told.

    ``cube``: value and owner; None: there is none. ``said``: the last sentences, the newest last.
    """

    placement: Placement = field(default_factory=Placement)
    dice: tuple[DieShown, ...] = ()
    scene: Scene = _NOTHING_LIT
    phase: Phase | None = None
    on_turn: Seat | None = None
    roll: Roll | None = None
    score: tuple[tuple[Seat, int], ...] = ()
    match_length: int | None = None
    cube: tuple[int, Seat | None] | None = None
    clock: Clock | None = None
    prompt: Prompt | None = None
    advice: str = ""
    said: tuple[str, ...] = ()


class TableTeller:
    """An output: keeps ``everybody`` and ``director``, the two tellings. Values that later facts do not change."""

    def __init__(self, referee: Referee, say: Say, bar_columns: BarColumns | None = None) -> None:
        self._referee = referee
        self._say = say
        self._columns = bar_columns or {}
        ruleset = referee.ruleset
        self._open = TableFollower(
            say, referee.match.length, bar_columns, lambda effects: heard_by_everybody(ruleset, effects)
        )
        self._whole = TableFollower(say, referee.match.length, bar_columns, list)
        self._open_said: tuple[str, ...] = ()
        self._whole_said: tuple[str, ...] = ()
        self.everybody = Telling()
        self.director = Telling()
        self(HandSeen(0, False), ())

    def __call__(self, fact: Fact, effects: Sequence[Effect]) -> None:
        """Brings both tellings up to date."""
        self._open(fact, effects)
        self._whole(fact, effects)
        self._open_said = self._after(self._open_said, heard_by_everybody(self._referee.ruleset, effects))
        self._whole_said = self._after(self._whole_said, effects)
        state = self._referee.state
        self.director = self._told(self._whole, state, state.scene, self._whole_said)
        self.everybody = self._told_to_everybody(state)

    def _told(self, follower: TableFollower, state: State, scene: Scene, said: tuple[str, ...]) -> Telling:
        view = follower.view
        return Telling(
            placement=view.placement,
            dice=view.dice,
            scene=scene_on_board(scene, self._columns),
            phase=state.phase,
            on_turn=state.seat,
            roll=state.roll,
            score=state.score,
            match_length=state.ledger.rules.length,
            cube=(state.cube.value, state.cube.owner) if state.ledger.has_cube else None,
            clock=state.clock,
            prompt=state.prompt,
            advice=view.advice,
            said=said,
        )

    def _after(self, said: tuple[str, ...], heard: Iterable[Effect]) -> tuple[str, ...]:
        """Gets the last sentences, with what was just said. A roll that counts stands in its turn's sentence."""
        for effect in heard:
            sentence = follow(TableView(say=self._say), effect).judgement
            if sentence and not (isinstance(effect, RollRead) and effect.valid):
                said = (*said, sentence)[-SAID_LINES:]
        return said

    def _told_to_everybody(self, state: State) -> Telling:
        ruleset = self._referee.ruleset
        told = self._told(self._open, state, state.lit, self._open_said)
        if told.prompt is not None and told.prompt.to == (Role.DIRECTOR,):
            told = replace(told, prompt=None)
        if not is_silent(ruleset, state):
            return told
        if ruleset.announce == "director_only":
            return _held(self.everybody, state)
        return _masked(told)


def _held(before: Telling, state: State) -> Telling:
    """Gets what is told from the end of a turn to the next roll: what was told last, and that the game goes on. The
    clock is a device of its own that both players look at, and runs on."""
    return replace(
        before, dice=(), scene=_NOTHING_LIT, phase=None, on_turn=None, roll=None, prompt=None, clock=state.clock
    )


def _masked(told: Telling) -> Telling:
    """Gets what is told while nobody has asked. Between two turns nothing lets anybody tell a legal play from another:
    not even whose turn it is, which stays with who has misplayed until it is ruled upon."""
    prompt = told.prompt if told.prompt is not None and told.prompt.text.key in OFFERS else None
    if told.phase is Phase.MOVE:
        return replace(told, prompt=prompt)
    lost = Scene(tuple(mark for mark in told.scene.marks if mark.sign is Sign.LOST))
    return replace(told, phase=None, on_turn=None, roll=None, scene=lost, prompt=prompt)
