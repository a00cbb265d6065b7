"""Match files: what is written reads back, GNU Backgammon sees the same positions, damage is refused with its place."""

import json
import os
import random
import string
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from gnubg_walk import GNUBG, walk_in_gnubg, walk_of
from hypothesis import given, settings
from hypothesis import strategies as st
from random_matches import NAMES, playout_record, random_match

from boardctl.records.formats import (
    CubeTurned,
    GameRecord,
    MatchFileError,
    MatchRecord,
    Rolled,
    read_json,
    read_mat,
    read_sgf,
    write_json,
    write_mat,
    write_sgf,
)
from boardctl.records.formats.plain_names import plain_name
from boardctl.rules import BackgammonPosition, LastRollRules, Match, MatchRules, OfferKind, Play, Roll, Seat
from boardctl.rules.cube import CENTRED
from boardctl.rules.games import GAMES

Write, Read = Callable[[MatchRecord], str], Callable[[str], MatchRecord]
FORMATS = [
    pytest.param(write_json, read_json, id="json"),
    pytest.param(write_mat, read_mat, id="mat"),
    pytest.param(write_sgf, read_sgf, id="sgf"),
]
THIRD = '{\n          "seat":'
MATCHES = [random_match(seed, MatchRules(length=3 + seed % 9)) for seed in range(50)]

FIRST = random_match(20, MatchRules(length=3))
ONE_GAME = replace(FIRST, games=FIRST.games[:1])
SHORT = {write: write(ONE_GAME) for write in (write_json, write_mat, write_sgf)}
"""The first game of a match in every format, to be damaged."""


@pytest.mark.parametrize(("write", "read"), FORMATS)
def test_matches_read_back(write: Write, read: Read) -> None:
    for record in MATCHES[:12]:
        again = read(write(record))
        assert walk_of(again) == walk_of(record)
        assert [game.outcome for game in again.games] == [game.outcome for game in record.games]
        assert again.rules == record.rules
        assert again.date == record.date


needs_gnubg = pytest.mark.skipif(
    GNUBG is None and "CI" not in os.environ, reason="no GNU Backgammon here; apt-get install gnubg gnubg-data"
)


@needs_gnubg
@pytest.mark.parametrize(
    ("write", "command", "ending"),
    [
        pytest.param(write_mat, "import mat", "mat", id="mat"),
        pytest.param(write_sgf, "load match", "sgf", id="sgf"),
    ],
)
def test_gnu_backgammon_sees_the_same_positions(tmp_path: Path, write: Write, command: str, ending: str) -> None:
    files = [tmp_path / f"{number}.{ending}" for number in range(len(MATCHES))]
    for file, record in zip(files, MATCHES, strict=True):
        file.write_text(write(record), encoding="utf-8")
    assert walk_in_gnubg(command, files, MATCHES) == [walk_of(record) for record in MATCHES]


@needs_gnubg
@pytest.mark.parametrize(
    ("write", "command", "rules"),
    [
        pytest.param(write_mat, "import mat", MatchRules(jacoby=True), id="mat-jacoby"),
        pytest.param(write_sgf, "load match", MatchRules(jacoby=True), id="sgf-jacoby"),
        pytest.param(write_sgf, "load match", MatchRules(beavers=True, raccoons=True), id="sgf-beavers"),
        pytest.param(write_sgf, "load match", MatchRules(automatic_doubles=2), id="sgf-automatic"),
    ],
)
def test_gnu_backgammon_sees_the_same_in_sessions_for_money(
    tmp_path: Path, write: Write, command: str, rules: MatchRules
) -> None:
    records = [random_match(seed, rules) for seed in range(8)]
    files = [tmp_path / f"{number}.match" for number in range(len(records))]
    for file, record in zip(files, records, strict=True):
        file.write_text(write(record), encoding="utf-8")
    assert walk_in_gnubg(command, files, records) == [walk_of(record) for record in records]


def test_the_random_matches_have_everything_in_them() -> None:
    ended = {game.outcome.ended_by.value for record in MATCHES for game in record.games if game.outcome is not None}
    kinds = {game.outcome.kind.name for record in MATCHES for game in record.games if game.outcome is not None}
    assert ended == {"borne_off", "dropped", "resigned"}
    assert kinds >= {"SINGLE", "GAMMON", "BACKGAMMON"}
    assert {name for record in MATCHES for name in record.players.values()} == set(NAMES)


