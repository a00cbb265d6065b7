"""What a table looks like at one instant: the value that the terminal and the pictures draw."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from boardctl.referee.effects import (
    ClockShown,
    CubeTurned,
    Effect,
    GameEnded,
    MatchLost,
    Notice,
    Phase,
    PhaseChanged,
    Prompt,
    RollRead,
    Ruled,
    Scene,
    Text,
    TurnJudged,
)
from boardctl.referee.facts import BoardSeen, DiceLifted, DiceRested, Fact, PositionDeclared
from boardctl.referee.readings import DiceReading, Witness
from boardctl.rules import Placement, Roll, Seat

Say = Callable[[Text], str]
"""Turns an entry of the catalogue of texts into words in the reader's language."""


@dataclass(frozen=True, slots=True)
class DieShown:
    """One die to draw. ``value`` None: not vouched for. Without a centre it is drawn in the middle of ``section``."""

    value: int | None
    section: Seat | None
    center_mm: tuple[float, float] | None = None
    angle_deg: float = 0.0
    flat: bool = True


@dataclass(frozen=True, slots=True)
class TableView:
    """One table at one instant. ``judgement`` is the last thing that the referee said, ``prompt`` the open question,
    ``advice`` what a coach has said about the turn, and to whom.
    """

    placement: Placement = field(default_factory=Placement)
    scene: Scene = field(default_factory=lambda: Scene(()))
    phase: Phase | None = None
    on_turn: Seat | None = None
    roll: Roll | None = None
    dice: tuple[DieShown, ...] = ()
    judgement: str = ""
    prompt: str = ""
    score: tuple[tuple[Seat, int], ...] = ()
    match_length: int | None = None
    clock: ClockShown | None = None
    advice: str = ""
    cube: str = ""
    title: str = "boardctl"

    @property
    def score_line(self) -> str:
        """The score in one line; empty when there is none."""
        match = f"match to {self.match_length}" if self.match_length else ""
        return "   ".join(
            text for text in ("  ".join(f"{seat} {points}" for seat, points in self.score), match, self.cube) if text
        )

    @property
    def clock_line(self) -> str:
        """What the clock showed when it was last started or stopped, in one line; empty where there is none."""
        if self.clock is None:
            return ""
        sides = [f"{side.seat} {_minutes(side.reserve_ms)}{' (up)' * side.flagged}" for side in self.clock.sides]
        running = f"runs for {self.clock.running}" if self.clock.running else "stopped"
        why = f": {self.clock.paused.replace('_', ' ')}" if self.clock.paused else ""
        return f"clock: {'  '.join(sides)}  {running}{why}"

    @property
    def phase_line(self) -> str:
        """Where the game stands and who is to act, in one line."""
        return _PHASE_LINES[self.phase].format(seat=self.on_turn or "-") if self.phase else ""


_COACH = "coach."


