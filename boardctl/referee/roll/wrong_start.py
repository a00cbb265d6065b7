"""A game that began from a wrong starting position: until when that must be put right, and how.

Each misplaced checker goes to the point that it was missing from (USBGF, as quoted by a third party). Whoever sets a
board up wrongly is told before the first roll, under every ruleset; what is here is for players who began all the same.
"""

from dataclasses import dataclass, replace
from itertools import product

from boardctl.referee.effects import Certainty, Phase, Ruled, Text
from boardctl.referee.facts import Answered, Choice, DiceRested, Role
from boardctl.referee.response import Response
from boardctl.referee.roll.missing import as_read, filled, lacking, leave_out, nothing_missing
from boardctl.referee.seen.dice import (
    Thrown,
    aside,
    die_reasons,
    may_show,
    readable,
    roll_certainty,
    whose,
    without_glints,
)
from boardctl.referee.seen.judging import LEGAL_ODDS, SURE_ODDS
from boardctl.referee.seen.matching import match
from boardctl.referee.seen.weighing import best_board, cheapest_loss
from boardctl.referee.state import Stage, WrongStart
from boardctl.referee.turn.parts import at_stand, first_stand
from boardctl.referee.turn.setup_window import is_open
from boardctl.referee.turn.turns import start_turn
from boardctl.rules import Faults, Place, Placement, Position, Roll, Seat, tray
from boardctl.rules.turn import moves_in, plays_in

_BETWEEN_TURNS = (Phase.CUBE, Phase.ROLL, Phase.REPAIR)


@dataclass(frozen=True, slots=True)
class _Opening:
    seat: Seat
    throw: Thrown


def played_on(response: Response) -> bool:
    """Takes the game up where the players began it from a wrong starting position; whether they have.

    They have rolled although the board was said to be wrong, and play that roll; one that could not be read is told by
    its play.
    """
    state = response.state
    wrong, thrown = state.wrongly_set_up, state.late_roll
    openings = _openings(response, thrown) if thrown is not None else ()
    if wrong is None or not openings:
        return False
    missing = lacking(response.game, wrong)
    wrong = filled(wrong, missing)
    if response.game.faults(wrong) is not Faults.NONE:
        return False
    position = response.game.position_of(wrong)
    leave_out(response, missing)
    played = [opening for opening in openings if _is_played(response, position, opening)]
    if len(played) != 1:
        nothing_missing(response)
        return False
    (opening,) = played
    response.change(position=position, position_sure=True, wrongly_set_up=None, late_roll=None)
    response.change(wrong_start=WrongStart(_astray(response, wrong), opening.seat))
    start_turn(response, opening.seat, opening.throw)
    return True


def _openings(response: Response, fact: DiceRested) -> tuple[_Opening, ...]:
    """Gets who may begin with which roll: by one die of each seat or by both in the section of one."""
    dice = fact.reading.dice
    dice = without_glints(tuple(die for die in dice if die not in aside(dice)))
    if len(dice) != 2 or any(reason for die in dice for reason in die_reasons(die, die.section, response.ruleset)):
        return ()
    first, second = dice
    sure = all(readable(die) for die in dice)
    certainty = roll_certainty(dice) if sure else Certainty.PROBABLE
    shown = [may_show(die) for die in dice]
    found: dict[tuple[Seat, Roll], _Opening] = {}
    for pair in product(*shown):
        seat, roll = whose(dice), Roll.of(*pair)
        if seat is None and first.section is not None and second.section is not None and len(response.game.seats) == 2:
            opening = response.game.opening({first.section: pair[0], second.section: pair[1]})
            seat, roll = opening.starter, opening.roll or roll
            if opening.roll is None:
                continue
        if seat is not None:
            found[seat, roll] = _Opening(seat, Thrown((first, second), seat, roll, certainty))
    return tuple(found.values())


def _is_played(response: Response, position: Position, opening: _Opening) -> bool:
    stand = first_stand(response.game, position, opening.seat, opening.throw.roll)
    graph = moves_in(response.game, position, stand)
    plays = {play.position: play for play in plays_in(response.game, position, stand)}
    stage = match(response.game, stand.control, graph, plays, response.evidence).stage
    return stage in (Stage.ON_THE_WAY, Stage.COMPLETE)


