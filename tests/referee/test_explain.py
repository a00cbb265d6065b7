"""Illegal plays, one kind at a time: the fault is named, the points are shown, and a legal play is told."""

import pytest
from seats_at_table import Seats, at_turn, moved

from boardctl.referee import read_catalogue, render
from boardctl.referee.effects import Certainty, PlayFault, TurnJudged
from boardctl.rules import BackgammonPosition, Placement, Roll, Seat

START = BackgammonPosition.start()
ON_BAR = BackgammonPosition.from_points(
    [-2, 0, 0, 0, 0, 5, 0, 3, 0, 0, 0, -5, 5, 0, 0, 0, -3, 0, -5, 0, 0, 0, 0, 1], bar_a=1
)
BEARING_OFF = BackgammonPosition.from_points([2, 2, 2, 2, 2, 2] + [0] * 12 + [-2, -2, -2, -2, -2, -2])
ONE_OUTSIDE = BackgammonPosition.from_points([2, 2, 2, 2, 2, 2, 0, 1] + [0] * 10 + [-2, -2, -2, -2, -2, -2])
BLOT_ON_5 = BackgammonPosition.from_points(
    [0, 0, 0, 0, -1, 5, 0, 3, 0, 0, 0, -5, 5, 0, 0, 0, -3, 0, -5, 0, 0, 0, -1, 2]
)
PRIMED = BackgammonPosition.from_points([0, 0, 0, 0, 0, 2, 2, 2, 2, 2, 2, -2, 2, 0, 0, 0, 0, -2, -2, -2, -2, -2, -3, 1])


def judge(
    before: BackgammonPosition, roll: tuple[int, int], *moves: tuple[str, str], seat: Seat = Seat.A
) -> TurnJudged:
    """Gets what is said of moves made whatever the rules say."""
    return judge_board(before, roll, moved(before.placement(), *moves), seat)


def judge_board(before: BackgammonPosition, roll: tuple[int, int], after: Placement, seat: Seat = Seat.A) -> TurnJudged:
    """Gets what is said of a board at the end of a turn."""
    table: Seats = at_turn(before, seat)
    table.roll(seat, *roll)
    table.show(after, confidence=0.9999)
    table.lift()
    return table.judged


def faults(judged: TurnJudged) -> tuple[PlayFault, ...]:
    """Gets the faults of a play that must be illegal."""
    assert judged.legal is False
    assert judged.finding is not None
    return judged.finding.faults


CASES = {
    "one number too far": (START, (3, 1), [("8", "5"), ("6", "4")], PlayFault.WRONG_PIPS, {"6", "4"}),
    "a sum that the roll does not give": (START, (6, 1), [("13", "5")], PlayFault.WRONG_PIPS, {"13", "5"}),
    "two numbers that the roll gives only once": (
        START,
        (6, 1),
        [("13", "7"), ("24", "18")],
        PlayFault.WRONG_PIPS,
        {"13", "7", "24", "18"},
    ),
    "half a roll": (START, (3, 1), [("8", "5")], PlayFault.NUMBER_NOT_USED, None),
    "nothing at all": (START, (3, 1), [], PlayFault.NUMBER_NOT_USED, None),
    "three of four": (START, (1, 1), [("8", "7"), ("8", "7"), ("6", "5")], PlayFault.NUMBER_NOT_USED, None),
    "a held point": (START, (5, 2), [("24", "19"), ("13", "11")], PlayFault.BLOCKED_POINT, {"24", "19"}),
    "a held point between": (START, (5, 5), [("24", "14"), ("13", "8"), ("13", "8")], PlayFault.BLOCKED_POINT, None),
    "moved with a checker on the bar": (ON_BAR, (4, 3), [("13", "9"), ("8", "5")], PlayFault.BAR_IGNORED, None),
    "no entry": (ON_BAR, (4, 3), [], PlayFault.ENTRY_MISSED, {"bar A"}),
    "backwards": (START, (3, 1), [("8", "5"), ("13", "15")], PlayFault.MOVED_BACKWARDS, {"13", "15"}),
    "an opponent's checker": (
        START,
        (3, 1),
        [("8", "5"), ("6", "5"), ("12", "11")],
        PlayFault.OPPONENT_CHECKER_MOVED,
        {"12", "11"},
    ),
    "an own checker on the bar": (START, (3, 1), [("8", "5"), ("6", "bar A")], PlayFault.OWN_CHECKER_ON_BAR, {"bar A"}),
    "borne off too early": (ONE_OUTSIDE, (6, 5), [("6", "off A"), ("5", "off A")], PlayFault.EARLY_BEAR_OFF, None),
    "borne off one too many": (
        BEARING_OFF,
        (6, 5),
        [("6", "off A"), ("6", "off A"), ("5", "off A")],
        PlayFault.EXCESS_BEAR_OFF,
        None,
    ),
    "borne off from behind others": (
        BEARING_OFF,
        (6, 5),
        [("6", "off A"), ("4", "off A")],
        PlayFault.EXCESS_BEAR_OFF,
        {"4", "off A"},
    ),
    "back from the tray": (BEARING_OFF, (6, 5), [("6", "1"), ("off A", "3")], PlayFault.MOVED_BACKWARDS, None),
    "the hit checker left on the point": (
        BLOT_ON_5,
        (3, 1),
        [("8", "5"), ("6", "5")],
        PlayFault.HIT_CHECKER_LEFT,
        {"5"},
    ),
    "the hit checker in the tray": (
        BLOT_ON_5,
        (3, 1),
        [("5", "off B"), ("8", "5"), ("6", "5")],
        PlayFault.HIT_CHECKER_IN_TRAY,
        {"off B"},
    ),
    "a checker gone": (START, (3, 1), [("8", "5"), ("6", "5"), ("13", "nowhere")], PlayFault.CHECKER_VANISHED, {"13"}),
}


