"""The doubling cube: offered before the roll, taken or dropped, by a button, at the page or as the camera sees it."""

from dataclasses import replace

from boardctl.referee.cube_put_down import put_down_elsewhere, say_taken
from boardctl.referee.effects import Certainty, CubeStep, CubeTurned, Notice, Phase, Text
from boardctl.referee.facts import Answered, BoardSeen, Choice, DiceRested, Doubled, Resigned, Role
from boardctl.referee.moving import dice_in_move
from boardctl.referee.readings import BoardReading, Witness
from boardctl.referee.response import Response
from boardctl.referee.roll.rolling import answers, dice_in_roll
from boardctl.referee.seen.dice import moved_in, whose
from boardctl.referee.turn_end.confirming import end_turn, settle
from boardctl.referee.turn_end.correction_window import rolled_on
from boardctl.referee.turn_end.finishing import finish_by
from boardctl.referee.turn_end.own_correction import answered_before_roll, board_before_roll
from boardctl.rules import OfferKind, Seat, WinKind

CUBE_SEEN = 0.9
"""How likely a cube must lie where it is seen before anything follows from it: every tenth such cube may be a die."""

_ANSWERS = {Choice.TAKE: "take", Choice.DROP: "drop", Choice.BEAVER: "beaver", Choice.RACCOON: "raccoon"}
_AGAIN = {OfferKind.DOUBLE: Choice.BEAVER, OfferKind.BEAVER: Choice.RACCOON}


def doubled(response: Response, fact: Doubled) -> None:
    """Takes a double, if it is the seat's turn, nobody has rolled and the cube allows it."""
    seat = next((seat for seat in response.game.seats if seat.value == fact.by.value), None)
    if seat is not None:
        double(response, seat, Certainty.CERTAIN)


def double(response: Response, seat: Seat, certainty: Certainty) -> None:
    """Takes a double of a seat at any time: now, when its turn comes, or not at all, as the ruleset says."""
    state = response.state
    if not state.ledger.has_cube:
        response.notice(Text.of("cube.none"))
        return
    if state.cube.offer is not None:
        response.notice(Text.of("cube.waits", seat=state.cube.offer.answers))
        return
    if state.phase is Phase.MOVE and _follows(response) is seat and state.turn is not None and state.turn.lifted:
        end_turn(response)  # its dice are gone, and the next seat holds it to be over
    if response.state.phase is Phase.CONFIRM and _follows(response) is seat:
        _double_ends_turn(response)
    state = response.state
    if state.phase is Phase.CUBE and state.seat is seat and not (state.rejected or state.unread):
        _offer(response, seat, certainty)
    elif state.phase in (Phase.CUBE, Phase.ROLL, Phase.MOVE, Phase.CONFIRM, Phase.HOLD):
        _too_early(response, seat)
    else:
        response.change(cube_doubted=True)  # the game may have begun in a way that was not seen
        response.notice(Text.of("cube.not_now"))


def _follows(response: Response) -> Seat | None:
    turn = response.state.turn
    return response.game.next_seat(turn.before, turn.seat) if turn is not None else None


def _double_ends_turn(response: Response) -> None:
    """The next seat doubles while the turn before it has not been ruled on: it accepts the play, as rolling would."""
    if response.state.judged is None:
        settle(response, final=True)
    if response.state.phase is Phase.CONFIRM and response.state.judged is not None:
        rolled_on(response, by_double=True)


def _too_early(response: Response, seat: Seat) -> None:
    """A double before the seat's turn, or after its roll. After it, no ruleset lets it stand for this turn."""
    response.change(cube_doubted=True)  # who is to double hangs on whose turn it is: the players may go on with it
    rule = response.ruleset.premature_cube
    own_roll = response.state.seat is seat
    never = _never(response, seat)
    if never is not None:
        response.notice(never)  # nobody is held to what he could not do in his turn either
    elif rule == "binds_next_turn" or (rule == "stands" and not own_roll):
        response.change(cube_bound=seat)
        response.notice(Text.of("cube.binds", seat=seat))
    else:
        response.notice(Text.of("cube.too_early", seat=seat))


def _never(response: Response, seat: Seat) -> Text | None:
    """Gets why a seat may not double in this game, or not with the cube where it is; None when it may in its turn."""
    if response.state.ledger.is_crawford:
        return Text.of("cube.crawford", seat=seat)
    return None if response.state.cube.may_be_turned_by(seat) else Text.of("cube.not_yours", seat=seat)


def _offer(response: Response, seat: Seat, certainty: Certainty) -> None:
    state = response.state
    assert state.position is not None
    closed_out = not response.game.may_roll(state.position, seat)
    if (
        state.ledger.refusal(
            state.cube, seat, opening_played=True, closed_out=closed_out, last_roll_due=state.last_roll_due
        )
        is not None
    ):
        response.change(cube_doubted=True)
        response.notice(_never(response, seat) or Text.of("cube.not_now"))
        return
    dead = state.ledger.is_dead(state.cube, seat)
    response.change(cube=state.cube.double(seat), cube_bound=None, hands_at_cube=(), rolled_unanswered=False)
    _say(response, "double", seat, certainty)
    if dead and response.ruleset.dead_cube != "silent":
        to = (Role.DIRECTOR,) if response.ruleset.dead_cube == "director" else ()
        response.say(Notice(Text.of("cube.dead", seat=seat), to=to))
    _ask(response)


