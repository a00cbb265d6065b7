"""Position ID, Match ID and XGID: what GNU Backgammon 1.07 makes of the same situations, and what is refused."""

import contextlib
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from backgammon_cases import positions, rolls, seats
from hypothesis import given
from hypothesis import strategies as st

from boardctl.rules import Backgammon, BackgammonPosition, Cube, Roll, Seat, WinKind
from boardctl.rules.match_id import read_match_id, read_position_and_match_id, write_match_id
from boardctl.rules.position_id import read_position_id, write_position_id
from boardctl.rules.situation import IdentifierError, Situation, Stage
from boardctl.rules.xgid import read_xgid, write_xgid

GOLDEN = Path(__file__).parents[1] / "data" / "rules" / "identifiers.jsonl"
START = Situation(Backgammon().start(), Seat.A)
XGID, POSITION_ID, MATCH_ID = "XGID=-b----E-C---eE---c-e----B-:1:1:-1:52:1:2:0:7:10", "4HPwATDgc/ABMA", "cAkAAAAAAAAE"


@st.composite
def situations(draw: st.DrawFn) -> Situation:
    length = draw(st.sampled_from([0, 1, 5, 25]))
    seat, value = draw(seats), draw(st.integers(0, 6))
    owner = draw(st.sampled_from([None, Seat.A, Seat.B]))
    cube = Cube(1 << value, owner)
    roll = draw(st.none() | rolls)
    if roll is None and owner is not seat.other and draw(st.booleans()):
        cube = cube.double(seat)
    score = (draw(st.integers(0, 24)), draw(st.integers(0, 24)))
    crawford, jacoby = bool(length) and draw(st.booleans()), not length and draw(st.booleans())
    return Situation(draw(positions()), seat, roll, cube, length, score, crawford, jacoby)


def test_identifiers_are_those_of_gnu_backgammon() -> None:
    lines = GOLDEN.read_text(encoding="utf-8").splitlines()
    assert len(lines) == 100
    for line in lines:
        golden = json.loads(line)
        situation = read_xgid(golden["xgid"])
        assert write_xgid(situation) == golden["xgid"]
        assert write_position_id(situation.position, situation.seat) == golden["position_id"]
        assert write_match_id(situation) == golden["match_id"]
        assert read_position_id(golden["position_id"], situation.seat) == situation.position


@given(positions(), seats)
def test_position_ids_read_back(position: BackgammonPosition, seat: Seat) -> None:
    assert read_position_id(write_position_id(position, seat), seat) == position


@given(situations())
def test_match_ids_read_back(situation: Situation) -> None:
    again = read_match_id(write_match_id(situation), situation.position)
    assert replace(again, roll=None, cube=Cube()) == replace(situation, roll=None, cube=Cube())
    assert sorted(again.roll or ()) == sorted(situation.roll or ())
    assert again.cube == situation.cube


@given(situations(), st.booleans())
def test_xgids_read_back(situation: Situation, beavers: bool) -> None:
    situation = replace(situation, beavers=beavers and not situation.length)
    assert read_xgid(write_xgid(situation)) == situation
    if situation.cube.offer:
        beavered = replace(situation, cube=situation.cube.redouble_at_once())
        assert read_xgid(write_xgid(beavered)) == beavered


def test_identifiers_of_the_start() -> None:
    assert write_position_id(START.position, Seat.A) == "4HPwATDgc/ABMA"
    assert write_match_id(START) == "cAkAAAAAAAAE"
    assert write_xgid(START) == "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10"


