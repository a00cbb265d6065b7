"""A seat is to roll: its throw, what may be wrong with it, and a board that changes before anybody rolled."""

from dataclasses import replace

from boardctl.referee.clocking import say_wrong_clock
from boardctl.referee.effects import Certainty, Mark, Phase, RollRead, Ruled, Sign, Text
from boardctl.referee.facts import Answered, BoardSeen, ButtonPressed, Choice, DiceLifted, DiceRested, Role
from boardctl.referee.readings import DieReading
from boardctl.referee.response import Response
from boardctl.referee.roll.before_roll import (
    changed_board,
    has_changed,
    is_knocked,
    is_known,
    is_presumed,
    say_what_changed,
    take_as_it_stands,
    take_before_roll,
)
from boardctl.referee.roll.missing import found_short
from boardctl.referee.roll.together import thrown_together, watch_lone_die
from boardctl.referee.roll.whose_dice import note_whose_dice
from boardctl.referee.roll.wrong_start import answered_start, put_right
from boardctl.referee.seen.dice import (
    Misplaced,
    NothingNew,
    Rejected,
    Throw,
    Thrown,
    Unclear,
    aside,
    lying,
    may_show,
    moved_in,
    read_throw,
    readable,
    refusal_certainty,
    told,
    vouched,
    whose,
)
from boardctl.referee.seen.judging import CONTRADICTION
from boardctl.referee.seen.matching import match
from boardctl.referee.seen.weighing import best_board, between_two
from boardctl.referee.state import PUT_RIGHT, Stage
from boardctl.referee.turn.leading_back import differing, lead_back
from boardctl.referee.turn.parts import first_stand
from boardctl.referee.turn.turns import begin_turn, pass_on, start_turn
from boardctl.referee.turn.unsettled import drop_unsettled, settle_earlier
from boardctl.rules import Faults, Position, Roll, Seat
from boardctl.rules.turn import moves_in, plays_in

_ASKED_AFTER = 2
"""How often in a row the wrong seat seems to roll before the players are asked whose turn it is."""


def dice_in_roll(response: Response, fact: DiceRested) -> None:
    """Reads the throw of the seat that is to roll."""
    take_throw(response, fact)


def take_throw(response: Response, fact: DiceRested, found_lying: bool = False) -> None:
    """Reads the dice in view as the throw of the seat that is to roll."""
    throw = new_throw(response, fact, response.state.seat)
    seat = response.state.seat
    match throw:
        case NothingNew():
            return
        case Thrown() | Misplaced() if _has_played_unread(response, throw.seat):
            _end_unread_turn(response, ended=True)
            take_throw(response, fact)
        case Thrown():
            roller = seat if seat is not None else throw.seat
            if roller is None:
                refuse(response, Rejected(throw.dice, None, (Text.of("dice.whose"),)))
                return
            take_before_roll(response, roller, throw.roll)
            if response.state.unread and len(lying(throw.dice, response.state.unread)) < len(throw.dice):
                # The roll is what they first came to rest at, unread: they were tipped since, or thrown again.
                throw = replace(throw, certainty=Certainty.PROBABLE)
            start_turn(response, roller, throw, found_lying)
            if throw.seat is roller and not found_lying:
                note_whose_dice(response, roller, throw)
        case Rejected():
            refuse(response, throw)
        case Misplaced():
            misplace(response, throw, fact)
        case Unclear():
            wait_for_dice(response, throw)


def _has_played_unread(response: Response, thrower: Seat | None) -> bool:
    """Whether who throws is the next after a seat whose throw could not be read: then that one has played, or could not
    play anything."""
    state = response.state
    if not state.unread or state.seat is None or state.position is None or response.evidence.hand or state.stale:
        return False
    return response.next_roller(state.position, state.seat) is thrower


def new_throw(response: Response, fact: DiceRested, expected: Seat | None) -> Throw:
    """Gets what the dice in view that were not there before are worth, and remembers which lie idle."""
    state = response.state
    dice = fact.reading.dice
    last = state.previous.dice if state.previous is not None else ()
    new = moved_in(dice, (*state.idle, *last, *state.rejected))
    throw = read_throw(new, expected, response.ruleset)
    thrown: tuple[DieReading, ...] = () if isinstance(throw, NothingNew) else throw.dice
    still_idle = lying(dice, state.idle)
    laid_aside = tuple(die for die in new if die not in thrown and (thrown or die in aside(new)))
    response.change(idle=(*still_idle, *laid_aside))
    watch_lone_die(response, fact, new)
    again = [die for die in told(new) if die not in aside(new)] or new
    if len(again) == 1 and len(lying(dice, state.rejected)) == 1:
        # One of two dice was thrown again; "the player must reroll both dice". What lies aside is not part of it.
        return Rejected((*again, *lying(dice, state.rejected)), expected, (Text.of("dice.only_one_again"),))
    return thrown_together(response, fact, throw)


