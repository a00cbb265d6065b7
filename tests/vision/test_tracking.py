"""Readings become facts once they lie still, each told once."""

from boardctl.referee.facts import BoardSeen, DiceLifted, DiceRested, HandSeen
from boardctl.referee.readings import (
    BoardReading,
    DiceReading,
    DieReading,
    PlaceReading,
    StackChance,
    Support,
    Witness,
)
from boardctl.rules import Seat, Stack, point
from boardctl.vision import FrameReading, Tracker, TrackingSettings

A = Seat.A


def board(stack: Stack = (A, A), confidence: float = 0.99, hidden: bool = False) -> BoardReading:
    place = PlaceReading(point(6), () if hidden else (StackChance(stack, confidence),), hidden)
    return BoardReading(Witness.CAMERA, (place,), hidden)


def die(value: int | None, x_mm: float) -> DieReading:
    return DieReading(value, 0.99, True, Support.SURFACE, A, 0.0, (x_mm, 0.0), (x_mm, 0.0))


def frame(seen: BoardReading | None = None, *dice: DieReading, hand: bool = False) -> FrameReading:
    return FrameReading(seen or board(), DiceReading(dice), hand, None)


def kinds(facts: list[object]) -> list[type]:
    return [type(fact) for fact in facts]


def test_a_board_is_told_when_it_has_stood_still_long_enough() -> None:
    tracker = Tracker(TrackingSettings(settle_ms=300))
    assert tracker.feed(frame(), 0) == []
    assert tracker.feed(frame(), 200) == []
    assert kinds(tracker.feed(frame(), 300, "shot")) == [BoardSeen]


def test_a_board_that_moves_is_waited_for() -> None:
    tracker = Tracker(TrackingSettings(settle_ms=300))
    tracker.feed(frame(), 0)
    tracker.feed(frame(board((A,))), 250)
    assert tracker.feed(frame(board((A,))), 500) == []
    assert kinds(tracker.feed(frame(board((A,))), 550)) == [BoardSeen]


def test_the_same_board_is_told_once() -> None:
    tracker = Tracker()
    assert kinds(tracker.feed(frame(), 0, still=True)) == [BoardSeen]
    assert tracker.feed(frame(), 100, still=True) == []


def test_a_surer_reading_of_the_same_board_is_told_again() -> None:
    tracker = Tracker()
    tracker.feed(frame(board(confidence=0.6)), 0, still=True)
    assert kinds(tracker.feed(frame(board(confidence=0.95)), 100, still=True)) == [BoardSeen]
    assert tracker.feed(frame(board(confidence=0.7)), 200, still=True) == []


def test_dice_are_told_after_three_steady_readings() -> None:
    tracker = Tracker(TrackingSettings(steady_readings=3, settle_ms=10_000))
    roll = (die(3, 10.0), die(5, 60.0))
    assert tracker.feed(frame(None, *roll), 0) == []
    assert tracker.feed(frame(None, *roll), 30) == []
    assert kinds(tracker.feed(frame(None, *roll), 60)) == [DiceRested]
    assert tracker.feed(frame(None, *roll), 90) == []


def test_rolling_dice_are_not_told() -> None:
    tracker = Tracker(TrackingSettings(settle_ms=10_000))
    for step in range(10):
        assert tracker.feed(frame(None, die(3, 10.0 * step)), 30 * step) == []


def test_lifted_dice_are_told_with_how_many_are_left() -> None:
    tracker = Tracker()
    tracker.feed(frame(None, die(3, 10.0), die(5, 60.0)), 0, still=True)
    (lifted,) = tracker.feed(frame(None, die(3, 10.0)), 100, still=True)
    assert isinstance(lifted, DiceLifted)
    assert lifted.left == 1


def test_dice_under_a_hand_do_not_count_as_lifted() -> None:
    tracker = Tracker()
    tracker.feed(frame(None, die(3, 10.0), die(5, 60.0)), 0, still=True)
    assert kinds(tracker.feed(frame(None, die(3, 10.0), hand=True), 100, still=True)) == [HandSeen]


def test_a_new_roll_means_the_old_dice_were_lifted() -> None:
    tracker = Tracker()
    tracker.feed(frame(None, die(3, 10.0), die(5, 60.0)), 0, still=True)
    facts = tracker.feed(frame(None, die(6, 200.0), die(6, 260.0)), 100, still=True)
    assert kinds(facts) == [DiceLifted, DiceRested]


def test_a_hand_is_told_when_it_comes_and_when_it_goes() -> None:
    tracker = Tracker()
    tracker.feed(frame(), 0, still=True)
    (came, *_) = tracker.feed(frame(board(hidden=True), hand=True), 100, still=True)
    (went, *_) = tracker.feed(frame(), 200, still=True)
    assert (came, went) == (HandSeen(100, True), HandSeen(200, False))
