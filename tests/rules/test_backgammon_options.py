"""Backgammon's options, and the house rules followed sentence by sentence."""

import pytest
from backgammon_cases import few, texts

from boardctl.rules import (
    HOUSE_RULES,
    Backgammon,
    BackgammonOptions,
    BackgammonPosition,
    BlockedHigher,
    Result,
    Roll,
    Seat,
    WinKind,
    bar,
)

A, B = Seat.A, Seat.B
STANDARD = Backgammon()
HOUSE = Backgammon(HOUSE_RULES)


def result(game: Backgammon, loser: dict[int, int], bar_b: int = 0) -> Result:
    ended = game.result(few({}, loser, bar_b=bar_b))
    assert ended is not None
    return ended


def test_a_blocked_higher_checker_waits_or_licenses() -> None:
    position = few({6: 1, 3: 1}, {23: 2})
    licensing = Backgammon(BackgammonOptions(blocked_higher=BlockedHigher.LICENSES))
    assert texts(STANDARD, position, A, 4, 4) == {"(no play)"}
    assert texts(licensing, position, A, 4, 4) == {"3/off"}
    # A higher checker that can move must move first, whatever the option.
    assert texts(licensing, few({6: 1, 3: 1}), A, 4, 4) == {"6/off 3/off"}


def test_double_backgammon_counts_four_for_a_checker_on_the_bar() -> None:
    four = Backgammon(BackgammonOptions(double_backgammon=True))
    assert result(four, {6: 14, 24: 1}).kind is WinKind.BACKGAMMON
    assert result(four, {6: 13}, bar_b=1).kind is WinKind.SINGLE
    on_bar = BackgammonPosition.from_points([0] * 18 + [-14] + [0] * 5, bar_b=1)
    ended = four.result(on_bar)
    assert ended is not None
    assert (ended.kind, ended.points[A]) == (WinKind.DOUBLE_BACKGAMMON, 4)
    assert (STANDARD.result(on_bar) or ended).kind is WinKind.BACKGAMMON


def test_a_closed_out_seat_does_not_roll() -> None:
    closed = BackgammonPosition.from_points([0] * 18 + [-2] * 6, bar_a=1)
    assert not STANDARD.may_roll(closed, A)
    assert STANDARD.may_roll(closed, B)
    assert HOUSE.may_roll(closed, A)
    assert texts(STANDARD, closed, A, 6, 6) == {"(no play)"}
    one_open = BackgammonPosition.from_points([0] * 18 + [-2] * 5 + [-1], bar_a=1)
    assert STANDARD.may_roll(one_open, A)
    not_on_bar = BackgammonPosition.from_points([1] + [0] * 17 + [-2] * 6)
    assert STANDARD.may_roll(not_on_bar, A)


@pytest.mark.parametrize("loser", [{6: 15}, {24: 2, 6: 13}])
def test_house_the_first_player_to_bear_off_all_15_wins_and_that_is_all(loser: dict[int, int]) -> None:
    assert result(HOUSE, loser).points == {A: 1, B: 0}


def test_house_setup() -> None:
    start = HOUSE.start()
    for seat in (A, B):
        counts = start.counts(seat)
        assert counts[6] == 5  # "five of your checkers on the point closest to the bar, but within the home board"
        assert counts[24] == 2  # "two [...] on the point farthest from the bar and within the home board on [theirs]"
        assert counts[8] == 3  # "three [...] on the second point from the bar and within the outer board"
        assert counts[13] == 5  # "five [...] on the point farthest from the bar and within the outer board on [theirs]"


def test_house_the_higher_roll_goes_first_with_the_numbers_on_both_dice() -> None:
    opening = HOUSE.opening({A: 3, B: 6})
    assert (opening.starter, opening.roll) == (B, Roll(3, 6))


def test_house_moving_checkers() -> None:
    # "one checker five spaces to an open point and a different checker two spaces [...] Or one checker seven spaces"
    assert texts(HOUSE, few({20: 1, 10: 1}), A, 5, 2) == {"20/15 10/8", "20/18 10/5", "20/13", "10/3"}
    # "Your checker can only move to an open point": a combined move needs the point between.
    assert texts(HOUSE, few({20: 1}, {10: 2, 7: 2}), A, 5, 2) == {"(no play)"}
    # "If only one legal move (the number on one die) is available, you must take that move."
    assert texts(HOUSE, few({20: 1}, {10: 2, 12: 2}), A, 5, 2) == {"20/18"}
    # "If either move would be legal, but not both moves, you must use the higher number."
    assert texts(HOUSE, few({20: 1}, {12: 2}), A, 5, 2) == {"20/15"}


def test_house_doubles_are_four_moves() -> None:
    assert texts(HOUSE, few({24: 1}), A, 5, 5) == {"24/4"}


def test_house_hitting_and_entering() -> None:
    after = HOUSE.plays(few({20: 1}, {10: 1, 7: 2}), A, Roll(5, 2))[0]
    assert after.position.at(bar(B)) == (B,)
    # "If both numbers rolled correspond to points that are not open, you lose your turn."
    assert texts(HOUSE, few({6: 1}, {5: 2, 2: 2}, bar_a=1), A, 5, 2) == {"(no play)"}
    # "If you can enter one or more of your checkers from the bar, but not all of them, you must do so"
    assert texts(HOUSE, few({6: 1}, {5: 2}, bar_a=2), A, 5, 2) == {"bar/23"}
    # "After your last checker has been returned [...] any checker, including the one that was just returned"
    assert texts(HOUSE, few({8: 1}, {5: 2}, bar_a=1), A, 5, 2) == {"bar/18", "bar/23 8/3"}


def test_house_bearing_off() -> None:
    # "If one or more of your checkers are on the bar, [...] you cannot bear off any checkers."
    assert texts(HOUSE, few({3: 1}, {3: 2, 4: 2}, bar_a=1), A, 3, 4) == {"(no play)"}
    # "if you roll a three, you may bear off a checker from the third point", and you need not
    assert texts(HOUSE, few({5: 1, 3: 1}, {23: 2}), A, 3, 3) == {"3/off"}
    # "if you roll a two and all of your checkers are on the third point or higher, you must move one"
    assert texts(HOUSE, few({4: 1, 3: 2}), A, 2, 2) == {"4/off 3/1(2)"}
    # "if you roll a five and all of your checkers are on the fourth point or lower, you must bear off [...] the fourth"
    assert texts(HOUSE, few({4: 2, 1: 1}), A, 5, 5) == {"4/off(2) 1/off"}
