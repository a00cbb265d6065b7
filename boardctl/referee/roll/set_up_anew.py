"""A board that is set up for a new game while this one is not over: somebody gave it up, and nobody said who.

Games end by bearing off, by a dropped cube or by a resignation that the other accepts; to cancel one, or to play it
again, is in no text here and forbidden in some (US rules 4.9). The score waits until somebody says what it came to.

Where the game has not left the starting position, as far as anybody saw, nothing is lost by beginning anew: a throw of
one die each is then taken for an opening.
"""

from boardctl.referee.effects import Phase, Text
from boardctl.referee.facts import DiceRested
from boardctl.referee.response import Response
from boardctl.referee.seen.dice import aside, die_reasons, moved_in, without_glints
from boardctl.referee.seen.judging import CONTRADICTION
from boardctl.referee.seen.weighing import best_board
from boardctl.rules import Placement

_PLAYED = (Phase.CUBE, Phase.ROLL, Phase.MOVE, Phase.CONFIRM, Phase.HOLD)
_BETWEEN = (Phase.CUBE, Phase.ROLL, Phase.CONFIRM)
"""The phases in which a throw is waited for."""


def note_set_up_anew(response: Response) -> None:
    """Says that the board is set up anew, if it is, and how the game can be ended; once in each phase."""
    if not _is_played(response) or _has_not_begun(response) or not _shows_start(response):
        return
    start = response.game.start().placement()
    board, weight = best_board(response.game, response.evidence, start)
    if board == start and weight - response.evidence.weight_of(_expected(response)) >= CONTRADICTION:
        response.notice(Text.of("game.set_up_anew"))


def begin_opening_anew(response: Response, fact: DiceRested) -> None:
    """Goes back to the opening when one die each is thrown on a board that stands as the game began, with nothing
    settled since: the first turn was not seen, or whose the dice were, or a double was dropped that was not heard."""
    state = response.state
    unseen = state.phase is Phase.CONFIRM or state.unsettled is not None or bool(state.unread)
    if state.phase not in _BETWEEN or not unseen or not _is_played(response) or not _has_not_begun(response):
        return
    if len(response.game.seats) != 2 or not _shows_start(response) or not _one_each(response, fact):
        return
    response.notice(Text.of("turn.not_seen"))
    lain = () if state.turn is None else state.turn.dice
    response.change(
        position=response.game.start(),
        position_sure=response.evidence.vouches_for(response.game.start()),
        idle=(*state.idle, *lain),
        rejected=(),
        unread=(),
        unsettled=None,
        previous=None,
        opening_winner=None,
    )
    back_to_opening(response)


def back_to_opening(response: Response) -> None:
    """Lets the game begin with its opening throw, whatever stood. A cube that was turned in a game whose end was not
    seen is in the middle again."""
    response.enter(Phase.OPENING, None, opening=(), turn=None, judged=None, prompt=None)
    response.change(cube=response.state.ledger.opening_cube(), cube_bound=None, cube_doubted=False, resigning=None)


def _is_played(response: Response) -> bool:
    return response.state.phase in _PLAYED and response.state.position is not None


def _expected(response: Response) -> Placement:
    """Gets where the game stood when the turn in progress began."""
    state = response.state
    assert state.position is not None
    return (state.turn.before if state.turn is not None else state.position).placement()


def _has_not_begun(response: Response) -> bool:
    """Whether no turn is known that has changed the starting position."""
    return _expected(response) == response.game.start().placement()


def _shows_start(response: Response) -> bool:
    return not response.evidence.hand and response.evidence.shows(response.game.start())


def _one_each(response: Response, fact: DiceRested) -> bool:
    """Whether two dice were thrown, one flat in each seat's section, as nobody throws who is on turn."""
    state = response.state
    lain = () if state.turn is None else state.turn.dice
    known = (*lain, *state.rejected, *state.idle, *state.unread)
    new = moved_in(fact.reading.dice, known)
    field = without_glints(tuple(die for die in new if die not in aside(new)))
    sections = {die.section for die in field}
    flat = not any(die_reasons(die, die.section, response.ruleset) for die in field)
    return len(field) == 2 and sections == set(response.game.seats) and flat
