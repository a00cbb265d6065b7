"""Last Roll: each row of its table. F won the opening roll, L did not."""

import pytest
from backgammon_cases import few

from boardctl.rules import (
    Backgammon,
    BackgammonPosition,
    Cube,
    EndedBy,
    GammonsJudged,
    LastRollRules,
    Match,
    MatchRules,
    Roll,
    Seat,
    WinKind,
)
from boardctl.rules.last_roll import Finish, Reply, finish, outcome_after_last_roll, reply

F, L = Seat.A, Seat.B
GAME = Backgammon()
MATCH = Match(MatchRules(last_roll=LastRollRules()))


def last(left: dict[int, int], first: int, second: int) -> Reply:
    before = few({}, left)
    roll = Roll(first, second)
    best = max((play.position for play in GAME.plays(before, L, roll)), key=lambda at: at.borne_off(L))  # type: ignore[attr-defined]
    assert isinstance(best, BackgammonPosition)
    return reply(before, best, L, roll)


@pytest.mark.parametrize("left", [{1: 1}, {1: 2}, {1: 3}, {2: 3}, {4: 1}])
def test_row_1_doubles_that_need_not_all_four_steal(left: dict[int, int]) -> None:
    assert finish(GAME, few(left, {1: 2}), F, Roll(2, 2), opening_winner=F) is Finish.STOLEN


@pytest.mark.parametrize("left", [{1: 4}, {2: 4}, {4: 2}, {4: 1, 2: 2}, {8: 1}, {3: 1, 2: 2}])
def test_row_2_doubles_that_need_all_four_leave_the_last_roll(left: dict[int, int]) -> None:
    assert finish(GAME, few(left, {1: 2}), F, Roll(2, 2), opening_winner=F) is Finish.LAST_ROLL_DUE


def test_row_3_a_finish_without_doubles_leaves_the_last_roll() -> None:
    assert finish(GAME, few({1: 2}, {1: 2}), F, Roll(6, 5), opening_winner=F) is Finish.LAST_ROLL_DUE


@pytest.mark.parametrize("left", [{1: 1}, {1: 2}, {6: 1, 5: 1}, {11: 1}])
def test_row_4_one_or_two_off_without_doubles_tie(left: dict[int, int]) -> None:
    assert last(left, 6, 5) is Reply.TIE


@pytest.mark.parametrize("left", [{1: 1}, {2: 2}, {2: 3}, {4: 1, 2: 2}])
def test_row_5_three_or_fewer_off_with_doubles_win_even_with_all_four(left: dict[int, int]) -> None:
    assert last(left, 2, 2) is Reply.WIN


@pytest.mark.parametrize("left", [{1: 4}, {2: 4}])
def test_row_6_four_off_with_doubles_tie(left: dict[int, int]) -> None:
    assert last(left, 2, 2) is Reply.TIE


def test_row_7_three_cannot_be_borne_off_without_doubles() -> None:
    assert last({1: 3}, 6, 5) is Reply.LOSS


@pytest.mark.parametrize("left", [{6: 1}, {5: 1}, {1: 5}, {6: 4}])
def test_row_8_what_does_not_clear_the_board_loses(left: dict[int, int]) -> None:
    assert last(left, 1, 1) is Reply.LOSS


def test_row_9_the_seat_with_last_roll_simply_wins_when_it_is_first() -> None:
    assert finish(GAME, few({1: 2}, {1: 2}), F, Roll(6, 5), opening_winner=L) is Finish.ORDINARY
    assert finish(GAME, few({1: 2}, {1: 2}), F, Roll(6, 6), opening_winner=L) is Finish.ORDINARY


def test_gammons_are_judged_after_the_last_roll() -> None:
    before = few({}, {1: 1, 6: 14})
    saved = next(play.position for play in GAME.plays(before, L, Roll(2, 1)) if play.position.borne_off(L))  # type: ignore[attr-defined]
    lost = few({}, {6: 15})
    assert isinstance(saved, BackgammonPosition)
    outcome = outcome_after_last_roll(GAME, MATCH, Cube(2, F), before, saved, L, Roll(2, 1))
    assert (outcome.winner, outcome.kind, outcome.points) == (F, WinKind.SINGLE, 2)
    outcome = outcome_after_last_roll(GAME, MATCH, Cube(2, F), lost, lost, L, Roll(2, 1))
    assert (outcome.winner, outcome.kind, outcome.points) == (F, WinKind.GAMMON, 4)


def test_gammons_may_be_judged_before_the_last_roll() -> None:
    before = few({}, {1: 1, 6: 14})
    saved = next(play.position for play in GAME.plays(before, L, Roll(2, 1)) if play.position.borne_off(L))  # type: ignore[attr-defined]
    assert isinstance(saved, BackgammonPosition)
    strict = Match(MatchRules(last_roll=LastRollRules(gammons_judged=GammonsJudged.BEFORE)))
    outcome = outcome_after_last_roll(GAME, strict, Cube(), before, saved, L, Roll(2, 1))
    assert (outcome.winner, outcome.kind, outcome.points) == (F, WinKind.GAMMON, 2)


def test_a_steal_and_a_win_by_the_seat_with_last_roll_are_ordinary_wins() -> None:
    """Gammon and cube apply to both."""
    stolen = GAME.plays(few({2: 2}, {6: 15}), F, Roll(2, 2))[0].position
    assert finish(GAME, few({2: 2}, {6: 15}), F, Roll(2, 2), opening_winner=F) is Finish.STOLEN
    result = GAME.result(stolen)
    assert result is not None
    assert result.winner is F
    assert MATCH.won(F, result.kind, Cube(2, F)).points == 4


def test_a_last_roll_win_counts_the_cube_once() -> None:
    before, after = few({}, {1: 1}), few({}, {})
    outcome = outcome_after_last_roll(GAME, MATCH, Cube(4, F), before, after, L, Roll(2, 2))
    assert (outcome.winner, outcome.points, outcome.ended_by) == (L, 4, EndedBy.LAST_ROLL)
    one = Match(MatchRules(last_roll=LastRollRules(win_counts_cube=False)))
    assert outcome_after_last_roll(GAME, one, Cube(4, F), before, after, L, Roll(2, 2)).points == 1


def test_a_tie_has_no_winner() -> None:
    before, after = few({}, {1: 1}), few({}, {})
    outcome = outcome_after_last_roll(GAME, MATCH, Cube(4, F), before, after, L, Roll(3, 2))
    assert (outcome.winner, outcome.points, outcome.ended_by) == (None, 0, EndedBy.TIED)
    assert MATCH.after(outcome).score == (0, 0)


def test_there_is_no_cube_action_before_the_last_roll() -> None:
    why = MATCH.refusal(Cube(), L, opening_played=True, last_roll_due=True)
    assert why == "there is no cube action before the last roll"
    allowed = Match(MatchRules(last_roll=LastRollRules(cube_action=True)))
    assert allowed.refusal(Cube(), L, opening_played=True, last_roll_due=True) is None


def test_a_dropped_cube_or_a_resignation_cancels_it() -> None:
    assert MATCH.dropped(Cube().double(L)).winner is L
    assert MATCH.resigned(MATCH.resign(F, WinKind.SINGLE), Cube()).winner is L


def test_impossible_questions_are_refused() -> None:
    with pytest.raises(ValueError, match="cannot finish with 2-1"):
        finish(GAME, few({6: 2}, {1: 1}), F, Roll(2, 1), opening_winner=F)
    with pytest.raises(ValueError, match="no last roll for B: A has not finished"):
        reply(few({1: 1}, {1: 1}), few({1: 1}, {}), L, Roll(2, 1))
