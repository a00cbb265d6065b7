"""The record of a frame: what others read from ``boardctl read --json``."""

from dataclasses import replace
from pathlib import Path

from boardctl.referee.readings import (
    BoardReading,
    CubeReading,
    DiceReading,
    DieReading,
    PlaceReading,
    StackChance,
    Support,
    Witness,
)
from boardctl.rules import Seat, bar, point, tray
from boardctl.vision import FrameReading
from boardctl.vision.dice.alone import DieAlone
from boardctl.vision.report import UNVOUCHED, VOUCHED, as_record, dice_record
from boardctl.vision.report_text import as_text

A, B = Seat.A, Seat.B
DOCUMENTED = Path(__file__).parents[2] / "docs" / "readings.md"


def reading() -> FrameReading:
    places = [PlaceReading(point(number), (StackChance((), 0.999),)) for number in range(1, 25)]
    places[5] = PlaceReading(point(6), (StackChance((A,) * 5, 0.97), StackChance((A,) * 6, 0.02)))
    places[6] = PlaceReading(point(7), (), hidden=True)
    places[7] = PlaceReading(point(8), (StackChance((B,), 0.4), StackChance((B, B), 0.35)))
    places[8] = PlaceReading(point(9), (StackChance((B,) * 3, 0.7),), hidden=True)
    places += [PlaceReading(bar(seat), (StackChance((seat,) if seat is B else (), 0.99),)) for seat in (A, B)]
    places += [PlaceReading(tray(A), (StackChance((), 0.99),)), PlaceReading(tray(B), (), hidden=True)]
    die = DieReading(None, 0.4, None, Support.RAIL, None, 12.34, (10.04, 20.0), (0.0, 0.0))
    board = BoardReading(Witness.CAMERA, tuple(places), hand=True, cube=CubeReading(64, "bar", 0.9))
    return FrameReading(board, DiceReading((die,)), True)


def test_a_record_has_the_agreed_keys_in_the_agreed_order() -> None:
    record = as_record("shots/f003.jpg", reading(), 11.84)
    keys = ["frame", "points", "bar", "off", "confidence", "hidden", "hand", "dice", "cube", "ms"]
    keys += ["bar_confidence", "off_confidence"]
    assert list(record) == keys
    assert (record["frame"], record["ms"], record["hand"]) == ("shots/f003.jpg", 11.8, True)
    found = ((10.04, 20.0), (30.0, 20.0), (30.0, 5.0), (10.0, 5.0))
    record = as_record("shots/f003.jpg", reading(), 11.84, found)
    assert list(record) == [*keys, "corners"]
    assert record["corners"][0] == [10.0, 20.0]


def test_every_key_is_told_of_in_the_documents() -> None:
    told = DOCUMENTED.read_text(encoding="utf-8")
    record = as_record("f", reading(), 1, ((0.0, 9.0), (9.0, 9.0), (9.0, 0.0), (0.0, 0.0)))
    dice = dice_record("f", [DieAlone(3, 0.9, (1.0, 2.0), 14.0)], 1)
    keys = {*record, *record["dice"][0], *record["cube"], *dice, *dice["dice"][0]}
    assert {key for key in keys if f"`{key}`" not in told} == set()


def test_of_bar_and_trays_it_is_told_how_likely_each_number_is() -> None:
    record = as_record("f", reading(), 1)
    assert record["bar_confidence"] == {"A": 0.99, "B": 0.99}
    assert record["off_confidence"] == {"A": 0.99, "B": 0.0}


def test_points_are_written_with_seat_count_and_confidence() -> None:
    record = as_record("f", reading(), 1)
    assert record["points"][5] == ["A", 5]
    assert record["points"][0] == [None, 0]
    assert record["confidence"][5] == 0.97
    assert len(record["points"]) == len(record["confidence"]) == 24


