"""The cube is read beside a hand that is nowhere near it, and not where one may reach it."""

import pytest

from boardctl.referee.readings import BoardReading, Hand, PlaceReading, Witness
from boardctl.rules import Place, Seat, bar, point
from boardctl.vision.dice.hand_near import is_hand_near
from calibration import BoardGeometry

GEOMETRY = BoardGeometry()
MIDDLE = (0.0, 0.0)


def board(*places: Place, entry: Seat | None = None, hidden: bool = True) -> BoardReading:
    """Gets a board over some places of which a hand is."""
    covered = tuple(PlaceReading(place, (), hidden=hidden) for place in places)
    return BoardReading(Witness.CAMERA, covered, hand=bool(places), hands=(Hand(entry, places),))


def on_bar(towards_b: float) -> tuple[float, float]:
    """Gets a spot on the bar, so far from the middle (parts of half the field) towards B."""
    return (0.0, towards_b * GEOMETRY.field_height_mm / 2)


def test_without_a_hand_none_is_near() -> None:
    assert not is_hand_near(BoardReading(Witness.CAMERA, ()), MIDDLE, GEOMETRY)


def test_a_hand_of_which_nobody_knows_where_it_is_may_be_anywhere() -> None:
    assert is_hand_near(BoardReading(Witness.CAMERA, (), hand=True), MIDDLE, GEOMETRY)


@pytest.mark.parametrize(
    ("places", "is_near"),
    [
        ((point(1),), False),
        ((point(1), point(2), point(3)), False),
        ((point(20), point(21)), False),
        ((point(6),), True),
        ((point(18), point(19)), True),
        ((point(1), bar(Seat.A)), True),
    ],
)
def test_a_hand_is_near_the_middle_of_the_bar_beside_it(places: tuple[Place, ...], is_near: bool) -> None:
    assert is_hand_near(board(*places, entry=Seat.A), MIDDLE, GEOMETRY) is is_near


def test_what_is_hidden_counts_though_no_hand_is_told_over_it() -> None:
    hidden = BoardReading(Witness.CAMERA, (PlaceReading(point(7), (), hidden=True),), hand=True)
    assert is_hand_near(hidden, MIDDLE, GEOMETRY)
    assert not is_hand_near(hidden, on_bar(0.8), GEOMETRY)


@pytest.mark.parametrize(("entry", "is_near"), [(Seat.A, True), (Seat.B, False)])
def test_a_cube_at_the_side_at_which_a_hand_comes_in_may_be_under_the_arm(entry: Seat, is_near: bool) -> None:
    assert is_hand_near(board(point(1), entry=entry), on_bar(-0.9), GEOMETRY) is is_near


def test_a_hand_at_a_short_side_that_covers_nothing_may_reach_what_lies_in_the_middle() -> None:
    beside = BoardReading(Witness.CAMERA, (PlaceReading(point(1), (), hidden=True),), hands=(Hand(None),))
    assert is_hand_near(beside, on_bar(0.1), GEOMETRY)
    assert not is_hand_near(beside, on_bar(0.9), GEOMETRY)
