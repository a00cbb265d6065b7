"""Before the first play: the starting position, then one die each to see who starts."""

from collections.abc import Iterable
from dataclasses import replace
from itertools import product

from boardctl.referee.effects import Certainty, CubeTurned, Mark, Phase, RollRead, Sign, Text
from boardctl.referee.facts import BoardSeen, DiceRested
from boardctl.referee.readings import DieReading, Witness
from boardctl.referee.response import Response, difference_marks
from boardctl.referee.roll.missing import in_trays, nothing_missing
from boardctl.referee.roll.rolling import is_played, played_all_the_same
from boardctl.referee.roll.wrong_start import played_on
from boardctl.referee.seen.cut_off import cut_off_of
from boardctl.referee.seen.dice import (
    NothingNew,
    Rejected,
    Thrown,
    aside,
    die_reasons,
    may_show,
    moved_in,
    read_throw,
    readable,
    refusal_certainty,
    roll_certainty,
    whose,
    without_glints,
)
from boardctl.referee.seen.judging import CONTRADICTION, LEGAL_ODDS, LIKELY_ODDS
from boardctl.referee.seen.weighing import best_board, between_two
from boardctl.referee.turn.turns import OPENING_CERTAINTY, begin_turn, start_turn
from boardctl.rules import Place, Placement, Roll, Seat


def board_in_setup(response: Response, fact: BoardSeen) -> None:
    """Compares the board with the starting position and lights what is wrong.

    Players who begin all the same are followed: until when that must be put right is the ruleset's.
    """
    response.take_reading(fact)
    start = response.game.start()
    expected = start.placement()
    evidence = response.evidence
    board, gap = _unlike(response, expected)
    if evidence.hand and evidence.hidden:
        return  # somebody is setting up
    if response.state.awaited:
        return  # of this board only one witness has told; one checker too few is a matter for both
    if gap < LEGAL_ODDS:
        response.change(position=start, position_sure=evidence.shows(expected), wrongly_set_up=None, late_roll=None)
        response.enter(Phase.OPENING, None, opening=())
        response.show([Mark(Sign.TURN)])
        response.notice(Text.of("opening.roll"))
        if response.state.ledger.has_cube and response.state.ledger.is_crawford:
            response.notice(Text.of("cube.crawford_game"))
        return
    if played_on(response):
        return
    camera = response.readings.get(Witness.CAMERA)
    if response.state.late_roll is not None and camera is not None and (between := between_two(camera)):
        # They may have begun: which play it is hangs on where that checker counts.
        loose = [place for place in response.game.places if place in between]
        response.show(Mark(Sign.UNCLEAR, place) for place in loose)
        response.notice(Text.of("setup.unclear", points=_names(loose)))
        return
    places = [place for place in response.game.places if board.at(place) != expected.at(place)]
    if gap < CONTRADICTION:
        response.change(unexplained=())
        response.show(Mark(Sign.UNCLEAR, place) for place in places)
        if cut_off := cut_off_of(evidence.readings, places):
            response.notice(cut_off.text)
        else:
            response.notice(Text.of("setup.unclear", points=_names(places)))
        return
    if board != response.state.wrongly_set_up:
        response.change(late_roll=None)
    response.change(unexplained=tuple(places), wrongly_set_up=board)
    response.show(difference_marks(expected, board, places))
    response.notice(Text.of("setup.wrong", points=_names(places)))


def _unlike(response: Response, start: Placement) -> tuple[Placement, float]:
    """Gets the board that is seen before a game, and how much likelier it is than the starting position, in nats.

    Nobody has counted the checkers yet: one may have been left in the case. Where something else was hardly seen beside
    what is surely wrong, it is as it should be.
    """
    evidence = response.evidence
    board, weight = best_board(response.game, evidence, start, material_odds=0.0)
    gaps = evidence.gaps(start)
    hardly = {place: start.at(place) for place in board.differences(start) if gaps.get(place, 0.0) < LIKELY_ODDS}
    likelier = board.replaced(hardly)
    return (board if likelier == start else likelier), weight - evidence.weight_of(start)


def _names(places: Iterable[Place]) -> str:
    return ", ".join(map(str, places))


def dice_in_setup(response: Response, fact: DiceRested) -> None:
    """Says that the starting position comes first; remembers the throw, should the players begin all the same."""
    response.change(late_roll=fact)
    response.notice(Text.of("setup.first"))


