"""Backgammon, sentence by sentence."""

import pytest
from backgammon_cases import few, texts

from boardctl.rules import (
    Backgammon,
    BackgammonPosition,
    Faults,
    Placement,
    Roll,
    Seat,
    WinKind,
    bar,
    point,
    tray,
    waiting,
    write_play,
)

GAME = Backgammon()
A, B = Seat.A, Seat.B


def plays(position: BackgammonPosition, seat: Seat, first: int, second: int) -> set[str]:
    return texts(GAME, position, seat, first, second)


def test_starting_position_is_drawn_as_every_book_draws_it() -> None:
    assert GAME.start() == BackgammonPosition.parse(
        """
         13 14 15 16 17 18      19 20 21 22 23 24
        +------------------+---+------------------+  B off 0
        | A           B    |   | B              A |
        | A           B    |   | B              A |
        | A           B    |   | B                |
        | A                |   | B                |
        | A                |   | B                |
        |                  |bar|                  |
        | B                |   | A                |
        | B                |   | A                |
        | B           A    |   | A                |
        | B           A    |   | A              B |
        | B           A    |   | A              B |
        +------------------+---+------------------+  A off 0
         12 11 10  9  8  7       6  5  4  3  2  1
        """
    )
    assert GAME.start().pips(A) == GAME.start().pips(B) == 167


@pytest.mark.parametrize(("roll", "count"), [((3, 1), 16), ((6, 5), 7), ((2, 1), 15), ((5, 5), 4), ((1, 1), 42)])
@pytest.mark.parametrize("seat", [A, B])
def test_number_of_first_plays(seat: Seat, roll: tuple[int, int], count: int) -> None:
    assert len(plays(GAME.start(), seat, *roll)) == count


def test_a_combined_move_needs_an_open_point_between() -> None:
    blocked_by_five = few({24: 1}, {6: 2})  # B's 6-point is A's 19
    assert plays(blocked_by_five, A, 5, 3) == {"24/16"}
    assert plays(few({24: 1}, {6: 2, 4: 2}), A, 5, 3) == {"(no play)"}


def test_checkers_enter_before_anything_else_moves() -> None:
    assert plays(few({13: 1}, bar_a=1), A, 4, 2) == {"bar/19", "bar/21 13/11", "bar/23 13/9"}
    assert plays(few({13: 1}, bar_a=2), A, 4, 2) == {"bar/21 bar/23"}
    assert plays(few({13: 1}, {4: 2}, bar_a=2), A, 4, 2) == {"bar/23"}


def test_a_seat_that_cannot_enter_cannot_play() -> None:
    assert plays(few({13: 1}, {4: 2, 2: 2}, bar_a=1), A, 4, 2) == {"(no play)"}


def test_both_numbers_are_played_when_one_way_plays_both() -> None:
    # B holds A's 14-point: the six can be played only after 20/19, and 2/1 would leave it unplayed.
    assert plays(few({20: 1, 2: 1}, {11: 2}), A, 6, 1) == {"20/13"}


def test_the_larger_number_is_played_when_only_one_can_be() -> None:
    position = few({24: 1}, {12: 2})  # B holds A's 13-point: 24/18 and 24/19, but no 24/13
    assert plays(position, A, 6, 5) == {"24/18"}


def test_the_smaller_number_is_played_when_the_larger_cannot_be() -> None:
    assert plays(few({24: 1}, {7: 2, 12: 2}), A, 6, 5) == {"24/19"}


def test_a_double_is_played_as_often_as_it_can_be() -> None:
    assert plays(few({24: 1}, {13: 2}), A, 4, 4) == {"24/16"}  # A's 12-point is held
    assert plays(few({24: 1}, {13: 2}), A, 3, 3) == {"24/15"}


def test_hit_checkers_go_to_the_bar() -> None:
    after = {write_play(GAME, A, play): play.position for play in GAME.plays(few({8: 1, 6: 1}, {20: 1}), A, Roll(3, 1))}
    assert after["8/5*/4"] == few({4: 1, 6: 1}, {}, bar_b=1)
    assert after["8/5* 6/5"].at(bar(B)) == (B,)


def test_hit_and_run_is_another_result_than_running_past() -> None:
    assert plays(few({24: 1}, {6: 1}), A, 5, 3) == {"24/16", "24/19*/16"}


def test_maximum_numbers_bind_the_last_checker() -> None:
    # Bearing off with the three alone would leave the one unplayed.
    assert plays(few({2: 1}, {24: 1}), A, 3, 1) == {"2/1*/off"}


def test_bearing_off_waits_for_the_last_checker_outside() -> None:
    assert plays(few({7: 1, 3: 1}), A, 3, 1) == {"7/6 3/off", "7/3", "7/4 3/2"}


def test_a_larger_number_bears_off_only_the_foremost_of_all() -> None:
    assert plays(few({4: 1, 2: 1}), A, 6, 5) == {"4/off 2/off"}
    assert plays(few({5: 1, 2: 1}), A, 4, 3) == {"5/1 2/off", "5/off"}