@pytest.mark.parametrize("stage", list(Stage))
def test_stages_and_resignations_are_in_the_match_id(stage: Stage) -> None:
    situation = replace(START, stage=stage, resignation=WinKind.GAMMON)
    assert read_match_id(write_match_id(situation), situation.position) == situation


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("4HPwATDgc/ABM", "13 characters, not 14"),
        ("4HPwATDgc/AB*A", "4HPwATDgc/AB"),
        ("/////////////w", "more than 15 checkers"),
        ("4HPwATDgc/ABcA", "more than 15 checkers|goes on behind"),
        ("AQAAAAAAEAAAAA", "two seats at|goes on"),
    ],
)
def test_damaged_position_ids_are_refused(text: str, complaint: str) -> None:
    with pytest.raises(IdentifierError, match=complaint):
        read_position_id(text, Seat.A)


@pytest.mark.parametrize(
    "text", ["cAkAAAAAAAA", "cAkAAAAAAA*E", "cAkAAAAAAAD/", "cA8AAAAAAAAE", "cInnAAAAAAAE", "YAkAAAAAAAAE"]
)
def test_damaged_match_ids_are_refused(text: str) -> None:
    with pytest.raises(IdentifierError, match="Match ID"):
        read_match_id(text, START.position)


@pytest.mark.parametrize(
    ("old", "new"),
    [("XGID=-b", "XGID=-z"), (":0:0:1:", ":0:2:1:"), (":00:", ":07:"), ("E-C", "O-O"), ("B-:", "Ba:"), (":10", "")],
)
def test_damaged_xgids_are_refused(old: str, new: str) -> None:
    text = write_xgid(START).replace(old, new)
    with pytest.raises(IdentifierError, match="XGID="):
        read_xgid(text)


@given(st.sampled_from([XGID, POSITION_ID, MATCH_ID]), st.data())
def test_whatever_is_damaged_is_read_otherwise_or_refused(text: str, data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(text)))
    damaged = text[:at] + data.draw(st.text(max_size=6)) + text[at + data.draw(st.integers(0, 3)) :]
    readers: list[Callable[[], object]] = [
        lambda: read_xgid(damaged),
        lambda: read_position_id(damaged, Seat.B),
        lambda: read_match_id(damaged, START.position),
        lambda: read_position_and_match_id(damaged),
    ]
    for read in readers:
        with contextlib.suppress(IdentifierError):
            read()


def test_a_waiting_beaver_and_raccoon_are_in_the_match_id_as_gnu_backgammon_puts_them() -> None:
    waiting = Cube().double(Seat.A)
    for match_id in ("cBEAAAAAAAAA", "QRkAAAAAAAAA", "QhEAAAAAAAAA"):
        situation = replace(START, cube=waiting, jacoby=True)
        assert write_match_id(situation) == match_id
        assert read_match_id(match_id, START.position) == situation
        waiting = waiting.redouble_at_once() if match_id != "QhEAAAAAAAAA" else waiting
    with pytest.raises(IdentifierError, match="nobody can have offered a cube like that"):
        read_match_id("QBEAAAAAAAAA", START.position)


def test_numbers_far_too_large_are_refused_and_not_computed() -> None:
    for field in (4, 8, 11):
        fields = XGID.split(":")
        fields[{4: 1, 8: 5, 11: 8}[field]] = "9" * 5000
        with pytest.raises(IdentifierError, match="is no XGID"):
            read_xgid(":".join(fields))


def test_what_an_identifier_cannot_say_is_refused() -> None:
    with pytest.raises(IdentifierError, match="four times"):
        write_match_id(replace(START, resignation=WinKind.DOUBLE_BACKGAMMON))
    with pytest.raises(IdentifierError, match="length 40000 is too large"):
        write_match_id(replace(START, length=40000))
    with pytest.raises(IdentifierError, match="neither that a game is over"):
        write_xgid(replace(START, stage=Stage.OVER))
    with pytest.raises(IdentifierError, match="A doubles, but B owns"):
        read_xgid(write_xgid(replace(START, cube=Cube(2, Seat.B))).replace(":00:", ":D:"))


def test_dice_of_an_identifier_keep_their_order() -> None:
    assert read_xgid(write_xgid(replace(START, roll=Roll(2, 6)))).roll == Roll(2, 6)
