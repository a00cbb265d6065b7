"""What a sensor board tells, as facts: lifts and puts at once, the board at rest, its loss once."""

from random import Random

from boardctl.devices.sensor_witness import SensorWitness
from boardctl.devices.slots_to_readings import spot_mm
from boardctl.referee.facts import (
    BoardSeen,
    ButtonPressed,
    CheckerSensed,
    Device,
    DeviceChanged,
    DiceLifted,
    DiceRested,
    Fact,
    Role,
)
from boardctl.referee.readings import DiceReading, DieReading, Support, Witness
from boardctl.rules import Backgammon, Seat, point
from boardctl.virtual.sensing import channel_classes
from boardctl.virtual.world import empty_world, set_up
from calibration import BoardGeometry
from firmware_bridge import (
    CHANNEL_COUNT,
    BoardDown,
    BoardMissed,
    BoardRepaired,
    BoardUp,
    ButtonEvent,
    ChannelClass,
    ChannelEvent,
    SlotMap,
)
from firmware_bridge.protocol import Capability, Ident, ResetCause, SensorKind

SLOTS = SlotMap.reference()
GEOMETRY = BoardGeometry()
IDENT = Ident(1, 0, (1, 0, 0), "BOARD01", Capability.REFLECTANCE, 128, 60, ResetCause.POWER_ON, 7, 0, 0, 0, 0)
EMPTY, LIGHT, DARK, UNKNOWN = ChannelClass
TOP_OF_EIGHT = SLOTS.point(8)[2]
FIFTH = SLOTS.point(5)[0]


def starting_classes() -> tuple[ChannelClass, ...]:
    world = set_up(empty_world(GEOMETRY, Random(1)), Backgammon().start().placement(), Random(1))
    seen = channel_classes(world, SLOTS)
    return tuple(seen[channel] for channel in range(CHANNEL_COUNT))


def connected(kind: SensorKind = SensorKind.REFLECTANCE) -> SensorWitness:
    witness = SensorWitness(SLOTS, GEOMETRY, kind=kind)
    assert witness.feed(BoardUp(IDENT, starting_classes(), restarted=True), 0) == []
    witness.rested(300)
    return witness


def event(channel: int, now: ChannelClass, device_ms: int = 5) -> ChannelEvent:
    return ChannelEvent(channel, now, device_ms, 0.0, 7, 1)


def boards(facts: list[Fact]) -> list[BoardSeen]:
    return [fact for fact in facts if isinstance(fact, BoardSeen)]


def test_a_board_that_has_connected_is_told_when_it_has_been_at_rest() -> None:
    witness = SensorWitness(SLOTS, GEOMETRY)
    assert witness.rested(10_000) == []
    assert witness.due_ms is None
    witness.feed(BoardUp(IDENT, starting_classes(), restarted=True), 100)
    assert witness.due_ms == 400
    assert witness.rested(399) == []
    (seen,) = boards(witness.rested(400))
    assert seen.reading.witness is Witness.SENSORS
    assert seen.reading.at(point(8)).best == (Seat.A,) * 3
    assert witness.rested(9_000) == []


def test_lift_and_put_are_told_at_once_in_order_with_the_boards_own_times() -> None:
    witness = connected()
    lifted = witness.feed(event(TOP_OF_EIGHT, EMPTY, 1200), 1000)
    put = witness.feed(event(FIFTH, LIGHT, 1700), 1500)
    assert lifted == [CheckerSensed(1000, point(8), Seat.A, lifted=True, device_ms=1200)]
    assert put == [CheckerSensed(1500, point(5), Seat.A, lifted=False, device_ms=1700)]
    assert witness.rested(1700) == []
    (seen,) = boards(witness.rested(1800))
    assert (seen.at_ms, seen.device_ms) == (1800, 1700)
    assert seen.reading.at(point(5)).best == (Seat.A,)


def test_another_colour_over_a_slot_is_a_lift_and_a_put() -> None:
    witness = connected()
    facts = witness.feed(event(SLOTS.point(1)[0], LIGHT), 1000)
    assert [(fact.seat, fact.lifted) for fact in facts if isinstance(fact, CheckerSensed)] == [
        (Seat.B, True),
        (Seat.A, False),
    ]


def test_with_hall_sensors_a_checker_has_no_colour() -> None:
    witness = connected(SensorKind.HALL)
    (put,) = witness.feed(event(FIFTH, UNKNOWN), 1000)
    assert put == CheckerSensed(1000, point(5), None, lifted=False, device_ms=5)


def test_a_slot_under_a_die_is_blind_until_the_dice_are_lifted() -> None:
    witness = connected()
    x, y = spot_mm(GEOMETRY, SLOTS[FIFTH])
    witness.feed(event(FIFTH, LIGHT), 1000)
    die = DieReading(3, 0.99, True, Support.SURFACE, Seat.A, 0.0, (0.0, 0.0), (x + 4, y - 3))
    witness.hear(DiceRested(1500, DiceReading((die,))))
    (seen,) = boards(witness.rested(2000))
    assert seen.reading.at(point(5)).confidence < 0.6
    assert witness.feed(event(FIFTH, EMPTY), 2500) == []  # the die, not a checker
    witness.hear(DiceLifted(2600, 0))
    (seen,) = boards(witness.rested(3000))
    assert seen.reading.at(point(5)).best == ()


def test_loss_and_return_are_told_once_and_then_the_board_as_it_stands() -> None:
    witness = connected()
    gone = BoardDown("the port is gone", permanent=False)
    assert witness.feed(gone, 1000) == [DeviceChanged(1000, Device.SENSORS, working=False, reason="the port is gone")]
    assert witness.feed(gone, 2000) == []
    assert witness.rested(9000) == []
    back = witness.feed(BoardUp(IDENT, starting_classes(), restarted=True), 10_000)
    assert back == [DeviceChanged(10_000, Device.SENSORS, working=True)]
    assert len(boards(witness.rested(10_300))) == 1


def test_what_came_and_went_untold_is_told_as_a_board_and_not_as_moves() -> None:
    witness = connected()
    assert witness.feed(BoardRepaired(((FIFTH, EMPTY, DARK),)), 1000) == []
    (seen,) = boards(witness.rested(1300))
    assert seen.reading.at(point(5)).best == (Seat.B,)
    assert witness.feed(BoardMissed(3), 2000) == []
    assert len(boards(witness.rested(2300))) == 1


def test_the_boards_buttons_are_the_seats() -> None:
    witness = connected()
    assert witness.feed(ButtonEvent(1, True, 77, 0.0, 7, 1), 900) == [ButtonPressed(900, Role.B, 77)]
    assert witness.feed(ButtonEvent(1, False, 80, 0.0, 7, 2), 950) == []