def test_a_higher_checker_that_is_blocked_keeps_the_others_in() -> None:
    # A's 6-point checker cannot move by 4: B holds A's 2-point. The checker on 3 may not be borne off with it.
    assert plays(few({6: 1, 3: 1}, {23: 2}), A, 4, 4) == {"(no play)"}


def test_a_smaller_number_may_be_moved_before_the_larger_one_bears_off() -> None:
    assert plays(few({6: 1, 1: 1}), A, 6, 1) == {"6/off 1/off", "6/off"}


def test_results_count_what_the_loser_still_has_to_do() -> None:
    def kind(loser: dict[int, int], bar_b: int = 0) -> WinKind:
        result = GAME.result(few({}, loser, bar_b=bar_b))
        assert result is not None
        assert result.winner is A
        assert result.points == {A: int(result.kind), B: 0}
        return result.kind

    assert kind({6: 14}) is WinKind.SINGLE
    assert kind({6: 15}) is WinKind.GAMMON
    assert kind({18: 1, 6: 14}) is WinKind.GAMMON
    assert kind({19: 1, 6: 14}) is WinKind.BACKGAMMON
    assert kind({6: 14}, bar_b=1) is WinKind.BACKGAMMON
    assert kind({24: 1, 6: 13}) is WinKind.SINGLE
    assert GAME.result(GAME.start()) is None


def test_opening_dice_are_the_first_roll_and_equal_dice_are_rolled_again() -> None:
    opening = GAME.opening({A: 2, B: 5})
    assert (opening.starter, opening.roll, opening.again) == (B, Roll(2, 5), ())
    again = GAME.opening({A: 4, B: 4})
    assert (again.starter, again.roll, again.again) == (None, None, (A, B))
    with pytest.raises(ValueError, match="one die of each"):
        GAME.opening({A: 3})
    with pytest.raises(ValueError, match="a die shows 1 to 6"):
        GAME.opening({A: 3, B: 7})


def test_turns_alternate() -> None:
    assert GAME.next_seat(GAME.start(), A) is B
    assert GAME.next_seat(GAME.start(), B) is A


def test_faults_of_a_placement_are_named() -> None:
    start = GAME.start().placement()
    assert GAME.faults(start) is Faults.NONE
    assert GAME.faults(start.replaced({point(6): (A,) * 4})) is Faults.TOO_FEW
    assert GAME.faults(start.replaced({point(6): (A,) * 6})) is Faults.TOO_MANY
    assert GAME.faults(start.replaced({point(6): (A, A, A, A, B), bar(A): (A,), point(1): (B,)})) is Faults.MIXED_POINT
    assert GAME.faults(start.replaced({point(6): (A,) * 4, bar(B): (A,)})) is Faults.WRONG_BAR
    assert GAME.faults(start.replaced({point(6): (A,) * 4, tray(B): (A,)})) is Faults.WRONG_TRAY
    assert GAME.faults(start.replaced({point(6): (A,) * 4, point(25): (A,)})) is Faults.UNKNOWN_PLACE
    assert GAME.faults(Placement()) is Faults.TOO_FEW
    with_stranger = start.replaced({waiting(Seat.C): (Seat.C,)})
    assert GAME.faults(with_stranger) == Faults.UNKNOWN_PLACE | Faults.TOO_MANY


def test_a_placement_with_faults_is_refused_and_drawn() -> None:
    placement = GAME.start().placement().replaced({point(6): (A, A, A, A, B)})
    with pytest.raises(ValueError, match="two seats at point 6") as refusal:
        GAME.position_of(placement)
    assert "+------------------+" in str(refusal.value)
    with pytest.raises(ValueError, match="seat A has 14 checkers, not 15"):
        GAME.position_of(GAME.start().placement().replaced({point(6): (A,) * 4}))


def test_impossible_questions_are_refused() -> None:
    with pytest.raises(ValueError, match="a die shows 1 to 6"):
        GAME.plays(GAME.start(), A, Roll(0, 4))
    with pytest.raises(ValueError, match="played by seats A and B"):
        GAME.plays(GAME.start(), Seat.C, Roll(3, 4))
    with pytest.raises(ValueError, match="not a position of backgammon"):
        GAME.moves(GAME.start().placement(), A, Roll(3, 4))
    with pytest.raises(ValueError, match="no place of backgammon"):
        GAME.point_for(A, waiting(A))


def test_points_are_named_from_each_seats_side() -> None:
    assert [GAME.point_for(A, place) for place in (point(6), bar(A), tray(A))] == ["6", "bar", "off"]
    assert GAME.point_for(B, point(6)) == "19"


def test_views_that_are_impossible_are_refused() -> None:
    with pytest.raises(ValueError, match="25 numbers"):
        BackgammonPosition.from_mover_view([0] * 25, A)
    with pytest.raises(ValueError, match="more than 15"):
        BackgammonPosition.from_points([16] + [0] * 23)
    with pytest.raises(ValueError, match="own bar 0 or more"):
        BackgammonPosition.from_points([0] * 24, bar_a=-1)