@pytest.mark.parametrize(
    "rules",
    [
        MatchRules(jacoby=True),
        MatchRules(automatic_doubles=2),
        MatchRules(beavers=True, raccoons=True),
    ],
)
def test_the_json_record_of_a_session_is_whole(rules: MatchRules) -> None:
    for seed in range(5):
        record = random_match(seed, rules)
        assert read_json(write_json(record)) == record


@pytest.mark.parametrize("name", GAMES)
def test_the_json_record_holds_every_game(name: str) -> None:
    record = playout_record(GAMES[name], 3, games=2)
    assert read_json(write_json(record)) == record


def test_a_session_of_ranks_scores_for_every_seat() -> None:
    record = playout_record(GAMES["multigam"], 5, games=3)
    last = list(read_json(write_json(record)).matches())[-1]
    assert (len(last.score), sum(last.score)) == (4, 2 * (5 + 3 + 2 + 1))


def test_what_a_mat_file_cannot_carry_is_said_at_its_head() -> None:
    record = random_match(1, MatchRules(jacoby=True, automatic_doubles=1))
    record = replace(record, games=tuple(replace(game, equal_opening_rolls=1) for game in record.games))
    for seed, told in ((0, True), (2, False)):
        session = random_match(seed, MatchRules(beavers=True, raccoons=True))
        kinds = {each.kind for game in session.games for each in game.actions if isinstance(each, CubeTurned)}
        assert (OfferKind.BEAVER in kinds) is told
        assert ("; Played with beavers, which this format cannot carry" in write_mat(session)) is told
    head = write_mat(record).partition("point match")[0]
    assert "; Played with the Jacoby rule, automatic doubles, which this format cannot carry" in head


def illegal_record() -> MatchRecord:
    """A session of one game in which A played three and two with a roll of 3-1, and it stood."""
    after = BackgammonPosition.from_mover_view(
        [0, -2, 0, 0, 1, 1, 4, 0, 2, 0, 0, 0, -5, 5, 0, 0, 0, -3, 0, -5, 0, 0, 0, 0, 2, 0], Seat.A
    )
    stood = Rolled(Seat.A, Roll(3, 1), Play((), after), legal=False)
    return MatchRecord({Seat.A: "Ann", Seat.B: "Bob"}, (GameRecord((stood,)),))


def test_an_illegal_play_that_stood_is_kept_whole_in_json_marked_in_sgf_and_ends_the_game_in_a_mat_file() -> None:
    record = illegal_record()
    assert read_json(write_json(record)) == record
    text = write_mat(record)
    assert "; Game 1 is carried up to roll 0 only: then A played 8/5 6/4 with 3-1, which was illegal" in text
    assert read_mat(text).games == (GameRecord(()),)
    assert "This play was illegal" in write_sgf(record)
    with pytest.raises(MatchFileError, match="is no legal play of A with 3-1"):
        read_sgf(write_sgf(record))


def test_a_tie_is_said() -> None:
    match = Match(MatchRules(last_roll=LastRollRules()))
    record = replace(illegal_record(), games=(GameRecord((), match.tied(CENTRED)),), rules=match.rules)
    assert read_json(write_json(record)) == record
    assert "; Game 1 was tied" in write_mat(record)
    assert "RE[0]" in write_sgf(record)


@pytest.mark.parametrize("write", [write_mat, write_sgf])
def test_other_games_have_only_the_json_record(write: Write) -> None:
    with pytest.raises(ValueError, match="not minigam; write the JSON record"):
        write(playout_record(GAMES["minigam"], 1))


@pytest.mark.parametrize("name", NAMES)
def test_harmful_characters_never_reach_a_mat_file(name: str) -> None:
    plain = plain_name(name, Seat.A)
    assert plain
    assert not set(plain) & set(":;\t\n\r")
    assert "  " not in plain
    assert len(plain.encode("utf-8")) <= 31


MAT = """\
 3 point match

 Game 1
 Ann : 0                         Bob : 0
  1)                             52: 24/22 13/8
  2) 31: 8/5 6/5                  Doubles => 2
  3)  Takes                      66: 24/18 13/7 13/7 13/7
      Wins 2 points
"""

