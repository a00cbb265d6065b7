"""The turn has ended: it is judged, and an illegal play is ruled upon as the ruleset says."""

from dataclasses import replace

from boardctl.referee.announcing import is_silent
from boardctl.referee.effects import Certainty, Mark, Phase, Ruled, Sign, Text, TurnJudged
from boardctl.referee.facts import Answered, BoardSeen, ButtonPressed, Choice, DiceRested, Queried, Role
from boardctl.referee.response import Response
from boardctl.referee.roll.before_roll import changed_since_its_end
from boardctl.referee.roll.missing import found_short
from boardctl.referee.roll.next_throw import following_throw, next_thrower
from boardctl.referee.roll.rolling import (
    answered_in_roll,
    answers,
    button_in_roll,
    dice_in_roll,
    misplace,
    refuse,
    wait_for_dice,
)
from boardctl.referee.roll.taken_up import ROLL_COUNTED
from boardctl.referee.roll.whose_dice import QUESTION
from boardctl.referee.seen.dice import Misplaced, NothingNew, Rejected, Thrown, Unclear
from boardctl.referee.seen.judging import CONTRADICTION, Verdict, judge
from boardctl.referee.seen.weighing import whole_board
from boardctl.referee.state import NOTHING_SEEN, Progress, Stage
from boardctl.referee.turn.parts import Found, found_again, goes_on
from boardctl.referee.turn.turns import follow_play, is_opening
from boardctl.referee.turn.unsettled import drop_unsettled, leaving_unsettled
from boardctl.referee.turn.verdicts import say_judged, turn_case, until_tidied, weakened, why_open
from boardctl.referee.turn.who_played import ask_who_played, played_instead, player_instead, take_who_played
from boardctl.referee.turn_end.correction_window import closed_by_play, put_to_players, rolled_on
from boardctl.referee.turn_end.going_on import accept, advance, require
from boardctl.referee.turn_end.own_correction import advance_put_right, asked_about
from boardctl.rules import Faults, Placement, Position
from boardctl.rules.turn import has_parts


def end_turn(response: Response, next_throw: DiceRested | None = None) -> None:
    """Ends the turn. ``next_throw``: the opponent's dice that showed that it has ended."""
    prompt = response.state.prompt
    if prompt is not None and prompt.text.key in ("ask.premature", QUESTION, ROLL_COUNTED):
        response.change(prompt=None)  # who says nothing of a roll, that it came too early or was no roll, lets it be
    response.enter(Phase.CONFIRM, response.state.seat, queried=False, next_threw=False)
    response.show_turn()
    if next_throw is None:
        settle(response)
    else:
        dice_in_confirm(response, next_throw)


def settle(response: Response, final: bool = False) -> None:
    """Judges the turn by what was seen last.

    A board that a hand has been over since it was read, or that the sensors have felt to change, is read again first,
    unless this is ``final``: the opponent has rolled, and there will be no other reading of this turn.
    """
    if (response.state.stale or response.state.awaited) and not final:
        return
    drop_unsettled(response)
    turn = response.state.turn
    assert turn is not None
    if has_parts(response.game, turn.stand) and _goes_on_all_the_same(response, final):
        return
    verdict = judge(turn_case(response, final))
    if verdict.legal is False and verdict.after and found_short(response, verdict.after, response.plays):
        verdict = judge(turn_case(response, final))
    if not final:
        verdict = until_tidied(response, verdict)
    if verdict.after == _before(response).placement() and is_opening(response):
        # Perhaps it did not count: nobody sees who threw which of the first two dice.
        verdict = replace(verdict, certainty=Certainty.PROBABLE)
    other = player_instead(response, verdict)
    if other is not None and final:
        played_instead(response, other)
        verdict = weakened(judge(turn_case(response)))
    elif other is not None:
        ask_who_played(response, other)
        return
    if not verdict.legal and not final and changed_since_its_end(response):
        return
    if verdict.legal is False and has_parts(response.game, turn.stand) and found_again(response) is Found.OPEN:
        verdict = replace(weakened(verdict), certainty=Certainty.AMBIGUOUS)
    if response.state.stale or response.state.next_threw:
        # What changed on the board since the next seat threw may be its doing.
        verdict = weakened(verdict)
    turn = response.state.turn
    assert turn is not None
    if verdict.legal:
        say_judged(response, verdict)
        assert verdict.play is not None
        advance(response, verdict.play.position, _shown(response, verdict))
    elif turn.found_lying and verdict.after == turn.before.placement():
        # The dice lay there when the board was set up: the play that led here was not seen, and nothing is held
        # against anybody.
        say_judged(response, replace(verdict, legal=None, certainty=Certainty.BLIND, finding=None))
        response.notice(Text.of("turn.not_seen"))
        advance(response, turn.before)
    elif verdict.legal is False:
        say_judged(response, verdict)
        if not final:
            put_to_players(response)
    elif final:
        response.notice(Text.of("turn.not_seen"))
        unmoved = _unmoved(response)
        advance(response, leaving_unsettled(response, unmoved, accepted=unmoved is not None))
    else:
        left_on = response.state.ended_on or response.state.readings
        asked = tuple(dict.fromkeys((*response.state.asked, *verdict.unclear)))
        response.change(unexplained=verdict.unclear if verdict.strange else (), ended_on=left_on, asked=asked)
        response.show_turn(Mark(Sign.UNCLEAR, place) for place in verdict.unclear)
        response.notice(why_open(response, verdict))


