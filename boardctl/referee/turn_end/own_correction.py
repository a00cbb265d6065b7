"""An illegal play that its own maker puts right, while the opponent is asked what is to become of it.

The opponent does not lose that choice by it: "accept it as made or require a legal play". The game goes on from the
legal play at once, so that nobody waits for an answer; until somebody rolls or doubles, who was asked may still hold
the maker to the play as it was made, by saying so or by laying it as it was.
"""

from dataclasses import dataclass

from boardctl.referee.effects import Phase, Text, TurnJudged
from boardctl.referee.facts import Answered, BoardSeen, Choice, Role
from boardctl.referee.response import Response
from boardctl.referee.roll.before_roll import changed_board
from boardctl.referee.roll.rolling import answered_in_roll, answers, board_in_roll
from boardctl.referee.state import PUT_RIGHT, PutRight
from boardctl.referee.turn.leading_back import lead_back
from boardctl.referee.turn_end.correction_window import put_to_players
from boardctl.referee.turn_end.going_on import accept, advance
from boardctl.rules import Faults, Position

_BEFORE_ROLL = (Phase.CUBE, Phase.ROLL)


@dataclass(frozen=True, slots=True)
class Asked:
    """An illegal play that stood before the opponent: what was said of it, and who was asked."""

    judged: TurnJudged
    to: tuple[Role, ...]


def asked_about(response: Response) -> Asked | None:
    """Gets the illegal play of which the opponent is to choose what becomes, if there is one he could let stand."""
    judged, prompt = response.state.judged, response.state.prompt
    if judged is None or judged.after is None or prompt is None or prompt.text.key != "ask.illegal":
        return None
    if response.game.faults(judged.after) is not Faults.NONE or response.state.late_roll is not None:
        return None  # nobody could play on from it; or the opponent has rolled, and has accepted what stands now
    return Asked(judged, prompt.to)


def advance_put_right(response: Response, position: Position, sure: bool, asked: Asked | None) -> None:
    """Goes on from the legal play that an illegal one was made into, and asks who may hold the maker to the latter.

    ``asked``: what he was asked about; None: the play is legal, and that is all.
    """
    turn, before, due = response.state.turn, response.state.position, response.state.last_roll_due
    advance(response, position, sure)
    state = response.state
    if asked is None or turn is None or before is None or state.phase not in _BEFORE_ROLL or state.last_roll_due != due:
        return
    response.change(put_right=PutRight(asked.judged, turn, before))
    text = Text.of("ask.put_right", seat=asked.judged.seat, roll=asked.judged.roll)
    response.ask(asked.to, text, (Choice.ACCEPT,))


def board_before_roll(response: Response, fact: BoardSeen) -> None:
    """Notices a board that changed although nobody has rolled, and leads back to what it was."""
    response.take_reading(fact)
    if not _laid_as_made(response):
        board_in_roll(response, fact)


def answered_before_roll(response: Response, fact: Answered) -> None:
    """Takes the answer to whose turn it is, to what becomes of a start, or of a play that was put right."""
    if not _may_be_held(response):
        answered_in_roll(response, fact)
    elif answers(response, fact):
        _hold_to_it(response, fact.by.value)


def _may_be_held(response: Response) -> bool:
    """Whether the maker of the turn before may still be held to it as it was made."""
    prompt = response.state.prompt
    return prompt is not None and prompt.text.key == PUT_RIGHT and response.state.phase in _BEFORE_ROLL


def _hold_to_it(response: Response, by: str) -> None:
    """Lets the play stand as it was made, because who was asked says so; the board is led back to it."""
    _take_back(response)
    accept(response, by, "accepted")
    response.change(ended_on=())  # the board stands as it was put right: that is no measure of what it should be
    state = response.state
    if state.position is None or state.phase not in _BEFORE_ROLL:
        return
    board = changed_board(response)
    if board is not None:
        response.enter(Phase.REPAIR, state.seat, repaired_phase=state.phase)
        lead_back(response, state.position.placement(), board)


def _laid_as_made(response: Response) -> bool:
    """Puts an illegal play to the opponent again that was put right and now lies there as it was made; whether it
    does."""
    put_right = response.state.put_right
    if not _may_be_held(response) or put_right is None or put_right.judged.after is None:
        return False
    as_made = put_right.judged.after
    evidence = response.evidence
    if evidence.hand or changed_board(response) != as_made or not evidence.vouches_for(as_made):
        return False
    _take_back(response)
    put_to_players(response)
    return True


def _take_back(response: Response) -> None:
    """Lets the turn that was put right stand before the opponent again, as it was made and judged."""
    put_right = response.state.put_right
    assert put_right is not None
    response.change(
        position=put_right.before,
        position_sure=put_right.turn.before_sure,
        turn=put_right.turn,
        judged=put_right.judged,
        previous=None,
        put_right=None,
        prompt=None,
        turns_played=response.state.turns_played - 1,
        ended_on=(),
    )
    response.enter(Phase.CONFIRM, put_right.turn.seat)
    response.say(put_right.judged)
