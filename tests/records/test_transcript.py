"""The record of a match from what the referee said: what was played, and nothing that was not seen."""

import os
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
from gnubg_walk import GNUBG, walk_in_gnubg, walk_of
from refereed_games import GAME, Evening, Played, played_in

from boardctl.records import formats
from boardctl.records.formats import (
    MatchRecord,
    NotSeen,
    Rolled,
    SetUp,
    carried_record,
    left_out,
    read_json,
    read_mat,
    write_json,
    write_mat,
    write_sgf,
)
from boardctl.records.transcript import TranscriptError, transcript
from boardctl.referee.effects import Certainty, Effect, GameEnded, RollRead, Ruled, Text, TurnJudged
from boardctl.referee.facts import Choice, Decision, DirectorRuled, Doubled, Resigned, Role
from boardctl.rules import (
    EndedBy,
    MatchRules,
    Place,
    Placement,
    Play,
    Position,
    Roll,
    Seat,
    WinKind,
    point,
    read_play,
    tray,
)

START = GAME.start()
A, B = Seat.A, Seat.B
R31, R52, R66 = Roll(3, 1), Roll(5, 2), Roll(6, 6)


def led_to(position: Position, seat: Seat, roll: Roll, text: str) -> Position:
    return read_play(GAME, position, seat, roll, text).position


A_31 = led_to(START, A, R31, "8/5 6/5")
B_52 = led_to(A_31, B, R52, "13/8 24/22")
A_66 = led_to(B_52, A, R66, "24/18(2) 13/7(2)")
WRONG = led_to(START, A, Roll(3, 2), "8/5 6/4")
PLAYS_HIDDEN = frozenset(map(point, (5, 6, 8, 13)))


@pytest.fixture(scope="module")
def legal_match() -> tuple[MatchRecord, list[list[Played]]]:
    evening, games = Evening(length=3, random=Random(4)), list[list[Played]]()
    while max(points for _, points in evening.referee.state.score) < 3:
        games.append(evening.play_game())
    return evening.record(), games


@pytest.fixture(scope="module")
def careless_match() -> tuple[MatchRecord, list[list[Played]]]:
    evening = Evening(length=1, random=Random(1))
    games = [evening.play_game(illegal_share=0.08)]
    return evening.record(), games


def opened(board: Position = A_31, hidden: frozenset[Place] = frozenset()) -> Evening:
    """A game of which A's opening roll of 3-1 was played to a board."""
    evening = Evening()
    evening.open_with(3, 1)
    evening.play(board.placement(), hidden)
    return evening


def actions(evening: Evening) -> list[object]:
    return [action for game in evening.record().games for action in game.actions]


def test_the_cube_and_a_resignation_stand_in_the_record() -> None:
    evening = Evening(length=5, cube=True)
    evening.open_with(3, 1)
    evening.play(A_31.placement())
    evening.say(Doubled(0, Role.B))
    evening.answer(A, Choice.TAKE)
    evening.throw(B, R52)
    evening.play(B_52.placement())
    evening.say(Resigned(0, Role.B, 2))
    evening.answer(A, Choice.ACCEPT)
    record = evening.record()
    assert list(record.games[0].actions) == [
        rolled(START, A, R31, "8/5 6/5"),
        formats.CubeTurned(B),
        formats.CubeAnswered(A, taken=True),
        rolled(A_31, B, R52, "13/8 24/22"),
        formats.Resigned(B, WinKind.GAMMON),
    ]
    outcome = record.games[0].outcome
    assert outcome is not None
    assert (outcome.winner, outcome.points, outcome.ended_by, outcome.cube_value) == (A, 4, EndedBy.RESIGNED, 2)
    assert read_mat(write_mat(record)).games[0].actions[:4] == record.games[0].actions[:4]


def test_a_dropped_double_ends_the_recorded_game() -> None:
    evening = Evening(length=5, cube=True)
    evening.open_with(3, 1)
    evening.play(A_31.placement())
    evening.say(Doubled(0, Role.B))
    evening.answer(A, Choice.DROP)
    game = evening.record().games[0]
    assert game.actions[1:] == (formats.CubeTurned(B), formats.CubeAnswered(A, taken=False))
    assert game.outcome is not None
    assert (game.outcome.winner, game.outcome.points, game.outcome.ended_by) == (B, 1, EndedBy.DROPPED)


def test_what_a_director_restores_was_not_played() -> None:
    evening = opened(WRONG)
    evening.say(DirectorRuled(0, "Ada", Decision.RESTORE, "both agree"))
    evening.throw(A, R52)
    evening.play(led_to(START, A, R52, "13/8 24/22").placement())
    evening.throw(B, R31)
    assert actions(evening)[0] == rolled(START, A, R52, "13/8 24/22")