def _say(response: Response, step: CubeStep, by: Seat | None, certainty: Certainty = Certainty.CERTAIN) -> None:
    if certainty is not Certainty.CERTAIN:
        response.change(cube_doubted=True)
    cube = response.state.cube
    offered = cube.offer.value if cube.offer is not None else None
    response.say(CubeTurned(step, by, cube.value, cube.owner, certainty, offered))


def _ask(response: Response) -> None:
    """Asks the seat that must answer the offer."""
    state = response.state
    offer = state.cube.offer
    assert offer is not None
    choices: tuple[Choice, ...] = (Choice.TAKE, Choice.DROP)
    if state.ledger.may_redouble_at_once(state.cube):
        choices = (*choices, _AGAIN[offer.kind])
    text = Text.of("ask.double", seat=offer.by, value=offer.value)
    response.ask([Role(offer.answers.value)], text, choices)
    response.cue("ask")


def answered_in_cube(response: Response, fact: Answered) -> None:
    """Takes the answer to a double; other questions as before a roll."""
    if response.state.cube.offer is None:
        answered_before_roll(response, fact)
    elif answers(response, fact):
        _answer(response, fact.choice, Certainty.CERTAIN)


def _answer(response: Response, choice: Choice, certainty: Certainty) -> None:
    state = response.state
    cube = state.cube
    assert cube.offer is not None
    by = cube.offer.answers
    response.change(prompt=None)
    match choice:
        case Choice.DROP:
            _say(response, "drop", by, certainty)
            finish_by(response, state.ledger.dropped(cube))
        case Choice.BEAVER | Choice.RACCOON:
            response.change(cube=cube.redouble_at_once())
            _say(response, "beaver" if choice is Choice.BEAVER else "raccoon", by, certainty)
            _ask(response)
        case _:
            response.change(cube=cube.take())
            _say(response, "take", by, certainty)
            late = state.late_roll
            response.enter(Phase.ROLL, state.seat, late_roll=None)
            response.show_turn()
            if late is not None:
                dice_in_roll(response, late)


def dice_in_cube(response: Response, fact: DiceRested) -> None:
    """Reads the throw of the seat that is to roll; one that comes before a double was answered waits or is void."""
    _hold_to_double(response)
    offer = response.state.cube.offer
    if offer is None:
        dice_in_roll(response, fact)
        return
    state = response.state
    previous = state.previous.dice if state.previous is not None else ()
    new = moved_in(fact.reading.dice, (*previous, *state.idle))
    if state.rolled_unanswered and len(new) > 1 and whose(new) is offer.answers:
        _nobody_waits(response, fact)
        return
    response.change(rolled_unanswered=state.rolled_unanswered or (len(new) > 1 and whose(new) is offer.by))
    if response.ruleset.premature_roll == "stands":
        response.change(late_roll=fact)
        response.notice(Text.of("cube.answer_first"))
    else:
        response.change(idle=(*state.idle, *new))
        if new:
            response.notice(Text.of("cube.rolled_before_answer"))


def _nobody_waits(response: Response, fact: DiceRested) -> None:
    """Takes it that the game has gone on, because who doubled has rolled, and now who should answer does: the double
    was answered as the cube lies now, or there was none."""
    offer = response.state.cube.offer
    assert offer is not None
    if response.state.cube_zone == offer.answers.value:
        say_taken(response, offer.answers)
        _answer(response, Choice.TAKE, Certainty.PROBABLE)
    else:
        response.change(cube=replace(response.state.cube, offer=None), prompt=None)
        _say(response, "withdrawn", offer.by, Certainty.PROBABLE)
    (dice_in_move if response.state.phase is Phase.MOVE else dice_in_roll)(response, fact)


def board_in_cube(response: Response, fact: BoardSeen) -> None:
    """Notices a board that changed although nobody has rolled, and holds a seat to a double that it has shown."""
    board_before_roll(response, fact)
    _hold_to_double(response)


def _hold_to_double(response: Response) -> None:
    state = response.state
    if state.phase is Phase.CUBE and state.cube_bound is not None and state.cube_bound is state.seat:
        response.change(cube_bound=None)
        # Whoever showed it too early may have gone on otherwise: nobody has doubled in this turn yet.
        _offer(response, state.cube_bound, Certainty.PROBABLE)
        offer = response.state.cube.offer
        if offer is not None and response.state.cube_zone == offer.answers.value:
            # It was made in its time, and taken: the referee was behind.
            say_taken(response, offer.answers)
            _answer(response, Choice.TAKE, Certainty.PROBABLE)


