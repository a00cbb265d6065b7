"""Readings become facts once they lie still, each told once."""

from dataclasses import replace

from boardctl.referee.facts import BoardSeen, Device, DeviceChanged, DiceLifted, DiceRested, HandSeen
from boardctl.referee.readings import (
    BoardReading,
    CubeReading,
    DiceReading,
    DieReading,
    Hand,
    PlaceReading,
    StackChance,
    Support,
    Witness,
)
from boardctl.rules import Seat, Stack, point
from boardctl.vision import FrameReading, Tracker, TrackingSettings
from calibration import BoardGeometry
from calibration.drift import View

A = Seat.A


def board(stack: Stack = (A, A), confidence: float = 0.99, hidden: bool = False) -> BoardReading:
    place = PlaceReading(point(6), () if hidden else (StackChance(stack, confidence),), hidden)
    return BoardReading(Witness.CAMERA, (place,), hidden)


def die(value: int | None, x_mm: float) -> DieReading:
    return DieReading(value, 0.99, True, Support.SURFACE, A, 0.0, (x_mm, 0.0), (x_mm, 0.0))


def frame(seen: BoardReading | None = None, *dice: DieReading, hand: bool = False) -> FrameReading:
    return FrameReading(seen or board(), DiceReading(dice), hand)


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


def with_hands(*entries: Seat | None, over: bool = True) -> FrameReading:
    hands = tuple(Hand(entry, (point(6),) if over else ()) for entry in entries)
    return frame(replace(board(hidden=over), hands=hands), hand=over)


def test_a_second_hand_is_told_once_two_frames_show_it() -> None:
    tracker = Tracker(TrackingSettings(settle_ms=10_000))
    frames = [with_hands(A), with_hands(A, A), with_hands(A), with_hands(A, A), with_hands(A, A), with_hands(A, A)]
    told = [fact for at_ms, each in enumerate(frames) for fact in tracker.feed(each, at_ms)]
    assert [(fact.at_ms, len(fact.hands)) for fact in told if isinstance(fact, HandSeen)] == [(0, 1), (4, 2)]


def test_a_hand_that_moves_from_place_to_place_is_told_once() -> None:
    tracker = Tracker(TrackingSettings(settle_ms=10_000))
    over = [replace(board(hidden=True), hands=(Hand(Seat.B, (point(number),)),)) for number in (6, 7, 8, 8)]
    told = [fact for at_ms, each in enumerate(over) for fact in tracker.feed(frame(each, hand=True), at_ms)]
    assert told == [HandSeen(0, True, (Hand(Seat.B, (point(6),)),))]


def test_a_hand_beside_the_board_is_not_over_it() -> None:
    tracker = Tracker(TrackingSettings(settle_ms=10_000))
    assert [tracker.feed(with_hands(A, over=False), at_ms) for at_ms in range(3)] == [[], [], []]


MOVED = View((12.0, 5.0), 0.9, (1.0, 1.0, 1.0), moved=True)


def blind() -> FrameReading:
    return FrameReading(BoardReading(Witness.CAMERA, ()), DiceReading(()), False, MOVED)


def test_a_camera_that_has_moved_is_told_once_it_stays_so() -> None:
    tracker = Tracker(TrackingSettings(lost_after_ms=1000))
    assert tracker.feed(blind(), 0) == []
    (lost,) = tracker.feed(blind(), 1000)
    assert isinstance(lost, DeviceChanged)
    assert (lost.device, lost.working) == (Device.CAMERA, False)
    assert "13 pixels" in lost.reason
    assert tracker.feed(blind(), 2000) == []