def test_what_was_played_beyond_the_right_length_is_no_part_of_the_match() -> None:
    evening = Evening(length=5, cube=True)
    for seat in (B, A):
        evening.open_with(3, 1)
        evening.say(Resigned(0, Role(seat), 1))
        evening.answer(seat.other, Choice.ACCEPT)
        evening.see(A_66.placement())  # the checkers are taken together for the next game
    evening.say(DirectorRuled(0, "Ada", Decision.LENGTH, "the sheet says one point", length=1))
    record = evening.record()
    assert (record.rules.length, [game.outcome.winner for game in record.games if game.outcome]) == (1, [A])
    assert read_mat(write_mat(record)).rules.length == 1


def test_a_directors_note_accepts_nothing() -> None:
    evening = opened(WRONG)
    evening.say(DirectorRuled(0, "Ada", Decision.NOTE, "heard by a spectator"))
    assert actions(evening) == [NotSeen(A, R31, None)]


def rolled(before: Position, seat: Seat, roll: Roll, text: str) -> Rolled:
    return Rolled(seat, roll, read_play(GAME, before, seat, roll, text))


def illegal(seat: Seat, roll: Roll, after: Position) -> Rolled:
    return Rolled(seat, roll, Play((), after), legal=False)


def test_a_match_is_recorded_as_it_was_played(legal_match: tuple[MatchRecord, list[list[Played]]]) -> None:
    record, games = legal_match
    assert played_in(record) == games
    last = list(record.matches())[-1].after(record.games[-1].outcome)  # type: ignore[arg-type]
    assert last.winner is games[-1][-1][0]
    assert left_out(record, illegal_plays=False) == {}
    assert read_json(write_json(record)) == record
    assert walk_of(read_mat(write_mat(record))) == walk_of(record)


def test_illegal_plays_that_stood_are_recorded_as_such(careless_match: tuple[MatchRecord, list[list[Played]]]) -> None:
    record, games = careless_match
    assert played_in(record) == games
    assert not all(legal for game in games for *_, legal in game)
    assert read_json(write_json(record)) == record


@pytest.mark.skipif(
    GNUBG is None and "CI" not in os.environ, reason="no GNU Backgammon here; apt-get install gnubg gnubg-data"
)
@pytest.mark.parametrize(
    ("write", "command", "ending", "illegal_plays"),
    [
        pytest.param(write_mat, "import mat", "mat", False, id="mat"),
        pytest.param(write_sgf, "load match", "sgf", True, id="sgf"),
    ],
)
def test_gnu_backgammon_sees_what_was_played(
    tmp_path: Path,
    legal_match: tuple[MatchRecord, list[list[Played]]],
    careless_match: tuple[MatchRecord, list[list[Played]]],
    write: Callable[[MatchRecord], str],
    command: str,
    ending: str,
    illegal_plays: bool,
) -> None:
    records = [legal_match[0], careless_match[0]]
    carried = [carried_record(record, illegal_plays=illegal_plays) for record in records]
    files = [tmp_path / f"{number}.{ending}" for number in range(len(records))]
    for file, record in zip(files, records, strict=True):
        file.write_text(write(record), encoding="utf-8")
    assert walk_in_gnubg(command, files, carried) == [walk_of(record) for record in carried]


def test_an_illegal_play_stands_when_it_is_accepted_or_rolled_upon_and_only_then() -> None:
    waiting = opened(WRONG)
    assert actions(waiting) == [NotSeen(A, R31, None)]
    waiting.answer(B, Choice.ACCEPT)
    assert actions(waiting) == [illegal(A, R31, WRONG)]
    condoned = opened(WRONG)
    condoned.throw(B, R52)
    assert actions(condoned) == [illegal(A, R31, WRONG), NotSeen(B, R52, None)]
    required = opened(WRONG)
    required.answer(B, Choice.REQUIRE)
    assert actions(required) == [NotSeen(A, R31, None)]
    required.see(A_31.placement())
    assert actions(required) == [rolled(START, A, R31, "8/5 6/5")]


def test_a_board_set_up_anew_is_recorded_with_where_play_went_on() -> None:
    evening = opened()
    evening.throw(B, R52)
    evening.declare(B_52.placement())
    before = [rolled(START, A, R31, "8/5 6/5"), NotSeen(B, R52, None)]
    assert actions(evening) == [*before, SetUp(None, "director")]
    evening.throw(A, R66)
    evening.play(A_66.placement())
    assert actions(evening) == [*before, SetUp(B_52, "director"), rolled(B_52, A, R66, "24/18(2) 13/7(2)")]
    record = evening.record()
    assert read_json(write_json(record)) == record
    why = "Game 1 is carried up to roll 1 only: then the play of B with 5-2 was not seen; the JSON record has it whole"
    assert f"; {why}\n" in write_mat(record)
    assert walk_of(read_mat(write_mat(record))) == [((0, 0), [A_31], [(1, None)])]
    assert f"GC[{why.replace(':', ' ').replace(';', ' ').replace('  ', ' ')}]" in write_sgf(record)


def test_a_play_that_the_next_turn_tells_is_recorded_as_played() -> None:
    evening = opened(A_31, PLAYS_HIDDEN)
    evening.throw(B, R52)
    assert actions(evening) == [NotSeen(A, R31, None), NotSeen(B, R52, None)]
    evening.play(B_52.placement())
    assert actions(evening) == [rolled(START, A, R31, "8/5 6/5"), rolled(A_31, B, R52, "13/8 24/22")]


