"""The clock to the millisecond: delay first, reserve after it, and what pauses and rulings do."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boardctl.referee.clock import Clock, ClockError, PauseReason, first_started, reserve_ms
from boardctl.referee.ruleset import ClockTerms
from boardctl.rules import Seat

TERMS = ClockTerms(kind="delay", delay_s=12, reserve_a_point_s=120, less_a_point_scored_s=60, flag="loses_when_noticed")
SEATS = (Seat.A, Seat.B)


def clock(match_length: int = 5) -> Clock:
    return Clock.of(TERMS, SEATS, match_length).started(Seat.A, 1000)


@pytest.mark.parametrize(("length", "scored", "minutes"), [(5, 0, 10), (5, 3, 7), (11, 0, 22), (1, 0, 2), (5, 8, 2)])
def test_the_reserve_is_two_minutes_a_point_less_one_for_each_scored(length: int, scored: int, minutes: int) -> None:
    assert reserve_ms(TERMS, length, scored) == minutes * 60_000


def test_more_points_than_a_match_has_are_refused() -> None:
    with pytest.raises(ClockError, match="9 points scored in a match to 5"):
        reserve_ms(TERMS, 5, 9)


def test_the_delay_runs_first_and_the_reserve_after_it() -> None:
    assert clock().advanced(13_000).side(Seat.A).reserve_ms == 600_000
    assert clock().advanced(13_001).side(Seat.A).reserve_ms == 599_999


def test_unused_delay_is_never_banked() -> None:
    played = clock().pressed(Seat.A, 4000).pressed(Seat.B, 5000)
    assert played.side(Seat.A).delay_ms == 12_000
    assert played.advanced(17_001).side(Seat.A).reserve_ms == 599_999


def test_only_the_own_lever_ends_the_own_time() -> None:
    assert clock().pressed(Seat.B, 2000).running is Seat.A
    assert clock().pressed(Seat.A, 2000).running is Seat.B


def test_a_pause_takes_no_time_and_keeps_what_was_left_of_the_delay() -> None:
    paused = clock().stopped(PauseReason.CONTEST, 6000).advanced(90_000)
    assert (paused.running, paused.paused, paused.stopped_seat) == (None, PauseReason.CONTEST, Seat.A)
    resumed = paused.resumed(100_000)
    assert resumed.side(Seat.A).delay_ms == 7000
    assert resumed.advanced(107_001).side(Seat.A).reserve_ms == 599_999


def test_by_a_ruling_the_delay_begins_again() -> None:
    resumed = clock().stopped(PauseReason.DIRECTOR, 6000).resumed(7000, delay_whole=True)
    assert resumed.side(Seat.A).delay_ms == 12_000


def test_a_second_pause_remembers_whose_time_it_was() -> None:
    paused = clock().stopped(PauseReason.CONTEST, 6000).stopped(PauseReason.BREAK, 7000)
    assert paused.resumed(8000).running is Seat.A


def test_the_flag_falls_when_the_reserve_is_used_up() -> None:
    assert clock().advanced(612_999).flagged == ()
    assert clock().advanced(613_000).flagged == (Seat.A,)


def test_a_side_without_reserve_lives_from_its_delay() -> None:
    terms = TERMS.model_copy(update={"reserve_a_point_s": 0})
    lives = Clock.of(terms, SEATS, 1).started(Seat.A, 0)
    assert lives.advanced(12_000).flagged == ()
    assert lives.advanced(12_001).flagged == (Seat.A,)


def test_overtime_is_given_as_often_as_the_ruleset_says() -> None:
    terms = TERMS.model_copy(update={"overtime_s": (60,)})
    late = Clock.of(terms, SEATS, 5).started(Seat.A, 0).advanced(612_500)
    assert (late.side(Seat.A).reserve_ms, late.side(Seat.A).overtimes_used, late.flagged) == (59_500, 1, ())
    assert late.advanced(672_000).flagged == (Seat.A,)


def test_time_given_by_a_ruling_lifts_the_flag() -> None:
    fallen = clock().advanced(613_000).given(Seat.A, 120_000, 613_500)
    assert fallen.flagged == ()
    assert fallen.side(Seat.A).reserve_ms == 120_000


def test_time_that_goes_backwards_is_refused() -> None:
    with pytest.raises(ClockError, match="time goes forward only"):
        clock().advanced(999)


def test_a_clock_that_was_never_started_is_not_resumed() -> None:
    with pytest.raises(ClockError, match="nobody's time was stopped"):
        Clock.of(TERMS, SEATS, 5).resumed(0)


def test_a_ruleset_without_a_clock_has_none() -> None:
    with pytest.raises(ClockError, match="no clock"):
        Clock.of(ClockTerms(), SEATS, 5)


def test_the_opening_starts_the_clock_of_the_higher_roller() -> None:
    assert first_started({Seat.A: 3, Seat.B: 5}) is Seat.B
    with pytest.raises(ClockError, match="equal dice"):
        first_started({Seat.A: 3, Seat.B: 3})


@given(st.lists(st.integers(0, 30_000), min_size=1, max_size=12))
def test_looking_often_changes_nothing(steps: list[int]) -> None:
    looked, now_ms = clock(), 1000
    for step in steps:
        now_ms += step
        looked = looked.advanced(now_ms)
    assert looked == clock().advanced(now_ms)
