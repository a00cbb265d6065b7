"""Dice that are thrown again while a roll is to be played: perhaps the roll that was read did not count.

A roll that is not vouched for may have been a die that leant on something; its players see that, pick the dice up and
throw again, and do not say so. What counts as they lay first counts still, until the play tells otherwise.
"""

from dataclasses import replace

from boardctl.referee.effects import Certainty, Phase
from boardctl.referee.facts import DiceRested
from boardctl.referee.readings import DieReading
from boardctl.referee.response import Response
from boardctl.referee.roll.before_game import dice_in_opening
from boardctl.referee.seen.dice import Thrown, aside, moved_in, read_throw, whose
from boardctl.referee.seen.matching import match
from boardctl.referee.state import NOTHING_SEEN, Stage
from boardctl.referee.turn.parts import first_stand
from boardctl.referee.turn.turns import start_turn
from boardctl.rules.turn import moves_in, plays_in


def opening_thrown_again(response: Response, fact: DiceRested, new: tuple[DieReading, ...]) -> bool:
    """Goes back to the opening, if its dice are thrown again before anything was played of them; whether they are.

    ``new``: dice that lie where none of the roll lay, which is gone. Two in one section are the throw of a seat.
    """
    turn = response.state.turn
    assert turn is not None
    seats = set(response.game.seats)
    of_opening = len(seats) == len(turn.dice) == len({die.section for die in turn.dice} & seats)
    field = [die for die in new if die not in aside(new)]
    if not (of_opening and _is_open(response)) or (len(field) > 1 and whose(field) is not None):
        return False
    response.enter(Phase.OPENING, None, opening=(), turn=None, progress=NOTHING_SEEN, rejected=(), opening_winner=None)
    dice_in_opening(response, fact)
    return True


def remember_throw(response: Response, fact: DiceRested, *, still: bool) -> None:
    """Keeps a throw in the place of a roll that is gone; forgets it when the dice of the roll are laid back."""
    response.change(thrown_again=fact if not still and _is_open(response) else None)


def take_thrown_again(response: Response) -> bool:
    """Lets the throw count that was made in the place of the roll, if the board shows that it is played."""
    state = response.state
    turn, fact = state.turn, state.thrown_again
    if turn is None or fact is None or response.evidence.hand:
        return False
    throw = read_throw(moved_in(fact.reading.dice, (*turn.dice, *state.idle)), turn.roller, response.ruleset)
    if not isinstance(throw, Thrown):
        return False
    stand = first_stand(response.game, turn.before, turn.roller, throw.roll)
    graph = moves_in(response.game, turn.before, stand)
    plays = {play.position: play for play in plays_in(response.game, turn.before, stand)}
    stage = match(response.game, stand.control, graph, plays, response.evidence, may_be_lifted=False).stage
    if stage not in (Stage.ON_THE_WAY, Stage.COMPLETE):
        return False
    start_turn(response, turn.roller, replace(throw, certainty=Certainty.PROBABLE))
    return True


def _is_open(response: Response) -> bool:
    """Whether the roll may not have counted, and nothing has been played of it."""
    state = response.state
    turn = state.turn
    assert turn is not None
    played = turn.parts or turn.replayed or turn.found_lying or state.stale or state.awaited
    untouched = state.progress.stage is Stage.NOT_MOVED and not played
    return turn.certainty is not Certainty.CERTAIN and untouched
