"""How a turn begins: a seat is to roll, a roll is to be played. Lights and matching of the play in progress."""

from collections.abc import Sequence
from dataclasses import replace

from boardctl.referee.effects import Certainty, Mark, Phase, RollRead, Text
from boardctl.referee.readings import DieReading
from boardctl.referee.response import Response, difference_marks
from boardctl.referee.seen.dice import Thrown
from boardctl.referee.seen.matching import match
from boardctl.referee.state import NOTHING_SEEN, Stage, Turn
from boardctl.referee.turn.advising import turn_marks
from boardctl.referee.turn.parts import at_stand, first_stand
from boardctl.referee.turn.setup_window import count_roll
from boardctl.rules import Seat


def pass_on(response: Response, seat: Seat) -> None:
    """Lets the next seat roll after the turn of ``seat``; says which seats the rules make wait."""
    position = response.state.position
    assert position is not None
    roller, waits = response.next_roller(position, seat), response.game.next_seat(position, seat)
    begin_turn(response, roller)
    while waits is not roller:
        response.notice(Text.of("roll.waits", seat=waits))
        waits = response.game.next_seat(position, waits)


OPENING_CERTAINTY = Certainty.PROBABLE
"""How far it is vouched for who starts: each die may have rolled into the other's section, and no picture of dice at
rest tells who threw which. Who then moves the own checkers by that roll has shown it."""


def is_opening(response: Response) -> bool:
    """Whether the roll that decides who starts has not been played yet."""
    state = response.state
    return state.turns_played == 0 and state.opening_winner is not None


def begin_turn(response: Response, seat: Seat | None) -> None:
    """Lets a seat roll; None: whoever rolls next, told by the section in which the dice lie."""
    phase = Phase.CUBE if response.match.cube else Phase.ROLL
    response.enter(
        phase,
        seat,
        turn=None,
        judged=None,
        required=None,
        prompt=None,
        misplaced=0,
        queried=False,
        unread=(),
        progress=NOTHING_SEEN,
        standing=(),
        ended_on=(),
    )
    response.show_turn()


def start_turn(
    response: Response, seat: Seat, throw: Thrown, found_lying: bool = False, lying: Sequence[DieReading] = ()
) -> None:
    """Starts the play of a valid roll from where the checkers belong. ``lying``: dice that lie there besides."""
    position = response.state.position
    assert position is not None
    stand = first_stand(response.game, position, seat, throw.roll)
    turn = Turn(seat, throw.roll, throw.certainty, position, stand, (*throw.dice, *lying), found_lying=found_lying)
    # Who rolls on a board that was said to have changed may know better where the turn before led.
    sure = response.state.position_sure and not response.state.unexplained
    turn = replace(at_stand(turn, stand, position, ()), before_sure=sure)
    certainty = OPENING_CERTAINTY if is_opening(response) else throw.certainty
    response.say(RollRead(seat, throw.roll, True, certainty))
    count_roll(response, seat)
    response.change(turn=turn, previous=None, rejected=(), misplaced=0, prompt=None, unread=())
    response.change(late_roll=None, overplayed=None)
    began_on = response.state.ended_on or response.state.readings
    response.change(unplayed=False, ended_on=(), began_on=began_on, asked=(), thrown_again=None, owes_press=None)
    response.enter(Phase.MOVE, turn.seat, lifted_from=(), advice=None)
    if stand.roll.is_double and (stand.later or turn.seat is not seat):
        response.notice(Text.of("turn.numbers", seat=turn.seat, numbers=", ".join(map(str, stand.numbers))))
    follow_play(response)
    response.change(standing=())  # nothing has been seen of this turn yet
    if all(not play.moves for play in response.plays.values()):
        response.notice(Text.of("roll.no_play", seat=seat, roll=throw.roll))


def follow_play(response: Response) -> None:
    """Matches what was seen last to the plays of the turn, and lights what the aids allow."""
    turn = response.state.turn
    assert turn is not None
    evidence = response.evidence
    # Pictures taken now and then show no checkers in the air: what is gone from the board has gone somewhere.
    may_be_lifted = evidence.hand or not response.match.recorded
    progress = match(response.game, turn.seat, response.graph, response.plays, evidence, may_be_lifted)
    response.change(progress=progress, unexplained=() if evidence.hand else progress.strange)
    if progress.stage is Stage.COMPLETE:
        response.change(standing=response.state.readings)
    elif progress.stage in (Stage.NOT_MOVED, Stage.ON_THE_WAY, Stage.IN_HAND):
        response.change(standing=())
    if progress.stage is Stage.NOT_MOVED and evidence.vouches_for(turn.before, turn.before_sure):
        response.change(turn=replace(turn, before_sure=True), position_sure=True)
    response.change(lifted=tuple(place for place, seat in progress.in_hand if seat is turn.seat), followed=None)
    show_play(response)


def show_play(response: Response) -> None:
    """Shows whose turn it is, what is wrong when a play is made again, and what the aids allow of what may be moved."""
    turn, progress = response.state.turn, response.state.progress
    assert turn is not None
    marks: list[Mark] = []
    if turn.replayed and progress.stage is Stage.UNEXPLAINED:
        before, evidence = turn.before.placement(), response.evidence
        marks += difference_marks(before, evidence.best, evidence.gaps(before))
    lifted_from = dict.fromkeys((*response.state.lifted_from, *response.state.lifted))
    response.change(lifted_from=tuple(lifted_from))
    response.show_turn([*marks, *turn_marks(response)])
