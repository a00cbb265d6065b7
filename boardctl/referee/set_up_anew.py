"""A board that is set up for a new game while this one is not over: somebody gave it up, and nobody said who.

Games end by bearing off, by a dropped cube or by a resignation that the other accepts; to cancel one, or to play it
again, is in no text here and forbidden in some (US rules 4.9). The score waits until somebody says what it came to.
"""

from boardctl.referee.effects import Phase, Text
from boardctl.referee.judging import CONTRADICTION
from boardctl.referee.response import Response
from boardctl.referee.weighing import best_board

_PLAYED = (Phase.CUBE, Phase.ROLL, Phase.MOVE, Phase.CONFIRM, Phase.HOLD)


def note_set_up_anew(response: Response) -> None:
    """Says that the board is set up anew, if it is, and how the game can be ended; once in each phase."""
    state = response.state
    if state.phase not in _PLAYED or state.position is None:
        return
    start = response.game.start().placement()
    expected = (state.turn.before if state.turn is not None else state.position).placement()
    evidence = response.evidence
    if expected == start or evidence.hand or not evidence.shows(start):
        return
    board, weight = best_board(response.game, evidence, start)
    if board == start and weight - evidence.weight_of(expected) >= CONTRADICTION:
        response.notice(Text.of("game.set_up_anew"))
