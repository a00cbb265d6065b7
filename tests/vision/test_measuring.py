"""Readings held against truth: what counts as right, as open and as wrong."""

import pytest

from boardctl.referee.readings import Hand
from boardctl.rules import Seat, point
from boardctl.vision.measuring import Measures, Times, measure_hands

OVER = (point(6),)


@pytest.mark.parametrize(
    ("player", "hands", "told", "wrong"),
    [
        ("A", (Hand(Seat.A, OVER),), (1, 1), 0),
        ("A", (Hand(Seat.A, OVER), Hand(Seat.B)), (1, 1), 0),
        ("A", (Hand(None, OVER),), (0, 1), 0),
        ("A", (), (0, 1), 0),
        ("A", (Hand(Seat.B, OVER),), (0, 1), 1),
        ("A", (Hand(Seat.A, OVER), Hand(Seat.A, OVER)), (0, 1), 1),
        (None, (), (0, 0), 0),
        (None, (Hand(None, OVER),), (0, 0), 1),
    ],
)
def test_a_hand_is_told_or_open_or_wrong(
    player: str | None, hands: tuple[Hand, ...], told: tuple[int, int], wrong: int
) -> None:
    measures = Measures()
    measure_hands(measures, {"hand": player and {"player_side": player}}, hands)
    assert (measures.hands_told.right, measures.hands_told.of) == told
    assert (measures.hands_wrong.right, measures.hands_wrong.of) == (wrong, 1)


def test_times_are_told_by_the_clock_and_of_the_processor() -> None:
    times, others = Times(), Times()
    assert times.told() == {}
    for clock_ms in (30.0, 10.0, 20.0):
        others.add(clock_ms, clock_ms / 2)
    times.join(others)
    assert times.told() == {
        "median_ms": 20.0,
        "p99_ms": 30.0,
        "processor_median_ms": 10.0,
        "processor_p99_ms": 15.0,
    }
