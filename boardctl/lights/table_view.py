"""What a table looks like at one instant: the value that the terminal and the pictures draw."""

from dataclasses import dataclass, field, replace

from boardctl.lights.words import (
    Say,
    certainty_text,
    choice_text,
    cube_step_text,
    cube_text,
    in_english,
    pause_text,
    phase_text,
    ruling_text,
    win_text,
)
from boardctl.referee.effects import (
    ClockShown,
    ClockSide,
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
from boardctl.referee.seen.dice import vouched
from boardctl.rules import Placement, Roll, Seat


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
    ``advice`` what a coach has said about the turn, and to whom. ``say`` says it in the reader's language.
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
    say: Say = field(default=in_english, repr=False, compare=False)

    @property
    def score_line(self) -> str:
        """The score in one line; empty when there is none."""
        match = self.say(Text.of("score.match_to", length=self.match_length)) if self.match_length else ""
        return "   ".join(
            text for text in ("  ".join(f"{seat} {points}" for seat, points in self.score), match, self.cube) if text
        )

    @property
    def clock_line(self) -> str:
        """What the clock showed when it was last started or stopped, in one line; empty where there is none."""
        if self.clock is None:
            return ""
        sides = "  ".join(self._side(side) for side in self.clock.sides)
        if self.clock.running is not None:
            return self.say(Text.of("clock_line.runs", sides=sides, seat=self.clock.running))
        if self.clock.paused is None:
            return self.say(Text.of("clock_line.stopped", sides=sides))
        return self.say(Text.of("clock_line.stopped_for", sides=sides, reason=self.say(pause_text(self.clock.paused))))

    def _side(self, side: ClockSide) -> str:
        time = _minutes(side.reserve_ms)
        if side.flagged:
            return self.say(Text.of("clock_line.up", seat=side.seat, time=time))
        return f"{side.seat} {time}"

    @property
    def phase_line(self) -> str:
        """Where the game stands and who is to act, in one line."""
        return self.say(phase_text(self.phase, self.on_turn)) if self.phase else ""


_COACH = "coach."


def _minutes(time_ms: int) -> str:
    seconds = -(-time_ms // 1000)  # a clock that shows 0:00 has nothing left
    return f"{seconds // 60}:{seconds % 60:02}"


_BEFORE_THE_ROLL = (Phase.SETUP, Phase.OPENING, Phase.CUBE, Phase.ROLL)


def dice_of(reading: DiceReading) -> tuple[DieShown, ...]:
    """Gets the dice as a camera saw them, with the values that are vouched for."""
    return tuple(DieShown(vouched(die), die.section, die.center_mm, flat=die.flat is not False) for die in reading.dice)


def dice_of_roll(roll: Roll, seat: Seat) -> tuple[DieShown, ...]:
    """Gets the dice of a roll, lying in the section of ``seat``."""
    return tuple(DieShown(value, seat) for value in roll)


def follow(view: TableView, effect: Effect) -> TableView:
    """Gets the view after one effect of the referee. The placement changes only when a turn was judged."""
    say = view.say
    match effect:
        case Scene():
            return replace(view, scene=effect)
        case PhaseChanged(phase=phase, seat=seat):
            asked = replace(view, phase=phase, on_turn=seat, prompt=view.prompt if phase is Phase.HOLD else "")
            return replace(asked, roll=None, dice=(), advice="") if phase in _BEFORE_THE_ROLL else asked
        case RollRead(valid=valid):
            return _with_roll(replace(view, advice="") if valid else view, effect)
        case TurnJudged():
            return replace(view, placement=effect.after or view.placement, judgement=judged_line(effect, say))
        case Ruled(ruling=ruling, by=by, score=score, length=length):
            said = say(Text.of("ruled", by=by, ruling=say(ruling_text(ruling))))
            ruled = replace(view, prompt="", judgement=said)
            return replace(ruled, score=score, match_length=length) if score else ruled
        case CubeTurned(step=step, by=by, value=value, owner=owner):
            return replace(view, prompt="", cube=say(cube_text(value, owner)), judgement=say(cube_step_text(step, by)))
        case Prompt(text=text, choices=choices):
            return replace(view, prompt=f"{say(text)} ({' / '.join(say(choice_text(choice)) for choice in choices)})")
        case Notice(text=text, to=to) if text.key.startswith(_COACH):
            return replace(view, advice=f"{view.advice} {', '.join(to)}: {say(text)}".strip())
        case Notice(text=text):
            return replace(view, judgement=say(text))
        case ClockShown():
            return replace(view, clock=effect)
        case MatchLost(seat=seat, winner=winner, reason="time"):
            return replace(view, prompt="", judgement=say(Text.of("match.lost_on_time", seat=seat, winner=winner)))
        case GameEnded(winner=winner, points=points, win_kind=kind):
            total = dict(view.score)
            for seat, won in points:
                total[seat] = total.get(seat, 0) + won
            return replace(view, score=tuple(total.items()), cube="", judgement=say(win_text(winner, kind)))
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


def judged_line(turn: TurnJudged, say: Say = in_english) -> str:
    """Gets a judged turn in one line."""
    seat, roll = turn.seat, turn.roll
    if turn.legal and turn.play:
        return say(Text.of("turn_line.legal", seat=seat, roll=roll, play=turn.play))
    if turn.legal:
        return say(Text.of("turn_line.no_move", seat=seat, roll=roll))
    certainty = say(certainty_text(turn.certainty))
    if turn.legal is None:
        verdict = say(Text.of("turn_line.unknown", seat=seat, roll=roll, certainty=certainty))
    else:
        verdict = say(Text.of("turn_line.illegal", seat=seat, roll=roll, certainty=certainty))
    why = "; ".join(say(text) for text in turn.finding.explanation) if turn.finding else ""
    return f"{verdict}: {why}" if why else verdict


def roll_again_line(read: RollRead, say: Say) -> str:
    """Gets in one line that a roll must be thrown again, by whom and why."""
    seat = read.seat
    again = say(Text.of("roll_line.again") if seat is None else Text.of("roll_line.again_by", seat=seat))
    reasons = "; ".join(say(reason) for reason in read.reasons)
    return f"{again}: {reasons}" if reasons else again


def _with_roll(view: TableView, effect: RollRead) -> TableView:
    if not effect.valid:
        return replace(view, roll=None, judgement=roll_again_line(effect, view.say))
    shown = view.dice
    if effect.roll and effect.seat and not shown:
        shown = dice_of_roll(effect.roll, effect.seat)
    return replace(view, roll=effect.roll, dice=shown, judgement=view.say(_rolled(effect)))


def _rolled(read: RollRead) -> Text:
    if read.seat is None:
        return Text.of("roll_line.rolled", roll=read.roll)
    return Text.of("roll_line.rolled_by", seat=read.seat, roll=read.roll)
