"""The phases of a game as one table: what each phase does with each kind of fact, and where it may lead.

``docs/phases.md`` is :func:`document`, written out.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, get_args

from boardctl.referee import clocking, doubling, interruptions, moving
from boardctl.referee.effects import Phase
from boardctl.referee.facts import Fact
from boardctl.referee.response import Response
from boardctl.referee.roll import before_game, rolling
from boardctl.referee.turn import advising, lifting
from boardctl.referee.turn_end import confirming, directing, own_correction

Handler = Callable[[Response, Any], None]

KINDS: tuple[str, ...] = tuple(str(fact.__dataclass_fields__["kind"].default) for fact in get_args(Fact))
"""The kinds of facts there are."""


@dataclass(frozen=True, slots=True)
class Entry:
    """What is done with one kind of fact in one phase. ``leads_to``: the phases in which the game may be afterwards,
    beside the phase itself.
    """

    handler: Handler
    leads_to: tuple[Phase, ...] = ()

    @property
    def says(self) -> str:
        """The first sentence of what the handler is for."""
        return (self.handler.__doc__ or "").split("\n")[0].split(". ")[0].rstrip(".")


_P = Phase
_NEXT_TURN = (_P.CUBE, _P.ROLL, _P.GAME_OVER, _P.MATCH_OVER)
"""A turn that ended in order."""
_RULED = (*_NEXT_TURN, _P.MOVE, _P.HOLD, _P.CONFIRM)
"""A turn that ended, was ruled upon, and whose successor may have begun."""

_IGNORED = Entry(interruptions.ignored)
_LIFTED = Entry(interruptions.lifted_anywhere)
_SENSED = Entry(lifting.checker_sensed)
_HAND = Entry(interruptions.hand_seen)
_QUERIED = Entry(interruptions.queried)
_DEVICE = Entry(interruptions.device_changed)
_DEVICE_IN_PLAY = Entry(interruptions.device_changed, (_P.REPAIR,))
_DECLARED = Entry(interruptions.position_declared, (_P.OPENING, _P.CUBE, _P.ROLL, _P.MOVE, _P.GAME_OVER, _P.MATCH_OVER))

_ENDS = (_P.GAME_OVER, _P.MATCH_OVER)
_DOUBLED = Entry(doubling.doubled, (*_RULED,))
_NOT_DOUBLED = Entry(doubling.doubled)
_RESIGNED = Entry(doubling.resigned)
_DIRECTED = Entry(directing.director_ruled, _RULED)
_SPOKEN = {"doubled": _DOUBLED, "resigned": _RESIGNED, "director_ruled": _DIRECTED}
_UNSPOKEN = {"doubled": _NOT_DOUBLED, "resigned": _IGNORED, "director_ruled": _DIRECTED}

_ROLLING = {
    "board_seen": Entry(own_correction.board_before_roll, (_P.MOVE, _P.REPAIR, _P.CONFIRM)),
    "checker_sensed": _SENSED,
    "dice_rested": Entry(rolling.dice_in_roll, (_P.MOVE,)),
    "dice_lifted": Entry(rolling.lifted_in_roll, (_P.CUBE, _P.ROLL)),
    "hand_seen": _HAND,
    "button_pressed": Entry(rolling.button_in_roll, (_P.CUBE, _P.ROLL)),
    "answered": Entry(own_correction.answered_before_roll, (_P.CUBE, _P.ROLL, _P.MOVE, _P.REPAIR, *_ENDS)),
    "device_changed": _DEVICE_IN_PLAY,
    "position_declared": _DECLARED,
    "queried": _QUERIED,
    **_SPOKEN,
}

_BY_PHASE: dict[Phase, dict[str, Entry]] = {
    _P.SETUP: {
        "board_seen": Entry(before_game.board_in_setup, (_P.OPENING, _P.MOVE)),
        "checker_sensed": _SENSED,
        "dice_rested": Entry(before_game.dice_in_setup),
        "dice_lifted": _LIFTED,
        "hand_seen": _HAND,
        "button_pressed": _IGNORED,
        "answered": _IGNORED,
        "device_changed": _DEVICE,
        "position_declared": _DECLARED,
        "queried": _QUERIED,
        **_UNSPOKEN,
    },
    _P.OPENING: {
        "board_seen": Entry(before_game.board_in_opening, (_P.SETUP, _P.MOVE)),
        "checker_sensed": _SENSED,
        "dice_rested": Entry(before_game.dice_in_opening, (_P.ROLL, _P.MOVE)),
        "dice_lifted": _LIFTED,
        "hand_seen": _HAND,
        "button_pressed": _IGNORED,
        "answered": _IGNORED,
        "device_changed": _DEVICE_IN_PLAY,
        "position_declared": _DECLARED,
        "queried": _QUERIED,
        **_UNSPOKEN,
    },
    _P.CUBE: {
        **_ROLLING,
        "board_seen": Entry(doubling.board_in_cube, (_P.ROLL, _P.MOVE, _P.REPAIR, _P.CONFIRM)),
        "dice_rested": Entry(doubling.dice_in_cube, (_P.OPENING, *_RULED)),
        "answered": Entry(doubling.answered_in_cube, (_P.ROLL, _P.MOVE, _P.REPAIR, *_ENDS)),
    },
    _P.ROLL: _ROLLING,
    _P.MOVE: {
        "board_seen": Entry(moving.board_in_move, _RULED),
        "checker_sensed": Entry(lifting.checker_in_move),
        "dice_rested": Entry(moving.dice_in_move, (_P.OPENING, *_RULED)),
        "dice_lifted": Entry(moving.lifted_in_move, _RULED),
        "hand_seen": _HAND,
        "button_pressed": Entry(moving.button_in_move, _RULED),
        "answered": Entry(moving.answered_in_move, (_P.CUBE, _P.ROLL)),
        "device_changed": _DEVICE_IN_PLAY,
        "position_declared": _DECLARED,
        "queried": _QUERIED,
        **_SPOKEN,
    },
    _P.CONFIRM: {
        "board_seen": Entry(confirming.board_in_confirm, _RULED),
        "checker_sensed": _SENSED,
        "dice_rested": Entry(confirming.dice_in_confirm, _RULED),
        "dice_lifted": _LIFTED,
        "hand_seen": _HAND,
        "button_pressed": Entry(confirming.button_in_confirm, _RULED),
        "answered": Entry(confirming.answered_in_confirm, _RULED),
        "device_changed": _DEVICE_IN_PLAY,
        "position_declared": _DECLARED,
        "queried": Entry(confirming.queried_in_confirm),
        **_SPOKEN,
    },
    _P.HOLD: {
        "board_seen": Entry(interruptions.board_in_hold, _RULED),
        "checker_sensed": _SENSED,
        "dice_rested": Entry(interruptions.dice_in_hold),
        "dice_lifted": _LIFTED,
        "hand_seen": _HAND,
        "button_pressed": _IGNORED,
        "answered": Entry(interruptions.answered_in_hold, _RULED),
        "device_changed": _DEVICE_IN_PLAY,
        "position_declared": _DECLARED,
        "queried": _QUERIED,
        **_SPOKEN,
    },
    _P.REPAIR: {
        "board_seen": Entry(interruptions.board_in_repair, (_P.OPENING, *_RULED)),
        "checker_sensed": _SENSED,
        "dice_rested": Entry(interruptions.dice_in_repair, (_P.CUBE, _P.ROLL, _P.MOVE)),
        "dice_lifted": _LIFTED,
        "hand_seen": _HAND,
        "button_pressed": Entry(interruptions.button_in_repair, (_P.CUBE, _P.ROLL, _P.MOVE)),
        "answered": Entry(interruptions.answered_in_repair, (_P.CUBE, _P.ROLL, _P.MOVE)),
        "device_changed": _DEVICE,
        "position_declared": _DECLARED,
        "queried": _QUERIED,
        **_UNSPOKEN,
    },
    _P.GAME_OVER: {
        "board_seen": Entry(before_game.board_after_game, (_P.SETUP, _P.OPENING)),
        "checker_sensed": _SENSED,
        "dice_rested": _IGNORED,
        "dice_lifted": _LIFTED,
        "hand_seen": _HAND,
        "button_pressed": _IGNORED,
        "answered": _IGNORED,
        "device_changed": _DEVICE,
        "position_declared": _DECLARED,
        "queried": _QUERIED,
        **_UNSPOKEN,
    },
    _P.MATCH_OVER: {
        "board_seen": _IGNORED,
        "checker_sensed": _SENSED,
        "dice_rested": _IGNORED,
        "dice_lifted": _IGNORED,
        "hand_seen": _HAND,
        "button_pressed": _IGNORED,
        "answered": _IGNORED,
        "device_changed": _DEVICE,
        "position_declared": _IGNORED,
        "queried": _QUERIED,
        **_UNSPOKEN,
        "director_ruled": Entry(directing.director_ruled, (_P.SETUP, _P.GAME_OVER)),
    },
}

_ANYWHERE = {
    "advised": Entry(advising.advised),
    "assistance_chosen": Entry(advising.assistance_chosen),
    "evidence_kept": _IGNORED,
    "clock_stopped": Entry(clocking.clock_stopped),
    "clock_resumed": Entry(clocking.clock_resumed),
    "time_given": Entry(clocking.time_given),
    "flag_called": Entry(clocking.flag_called, (_P.MATCH_OVER,)),
    "time_passed": Entry(clocking.time_passed, (_P.MATCH_OVER,)),
}
"""What is done alike in every phase."""

TABLE: dict[tuple[Phase, str], Entry] = {
    (phase, kind): entry for phase, entries in _BY_PHASE.items() for kind, entry in (entries | _ANYWHERE).items()
}
"""Every pair of a phase and a kind of fact."""


def document() -> str:
    """Gets the table as Markdown, with a picture of the phases."""
    lines = [
        "# The phases of a game",
        "",
        "Written out from `boardctl/referee/phases.py`; a test says so when it is out of date.",
        "To write it anew:",
        "",
        "    python -c 'from boardctl.referee.phases import document; print(document(), end=\"\")' > docs/phases.md",
        "",
        "```mermaid",
        "stateDiagram-v2",
        "    [*] --> setup",
    ]
    arrows: dict[tuple[Phase, Phase], list[str]] = {}
    for (phase, kind), entry in TABLE.items():
        if kind not in ("position_declared", "device_changed", *_ANYWHERE):
            for target in entry.leads_to:
                if target is not phase:
                    arrows.setdefault((phase, target), []).append(kind.replace("_", " "))
    lines += [f"    {phase} --> {target}: {', '.join(kinds)}" for (phase, target), kinds in arrows.items()]
    lines += [
        "```",
        "",
        "Not drawn: from every phase but `match_over` a declared position leads to `roll` (or to `move`, where its",
        "dice lie already), and a device that comes back leads to `repair` and from there to where the game stood.",
        "",
        "## every phase",
        "",
        "| fact | what is done | may lead to |",
        "|---|---|---|",
        *(_row(kind, entry, None) for kind, entry in _ANYWHERE.items()),
        "",
    ]
    for phase, entries in _BY_PHASE.items():
        lines += [f"## {phase}", "", "| fact | what is done | may lead to |", "|---|---|---|"]
        lines += [_row(kind, entry, phase) for kind, entry in entries.items()]
        lines.append("")
    return "\n".join(lines[:-1]) + "\n"


def _row(kind: str, entry: Entry, phase: Phase | None) -> str:
    targets = ", ".join(dict.fromkeys(target.value for target in entry.leads_to if target is not phase))
    return f"| {kind.replace('_', ' ')} | {entry.says} | {targets} |"
