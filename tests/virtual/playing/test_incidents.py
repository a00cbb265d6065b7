"""Incidents at the virtual table: each happens, is told to the score, and leaves the table as it was."""

from contextlib import suppress
from dataclasses import replace
from random import Random

import pytest

from boardctl.referee.effects import Certainty, Notice, RollRead, Text
from boardctl.rules import (
    Backgammon,
    BackgammonPosition,
    Faults,
    PlaceKind,
    Placement,
    Roll,
    Seat,
    WinKind,
    point,
    tray,
)
from boardctl.rules.games import GAMES
from boardctl.virtual import VirtualTable
from boardctl.virtual.playing.acts import FAST, Act
from boardctl.virtual.playing.board_incidents import plain_move
from boardctl.virtual.playing.doubling import on_field
from boardctl.virtual.playing.house import HouseRules
from boardctl.virtual.playing.incidents import BEGUN_WRONGLY, INCIDENTS, UNTIDY, Incident, When, happen, possible
from boardctl.virtual.playing.motions import Acts, Motions
from boardctl.virtual.playing.occasion import Occasion
from boardctl.virtual.playing.wrong_start import STILL_TOLD, WrongStart, begun
from boardctl.virtual.report import Outcome
from boardctl.virtual.score import Score
from boardctl.virtual.truth import IncidentTruth
from boardctl.virtual.world import empty_world, lifted, set_up
from calibration import BoardGeometry, board_for

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
        cube_owner=Seat.B if incident is Incident.CUBE_NOT_THEIRS else None,
        is_crawford=incident is Incident.CRAWFORD_DOUBLED,
        dice_told_apart=True,
    )
    if INCIDENTS[incident].when is When.BEFORE_PLAY:
        hands.world = replace(world, dice=occasion.thrown(Seat.A, 2))
    if INCIDENTS[incident].when in (When.BEFORE_ANSWER, When.TAKING):
        assert world.cube is not None
        hands.world = replace(world, cube=on_field(world, world.cube, Seat.B))
    if incident is Incident.START_PUT_RIGHT:
        wrong = WrongStart(Seat.A, point(6), None, noticed_after=1)
        hands.world, _ = lifted(world, wrong.belongs)
        return replace(occasion, wrong_start=wrong)
    return occasion


def unheard(acts: Acts) -> list[Act]:
    """Gets acts about which nobody says anything."""
    done: list[Act] = []
    with suppress(StopIteration):
        done.append(next(acts))
        while True:
            done.append(acts.send([]))
    return done


LASTING = (*BEGUN_WRONGLY, Incident.START_PUT_RIGHT, Incident.CUBE_PUT_ASIDE, Incident.CUBE_TAKEN_UNSAID)


@pytest.mark.parametrize("incident", Incident)
@pytest.mark.parametrize("seed", range(3))
def test_an_incident_happens_once(incident: Incident, seed: int) -> None:
    occasion = occasion_of(incident, seed)
    assert incident in possible(INCIDENTS[incident].when, occasion)
    acts = unheard(happen(incident, occasion))
    assert [act.truth.kind for act in acts if isinstance(act.truth, IncidentTruth)] == [incident.value]


@pytest.mark.parametrize("incident", [one for one in Incident if one not in LASTING])
@pytest.mark.parametrize("seed", range(3))
def test_after_an_incident_everything_is_put_back(incident: Incident, seed: int) -> None:
    occasion = occasion_of(incident, seed)
    before = occasion.hands.world
    unheard(happen(incident, occasion))
    if incident in UNTIDY:
        unheard(occasion.hands.tidy())
    after = occasion.hands.world
    assert after.placement() == before.placement()
    assert [die.value for die in after.dice] == [die.value for die in before.dice]
    assert (after.things, after.dark) == ((), False)
    assert after.cube is not None
    assert before.cube is not None
    assert replace(after.cube, yaw_deg=before.cube.yaw_deg) == before.cube  # laid back where it was, by a hand


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("seed", range(2))
def test_whatever_may_be_wrong_with_a_games_set_up_can_happen_there(name: str, seed: int) -> None:
    """Where all checkers enter from the bar, none can stand on a wrong point, or one too many on one."""
    game, random = GAMES[name], Random(seed)
    board, position = board_for(game, BoardGeometry()), game.start()
    world = set_up(empty_world(board, random), position.placement(), random)
    occasion = Occasion(game, Motions(world, FAST, random), random, HouseRules(), game.seats[0], position)
    may = possible(When.SETTING_UP, occasion)
    stands = any(place.kind is PlaceKind.POINT for place in position.placement())
    assert (Incident.WRONG_SET_UP in may) is stands
    for incident in may:
        done = [act.truth for act in unheard(happen(incident, occasion)) if isinstance(act.truth, IncidentTruth)]
        assert [truth.kind for truth in done] == [incident.value]


