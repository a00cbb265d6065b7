"""Dice that are taken up with nothing played of a roll that was not read for sure: perhaps they did not count.

A die that leant on something is thrown again, and nobody says so; or somebody on the bar has not seen how to enter,
and holds the turn to be over. Which of the two it is, the players are asked at once, as somebody beside them would: who
learns the game is not to hear of it when the other seat has thrown. Who throws next answers it, too.
"""

from dataclasses import replace

from boardctl.referee.effects import Certainty, Text
from boardctl.referee.facts import Answered, Choice, Role
from boardctl.referee.response import Response
from boardctl.referee.roll.whose_dice import is_asked
from boardctl.referee.state import Stage, Turn

ROLL_COUNTED = "ask.roll_counted"
"""The question whether a roll counted, as it was read."""


def may_be_thrown_again(response: Response) -> bool:
    """Whether who takes up the dice may hold that they did not count: the roll was not read for sure, or it is asked
    whether it counts; and nothing has been played of it, though something could have been."""
    turn = response.state.turn
    assert turn is not None
    return (
        (turn.certainty is not Certainty.CERTAIN or is_asked(response))
        and not (turn.parts or turn.replayed or turn.found_lying)
        and response.state.progress.stage is Stage.NOT_MOVED
        and not (response.state.stale or response.state.awaited)
        and any(play.moves for play in response.plays.values())
    )


def take_up_dice(response: Response) -> None:
    """Says that the dice are gone with nothing played, and asks whether they counted; once."""
    state = response.state
    turn = state.turn
    assert turn is not None
    if turn.lifted:
        return
    response.notice(Text.of("dice.taken_up", seat=turn.seat, roll=turn.roll))
    response.change(turn=replace(turn, lifted=True))
    if state.prompt is None:
        everybody = tuple(Role(seat.value) for seat in response.game.seats)
        text = Text.of("ask.roll_counted", seat=turn.seat, roll=turn.roll)
        response.ask(everybody, text, (Choice.CONFIRM, Choice.DENY))
        response.cue("ask")


def is_taken_up(turn: Turn) -> bool:
    """Whether who rolled has taken up the dice with nothing played."""
    return turn.lifted and turn.seat is turn.roller


def says_it_counted(response: Response, fact: Answered) -> bool:
    """Takes the answer; whether the roll counted, as it was read: then the turn has ended without a play."""
    response.change(prompt=None)
    return fact.choice is Choice.CONFIRM