def test_that_a_camera_is_followed_is_told_once_for_the_record() -> None:
    tracker = Tracker(TrackingSettings(settle_ms=0))

    def seen(away_px: float) -> FrameReading:
        return replace(frame(), view=View((0.0, 0.0), 1.0, (1.0, 1.0, 1.0), followed_px=away_px))

    told = [
        fact for at_ms, away_px in enumerate((0, 9.2, 9.4, 9.3, 14.8)) for fact in tracker.feed(seen(away_px), at_ms)
    ]
    changes = [fact for fact in told if isinstance(fact, DeviceChanged)]
    assert [(fact.at_ms, fact.working) for fact in changes] == [(1, True), (4, True)]
    assert "9 pixels" in changes[0].reason
    assert "15 pixels" in changes[1].reason


def test_a_camera_that_is_put_back_tells_the_board_again() -> None:
    tracker = Tracker(TrackingSettings(lost_after_ms=500, settle_ms=0))
    tracker.feed(frame(), 0)
    tracker.feed(blind(), 100)
    tracker.feed(blind(), 600)
    facts = [fact for at_ms in (700, 1200) for fact in tracker.feed(frame(), at_ms)]
    assert [fact.working for fact in facts if isinstance(fact, DeviceChanged)] == [True]
    assert BoardSeen in kinds(facts)


def test_dice_and_checkers_do_not_go_while_nothing_can_be_seen() -> None:
    tracker = Tracker(TrackingSettings(lost_after_ms=500))
    tracker.feed(frame(None, die(3, 10.0), die(5, 60.0)), 0, still=True)
    assert [tracker.feed(blind(), at_ms) for at_ms in (100, 200, 300)] == [[], [], []]


def torn(first: float) -> BoardReading:
    """Gets a board of which two stacks are about as likely."""
    chances = sorted(
        (StackChance((A, A), first), StackChance((A, A, A), 0.9 - first)), key=lambda each: -each.likelihood
    )
    return BoardReading(Witness.CAMERA, (PlaceReading(point(6), tuple(chances)),))


def test_a_board_of_which_two_readings_change_places_lies_still() -> None:
    tracker = Tracker(TrackingSettings(settle_ms=300))
    assert tracker.feed(frame(torn(0.46)), 0) == []
    assert tracker.feed(frame(torn(0.44)), 200) == []
    told = tracker.feed(frame(torn(0.43)), 320)
    assert kinds(told) == [BoardSeen]
    assert isinstance(told[0], BoardSeen)
    assert told[0].reading.places[0].best == (A, A, A)  # as it was seen last


def test_a_board_that_is_read_quite_differently_has_moved() -> None:
    tracker = Tracker(TrackingSettings(settle_ms=300))
    tracker.feed(frame(torn(0.8)), 0)
    assert tracker.feed(frame(torn(0.1)), 320) == []


def with_cube(at: str | None, confidence: float = 0.95, hand: bool = False) -> FrameReading:
    cube = CubeReading(None, at, confidence) if at is not None else None
    return frame(replace(board(), cube=cube, hand=hand), hand=hand)


def cubes_told(tracker: Tracker, frames: list[FrameReading], step_ms: int = 100) -> list[str | None]:
    """Gets where the cube lies in each board that is told, None where the board is told without it."""
    told = [fact for step, each in enumerate(frames) for fact in tracker.feed(each, step * step_ms)]
    seen = [fact.reading.cube for fact in told if isinstance(fact, BoardSeen)]
    return [None if cube is None else cube.at for cube in seen]


def test_a_cube_that_lies_elsewhere_is_told_once_it_lies_still() -> None:
    tracker = Tracker(TrackingSettings(settle_ms=300))
    at = ["bar"] * 5 + ["A"] + ["field"] * 6
    assert cubes_told(tracker, [with_cube(place) for place in at]) == ["bar", "field"]


def test_a_cube_that_is_not_seen_is_no_news() -> None:
    tracker = Tracker(TrackingSettings(settle_ms=300))
    at = ["bar", "bar", None, "bar", None, None, "bar", "bar", None, None, None, None, "bar"]
    assert cubes_told(tracker, [with_cube(place) for place in at]) == ["bar"]