def _astray(response: Response, wrong: Placement) -> tuple[tuple[Place, Place, Seat], ...]:
    """Gets the misplaced checkers: where each stands, where it belongs, and whose it is."""
    right = response.game.start().placement()
    astray: list[tuple[Place, Place, Seat]] = []
    for seat in response.game.seats:
        extra: list[Place] = []
        lacking: list[Place] = []
        for place in response.game.places:
            more = wrong.count(place, seat) - right.count(place, seat)
            (extra if more > 0 else lacking).extend([place] * abs(more))
        astray += zip(extra, lacking, [seat] * len(extra), strict=False)
    return tuple(astray)


def put_right(response: Response) -> bool:
    """Takes it that the players have put the misplaced checkers where they belong; whether the board shows that.

    Within the window it is taken at once. Afterwards, and where the ruleset has none, both must agree.
    """
    state = response.state
    wrong, position = state.wrong_start, state.position
    if wrong is None or position is None:
        return False
    corrected = _corrected(response, position.placement(), wrong)
    if corrected is None or not _shows(response, corrected):
        return False
    if is_open(response, wrong):
        _take(response, corrected, "players")
    elif not state.is_asking:
        everybody = tuple(Role(seat.value) for seat in response.game.seats)
        response.ask(everybody, Text.of("ask.correct_start"), (Choice.CONFIRM, Choice.DENY))
    return True


def note_none_missing(response: Response) -> None:
    """Takes it that nobody began with too few checkers, when all of them are seen for sure on a board that is not
    being put right: what was not seen to be there had been misread."""
    state = response.state
    if not state.missing or state.phase not in _BETWEEN_TURNS or state.position is None or state.is_asking:
        return
    seen = as_read(response)
    if seen.hand or lacking(response.game, seen.best) or response.game.faults(seen.best) is not Faults.NONE:
        return
    wrong, board = state.wrong_start, state.position.placement()
    corrected = _corrected(response, board, wrong) if wrong is not None else None
    if corrected is not None and _shows(response, corrected):
        return
    if seen.vouches_for(seen.best) and cheapest_loss(seen, seen.best) >= SURE_ODDS:
        nothing_missing(response)
        response.change(position_sure=False, wrong_start=None)


def answered_start(response: Response, fact: Answered) -> None:
    """Takes the answer of who was asked whether both agree to put the start right; if not, the checkers go back."""
    state = response.state
    response.change(prompt=None)
    if fact.choice is not Choice.CONFIRM or state.wrong_start is None or state.position is None:
        response.notice(Text.of("setup.put_back"))
        return
    corrected = _corrected(response, state.position.placement(), state.wrong_start)
    if corrected is not None and _shows(response, corrected):
        _take(response, corrected, fact.by.value)


def _corrected(response: Response, board: Placement, wrong: WrongStart) -> Placement | None:
    """Gets a board with the misplaced checkers where they belong; None where one has left its place since."""
    for source, target, seat in wrong.astray:
        stack = board.at(source)
        if seat not in stack:
            return None
        board = board.replaced({source: stack[:-1], target: (*board.at(target), seat)})
    return None if response.game.faults(board) is not Faults.NONE else board


def _shows(response: Response, board: Placement) -> bool:
    position, missing = response.state.position, response.state.missing
    assert position is not None
    # Who puts on what was missing takes it out of no tray: as the board is read, not as it is played on.
    whole = all(board.count(tray(seat), seat) < position.placement().count(tray(seat), seat) for seat, _ in missing)
    evidence = as_read(response) if whole else response.evidence
    _, weight = best_board(response.game, evidence, board)
    return not evidence.hand and weight - evidence.weight_of(board) < LEGAL_ODDS and evidence.shows(board)


def _take(response: Response, board: Placement, by: str) -> None:
    nothing_missing(response)
    position = response.position_of(board)
    turn = response.state.turn
    response.change(position=position, position_sure=True, wrong_start=None, unexplained=(), prompt=None, said=())
    if turn is not None and response.state.phase is Phase.MOVE:
        stand = first_stand(response.game, position, turn.roller, turn.stand.roll)
        response.change(turn=replace(at_stand(turn, stand, position, ()), before_sure=True))
    response.say(Ruled("set_up", by, None))
    response.notice(Text.of("setup.corrected"))
    response.show_turn()
