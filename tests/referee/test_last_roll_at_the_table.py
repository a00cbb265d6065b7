"""Last Roll at the table: the rows of its table, from dice and boards to the result."""

import pytest
from seats_at_table import Seats, die

from boardctl.referee import Match
from boardctl.referee.effects import GameEnded, Notice
from boardctl.referee.facts import PositionDeclared, Role
from boardctl.referee.readings import sure_reading
from boardctl.rules import BackgammonPosition, LastRollRules, MatchRules, Placement, Seat, point, tray

A, B = Seat.A, Seat.B
RULES = MatchRules(cube=False, last_roll=LastRollRules())


def bearing_off(left_a: int, left_b: int) -> BackgammonPosition:
    """Gets a position in which each seat has so many checkers left, all on its ace point."""
    board = {
        point(1): (A,) * left_a,
        point(24): (B,) * left_b,
        tray(A): (A,) * (15 - left_a),
        tray(B): (B,) * (15 - left_b),
    }
    return BackgammonPosition.of(Placement({place: stack for place, stack in board.items() if stack}))


def table(left_a: int, left_b: int, opening: tuple[int, int] = (6, 1)) -> Seats:
    """Gets a table where A is to roll; the opening roll was won by A unless told otherwise."""
    seats = Seats("house-seed", match=Match(cube=False, rules=RULES))
    seats.start()
    seats.rest(die(opening[0], A, spot=9), die(opening[1], B, spot=9))
    reading = sure_reading(bearing_off(left_a, left_b).placement(), seats.game.places)
    seats.feed(PositionDeclared(seats.now(), Role.DIRECTOR, reading, A))
    return seats


def play(seats: Seats, seat: Seat, first: int, second: int, left_a: int, left_b: int) -> None:
    seats.lift()
    seats.roll(seat, first, second)
    seats.show(bearing_off(left_a, left_b))
    seats.lift()


def said(seats: Seats) -> list[str]:
    return [effect.text.key for effect in seats.effects if isinstance(effect, Notice)]


def ended(seats: Seats) -> tuple[Seat | None, str] | None:
    games = [effect for effect in seats.effects if isinstance(effect, GameEnded)]
    return (games[-1].winner, games[-1].ended_by) if games else None


def test_row_1_doubles_that_need_not_all_be_played_steal_the_last_roll() -> None:
    seats = table(3, 5)
    play(seats, A, 2, 2, 0, 5)
    assert "last_roll.stolen" in said(seats)
    assert ended(seats) == (A, "borne_off")


@pytest.mark.parametrize(("left_a", "roll"), [(4, (2, 2)), (2, (5, 3))])
def test_rows_2_and_3_otherwise_the_last_roll_is_due(left_a: int, roll: tuple[int, int]) -> None:
    seats = table(left_a, 2)
    play(seats, A, *roll, 0, 2)
    assert said(seats)[-1] == "last_roll.due"
    assert ended(seats) is None
    assert seats.referee.state.seat is B


@pytest.mark.parametrize(
    ("left_b", "roll", "left_after", "result"),
    [
        (2, (4, 3), 0, (None, "tied")),  # row 4
        (1, (4, 3), 0, (None, "tied")),
        (3, (5, 5), 0, (B, "last_roll")),  # row 5
        (4, (5, 5), 0, (None, "tied")),  # row 6
        (3, (4, 3), 1, (A, "borne_off")),  # row 7
        (5, (6, 6), 1, (A, "borne_off")),  # row 8
    ],
)
def test_rows_4_to_8_what_the_reply_makes_of_the_game(
    left_b: int, roll: tuple[int, int], left_after: int, result: tuple[Seat | None, str]
) -> None:
    seats = table(2, left_b)
    play(seats, A, 5, 3, 0, left_b)
    play(seats, B, *roll, 0, left_after)
    assert ended(seats) == result


def test_row_9_who_has_the_last_roll_and_bears_off_first_has_won() -> None:
    seats = table(2, 5, opening=(1, 6))
    play(seats, A, 5, 3, 0, 5)
    assert ended(seats) == (A, "borne_off")


def test_an_opening_that_nobody_saw_gives_nobody_the_last_roll() -> None:
    seats = Seats("house-seed", match=Match(cube=False, rules=RULES))
    reading = sure_reading(bearing_off(2, 3).placement(), seats.game.places)
    seats.feed(PositionDeclared(seats.now(), Role.DIRECTOR, reading, A))
    play(seats, A, 5, 3, 0, 3)
    assert "last_roll.unknown" in said(seats)
    assert ended(seats) == (A, "borne_off")
