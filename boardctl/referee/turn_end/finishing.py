"""The end of a game: what it counts, and whether it ends the match."""

from boardctl.referee.effects import Certainty, GameEnded, Phase
from boardctl.referee.response import Response
from boardctl.referee.roll.missing import counted
from boardctl.rules import EndedBy, Outcome, Result
from boardctl.rules.cube import CENTRED

_SAID = (EndedBy.DROPPED, EndedBy.RESIGNED)
"""Ends that hang on what somebody said, and not on where the checkers are."""


def finish_game(response: Response, result: Result) -> None:
    """Ends a game that was played to its end."""
    state = response.state
    finish_by(response, state.ledger.ended(counted(response, result), state.cube))


def finish_by(response: Response, outcome: Outcome) -> None:
    """Ends a game by an outcome that the ledger counts, and the match when that decides it."""
    response.change(ledger=response.state.ledger.after(outcome))
    state = response.state
    doubted = state.ledger.has_cube and state.cube_doubted
    certain = (outcome.ended_by in _SAID or state.position_sure) and not doubted
    response.say(
        GameEnded(
            outcome.winner,
            outcome.gains(response.game.seats),
            outcome.kind.name.lower(),
            ended_by=outcome.ended_by.value,
            certainty=Certainty.CERTAIN if certain else Certainty.PROBABLE,
        )
    )
    leave_game(response, Phase.GAME_OVER if response.state.ledger.winner is None else Phase.MATCH_OVER)


def leave_game(response: Response, phase: Phase) -> None:
    """Leaves the game, played to its end or not, for ``phase``; nothing of it waits for anybody any more."""
    response.change(
        turn=None,
        judged=None,
        prompt=None,
        late_roll=None,
        cube=CENTRED,
        cube_doubted=False,
        cube_bound=None,
        resigning=None,
        opening_winner=None,
        last_roll_due=False,
        wrong_start=None,
        dice_thrown=(),
        with_others_dice=(),
        ended_on=(),
        began_on=(),
    )
    response.enter(phase, None)
    response.show([])
    response.cue("over")
