"""A director decides: what he decides supersedes what stood, and is kept with his name and his reason."""

from dataclasses import replace

from boardctl.referee.effects import Phase, Ruled, Ruling, Text
from boardctl.referee.facts import Decision, DirectorRuled
from boardctl.referee.response import Response
from boardctl.referee.turn.turns import begin_turn
from boardctl.referee.turn.unsettled import drop_unsettled
from boardctl.referee.turn_end.finishing import leave_game
from boardctl.referee.turn_end.going_on import accept, require
from boardctl.rules import Match, Seat

_IN_A_TURN = (Phase.MOVE, Phase.CONFIRM, Phase.HOLD)
_OVER = (Phase.GAME_OVER, Phase.MATCH_OVER)


def director_ruled(response: Response, fact: DirectorRuled) -> None:
    """Puts a director's decision into force, if what it is about still stands; else says that nothing does."""
    match fact.decision:
        case Decision.ACCEPT:
            _accept(response, fact)
        case Decision.REQUIRE:
            _require(response, fact)
        case Decision.RESTORE:
            _restore(response, fact)
        case Decision.SCORE:
            _score(response, fact)
        case Decision.LENGTH:
            _length(response, fact)
        case Decision.CUBE:
            _cube(response, fact)
        case Decision.NOTE:
            _say(response, "noted", fact, fact.seat)


def _say(response: Response, ruling: Ruling, fact: DirectorRuled, seat: Seat | None) -> None:
    response.say(Ruled(ruling, _by(fact), seat, reason=fact.reason, row=fact.row))


def _by(fact: DirectorRuled) -> str:
    return f"director {fact.name}"


def _nothing(response: Response) -> None:
    response.notice(Text.of("director.nothing_stands"))


def _accept(response: Response, fact: DirectorRuled) -> None:
    state = response.state
    judged = state.required if state.phase is Phase.MOVE else state.judged
    if state.phase not in _IN_A_TURN or judged is None or judged.after is None:
        _nothing(response)
        return
    response.change(judged=judged)
    _say(response, "noted", fact, judged.seat)
    accept(response, _by(fact), "accepted")


def _require(response: Response, fact: DirectorRuled) -> None:
    turn = response.state.turn
    if response.state.phase not in _IN_A_TURN or turn is None:
        _nothing(response)
        return
    _say(response, "noted", fact, turn.seat)
    require(response, _by(fact))


def _restore(response: Response, fact: DirectorRuled) -> None:
    """The position before the roll is restored, and its seat rolls again. A turn that has ended since is undone, too,
    as long as nobody has rolled after it."""
    state = response.state
    turn = state.turn if state.phase in _IN_A_TURN else state.previous
    if turn is None or state.phase not in (*_IN_A_TURN, Phase.CUBE, Phase.ROLL):
        _nothing(response)
        return
    drop_unsettled(response)
    idle = tuple(dict.fromkeys((*state.idle, *turn.dice)))
    response.change(
        position=turn.before, position_sure=turn.before_sure, previous=None, rejected=(), late_roll=None, idle=idle
    )
    _say(response, "restored", fact, turn.seat)
    begin_turn(response, turn.seat)
    response.notice(Text.of("director.restored", seat=turn.seat))


def _score(response: Response, fact: DirectorRuled) -> None:
    seats = response.game.seats
    points = dict(fact.score)
    if set(points) != set(seats) or any(value < 0 for value in points.values()):
        response.notice(Text.of("director.score_unclear", seats=", ".join(seat.value for seat in seats)))
        return
    score = tuple(points[seat] for seat in seats)
    _count_anew(response, fact, "score_set", replace(response.state.ledger, score=score))


def _length(response: Response, fact: DirectorRuled) -> None:
    """Goes on with a match that was begun with a wrong length, or ends it: who first had enough has won."""
    try:
        after = response.state.ledger.to_length(fact.length or 0)
    except ValueError as error:
        response.notice(Text.of("director.length_unclear", why=error))
        return
    _count_anew(response, fact, "length_set", after)


def _count_anew(response: Response, fact: DirectorRuled, ruling: Ruling, after: Match) -> None:
    """Puts the score and the length of the match right; it may be over then, or no longer over."""
    before = response.state.ledger
    response.change(ledger=after)
    response.say(
        Ruled(
            ruling,
            _by(fact),
            None,
            reason=fact.reason,
            row=fact.row,
            score=response.state.score,
            length=after.rules.length,
        )
    )
    if after.winner is not None and response.state.phase is not Phase.MATCH_OVER:
        leave_game(response, Phase.MATCH_OVER)
    elif before.winner is not None and after.winner is None and response.state.phase is Phase.MATCH_OVER:
        _go_on(response)


def _go_on(response: Response) -> None:
    """Lets a match that its score no longer decides go on with its next game."""
    leave_game(response, Phase.SETUP if response.state.position is None else Phase.GAME_OVER)


def _cube(response: Response, fact: DirectorRuled) -> None:
    """Puts the cube right: before the next game begins, never after; what it counted in a game that ended stands."""
    state = response.state
    powers = {2**power for power in range(11)}
    if not state.ledger.has_cube or state.phase in _OVER or fact.cube_value not in powers:
        response.notice(Text.of("director.no_cube"))
        return
    cube = replace(state.cube, value=fact.cube_value, owner=fact.cube_owner, offer=None)
    response.change(cube=cube, cube_bound=None)
    if state.prompt is not None and state.prompt.text.key == "ask.double":
        response.change(prompt=None)
    _say(response, "cube_set", fact, fact.cube_owner)
