"""What happened at a table as lines of text: one a roll that does not count, one a turn, one a ruling."""

import json
from collections.abc import Callable, Sequence

from boardctl.lights.table_view import TableView, follow
from boardctl.lights.words import Say, certainty_text, cube_text
from boardctl.records import Journal, effect_to_plain
from boardctl.referee.effects import (
    CubeTurned,
    Effect,
    GameEnded,
    MatchLost,
    Notice,
    Prompt,
    RollRead,
    Ruled,
    Text,
    TurnJudged,
)
from boardctl.referee.facts import BoardSeen, DiceLifted, DiceRested, Fact

_TOLD = (RollRead, TurnJudged, Ruled, CubeTurned, Prompt, Notice, GameEnded, MatchLost)
_NAME_WIDTH = 16


class TurnLines:
    """An output that writes what the referee said, each line with the frame that it follows from."""

    def __init__(self, say: Say, write: Callable[[str], None], as_json: bool = False) -> None:
        self._say = say
        self._write = write
        self._as_json = as_json
        self.turns = 0
        self.rolls = 0

    def __call__(self, fact: Fact, effects: Sequence[Effect]) -> None:
        """Writes the lines of one fact's effects."""
        for effect in effects:
            self.turns += isinstance(effect, TurnJudged)
            self.rolls += isinstance(effect, RollRead) and effect.valid
            if not isinstance(effect, _TOLD):
                continue
            frame = frame_of(fact)
            if self._as_json:
                self._write(json.dumps({"frame": frame, **effect_to_plain(effect)}, ensure_ascii=False))
            elif (line := line_of(effect, self._say)) is not None:
                self._write(f"{_short(frame):<{_NAME_WIDTH}} {line}")


class HeadLine:
    """An output that says the hash of the record at the end of each game, to be noted down or photographed: whoever
    wrote the record anew afterwards could not make one with that hash."""

    def __init__(self, journal: Journal, say: Say, write: Callable[[str], None]) -> None:
        self._journal = journal
        self._say = say
        self._write = write

    def __call__(self, fact: Fact, effects: Sequence[Effect]) -> None:
        """Says it, if a game has ended."""
        if any(isinstance(effect, GameEnded | MatchLost) for effect in effects):
            head = Text.of("record.head", entry=self._journal.last_number, hash=self._journal.head_hash)
            self._write(self._say(head))


def nowhere(line: str) -> None:
    """Shows a line to nobody: the lines are only counted."""


def line_of(effect: Effect, say: Say) -> str | None:
    """Gets one effect in one line; None for what needs no line of its own: a roll that counts stands in its turn's."""
    shown = follow(TableView(say=say), effect)
    match effect:
        case RollRead(valid=True):
            return None
        case RollRead() | MatchLost():
            return shown.judgement
        case TurnJudged(certainty=certainty, legal=True):
            return f"{shown.judgement}, {say(certainty_text(certainty))}"
        case TurnJudged():
            return shown.judgement
        case Ruled():
            return f"  {shown.judgement}"
        case CubeTurned(offered=offered, owner=owner):
            cube = shown.cube if offered is None else say(cube_text(offered, owner))
            return f"  {shown.judgement}: {cube}"
        case Prompt(number=number):
            return f"  ? {number}: {shown.prompt}"
        case Notice(text=text):
            return f"  {say(text)}"
        case GameEnded(points=points):
            return f"{shown.judgement}: {', '.join(f'{seat} {won}' for seat, won in points)}"
        case _:
            return None


def frame_of(fact: Fact) -> str | None:
    """Gets the name of the frame that a fact was read from, if any."""
    return fact.frame if isinstance(fact, (BoardSeen, DiceRested, DiceLifted)) else None


def _short(frame: str | None) -> str:
    return "" if frame is None else frame.rsplit("/", 1)[-1][-_NAME_WIDTH:]
