"""Wrapping counters, the board's clock, and the picture that events and states add up to."""

import pytest

from firmware_bridge.counters import ClockSample, DeviceClock, steps_between
from firmware_bridge.picture import ChannelPicture, differing
from firmware_bridge.protocol import CHANNEL_COUNT, ChannelClass, EventRecord, State


def state(number: int, *light: int, boot_id: int = 1) -> State:
    classes = tuple(ChannelClass.LIGHT if c in light else ChannelClass.EMPTY for c in range(CHANNEL_COUNT))
    return State(boot_id, number, 0, 0, 0, classes)


@pytest.mark.parametrize(
    ("earlier", "later", "steps"), [(0, 5, 5), (5, 0, -5), (65535, 0, 1), (0, 65535, -1), (40000, 10, 25546)]
)
def test_steps_go_over_the_wrap(earlier: int, later: int, steps: int) -> None:
    assert steps_between(earlier, later) == steps


def test_clock_maps_by_the_fastest_answer() -> None:
    clock = DeviceClock()
    clock.add(ClockSample(1000, 1002, 501))
    clock.add(ClockSample(2000, 2200, 1600))
    assert clock.host_ms(1501) == 2001


def test_clock_trusts_an_old_fast_answer_less_and_less() -> None:
    clock = DeviceClock()
    clock.add(ClockSample(0, 2, 0))
    clock.add(ClockSample(60_000, 60_020, 59_700))  # the resonator lost 0.5 % in a minute
    assert clock.host_ms(59_700) == 60_010


def test_clock_goes_over_the_wrap_of_its_32_bits() -> None:
    clock = DeviceClock()
    clock.add(ClockSample(1000, 1000, 0xFFFFFFFF))
    assert clock.host_ms(9) == 1010


def test_clock_that_was_never_read_says_so() -> None:
    with pytest.raises(ValueError, match="no ping"):
        DeviceClock().host_ms(0)


def test_state_then_events_add_up() -> None:
    picture = ChannelPicture()
    picture.take_state(state(10, 3))
    picture.take_event(10, EventRecord(0, 4, ChannelClass.DARK))
    assert (picture.classes[3], picture.classes[4]) == (ChannelClass.LIGHT, ChannelClass.DARK)


def test_state_older_than_the_last_event_is_left_out() -> None:
    picture = ChannelPicture()
    picture.take_state(state(10))
    picture.take_event(10, EventRecord(0, 4, ChannelClass.DARK))
    assert picture.take_state(state(10)) == {}
    assert picture.classes[4] is ChannelClass.DARK


def test_event_that_a_state_already_held_changes_nothing() -> None:
    picture = ChannelPicture()
    picture.take_state(state(12, 4))
    picture.take_event(10, EventRecord(0, 4, ChannelClass.DARK))
    assert picture.classes[4] is ChannelClass.LIGHT


def test_one_good_state_repairs_the_picture_and_tells_what_was_wrong() -> None:
    picture = ChannelPicture()
    picture.take_state(state(10, 3))
    changed = picture.take_state(state(10, 3, 5))
    assert changed == {5: (ChannelClass.EMPTY, ChannelClass.LIGHT)}
    assert picture.take_state(state(0, 1, boot_id=2))
    assert picture.classes[1] is ChannelClass.LIGHT


def test_differing_channels_are_listed() -> None:
    assert differing(state(0, 1, 2).classes, state(0, 2, 3).classes) == (1, 3)