def _unmoved(response: Response) -> Position | None:
    """Gets the position from which the turn began, if what is seen contradicts every play: then nothing was moved."""
    evidence, before = response.evidence, _before(response)
    likeliest = max((evidence.weight_of(position) for position in response.plays), default=None)
    stands = likeliest is not None and evidence.weight_of(before) - likeliest >= CONTRADICTION
    return before if stands and not evidence.hand else None


def _goes_on_all_the_same(response: Response, final: bool) -> bool:
    """Whether the dice were lifted although the turn goes on: the other seat plays what could not be played.

    A seat that has left numbers of its own to be played has ended its part too early, which is for the judgement.
    """
    verdict = judge(turn_case(response))
    if verdict.legal is False and found_again(response) is Found.YES:
        verdict = judge(turn_case(response))
    passed = False
    turn = response.state.turn
    assert turn is not None
    if verdict.legal and verdict.play is not None:
        response.change(progress=Progress(Stage.COMPLETE, verdict.play.position, play=verdict.play))
        mover = turn.seat
        if goes_on(response, verdict.certainty):
            turn = response.state.turn
            assert turn is not None
            passed = turn.seat is not mover
    response.change(progress=NOTHING_SEEN, phase=Phase.CONFIRM, seat=turn.seat)
    if final or not passed:
        return False
    response.change(turn=replace(turn, lifted=True))
    response.enter(Phase.MOVE, turn.seat)
    follow_play(response)
    return True


def require_confirmed(response: Response, by: str) -> None:
    """Requires a legal play, where the ruleset does and the players have said already what they would be asked."""
    judged = response.state.judged
    illegal = response.state.phase is Phase.CONFIRM and judged is not None and judged.legal is False
    if illegal and response.ruleset.illegal_play == "must_correct":
        require(response, by)


def board_in_confirm(response: Response, fact: BoardSeen) -> None:
    """Judges the turn by a new reading; a play that was corrected before anybody ruled is taken as it now stands."""
    response.take_reading(fact)
    judged = response.state.judged
    if judged is None:
        settle(response)
        return
    if closed_by_play(response):
        return
    verdict = judge(turn_case(response))
    turn = response.state.turn
    assert turn is not None
    if verdict.legal:
        asked = asked_about(response)
        response.change(prompt=None)
        say_judged(response, verdict)
        assert verdict.play is not None
        advance_put_right(response, verdict.play.position, _shown(response, verdict), asked)
    elif verdict.legal is False and verdict.after == judged.after:
        response.change(unexplained=())
    elif verdict.legal is False and verdict.after == turn.before.placement():
        require(response, "players")
    elif verdict.legal is False and verdict.certainty is Certainty.CERTAIN and not response.state.next_threw:
        _changed_since(response, verdict, judged)


def _shown(response: Response, verdict: Verdict) -> bool:
    """Whether the position that a legal play led to is vouched for: by the verdict, or by the board as it was seen."""
    turn = response.state.turn
    assert turn is not None
    assert verdict.play is not None
    seen = response.evidence.vouches_for(verdict.play.position, turn.before_sure)
    return verdict.certainty is Certainty.CERTAIN or seen


def _changed_since(response: Response, verdict: Verdict, judged: TurnJudged) -> None:
    """The board was changed after an illegal play was judged: by its maker, or because the game went on without us."""
    assert verdict.after is not None
    assert judged.after is not None
    changed = verdict.after.differences(judged.after)
    response.change(unexplained=tuple(place for place in response.game.places if place in changed))
    others = [seat for seat in response.game.seats if seat is not judged.seat]
    own_only = all(here.count(seat) == there.count(seat) for here, there in changed.values() for seat in others)
    if own_only and response.state.late_roll is None:
        response.change(prompt=None, unexplained=())
        say_judged(response, verdict)
        put_to_players(response)


