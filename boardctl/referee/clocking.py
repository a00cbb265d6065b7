"""The clock at the table: what levers, rulings and the course of the game do to it, and what follows when time is up.

Nothing here ends a turn or switches the clock by itself: that is a player's act, always. What the clock sees of a game
it says: a side that runs although the other seat plays, a time that is up. Facts of a camera come a little late, so
they never move the time that was measured; levers, rulings and the table's own timer do.
"""

from dataclasses import replace

from boardctl.referee.clock import Clock, ClockError
from boardctl.referee.effects import (
    ClockShown,
    ClockSide,
    GameEnded,
    MatchLost,
    Notice,
    Phase,
    RollRead,
    Ruled,
    Text,
)
from boardctl.referee.facts import (
    ButtonPressed,
    ClockResumed,
    ClockStopped,
    Device,
    DeviceChanged,
    Fact,
    FlagCalled,
    PauseReason,
    Role,
    TimeGiven,
    TimePassed,
)
from boardctl.referee.response import Response
from boardctl.referee.ruleset import Ruleset
from boardctl.rules import Game, Seat

_DIRECTOR = (Role.DIRECTOR,)
_ONLY_DIRECTOR = (PauseReason.DIRECTOR, PauseReason.FAULT)
_BEFORE_PLAY = (Phase.SETUP, Phase.OPENING, Phase.GAME_OVER)


def clock_of(ruleset: Ruleset, game: Game, match_length: int | None) -> Clock | None:
    """Gets the clock of a match before its first game; None where the ruleset has none.

    A single game has the time of a match to 1 point.
    """
    return None if ruleset.clock.kind == "none" else Clock.of(ruleset.clock, game.seats, match_length or 1)


def lever_hit(response: Response, fact: ButtonPressed) -> None:
    """Lets a lever end the time of who hit it. The first hit of a game is the lower roller's: it starts the other's."""
    clock, seat = response.state.clock, response.state.seat
    if clock is None or response.state.phase is Phase.MATCH_OVER:
        return
    if fact.by is Role.DIRECTOR:
        _director_hit(response, clock, fact)
        return
    if response.state.phase in _BEFORE_PLAY:
        return
    by = Seat(fact.by.value)
    if by not in response.game.seats or _went_back(response, clock, fact.at_ms):
        return
    at_start = clock.running is None and clock.paused in (None, PauseReason.GAME_START)
    if not at_start:
        _set(response, clock.pressed(by, fact.at_ms))
    elif seat is not None and by is not seat:
        _set(response, clock.started(seat, fact.at_ms))
    elif seat is not None and response.state.position is not None:
        # The starter has played and hit the clock that nobody had started.
        _set(response, clock.started(response.game.next_seat(response.state.position, by), fact.at_ms))
        response.notice(Text.of("clock.started_late", seat=by))


def _director_hit(response: Response, clock: Clock, fact: ButtonPressed) -> None:
    """Stops a clock that runs, and lets one go on that was stopped. While a question stands the button answers that."""
    if response.state.is_asking or _went_back(response, clock, fact.at_ms):
        return
    if clock.running is not None:
        _set(response, clock.stopped(PauseReason.DIRECTOR, fact.at_ms))
    else:
        _set(response, _going_on(clock, fact.at_ms))


def clock_stopped(response: Response, fact: ClockStopped) -> None:
    """Stops the clock, with the reason that stands in the record."""
    clock = response.state.clock
    if clock is None or _went_back(response, clock, fact.at_ms):
        return
    between = response.state.phase in _BEFORE_PLAY
    if fact.by is not Role.DIRECTOR and (
        fact.reason in _ONLY_DIRECTOR or (fact.reason is PauseReason.GAME_START and not between)
    ):
        response.notice(Text.of("clock.no_reason", seat=fact.by, reason=fact.reason.value.replace("_", " ")))
        return
    _set(response, clock.stopped(fact.reason, fact.at_ms))


def _going_on(clock: Clock, at_ms: int, delay_whole: bool = False) -> Clock:
    """Gets the clock after its pause. Between games it waits for a lever, and before the first one, too."""
    if clock.paused in (None, PauseReason.GAME_START):
        return clock
    if clock.stopped_seat is None:
        return replace(clock.advanced(at_ms), paused=None)
    return clock.resumed(at_ms, delay_whole)


