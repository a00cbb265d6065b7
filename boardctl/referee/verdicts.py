"""Judgements of the turn in progress: the case it makes, and what is said of it."""

from dataclasses import replace

from boardctl.referee.effects import Certainty, Text, TurnJudged
from boardctl.referee.judging import Case, Verdict, notation, objections
from boardctl.referee.parts import say_parts
from boardctl.referee.readings import Witness
from boardctl.referee.response import Response
from boardctl.rules import Place, Placement


def turn_case(response: Response) -> Case:
    """Gets the turn in progress as a case to be judged by what was seen last."""
    turn = response.state.turn
    assert turn is not None
    return Case(
        response.game,
        turn.seat,
        turn.roll,
        turn.certainty,
        turn.before,
        turn.stand,
        response.graph,
        response.readings,
        response.ruleset.witnesses_required,
        turn.before_sure,
        _tidied(response),
        _erring(response, turn.before.placement()),
    )


def _tidied(response: Response) -> tuple[Place, ...]:
    """Gets what the players were asked to tidy and have shown to the camera anew."""
    then, now = (dict(readings).get(Witness.CAMERA) for readings in (response.state.ended_on, response.state.readings))
    return response.state.asked if then is not now else ()


def _erring(response: Response, before: Placement) -> tuple[Place, ...]:
    """Gets where a witness contradicted the position before the turn, and reads the same still."""
    then, now = dict(response.state.began_on), response.readings
    return tuple(
        place
        for witness, reading in then.items()
        for place in objections(response.game, reading, before)
        if witness in now and now[witness].at(place).best == reading.at(place).best
    )


def weakened(verdict: Verdict) -> Verdict:
    """Gets a verdict on an old reading: a legal play is probable, anything else cannot be told."""
    if verdict.legal:
        return replace(verdict, certainty=Certainty.PROBABLE)
    return replace(verdict, legal=None, certainty=Certainty.BLIND, after=None, finding=None)


def say_judged(response: Response, verdict: Verdict) -> None:
    """Says a judgement and keeps it until it is ruled upon."""
    say_parts(response)
    case = turn_case(response)
    judged = TurnJudged(
        case.seat,
        case.roll,
        notation(case, verdict.play) if verdict.play is not None else None,
        verdict.legal,
        verdict.certainty,
        case.before.placement(),
        verdict.after,
        verdict.finding,
    )
    response.change(judged=judged)
    response.say(judged)


def why_open(verdict: Verdict) -> Text:
    """Gets in words why a turn cannot be judged yet."""
    points = ", ".join(map(str, verdict.unclear))
    if not points:
        return Text.of("turn.overtaken")
    blind = verdict.certainty is Certainty.BLIND
    return Text.of("turn.blind", points=points) if blind else Text.of("turn.unclear", points=points)
