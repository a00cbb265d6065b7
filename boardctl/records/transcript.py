"""From what the referee said to the record of a match: every roll, what was played with it, what each game came to.

Nothing is made up. A play stands in the record when the referee judged it, and the next turn began where it led. What
was not seen, not settled, or seen to be otherwise in the turn after it is recorded as a turn that was not seen.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from boardctl.records import formats
from boardctl.records.formats import Action, GameRecord, MatchRecord, NotSeen, Resigned, Rolled, SetUp
from boardctl.referee.effects import CubeTurned, Effect, GameEnded, RollRead, Ruled, TurnJudged
from boardctl.rules import (
    EndedBy,
    Faults,
    Game,
    Match,
    MatchRules,
    OfferKind,
    Outcome,
    Placement,
    Play,
    Roll,
    Seat,
    WinKind,
)

_STILL_OPEN = 2
"""How many of the last turns a judgement may be about: the one in progress, and the one before it where only the turn
after it told how it ended."""

_PUT_RIGHT_BY = "players"  # whom the referee names when a board that it held was put right


class TranscriptError(ValueError):
    """Effects that no referee said in this order."""


@dataclass(slots=True)
class _Turn:
    """A roll, with the last judgement of its play and the ruling on that."""

    seat: Seat
    roll: Roll
    judged: TurnJudged | None = None
    ruled: Ruled | None = None
    before: Placement | None = None


_Step = _Turn | Ruled | CubeTurned  # a ruling by itself: the board, the cube or the score was set anew

_BY_ITSELF = ("set_up", "cube_set", "score_set")


def transcript(
    effects: Iterable[Effect], game: Game, rules: MatchRules, players: Mapping[Seat, str] | None = None
) -> MatchRecord:
    """Gets the record of what a referee said, in order, from the first fact on. The last game may still be running.

    :raises TranscriptError: when a play is judged that nobody rolled for, or that is none of the game.
    """
    games: list[GameRecord] = []
    steps: list[_Step] = []
    equal_opening_rolls = 0
    for effect in effects:
        match effect:
            case RollRead(valid=True, seat=Seat() as seat, roll=Roll() as roll):
                steps.append(_Turn(seat, roll))
            case RollRead(reasons=reasons):
                equal_opening_rolls += not steps and any(reason.key == "opening.equal" for reason in reasons)
            case TurnJudged():
                turn = _turn_of(steps, effect)
                turn.judged, turn.ruled, turn.before = effect, None, effect.before
            case Ruled(ruling="length_set", length=length):
                rules = replace(rules, length=length)
            case Ruled(ruling=ruling) if ruling in _BY_ITSELF:
                steps.append(effect)
            case Ruled():
                _rule(steps, effect)
            case CubeTurned(step="automatic"):
                pass  # the equal opening rolls are counted
            case CubeTurned(step="withdrawn"):
                _withdraw(steps)
            case CubeTurned():
                steps.append(effect)
            case GameEnded():
                outcome = _outcome(effect, game, _cube_value(steps, rules, equal_opening_rolls))
                actions = (*_actions(steps, game), *_resignation(effect, outcome, game))
                games.append(GameRecord(actions, outcome, equal_opening_rolls))
                steps, equal_opening_rolls = [], 0
            case _:
                pass
    if steps:
        games.append(GameRecord(_actions(steps, game), None, equal_opening_rolls))
    return MatchRecord(players or dict.fromkeys(game.seats, ""), _until_won(games, game, rules), rules, game)


def _until_won(games: Sequence[GameRecord], game: Game, rules: MatchRules) -> tuple[GameRecord, ...]:
    """Gets the games until somebody has won the match: a director may rule that it was to be shorter than it was
    begun, and what was played beyond that is no part of it."""
    match = Match.of(game, rules)
    for number, recorded in enumerate(games):
        if match.winner is not None:
            return tuple(games[:number])
        if recorded.outcome is not None:
            match = match.after(recorded.outcome)
    return tuple(games)


def _turn_of(steps: Sequence[_Step], judged: TurnJudged) -> _Turn:
    turns = [step for step in steps if isinstance(step, _Turn)][-_STILL_OPEN:]
    for turn in reversed(turns):
        if (turn.seat, turn.roll) == (judged.seat, judged.roll):
            return turn
    raise TranscriptError(f"a play of {judged.seat.value} with {judged.roll} was judged that nobody rolled for")


def _withdraw(steps: list[_Step]) -> None:
    """Takes the last offer of the cube out again."""
    last = next(number for number in reversed(range(len(steps))) if isinstance(steps[number], CubeTurned))
    del steps[last]


def _rule(steps: list[_Step], ruled: Ruled) -> None:
    if ruled.ruling == "noted":
        return
    turn = next((step for step in reversed(steps) if isinstance(step, _Turn)), None)
    if turn is None:
        raise TranscriptError(f"a play was ruled to be {ruled.ruling} before anybody rolled")
    if ruled.ruling == "must_replay":
        turn.judged, turn.ruled = None, None
    elif ruled.ruling == "restored":
        steps.remove(turn)
    else:
        turn.ruled = ruled


def _actions(steps: Sequence[_Step], game: Game) -> tuple[Action, ...]:
    actions: list[Action] = []
    following: _Turn | Ruled | None = None
    for step in reversed(steps):
        if isinstance(step, CubeTurned):
            actions.append(_cube_action(step))
        else:
            actions.append(_action(game, step, following))
            following = step
    return tuple(reversed(actions))


def _cube_action(turned: CubeTurned) -> Action:
    assert turned.by is not None
    if turned.step in ("take", "drop"):
        return formats.CubeAnswered(turned.by, turned.step == "take")
    return formats.CubeTurned(turned.by, OfferKind(turned.step))


def _cube_value(steps: Sequence[_Step], rules: MatchRules, equal_opening_rolls: int) -> int:
    """Gets what the cube stood at in the end."""
    turned = [step.value for step in steps if isinstance(step, CubeTurned)]
    return turned[-1] if turned else 2 ** min(equal_opening_rolls, rules.automatic_doubles)


def _resignation(ended: GameEnded, outcome: Outcome, game: Game) -> tuple[Action, ...]:
    if outcome.ended_by is not EndedBy.RESIGNED:
        return ()
    return (Resigned(next(seat for seat in game.seats if seat is not ended.winner), outcome.kind),)


def _action(game: Game, step: _Turn | Ruled, following: _Turn | Ruled | None) -> Action:
    onward = following.before if isinstance(following, _Turn) else None
    position = None if onward is None else game.position_of(onward)
    if isinstance(step, Ruled):
        return SetUp(position, step.by)
    return _played(game, step, onward) or NotSeen(step.seat, step.roll, position)


def _played(game: Game, turn: _Turn, onward: Placement | None) -> Rolled | None:
    """Gets what was played; None when that was not seen. ``onward``: where the turn after it began, if known."""
    judged = turn.judged
    if judged is None or judged.after is None or judged.legal is None:
        return None
    if judged.legal:
        if onward not in (None, judged.after):
            return None
        play = _play_to(game, judged, judged.after)
        if play is None:
            raise TranscriptError(f"{judged.play} of {judged.seat.value} with {judged.roll} is no play of {game.name}")
        return Rolled(turn.seat, turn.roll, play)
    if turn.ruled is None:
        return None
    if turn.ruled.by == _PUT_RIGHT_BY and onward is not None:
        stood = onward
        if (play := _play_to(game, judged, stood)) is not None:
            return Rolled(turn.seat, turn.roll, play)
    else:
        stood = judged.after
    if onward not in (None, stood) or game.faults(stood) is not Faults.NONE:
        return None
    return Rolled(turn.seat, turn.roll, Play((), game.position_of(stood)), legal=False)


def _play_to(game: Game, judged: TurnJudged, after: Placement) -> Play | None:
    plays = game.plays(game.position_of(judged.before), judged.seat, judged.roll)
    return next((play for play in plays if play.position.placement() == after), None)


def _outcome(ended: GameEnded, game: Game, cube_value: int) -> Outcome:
    """Gets how a game ended."""
    kind = WinKind[ended.win_kind.upper()]
    points = max((won for _, won in ended.points), default=0)
    shares = ended.points if len(game.seats) > 2 else ()
    return Outcome(ended.winner, points, kind, EndedBy(ended.ended_by), cube_value, shares)