def test_what_is_not_known_is_null_and_what_is_open_is_told_with_its_likelihood() -> None:
    record = as_record("f", reading(), 1)
    assert (record["points"][6], record["confidence"][6]) == (None, 0.0)
    assert (record["points"][7], record["confidence"][7]) == (["B", 1], 0.4)


def test_what_is_seen_of_a_hidden_point_is_told_beside_that_it_is_hidden() -> None:
    record = as_record("f", reading(), 1)
    assert record["hidden"] == [7, 9]
    assert (record["points"][8], record["confidence"][8]) == (["B", 3], 0.7)


def test_where_the_light_is_too_bright_is_told_with_what_to_do() -> None:
    board = reading().board
    bright = tuple(replace(one, too_bright=one.place in (point(7), point(8), bar(A))) for one in board.places)
    record = as_record("f", replace(reading(), board=replace(board, places=bright)), 1)
    assert record["too_bright"] == [7, 8]
    assert "light  too bright at 7 8: shade the board, or dim the light" in as_text(record)
    assert "`too_bright`" in DOCUMENTED.read_text(encoding="utf-8")
    assert "light" not in as_text(as_record("f", reading(), 1))


def test_where_a_picture_is_too_dark_is_told_with_what_to_do() -> None:
    board = reading().board
    dark = tuple(replace(one, too_dark=one.place in (point(8), bar(A))) for one in board.places)
    record = as_record("f", replace(reading(), board=replace(board, places=dark)), 1)
    assert record["too_dark"] == [8]
    assert "dark   all black at 8: raise the camera's brightness, or lower its contrast" in as_text(record)
    assert "`too_dark`" in DOCUMENTED.read_text(encoding="utf-8")


def test_a_tray_that_was_not_counted_leaves_both_null() -> None:
    record = as_record("f", reading(), 1)
    assert record["bar"] == {"A": 0, "B": 1}
    assert record["off"] is None


def test_the_likeliest_value_of_a_die_that_is_not_vouched_for_has_less_than_half() -> None:
    seen = DieReading(None, 0.85, None, Support.RAIL, None, 12.34, (10.04, 20.0), (0.0, 0.0), likeliest=5)
    unknown = replace(seen, likeliest=None)
    record = as_record("f", FrameReading(reading().board, DiceReading((seen, unknown)), False), 1)
    die, nothing = record["dice"]
    assert die == {
        "value": 5,
        "flat": None,
        "on": "rail",
        "half": None,
        "tilt_deg": 12.3,
        "center_px": [10.0, 20.0],
        "confidence": UNVOUCHED,
    }
    assert UNVOUCHED < VOUCHED
    assert nothing["value"] is None
    assert as_text(record).count("die    ? flat or not: unsure") == 2, "people are told only what is vouched for"


def test_the_cube_is_written_with_its_value_and_its_place() -> None:
    assert as_record("f", reading(), 1)["cube"] == {"value": 64, "at": "bar"}
    assert "cube   64 at bar" in as_text(as_record("f", reading(), 1))


def test_the_text_for_people_marks_doubt_about_bar_and_trays() -> None:
    record = as_record("f", reading(), 1) | {"off": {"A": 0, "B": 3}, "off_confidence": {"A": 0.6, "B": 0.95}}
    assert as_text(record).splitlines()[3].strip() == "off    A:0? B:3"
    record |= {"bar": {"A": 1, "B": 0}, "bar_confidence": {"A": 0.89, "B": 1.0}}
    assert as_text(record).splitlines()[2].strip() == "bar    A:1? B:0"


def test_the_text_for_people_names_doubts() -> None:
    text = as_text(as_record("f", reading(), 1))
    assert "6:A5" in text
    assert "off    not seen" in text
    assert "hidden 7 9" in text
    assert "9:B3?" in text, "a hand is over it"
    assert "8:B" not in text, "as likely something else"
    assert "  unsure 8\n" in text, "nobody shall take it for bare"
    assert "flat or not: unsure" in text
