"""Readings held against truth: what counts as right, as open and as wrong."""

from typing import Any

import pytest

from boardctl.referee.readings import Hand
from boardctl.rules import Seat, point
from boardctl.vision.measuring.readings import Measures, Times, measure, measure_hands

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


def record(stack: list[object] | None, confidence: float, hidden: bool = False) -> dict[str, Any]:
    """Gets the record of a frame without dice, all of whose points are bare but for point 6."""
    points: list[list[object] | None] = [[None, 0] for _ in range(24)]
    points[5] = stack
    told = [0.99] * 24
    told[5] = confidence
    beside: dict[str, object] = {"bar": {"A": 0, "B": 0}, "off": {"A": 0, "B": 0}, "cube": None, "dice": []}
    beside |= {"bar_confidence": {"A": 0.99, "B": 0.99}, "off_confidence": {"A": 0.99, "B": 0.99}}
    return {"frame": "f", "points": points, "confidence": told, "hidden": [6] if hidden else [], **beside}


def truth(occluded: bool = False) -> dict[str, Any]:
    """Gets the truth of a frame with three of A's checkers on point 6."""
    bare: dict[str, object] = {"color": None, "count": 0, "occluded": False, "base_px": (0, 0), "tip_px": (0, 9)}
    points = {str(number): bare for number in range(1, 25)}
    points["6"] = {**bare, "color": "A", "count": 3, "occluded": occluded}
    covered = {"bar_occluded": False, "tray_occluded": {"A": False, "B": False}}
    return {"points": points, "bar": {"A": 0, "B": 0}, "off": {"A": 0, "B": 0}, "dice": [], **covered}


@pytest.mark.parametrize(
    ("stack", "confidence", "hidden", "right", "likeliest", "surely_wrong", "faults"),
    [
        (["A", 3], 0.97, False, 24, 24, 0, 0),
        (["A", 3], 0.4, False, 23, 24, 0, 1),
        (["A", 3], 0.97, True, 23, 24, 0, 1),
        (["A", 2], 0.97, True, 23, 23, 0, 1),
        (["A", 2], 0.97, False, 23, 23, 1, 1),
        (None, 0.0, False, 23, 23, 0, 1),
    ],
)
def test_a_point_is_right_if_it_is_told_and_apart_from_that_if_its_likeliest_stack_is(
    stack: list[object] | None,
    confidence: float,
    hidden: bool,
    right: int,
    likeliest: int,
    surely_wrong: int,
    faults: int,
) -> None:
    measures = Measures()
    found = measure(measures, truth(), record(stack, confidence, hidden))
    assert (measures.points.right, measures.likeliest_points.right) == (right, likeliest)
    assert (measures.frames.right, measures.likeliest_frames.right) == (right == 24, likeliest == 24)
    assert measures.points_confidently_wrong.right == surely_wrong
    assert len(found) == faults


def test_what_is_told_of_a_covered_point_is_no_fault_when_it_is_said_to_be_hidden() -> None:
    measures = Measures()
    assert measure(measures, truth(occluded=True), record(["A", 2], 0.97, hidden=True)) == []
    assert measures.points.of == measures.likeliest_points.of == 23
    assert (measures.hidden_said.right, measures.points_confidently_wrong.right) == (1, 0)


@pytest.mark.parametrize(
    ("told", "confidence", "right", "surely_wrong", "of"),
    [
        ({"A": 0, "B": 2}, 0.99, 1, 0, 4),
        ({"A": 0, "B": 1}, 0.94, 0, 0, 4),
        ({"A": 0, "B": 1}, 0.96, 0, 1, 4),
        ({"A": 1, "B": 1}, 0.96, 0, 2, 4),
        (None, 0.0, 0, 0, 4),
    ],
)
def test_a_bar_that_is_told_wrongly_counts_for_each_seat_of_which_it_is_told_surely(
    told: dict[str, int] | None, confidence: float, right: int, surely_wrong: int, of: int
) -> None:
    measures = Measures()
    read = {**record(["A", 3], 0.99), "bar": told, "bar_confidence": dict.fromkeys("AB", confidence)}
    measure(measures, {**truth(), "bar": {"A": 0, "B": 2}}, read)
    assert (measures.bars.right, measures.trays.right) == (right, 1)
    assert (measures.beside_confidently_wrong.right, measures.beside_confidently_wrong.of) == (surely_wrong, of)


def true_die(size_px: int = 16, **other: object) -> dict[str, object]:
    """Gets the truth of a five that lies flat on the surface, but for what is other."""
    corners = [(x, y) for x in (0, size_px) for y in (0, size_px) for _ in range(2)]
    lies: dict[str, object] = {"flat": True, "tilt_deg": 0.0, "on": "surface", "where": "right", "legal": True}
    seen: dict[str, object] = {"in_image": True, "in_play": True, "visible_frac": 1.0}
    return {**seen, **lies, "kind": "flat", "value": 5, "center_px": (8, 8), "corners_px": corners, **other}


