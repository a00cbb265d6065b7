"""A roll is being played: the play on its way, the lights that go with it, and the end of the turn."""

from boardctl.referee.confirming import end_turn, is_throw, waived
from boardctl.referee.dice import lying, moved_in
from boardctl.referee.effects import Text
from boardctl.referee.facts import Answered, BoardSeen, ButtonPressed, Choice, DiceLifted, DiceRested, Role
from boardctl.referee.readings import DieReading
from boardctl.referee.response import Response
from boardctl.referee.rolling import answers
from boardctl.referee.state import Stage
from boardctl.referee.turns import follow_play
from boardctl.referee.unsettled import settle_earlier
from boardctl.rules import Seat


def board_in_move(response: Response, fact: BoardSeen) -> None:
    """Follows the play. Nothing is judged: players shuffle checkers while they think."""
    response.take_reading(fact)
    settle_earlier(response)
    follow_play(response)
    state = response.state
    assert state.turn is not None
    if state.progress.stage is not Stage.COMPLETE or state.progress.play is None:
        return
    if state.turn.replayed or response.game.result(state.progress.play.position) is not None:
        # A play that is made again needs no dice to be lifted, and the last checker off ends the game.
        end_turn(response)


def lifted_in_move(response: Response, fact: DiceLifted) -> None:
    """Ends the turn when the ruleset ends it by lifting the dice."""
    state = response.state
    assert state.turn is not None
    others = len(state.idle) + (len(state.turn.dice) if state.late_roll is not None else 0)
    left = max(0, fact.left - others)
    ends = {"dice_lift_any": left < 2, "dice_lift_both": left == 0}.get(response.ruleset.turn_end, False)
    if left == 0:
        response.change(idle=() if fact.left == 0 else state.idle)
    if ends:
        end_turn(response)


def button_in_move(response: Response, fact: ButtonPressed) -> None:
    """Ends the turn when the ruleset ends it by a button or the clock, and the seat on turn pressed."""
    if response.ruleset.turn_end in ("button", "clock") and fact.by.value == response.state.seat:
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
    new = moved_in(dice, (*state.turn.dice, *state.idle))
    if not new:
        return
    following = response.game.next_seat(state.turn.before, state.seat)
    field = [die for die in new if die.section is following]
    if len(field) >= 1 and not still and is_throw(response, fact):
        end_turn(response, next_throw=fact)
        return
    if len(field) >= 2 and still:
        _premature(response, fact, new, following)
        return
    if any(die.section is state.seat for die in new):
        response.notice(Text.of("dice.changed", roll=state.turn.roll))


def _premature(response: Response, fact: DiceRested, new: tuple[DieReading, ...], thrower: Seat) -> None:
    """The next seat threw before the turn had ended: void, standing, or as the seat on turn chooses."""
    state = response.state
    assert state.seat is not None
    rule = response.ruleset.premature_roll
    if rule == "stands" or waived(response):
        response.change(late_roll=fact)
    elif rule == "void":
        response.change(idle=(*state.idle, *new))
        response.notice(Text.of("dice.premature", seat=thrower))
    elif state.prompt is None:
        response.change(late_roll=fact)
        text = Text.of("ask.premature", seat=thrower)
        response.ask([Role(state.seat.value)], text, (Choice.ACCEPT, Choice.REQUIRE))


def answered_in_move(response: Response, fact: Answered) -> None:
    """The seat on turn says whether a throw that came too early stands. Saying nothing lets it stand."""
    if not answers(response, fact):
        return
    turn, late = response.state.turn, response.state.late_roll
    response.change(prompt=None)
    if fact.choice is Choice.REQUIRE and late is not None and turn is not None:
        thrown = moved_in(late.reading.dice, turn.dice)
        response.change(late_roll=None, idle=(*response.state.idle, *thrown))
        response.notice(Text.of("dice.premature", seat=response.game.next_seat(turn.before, turn.seat)))