def board_in_opening(response: Response, fact: BoardSeen) -> None:
    """Goes back to the set-up when the starting position is disturbed."""
    response.take_reading(fact)
    if _was_decided_unseen(response):
        return
    if not response.evidence.hand and _is_played_unread(response):
        return
    start = response.game.start().placement()
    _, gap = _unlike(response, start)
    if gap >= CONTRADICTION and not response.evidence.hand:
        response.enter(Phase.SETUP, None)
        board_in_setup(response, fact)
    elif response.evidence.shows(start):
        response.change(position_sure=True)


def _was_decided_unseen(response: Response) -> bool:
    """Whether the dice lie well in one section and its seat plays them: the opening was decided before anybody saw."""
    dice = response.state.rejected
    seat = whose(dice)
    well = all(readable(die) and not die_reasons(die, seat, response.ruleset) for die in dice)
    return well and played_all_the_same(response, seat)


def _is_played_unread(response: Response) -> bool:
    """Starts the first turn of opening dice that could not be read, if the board tells who plays which roll."""
    seats, view = response.game.seats, response.state.dice_in_view
    new = moved_in(view.reading.dice, response.state.rejected) if view is not None else ()
    dice = without_glints(tuple(die for die in new if die not in aside(new)))
    if len(dice) != 2 or {die.section for die in dice} != set(seats) or all(readable(die) for die in dice):
        return False
    first, second = (next(die for die in dice if die.section is seat) for seat in seats)
    values = [may_show(die) for die in (first, second)]
    decided = [response.game.opening(dict(zip(seats, pair, strict=True))) for pair in product(*values)]
    fitting = {
        (one.starter, one.roll)
        for one in decided
        if one.starter is not None and one.roll is not None and is_played(response, one.starter, one.roll)
    }
    if len(fitting) != 1:
        return False
    ((seat, roll),) = fitting
    response.change(opening_winner=seat)
    start_turn(response, seat, Thrown((first, second), seat, roll, Certainty.PROBABLE))
    return True


def dice_in_opening(response: Response, fact: DiceRested) -> None:
    """Decides who starts: by one die of each seat, or by a roll of the starter that is seen as it lies.

    Pictures taken now and then may show the first roll only when both dice lie in the section of the seat that plays
    it. Of a recorded game that roll is taken as it lies; equal dice would have been rolled again. At a table that is
    watched it must be rolled again, unless the seat plays it all the same: then it had been decided unseen.
    """
    if len(response.game.seats) > 2:
        _one_die_of_many(response, fact)
        return
    state = response.state
    known = (*state.rejected, *state.idle)
    new = moved_in(fact.reading.dice, known)
    field = tuple(die for die in new if die not in aside(new))
    response.change(idle=(*state.idle, *aside(new)) if len(field) != 1 else state.idle)
    thrown = without_glints(field)
    if len(thrown) == 2 and {die.section for die in thrown} == set(response.game.seats):
        _one_die_each(response, thrown, Certainty.PROBABLE if len(thrown) < len(field) else roll_certainty(thrown))
        return
    seat = whose(thrown)
    throw = read_throw(new, seat, response.ruleset)
    match throw:
        case NothingNew():
            return
        case Thrown() if not response.match.recorded:
            reasons = (Text.of("opening.one_each"),)
            _again(response, throw.dice, RollRead(None, None, False, Certainty.PROBABLE, reasons))
        case Thrown() if not throw.roll.is_double and seat is not None:
            start_turn(response, seat, throw)
        case Thrown():
            reasons = (Text.of("opening.equal"),)
            _again(response, throw.dice, RollRead(seat, throw.roll, False, throw.certainty, reasons))
        case Rejected():
            certainty = refusal_certainty(throw.dice, throw.reasons)
            _again(response, throw.dice, RollRead(seat, None, False, certainty, throw.reasons))
        case _:
            response.show([Mark(Sign.UNCLEAR, None, seat)])
            response.notice(Text.of("dice.unclear"))


