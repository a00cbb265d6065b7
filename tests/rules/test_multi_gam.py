"""Multi-Gam, sentence by sentence."""

import pytest
from backgammon_cases import texts

from boardctl.rules import MultiGam, MultiGamPosition, Oblige, Opening, Roll, Seat

A, B, C, D = Seat.A, Seat.B, Seat.C, Seat.D
GAME = MultiGam()


def board(points: list[str], bars: str = "", finished: str = "") -> MultiGamPosition:
    """A position from six stacks and the letters on the bars; all other checkers are borne off."""
    on = "".join(points) + bars
    on_bars = [seat.value * bars.count(seat) for seat in (A, B, C, D)]
    trays = [seat.value * (5 - on.count(seat)) for seat in (A, B, C, D)]
    return MultiGamPosition([*points, *on_bars, *trays, finished])


def test_all_twenty_begin_on_the_bar_and_move_the_same_way() -> None:
    for seat in (A, B, C, D):
        assert texts(GAME, GAME.start(), seat, 2, 1) == {"bar/2 bar/1", "bar/3"}
    assert GAME.start() == MultiGamPosition.parse(str(GAME.start()))


def test_enter_on_six_and_move_off_in_one_turn() -> None:
    assert "bar/off" in texts(GAME, GAME.start(), A, 6, 1)


def test_blots_of_any_opponent_are_hit_and_primes_of_any_opponent_block() -> None:
    position = board(["", "B", "CC", "", "", ""], bars="AAAAABBBBCCCDDDDD")
    assert texts(GAME, position, A, 3, 2) == {"bar/2*/5"}
    after = GAME.plays(position, A, Roll(3, 2))[0].position
    assert after.placement().total(B) == 5


def test_exact_bear_off_is_free_and_overshoot_is_for_the_hindmost() -> None:
    position = board(["", "", "A", "", "A", ""], bars="A" + "B" * 5 + "C" * 5 + "D" * 5)
    # The exact two from 5 is free although one checker is on the bar.
    assert texts(GAME, position, A, 2, 2) == {"bar/6 3/5", "bar/4 3/off", "bar/6 5/off", "bar/2 3/off 5/off"}
    alone = board(["", "", "A", "", "A", ""], bars="B" * 5 + "C" * 5 + "D" * 5)
    assert texts(GAME, alone, A, 5, 4) == {"5/off 3/off"}
    behind_is_blocked = board(["", "", "A", "", "A", "BB"], bars="BBB" + "C" * 5 + "D" * 5)
    assert texts(GAME, behind_is_blocked, A, 3, 3) == {"(no play)"}


def test_the_fifth_checker_off_completes_a_play() -> None:
    position = board(["", "", "", "", "A", "B"], bars="BBBB" + "C" * 5 + "D" * 5)
    assert texts(GAME, position, A, 2, 1) == {"5/off", "5/6*/off"}
    steps = GAME.moves(position, A, Roll(2, 1)).steps
    assert sum(step.complete for step in steps.values()) == 2


def test_greedy_need_not_play_the_larger_number() -> None:
    # 3/5 leaves no one, 3/4 leaves no two: only one of the numbers can be played.
    position = board(["", "", "A", "", "", "BB"], bars="BBB" + "C" * 5 + "D" * 5)
    assert texts(GAME, position, A, 2, 1) == {"3/5"}
    assert texts(MultiGam(oblige=Oblige.GREEDY), position, A, 2, 1) == {"3/4", "3/5"}


def test_high_low_split() -> None:
    assert GAME.opening({A: 2, B: 6, C: 4, D: 3}) == Opening(B, Roll(6, 2))
    assert GAME.opening({A: 6, B: 6, C: 1, D: 3}) == Opening(None, None, (A, B))
    # A and B rolled again; A starts although D shows more than either.
    assert GAME.opening({A: 2, B: 1, C: 1, D: 3}, rerolled=(A, B)) == Opening(A, Roll(2, 1))
    assert GAME.opening({A: 4, B: 4, C: 1, D: 6}, rerolled=(A, B)) == Opening(None, None, (A, B))


def test_ranks_are_the_order_of_finishing() -> None:
    position = board(["", "", "", "", "", "C"], bars="A", finished="DB")
    assert GAME.result(position) is None
    play = next(play for play in GAME.plays(position, C, Roll(1, 1)))
    result = GAME.result(play.position)
    assert result is not None
    assert result.winner is D
    assert dict(result.points) == {D: 5, B: 3, C: 2, A: 1}


def test_finished_seats_are_skipped() -> None:
    position = board(["", "", "", "", "", "C"], bars="A", finished="DB")
    assert GAME.next_seat(position, A) is C
    assert GAME.next_seat(position, C) is A
    assert [GAME.next_seat(GAME.start(), seat) for seat in (A, B, C, D)] == [B, C, D, A]
    assert texts(GAME, position, D, 3, 1) == {"(no play)"}


def test_the_order_of_finishing_is_not_seen_but_can_be_told() -> None:
    position = board(["", "", "", "", "", "C"], bars="A", finished="DB")
    seen = GAME.position_of(position.placement())
    assert isinstance(seen, MultiGamPosition)
    assert seen.finished == (B, D)
    assert seen.with_finished((D, B)) == position
    with pytest.raises(ValueError, match="not the seats that have finished"):
        seen.with_finished((A, B))
