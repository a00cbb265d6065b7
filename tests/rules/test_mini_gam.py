"""Mini-Gam, sentence by sentence."""

import pytest
from backgammon_cases import texts

from boardctl.rules import Bar, Entry, MiniGam, MiniGamPosition, Opening, Roll, Seat, bar

A, B = Seat.A, Seat.B
GAME = MiniGam()


def board(points: list[int], bar_a: int = 0, bar_b: int = 0) -> MiniGamPosition:
    """A position from six signed counts, A plus; all other checkers are borne off."""
    stacks = ["A" * count if count > 0 else "B" * -count for count in points]
    off_a, off_b = 8 - bar_a - sum(c for c in points if c > 0), 8 - bar_b + sum(c for c in points if c < 0)
    return MiniGamPosition([*stacks, "A" * bar_a, "B" * bar_b, "A" * off_a, "B" * off_b])


def test_all_eight_begin_on_the_bar() -> None:
    assert GAME.start() == MiniGamPosition.parse(
        """
          1  2  3  4  5  6
        +------------------+
        |                  |
        +------------------+
        bar: A 8, B 8
        off: A 0, B 0
        """
    )


def test_seats_enter_and_move_in_opposite_directions() -> None:
    assert texts(GAME, GAME.start(), A, 2, 1) == {"bar/2 bar/1", "bar/3"}
    after = {play.position for play in GAME.plays(GAME.start(), B, Roll(2, 1))}
    assert after == {board([0, 0, 0, 0, -1, -1], 8, 6), board([0, 0, 0, -1, 0, 0], 8, 7)}


def test_the_bar_need_not_be_cleared_first() -> None:
    position = board([0, 0, 1, 0, 0, 0], bar_a=1)
    clear = MiniGam(bar=Bar.CLEAR)
    assert "3/6" in texts(GAME, position, A, 2, 1)
    assert texts(clear, position, A, 2, 1) == {"bar/1 3/5", "bar/2 3/4", "bar/3"}


def test_own_checkers_keep_an_entry_point_open_unless_read_literally() -> None:
    position = board([0, 2, 0, -2, 0, 0], bar_a=1)
    assert texts(GAME, position, A, 2, 2) == {"bar/2"}
    assert texts(MiniGam(entry=Entry.LITERAL), position, A, 2, 2) == {"(no play)"}


def test_made_points_are_closed_and_blots_are_hit() -> None:
    assert texts(GAME, board([-2, -1, 0, 0, 0, -5], bar_a=8), A, 2, 1) == {"bar/2*/3"}
    hit = GAME.plays(board([-2, -1, 0, 0, 0, -5], bar_a=8), A, Roll(2, 1))[0].position
    assert hit.at(bar(B)) == (B,)


def test_no_checker_is_borne_off_while_one_is_on_the_bar() -> None:
    assert texts(GAME, board([-2, 0, 0, 0, 0, 2], bar_a=1), A, 1, 1) == {"(no play)"}
    # "A checker may enter from the bar and bear off in the same turn if both moves are legal."
    entered = texts(GAME, board([0, 0, 0, 0, 0, 2], bar_a=1), A, 1, 1)
    assert entered == {"bar/2 6/off(2)", "bar/3 6/off", "bar/4"}


def test_a_larger_number_bears_off_only_the_hindmost() -> None:
    assert texts(GAME, board([0, 0, 0, 1, 0, 1]), A, 5, 4) == {"6/off 4/off"}
    # "point 4 could bear off with a 5 if it's the highest point"; here the two further back goes first.
    assert texts(GAME, board([0, 1, 0, 0, 1, 0]), A, 4, 4) == {"2/off 5/off"}
    assert texts(GAME, board([0, 1, 0, 0, 1, -2]), A, 4, 4) == {"(no play)"}


def test_the_larger_number_is_played_when_only_one_can_be() -> None:
    # From 1: 1/3 and 1/4 are open, 1/6 is not; both numbers cannot be played.
    assert texts(GAME, board([1, 0, 0, 0, 0, -2]), A, 3, 2) == {"1/4"}


def test_both_numbers_bind_the_last_checker() -> None:
    # Bearing off with the two would leave the one unplayed: it is 5/6* and then off.
    assert texts(GAME, board([0, 0, 0, 0, 1, -1]), A, 2, 1) == {"5/6*/off"}


def test_opening_dice_are_played_and_ties_roll_again() -> None:
    assert GAME.opening({A: 2, B: 5}) == Opening(B, Roll(2, 5))
    assert GAME.opening({A: 5, B: 5}) == Opening(None, None, (A, B))


def test_the_first_to_bear_off_eight_wins_one_point() -> None:
    result = GAME.result(board([-2, 0, 0, 0, 0, -6]))
    assert result is not None
    assert (result.winner, dict(result.points)) == (A, {A: 1, B: 0})
    assert GAME.result(GAME.start()) is None
    assert GAME.next_seat(GAME.start(), A) is B


def test_damaged_boards_are_refused() -> None:
    drawn = str(GAME.start())
    for old, new, why in (
        ("A 8", "A 7", "too few"),
        ("A 8", "E 8", "expected such as 'bar: A 3, B 5'"),
        ("bar:", "rab:", "expected such as"),
        ("+---", "*---", "two edges"),
        ("|   ", "| X ", "'X' at point 1 is not a stack"),
    ):
        with pytest.raises(ValueError, match=why):
            MiniGamPosition.parse(drawn.replace(old, new, 1))