def test_a_flickering_cube_does_not_keep_the_board_from_being_told() -> None:
    tracker = Tracker(TrackingSettings(settle_ms=300))
    assert cubes_told(tracker, [with_cube(place) for place in ["bar", "field"] * 5]) == [None]


def test_a_cube_that_is_seen_surer_is_told_again() -> None:
    tracker = Tracker(TrackingSettings(settle_ms=300))
    frames = [with_cube("field", 0.7)] * 5 + [with_cube("field", 0.95)] * 5
    assert cubes_told(tracker, frames) == ["field", "field"]


def test_a_cube_whose_value_is_told_now_and_then_settles_and_is_told_with_it_once() -> None:
    tracker = Tracker()
    frames = [
        replace(frame(), board=replace(board(), cube=CubeReading(value, "field", 0.95)))
        for value in [None, 2, None, None, 2, None, 2, None, 2, None]
    ]
    told = [fact for index, each in enumerate(frames) for fact in tracker.feed(each, 100 * index)]
    cubes = [fact.reading.cube for fact in told if isinstance(fact, BoardSeen)]
    assert [cube.value for cube in cubes if cube is not None] == [None, 2]


def test_a_cube_that_is_turned_where_it_lies_is_told_anew() -> None:
    tracker = Tracker()
    shown = [2] * 5 + [None] * 2 + [4] * 5
    frames = [replace(frame(), board=replace(board(), cube=CubeReading(value, "field", 0.95))) for value in shown]
    told = [fact for index, each in enumerate(frames) for fact in tracker.feed(each, 100 * index)]
    cubes = [fact.reading.cube for fact in told if isinstance(fact, BoardSeen)]
    assert [cube.value for cube in cubes if cube is not None] == [2, 4]


def test_the_cube_is_told_again_when_the_hand_over_it_has_gone() -> None:
    tracker = Tracker(TrackingSettings(settle_ms=300))
    frames = [with_cube("field", hand=True)] * 5 + [with_cube(None), with_cube(None), with_cube("field")]
    assert cubes_told(tracker, frames) == ["field", None, "field"]


def test_a_die_that_was_knocked_was_not_lifted() -> None:
    tracker = Tracker()
    for number in range(3):
        tracker.feed(frame(None, die(3, 10.0), die(5, 60.0)), 100 * number)
    tracker.feed(frame(None, die(None, 30.0), die(5, 60.0)), 300)
    facts = [fact for n in range(3) for fact in tracker.feed(frame(None, die(4, 40.0), die(5, 60.0)), 400 + 100 * n)]
    assert kinds(facts) == [DiceRested]
    facts = [fact for n in range(3) for fact in tracker.feed(frame(None, die(5, 60.0)), 800 + 100 * n)]
    assert kinds(facts) == [DiceLifted]


def test_a_die_that_was_knocked_into_the_other_section_beside_a_glint_that_goes_was_not_lifted() -> None:
    tracker = Tracker()
    glint = replace(die(1, 200.0), section=None, on=Support.OFF_BOARD)
    for number in range(4):
        tracker.feed(frame(None, die(3, 10.0), die(5, 60.0), glint), 100 * number)
    elsewhere = replace(die(4, -40.0), section=Seat.B)
    facts = [fact for n in range(3) for fact in tracker.feed(frame(None, elsewhere, die(5, 60.0)), 400 + 100 * n)]
    assert kinds(facts) == [DiceRested]


def test_a_die_under_something_that_was_put_on_the_board_was_not_lifted() -> None:
    tracker = Tracker()
    under = replace(die(3, 0.0), center_mm=(BoardGeometry().point_x_mm(6), -100.0))
    for number in range(3):
        tracker.feed(frame(None, under, die(5, 60.0)), 100 * number)
    mug = board(hidden=True)
    covered = replace(mug, hand=False)
    facts = [fact for n in range(4) for fact in tracker.feed(frame(covered, die(5, 60.0)), 300 + 100 * n)]
    assert not {DiceLifted, DiceRested} & set(kinds(facts))
    facts = [fact for n in range(3) for fact in tracker.feed(frame(None, die(5, 60.0)), 800 + 100 * n)]
    assert DiceLifted in kinds(facts)


