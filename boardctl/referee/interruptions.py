"""What may come at any time: hands, devices that fail and come back, a board declared to be set up anew."""

from boardctl.referee.announcing import is_silent
from boardctl.referee.cube_put_down import remember_hands
from boardctl.referee.effects import Certainty, Notice, Phase, Ruled, Text, TurnJudged
from boardctl.referee.facts import (
    Answered,
    BoardSeen,
    ButtonPressed,
    Choice,
    Device,
    DeviceChanged,
    DiceLifted,
    DiceRested,
    HandSeen,
    PositionDeclared,
    Queried,
    Role,
)
from boardctl.referee.hands import note_hands
from boardctl.referee.response import Response
from boardctl.referee.roll.before_roll import since_then
from boardctl.referee.roll.next_throw import is_throw
from boardctl.referee.roll.rolling import answers, dice_in_roll, take_throw, take_up
from boardctl.referee.roll.set_up_anew import back_to_opening
from boardctl.referee.roll.together import hand_comes
from boardctl.referee.seen.cut_off import cut_off_of
from boardctl.referee.seen.dice import whose
from boardctl.referee.seen.judging import CONTRADICTION, judge, notation
from boardctl.referee.seen.weighing import Evidence, best_board, holders, weigh_graph, whole_board
from boardctl.referee.turn.leading_back import differing, lead_back
from boardctl.referee.turn.lifting import forget_witness
from boardctl.referee.turn.turns import begin_turn, follow_play
from boardctl.referee.turn.unsettled import drop_unsettled
from boardctl.referee.turn.verdicts import turn_case
from boardctl.referee.turn_end.confirming import board_in_confirm, deny
from boardctl.referee.turn_end.finishing import finish_game
from boardctl.referee.turn_end.going_on import advance, require
from boardctl.rules import Faults, Place, Placement

_PLAYING = (Phase.CUBE, Phase.ROLL, Phase.MOVE, Phase.CONFIRM, Phase.HOLD, Phase.OPENING)


def hand_seen(response: Response, fact: HandSeen) -> None:
    """Remembers that the board may have changed since it was read."""
    response.change(hand=fact.present, stale=response.state.stale or fact.present)
    if fact.present:
        hand_comes(response)
    remember_hands(response, fact)
    note_hands(response, fact)


def device_changed(response: Response, fact: DeviceChanged) -> None:
    """Says once that a device is gone or back; afterwards the board is compared with what it should be."""
    lost = response.state.lost
    if fact.working == (fact.device not in lost):
        return
    if not fact.working:
        response.change(lost=(*lost, fact.device))
        response.say(Notice(Text.of("device.lost", device=fact.device, reason=fact.reason)))
        forget_witness(response, fact.device)
        response.show_lost()
        return
    response.change(lost=tuple(device for device in lost if device is not fact.device))
    response.show_lost()
    response.say(Notice(Text.of("device.back", device=fact.device)))
    if fact.device is not Device.PANEL and response.state.phase in _PLAYING and response.state.position is not None:
        phase = response.state.phase
        response.change(readings=(), stale=False)
        response.enter(Phase.REPAIR, response.state.seat, repaired_phase=phase)
        response.notice(Text.of("repair.look"))


def board_in_repair(response: Response, fact: BoardSeen) -> None:
    """Compares the board with what it should be and leads back to it, one difference at a time."""
    response.take_reading(fact)
    phase = response.state.repaired_phase
    assert phase is not None
    expected = _nearest_expected(response, response.evidence)
    # Before a roll, what reads as it did when the turn before ended has not changed, whatever it is misread for.
    evidence = since_then(response, expected) if phase in (Phase.ROLL, Phase.CUBE) else response.evidence
    board, weight = best_board(response.game, evidence, expected)
    if evidence.hand:
        return
    if weight - evidence.weight_of(expected) >= CONTRADICTION:
        if response.state.unexplained != differing(response, expected, board):
            _stop_asking(response)  # the board is being put right
        lead_back(response, expected, board)
        return
    _stop_asking(response)
    late = response.state.late_roll
    response.enter(phase, response.state.seat, repaired_phase=None, late_roll=None)
    response.notice(Text.of("repair.done"))
    response.show_turn()
    if phase is Phase.MOVE:
        follow_play(response)
    if phase is Phase.CONFIRM:
        board_in_confirm(response, fact)
    if phase in (Phase.ROLL, Phase.CUBE) and late is not None:
        dice_in_roll(response, late)


