"""The throw that ends a turn by coming after it: whose it is, and what it is worth."""

from boardctl.referee.facts import DiceRested
from boardctl.referee.response import Response
from boardctl.referee.roll.rolling import new_throw
from boardctl.referee.seen.dice import NothingNew, Throw
from boardctl.rules import Seat


def following_throw(response: Response, fact: DiceRested) -> Throw:
    """Gets what the dice in view are worth as the throw of the next seat; changes nothing."""
    before = response.state
    assert before.turn is not None
    assert before.seat is not None
    response.change(previous=before.turn)
    throw = new_throw(response, fact, next_thrower(response))
    response.state = before
    return throw


def next_thrower(response: Response) -> Seat:
    """Gets who rolls when the turn in progress has ended; by its play, where one stands complete."""
    turn, play = response.state.turn, response.state.progress.play
    assert turn is not None
    return response.next_roller(turn.before if play is None else play.position, turn.roller)


def is_throw(response: Response, fact: DiceRested) -> bool:
    """Whether the dice in view are a throw of the next seat, good or bad."""
    return not isinstance(following_throw(response, fact), NothingNew)