@pytest.mark.parametrize("tell", [True, False])
def test_sensors_that_tell_nothing_of_the_game_are_missed_by_nobody(tell: bool) -> None:
    table = VirtualTable(GAME, seed=3, sensors_lost=lambda working, at_ms: None, pictures=False, sensors_tell=tell)
    occasion = replace(occasion_of(Incident.SENSORS_LOST, 1), house=table._house)
    assert (Incident.SENSORS_LOST in possible(When.BEFORE_ROLL, occasion)) is tell


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


@pytest.mark.parametrize("incident", BEGUN_WRONGLY)
@pytest.mark.parametrize("seed", range(5))
def test_a_game_begun_from_a_wrong_set_up_is_whole_and_can_be_put_right(incident: Incident, seed: int) -> None:
    occasion = occasion_of(incident, seed)
    unheard(happen(incident, occasion))
    right, stands = GAME.start().placement(), occasion.hands.world.placement()
    wrong = begun(right, stands, Random(seed))
    whole = wrong.whole(stands)
    assert (wrong.stands is None) is (incident is Incident.BEGAN_SHORT)
    assert whole != right
    assert GAME.faults(whole) is Faults.NONE
    assert wrong.put_right(GAME, whole) == right
    assert wrong.noticed_after is not None
    rolls = [rolls for rolls in range(40) if wrong.is_noticed(rolls)]
    assert rolls == list(range(wrong.noticed_after, wrong.noticed_after + STILL_TOLD + 1))
    held = whole.replaced({wrong.belongs: (wrong.seat.other,) * 2})
    assert wrong.put_right(GAME, held) is None


def test_a_checker_left_in_the_case_was_never_borne_off() -> None:
    won = BackgammonPosition.from_points([0] * 12 + [-7, -7] + [0] * 10).placement()
    whole = won.replaced({tray(Seat.A): (Seat.A,) * 15, tray(Seat.B): (Seat.B,)})
    lost = GAME.result(GAME.position_of(whole))
    assert lost is not None
    assert lost.kind is WinKind.SINGLE
    counted = WrongStart(Seat.B, point(12), None, noticed_after=None).result(GAME, whole)
    assert counted is not None
    assert counted.kind is WinKind.GAMMON
    astray = WrongStart(Seat.B, point(12), point(20), noticed_after=None).result(GAME, whole)
    assert astray == lost


ON_POINTS = (
    Incident.BOARD_KNOCKED,
    Incident.CHECKER_GONE,
    Incident.MUG_ON_A_POINT,
    Incident.CAMERA_LOST_AND_KNOCKED,
    Incident.SENSORS_LOST_AND_KNOCKED,
)


@pytest.mark.parametrize("incident", ON_POINTS)
def test_where_all_checkers_are_on_the_bar_or_off_nothing_happens_to_those_on_points(incident: Incident) -> None:
    occasion = occasion_of(incident, 1)
    hands = occasion.hands
    hands.world = replace(hands.world, checkers=())
    assert incident not in possible(INCIDENTS[incident].when, occasion)
    hands.world = set_up(hands.world, Placement({point(6): (Seat.A,)}), Random(1))
    assert incident in possible(INCIDENTS[incident].when, occasion)
    assert unheard(happen(incident, occasion))
