"""How far a finding is vouched for by what was seen, and by whom: only one that is certain speaks by itself."""

from collections.abc import Callable

import pytest
from seats_at_table import Seats, at_turn, moved
from test_irregularities import BOARD, FAMILIES, LEGAL, MUST_CORRECT, START, end_turn

from boardctl.referee import read_ruleset
from boardctl.referee.effects import Certainty, PlayFault, TurnJudged
from boardctl.referee.facts import Choice
from boardctl.referee.readings import BoardReading, PlaceReading, StackChance, Witness, sure_reading
from boardctl.rules import Place, Placement, Seat, point, tray

MISPLAYS: dict[PlayFault, Placement] = {
    PlayFault.WRONG_PIPS: moved(BOARD, ("8", "5"), ("6", "4")),
    PlayFault.NUMBER_NOT_USED: moved(BOARD, ("8", "5")),
    PlayFault.BLOCKED_POINT: moved(BOARD, ("13", "12"), ("8", "5")),
    PlayFault.MOVED_BACKWARDS: moved(BOARD, ("8", "5"), ("13", "14")),
    PlayFault.OPPONENT_CHECKER_MOVED: moved(LEGAL, ("12", "11")),
    PlayFault.OWN_CHECKER_ON_BAR: moved(BOARD, ("8", "5"), ("6", "bar A")),
}
SURE = 0.9999


def rolled(family: str, confidence: float = 0.999) -> Seats:
    seats = at_turn(START, Seat.A, read_ruleset(family))
    seats.roll(Seat.A, 3, 1, confidence=confidence)
    return seats


def see(seats: Seats, witness: Witness, board: Placement, *hidden: int) -> None:
    places = seats.game.places
    seats.see(sure_reading(board, places, witness, SURE, hidden=[point(number) for number in hidden]))


def both_agree(family: str, board: Placement) -> Seats:
    seats = rolled(family)
    for witness in Witness:
        see(seats, witness, board)
    return seats


def camera_alone(family: str, board: Placement) -> Seats:
    seats = rolled(family)
    see(seats, Witness.CAMERA, board)
    return seats


def dice_not_read_for_sure(family: str, board: Placement) -> Seats:
    seats = rolled(family, confidence=0.95)
    for witness in Witness:
        see(seats, witness, board)
    return seats


def they_contradict_each_other(family: str, board: Placement) -> Seats:
    seats = rolled(family)
    see(seats, Witness.CAMERA, board)
    see(seats, Witness.SENSORS, LEGAL)
    return seats


def hidden_from_both(family: str, board: Placement) -> Seats:
    seats = rolled(family)
    changed = [place.number for place in board.differences(BOARD) if place.number]
    for witness in Witness:
        see(seats, witness, board, *changed)
    return seats


Evidence = Callable[[str, Placement], Seats]
CERTAIN, PROBABLE = Certainty.CERTAIN, Certainty.PROBABLE


def asked(seats: Seats) -> set[Choice]:
    prompt = seats.referee.state.prompt
    return set() if prompt is None else set(prompt.choices)


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("fault", MISPLAYS)
@pytest.mark.parametrize("evidence", [both_agree, camera_alone, dice_not_read_for_sure])
def test_what_was_seen_well_is_named_and_ruled_upon(evidence: Evidence, fault: PlayFault, family: str) -> None:
    seats = evidence(family, MISPLAYS[fault])
    end_turn(seats)
    judged = seats.judged
    assert judged.legal is False
    assert judged.finding is not None
    assert fault in judged.finding.faults
    needs_two = read_ruleset(family).witnesses_required == 2
    sure = evidence is both_agree or (evidence is camera_alone and not needs_two)
    assert judged.certainty is judged.finding.certainty is (CERTAIN if sure else PROBABLE)
    if family in MUST_CORRECT:
        # for certain it is required at once, otherwise the players are asked whether they see it, too
        assert asked(seats) == (set() if sure else {Choice.CONFIRM, Choice.DENY})
    else:
        assert asked(seats) == {Choice.ACCEPT, Choice.REQUIRE} | (set() if sure else {Choice.DENY})


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("fault", MISPLAYS)
@pytest.mark.parametrize("evidence", [they_contradict_each_other, hidden_from_both])
def test_what_was_not_seen_well_is_held_against_nobody(evidence: Evidence, fault: PlayFault, family: str) -> None:
    seats = evidence(family, MISPLAYS[fault])
    end_turn(seats)
    assert not [effect for effect in seats.effects if effect.kind == "turn_judged" and effect.legal is False]
    assert asked(seats) == set()
    if evidence is they_contradict_each_other:
        said = [effect.text.key for effect in seats.effects if effect.kind == "notice"]
        assert "turn.unclear" in said or "turn.overtaken" in said


def torn(seats: Seats, board: Placement, place: Place, *stacks: tuple[Seat, ...]) -> None:
    """Shows a board of which nobody sees one place: it is hidden from the camera, and sensors hold several stacks there
    to be as likely."""
    seats.see(sure_reading(board, seats.game.places, Witness.CAMERA, SURE, hidden=[place]))
    seen = sure_reading(board, [each for each in seats.game.places if each != place], Witness.SENSORS, SURE)
    chances = tuple(StackChance(stack, 0.9 / len(stacks)) for stack in stacks)
    seats.see(BoardReading(Witness.SENSORS, (*seen.places, PlaceReading(place, chances))))


@pytest.mark.parametrize("family", FAMILIES)
def test_a_legal_play_is_not_certain_where_a_checker_more_may_lie(family: str) -> None:
    seats, three, four = rolled(family), (Seat.B,) * 3, (Seat.B,) * 4
    torn(seats, LEGAL, point(17), three, four)
    end_turn(seats)
    assert seats.judged.legal is True
    assert seats.judged.certainty is PROBABLE


@pytest.mark.parametrize("family", FAMILIES)
def test_where_a_checker_went_that_is_gone_is_not_certain_if_nobody_sees_the_tray(family: str) -> None:
    seats = rolled(family)
    torn(seats, moved(BOARD, ("6", "5"), ("8", "off A")), tray(Seat.A), (), (Seat.A,))
    end_turn(seats)
    found = [effect.certainty for effect in seats.effects if isinstance(effect, TurnJudged)]
    assert CERTAIN not in found
