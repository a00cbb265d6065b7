"""What repeats itself: proposed to the director, who decides. Nothing is ever put on the score by itself.

Illegal plays of one player draw the penalties that the rules know, and so do pauses that are too long. Illegal plays
that one player lets pass again and again draw none: whether he saw them, no camera sees. They are counted and told.
"""

from boardctl.referee.clock import Clock
from boardctl.referee.effects import Ruled, Text, TurnJudged
from boardctl.referee.facts import Answered, Choice, ClockStopped, Fact, PauseReason, Role
from boardctl.referee.response import Response
from boardctl.referee.ruleset import LateTerms
from boardctl.referee.state import Pause, State
from boardctl.rules import Seat

_FOUND = ("must_replay", "condoned", "accepted")
_A_PATTERN = 3
"""From how many illegal plays on that a player has let pass the director is told. "Repeatedly" is all that the rules
say; two may happen to anybody."""
_AWAITED = (PauseReason.GAME_START, PauseReason.BREAK)
"""Pauses after which everybody is to be there again."""


def propose(response: Response, fact: Fact, before: State) -> None:
    """Proposes what follows from a fact: for repeated illegal plays, and for a pause that was too long.

    ``before``: how it stood when the fact came.
    """
    denied = isinstance(fact, Answered) and fact.choice is Choice.DENY
    for effect in tuple(response.effects):
        if isinstance(effect, Ruled) and effect.ruling in _FOUND and effect.seat is not None and not denied:
            if effect.ruling == "must_replay" or not _was_required(response, before):
                _count_illegal(response, effect.seat)
            if effect.ruling == "condoned":
                _count_let_pass(response, effect.by, effect.seat)
    clock = response.state.clock
    if clock is not None and clock != before.clock:
        _watch_pause(response, fact, clock)


def _was_required(response: Response, before: State) -> bool:
    """Whether the play that is let stand now is the very one that had to be made again: it was counted then."""
    told = [effect for effect in response.effects if isinstance(effect, TurnJudged)]
    judged = told[-1] if told else before.judged or before.required
    return before.required is not None and judged is not None and judged.after == before.required.after


def _count_illegal(response: Response, seat: Seat) -> None:
    """Counts an illegal play; from the second one of a player on there is something to propose."""
    steps = response.ruleset.penalties
    counts = dict(response.state.illegal_plays)
    counts[seat] = counts.get(seat, 0) + 1
    response.change(illegal_plays=tuple(counts.items()))
    repeats = counts[seat] - 1
    if repeats and steps:
        step = steps[min(repeats, len(steps)) - 1]
        warning = Text.of("penalty.warning", seat=seat, count=counts[seat])
        points = Text.of("penalty.points", seat=seat, count=counts[seat])
        response.tell_director(warning if step == "warning" else points)


def _count_let_pass(response: Response, by: str, seat: Seat) -> None:
    """Counts an illegal play that was let pass by rolling or doubling after it."""
    counts = dict(response.state.let_pass)
    counts[by] = counts.get(by, 0) + 1
    response.change(let_pass=tuple(counts.items()))
    if counts[by] >= _A_PATTERN:
        response.tell_director(Text.of("pattern.let_pass", seat=by, count=counts[by], other=seat))


def _watch_pause(response: Response, fact: Fact, clock: Clock) -> None:
    """Remembers when a pause began, and looks how long it was when the clock goes on."""
    pause = response.state.pause
    if clock.paused in _AWAITED:
        if pause is None or pause.reason is not clock.paused:
            by = fact.by if isinstance(fact, ClockStopped) else None
            response.change(pause=Pause(clock.paused, fact.at_ms, by))
    elif pause is not None and clock.running is not None:
        response.change(pause=None)
        late = response.ruleset.late
        if late is not None:
            _judge_pause(response, late, pause, fact.at_ms - pause.at_ms)


def _judge_pause(response: Response, late: LateTerms, pause: Pause, lasted_ms: int) -> None:
    allowed_s = late.break_s if pause.reason is PauseReason.BREAK else 0
    over_ms = lasted_ms - (allowed_s + late.first_s) * 1000
    if over_ms < 0:
        return
    points = 1 + over_ms // (late.each_s * 1000)
    minutes = round(lasted_ms / 60_000)
    seat = pause.by if pause.by not in (None, Role.DIRECTOR) else None
    if seat is None:
        response.tell_director(Text.of("late.points", minutes=minutes, points=points))
    else:
        response.tell_director(Text.of("late.points_for", minutes=minutes, points=points, seat=seat))
    length = response.state.ledger.rules.length
    if length is not None and 2 * points > length:
        response.tell_director(Text.of("late.decides", points=points, length=length))