def _minutes(time_ms: int) -> str:
    seconds = -(-time_ms // 1000)  # a clock that shows 0:00 has nothing left
    return f"{seconds // 60}:{seconds % 60:02}"


_PHASE_LINES = {
    Phase.SETUP: "Set up the board",
    Phase.OPENING: "Opening: one die each",
    Phase.CUBE: "{seat} may double or roll",
    Phase.ROLL: "{seat} to roll",
    Phase.MOVE: "{seat} to move",
    Phase.CONFIRM: "{seat} has moved",
    Phase.HOLD: "On hold: a question is open",
    Phase.REPAIR: "The board is not as it was",
    Phase.GAME_OVER: "The game is over",
    Phase.MATCH_OVER: "The match is over",
}


_CUBE_STEPS = {
    "double": "doubles",
    "beaver": "beavers",
    "raccoon": "raccoons",
    "take": "takes",
    "drop": "drops",
    "withdrawn": "takes the cube back",
}

_BEFORE_THE_ROLL = (Phase.SETUP, Phase.OPENING, Phase.CUBE, Phase.ROLL)


def dice_of(reading: DiceReading) -> tuple[DieShown, ...]:
    """Gets the dice as a camera saw them."""
    return tuple(DieShown(die.value, die.section, die.center_mm, flat=die.flat is not False) for die in reading.dice)


def dice_of_roll(roll: Roll, seat: Seat) -> tuple[DieShown, ...]:
    """Gets the dice of a roll, lying in the section of ``seat``."""
    return tuple(DieShown(value, seat) for value in roll)


def plain_text(text: Text) -> str:
    """Gets a text without a catalogue: its key and its arguments."""
    words = text.key.replace("_", " ").replace(".", ": ")
    return " ".join([words, *(f"{name} {value}" for name, value in text.arguments)])


def follow(view: TableView, effect: Effect, say: Say = plain_text) -> TableView:
    """Gets the view after one effect of the referee. The placement changes only when a turn was judged."""
    match effect:
        case Scene():
            return replace(view, scene=effect)
        case PhaseChanged(phase=phase, seat=seat):
            asked = replace(view, phase=phase, on_turn=seat, prompt=view.prompt if phase is Phase.HOLD else "")
            return replace(asked, roll=None, dice=(), advice="") if phase in _BEFORE_THE_ROLL else asked
        case RollRead(valid=valid):
            return _with_roll(replace(view, advice="") if valid else view, effect, say)
        case TurnJudged():
            return replace(view, placement=effect.after or view.placement, judgement=judged_line(effect, say))
        case Ruled(ruling=ruling, by=by, score=score, length=length):
            ruled = replace(view, prompt="", judgement=f"Ruled by {by}: {ruling.replace('_', ' ')}")
            return replace(ruled, score=score, match_length=length) if score else ruled
        case CubeTurned(step=step, by=by, value=value, owner=owner):
            where = f"with {owner}" if owner is not None else "in the middle"
            turned = "equal dice turn the cube" if by is None else f"{by} {_CUBE_STEPS[step]}"
            return replace(view, prompt="", cube=f"cube {value} {where}", judgement=turned)
        case Prompt(text=text, choices=choices):
            return replace(view, prompt=f"{say(text)} ({' / '.join(choice.replace('_', ' ') for choice in choices)})")
        case Notice(text=text, to=to) if text.key.startswith(_COACH):
            return replace(view, advice=f"{view.advice} {', '.join(to)}: {say(text)}".strip())
        case Notice(text=text):
            return replace(view, judgement=say(text))
        case ClockShown():
            return replace(view, clock=effect)
        case MatchLost(seat=seat, winner=winner, reason=reason):
            return replace(view, prompt="", judgement=f"{seat} loses the match on {reason}; {winner} wins it")
        case GameEnded(winner=winner, points=points, win_kind=kind):
            total = dict(view.score)
            for seat, won in points:
                total[seat] = total.get(seat, 0) + won
            said = f"{winner} wins: {kind.replace('_', ' ')}" if winner else "Nobody wins"
            return replace(view, score=tuple(total.items()), cube="", judgement=said)
        case _:
            return view


def see(view: TableView, fact: Fact) -> TableView:
    """Gets the view after one fact: checkers and dice as the camera saw them, where it vouches for what it saw."""
    match fact:
        case BoardSeen(reading=reading) | PositionDeclared(reading=reading) if reading.witness is Witness.CAMERA:
            seen = {place.place: place.best for place in reading.places if place.best is not None}
            return replace(view, placement=view.placement.replaced(seen))
        case DiceRested(reading=dice):
            return replace(view, dice=dice_of(dice))
        case DiceLifted(left=left):
            return replace(view, dice=view.dice[:left])
        case _:
            return view


def judged_line(turn: TurnJudged, say: Say = plain_text) -> str:
    """Gets a judged turn in one line."""
    head = f"{turn.seat} {turn.roll}:"
    if turn.legal:
        return f"{head} {turn.play or 'no move'}, legal"
    verdict = "cannot be told" if turn.legal is None else "not legal"
    why = "; ".join(say(text) for text in turn.finding.explanation) if turn.finding else ""
    return f"{head} {verdict} ({turn.certainty})" + (f": {why}" if why else "")


def _with_roll(view: TableView, effect: RollRead, say: Say) -> TableView:
    reasons = "; ".join(say(reason) for reason in effect.reasons)
    who = f"{effect.seat}: " if effect.seat else ""
    if not effect.valid:
        return replace(view, roll=None, judgement=f"{who}roll again" + (f": {reasons}" if reasons else ""))
    shown = view.dice
    if effect.roll and effect.seat and not shown:
        shown = dice_of_roll(effect.roll, effect.seat)
    return replace(view, roll=effect.roll, dice=shown, judgement=f"{who}rolled {effect.roll}")
