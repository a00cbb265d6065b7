"""A referee that may have lost count of the turns asks whose play it was before it blames anybody."""

import pytest
from seats_at_table import Seats, at_turn, die, moved

from boardctl.referee import read_ruleset
from boardctl.referee.effects import Certainty, Notice, Phase, Prompt, RollRead, Ruled
from boardctl.referee.facts import Answered, ButtonPressed, Choice, Role
from boardctl.rules import BackgammonPosition, Roll, Seat

START = BackgammonPosition.start()
BOARD = START.placement()
BY_B = moved(BOARD, ("17", "20"), ("19", "20"))


def b_played() -> Seats:
    """A has rolled 3-1, as the referee believes, and the board shows how B plays that."""
    seats = at_turn(START, Seat.A)
    seats.roll(Seat.A, 3, 1)
    seats.show(BY_B, confidence=0.9999)
    seats.lift()
    return seats


def answer(seats: Seats, choice: Choice) -> list[object]:
    prompt = seats.referee.state.prompt
    assert prompt is not None
    return list(seats.feed(Answered(seats.now(), prompt.to[0], prompt.number, choice)))


def test_a_play_of_the_other_seat_is_asked_about() -> None:
    seats = b_played()
    asked = [effect for effect in seats.effects if isinstance(effect, Prompt)]
    assert [prompt.text.key for prompt in asked] == ["ask.who_played"]
    assert seats.referee.state.judged is None


def test_it_was_the_other_seats_turn() -> None:
    seats = b_played()
    answer(seats, Choice.CONFIRM)
    assert (seats.judged.seat, seats.judged.legal) == (Seat.B, True)
    assert (seats.referee.state.phase, seats.referee.state.seat) == (Phase.ROLL, Seat.A)


def test_it_was_not_and_the_play_is_illegal() -> None:
    seats = b_played()
    answer(seats, Choice.DENY)
    assert (seats.judged.seat, seats.judged.legal) == (Seat.A, False)


def test_when_the_next_roll_comes_first_nobody_is_blamed() -> None:
    seats = b_played()
    seats.roll(Seat.B, 6, 4)
    assert seats.judged.legal is not False
    assert "must_replay" not in [effect.ruling for effect in seats.effects if isinstance(effect, Ruled)]


@pytest.mark.parametrize(
    ("values", "play", "read"),
    [
        # the second die is not seen to lie flat, and is played as it looks
        ((3, 1), (("8", "5"), ("6", "5")), Roll(3, 1)),
        # its value is not read at all: only one number fits
        ((3, None), (("8", "5"), ("13", "8")), Roll(5, 3)),
    ],
)
def test_dice_that_could_not_be_read_are_read_by_the_play(
    values: tuple[int, int | None], play: tuple[tuple[str, str], ...], read: Roll
) -> None:
    seats = at_turn(START, Seat.A)
    seats.rest(die(values[0]), die(values[1], flat=None, spot=1))
    effects = seats.show(moved(BOARD, *play))
    assert not [effect for effect in effects if isinstance(effect, Notice)]
    assert (seats.referee.state.phase, seats.referee.state.roll) == (Phase.MOVE, read)


def test_where_several_rolls_fit_nobody_is_said_to_have_moved_without_rolling() -> None:
    seats = at_turn(START, Seat.A)
    seats.rest(die(3), die(None, flat=None, spot=1))
    seats.show(moved(BOARD, ("8", "5")))
    assert [effect.text.key for effect in seats.effects if isinstance(effect, Notice)] == ["dice.unclear"]
    assert seats.referee.state.phase is Phase.ROLL


@pytest.mark.parametrize("family", ["house-seed", "casual", "usbgf-like"])
def test_an_unread_roll_that_was_played_and_ended_is_held_against_nobody_and_the_next_seat_rolls(family: str) -> None:
    ruleset = read_ruleset(family).model_copy(update={"witnesses_required": 1})
    seats = at_turn(START, Seat.A, ruleset)
    seats.rest(die(3), die(None, flat=None, spot=1))
    played = moved(BOARD, ("8", "6"), ("6", "2"))
    seats.show(played)
    if ruleset.turn_end == "clock":
        seats.feed(ButtonPressed(seats.now(), Role.A))
    seats.lift()
    state = seats.referee.state
    assert (state.phase, state.seat, state.expected, state.position_sure) == (Phase.ROLL, Seat.B, played, False)
    said = [effect.text.key for effect in seats.effects if isinstance(effect, Notice)]
    assert [key for key in said if not key.startswith("clock.")] == ["dice.unclear", "turn.not_seen"]


def test_unread_dice_that_are_taken_up_with_nothing_played_are_thrown_again() -> None:
    seats = at_turn(START, Seat.A)
    seats.rest(die(3), die(None, flat=None, spot=1))
    seats.show(BOARD)
    seats.lift()
    seats.roll(Seat.A, 6, 5)
    assert (seats.referee.state.phase, seats.referee.state.seat) == (Phase.MOVE, Seat.A)


def test_where_dice_count_in_any_half_those_in_the_others_are_not_vouched_for() -> None:
    for seat, certainty in ((Seat.A, Certainty.CERTAIN), (Seat.B, Certainty.PROBABLE)):
        seats = at_turn(START, Seat.A, "casual")
        read = [effect for effect in seats.roll(seat, 6, 5) if isinstance(effect, RollRead)]
        assert [(effect.seat, effect.certainty) for effect in read] == [(Seat.A, certainty)]


def test_a_board_that_was_knocked_while_the_position_was_only_presumed_is_not_vouched_for() -> None:
    seats = at_turn(START, Seat.A)
    seats.roll(Seat.A, 3, 1, confidence=0.95)
    seats.show(moved(BOARD, ("8", "5"), ("6", "4")), confidence=0.9999)
    seats.lift()
    answer(seats, Choice.DENY)
    assert not seats.referee.state.position_sure
    knocked = moved(BOARD, ("13", "10"), ("12", "15"), ("6", "9"))
    seats.show(knocked, confidence=0.9999)
    seats.show(knocked, confidence=0.99995)
    assert (seats.referee.state.expected, seats.referee.state.position_sure) == (knocked, False)
    legal = moved(BOARD, ("8", "5"), ("6", "5"))
    seats.show(legal, confidence=0.9999)
    assert (seats.referee.state.expected, seats.referee.state.position_sure) == (legal, True)
