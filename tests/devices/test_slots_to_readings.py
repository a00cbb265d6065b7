"""The sensors as a witness: what the slots show is believed, and nothing beyond it."""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boardctl.devices.slots_to_readings import TRAY_COVERED_FROM, TRAY_SPOTS, SlotTrust, read_slots
from boardctl.referee.readings import BoardReading, PlaceReading, Witness
from boardctl.referee.seen.weighing import Evidence, weigh_graph
from boardctl.rules import Backgammon, Place, PlaceKind, Placement, Roll, Seat, bar, point, tray
from boardctl.rules.turn import begin, moves_in, plays_in
from boardctl.virtual.sensing import channel_classes
from boardctl.virtual.world import empty_world, set_up
from calibration import BoardGeometry
from firmware_bridge import CHANNEL_COUNT, ChannelClass, SlotMap
from firmware_bridge.protocol import SensorKind

SLOTS = SlotMap.reference()
EMPTY, LIGHT, DARK, UNKNOWN = ChannelClass
A, B = Seat.A, Seat.B
SIX = point(6)


def channels_of(place: Place) -> tuple[int, ...]:
    if place.kind is PlaceKind.POINT:
        return SLOTS.point(place.number)
    assert place.seat is not None
    return SLOTS.bar(place.seat.value) if place.kind is PlaceKind.BAR else SLOTS.tray(place.seat.value)


def with_row(place: Place, row: Sequence[ChannelClass]) -> list[ChannelClass]:
    classes = [EMPTY] * CHANNEL_COUNT
    for channel, kind in zip(channels_of(place), row, strict=True):
        classes[channel] = kind
    return classes


def read(place: Place, *row: ChannelClass) -> PlaceReading:
    return read_slots(with_row(place, row), SLOTS).at(place)


def sensed(board: Placement) -> BoardReading:
    """What the sensors say of a board on which everything lies in good order."""
    random = Random(2)
    world = set_up(empty_world(BoardGeometry(), random), board, random)
    seen: Mapping[int, ChannelClass] = channel_classes(world, SLOTS)
    return read_slots([seen.get(channel, EMPTY) for channel in range(CHANNEL_COUNT)], SLOTS)


def test_every_wired_place_is_read_and_no_other() -> None:
    reading = read_slots([EMPTY] * CHANNEL_COUNT, SLOTS)
    assert reading.witness is Witness.SENSORS
    places = {entry.place for entry in reading.places}
    assert places == {point(number) for number in range(1, 25)} | {bar(A), bar(B), tray(A), tray(B)}
    few = SlotMap.from_mapping({"points": {6: [3, 4]}})
    assert [entry.place for entry in read_slots([EMPTY] * CHANNEL_COUNT, few).places] == [SIX]
    assert reading.at(Place(PlaceKind.WAITING, 0, A)).hidden


@pytest.mark.parametrize("count", range(5))
@pytest.mark.parametrize(("kind", "seat"), [(LIGHT, A), (DARK, B)])
def test_a_row_that_is_not_full_is_counted(count: int, kind: ChannelClass, seat: Seat) -> None:
    reading = read(SIX, *[kind] * count, *[EMPTY] * (5 - count))
    assert reading.best == (seat,) * count
    assert 0.75 < reading.confidence < 0.99  # one more may lie on top unseen, so never sure
    if count:
        assert reading.likelihood((seat,) * (count + 1)) > reading.likelihood((seat,) * (count - 1))


def test_beyond_a_full_row_every_count_is_as_likely() -> None:
    reading = read(SIX, *[DARK] * 5)
    likelihoods = [reading.likelihood((B,) * count) for count in range(5, 16)]
    assert max(likelihoods) == pytest.approx(min(likelihoods))
    assert sum(likelihoods) > 0.98
    assert reading.likelihood((B,) * 4) < likelihoods[0] / 10
    assert reading.likelihood((B,) * 16) == 0


def test_a_blinded_slot_spreads_and_a_blind_place_is_hidden() -> None:
    reading = read(SIX, LIGHT, UNKNOWN, EMPTY, EMPTY, EMPTY)
    assert reading.likelihood((A,)) == pytest.approx(reading.likelihood((A, A)), rel=0.05)
    assert reading.confidence < 0.55
    blind = read(SIX, *[UNKNOWN] * 5)
    assert (blind.hidden, blind.best, blind.chances) == (True, None, ())