def dice_in_confirm(response: Response, fact: DiceRested) -> None:
    """The opponent throws: a valid roll accepts the play as made, one that must be thrown again does not."""
    throw = following_throw(response, fact)
    if isinstance(throw, Unclear | Misplaced | Rejected):
        response.change(next_threw=True)
    match throw:
        case NothingNew():
            return
        case Unclear():
            wait_for_dice(response, throw)
            response.change(unread=throw.dice if throw.seat is next_thrower(response) else ())
        case Misplaced():
            misplace(response, throw, fact)
        case Rejected():
            if response.state.judged is None:
                settle(response)
            if response.state.phase is Phase.CONFIRM:
                refuse(response, throw)
            else:
                dice_in_roll(response, fact)
        case Thrown():
            response.change(late_roll=fact)
            if response.state.judged is None:
                settle(response, final=True)
            if response.state.phase is Phase.CONFIRM and response.state.judged is not None:
                rolled_on(response)


def _before(response: Response) -> Position:
    turn = response.state.turn
    assert turn is not None
    return turn.before


def answered_in_confirm(response: Response, fact: Answered) -> None:
    """Takes the answer to the question that stands."""
    prompt = response.state.prompt
    if prompt is None or not answers(response, fact):
        return
    if prompt.text.key == "ask.whose_turn":
        answered_in_roll(response, fact)
        return
    if prompt.text.key == "ask.who_played":
        take_who_played(response, fact)
        settle(response, final=response.state.late_roll is not None)
        return
    if response.state.judged is None:
        return
    match fact.choice:
        case Choice.ACCEPT:
            accept(response, fact.by.value, "accepted")
        case Choice.REQUIRE | Choice.CONFIRM:
            require(response, fact.by.value)
        case Choice.DENY:
            deny(response, fact.by.value)


def deny(response: Response, by: str) -> None:
    """The players say that the play was legal: it was misread. The legal play that fits best is taken, until what is
    seen next tells better."""
    response.say(Ruled("accepted", by, response.state.seat))
    advance(response, leaving_unsettled(response, _as_seen(response)))
    response.change(ended_on=())  # what was seen at the end of the turn is no measure of what is seen next


def _as_seen(response: Response) -> Position | None:
    """Gets the position that was judged to be illegal, with all checkers on it; None where nothing seen is one."""
    judged = response.state.judged
    if judged is None or judged.after is None:
        return None
    board: Placement | None = judged.after
    if response.game.faults(judged.after) is not Faults.NONE:
        evidence = response.evidence
        least = evidence.weight_of(judged.after) - CONTRADICTION
        board = whole_board(response.game, evidence, least, judged.after)
    if board is None or response.game.faults(board) is not Faults.NONE:
        return None
    return response.position_of(board)


def queried_in_confirm(response: Response, fact: Queried) -> None:
    """Says what was found about the turn that has ended, to whoever asks for it."""
    if response.ruleset.announce == "director_only" and fact.by is not Role.DIRECTOR:
        return
    judged, prompt = response.state.judged, response.state.prompt
    if judged is None:
        response.notice(Text.of("query.nothing"))
        return
    response.change(queried=response.ruleset.announce == "on_query")
    response.say(judged)
    if prompt is not None:
        response.say(prompt)


def button_in_confirm(response: Response, fact: ButtonPressed) -> None:
    """A seat that is asked presses its button: it requires a legal play. Rolling is how it accepts.

    Who follows, has thrown what could not be read, and ends its turn, has gone on from the play as it stands.
    """
    prompt = response.state.prompt
    if prompt is None and _next_has_played(response, fact.by):
        button_in_roll(response, fact)
        return
    if is_silent(response.ruleset, response.state):
        return  # it has not been told that anything is asked
    if prompt is not None and fact.by in prompt.to and Choice.REQUIRE in prompt.choices:
        require(response, fact.by.value)


def _next_has_played(response: Response, by: Role) -> bool:
    """Goes on with the next seat, if it has thrown what could not be read and now ends its turn; whether it does."""
    unread, following = response.state.unread, next_thrower(response)
    ends = response.ruleset.turn_end in ("button", "clock") and by.value == following
    if not (ends and unread) or response.state.judged is not None:
        return False
    settle(response, final=True)
    if response.state.phase is Phase.CONFIRM and response.state.judged is not None:
        rolled_on(response)
    if response.state.phase not in (Phase.CUBE, Phase.ROLL) or response.state.seat is not following:
        return False
    response.change(unread=unread)
    return True