def misplace(response: Response, throw: Misplaced, fact: DiceRested) -> None:
    """A seat that is not to roll seems to have rolled, or its opponent threw both dice into the wrong section.

    Once, the dice are thrown again. When it happens again the game may have gone on in a way that was not seen: the
    players are asked whose turn it is, also where they left unanswered whether a play was what it looked like.
    """
    state = response.state
    left_open = state.prompt is None or state.prompt.text.key in ("ask.looks_illegal", PUT_RIGHT)
    response.change(rejected=throw.dice, misplaced=state.misplaced + 1)
    reason = Text.of("dice.not_on_turn", seat=throw.seat, expected=throw.expected)
    response.say(RollRead(None, None, False, Certainty.PROBABLE, (reason,)))
    response.show([Mark(Sign.REROLL, None, throw.expected)])
    response.cue("reroll")
    if response.state.misplaced >= _ASKED_AFTER and left_open:
        response.change(late_roll=fact)
        everybody = tuple(Role(seat.value) for seat in response.game.seats)
        text = Text.of("ask.whose_turn", seat=throw.seat, expected=throw.expected)
        response.ask(everybody, text, (Choice.CONFIRM, Choice.DENY))


def answered_in_roll(response: Response, fact: Answered) -> None:
    """Takes the answer to whose turn it is; the board is then taken as it stands."""
    if not answers(response, fact):
        return
    if response.state.prompt is not None and response.state.prompt.text.key == "ask.correct_start":
        answered_start(response, fact)
        return
    late = response.state.late_roll
    response.change(prompt=None, late_roll=None, misplaced=0)
    seat = whose(late.reading.dice) if late is not None else None
    if fact.choice is not Choice.CONFIRM or late is None or seat is None:
        response.show_turn()
        return
    take_up(response, seat, fact.by.value)
    take_throw(response, late)


def take_up(response: Response, seat: Seat, by: str) -> None:
    """Lets a seat go on from where the game stood: before or after the turn that was followed, whichever the board
    shows; from the board as it stands, if it contradicts both and is a position of the game."""
    state = response.state
    assert state.position is not None
    evidence = response.evidence
    known = [state.position]
    if state.turn is not None:
        known += response.plays
    likeliest = max(known, key=evidence.weight_of)
    board, weight = best_board(response.game, evidence, likeliest.placement())
    if weight - evidence.weight_of(likeliest) < CONTRADICTION:
        response.change(position=likeliest, position_sure=False)
    elif response.game.faults(board) is Faults.NONE:
        response.change(position=response.position_of(board), position_sure=False)
    response.say(Ruled("set_up", by, seat))
    response.change(previous=None, rejected=(), unsettled=None)
    begin_turn(response, seat)


def answers(response: Response, fact: Answered) -> bool:
    """Whether a fact answers the question that stands, from somebody who was asked."""
    prompt = response.state.prompt
    if prompt is None or fact.prompt != prompt.number or fact.choice not in prompt.choices:
        return False
    return fact.by in prompt.to or fact.by is Role.DIRECTOR


def refuse(response: Response, throw: Rejected) -> None:
    """Says that the dice must be thrown again, and why."""
    certainty = refusal_certainty(throw.dice, throw.reasons)
    if response.state.unexplained and certainty is Certainty.CERTAIN:
        certainty = Certainty.PROBABLE  # the game may have gone on, or begun anew, in a way that was not seen
    response.change(rejected=throw.dice)
    response.say(RollRead(throw.seat, None, False, certainty, throw.reasons))
    response.show([Mark(Sign.REROLL, None, throw.seat)])
    response.cue("reroll")


def wait_for_dice(response: Response, throw: Unclear) -> None:
    """Says that the dice cannot be read; the next reading of them may do better."""
    response.change(unread=throw.dice if throw.seat is response.state.seat else ())
    if throw.seat is not None:
        say_wrong_clock(response, throw.seat)
    response.show([Mark(Sign.UNCLEAR, None, throw.seat)])
    response.notice(Text.of("dice.unclear"))


def lifted_in_roll(response: Response, fact: DiceLifted) -> None:
    """Forgets where dice lay that are gone: from now on every die is a new throw.

    Dice that could not be read and were played end their turn like others; nobody can judge it.
    """
    if fact.left == 0:
        if response.state.unread and response.ruleset.turn_end in ("dice_lift_any", "dice_lift_both"):
            _end_unread_turn(response)
        previous = response.state.previous
        response.change(rejected=(), idle=(), lone_die=None)
        if previous is not None:
            response.change(previous=replace(previous, dice=()))


def button_in_roll(response: Response, fact: ButtonPressed) -> None:
    """Ends the turn of a throw that could not be read, when who threw it has played and presses."""
    ends = response.ruleset.turn_end in ("button", "clock")
    if ends and response.state.unread and fact.by.value == response.state.seat:
        _end_unread_turn(response, ended=True)