def _one_die_each(response: Response, dice: tuple[DieReading, ...], certainty: Certainty) -> None:
    """Decides who starts by one die of each seat. ``certainty``: how far the values are vouched for."""
    reasons = [reason for die in dice for reason in die_reasons(die, die.section, response.ruleset)]
    if reasons:
        refusal = RollRead(None, None, False, refusal_certainty(dice, reasons), tuple(reasons))
        _again(response, dice, refusal)
        return
    if not all(readable(die) for die in dice):
        response.show([Mark(Sign.UNCLEAR)])
        response.notice(Text.of("dice.unclear"))
        return
    by_seat: dict[Seat, int] = {}
    for die in dice:
        assert die.section is not None
        assert die.value is not None
        by_seat[die.section] = die.value
    opening = response.game.opening(by_seat)
    first, second = (by_seat[seat] for seat in response.game.seats)
    if opening.starter is None:
        _double_automatically(response)
        equal = (Text.of("opening.equal"),)
        _again(response, dice, RollRead(None, Roll.of(first, second), False, certainty, equal))
        return
    if opening.roll is None:
        response.say(RollRead(None, Roll.of(first, second), True, OPENING_CERTAINTY))
        response.change(rejected=dice)
        response.change(opening_winner=opening.starter)
        begin_turn(response, opening.starter)
        response.notice(Text.of("opening.starts", seat=opening.starter))
        return
    response.change(opening_winner=opening.starter)
    start_turn(response, opening.starter, Thrown((dice[0], dice[1]), opening.starter, opening.roll, certainty))


def _double_automatically(response: Response) -> None:
    """Equal opening dice turn the cube where that is agreed."""
    cube = response.state.cube
    turned = cube.doubled_automatically(response.match.terms.automatic_doubles)
    if response.state.ledger.has_cube and turned != cube:
        response.change(cube=turned)
        response.say(CubeTurned("automatic", None, turned.value, turned.owner))


def _one_die_of_many(response: Response, fact: DiceRested) -> None:
    """Decides who starts where more than two seats play: those that tie for highest roll again, the others' dice stay.

    Dice of seats that need not have rolled again count for nothing.
    """
    state = response.state
    held = dict(state.opening)
    awaited = tuple(seat for seat in response.game.seats if seat not in held)
    new = moved_in(fact.reading.dice, (*state.rejected, *state.idle, *held.values()))
    lying = tuple(die for die in new if die not in aside(new) and die.section not in held)
    if len(new) < len(awaited):
        return
    field = without_glints(lying, len(awaited))
    certainty = Certainty.PROBABLE if len(field) < len(lying) else roll_certainty(field)
    reasons = [reason for die in field for reason in die_reasons(die, die.section, response.ruleset)]
    if sorted(die.section or "" for die in field) != sorted(awaited):
        reasons = reasons or [Text.of("opening.one_each")]
        certainty = Certainty.PROBABLE
    if reasons:
        _again(response, field, RollRead(None, None, False, certainty, tuple(dict.fromkeys(reasons))))
        return
    thrown = {die.section: die for die in field if die.section is not None}
    if not all(readable(die) for die in field):
        response.show([Mark(Sign.UNCLEAR)])
        response.notice(Text.of("dice.unclear"))
        return
    dice = {**held, **thrown}
    by_seat = {seat: die.value for seat, die in dice.items() if die.value is not None}
    opening = response.game.opening(by_seat, awaited if held else ())
    if opening.starter is None or opening.roll is None:
        seats = ", ".join(seat.value for seat in opening.again)
        _again(
            response,
            tuple(dice[seat] for seat in opening.again),
            RollRead(None, None, False, certainty, (Text.of("opening.tied", seats=seats),)),
        )
        response.change(opening=tuple((seat, die) for seat, die in dice.items() if seat not in opening.again))
        return
    lowest = min((die for seat, die in dice.items() if seat is not opening.starter), key=lambda die: die.value or 0)
    pair = (dice[opening.starter], lowest)
    throw = Thrown(pair, opening.starter, opening.roll, roll_certainty(tuple(dice.values())))
    start_turn(response, opening.starter, throw, lying=tuple(die for die in dice.values() if die not in pair))


def _again(response: Response, dice: tuple[DieReading, ...], read: RollRead) -> None:
    response.change(rejected=dice)
    response.say(read)
    response.show([Mark(Sign.REROLL, None, read.seat)])
    response.cue("reroll")


def board_after_game(response: Response, fact: BoardSeen) -> None:
    """Starts the next game as soon as the board is being set up for it."""
    response.take_reading(fact)
    evidence = response.evidence
    position = response.state.position
    assert position is not None
    final = position.placement()
    _, weight = best_board(response.game, evidence, final)
    if evidence.hand or weight - evidence.weight_of(final) < CONTRADICTION:
        return
    fact = replace(fact, reading=in_trays(fact.reading, response.state.missing, sign=-1))
    nothing_missing(response)
    response.change(
        game_number=response.state.game_number + 1,
        wrongly_set_up=None,
        idle=(),
        rejected=(),
        previous=None,
        seen_whole=(),
    )
    response.enter(Phase.SETUP, None)
    board_in_setup(response, fact)
