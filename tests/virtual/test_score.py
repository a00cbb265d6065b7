"""The score: what the referee said, held against what happened."""

import pytest

from boardctl.referee.effects import (
    Certainty,
    CubeTurned,
    Finding,
    GameEnded,
    Notice,
    PlayFault,
    RollRead,
    Text,
    TurnJudged,
)
from boardctl.referee.readings import BoardReading, CubeReading, Hand, PlaceReading, StackChance, Witness
from boardctl.rules import Backgammon, Placement, Roll, Seat, Stack, point
from boardctl.virtual.dice import ThrowKind
from boardctl.virtual.report import HEADINGS, Outcome
from boardctl.virtual.score import Score
from boardctl.virtual.truth import CubeTruth, GameTruth, IncidentTruth, RollTruth, TurnTruth

GAME = Backgammon()
BEFORE = GAME.start().placement()
ROLL = Roll.of(3, 1)
AFTER = GAME.plays(GAME.start(), Seat.A, ROLL)[0].position.placement()
OTHER = GAME.plays(GAME.start(), Seat.A, ROLL)[1].position.placement()

FLAT = RollTruth(0, Seat.A, ROLL, True, ThrowKind.FLAT)
COCKED = RollTruth(0, Seat.A, ROLL, False, ThrowKind.LEANING_ON_CHECKER)
LEGAL = TurnTruth(0, Seat.A, ROLL, BEFORE, AFTER, True, None)
ILLEGAL = TurnTruth(0, Seat.A, ROLL, BEFORE, AFTER, False, PlayFault.WRONG_PIPS)

A = Seat.A
CERTAIN, PROBABLE = Certainty.CERTAIN, Certainty.PROBABLE


def judged(legal: bool | None, certainty: Certainty, after: Placement | None = AFTER) -> TurnJudged:
    return TurnJudged(Seat.A, ROLL, "8/5 6/5", legal, certainty, BEFORE, after)


@pytest.mark.parametrize(
    ("truth", "effect", "outcome"),
    [
        (FLAT, RollRead(Seat.A, Roll.of(1, 3), True, CERTAIN), Outcome.RIGHT),
        (FLAT, RollRead(Seat.A, Roll.of(1, 4), True, CERTAIN), Outcome.WRONG_CERTAIN),
        (FLAT, RollRead(Seat.A, Roll.of(1, 4), True, PROBABLE), Outcome.WRONG_UNSURE),
        (FLAT, RollRead(Seat.A, None, False, CERTAIN), Outcome.WRONG_CERTAIN),
        (FLAT, RollRead(Seat.A, None, False, PROBABLE), Outcome.NOT_TOLD),
        (FLAT, Notice(Text.of("dice.unclear")), Outcome.NOT_TOLD),
        (FLAT, Notice(Text.of("turn.unclear", points="3")), Outcome.MISSED),
        (COCKED, RollRead(Seat.A, None, False, CERTAIN), Outcome.RIGHT),
        (COCKED, RollRead(Seat.A, ROLL, True, CERTAIN), Outcome.WRONG_CERTAIN),
        (LEGAL, judged(True, CERTAIN), Outcome.RIGHT),
        (LEGAL, judged(True, CERTAIN, OTHER), Outcome.WRONG_CERTAIN),
        (LEGAL, judged(False, CERTAIN), Outcome.WRONG_CERTAIN),
        (LEGAL, judged(False, PROBABLE), Outcome.WRONG_UNSURE),
        (LEGAL, judged(None, Certainty.BLIND, None), Outcome.NOT_TOLD),
        (LEGAL, Notice(Text.of("turn.unclear", points="3")), Outcome.NOT_TOLD),
        (ILLEGAL, judged(False, CERTAIN), Outcome.RIGHT),
        (ILLEGAL, judged(True, CERTAIN), Outcome.WRONG_CERTAIN),
    ],
)
def test_one_thing_said(truth: RollTruth | TurnTruth, effect: RollRead | TurnJudged | Notice, outcome: Outcome) -> None:
    score = Score()
    score.happened(truth)
    score.hear([effect])
    (item,) = score.report().items
    assert item.outcome is outcome


@pytest.mark.parametrize(
    ("effect", "outcome"),
    [
        (CubeTurned("take", Seat.B, 2, Seat.B), Outcome.RIGHT),
        (CubeTurned("drop", Seat.B, 1, None), Outcome.WRONG_CERTAIN),
        (CubeTurned("take", Seat.A, 2, Seat.A, PROBABLE), Outcome.WRONG_UNSURE),
        (Notice(Text.of("cube.not_now")), Outcome.MISSED),
    ],
)
def test_what_is_said_of_the_cube(effect: CubeTurned | Notice, outcome: Outcome) -> None:
    score = Score()
    score.happened(CubeTruth(0, Seat.B, "take"))
    score.hear([effect])
    assert [item.outcome for item in score.report().items] == [outcome]


