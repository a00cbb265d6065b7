"""Turns whose end was not seen well enough: what is seen in the turn after them tells what was played."""

from dataclasses import replace

from boardctl.referee.effects import Certainty, Phase, TurnJudged
from boardctl.referee.response import Response
from boardctl.referee.seen.judging import AGREEMENT, LIKELY_ODDS, SURE_ODDS
from boardctl.referee.seen.weighing import Evidence, best_board, weigh_graph
from boardctl.referee.state import Turn, Unsettled
from boardctl.referee.turn.parts import at_stand, first_stand
from boardctl.rules import Position, write_play
from boardctl.rules.turn import moves_in, plays_in

_MOST_RESULTS = 16
"""How many results are kept: every one is played on in thought, and more than these differ where nobody looked."""


def leaving_unsettled(response: Response, as_made: Position | None = None, accepted: bool = False) -> Position:
    """Keeps what the turn may have led to, and gets the likeliest position, to go on from.

    ``as_made``: the position as it was seen, although no legal play leads there. When the play was ``accepted`` it
    comes first; otherwise the players say that it was misread, and it comes last: where the play began may have been
    misread, too.
    """
    turn = response.state.turn
    assert turn is not None
    weights = weigh_graph(response.evidence, response.graph)
    ranked = sorted(response.plays, key=lambda position: -weights[position])
    best = weights[ranked[0]]
    likely = [position for position in ranked if best - weights[position] < SURE_ODDS][:_MOST_RESULTS]
    if as_made is not None and as_made not in likely:
        likely = [as_made, *likely] if accepted else [*likely, as_made]
    response.change(unsettled=Unsettled(turn, tuple(likely), said=accepted))
    return likely[0]


def settle_earlier(response: Response) -> None:
    """Looks whether what was seen now tells how the turn before ended; if so, it is judged, and the turn in progress is
    played from there."""
    state = response.state
    unsettled = state.unsettled
    evidence = response.evidence
    if unsettled is None or not evidence.weights or (state.turn is not None and state.turn.parts):
        return
    reached = {position: _best_reached(response, evidence, position) for position in unsettled.results}
    ranked = sorted(reached, key=lambda position: -reached[position][0])
    best = ranked[0]
    weight, nearest = reached[best]
    _, board_weight = best_board(response.game, evidence, nearest.placement())
    margin = weight - reached[ranked[1]][0] if len(ranked) > 1 else SURE_ODDS
    if board_weight - weight > AGREEMENT or margin < LIKELY_ODDS:
        return
    if not (unsettled.said and best == unsettled.results[0]):
        _say(response, unsettled.turn, best)
    response.change(unsettled=None, position=best, position_sure=False)
    if state.turn is not None:
        stand = first_stand(response.game, best, state.turn.roller, state.turn.stand.roll)
        response.change(turn=replace(at_stand(state.turn, stand, best, ()), before_sure=False))


def _best_reached(response: Response, evidence: Evidence, position: Position) -> tuple[float, Position]:
    """Gets the weight of the best position that the turn in progress can have reached from a position, and it."""
    turn = response.state.turn
    if turn is None:
        return evidence.weight_of(position), position
    stand = first_stand(response.game, position, turn.roller, turn.stand.roll)
    weights = weigh_graph(evidence, moves_in(response.game, position, stand))
    nearest = max(weights, key=lambda reached: weights[reached])
    return weights[nearest], nearest


def _say(response: Response, turn: Turn, result: Position | None) -> None:
    plays = plays_in(response.game, turn.before, turn.stand)
    play = next((play for play in plays if play.position == result), None)
    response.say(
        TurnJudged(
            turn.seat,
            turn.roll,
            write_play(response.game, turn.seat, play) if play is not None else None,
            True if play is not None else None,
            Certainty.PROBABLE if play is not None else Certainty.BLIND,
            turn.before.placement(),
            result.placement() if result is not None else None,
        )
    )


def drop_unsettled(response: Response) -> None:
    """Says that an earlier turn can no longer be told, if there is one: the turn after it has ended, too."""
    unsettled = response.state.unsettled
    if unsettled is not None and response.state.phase is not Phase.MATCH_OVER:
        if not unsettled.said:
            _say(response, unsettled.turn, None)
        response.change(unsettled=None)