def clock_resumed(response: Response, fact: ClockResumed) -> None:
    """Lets the clock go on for the seat whose time was stopped."""
    clock = response.state.clock
    if clock is None or _went_back(response, clock, fact.at_ms):
        return
    if clock.paused in _ONLY_DIRECTOR and fact.by is not Role.DIRECTOR:
        response.notice(Text.of("clock.director_resumes"))
        return
    _set(response, _going_on(clock, fact.at_ms, fact.delay_whole and fact.by is Role.DIRECTOR))


def time_given(response: Response, fact: TimeGiven) -> None:
    """Gives or takes time by a ruling; only a director may."""
    clock = response.state.clock
    if clock is None or fact.by is not Role.DIRECTOR or fact.seat not in response.game.seats:
        return
    if not _went_back(response, clock, fact.at_ms):
        _set(response, clock.given(fact.seat, fact.more_ms, fact.at_ms))
        seconds = f"{fact.more_ms / 1000:+g}"
        response.say(Notice(Text.of("clock.given", seat=fact.seat, seconds=seconds, reason=fact.reason)))


def flag_called(response: Response, fact: FlagCalled) -> None:
    """Somebody says that a time is up: where that loses when it is noticed, it is lost now."""
    clock = response.state.clock
    if clock is None or response.state.phase is Phase.MATCH_OVER or _went_back(response, clock, fact.at_ms):
        return
    _set(response, clock.advanced(fact.at_ms))
    fell = _clock(response).fell
    if not fell:
        response.notice(Text.of("clock.flag_is_up"))
    elif len(fell) > 1:
        told = Text.of("clock.both_down", seat=fell[0])
        untold = Text.of("clock.both_are_down")
        response.say(Notice(told if response.ruleset.clock.tell_first else untold, to=_DIRECTOR))
    elif response.ruleset.clock.flag in ("loses", "loses_when_noticed"):
        _lose(response, fell[0])
    else:
        response.say(Notice(Text.of("clock.flag_fell", seat=fell[0])))


def time_passed(response: Response, fact: TimePassed) -> None:
    """Looks whether a time is up by now. A look alone changes nothing else, however often it happens."""
    clock = response.state.clock
    if clock is None or response.state.phase is Phase.MATCH_OVER or fact.at_ms < clock.at_ms:
        return
    later = clock.advanced(fact.at_ms)
    used = [side.overtimes_used for _, side in later.sides]
    if later.fell != clock.fell or used != [side.overtimes_used for _, side in clock.sides]:
        _set(response, later)


def before_fact(response: Response, fact: Fact) -> None:
    """Does what a fact does to the clock before the game is asked about it."""
    if isinstance(fact, ButtonPressed):
        lever_hit(response, fact)


def after_fact(response: Response, fact: Fact, clock_before: Clock | None) -> None:
    """Does what followed from a fact to the clock, and says how the clock stands if that has changed."""
    if response.state.clock is None:
        return
    for effect in tuple(response.effects):
        _follow(response, fact, effect)
    if isinstance(fact, DeviceChanged) and fact.device is Device.PANEL and not fact.working:
        _levers_lost(response, fact)
    _hold(response, fact)
    if clock_before is None or _clock(response) == clock_before:
        return
    _tell_overtime(response, clock_before)
    clock = _clock(response)
    _tell_flags(response, clock_before)
    sides = (ClockSide(seat, s.reserve_ms, s.delay_ms, s.flagged, s.overtimes_used) for seat, s in clock.sides)
    response.say(ClockShown(clock.at_ms, clock.running, clock.paused, tuple(sides)))


def _hold(response: Response, fact: Fact) -> None:
    """Stops the clock while nobody could play on, whatever they did; it goes on with the game. Who stopped it before
    that lets it go on, too."""
    clock, held = _clock(response), response.state.phase is Phase.HOLD
    if held and clock.running is not None and not response.state.held:
        response.change(held=True)
        _set(response, clock.stopped(PauseReason.CONTEST, _instant(response, fact)))
    elif not held and response.state.held:
        response.change(held=False)
        if clock.paused is not PauseReason.CONTEST:
            return
        rulings = [effect for effect in response.effects if isinstance(effect, Ruled)]
        again = next((effect.seat for effect in rulings if effect.ruling == "must_replay"), None)
        if isinstance(again, Seat):
            whole = response.ruleset.clock.replay == "delay_whole"
            _set(response, clock.started(again, _instant(response, fact), delay_whole=whole))
        else:
            _set(response, _going_on(clock, _instant(response, fact)))