@pytest.mark.parametrize(
    ("said", "outcome"),
    [
        (GameEnded(Seat.A, ((Seat.A, 2), (Seat.B, 0)), "gammon"), Outcome.RIGHT),
        (GameEnded(Seat.A, ((Seat.A, 1), (Seat.B, 0)), "single"), Outcome.WRONG_CERTAIN),
        (None, Outcome.MISSED),
    ],
)
def test_what_a_game_came_to(said: GameEnded | None, outcome: Outcome) -> None:
    score = Score()
    score.hear([said] if said is not None else [])
    score.game_ended(GameTruth(0, Seat.A, ((Seat.A, 2), (Seat.B, 0)), "borne_off"))
    assert [item.outcome for item in score.report().items] == [outcome]


def test_silence_is_missed() -> None:
    score = Score()
    score.happened(FLAT)
    assert score.report().items[0].outcome is Outcome.MISSED


def test_what_is_false_stays_false_whatever_is_said_later() -> None:
    score = Score()
    score.happened(LEGAL)
    score.hear([judged(False, CERTAIN), judged(True, CERTAIN)])
    assert score.report().items[0].outcome is Outcome.WRONG_CERTAIN


def test_what_could_not_be_told_may_be_told_later() -> None:
    score = Score()
    score.happened(LEGAL)
    score.hear([judged(None, Certainty.AMBIGUOUS, None), judged(True, CERTAIN)])
    assert score.report().items[0].outcome is Outcome.RIGHT


def test_a_fault_is_named_or_not() -> None:
    for faults, named in (((PlayFault.WRONG_PIPS,), 1), ((PlayFault.BAR_IGNORED,), 0)):
        score = Score()
        score.happened(ILLEGAL)
        finding = Finding(faults, CERTAIN, (), (point(5),))
        score.hear([TurnJudged(Seat.A, ROLL, None, False, CERTAIN, BEFORE, AFTER, finding)])
        assert next(row for row in score.report().rows() if row.kind == "wrong pips").named == named


def test_rows_add_up_and_lines_have_headings() -> None:
    score = Score()
    for truth, effect in ((FLAT, RollRead(Seat.A, ROLL, True, CERTAIN)), (LEGAL, judged(False, CERTAIN))):
        score.happened(truth)
        score.hear([effect])
    score.happened(COCKED)
    score.hear([GameEnded(Seat.A, ((Seat.A, 2), (Seat.B, 0)), "gammon")])
    score.game_ended(GameTruth(0, Seat.A, ((Seat.A, 2), (Seat.B, 0)), "borne_off"))
    report = score.report() + Score().report()
    rows = report.rows()
    assert [(row.of, row.kind, row.total) for row in rows] == [
        ("roll", "flat", 1),
        ("roll", "leaning on checker", 1),
        ("play", "legal", 1),
        ("game", "borne off", 1),
        ("all", "rolls", 2),
        ("all", "plays", 1),
        ("all", "games", 1),
    ]
    for row in rows:
        assert row.total == row.right + row.wrong_certain + row.wrong_unsure + row.not_told + row.missed
    lines = report.lines()
    assert all(heading in lines[0] for heading in HEADINGS)
    assert any("1 games" in line for line in lines)
    assert any(line.startswith("wrong and vouched for") and "8/5 6/5" in line for line in lines)


TIPPED = IncidentTruth(7, "die_tipped", ("dice.changed",))


def test_what_was_not_named_is_listed_with_its_time() -> None:
    score = Score()
    for truth in (FLAT, TIPPED):
        score.happened(truth)
    assert score.report().remarks() == ["not named: 7 ms: die tipped"]
    score.hear([Notice(Text.of("dice.changed", roll="3-1"))])
    assert score.report().remarks() == []


def cube_seen(at: str | None) -> BoardReading:
    return BoardReading(Witness.CAMERA, (), cube=CubeReading(None, at, 0.97) if at is not None else None)