def test_a_checker_away_from_its_slot_is_still_a_checker_with_less_confidence() -> None:
    tidy, astray = read(SIX, LIGHT, EMPTY, EMPTY, EMPTY, EMPTY), read(SIX, EMPTY, EMPTY, LIGHT, EMPTY, EMPTY)
    assert astray.best == (A,)
    assert astray.confidence < tidy.confidence - 0.1


def test_two_colours_in_a_row_are_told_as_they_lie() -> None:
    assert read(SIX, LIGHT, DARK, EMPTY, EMPTY, EMPTY).best == (A, B)
    full = read(SIX, DARK, DARK, DARK, DARK, LIGHT)
    assert full.likelihood((B, B, B, B, A)) == pytest.approx(full.likelihood((B, B, B, B, A, A)))


def test_a_tray_tells_some_or_full_and_no_count() -> None:
    assert tuple(spot + 1 for spot in TRAY_SPOTS) == TRAY_COVERED_FROM
    none, some, full = (read(tray(A), *row) for row in ((EMPTY, EMPTY), (LIGHT, EMPTY), (LIGHT, LIGHT)))
    assert none.likelihood(()) == pytest.approx(none.likelihood((A,)))
    assert some.likelihood((A,) * 2) == pytest.approx(some.likelihood((A,) * 10))
    assert some.likelihood((A,) * 11) < some.likelihood((A,) * 10) / 10
    assert full.likelihood((A,) * 11) == pytest.approx(full.likelihood((A,) * 15))


def test_a_bar_holds_its_owners_checkers_only() -> None:
    reading = read(bar(A), LIGHT, EMPTY)
    assert reading.best == (A,)
    assert {seat for chance in reading.chances for seat in chance.stack} == {A}
    # The wrong colour is a misreading or a checker in the wrong place, so nothing is said with confidence.
    assert read(bar(A), DARK, EMPTY).confidence < 0.5


def test_seats_follow_the_colours_of_the_checkers() -> None:
    reading = read_slots(with_row(SIX, [LIGHT, LIGHT, EMPTY, EMPTY, EMPTY]), SLOTS, seats={LIGHT: B, DARK: A})
    assert reading.at(SIX).best == (B, B)


def test_hall_sensors_tell_a_count_and_leave_the_colour_open() -> None:
    classes = with_row(SIX, [UNKNOWN, UNKNOWN, EMPTY, EMPTY, EMPTY])
    reading = read_slots(classes, SLOTS, kind=SensorKind.HALL).at(SIX)
    assert reading.likelihood((A, A)) == pytest.approx(reading.likelihood((B, B)))
    assert 0.4 < reading.confidence < 0.5
    assert read_slots(classes, SLOTS, kind=SensorKind.HALL).at(point(5)).best == ()


def test_less_trust_is_less_confidence() -> None:
    classes = with_row(SIX, [LIGHT, LIGHT, EMPTY, EMPTY, EMPTY])
    wary = read_slots(classes, SLOTS, trust=SlotTrust(misread=0.05, astray=0.2)).at(SIX)
    assert wary.best == (A, A)
    assert wary.confidence < read_slots(classes, SLOTS).at(SIX).confidence - 0.1


@settings(max_examples=20, deadline=None)
@given(st.lists(st.sampled_from(list(ChannelClass)), min_size=CHANNEL_COUNT, max_size=CHANNEL_COUNT))
def test_whatever_the_channels_say_the_chances_are_likelihoods(classes: list[ChannelClass]) -> None:
    for place in read_slots(classes, SLOTS).places:
        likelihoods = [chance.likelihood for chance in place.chances]
        assert all(0 < likelihood < 1 for likelihood in likelihoods)
        assert sum(likelihoods) <= 1 + 1e-9
        assert all(a >= b - 1e-8 for a, b in pairwise(likelihoods))
        assert len({chance.stack for chance in place.chances}) == len(place.chances)


@pytest.mark.parametrize(("roll", "seed"), [((3, 1), 1), ((6, 5), 2), ((2, 2), 3), ((5, 4), 4), ((6, 6), 5)])
def test_the_play_that_was_made_is_the_likeliest_by_sensors_alone(roll: tuple[int, int], seed: int) -> None:
    game = Backgammon()
    start = game.start()
    turn = begin(game, start, A, Roll(*roll))
    ends = [play.position for play in plays_in(game, start, turn)]
    played = Random(seed).choice(ends)
    weights = weigh_graph(Evidence((sensed(played.placement()),), game.places), moves_in(game, start, turn))
    assert max(weights[end] for end in ends) == pytest.approx(weights[played])