def _levers_lost(response: Response, fact: Fact) -> None:
    """Stops the clock: without levers nobody could end their own time."""
    clock = _clock(response)
    if clock.running is not None:
        _set(response, clock.stopped(PauseReason.FAULT, _instant(response, fact)))


def _follow(response: Response, fact: Fact, effect: object) -> None:
    clock, terms = _clock(response), response.ruleset.clock
    match effect:
        case Ruled(ruling="must_replay", seat=Seat() as seat) if clock.running is not None:
            whole = terms.replay == "delay_whole"
            _set(response, clock.started(seat, _instant(response, fact), delay_whole=whole))
        case GameEnded() if clock.running is not None or clock.stopped_seat is not None:
            _set(response, clock.stopped(PauseReason.GAME_START, _instant(response, fact)))
        case RollRead(seat=Seat() as seat) if _is_wrong_for(response, seat):
            say_wrong_clock(response, seat)
        case RollRead(valid=False) if terms.cocked == "delay_restarts" and clock.running is not None:
            _set(response, clock.started(clock.running, _instant(response, fact)))
        case _:
            pass


def _is_wrong_for(response: Response, seat: Seat) -> bool:
    """Whether a seat that throws has not its own time running, though its opponent has played."""
    clock = _clock(response)
    not_started = clock.running is None and clock.paused in (None, PauseReason.GAME_START)
    second_turn = response.state.opening_winner not in (None, seat)
    return clock.running is not seat and (clock.running is not None or (not_started and second_turn))


def say_wrong_clock(response: Response, seat: Seat) -> None:
    """Says that a seat has thrown while the clock of another runs, or before anybody has started it, if that is so."""
    clock = response.state.clock
    if clock is None or not _is_wrong_for(response, seat):
        return
    if clock.running is None:
        response.notice(Text.of("clock.not_started"))
    else:
        response.notice(Text.of("clock.runs_for_other", running=clock.running, seat=seat))


def _tell_overtime(response: Response, before: Clock) -> None:
    for seat, side in _clock(response).sides:
        for number in range(before.side(seat).overtimes_used, side.overtimes_used):
            seconds = response.ruleset.clock.overtime_s[number]
            response.say(Notice(Text.of("clock.overtime", seat=seat, seconds=seconds), to=_DIRECTOR))


def _tell_flags(response: Response, before: Clock) -> None:
    """Does what the ruleset says about a flag that has just fallen. Where it counts when noticed, nobody is told."""
    for seat in _clock(response).fell:
        if seat in before.fell or response.state.phase is Phase.MATCH_OVER:
            continue
        match response.ruleset.clock.flag:
            case "loses":
                _lose(response, seat)
            case "penalty_points":
                response.say(Notice(Text.of("clock.penalty", seat=seat), to=_DIRECTOR))
            case "none":
                response.say(Notice(Text.of("clock.flag_fell", seat=seat)))
            case "loses_when_noticed":
                pass


def _lose(response: Response, seat: Seat) -> None:
    """Ends the match: a time is up."""
    others = [other for other in response.game.seats if other is not seat]
    response.change(turn=None, judged=None, prompt=None, late_roll=None)
    response.say(MatchLost(seat, others[0], "time"))
    response.enter(Phase.MATCH_OVER, None)
    response.show([])
    response.cue("over")
    clock = _clock(response)
    _set(response, clock.stopped(PauseReason.CONCESSION, clock.at_ms))


def _went_back(response: Response, clock: Clock, at_ms: int) -> bool:
    """Whether a fact is of a time before the clock's: then it is refused, and the clock stopped where it stood."""
    try:
        clock.advanced(at_ms)
    except ClockError:
        stopped = clock.stopped(PauseReason.FAULT, clock.at_ms) if clock.running is not None else clock
        _set(response, stopped)
        response.say(Notice(Text.of("clock.went_back", stood_ms=clock.at_ms, told_ms=at_ms)))
        return True
    return False


def _instant(response: Response, fact: Fact) -> int:
    """Gets when a fact happened for the clock, whose time has perhaps been measured later than that already."""
    return max(fact.at_ms, _clock(response).at_ms)


def _clock(response: Response) -> Clock:
    clock = response.state.clock
    assert clock is not None
    return clock


def _set(response: Response, clock: Clock) -> None:
    response.change(clock=clock)


__all__ = [
    "after_fact",
    "before_fact",
    "clock_of",
    "clock_resumed",
    "clock_stopped",
    "flag_called",
    "time_given",
    "time_passed",
]