def _stop_asking(response: Response) -> None:
    """Takes back the question whether the board is to be taken as it stands."""
    prompt = response.state.prompt
    if prompt is not None and prompt.text.key == "ask.repair":
        response.change(prompt=None)


def _nearest_expected(response: Response, evidence: Evidence) -> Placement:
    state = response.state
    assert state.position is not None
    judged = state.judged
    if judged is not None and judged.after is not None and judged.certainty is Certainty.CERTAIN:
        return judged.after
    if state.turn is None:
        return state.position.placement()
    weights = weigh_graph(evidence, response.graph)
    likeliest = max(weights, key=lambda position: weights[position])
    if judged is not None and judged.after is not None and evidence.weight_of(judged.after) > weights[likeliest]:
        return judged.after
    return likeliest.placement()


def dice_in_repair(response: Response, fact: DiceRested) -> None:
    """Keeps a throw until the board is what it should be; asks whether the game goes on from another board.

    What the referee expects may be wrong: the game may have gone on while a device was lost. Players who roll although
    they are told to put the board right first hold it to be right. Where both have rolled, the first of them has
    played, and the game has gone on.
    """
    before, thrower = response.state.late_roll, whose(fact.reading.dice)
    response.change(late_roll=fact)
    if before is not None and thrower is not None and whose(before.reading.dice) not in (None, thrower):
        _take_board(response, "players")
        return
    response.notice(Text.of("repair.first"))
    state = response.state
    # Whatever was asked before the device was lost, the game has gone on since.
    asked = state.prompt is not None and state.prompt.text.key == "ask.repair"
    if not asked and state.unexplained and whose(fact.reading.dice) is not None:
        everybody = tuple(Role(seat.value) for seat in response.game.seats)
        response.ask(everybody, Text.of("ask.repair"), (Choice.SET_UP,))


def answered_in_repair(response: Response, fact: Answered) -> None:
    """Takes the board as it stands, if the players say so and it is a position of the game."""
    if answers(response, fact) and fact.choice is Choice.SET_UP:
        _take_board(response, fact.by.value)


def button_in_repair(response: Response, fact: ButtonPressed) -> None:
    """A seat that is asked presses its button: the board is taken as it stands. Putting it right needs no answer."""
    prompt = response.state.prompt
    told = not is_silent(response.ruleset, response.state)
    if told and prompt is not None and fact.by in prompt.to and Choice.SET_UP in prompt.choices:
        _take_board(response, fact.by.value)


def _take_board(response: Response, by: str) -> None:
    late = response.state.late_roll
    seat = whose(late.reading.dice) if late is not None else None
    if late is None or seat is None:
        return
    evidence = response.evidence
    board = _set_up_as(response, evidence)
    unsure = _not_told(response, evidence, board)
    if evidence.hand or unsure or response.game.faults(board) is not Faults.NONE:
        totals = ", ".join(f"{seat} {board.total(seat)}" for seat in response.game.seats)
        response.notice(Text.of("declared.impossible", totals=totals))
        return
    response.change(position=response.position_of(board), position_sure=False)
    drop_unsettled(response)
    response.change(turn=None, prompt=None, repaired_phase=None, late_roll=None)
    take_up(response, seat, by)
    take_throw(response, late)


def board_in_hold(response: Response, fact: BoardSeen) -> None:
    """Goes on as soon as the board shows a position of the game, accepted as it was put right."""
    response.take_reading(fact)
    evidence = response.evidence
    judged = response.state.judged
    if evidence.hand or judged is None or judged.after is None:
        return
    if response.state.turn is not None:
        verdict = judge(turn_case(response))
        if verdict.legal and verdict.play is not None:
            response.say(Ruled("accepted", "players", judged.seat))
            advance(response, verdict.play.position)
            return
    board, _ = best_board(response.game, evidence, judged.after)
    if response.game.faults(board) is Faults.NONE and not evidence.hidden:
        response.say(Ruled("accepted", "players", judged.seat))
        advance(response, response.position_of(board))


def answered_in_hold(response: Response, fact: Answered) -> None:
    """Takes the answer to the question that stands."""
    if not answers(response, fact):
        return
    if fact.choice is Choice.REQUIRE:
        require(response, fact.by.value)
    else:
        deny(response, fact.by.value)


