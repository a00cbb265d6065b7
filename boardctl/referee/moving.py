"""A roll is being played: the play on its way, the lights that go with it, and the end of the turn."""

from collections.abc import Sequence
from dataclasses import replace

from boardctl.referee.effects import Text
from boardctl.referee.facts import Answered, BoardSeen, ButtonPressed, Choice, DiceLifted, DiceRested, Role
from boardctl.referee.readings import DieReading
from boardctl.referee.response import Response
from boardctl.referee.roll.next_throw import is_throw, next_thrower
from boardctl.referee.roll.rolling import answers, dice_in_roll
from boardctl.referee.roll.taken_up import ROLL_COUNTED, is_taken_up, may_be_thrown_again, says_it_counted, take_up_dice
from boardctl.referee.roll.thrown_again import opening_thrown_again, remember_throw, take_thrown_again
from boardctl.referee.roll.whose_dice import answered_whose_dice, is_asked, undo_throw
from boardctl.referee.roll.wrong_start import answered_start, put_right
from boardctl.referee.seen.dice import lying, moved_in, turned
from boardctl.referee.seen.judging import judge
from boardctl.referee.state import Stage, State
from boardctl.referee.turn.parts import Found, found_again, goes_on
from boardctl.referee.turn.turns import begin_turn, follow_play
from boardctl.referee.turn.unsettled import settle_earlier
from boardctl.referee.turn.verdicts import turn_case
from boardctl.referee.turn_end.confirming import end_turn, require_confirmed
from boardctl.referee.turn_end.correction_window import closed_by_play, waived
from boardctl.referee.turn_end.last_roll import result_at
from boardctl.rules import Seat
from boardctl.rules.turn import has_parts


def board_in_move(response: Response, fact: BoardSeen) -> None:
    """Follows the play, part by part. Nothing is judged: players shuffle checkers while they think."""
    response.take_reading(fact)
    settle_earlier(response)
    if closed_by_play(response):
        return
    follow_play(response)
    if response.state.progress.stage is Stage.UNEXPLAINED and put_right(response):
        follow_play(response)
    if response.state.progress.stage is Stage.UNEXPLAINED and take_thrown_again(response):
        follow_play(response)
    while _next_part(response):
        follow_play(response)
    state = response.state
    assert state.turn is not None
    if is_taken_up(state.turn) and state.progress.stage is not Stage.NOT_MOVED and not response.evidence.hand:
        end_turn(response)  # something was played all the same
        return
    if state.progress.stage is not Stage.COMPLETE or state.progress.play is None:
        return
    result = result_at(response, state.progress.play.position)
    if state.turn.replayed or state.turn.lifted or (result is not None and result.winner is not None):
        # A play that is made again needs no dice to be lifted, and the last checker off ends the game.
        end_turn(response)


def _next_part(response: Response) -> bool:
    """Goes to another part of the turn, if the board says so: the next one, or wherever the turn was taken back to."""
    state = response.state
    if state.turn is None or not has_parts(response.game, state.turn.stand) or response.evidence.hand:
        return False
    if state.progress.stage is Stage.UNEXPLAINED:
        return found_again(response) is Found.YES
    if state.progress.stage is not Stage.COMPLETE:
        return False
    verdict = judge(turn_case(response))
    return bool(verdict.legal) and goes_on(response, verdict.certainty)


def lifted_in_move(response: Response, fact: DiceLifted) -> None:
    """Ends the turn when the ruleset ends it by lifting the dice."""
    state = response.state
    assert state.turn is not None
    others = len(state.idle) + (len(state.turn.dice) if state.late_roll is not None else 0)
    left = max(0, fact.left - others) if fact.still is None else len(lying(fact.still, state.turn.dice))
    _take_back(response, fact)
    # After an opening of more than two dice it cannot be told whose of them are gone: all must be.
    any_gone = left < min(2, len(state.turn.dice)) if len(state.turn.dice) <= 2 else left == 0
    # Who has played and takes up what can be seen of the dice takes them all.
    played = state.progress.stage not in (Stage.UNSEEN, Stage.NOT_MOVED)
    none_seen = left == 0 or (any_gone and left <= fact.covered and played)
    ends = {"dice_lift_any": any_gone, "dice_lift_both": none_seen}.get(response.ruleset.turn_end, False)
    if left == 0:
        response.change(idle=() if fact.left == 0 else state.idle)
    if ends and state.turn.seat is not state.turn.roller:
        # Who rolled has taken up the dice while the other seat plays on: it ends its part without them.
        response.change(turn=replace(state.turn, lifted=True))
        if state.progress.stage is Stage.COMPLETE:
            end_turn(response)
    elif ends and may_be_thrown_again(response):
        take_up_dice(response)
    elif ends:
        end_turn(response)


def _take_back(response: Response, fact: DiceLifted) -> None:
    """Forgets a roll that came too early and was taken up again before its time had come, unless it stands by rule."""
    state = response.state
    late, turn = state.late_roll, state.turn
    if fact.still is None or late is None or turn is None or response.ruleset.premature_roll == "stands":
        return
    if not lying(fact.still, moved_in(late.reading.dice, turn.dice)):
        response.change(late_roll=None)


