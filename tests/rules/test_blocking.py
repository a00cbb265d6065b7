"""Blocking Backgammon, sentence by sentence."""

import pytest
from backgammon_cases import texts

from boardctl.rules import Blocking, BlockingPosition, Deadlock, Enter, Opening, Own, Roll, Seat, Trapped, point

A, B = Seat.A, Seat.B
GAME = Blocking()


def board(stacks: dict[int, str], waiting_a: int = 0, waiting_b: int = 0) -> BlockingPosition:
    """A position from stacks by the number A gives their point; all other checkers are borne off."""
    on = "".join(stacks.values())
    return BlockingPosition(
        [
            *(stacks.get(number, "") for number in range(1, 25)),
            "A" * (15 - waiting_a - on.count("A")),
            "B" * (15 - waiting_b - on.count("B")),
            "A" * waiting_a,
            "B" * waiting_b,
        ]
    )


def test_fifteen_checkers_wait_beside_the_board() -> None:
    drawn = str(GAME.start())
    assert "A off 0, waiting 15" in drawn
    assert BlockingPosition.parse(drawn) == GAME.start()


def test_checkers_enter_by_the_numbers_rolled() -> None:
    assert texts(GAME, GAME.start(), A, 6, 3) == {"bar/19 bar/22"}
    after = GAME.plays(GAME.start(), B, Roll(6, 3))[0].position
    assert after.at(point(6)) == after.at(point(3)) == (B,)


def test_everything_enters_before_anything_moves() -> None:
    assert texts(GAME, board({10: "A"}, waiting_a=3), A, 6, 3) == {"bar/19 bar/22"}
    # After the last entry the same roll's remaining number may move.
    assert texts(GAME, board({10: "A"}, waiting_a=1), A, 6, 3) == {
        "bar/16", "bar/19 10/7", "bar/22 10/4",
    }  # fmt: skip


def test_checkers_may_move_while_others_wait_where_that_is_agreed() -> None:
    loose = Blocking(entry=Enter.ANY_TIME)
    assert texts(loose, board({10: "A"}, waiting_a=14), A, 3, 3) > {"bar/22 10/1"}
    assert not any("off" in text for text in texts(loose, board({3: "A"}, waiting_a=14), A, 3, 3))


def test_an_entry_onto_an_owned_point_is_refused() -> None:
    assert texts(GAME, board({19: "B"}, waiting_a=3), A, 6, 3) == {"bar/22"}
    assert texts(GAME, board({19: "B", 22: "B"}, waiting_a=3), A, 6, 3) == {"(no play)"}
    assert texts(GAME, board({19: "BB", 22: "B"}, waiting_a=3), A, 6, 3) == {"bar/19"}


def test_exactly_one_checker_owns_a_point() -> None:
    assert texts(GAME, board({10: "A", 7: "B"}), A, 3, 3) == {"(no play)"}
    assert texts(GAME, board({10: "A", 7: "BB", 4: "B"}), A, 3, 3) == {"10/7"}


def test_a_covered_single_checker_still_owns_unless_one_in_all_is_meant() -> None:
    position = board({10: "A", 7: "BA", 4: "B"})  # B had two there, and one has moved on
    assert texts(GAME, position, A, 3, 3) == {"(no play)"}
    assert texts(Blocking(own=Own.SINGLE), position, A, 3, 3) == {"10/7"}


def test_only_the_last_to_arrive_may_leave() -> None:
    assert texts(GAME, board({10: "AAB", 20: "B"}), A, 2, 1) == {"(no play)"}
    after = GAME.plays(board({10: "A", 8: "BB"}), A, Roll(2, 2))[0].position
    assert after.at(point(2)) == (A,)
    landed = next(step for step in GAME.moves(board({10: "A", 8: "BB"}), A, Roll(2, 2)).steps if step.at(point(8))[2:])
    assert landed.at(point(8)) == (B, B, A)


def test_no_bear_off_before_all_are_home() -> None:
    assert texts(GAME, board({7: "A", 3: "A"}), A, 3, 3) == {"7/off 3/off"}
    assert texts(GAME, board({7: "AB", 3: "A"}), A, 3, 3) == {"(no play)"}


def test_covered_checkers_count_in_the_bear_off_unless_ignored() -> None:
    ignored = Blocking(trapped=Trapped.IGNORED)
    on_the_point = board({4: "AB", 3: "A"})
    assert texts(GAME, on_the_point, A, 4, 4) == {"(no play)"}
    assert texts(ignored, on_the_point, A, 4, 4) == {"3/off"}
    higher = board({6: "AB", 3: "A"})
    assert texts(GAME, higher, A, 5, 5) == {"(no play)"}
    assert texts(ignored, higher, A, 5, 5) == {"3/off"}
    highest_is_covered = board({3: "AB", 2: "A"})
    assert texts(GAME, highest_is_covered, A, 5, 5) == {"(no play)"}


def test_a_higher_checker_that_is_merely_blocked_stops_a_larger_number() -> None:
    assert texts(GAME, board({6: "A", 3: "A", 2: "B"}), A, 4, 4) == {"(no play)"}


def test_the_winner_of_the_opening_rolls_again() -> None:
    assert GAME.opening({A: 2, B: 5}) == Opening(B, None)
    assert GAME.opening({A: 5, B: 5}) == Opening(None, None, (A, B))


def test_a_win_is_one_point() -> None:
    result = GAME.result(board({}, waiting_b=15))
    assert result is not None
    assert (result.winner, dict(result.points)) == (A, {A: 1, B: 0})


def test_a_game_that_has_locked_for_good_ends() -> None:
    # Four checkers of each side lie under the other's, so nobody is home and nobody can move.
    locked = board({1: "BBBB" + "A" * 11, 24: "AAAA" + "B" * 11})
    assert all(texts(GAME, locked, seat, n, n) == {"(no play)"} for seat in (A, B) for n in range(1, 7))
    for game, points in ((GAME, {A: 0, B: 0}), (Blocking(deadlock=Deadlock.VOID), {})):
        result = game.result(locked)
        assert result is not None
        assert (result.winner, dict(result.points)) == (None, points)


def test_a_locked_game_can_be_won_by_pips() -> None:
    game = Blocking(deadlock=Deadlock.PIPS)
    equal = game.result(board({1: "BBBB" + "A" * 11, 24: "AAAA" + "B" * 11}))
    assert equal is not None
    assert equal.winner is None
    behind = game.result(board({1: "BBB" + "A" * 11, 24: "AAAA" + "B" * 12}))
    assert behind is not None
    assert (behind.winner, dict(behind.points)) == (B, {B: 1, A: 0})


def test_a_game_in_which_one_side_can_still_move_runs_on() -> None:
    assert not GAME.is_locked(board({1: "BBBB" + "A" * 10, 7: "A", 24: "AAAA" + "B" * 11}))
    assert GAME.result(board({1: "BBBB" + "A" * 10, 7: "A", 24: "AAAA" + "B" * 11})) is None


def test_strange_boards_are_refused() -> None:
    with pytest.raises(ValueError, match="no position of Blocking Backgammon: too few"):
        BlockingPosition.parse(str(GAME.start()).replace("waiting 15", "waiting 14", 1))