@pytest.mark.parametrize(("cube_at", "name"), [("A", "cube misplaced"), (None, "cube misplaced out of sight")])
def test_a_cube_that_no_witness_shows_where_it_lies_need_not_be_named(cube_at: str | None, name: str) -> None:
    for said in ((), (Notice(Text.of("cube.belongs_in_middle")),)):
        score = Score()
        score.witnessed(cube_seen("bar"))
        score.happened(IncidentTruth(7, "cube_misplaced", ("cube.belongs_in_middle",), cube_at="A"))
        score.witnessed(cube_seen(cube_at))
        score.hear(said)
        score.happened(FLAT)
        score.witnessed(cube_seen("bar"))
        (item,) = [item for item in score.items if isinstance(item.truth, IncidentTruth)]
        assert item.truth.name == name
        assert (item.outcome is Outcome.RIGHT) == (bool(said) or cube_at is None)


@pytest.mark.parametrize(("entries", "shown"), [((A, A), True), ((A, None), False), ((A, Seat.B), False)])
def test_two_hands_of_which_no_witness_tells_whose_both_are_need_not_be_named(
    entries: tuple[Seat | None, ...], shown: bool
) -> None:
    score = Score()
    score.witnessed(cube_seen("bar"))
    score.happened(IncidentTruth(7, "two_hands", ("hands.two",), hands=(A, A)))
    score.saw_hands([Hand(entry, (point(6),)) for entry in entries])
    (item,) = score.report().items
    assert (item.truth.name == "two hands") == shown
    assert item.outcome is (Outcome.MISSED if shown else Outcome.RIGHT)


@pytest.mark.parametrize(
    ("before", "now", "shown"),
    [((A, A), (A,), True), ((A, A), None, False), ((A, A), (A, A), False), (None, (A,), True), ((A,), (A, A), True)],
)
def test_a_place_that_a_witness_cannot_read_or_reads_as_before_shows_nothing(
    before: Stack | None, now: Stack | None, shown: bool
) -> None:
    place = point(6)

    def seen(stack: Stack | None) -> BoardReading:
        chances = (StackChance(stack, 0.9),) if stack is not None else ()
        return BoardReading(Witness.CAMERA, (PlaceReading(place, chances, hidden=stack is None),))

    gone = IncidentTruth(7, "checker_gone", ("roll.board_changed",), others=("dice.changed",), changed=(place,))
    for said, outcome in ((False, Outcome.MISSED if shown else Outcome.RIGHT), (True, None)):
        score = Score(names=frozenset({"dice.changed"}))
        score.witnessed(seen(before))
        score.happened(gone)
        score.witnessed(seen(now))
        if said:
            score.hear([Notice(Text.of("dice.changed", roll="3-1"))])
        (item,) = score.report().items
        assert (item.truth.name == "checker gone") == shown
        # Something false that was said of what nobody could see is false all the same.
        assert item.outcome is (outcome or (Outcome.MISSED if shown else Outcome.WRONG_UNSURE))


def test_an_irregularity_that_is_named_where_none_happened_is_a_false_alarm() -> None:
    for happened, alarms in (((FLAT, LEGAL), 1), ((FLAT, TIPPED), 0), ((TIPPED, FLAT, LEGAL, FLAT), 1)):
        score = Score(names=frozenset({"dice.changed"}))
        for truth in happened:
            score.happened(truth)
        score.hear([Notice(Text.of("dice.changed", roll="3-1")), Notice(Text.of("opening.roll"))])
        rows = [row for row in score.report().rows() if row.kind == "false alarms"]
        assert [row.wrong_unsure for row in rows] == ([alarms] if alarms else [])


def test_a_throw_that_is_read_during_an_incident_after_it_is_the_throw_before_it() -> None:
    score = Score()
    for truth in (FLAT, TIPPED):
        score.happened(truth)
    score.hear([RollRead(Seat.A, ROLL, True, PROBABLE)])
    assert [item.outcome for item in score.items] == [Outcome.RIGHT, Outcome.MISSED]
    score.hear([RollRead(Seat.A, Roll.of(6, 4), True, PROBABLE)])
    assert score.items[-1].outcome is Outcome.WRONG_UNSURE


@pytest.mark.parametrize(("after", "outcome"), [(AFTER, Outcome.RIGHT), (OTHER, Outcome.WRONG_CERTAIN)])
def test_a_play_that_is_judged_before_its_turn_has_ended_is_held_against_that_turn(
    after: Placement, outcome: Outcome
) -> None:
    score = Score()
    earlier = TurnTruth(0, Seat.A, Roll.of(6, 2), AFTER, OTHER, True, None)
    score.happened(earlier)
    score.happened(FLAT)
    score.hear([judged(True, CERTAIN, after)])
    assert [item.outcome for item in score.items] == [Outcome.MISSED, Outcome.MISSED]
    score.happened(LEGAL)
    assert [item.outcome for item in score.items] == [Outcome.MISSED, Outcome.MISSED, outcome]
