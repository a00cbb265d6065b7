"""Whose play it was: the referee may have lost count of the turns, and asks before it blames anybody."""

from dataclasses import replace

from boardctl.referee.effects import Certainty, Ruled, Text
from boardctl.referee.facts import Answered, Choice, Role
from boardctl.referee.response import Response
from boardctl.referee.seen.judging import Verdict
from boardctl.referee.turn.parts import at_stand, first_stand
from boardctl.rules import Seat


def player_instead(response: Response, verdict: Verdict) -> Seat | None:
    """Gets the next seat, where an illegal play would have been a legal one of that seat with this roll.

    Then it is likelier that the referee has lost count of the turns than that somebody played with the other's
    checkers. None where the players have said whose turn it is.
    """
    turn = response.state.turn
    assert turn is not None
    if verdict.legal is not False or verdict.after is None or turn.seat_confirmed or turn.parts:
        return None
    other = response.game.next_seat(turn.before, turn.seat)
    plays = response.game.plays(turn.before, other, turn.roll)
    played = any(play.moves and play.position.placement() == verdict.after for play in plays)
    return other if played else None


def played_instead(response: Response, seat: Seat) -> None:
    """Makes the turn in progress that of another seat, with the same dice. It is not vouched for."""
    turn = response.state.turn
    assert turn is not None
    stand = first_stand(response.game, turn.before, seat, turn.stand.roll)
    changed = replace(turn, certainty=Certainty.PROBABLE, seat_confirmed=True)
    response.change(turn=at_stand(changed, stand, turn.before, ()), seat=seat)


def ask_who_played(response: Response, other: Seat) -> None:
    """Asks whether a play was that of another seat: the referee may have lost count of the turns."""
    turn = response.state.turn
    assert turn is not None
    if response.state.prompt is None:
        everybody = tuple(Role(seat.value) for seat in response.game.seats)
        text = Text.of("ask.who_played", seat=other, expected=turn.seat, roll=turn.roll)
        response.ask(everybody, text, (Choice.CONFIRM, Choice.DENY))


def take_who_played(response: Response, fact: Answered) -> None:
    """Takes the answer: the turn was that of the other seat, or is what it was held to be."""
    turn = response.state.turn
    assert turn is not None
    other = response.game.next_seat(turn.before, turn.seat)
    response.change(prompt=None)
    if fact.choice is Choice.CONFIRM:
        response.say(Ruled("set_up", fact.by.value, other))
        played_instead(response, other)
    else:
        response.change(turn=replace(turn, seat_confirmed=True))