SGF = """\
(;FF[4]GM[6]MI[length:3][game:0][ws:0][bs:0]PW[Ann]PB[Bob]RU[Crawford]RE[W+2R]
;B[52aclq]
;W[31hefe]
;B[double]
;W[take]
;B[66aglrlrlr])
"""


@pytest.mark.parametrize(("read", "text"), [(read_mat, MAT), (read_sgf, SGF)])
def test_the_example_reads(read: Read, text: str) -> None:
    record = read(text)
    outcome = record.games[0].outcome
    assert outcome is not None
    assert (outcome.winner, outcome.points, outcome.ended_by.value) == (Seat.A, 2, "resigned")
    assert [roll.roll for roll in record.games[0].rolls()] == [Roll(5, 2), Roll(3, 1), Roll(6, 6)]


@pytest.mark.parametrize(("read", "text"), [(read_mat, MAT), (read_sgf, SGF)])
def test_a_byte_order_mark_and_other_line_ends_do_no_harm(read: Read, text: str) -> None:
    assert read("\ufeff" + text.replace("\n", "\r\n")) == read(text)


def test_files_of_other_programs_may_write_bar_and_off_in_words_or_numbers() -> None:
    for text in (write_mat(MATCHES[3]), write_mat(MATCHES[3]).replace("25/", "bar/").replace("/0", "/off")):
        assert walk_of(read_mat(text)) == walk_of(MATCHES[3])


@pytest.mark.parametrize(
    ("old", "new", "where", "why"),
    [
        (" 3 point match\n", "", (2, 1), "stands where '5 point match' should"),
        ("Game 1", "Game 2", (3, 1), "game 2 follows on game 0"),
        ("Ann : 0", "Ann : 1", (4, 1), "the score is 0-0, not 1-0"),
        ("Ann : 0", "Ann  0", (4, 1), "'Ann  0"),
        ("24/22", "24/21", (5, 34), "'24/21 13/8' is no legal play of B with 5-2"),
        ("24/22", "24-22", (5, 38), "'-22 13/8' is no|'24-22"),
        ("31:", "37:", (6, 6), "'37: 8/5 6/5"),
        ("=> 2", "=> 4", (6, 35), "the cube would be turned to 2, not to 4"),
        (" Takes", " Maybe", (7, 7), "'Maybe"),
        (" Takes", " Drops", (7, 34), "the game is over already"),
        ("Wins 2", "Wins 3", (8, 7), "3 points cannot be resigned with the cube at 2"),
        ("52: 24/22 13/8", "55: 13/8 13/8 8/3 8/3", (5, 34), "the opening roll cannot be 5-5"),
    ],
)
def test_damaged_mat_files_are_refused(old: str, new: str, where: tuple[int, int], why: str) -> None:
    assert old in MAT
    with pytest.raises(MatchFileError, match=why) as refusal:
        read_mat(MAT.replace(old, new, 1))
    error = refusal.value
    assert (error.line, error.column) == where


@pytest.mark.parametrize(
    ("old", "new", "where", "why"),
    [
        ("GM[6]", "GM[1]", (1, 3), "no SGF of backgammon"),
        ("ws:0", "ws:1", (1, 13), "the score is 0-0, not 1-0"),
        ("aclq", "aclp", (2, 2), "is no legal play of B with 5-2"),
        ("aclq", "acl", (2, 2), "no row of pairs"),
        ("aclq", "ac1q", (2, 2), "'52ac1q' is no play"),
        ("take", "keep", (5, 2), "'keep' is no play"),
        ("[take]", "[take", (5, 2), "is no play"),
        ("W[31", "W31", (3, 2), "W has no value"),
        (";W[take]\n", "", (5, 2), "B rolls while a double waits"),
        ("W+2R", "W+3R", (1, 71), "3 points cannot be resigned"),
        ("lrlr])", "lrlr]", (7, 1), "a game tree ends with '\\)', not with 'the end of the file'"),
        ("(;FF", ";FF", (1, 1), "a game tree starts with '\\('"),
    ],
)
def test_damaged_sgf_files_are_refused(old: str, new: str, where: tuple[int, int], why: str) -> None:
    assert old in SGF
    with pytest.raises(MatchFileError, match=why) as refusal:
        read_sgf(SGF.replace(old, new, 1))
    assert (refusal.value.line, refusal.value.column) == where