HELD = [replace(die(value, x), on=Support.THING, section=None) for value, x in ((3, -110.0), (5, -130.0))]


def dice_facts(tracker: Tracker, reading: FrameReading, at_ms: int) -> list[object]:
    """Gets what five frames that show the same tell of dice."""
    facts = [fact for n in range(5) for fact in tracker.feed(reading, at_ms + 100 * n)]
    return [fact for fact in facts if isinstance(fact, DiceRested | DiceLifted)]


def test_dice_that_are_put_down_in_a_cup_were_lifted() -> None:
    tracker = Tracker()
    dice_facts(tracker, frame(None, die(3, 10.0), die(5, 60.0)), 0)
    assert kinds(dice_facts(tracker, frame(None, *HELD, hand=True), 500)) == [DiceRested]
    [lifted] = dice_facts(tracker, frame(None, *HELD), 1000)
    assert isinstance(lifted, DiceLifted)
    assert lifted.still == tuple(HELD)


def test_dice_that_a_hand_covers_while_a_cup_is_put_down_lie_where_they_lay() -> None:
    tracker, thrown = Tracker(), (die(3, 10.0), die(5, 60.0))
    dice_facts(tracker, frame(None, *thrown), 0)
    dice_facts(tracker, frame(None, *HELD, hand=True), 500)
    assert dice_facts(tracker, frame(None, *thrown, *HELD), 1000) == []


def over(*numbers: int, arm: bool = False) -> FrameReading:
    """Gets a frame in which something lies over points, with somebody's arm or without."""
    [six] = board().places
    places = tuple(replace(six, place=point(number), hidden=number in numbers) for number in (5, 6))
    hands = (Hand(Seat.B, (point(6),)),) if arm else ()
    return frame(BoardReading(Witness.CAMERA, places, hand=True, hands=hands), hand=True)


def test_what_lies_over_the_board_without_an_arm_for_three_seconds_is_no_hand() -> None:
    tracker, told = Tracker(), []
    for at_ms in range(0, 5000, 100):
        told += tracker.feed(over(6, arm=at_ms < 1000) if at_ms != 2500 else frame(), at_ms)
    hands = [(fact.at_ms, fact.present) for fact in told if isinstance(fact, HandSeen)]
    assert hands[0] == (0, True)
    assert hands[-1] == (3900, False)
    boards = [fact for fact in told if isinstance(fact, BoardSeen)]
    assert boards[-1].at_ms >= 3900
    assert not boards[-1].reading.hand
    assert [place.place for place in boards[-1].reading.places if place.hidden] == [point(6)]


def test_what_was_put_down_stays_none_when_a_hand_has_come_and_gone_until_more_is_covered() -> None:
    tracker = Tracker()
    at_ms = 0

    def seen(reading: FrameReading, for_ms: int) -> list[bool]:
        nonlocal at_ms
        told = []
        for _ in range(0, for_ms, 100):
            told += [fact.present for fact in tracker.feed(reading, at_ms) if isinstance(fact, HandSeen)]
            at_ms += 100
        return told

    assert seen(over(6), 4000) == [True, False]
    assert seen(over(6, arm=True), 2000) == [True]
    assert seen(over(6), 300) == [False]
    assert seen(over(5, 6), 300) == [True]
    assert seen(over(5, 6), 4000) == [False]
    assert seen(over(5, 6, arm=True), 6000) == [True]  # an arm is one however long it lies there
    assert seen(frame(), 2000) == [False]
    assert seen(over(6), 300) == [True]  # what lay there has gone