def dice_in_hold(response: Response, fact: DiceRested) -> None:
    """Keeps a throw until the board can be played on from."""
    if is_throw(response, fact):
        response.change(late_roll=fact)


def position_declared(response: Response, fact: PositionDeclared) -> None:
    """Takes the board as it stands as set up anew. A play that stood complete until then is said first."""
    evidence = Evidence((fact.reading,), response.game.places)
    board = _set_up_as(response, evidence)
    if unsure := _not_told(response, evidence, board):
        if cut_off := cut_off_of(evidence.readings, unsure):
            _refuse(response, fact, cut_off.refusal)
        else:
            _refuse(response, fact, Text.of("declared.hidden", points=", ".join(map(str, unsure))))
        return
    if response.game.faults(board) is not Faults.NONE:
        totals = ", ".join(f"{seat} {board.total(seat)}" for seat in response.game.seats)
        _refuse(response, fact, Text.of("declared.impossible", totals=totals))
        return
    if not evidence.vouches_for(board) and response.game.result(response.position_of(board)) is not None:
        _refuse(response, fact, Text.of("declared.would_end"))
        return
    drop_unsettled(response)
    _close_turn(response)
    response.say(Ruled("set_up", str(fact.by), fact.roller))
    response.change(
        position=response.position_of(board),
        position_sure=evidence.vouches_for(board),
        previous=None,
        rejected=(),
        idle=(),
        late_roll=None,
        repaired_phase=None,
        wrong_start=None,
        seen_whole=(),
        readings=((fact.reading.witness, fact.reading),),
        stale=False,
    )
    assert response.state.position is not None
    if fact.roller is None and board == response.game.start().placement():
        back_to_opening(response)
        response.change(dice_in_view=None)
        response.notice(Text.of("opening.roll"))
        return
    result = response.game.result(response.state.position)
    if result is not None:
        finish_game(response, result)
        return
    dice = response.state.dice_in_view
    begin_turn(response, fact.roller)
    if fact.by == "resync" and dice is not None:
        take_throw(response, dice, found_lying=True)


def _set_up_as(response: Response, evidence: Evidence) -> Placement:
    """Gets how a board stands that is said to be set up.

    Who sets up a board to play on puts all checkers on it: a board that has them all is taken before one that looks
    likelier and lacks some, unless what was seen contradicts it. It is then not vouched for.
    """
    likeliest = evidence.best
    return whole_board(response.game, evidence, evidence.weight_of(likeliest) - CONTRADICTION) or likeliest


def _refuse(response: Response, fact: PositionDeclared, text: Text) -> None:
    """Says why a declared board is not taken: each time to people, once to a table that takes boards up by itself."""
    if fact.by == "resync":
        response.notice(text)
    else:
        response.say(Notice(text))


def _not_told(response: Response, evidence: Evidence, board: Placement) -> tuple[Place, ...]:
    """Gets the hidden places of which conservation alone does not tell what is in them."""
    unsure: dict[Place, None] = {}
    for seat in response.game.seats:
        able = [place for place in evidence.hidden if seat in holders(response.game, place)]
        if any(board.count(place, seat) for place in able) and len(able) > 1:
            unsure.update(dict.fromkeys(able))
    return tuple(unsure)


def _close_turn(response: Response) -> None:
    """Says the play that stood complete when the board was set up anew; nobody saw its turn end."""
    state = response.state
    if state.phase is not Phase.MOVE or not state.standing:
        return
    response.change(readings=state.standing)
    case = turn_case(response)
    verdict = judge(case)
    if verdict.legal and verdict.play is not None:
        written = notation(case, verdict.play)
        before = case.before.placement()
        judged = TurnJudged(case.seat, case.roll, written, True, Certainty.PROBABLE, before, verdict.after)
        response.say(judged)
        response.change(turns_played=state.turns_played + 1)


def lifted_anywhere(response: Response, fact: DiceLifted) -> None:
    """Forgets dice that are gone."""
    if fact.left == 0:
        response.change(rejected=(), idle=())


def queried(response: Response, fact: Queried) -> None:
    """Says that nothing was found that could be asked about."""
    if response.ruleset.announce == "on_query" or fact.by is Role.DIRECTOR:
        response.say(Notice(Text.of("query.nothing")))


def ignored(response: Response, fact: object) -> None:
    """Does not matter in this phase."""
