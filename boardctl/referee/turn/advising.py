"""What a coach has to say about the turn in progress, or about one that has ended, on its way to the seat it is for.

The one way by which help reaches anybody: it is a fact, so it stands in the record, and what the ruleset's aids or the
seat's level do not allow goes no further than that.
"""

from boardctl.referee.assistance import KIND_OF_ADVICE, Assistance, Level, assistance_of, given
from boardctl.referee.effects import Mark, Notice, Phase, Sign, Text
from boardctl.referee.facts import Advised, AssistanceChosen, Role
from boardctl.referee.response import Response
from boardctl.referee.state import Stage
from boardctl.rules import Place, Seat


def help_given(response: Response, seat: Seat) -> frozenset[Level]:
    """Gets the kinds of help that a seat gets at this table."""
    return given(response.ruleset.aids, assistance_of(response.state.assist, seat))


def advised(response: Response, fact: Advised) -> None:
    """Passes on to a seat what a coach says, as far as the aids and the level of the seat allow."""
    state = response.state
    if fact.seat not in response.game.seats or response.state.assist is None:
        return
    granted = help_given(response, fact.seat)
    of_turn = state.turn is not None and state.turn.seat is fact.seat and state.turns_played == fact.turns_played
    if not of_turn and not fact.afterwards:
        return  # the turn it was about has ended
    for text in fact.texts:
        if KIND_OF_ADVICE.get(text.key) in granted:
            response.say(Notice(text, to=(Role(fact.seat.value),)))
    if of_turn and Level.BEST in granted and not fact.afterwards and (fact.sources or fact.targets):
        response.change(advice=fact)
        response.show_turn(turn_marks(response))


def assistance_chosen(response: Response, fact: AssistanceChosen) -> None:
    """Gives a seat the help that it wants from now on, if the ruleset allows any; who asked is told what came of it."""
    state = response.state
    if fact.seat not in response.game.seats:
        return
    if not response.ruleset.aids.any:
        response.say(Notice(Text.of("assist.none_allowed"), to=(fact.by,)))
        return
    chosen = {seat: assistance_of(state.assist, seat) for seat in response.game.seats}
    chosen[fact.seat] = Assistance(Level(fact.level), fact.lifts)
    response.change(assist=tuple(chosen.items()))
    response.say(Notice(Text.of("assist.chosen", seat=fact.seat, level=fact.level), to=(fact.by,)))
    if state.phase is Phase.MOVE and state.progress.stage is not Stage.UNEXPLAINED:
        response.show_turn(turn_marks(response))


def turn_marks(response: Response) -> list[Mark]:
    """Gets what the lights may show of the turn in progress: where checkers can move from, and to."""
    state = response.state
    assert state.turn is not None
    seat, progress = state.turn.seat, state.progress
    granted = help_given(response, seat)
    onward = response.onward
    best = state.advice if Level.BEST in granted and not _is_moved(response) else None
    if best is not None:
        # Before anything is moved the lights show the best play instead of all that could be played.
        sources, targets = set(best.sources), set(best.targets)
    else:
        lifted = _shown_lifts(response, seat)
        sources = {move.source for move in onward} if Level.MOVABLE in granted else set()
        targets = {move.target for move in onward if move.source in lifted} if Level.TARGETS in granted else set()
    marks = [Mark(Sign.SOURCE, place) for place in response.game.places if place in sources]
    marks += [Mark(Sign.TARGET, place) for place in response.game.places if place in targets]
    if Level.MOVABLE in granted and progress.stage is Stage.COMPLETE and state.followed is None:
        marks.append(Mark(Sign.READY, None, seat))
    return marks


def _is_moved(response: Response) -> bool:
    """Whether the play has begun, as far as anybody saw or felt."""
    state = response.state
    still = state.progress.stage in (Stage.UNSEEN, Stage.NOT_MOVED)
    return bool(state.lifted) or state.followed is not None or not still


def _shown_lifts(response: Response, seat: Seat) -> frozenset[Place]:
    """Gets the places a checker is lifted from just now, as many as the seat's assistance shows targets for."""
    limit = assistance_of(response.state.assist, seat).lifts
    return frozenset(response.state.lifted) & frozenset(response.state.lifted_from[:limit])
