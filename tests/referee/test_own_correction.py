"""An illegal play that its maker puts right before the opponent has said what is to become of it."""

import pytest
from seats_at_table import Seats, at_turn, die, moved

from boardctl.records.transcript import transcript
from boardctl.referee import Match, read_ruleset
from boardctl.referee.effects import Effect, Phase, Prompt, Ruled, Sign
from boardctl.referee.facts import Answered, ButtonPressed, Choice, Doubled, Resigned, Role
from boardctl.rules import BackgammonPosition, Placement, Roll, Seat

START = BackgammonPosition.start()
BOARD = START.placement()
LEGAL = moved(BOARD, ("8", "5"), ("6", "5"))
ILLEGAL = moved(BOARD, ("8", "5"), ("6", "4"))
CHOOSING = ("house-seed", "casual", "wbgf-responsible-like", "us-2008-like")


def put_right(family: str = "house-seed", match: Match | None = None) -> Seats:
    """Gets a table where A has played 3-1 illegally, ended the turn, and put it right before B has said anything."""
    seats = at_turn(START, Seat.A, read_ruleset(family).model_copy(update={"witnesses_required": 1}), match)
    seats.roll(Seat.A, 3, 1)
    show(seats, ILLEGAL)
    if seats.referee.ruleset.turn_end in ("clock", "button"):
        seats.feed(ButtonPressed(seats.now(), Role.A))
    else:
        seats.lift()
    assert seats.judged.legal is False
    show(seats, LEGAL)
    assert seats.judged.legal is True
    return seats


def show(seats: Seats, board: Placement) -> list[Effect]:
    return seats.show(board, confidence=0.9999)


def hold_to_it(seats: Seats) -> list[Effect]:
    prompt = seats.referee.state.prompt
    assert prompt is not None
    return seats.feed(Answered(seats.now(), Role.B, prompt.number, Choice.ACCEPT))


def position(seats: Seats) -> Placement:
    board = seats.referee.state.expected
    assert board is not None
    return board


@pytest.mark.parametrize("family", CHOOSING)
def test_the_opponent_still_chooses_and_the_game_goes_on(family: str) -> None:
    seats = put_right(family)
    prompt = seats.referee.state.prompt
    assert prompt is not None
    assert (prompt.text.key, prompt.to, prompt.choices) == ("ask.put_right", (Role.B,), (Choice.ACCEPT,))
    seats.roll(Seat.B, 6, 5)
    assert seats.referee.state.prompt is None
    assert seats.referee.state.roll == Roll(6, 5)
    assert position(seats) == LEGAL
    assert [effect.ruling for effect in seats.effects if isinstance(effect, Ruled)] == ["set_up"]  # nobody ruled since


@pytest.mark.parametrize("family", ["teaching", "usbgf-like", "wbgf-legal-like", "ukbgf-like"])
def test_nobody_chooses_where_it_must_be_corrected(family: str) -> None:
    seats = at_turn(START, Seat.A, read_ruleset(family).model_copy(update={"witnesses_required": 1}))
    seats.roll(Seat.A, 3, 1)
    show(seats, ILLEGAL)
    seats.feed(ButtonPressed(seats.now(), Role.A))
    seats.lift()
    show(seats, LEGAL)
    assert not [e for e in seats.effects if isinstance(e, Prompt) and e.text.key == "ask.put_right"]


def test_the_opponent_holds_the_maker_to_it_and_the_board_is_led_back() -> None:
    seats = put_right()
    effects = hold_to_it(seats)
    assert [(e.ruling, e.by, e.seat) for e in effects if isinstance(e, Ruled)] == [("accepted", "B", Seat.A)]
    state = seats.referee.state
    assert (state.phase, state.seat, position(seats)) == (Phase.REPAIR, Seat.B, ILLEGAL)
    assert [mark.place for mark in state.scene.marks if mark.sign in (Sign.EXTRA, Sign.MISSING)]
    show(seats, ILLEGAL)
    assert (seats.referee.state.phase, seats.referee.state.seat) == (Phase.ROLL, Seat.B)
    seats.roll(Seat.B, 6, 5)
    assert seats.referee.state.roll == Roll(6, 5)
    assert position(seats) == ILLEGAL


def test_laid_as_it_was_made_it_is_put_to_the_opponent_again_who_accepts_by_rolling() -> None:
    seats = put_right()
    show(seats, ILLEGAL)
    state = seats.referee.state
    assert (state.phase, state.seat) == (Phase.CONFIRM, Seat.A)
    assert state.prompt is not None
    assert state.prompt.text.key == "ask.illegal"
    effects = seats.roll(Seat.B, 6, 5)
    assert [e.ruling for e in effects if isinstance(e, Ruled)] == ["condoned"]
    assert position(seats) == ILLEGAL
    assert seats.referee.state.turns_played == 1


def test_laid_as_it_was_made_and_put_right_again() -> None:
    seats = put_right()
    show(seats, ILLEGAL)
    show(seats, LEGAL)
    assert seats.referee.state.phase is Phase.ROLL
    assert position(seats) == LEGAL
    hold_to_it(seats)
    assert position(seats) == ILLEGAL


def test_who_doubles_has_answered() -> None:
    seats = put_right(match=Match(length=5, cube=True))
    seats.feed(Doubled(seats.now(), Role.B))
    prompt = seats.referee.state.prompt
    assert prompt is not None
    assert prompt.text.key == "ask.double"
    seats.feed(Answered(seats.now(), Role.A, prompt.number, Choice.TAKE))
    show(seats, ILLEGAL)
    assert position(seats) == LEGAL
    assert seats.referee.state.phase is not Phase.CONFIRM


def test_the_question_keeps_nobody_from_resigning() -> None:
    seats = put_right()
    seats.feed(Resigned(seats.now(), Role.B, 1))
    prompt = seats.referee.state.prompt
    assert prompt is not None
    assert prompt.text.key == "ask.resign"


def test_only_who_was_asked_may_hold_the_maker_to_it() -> None:
    seats = put_right()
    prompt = seats.referee.state.prompt
    assert prompt is not None
    seats.feed(Answered(seats.now(), Role.A, prompt.number, Choice.ACCEPT))
    assert position(seats) == LEGAL


def test_a_throw_that_does_not_count_leaves_the_choice() -> None:
    seats = put_right()
    seats.rest(die(6, Seat.B), die(2, Seat.B, flat=False, spot=1))
    hold_to_it(seats)
    assert position(seats) == ILLEGAL


def test_the_record_has_the_play_that_stood() -> None:
    for held in (False, True):
        seats = put_right()
        if held:
            hold_to_it(seats)
            show(seats, ILLEGAL)
        seats.roll(Seat.B, 6, 5)
        record = transcript(seats.effects, seats.game, seats.referee.match.terms)
        played = record.games[-1].actions[-2]
        assert (played.legal, played.play.position.placement()) == (not held, ILLEGAL if held else LEGAL)


def test_a_play_that_nobody_could_play_on_from_leaves_no_choice() -> None:
    seats = at_turn(START, Seat.A, read_ruleset("house-seed").model_copy(update={"witnesses_required": 1}))
    seats.roll(Seat.A, 3, 1)
    show(seats, moved(BOARD, ("8", "5"), ("6", "5"), ("13", "nowhere")))
    seats.lift()
    show(seats, LEGAL)
    assert not [e for e in seats.effects if isinstance(e, Prompt) and e.text.key == "ask.put_right"]
