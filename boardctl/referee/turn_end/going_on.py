"""What becomes of a turn that was judged: the play is accepted, must be made again, or the game goes on from it."""

from dataclasses import replace

from boardctl.referee.effects import Certainty, Mark, Phase, Ruled, Sign, Text
from boardctl.referee.facts import Choice, Role
from boardctl.referee.response import Response
from boardctl.referee.roll.rolling import dice_in_roll
from boardctl.referee.turn.parts import say_parts
from boardctl.referee.turn.turns import follow_play, pass_on
from boardctl.referee.turn.unsettled import drop_unsettled, leaving_unsettled
from boardctl.referee.turn_end.last_roll import ends_game
from boardctl.rules import Faults, Position


def accept(response: Response, by: str, ruling: str) -> None:
    """Lets a play stand as made, if what was made is a position of the game at all."""
    judged = response.state.judged
    assert judged is not None
    assert judged.after is not None
    possible = response.game.faults(judged.after) is Faults.NONE
    unsure = judged.certainty is not Certainty.CERTAIN
    if not possible and (not unsure or ruling == "condoned"):
        hold_impossible(response)
        return
    response.say(Ruled("condoned" if ruling == "condoned" else "accepted", by, judged.seat))
    position = response.position_of(judged.after) if possible else None
    if unsure:
        # Who accepts a play that may have been misread may well have seen a legal one: what is seen next tells.
        position = leaving_unsettled(response, position, accepted=True)
    assert position is not None
    advance(response, position, not unsure)


def hold_impossible(response: Response) -> None:
    """Stops: what stands on the board is no position of the game, so that nobody could play on from it."""
    judged = response.state.judged
    turn = response.state.turn
    assert judged is not None
    assert turn is not None
    assert judged.finding is not None
    response.enter(Phase.HOLD, response.state.seat, prompt=None)
    response.show_turn(Mark(Sign.PROBLEM, place) for place in judged.finding.places)
    points = ", ".join(map(str, judged.finding.places))
    everybody = tuple(Role(seat.value) for seat in response.game.seats)
    sure = judged.certainty is Certainty.CERTAIN
    choices = (Choice.REQUIRE,) if sure else (Choice.REQUIRE, Choice.DENY)
    response.ask(everybody, Text.of("ask.impossible", points=points), choices)
    response.cue("ask")


def require(response: Response, by: str) -> None:
    """Requires a legal play: the position before the roll is restored and the same roll is played again."""
    turn = response.state.turn
    assert turn is not None
    response.say(Ruled("must_replay", by, turn.seat))
    judged = response.state.judged or response.state.required
    response.change(turn=replace(turn, replayed=True), judged=None, required=judged, prompt=None, late_roll=None)
    response.enter(Phase.MOVE, turn.seat)
    follow_play(response)
    response.notice(Text.of("turn.play_again", seat=turn.seat, roll=turn.roll))


def advance(response: Response, position: Position, sure: bool = False) -> None:
    """Goes on from a position: to the end of the game or to the next seat, whose roll may be there already.

    ``sure``: the position is vouched for.
    """
    say_parts(response)
    state = response.state
    assert state.turn is not None
    response.change(
        position=position, position_sure=sure, previous=state.turn, turns_played=state.turns_played + 1, rejected=()
    )
    if response.game.result(position) is not None:
        drop_unsettled(response)
    late = response.state.late_roll
    if ends_game(response, state.turn, position):
        if response.state.last_roll_due and late is not None:
            response.change(late_roll=None)
            dice_in_roll(response, late)
        return
    fresh = not (state.stale or state.awaited)
    pass_on(response, state.turn.roller)
    response.change(late_roll=None, ended_on=state.readings if fresh else ())
    if late is not None:
        dice_in_roll(response, late)