def test_damaged_json_records_are_refused() -> None:
    text = write_json(MATCHES[0])
    with pytest.raises(MatchFileError, match=r"^line 3, column \d+: no JSON"):
        read_json(text.replace('"version": 1,', '"version": 1;', 1))
    for change, why, starts in (
        (lambda plain: plain.update(version=2), "format 'boardctl match' 2 is not", "{"),
        (lambda plain: plain.pop("rules"), "the record has no 'rules'", "{"),
        (lambda plain: plain.update(game="chess"), "no game 'chess'", "{"),
        (lambda plain: plain["rules"].update(length=0), "the length is 1 or more", '{\n    "length": 0'),
        (lambda plain: plain["options"]["options"].update(cube=7), "options.cube: ", "7,"),
        (lambda plain: action_of(plain).update(roll=[7, 1]), "game 1: action 3: roll 7-1", THIRD),
        (lambda plain: action_of(plain).update(moves=[]), "game 1: action 3: .* is not complete", THIRD),
        (lambda plain: action_of(plain).update(seat="Z"), "game 1: action 3: 'Z' is not", THIRD),
        (lambda plain: action_of(plain).pop("moves"), "game 1: action 3: has no 'moves'", THIRD),
        (lambda plain: action_of(plain)["after"].clear(), "game 1: action 3: .* recorded position", THIRD),
        (lambda plain: plain["games"][0]["outcome"].update(points="many"), "game 1, points: ", '"many"'),
    ):
        plain = json.loads(text)
        change(plain)
        damaged = json.dumps(plain, indent=2, ensure_ascii=False)
        with pytest.raises(MatchFileError, match=why) as refusal:
            read_json(damaged)
        line, column = refusal.value.line, refusal.value.column
        at = sum(len(each) + 1 for each in damaged.split("\n")[: line - 1]) + column - 1
        assert damaged[at:].startswith(starts)


@pytest.mark.parametrize(
    ("read", "text"),
    [
        (read_json, "[" * 100_000),
        (read_json, "9" * 5000),
        (read_json, '{"format": "boardctl match", "version": 1}'),
        (read_mat, "9" * 5000 + " point match"),
        (read_mat, MAT.replace("Wins 2", "Wins " + "9" * 5000)),
        (read_sgf, SGF.replace("W+2R", "W+" + "9" * 5000)),
        (read_sgf, SGF.replace("length:3", "length:" + "9" * 5000).replace("lrlr])", "lr")),
        (read_sgf, "(" * 100_000),
    ],
)
def test_absurd_files_are_refused_at_once(read: Read, text: str) -> None:
    with pytest.raises(MatchFileError):
        read(text)


def action_of(plain: dict[str, Any]) -> dict[str, Any]:
    """The third action of the first game."""
    found: dict[str, Any] = plain["games"][0]["actions"][2]
    assert "moves" in found
    return found


@pytest.mark.parametrize(("write", "read"), FORMATS)
@given(seed=st.integers(0, 2**32 - 1))
@settings(max_examples=60, deadline=None)
def test_whatever_is_damaged_is_read_otherwise_or_refused_with_its_place(write: Write, read: Read, seed: int) -> None:
    """One character lost, doubled or exchanged, or the rest cut off: never any other failure."""
    chance, text = random.Random(seed), SHORT[write]
    for _ in range(3):
        at = chance.randrange(len(text))
        other = chance.choice(string.printable + "é²½\u2028\u0660")
        damaged = chance.choice(
            [text[:at] + text[at + 1 :], text[:at] + text[at] * 2 + text[at + 1 :], text[:at] + other + text[at + 1 :],
             text[:at]]
        )  # fmt: skip
        line, column = place_of_refusal(read, damaged)
        assert 1 <= line <= len(damaged.splitlines()) + 1
        assert column >= 1


def place_of_refusal(read: Read, text: str) -> tuple[int, int]:
    """Where a text is refused; its first character when it can be read after all."""
    try:
        read(text)
    except MatchFileError as error:
        return error.line, error.column
    return 1, 1
