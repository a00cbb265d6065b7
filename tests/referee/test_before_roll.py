"""A board that changes before anybody has rolled, where it was not seen for sure how the turn before ended."""

import pytest
from seats_at_table import Seats, at_turn, moved

from boardctl.referee import read_ruleset
from boardctl.referee.effects import Effect, Notice
from boardctl.referee.facts import Answered, Choice, Role
from boardctl.referee.state import Stage
from boardctl.rules import BackgammonPosition, Placement, Roll, Seat

A, B = Seat.A, Seat.B
BOARD = BackgammonPosition.start().placement()
WRONG = moved(BOARD, ("8", "5"), ("6", "4"))
TWO_WITNESSES = read_ruleset("house-seed").model_copy(update={"witnesses_required": 2})


def presumed() -> Seats:
    """Gets a table where one witness of two saw A play a 3-1 illegally, B has accepted that, and B is to roll."""
    seats = at_turn(BackgammonPosition.start(), A, TWO_WITNESSES)
    seats.roll(A, 3, 1)
    seats.show(WRONG)
    seats.lift()
    prompt = seats.referee.state.prompt
    assert prompt is not None
    seats.feed(Answered(seats.now(), Role.B, prompt.number, Choice.ACCEPT))
    assert not seats.referee.state.position_sure
    assert seats.referee.state.expected == WRONG
    return seats


def noticed(effects: list[Effect]) -> list[str]:
    return [effect.text.key for effect in effects if isinstance(effect, Notice)]


def by_b(*moves: tuple[str, str]) -> Placement:
    return moved(WRONG, *moves, seat=B)


@pytest.mark.parametrize(
    ("board", "name"),
    [
        (by_b(("19", "21")), "roll.played_without_rolling"),
        (by_b(("17", "20"), ("19", "20")), "roll.played_opponents_roll"),
        (moved(WRONG, ("13", "7")), "roll.played_without_rolling"),  # A goes on, though the turn is over
        (moved(WRONG, ("19", "2"), ("13", "18"), ("24", "20")), "roll.board_changed"),
    ],
)
def test_what_has_changed_since_is_named_and_may_all_the_same_be_how_the_turn_ended(
    board: Placement, name: str
) -> None:
    seats = presumed()
    assert noticed(seats.show(board)) == [name, "roll.or_ended_so"]
    assert seats.referee.unexplained
    assert seats.referee.state.expected == WRONG
    assert noticed(seats.show(WRONG)) == []
    assert not seats.referee.unexplained


def test_a_seat_that_rolls_on_the_changed_board_plays_on_from_there() -> None:
    seats, other = presumed(), moved(WRONG, ("13", "10"))
    seats.show(other)
    seats.roll(B, 6, 4)
    assert (seats.referee.state.expected, seats.referee.state.roll) == (other, Roll(6, 4))


def test_who_has_moved_a_part_of_the_roll_before_throwing_it_plays_on_from_where_it_was() -> None:
    seats = presumed()
    seats.show(by_b(("19", "23")))
    seats.roll(B, 6, 4)
    assert seats.referee.state.expected == WRONG
    assert seats.referee.state.progress.stage is Stage.ON_THE_WAY


def test_what_a_legal_play_of_the_turn_before_leads_to_is_how_it_ended() -> None:
    seats, legal = presumed(), moved(BOARD, ("8", "5"), ("6", "5"))
    assert noticed(seats.show(legal)) == []
    assert seats.referee.state.expected == legal
