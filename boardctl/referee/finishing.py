"""The end of a game: what it counts, with the cube and without, and whether it ends the match."""

from boardctl.referee.effects import Certainty, GameEnded, Phase
from boardctl.referee.response import Response
from boardctl.rules import EndedBy, Outcome, Result, Seat, WinKind
from boardctl.rules.cube import CENTRED


def finish_game(response: Response, result: Result) -> None:
    """Ends a game that was played to its end."""
    ledger = response.state.ledger
    if ledger is None or result.winner is None:
        _finish(response, result.winner, result.kind, dict(result.points))
    else:
        finish_by(response, ledger.won(result.winner, result.kind, response.state.cube))


def finish_by(response: Response, outcome: Outcome) -> None:
    """Ends a game by an outcome that the ledger counts: borne off, dropped or resigned."""
    ledger = response.state.ledger
    assert ledger is not None
    response.change(ledger=ledger.after(outcome))
    gaining = [seat for seat in response.game.seats if outcome.winner in (seat, None)]
    _finish(response, outcome.winner, outcome.kind, dict.fromkeys(gaining, outcome.points), outcome.ended_by)


def resign_without_cube(response: Response, loser: Seat, level: WinKind) -> None:
    """Ends a game that was resigned where there is no cube."""
    winner = next(seat for seat in response.game.seats if seat is not loser)
    _finish(response, winner, level, {winner: int(level)}, EndedBy.RESIGNED)


def _finish(
    response: Response,
    winner: Seat | None,
    kind: WinKind,
    points: dict[Seat, int],
    ended_by: EndedBy = EndedBy.BORNE_OFF,
) -> None:
    scored = dict(response.state.score)
    for seat in response.game.seats:
        scored[seat] = scored.get(seat, 0) + points.get(seat, 0)
    response.change(
        turn=None,
        judged=None,
        prompt=None,
        late_roll=None,
        score=tuple(scored.items()),
        cube=CENTRED,
        cube_bound=None,
        opening_winner=None,
        last_roll_due=False,
    )
    gained = tuple((seat, points.get(seat, 0)) for seat in response.game.seats)
    name = kind.name or str(int(kind))
    seen = ended_by in (EndedBy.DROPPED, EndedBy.RESIGNED) or response.state.position_sure
    certainty = Certainty.CERTAIN if seen else Certainty.PROBABLE
    response.say(GameEnded(winner, gained, name.lower(), ended_by=ended_by.value, certainty=certainty))
    length = response.match.length
    over = length is not None and max(scored.values()) >= length
    response.enter(Phase.MATCH_OVER if over else Phase.GAME_OVER, None)
    response.show([])
    response.cue("over")
