"""Who is told what, by the ruleset: everybody (``monitor``), who asks (``on_query``), or the director alone.

Every effect passes here on its way out, so that what must not be shown cannot be shown by any light, sound or screen.
Nothing is lost: what players may not be told is still said, to the director and to the record.
"""

from collections.abc import Iterable
from dataclasses import replace

from boardctl.referee.effects import (
    Cue,
    Effect,
    Notice,
    Phase,
    PhaseChanged,
    Prompt,
    RollRead,
    Scene,
    Sign,
    TurnJudged,
)
from boardctl.referee.facts import Role
from boardctl.referee.ruleset import Ruleset
from boardctl.referee.state import State

_BETWEEN_TURNS = (Phase.CONFIRM, Phase.HOLD, Phase.CUBE, Phase.ROLL)
_OPEN = (Phase.SETUP, Phase.OPENING, Phase.GAME_OVER, Phase.MATCH_OVER)
"""Where no finding about a play can be given away: before the first roll and after the last."""

_NO_FINDING = (Sign.TURN, Sign.SOURCE, Sign.TARGET, Sign.READY, Sign.LOST)
_DIRECTOR = (Role.DIRECTOR,)


def announced(ruleset: Ruleset, before: State, after: State, effects: list[Effect]) -> tuple[State, list[Effect]]:
    """Gets what may go out of what was said between two states, and the state with what is lit from now on."""
    if ruleset.announce == "monitor":
        return replace(after, lit=after.scene), effects
    silent = is_silent(ruleset, before)
    passed: list[Effect] = []
    for effect in effects:
        if isinstance(effect, RollRead) and effect.valid:
            silent = is_silent(ruleset, after)
        elif isinstance(effect, PhaseChanged):
            silent = (silent or effect.phase in _BETWEEN_TURNS) and effect.phase not in _OPEN
            silent = silent or (ruleset.announce == "on_query" and effect.phase not in _OPEN)
            silent = silent and not after.queried
        if not isinstance(effect, Scene):
            passed += _muted(effect) if silent and not after.queried else [effect]
    lit = _lit(ruleset, after)
    if lit != before.lit:
        passed.append(lit)
    return replace(after, lit=lit), passed


def is_silent(ruleset: Ruleset, state: State) -> bool:
    """Whether players may not be told now what is found."""
    if ruleset.announce == "monitor" or state.queried or state.phase in _OPEN:
        return False
    if ruleset.announce == "on_query":
        return True
    # Only the director is told: nothing from the end of a turn to the next roll, nor while a play is made again.
    phase = state.repaired_phase if state.phase is Phase.REPAIR else state.phase
    again = phase is Phase.MOVE and state.turn is not None and state.turn.replayed
    return phase in _BETWEEN_TURNS or again


def is_course_kept(ruleset: Ruleset, state: State) -> bool:
    """Whether even where the game stands and whose turn it is may not be told now. It would tell a legal play from
    another: after a legal one it is the next seat's turn, after another it stays until that is ruled upon."""
    return is_silent(ruleset, state) and (ruleset.announce == "director_only" or state.phase is not Phase.MOVE)


def _lit(ruleset: Ruleset, state: State) -> Scene:
    """Gets what the lights may show."""
    if not is_silent(ruleset, state):
        return state.scene
    if ruleset.announce == "director_only":
        return Scene(())
    shown = (Sign.LOST,) if is_course_kept(ruleset, state) else _NO_FINDING
    return Scene(tuple(mark for mark in state.scene.marks if mark.sign in shown))


def _muted(effect: Effect) -> list[Effect]:
    """Gets what is left of an effect when the players may not be told."""
    match effect:
        case Cue():
            return []
        case Notice():
            return [replace(effect, to=_DIRECTOR)]
        case Prompt():
            return [replace(effect, to=_DIRECTOR)]
        case TurnJudged() | RollRead():
            return [replace(effect, announced=False)]
        case _:
            return [effect]


def for_players(effects: Iterable[Effect]) -> list[Effect]:
    """Gets what players may see and hear of some effects; the rest is for the record and the director."""
    return [effect for effect in effects if _is_for_players(effect)]


def _is_for_players(effect: Effect) -> bool:
    match effect:
        case Notice(to=to) | Prompt(to=to):
            return to != _DIRECTOR
        case TurnJudged(announced=public) | RollRead(announced=public):
            return public
    return True
