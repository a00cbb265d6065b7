"""A sensor board at the table: its facts as they happen, its loss said once, its checkers' targets lit."""

import asyncio
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random

from boardctl.devices.sensor_witness import SensorWitness
from boardctl.records import Journal
from boardctl.referee import Referee, read_ruleset
from boardctl.referee.effects import Certainty, Sign, TurnJudged
from boardctl.referee.facts import (
    BoardSeen,
    CheckerSensed,
    Device,
    DeviceChanged,
    DiceRested,
    Fact,
    HandSeen,
    PositionDeclared,
)
from boardctl.referee.readings import DiceReading, DieReading, Support, Witness, sure_reading
from boardctl.rules import Backgammon, Place, Roll, Seat, point
from boardctl.table import Desk, Lighting, SensorsInStep, SensorSource, WitnessTally, run_table
from boardctl.virtual.sensing import channel_classes
from boardctl.virtual.world import empty_world, set_up
from calibration import BoardGeometry
from firmware_bridge import ChainLayout, ChannelClass, SensorBoard, SlotMap, StandInBoard

SLOTS, GEOMETRY, GAME = SlotMap.reference(), BoardGeometry(), Backgammon()
TOP_OF_EIGHT = SLOTS.point(8)[2]
GIVE_UP_S = 15


@contextmanager
def connected() -> Iterator[tuple[StandInBoard, SensorSource, SensorBoard]]:
    """Gets a stand-in under the starting position, the source of its facts and the board as the host has it."""
    began_s = time.monotonic()
    source = SensorSource(SensorWitness(SLOTS, GEOMETRY), lambda: round((time.monotonic() - began_s) * 1000))
    start = set_up(empty_world(GEOMETRY, Random(1)), GAME.start().placement(), Random(1))
    with StandInBoard() as standin:
        classes = channel_classes(start, SLOTS)
        standin.set_channels(classes)
        with SensorBoard(standin.path, listen=source.hear, wait_s=3) as board:
            give_up_s = time.monotonic() + GIVE_UP_S
            while any(board.snapshot()[channel] is not kind for channel, kind in classes.items()):
                assert time.monotonic() < give_up_s
                time.sleep(0.005)
            yield standin, source, board


def facts_until(source: SensorSource, done: Callable[[list[Fact]], bool]) -> list[Fact]:
    async def gather() -> list[Fact]:
        found: list[Fact] = []
        async with asyncio.timeout(GIVE_UP_S):
            async for fact in source.facts():
                found.append(fact)
                if done(found):
                    return found
        return found

    return asyncio.run(gather())


def test_a_lifted_checker_is_a_fact_and_the_board_follows_when_it_rests() -> None:
    with connected() as (standin, source, _):
        facts_until(source, lambda found: isinstance(found[-1], BoardSeen))
        standin.set_channels({TOP_OF_EIGHT: ChannelClass.EMPTY})
        lifted, seen = facts_until(source, lambda found: isinstance(found[-1], BoardSeen))
        assert isinstance(lifted, CheckerSensed)
        assert isinstance(seen, BoardSeen)
        assert (lifted.place, lifted.seat, lifted.lifted) == (point(8), Seat.A, True)
        assert lifted.device_ms == seen.device_ms
        assert 290 <= seen.at_ms - lifted.at_ms < 1500
        assert seen.reading.at(point(8)).best == (Seat.A,) * 2


def test_a_cable_that_is_pulled_is_said_once_and_what_changed_meanwhile_is_no_move() -> None:
    with connected() as (standin, source, _):
        facts_until(source, lambda found: isinstance(found[-1], BoardSeen))
        standin.unplug()
        standin.set_channels({TOP_OF_EIGHT: ChannelClass.EMPTY})
        (gone,) = facts_until(source, lambda found: True)
        assert isinstance(gone, DeviceChanged)
        assert (gone.device, gone.working) == (Device.SENSORS, False)
        standin.replug()
        found = facts_until(source, lambda found: isinstance(found[-1], BoardSeen))
        back = [fact for fact in found if isinstance(fact, DeviceChanged)]
        assert [fact.working for fact in back] == [True]
        assert isinstance(found[-1], BoardSeen)
        assert found[-1].reading.at(point(8)).best == (Seat.A,) * 2


def test_targets_are_lit_on_the_board_when_a_checker_is_lifted(tmp_path: Path) -> None:
    referee = Referee(GAME, read_ruleset("teaching"))
    with connected() as (standin, source, board), Journal.create(tmp_path / "a.journal", {}) as journal:
        desk = Desk(journal, referee, [Lighting(board)])
        desk.handle(PositionDeclared(0, "resync", sure_reading(GAME.start().placement(), GAME.places), Seat.A))
        desk.handle(DiceRested(1, DiceReading((die(3), die(1)))))
        standin.set_channels({TOP_OF_EIGHT: ChannelClass.EMPTY})
        asyncio.run(run_table(desk, [source], until=lambda: targets(referee) == {point(5), point(7)}))
        give_up_s = time.monotonic() + GIVE_UP_S
        while not any(standin.led_frame[ChainLayout().tip(5)][:3]) and time.monotonic() < give_up_s:
            time.sleep(0.01)
        assert any(standin.led_frame[ChainLayout().tip(5)][:3])
        assert any(standin.led_frame[ChainLayout().tip(7)][:3])
        assert not any(standin.led_frame[ChainLayout().tip(4)][:3])


def test_a_table_in_virtual_time_knows_at_once_what_its_sensors_see() -> None:
    with connected() as (standin, _, board):
        sensors = SensorsInStep(board, SensorWitness(SLOTS, GEOMETRY))
        sensors.facts(0)
        (start,) = sensors.facts(1000)
        assert isinstance(start, BoardSeen)
        standin.set_channels({TOP_OF_EIGHT: ChannelClass.EMPTY})
        sensors.changed({TOP_OF_EIGHT: ChannelClass.EMPTY}, 5000)
        (lifted,) = sensors.facts(5100)
        assert isinstance(lifted, CheckerSensed)
        assert lifted.at_ms == 5000
        (seen,) = sensors.facts(5300)
        assert isinstance(seen, BoardSeen)


def test_the_tally_counts_at_the_end_of_a_turn_where_the_witnesses_agreed() -> None:
    start = GAME.start().placement()
    elsewhere = start.replaced({point(8): (Seat.A,) * 2})
    readings = {
        Witness.CAMERA: sure_reading(start, GAME.places),
        Witness.SENSORS: sure_reading(elsewhere, GAME.places, Witness.SENSORS),
    }
    tally = WitnessTally(lambda: readings)
    assert tally.line == "camera and sensors: no turn was seen by both"
    judged = TurnJudged(Seat.A, Roll(3, 1), None, True, Certainty.CERTAIN, start, start)
    tally(HandSeen(0, present=False), [])
    tally(HandSeen(0, present=False), [judged])
    assert tally.line == "camera and sensors at the end of 1 turns: agreed at 27 places, disagreed at 1: point 8 (1)"


def die(value: int) -> DieReading:
    return DieReading(value, 0.999, True, Support.SURFACE, Seat.A, 0.0, (0.0, 0.0), (200.0 + 30 * value, 0.0))


def targets(referee: Referee) -> set[Place | None]:
    return {mark.place for mark in referee.state.scene.marks if mark.sign is Sign.TARGET}
