"""Readings held against truth: what counts as right, as open and as wrong."""

import pytest

from boardctl.referee.readings import Hand
from boardctl.rules import Seat, point
from boardctl.vision.measuring import Measures, measure_hands

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