@pytest.mark.parametrize("case", CASES)
def test_names_the_fault(case: str) -> None:
    before, roll, moves, fault, places = CASES[case]
    judged = judge(before, roll, *moves)
    assert faults(judged) == (fault,)
    assert judged.finding is not None
    if places is not None:
        from seats_at_table import place_named

        assert set(judged.finding.places) == {place_named(name) for name in places}
    assert judged.finding.legal_examples


def test_an_extra_checker_is_named() -> None:
    after = moved(moved(START.placement(), ("8", "5"), ("6", "5")), ("nowhere", "9"), seat=Seat.A)
    assert faults(judge_board(START, (3, 1), after)) == (PlayFault.CHECKER_EXTRA,)


def test_a_checker_out_of_nothing_is_never_certain() -> None:
    after = moved(moved(START.placement(), ("8", "5"), ("6", "5")), ("nowhere", "9"), seat=Seat.A)
    assert judge_board(START, (3, 1), after).certainty is Certainty.PROBABLE
    gone = moved(START.placement(), ("8", "5"), ("6", "5"), ("13", "nowhere"))
    assert judge_board(START, (3, 1), gone).certainty is Certainty.PROBABLE


def test_the_lower_number_alone_is_named() -> None:
    # One checker can play the 6 or the 5, but not both: it must be the 6.
    before = BackgammonPosition.from_points([0] * 12 + [0] * 0 + [-2] + [0] * 4 + [0] * 6 + [1])
    plays = {play.moves[0].number for play in at_turn(before, Seat.A).game.plays(before, Seat.A, Roll.of(6, 5))}
    assert plays == {6}
    judged = judge(before, (6, 5), ("24", "19"))
    assert faults(judged) == (PlayFault.LOWER_NUMBER_USED,)


def test_a_hit_in_passing_that_was_left_is_named() -> None:
    blot = BackgammonPosition.from_points([0, 0, 0, 0, -1, 5, 0, 3, 0, 0, 0, -4, 5, 0, 0, 0, -3, -2, -5, 0, 0, 0, 0, 2])
    # 8/4 with 3-1 passes the blot on 5 or the open 7; with 7 held there is only the way over the blot.
    held = BackgammonPosition.from_points([0, 0, 0, 0, -1, 5, -2, 3, 0, 0, 0, -4, 5, 0, 0, 0, -3, 0, -5, 0, 0, 0, 0, 2])
    assert judge(blot, (3, 1), ("8", "4")).legal is True
    assert faults(judge(held, (3, 1), ("8", "4"))) == (PlayFault.HIT_CHECKER_LEFT,)


def test_the_explanation_reads_well() -> None:
    judged = judge(START, (3, 1), ("8", "5"), ("6", "4"))
    assert judged.finding is not None
    words = [render(text, read_catalogue()) for text in judged.finding.explanation]
    assert words == ["6/4 is 2 pips; 3-1 does not give that."]
    assert judged.finding.legal_examples[0] == "8/5 6/5"


def test_points_are_those_of_the_mover() -> None:
    judged = judge(START, (3, 1), ("17", "20"), ("19", "21"), seat=Seat.B)
    assert judged.finding is not None
    words = [render(text, read_catalogue()) for text in judged.finding.explanation]
    assert words == ["6/4 is 2 pips; 3-1 does not give that."]


def test_two_faults_are_both_named() -> None:
    judged = judge(START, (3, 1), ("8", "5"), ("13", "15"), ("12", "11"))
    assert set(faults(judged)) == {PlayFault.MOVED_BACKWARDS, PlayFault.OPPONENT_CHECKER_MOVED}


def test_a_legal_play_in_whatever_order_is_legal() -> None:
    assert judge(START, (3, 1), ("6", "5"), ("8", "5")).play == "8/5 6/5"
    assert judge(BLOT_ON_5, (3, 1), ("5", "bar B"), ("8", "5"), ("6", "5")).play == "8/5* 6/5"


def test_a_play_that_cannot_be_made_is_legal_when_nothing_moves() -> None:
    before = BackgammonPosition.from_points(
        [-2, 0, 0, 0, 0, 5, 0, 3, 0, 0, 0, -3, 5, 0, 0, 0, 0, 0, -2, -2, -2, -2, -2, 0], bar_a=1
    )
    judged = judge(before, (5, 4))
    assert judged.play == "(no play)"
    assert judged.legal is True