def button_in_move(response: Response, fact: ButtonPressed) -> None:
    """Ends the turn when the ruleset ends it by a button or the clock, and the seat on turn pressed.

    Who rolls again because the other seat has to wait, and has forgotten to press before, may do so after the throw.
    """
    state = response.state
    if response.ruleset.turn_end not in ("button", "clock") or fact.by.value != state.seat:
        return
    late = state.owes_press is state.seat and state.progress.stage is Stage.NOT_MOVED
    response.change(owes_press=None)
    if not (late and any(play.moves for play in response.plays.values())):
        end_turn(response)


def dice_in_move(response: Response, fact: DiceRested) -> None:
    """Tells the dice of the roll, which count as they lay first, from a throw of the next seat.

    New dice in the next seat's section while those of the roll are gone: the dice were lifted and the opponent rolled.
    A source of single pictures shows it so.
    """
    state = response.state
    assert state.turn is not None
    assert state.seat is not None
    dice = fact.reading.dice
    still = lying(dice, state.turn.dice)
    again = _lying_again(state, dice)
    new = moved_in(dice, (*state.turn.dice, *state.idle))
    for was, now in turned(dice, state.turn.dice):
        response.notice(Text.of("dice.turned", was=was.value, now=now.value, roll=state.turn.roll))
    if not new:
        remember_throw(response, fact, still=True)
        return
    if not still and opening_thrown_again(response, fact, new):
        return
    following = next_thrower(response)
    field = [die for die in new if die.section is following]
    if is_taken_up(state.turn) and not still and any(die.section is state.turn.roller for die in new):
        if is_asked(response):
            undo_throw(response, "players")
        begin_turn(response, state.turn.roller)
        dice_in_roll(response, fact)
        return
    # Where the other seat has to wait, who is on turn throws next, too: with nothing played it is the same turn.
    same_turn = following is state.turn.roller and state.progress.stage is Stage.NOT_MOVED
    if len(field) >= 1 and not (still or again or same_turn) and is_throw(response, fact):
        end_turn(response, next_throw=fact)
        response.change(owes_press=state.turn.roller)
        return
    if len(field) >= 2 and (still or again):
        _premature(response, fact, moved_in(new, again), following)
        return
    if any(die.section is state.seat for die in new):
        remember_throw(response, fact, still=bool(still))
        if response.state.thrown_again is not None:
            response.notice(Text.of("dice.thrown_again", roll=state.turn.roll))
        else:
            response.notice(Text.of("dice.changed", roll=state.turn.roll))


def _lying_again(state: State, dice: Sequence[DieReading]) -> tuple[DieReading, ...]:
    """Gets the dice that the seat on turn threw in the place of its roll and that still lie: its turn has not ended."""
    if state.turn is None or state.thrown_again is None:
        return ()
    own = [die for die in state.thrown_again.reading.dice if die.section is state.turn.roller]
    return lying(dice, own)


def _premature(response: Response, fact: DiceRested, new: tuple[DieReading, ...], thrower: Seat) -> None:
    """The next seat threw before the turn had ended: void, standing, or as the seat on turn chooses."""
    state = response.state
    assert state.seat is not None
    rule = response.ruleset.premature_roll
    if rule == "stands" or waived(response):
        response.change(late_roll=fact)
        response.notice(Text.of("dice.early", seat=thrower))
    elif rule == "void":
        response.change(idle=(*state.idle, *new))
        response.notice(Text.of("dice.premature", seat=thrower))
    elif state.prompt is None:
        response.change(late_roll=fact)
        text = Text.of("ask.premature", seat=thrower)
        response.ask([Role(state.seat.value)], text, (Choice.ACCEPT, Choice.REQUIRE))


def answered_in_move(response: Response, fact: Answered) -> None:
    """The seat on turn says whether a throw that came too early stands; both, whether one with the other's dice does,
    and whether one counted of which nothing was played. Saying nothing lets it stand."""
    if not answers(response, fact):
        return
    if is_asked(response):
        answered_whose_dice(response, fact)
        return
    if response.state.prompt is not None and response.state.prompt.text.key == "ask.correct_start":
        answered_start(response, fact)
        follow_play(response)
        return
    if response.state.prompt is not None and response.state.prompt.text.key == ROLL_COUNTED:
        if says_it_counted(response, fact):
            end_turn(response)
            require_confirmed(response, fact.by.value)
        return
    turn, late = response.state.turn, response.state.late_roll
    response.change(prompt=None)
    if fact.choice is Choice.REQUIRE and late is not None and turn is not None:
        thrown = moved_in(late.reading.dice, turn.dice)
        response.change(late_roll=None, idle=(*response.state.idle, *thrown))
        response.notice(Text.of("dice.premature", seat=response.game.next_seat(turn.before, turn.roller)))
