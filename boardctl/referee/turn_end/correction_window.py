"""An illegal play that was found: what the players are asked, and until when it can still be put right."""

from boardctl.referee.effects import Certainty, Mark, Sign, Text
from boardctl.referee.facts import Choice, Role
from boardctl.referee.response import Response
from boardctl.referee.roll.next_throw import following_throw, next_thrower
from boardctl.referee.roll.rolling import how_far_played
from boardctl.referee.seen.dice import Thrown
from boardctl.referee.seen.displacement import Geometry
from boardctl.referee.state import Stage
from boardctl.referee.turn_end.going_on import accept, require
from boardctl.rules import Faults


def put_to_players(response: Response) -> None:
    """Shows an illegal play and asks, or requires, what the ruleset says."""
    judged = response.state.judged
    assert judged is not None
    assert judged.finding is not None
    response.show_turn(Mark(Sign.PROBLEM, place) for place in judged.finding.places)
    response.cue("problem")
    sure = judged.certainty is Certainty.CERTAIN
    others = tuple(Role(seat.value) for seat in response.game.seats if seat is not judged.seat)
    if response.ruleset.illegal_play == "accept_or_require":
        choices = (Choice.ACCEPT, Choice.REQUIRE) if sure else (Choice.ACCEPT, Choice.REQUIRE, Choice.DENY)
        illegal = Text.of("ask.illegal", seat=judged.seat, roll=judged.roll)
        looks_illegal = Text.of("ask.looks_illegal", seat=judged.seat, roll=judged.roll)
        response.ask(others, illegal if sure else looks_illegal, choices)
    elif sure:
        require(response, "ruleset")
    else:
        everybody = (*others, Role(judged.seat.value))
        text = Text.of("ask.looks_illegal", seat=judged.seat, roll=judged.roll)
        response.ask(everybody, text, (Choice.CONFIRM, Choice.DENY))
        response.cue("ask")


def rolled_on(response: Response, *, by_double: bool = False) -> None:
    """The opponent rolled, or doubled, while an illegal play stood."""
    judged = response.state.judged
    assert judged is not None
    assert judged.finding is not None
    barred = set(judged.finding.faults) & set(response.ruleset.non_condonable)
    window = response.ruleset.correction_window
    accepts = window == "valid_roll_or_double" if by_double else window != "next_play_complete"
    if barred or waived(response) or not accepts:
        response.notice(Text.of("confirm.roll_does_not_accept"))
        thrown = response.state.late_roll if window == "next_play_complete" and not barred else None
        if response.state.prompt is None:
            put_to_players(response)
        response.change(overplayed=thrown)
        return
    accept(response, next_thrower(response).value, "condoned")


def closed_by_play(response: Response) -> bool:
    """Lets an illegal play stand once the opponent's next play is complete, where the window is open until then;
    whether it was so."""
    state = response.state
    judged, thrown = state.judged or state.required, state.overplayed
    if thrown is None or judged is None or judged.after is None or response.evidence.hand:
        return False
    seat, throw = next_thrower(response), following_throw(response, thrown)
    if not isinstance(throw, Thrown) or response.game.faults(judged.after) is not Faults.NONE:
        return False
    after = response.position_of(judged.after)
    if how_far_played(response, after, seat, throw.roll) is not Stage.COMPLETE:
        return False
    response.change(judged=judged, prompt=None, overplayed=None, late_roll=thrown)
    accept(response, seat.value, "condoned")
    return True


def waived(response: Response) -> bool:
    """Whether the rule that rolling accepts the play is waived: the play was forced, or contact is over."""
    turn = response.state.turn
    assert turn is not None
    for waiver in response.ruleset.window_waived_if:
        if waiver == "forced" and len(response.plays) == 1:
            return True
        if waiver == "no_contact" and Geometry.of(response.game).no_contact(turn.before.placement()):
            return True
    return False