def read_die(**other: object) -> dict[str, object]:
    """Gets the record of that die as it lies, but for what is read otherwise."""
    lies: dict[str, object] = {"flat": True, "on": "surface", "half": "A"}
    return {"value": 5, "confidence": 0.99, "center_px": (8, 9), **lies, **other}


@pytest.mark.parametrize(
    ("value", "confidence", "told", "likeliest", "surely_wrong"),
    [
        (5, 0.99, True, True, False),
        (5, 0.49, False, True, False),
        (4, 0.49, False, False, False),
        (4, 0.99, False, False, True),
        (None, 0.0, False, False, False),
    ],
)
def test_a_die_is_right_if_its_value_is_told_and_apart_from_that_if_it_is_the_likeliest(
    value: int | None, confidence: float, told: bool, likeliest: bool, surely_wrong: bool
) -> None:
    true = {**truth(), "dice": [true_die()], "roller": "A"}
    seen = read_die(value=value, confidence=confidence)
    measures = Measures()
    measure(measures, true, {**record(["A", 3], 0.99), "dice": [seen]})
    assert (measures.small_dice.right, measures.small_dice.of) == (told, 1)
    assert (measures.likeliest_small_dice.right, measures.likeliest_small_dice.of) == (likeliest, 1)
    assert measures.small_dice_confidently_wrong.right == surely_wrong


@pytest.mark.parametrize(
    ("true", "read", "seen", "false_alarm"),
    [
        (true_die(), read_die(), (0, 0), (0, 1)),
        (true_die(), read_die(flat=False), (0, 0), (1, 1)),
        (true_die(legal=False, on="checker"), read_die(on="checker"), (1, 1), (0, 0)),
        (true_die(legal=False, on="checker"), read_die(), (0, 1), (0, 0)),
        (true_die(legal=False, where="left"), read_die(half="B"), (1, 1), (0, 0)),
        (true_die(legal=False, flat=False, tilt_deg=9.0), read_die(flat=None), (0, 1), (0, 0)),
        (true_die(legal=False, flat=False, tilt_deg=9.0), None, (0, 1), (0, 0)),
        (true_die(), None, (0, 0), (0, 0)),
    ],
)
@pytest.mark.parametrize("size_px", [16, 12])
def test_a_die_to_roll_again_is_seen_or_not_and_one_that_is_not_found_is_not(
    true: dict[str, object],
    read: dict[str, object] | None,
    seen: tuple[int, int],
    false_alarm: tuple[int, int],
    size_px: int,
) -> None:
    measures = Measures()
    die = {**true, "corners_px": true_die(size_px)["corners_px"]}
    dice = [] if read is None else [read]
    measure(measures, {**truth(), "dice": [die], "roller": "A"}, {**record(["A", 3], 0.99), "dice": dice})
    none = (0, 0)
    assert (measures.reroll_seen.right, measures.reroll_seen.of) == seen
    assert (measures.reroll_false_alarm.right, measures.reroll_false_alarm.of) == false_alarm
    large = measures.reroll_seen_from_14_px
    assert (large.right, large.of) == (seen if size_px == 16 else none)
    large = measures.reroll_false_alarm_from_14_px
    assert (large.right, large.of) == (false_alarm if size_px == 16 else none)


def test_what_is_read_as_a_die_where_none_lies_is_counted_and_told_with_its_place() -> None:
    measures = Measures()
    star = read_die(value=4, on="checker", center_px=(300, 200))
    read = {**record(["A", 3], 0.99), "dice": [star, read_die()]}
    faults = measure(measures, {**truth(), "dice": [true_die()], "roller": "A"}, read)
    assert measures.invented_dice == 1
    assert [(fault.what, fault.center_px) for fault in faults] == [("no die, read 4 (0.99), on checker", (300, 200))]


def test_each_of_many_dice_is_the_true_one_that_it_lies_at() -> None:
    spots = [(100.0 * number, 50.0) for number in range(6)]
    throw, *cups = spots[0], *spots[2:]
    true = [{**true_die(), "center_px": spots[1]}, {**true_die(), "center_px": throw}]
    true += [{**true_die(legal=False), "on": "thing", "in_play": False, "center_px": spot} for spot in cups]
    read = [read_die(on="thing" if spot in cups[1:] else "surface", center_px=spot) for spot in reversed(spots)]
    measures = Measures()
    faults = measure(measures, {**truth(), "dice": true, "roller": "A"}, {**record(["A", 3], 0.99), "dice": read})
    assert measures.invented_dice == 0
    assert (measures.dice_in_cups.right, measures.dice_in_cups.of) == (3, 4)
    [fault] = [fault for fault in faults if "cup" in fault.what]
    assert fault.center_px == cups[0]