def _end_unread_turn(response: Response, *, ended: bool = False) -> None:
    """Goes on to the next seat if the board shows that something was played; it is taken as it stands. ``ended``: a
    player's act tells that the turn has ended, whatever was played."""
    state = response.state
    evidence = response.evidence
    if state.seat is None or state.position is None or evidence.hand or state.stale:
        return
    expected = state.position.placement()
    board, weight = best_board(response.game, evidence, expected)
    changed = weight - evidence.weight_of(expected) >= CONTRADICTION
    if not (changed or ended):
        return
    drop_unsettled(response)
    response.notice(Text.of("turn.not_seen"))
    if changed and response.game.faults(board) is Faults.NONE:
        response.change(position=response.position_of(board))
    response.change(position_sure=False, turns_played=state.turns_played + 1, unread=())
    pass_on(response, state.seat)
    between = {place for reading in evidence.readings for place in between_two(reading)}
    if between:
        points = ", ".join(str(place) for place in response.game.places if place in between)
        response.notice(Text.of("turn.unclear", points=points))


def board_in_roll(response: Response, fact: BoardSeen) -> None:
    """Notices a board that changed although nobody has rolled, and leads back to what it was."""
    response.take_reading(fact)
    settle_earlier(response)
    state = response.state
    if state.position is None:
        return
    expected, evidence = state.position.placement(), response.evidence
    known = is_known(response)
    board = changed_board(response)
    if board is None:
        if evidence.vouches_for(expected, state.position_sure) and not state.unplayed:
            response.change(position_sure=True)
        if state.unexplained:
            response.change(unexplained=(), said=())
            if known:
                response.notice(Text.of("repair.done"))
            response.show_turn()
        return
    if state.awaited:
        return  # a die that rolls over a sensor is felt like a checker: the camera is asked, too
    if evidence.hand or put_right(response) or found_short(response, board, (state.position,)):
        return
    if response.ruleset.announce != "monitor" and played_all_the_same(response, state.seat):
        return
    unread = _unread_dice(response)
    if unread:
        # A throw lies there that could not be read: who moves now plays it, and nothing is held against anybody.
        _played_unread(response, unread)
        return
    if is_presumed(response, board) and not has_changed(response, board):
        take_as_it_stands(response, board)
        return
    places = differing(response, expected, board)
    if places == state.unexplained:
        return
    # While what was said to have changed is put right, only the next step is told.
    explained = set(places) < set(state.unexplained) or say_what_changed(response, board)
    if not known:
        response.change(unexplained=places)
        response.show_turn(Mark(Sign.PROBLEM, place) for place in places)
        return
    if not explained and is_knocked(response, board):
        response.enter(Phase.REPAIR, state.seat, repaired_phase=state.phase)
    lead_back(response, expected, board)


def _unread_dice(response: Response) -> tuple[DieReading, ...]:
    """Gets the two dice in the section of the seat that is to roll that lie there and could not be read."""
    state = response.state
    if state.dice_in_view is None:
        return ()
    last = state.previous.dice if state.previous is not None else ()
    new = moved_in(state.dice_in_view.reading.dice, (*state.idle, *last, *state.rejected))
    own = tuple(die for die in new if die.section is state.seat) if response.ruleset.roller_half == "right" else new
    return own if len(own) == 2 and not all(readable(die) for die in own) else ()


def _played_unread(response: Response, dice: tuple[DieReading, ...]) -> None:
    """Starts the turn of a throw that was not read, if the play that is being made tells what it is."""
    seat = response.state.seat
    first, second = (may_show(die) for die in dice)
    rolls = {Roll.of(max(one, other), min(one, other)) for one in first for other in second}
    fitting = [roll for roll in rolls if seat is not None and is_played(response, seat, roll)]
    if seat is not None and len(fitting) == 1:
        start_turn(response, seat, Thrown((dice[0], dice[1]), seat, fitting[0], Certainty.PROBABLE))
    else:
        response.show([Mark(Sign.UNCLEAR, None, seat)])
        response.notice(Text.of("dice.unclear"))


def is_played(response: Response, seat: Seat, roll: Roll) -> bool:
    """Whether the board shows that a seat plays a roll from where the game stands, on its way or complete."""
    position = response.state.position
    assert position is not None
    return how_far_played(response, position, seat, roll) in (Stage.ON_THE_WAY, Stage.COMPLETE)


def how_far_played(response: Response, position: Position, seat: Seat, roll: Roll) -> Stage:
    """Gets how far the board shows that a seat has played a roll from a position."""
    stand = first_stand(response.game, position, seat, roll)
    graph = moves_in(response.game, position, stand)
    plays = {play.position: play for play in plays_in(response.game, position, stand)}
    return match(response.game, stand.control, graph, plays, response.evidence).stage


def played_all_the_same(response: Response, seat: Seat | None) -> bool:
    """Starts the turn of a throw that should have been thrown again, if the seat has played it all the same.

    The opponent has let it pass; the throw stands. Only for throws that nobody may object to, or whose story was not
    seen; where players were told why a throw does not count, it never does.
    """
    state = response.state
    dice = state.rejected
    if seat is None or len(dice) != 2 or state.position is None:
        return False
    first, second = dice
    one, other = vouched(first), vouched(second)
    if one is None or other is None:
        return False
    throw = Thrown((first, second), seat, Roll.of(one, other), Certainty.PROBABLE)
    if not is_played(response, seat, throw.roll):
        return False
    start_turn(response, seat, throw)
    return True
