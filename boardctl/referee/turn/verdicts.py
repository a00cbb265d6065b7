"""Judgements of the turn in progress: the case it makes, and what is said of it."""

from dataclasses import replace

from boardctl.referee.effects import Certainty, PlayFault, Text, TurnJudged
from boardctl.referee.readings import Witness
from boardctl.referee.response import Response
from boardctl.referee.seen.cut_off import cut_off_of
from boardctl.referee.seen.judging import Case, Verdict, notation, objections, unclear_finding
from boardctl.referee.seen.weighing import between_two
from boardctl.referee.turn.parts import say_parts
from boardctl.rules import Place, Placement


def turn_case(response: Response, final: bool = False) -> Case:
    """Gets the turn in progress as a case to be judged by what was seen last; ``final``: nothing more will be seen."""
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
        final,
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


def until_tidied(response: Response, verdict: Verdict) -> Verdict:
    """Gets a verdict, or, while the camera sees a checker between two points, that it cannot be told.

    A legal play may hang on where that checker counts, and only its player knows. Asked for once: what is laid anew
    counts where it then lies.
    """
    camera = response.readings.get(Witness.CAMERA)
    between = between_two(camera) - set(_tidied(response)) if camera is not None and not camera.hand else set()
    if not between:
        return verdict
    unclear = tuple(place for place in response.game.places if place in between or place in verdict.unclear)
    open_ = replace(verdict, legal=None, certainty=Certainty.AMBIGUOUS, play=None, after=None, unclear=unclear)
    return replace(open_, finding=unclear_finding(turn_case(response), unclear))


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
    if verdict.legal is False and verdict.finding is not None:
        for fault in verdict.finding.faults:
            if (text := _for_director(fault, case)) is not None:
                response.tell_director(text)


def _for_director(fault: PlayFault, case: Case) -> Text | None:
    """Gets what the director is told of a fault that is more than a misplay: checkers moved that are not the player's,
    or that have come or gone. What follows from it no rule leaves to the players alone."""
    match fault:
        case PlayFault.OPPONENT_CHECKER_MOVED:
            return Text.of("call.opponent_checker", seat=case.seat, roll=case.roll)
        case PlayFault.CHECKER_VANISHED:
            return Text.of("call.checker_gone", seat=case.seat, roll=case.roll)
        case PlayFault.CHECKER_EXTRA:
            return Text.of("call.checker_extra", seat=case.seat, roll=case.roll)
    return None


def why_open(response: Response, verdict: Verdict) -> Text:
    """Gets in words why a turn cannot be judged yet: first too bright light and too dark pictures,
    which no tidying helps against."""
    if not verdict.unclear:
        return Text.of("turn.overtaken")
    if cut_off := cut_off_of(response.evidence.readings, verdict.unclear):
        return cut_off.text
    points = ", ".join(map(str, verdict.unclear))
    blind = verdict.certainty is Certainty.BLIND
    return Text.of("turn.blind", points=points) if blind else Text.of("turn.unclear", points=points)
