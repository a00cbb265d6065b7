"""Whose dice a seat has thrown: the opponent's, or one of each, where both have sets of their own colours.

Whose a set is, is learned in each game: some players have dice of their own, others share one pair, and dice may be
exchanged or mixed before a game (general knowledge). Nothing is said unless both seats have thrown several times,
each with dice of one colour, in two colours that no change of light makes of each other; a colour is no proof, so that
what is said is never more than probable.
"""

from collections.abc import Sequence
from math import dist
from statistics import median

from boardctl.referee.effects import Certainty, Mark, RollRead, Ruled, Sign, Text
from boardctl.referee.facts import Answered, Choice, Role
from boardctl.referee.readings import Lab
from boardctl.referee.response import Response
from boardctl.referee.seen.dice import Thrown
from boardctl.referee.state import ThrownSet
from boardctl.referee.turn.turns import begin_turn
from boardctl.rules import Seat

QUESTION = "ask.others_dice"

SETS_APART = 40.0
"""From this distance in Lab on two colours are of two sets. One and the same set was seen up to 22 apart on the two
sides of a board, where glossy dice catch the lamp on one side (15 rendered installations, docs/accuracy/dice.md)."""

OF_A_SET = 1 / 3
"""A die is of a set if its colour is no farther from the set's than this part of how far the two sets are apart."""

LEARNT = 3
"""After so many throws of both seats it is known whose dice are whose: six dice each."""

REMEMBERED = 6
"""So many throws of a seat count: older ones may be of another pair."""


def note_whose_dice(response: Response, seat: Seat, throw: Thrown) -> None:
    """Takes it that a seat has thrown these dice, and says so if they are, or one of them is, the other's."""
    bodies = tuple(die.body for die in throw.dice if die.body is not None)
    if len(response.game.seats) != 2 or len(bodies) < len(throw.dice):
        return
    state = response.state
    own, others = (_colours(state.dice_thrown, one) for one in (seat, seat.other))
    count = of_the_other_set(own, others, bodies)
    if count and not state.with_others_dice:
        response.change(with_others_dice=(seat,))
        _tell(response, seat, count)
        return
    if count:
        # Twice in so short a time: the players have exchanged their dice, or share a pair from now on.
        response.change(dice_thrown=())
    left = () if count else tuple(one for one in state.with_others_dice if one is not seat)
    before = response.state.dice_thrown
    mine = [one for one in before if one.seat is seat][1 - REMEMBERED :]
    kept = (*(one for one in before if one.seat is not seat), *mine, ThrownSet(seat, bodies))
    response.change(dice_thrown=kept, with_others_dice=left)


def _colours(thrown: Sequence[ThrownSet], seat: Seat) -> tuple[tuple[Lab, ...], ...]:
    return tuple(one.bodies for one in thrown if one.seat is seat)


def of_the_other_set(own: Sequence[Sequence[Lab]], others: Sequence[Sequence[Lab]], thrown: Sequence[Lab]) -> int:
    """Gets how many dice of a throw are of the other seat's set; 0 also where that cannot be told.

    ``own`` and ``others``: the colours of what each of the two seats has thrown before, throw by throw.
    """
    if min(len(own), len(others)) < LEARNT:
        return 0
    mine, its = (_middle([body for bodies in throws for body in bodies]) for throws in (own, others))
    apart = dist(mine, its)
    reach = OF_A_SET * apart
    consistent = all(
        dist(body, middle) <= reach
        for throws, middle in ((own, mine), (others, its))
        for bodies in throws
        for body in bodies
    )
    told = all(min(dist(body, mine), dist(body, its)) <= reach for body in thrown)
    if apart < SETS_APART or not (consistent and told):
        return 0
    return sum(dist(body, its) <= reach for body in thrown)


def _middle(bodies: Sequence[Lab]) -> Lab:
    lightness, green_red, blue_yellow = (median(values) for values in zip(*bodies, strict=True))
    return (lightness, green_red, blue_yellow)


def _tell(response: Response, seat: Seat, count: int) -> None:
    text = Text.of("dice.of_other", seat=seat, other=seat.other, count=count)
    if response.ruleset.others_dice == "director":
        response.tell_director(text)
        return
    response.notice(text)
    if response.ruleset.others_dice == "ask":
        everybody = tuple(Role(one.value) for one in response.game.seats)
        response.ask(everybody, Text.of("ask.others_dice", seat=seat), (Choice.ACCEPT, Choice.REQUIRE))
        response.cue("ask")


def is_asked(response: Response) -> bool:
    """Whether the players are asked whether a throw with the other's dice counts; nobody has said yet."""
    prompt = response.state.prompt
    return prompt is not None and prompt.text.key == QUESTION


def undo_throw(response: Response, by: str) -> None:
    """Says that a throw of which it was asked whether it counts does not: who asked for another, or who threw again."""
    response.say(Ruled("restored", by, response.state.seat))


def answered_whose_dice(response: Response, fact: Answered) -> None:
    """Takes the answer whether a throw with the other's dice counts. Who plays on without one lets it count."""
    turn = response.state.turn
    assert turn is not None
    response.change(prompt=None)
    if fact.choice is not Choice.REQUIRE or turn.parts:
        return
    undo_throw(response, fact.by.value)
    text = Text.of("dice.of_other_again", seat=turn.roller)
    response.say(RollRead(turn.roller, None, False, Certainty.PROBABLE, (text,)))
    response.change(previous=None, late_roll=None)
    begin_turn(response, turn.roller)
    response.change(rejected=turn.dice)
    response.show([Mark(Sign.REROLL, None, turn.roller)])
    response.cue("reroll")
