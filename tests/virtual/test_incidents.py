"""Incidents at the virtual table: each happens, is told to the score, and leaves the table as it was."""

from contextlib import suppress
from dataclasses import replace
from random import Random

import pytest

from boardctl.referee.effects import Certainty, Notice, RollRead, Text
from boardctl.rules import Backgammon, BackgammonPosition, Roll, Seat, point
from boardctl.virtual.acts import FAST, Act
from boardctl.virtual.board_incidents import plain_move
from boardctl.virtual.house import HouseRules
from boardctl.virtual.incidents import INCIDENTS, UNTIDY, Incident, When, happen, possible
from boardctl.virtual.motions import Acts, Motions
from boardctl.virtual.occasion import Occasion
from boardctl.virtual.report import Outcome
from boardctl.virtual.score import Score
from boardctl.virtual.truth import IncidentTruth
from boardctl.virtual.world import empty_world, set_up
from calibration import BoardGeometry

GAME = Backgammon()
BOTH_OFF = BackgammonPosition.from_points([1, 0, 5, 3, 2] + [0] * 15 + [-2, -3, -5, -2])
CLOCKED = HouseRules(button_ends_turn=True, clock=True, sensors=True)


def occasion_of(incident: Incident, seed: int) -> Occasion:
    """Gets a table at which an incident can happen."""
    random = Random(seed)
    position = BOTH_OFF if incident in (Incident.CHECKER_FROM_TRAY, Incident.CHECKER_ASTRAY) else GAME.start()
    world = set_up(empty_world(BoardGeometry(), random), position.placement(), random)
    hands = Motions(world, FAST, random)
    house = CLOCKED if INCIDENTS[incident].when in (When.BEFORE_PLAY, When.ENDING_TURN) else HouseRules(sensors=True)
    occasion = Occasion(
        *(GAME, hands, random, house, Seat.A, position, Roll(3, 1)),
        with_cube=True,
        may_double=True,
        dice_told_apart=True,
    )
    if INCIDENTS[incident].when is When.BEFORE_PLAY:
        hands.world = replace(world, dice=occasion.thrown(Seat.A, 2))
    return occasion


def unheard(acts: Acts) -> list[Act]:
    """Gets acts about which nobody says anything."""
    done: list[Act] = []
    with suppress(StopIteration):
        done.append(next(acts))
        while True:
            done.append(acts.send([]))
    return done


@pytest.mark.parametrize("incident", Incident)
@pytest.mark.parametrize("seed", range(3))
def test_an_incident_happens_once_and_everything_is_put_back(incident: Incident, seed: int) -> None:
    occasion = occasion_of(incident, seed)
    assert incident in possible(INCIDENTS[incident].when, occasion)
    before = occasion.hands.world
    acts = unheard(happen(incident, occasion))
    assert [act.truth.kind for act in acts if isinstance(act.truth, IncidentTruth)] == [incident.value]
    if incident in UNTIDY:
        unheard(occasion.hands.tidy())
    after = occasion.hands.world
    assert after.placement() == before.placement()
    assert [die.value for die in after.dice] == [die.value for die in before.dice]
    assert (after.mugs, after.dark) == ((), False)
    assert after.cube is not None
    assert before.cube is not None
    assert replace(after.cube, yaw_deg=before.cube.yaw_deg) == before.cube  # laid back where it was, by a hand


def test_at_a_table_that_knows_only_some_nothing_else_happens() -> None:
    occasion = replace(occasion_of(Incident.THREE_DICE, 1), kinds=frozenset({Incident.THREE_DICE}))
    assert possible(When.BEFORE_ROLL, occasion) == (Incident.THREE_DICE,)
    assert possible(When.BEFORE_PLAY, occasion) == ()


def outcome(incident: Incident, effect: Notice | RollRead) -> tuple[Outcome, bool]:
    score = Score()
    score.happened(
        next(one.truth for one in unheard(happen(incident, occasion_of(incident, 1))) if one.truth is not None)
    )
    score.hear([effect])
    (item,) = score.report().items
    return item.outcome, item.wrongly_named


@pytest.mark.parametrize("incident", [one for one in Incident if one is not Incident.ONE_DIE_AGAIN])
def test_an_incident_is_found_by_the_words_that_name_it(incident: Incident) -> None:
    signs = INCIDENTS[incident].signs
    said = outcome(incident, Notice(Text.of("opening.roll")))
    assert said == (Outcome.MISSED if signs else Outcome.RIGHT, False)
    if signs and not signs[0].startswith("cube.withdrawn"):
        assert outcome(incident, Notice(Text.of(signs[0]))) == (Outcome.RIGHT, False)
    assert outcome(incident, RollRead(Seat.A, Roll(3, 1), True, Certainty.CERTAIN))[0] is Outcome.WRONG_CERTAIN


def test_another_name_is_a_wrong_name_and_false_where_nothing_happened() -> None:
    knocked, mug = Notice(Text.of("roll.board_changed")), Incident.MUG_ON_A_POINT
    assert outcome(Incident.DIE_TIPPED, knocked) == (Outcome.MISSED, True)
    assert outcome(mug, knocked) == (Outcome.WRONG_UNSURE, True)


def test_what_is_taken_from_a_stack_that_stays_taller_than_its_row_is_out_of_sight() -> None:
    truth = IncidentTruth(0, Incident.CHECKER_GONE.value, INCIDENTS[Incident.CHECKER_GONE].signs)
    board = GAME.start().placement()
    for height, signs in ((7, ()), (6, truth.signs), (3, truth.signs)):
        before = board.replaced({point(6): (Seat.A,) * height})
        after = board.replaced({point(6): (Seat.A,) * (height - 1)})
        assert truth.where_seen(before, after).signs == signs


def test_a_move_without_a_roll_is_never_a_whole_play_of_the_last_one() -> None:
    bearing_off = BackgammonPosition.from_points([0, 2, 1] + [0] * 18 + [-1, -1, -1])
    for seed in range(20):
        occasion = replace(occasion_of(Incident.MOVED_WITHOUT_ROLLING, seed), position=bearing_off, roll=Roll(6, 1))
        occasion.hands.world = set_up(occasion.hands.world, bearing_off.placement(), Random(seed))
        move = plain_move(occasion)
        if move is not None:
            moved = {play.position.placement() for play in GAME.plays(bearing_off, Seat.A, Roll(6, 1))}
            assert bearing_off.placement().at(move.source)
            taken = bearing_off.placement()
            stack = taken.at(move.source)[:-1]
            after = taken.replaced({move.source: stack, move.target: (*taken.at(move.target), Seat.A)})
            assert after not in moved