def judged(
    seat: Seat, roll: Roll, before: Position, after: Placement | None, *, legal: bool | None = True
) -> TurnJudged:
    return TurnJudged(seat, roll, None, legal, Certainty.PROBABLE, before.placement(), after)


def read(seat: Seat, roll: Roll) -> RollRead:
    return RollRead(seat, roll, True, Certainty.CERTAIN)


def recorded(*effects: Effect) -> list[object]:
    record = transcript(effects, GAME, MatchRules(cube=False))
    assert read_json(write_json(record)) == record
    return [action for game in record.games for action in game.actions]


THEN_B = (read(B, R52), judged(B, R52, A_31, B_52.placement()))
B_PLAYED = rolled(A_31, B, R52, "13/8 24/22")


def test_a_play_said_to_be_misread_is_not_seen_even_if_the_next_turn_begins_where_a_legal_one_leads() -> None:
    said = (read(A, R31), judged(A, R31, START, WRONG.placement(), legal=False), Ruled("accepted", "B", A))
    assert recorded(*said, *THEN_B) == [NotSeen(A, R31, A_31), B_PLAYED]
    told_later = (said[0], *said[1:], THEN_B[0], judged(A, R31, START, A_31.placement()), THEN_B[1])
    assert recorded(*told_later) == [rolled(START, A, R31, "8/5 6/5"), B_PLAYED]
    never_told = (*said, THEN_B[0], judged(A, R31, START, None, legal=None), THEN_B[1])
    assert recorded(*never_told) == [NotSeen(A, R31, A_31), B_PLAYED]


def test_a_presumed_play_that_the_next_turn_contradicts_is_not_seen() -> None:
    other = led_to(START, A, R31, "24/21 6/5")
    assert recorded(read(A, R31), judged(A, R31, START, other.placement()), *THEN_B) == [
        NotSeen(A, R31, A_31),
        B_PLAYED,
    ]


def test_an_impossible_board_that_was_put_right_is_what_the_next_turn_begins_with() -> None:
    vanished = START.placement().replaced({point(6): (A,) * 4})
    held = (read(A, R31), judged(A, R31, START, vanished, legal=False), Ruled("accepted", "players", A))
    assert recorded(*held) == [NotSeen(A, R31, None)]
    assert recorded(*held, *THEN_B) == [rolled(START, A, R31, "8/5 6/5"), B_PLAYED]
    onward = led_to(WRONG, B, R52, "13/8 13/11")
    then = (read(B, R52), judged(B, R52, WRONG, onward.placement()))
    assert recorded(*held, *then) == [illegal(A, R31, WRONG), rolled(WRONG, B, R52, "13/8 13/11")]


def test_an_illegal_play_that_no_moves_can_say_ends_the_game_in_files_of_moves() -> None:
    placement = A_31.placement()
    knocked = GAME.position_of(placement.replaced({point(12): (B,) * 4, point(11): (B,)}))
    backwards = GAME.position_of(START.placement().replaced({point(6): (A,) * 4, point(7): (A,)}))
    for after in (knocked, backwards):
        effects = (
            read(A, R31),
            judged(A, R31, START, after.placement(), legal=False),
            Ruled("condoned", "B", A),
        )
        record = transcript(effects, GAME, MatchRules())
        assert left_out(record, illegal_plays=True) == {
            1: "Game 1 is carried up to roll 0 only: then A played what no moves can say with 3-1, which was illegal "
            "and was allowed to stand; the JSON record has it whole"
        }
        assert read_json(write_json(record)) == record


def test_equal_opening_dice_are_counted_for_the_game_that_they_open() -> None:
    equal = RollRead(None, Roll(4, 4), False, Certainty.CERTAIN, (Text.of("opening.equal"),))
    cocked = RollRead(A, None, False, Certainty.CERTAIN, (Text.of("dice.cocked"),))
    turn = (read(A, R31), judged(A, R31, START, A_31.placement()))
    ended = GameEnded(A, ((A, 2), (B, 0)), "gammon")
    record = transcript((equal, cocked, equal, *turn, cocked, ended, *turn), GAME, MatchRules(cube=False))
    assert [game.equal_opening_rolls for game in record.games] == [2, 0]
    outcome = record.games[0].outcome
    assert outcome is not None
    assert (outcome.winner, outcome.points, outcome.kind.name) == (A, 2, "GAMMON")
    assert record.games[1].outcome is None


def test_what_no_referee_says_is_refused() -> None:
    with pytest.raises(TranscriptError, match="a play of A with 3-1 was judged that nobody rolled for"):
        recorded(judged(A, R31, START, A_31.placement()))
    with pytest.raises(TranscriptError, match="ruled to be condoned before anybody rolled"):
        recorded(Ruled("condoned", "B", A))
    with pytest.raises(TranscriptError, match="is no play of backgammon"):
        recorded(read(A, R31), judged(A, R31, START, START.placement().replaced({tray(A): (A,)})))