def see_cube(response: Response, fact: BoardSeen) -> None:
    """Takes what it means that the cube lies somewhere else than before."""
    reading = fact.reading.cube
    state = response.state
    if not state.ledger.has_cube or fact.reading.hand:
        return
    if reading is None:
        _not_seen(response, fact.reading)
        return
    if reading.confidence < CUBE_SEEN:
        return
    before, zone = state.cube_zone, reading.at
    if zone == before:
        return
    response.change(cube_zone=zone)
    offer = state.cube.offer
    if offer is not None:
        _offered_cube_moved(response, before, zone)
        response.change(hands_at_cube=())
    elif zone == "field":
        _laid_on_the_board(response)
    else:
        _check_place(response, zone)
    shown = reading.value
    if shown is not None and offer is None and shown != _face(state.cube.value):
        response.notice(Text.of("cube.wrong_value", shown=shown, value=state.cube.value))


def _not_seen(response: Response, reading: BoardReading) -> None:
    """Where nothing is hidden and no cube is seen, it may be anywhere: where it is seen next, it was put since. While
    it is offered it may be back at once."""
    looked = reading.witness is Witness.CAMERA and not any(place.hidden for place in reading.places)
    if looked and response.state.cube.offer is None:
        response.change(cube_zone=None)


def _face(value: int) -> int:
    """Gets what a cube shows that stands at a value: its six faces go round, and at one it shows 64."""
    faces = (64, 2, 4, 8, 16, 32)
    return faces[(value.bit_length() - 1) % len(faces)]


def _laid_on_the_board(response: Response) -> None:
    """The cube was put on the playing surface: the seat that may double has doubled."""
    state = response.state
    seat = _follows(response) if state.phase is Phase.CONFIRM else state.seat
    if seat is not None and state.phase in (Phase.CUBE, Phase.CONFIRM):
        double(response, seat, Certainty.PROBABLE)
    elif state.phase in (Phase.ROLL, Phase.MOVE, Phase.HOLD):
        response.notice(Text.of("cube.laid_too_early"))


def _offered_cube_moved(response: Response, before: str | None, zone: str) -> None:
    """The cube of an offer was moved: to the side of the seat that answers it is taken; elsewhere it is withdrawn."""
    state = response.state
    offer = state.cube.offer
    assert offer is not None
    if zone == offer.answers.value:
        say_taken(response, offer.answers)
        _answer(response, Choice.TAKE, Certainty.PROBABLE)
    elif before is not None and zone != "field" and put_down_elsewhere(response, zone):
        _ask(response)
    elif before == "field":
        if response.ruleset.cube_touch == "ignore":
            response.change(cube=replace(state.cube, offer=None), prompt=None)
            _say(response, "withdrawn", offer.by, Certainty.PROBABLE)
        else:
            to = (Role.DIRECTOR,) if response.ruleset.cube_touch == "director" else ()
            response.say(Notice(Text.of("cube.touched", seat=offer.by), to=to))


def _check_place(response: Response, zone: str) -> None:
    owner = response.state.cube.owner
    expected = "bar" if owner is None else owner.value
    if zone != expected and response.state.phase not in (Phase.GAME_OVER, Phase.MATCH_OVER):
        response.change(cube_doubted=True)
        response.notice(Text.of("cube.belongs_in_middle") if owner is None else Text.of("cube.belongs_to", seat=owner))


def resigned(response: Response, fact: Resigned) -> None:
    """Puts a resignation to the opponent, who may refuse it: a game can be resigned for less than it may be lost by."""
    seats = response.game.seats
    seat = next((seat for seat in seats if seat.value == fact.by.value), None)
    levels = [int(level) for level in response.state.ledger.resignation_levels()]
    if seat is None or len(seats) != 2:
        return
    if fact.level not in levels:
        response.notice(Text.of("resign.no_level", level=fact.level, levels=", ".join(map(str, levels))))
    elif response.state.is_asking:
        response.notice(Text.of("resign.answer_first"))
    else:
        other = next(one for one in seats if one is not seat)
        text = Text.of("ask.resign", seat=seat, level=WinKind(fact.level).name.lower().replace("_", " "))
        response.change(resigning=(seat, fact.level))
        response.ask([Role(other.value)], text, (Choice.ACCEPT, Choice.DENY))


def answered_resignation(response: Response, fact: Answered) -> bool:
    """Takes the answer to a resignation, if one stands; whether it was that."""
    state = response.state
    if state.resigning is None or state.prompt is None or state.prompt.text.key != "ask.resign":
        return False
    if not answers(response, fact):
        return True
    seat, level = state.resigning
    response.change(prompt=None, resigning=None)
    if fact.choice is not Choice.ACCEPT:
        response.notice(Text.of("resign.refused", seat=seat))
    else:
        finish_by(response, state.ledger.resigned(state.ledger.resign(seat, WinKind(level)), state.cube))
    return True


def lapse_resignation(response: Response) -> None:
    """Says that a resignation is refused when the game has gone on without an answer: its question stands no more."""
    state = response.state
    if state.resigning is None or (state.prompt is not None and state.prompt.text.key == "ask.resign"):
        return
    seat, _ = state.resigning
    response.change(resigning=None)
    response.notice(Text.of("resign.refused", seat=seat))
