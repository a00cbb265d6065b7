"""Every board over cables that split, lose, double, delay, reorder, bend and invent: no event lost, none doubled."""

import time
from random import Random

import pytest

from firmware_bridge.bad_cable import FATES, BadCable, Fate
from firmware_bridge.board import BoardUp, SensorBoard, SensorEvent
from firmware_bridge.leds import LedFrame, Light
from firmware_bridge.ports import open_port
from firmware_bridge.protocol import CHANNEL_COUNT, ChannelClass
from firmware_bridge.rig import BoardRig
from firmware_bridge.timings import LinkTimings

QUICK = LinkTimings(back_off_first_s=0.05, back_off_last_s=0.1)


@pytest.mark.parametrize("fate", FATES.values(), ids=FATES)
def test_every_event_arrives_once_and_in_order(rig: BoardRig, fate: Fate) -> None:
    random = Random(7)
    with SensorBoard(
        rig.path, wait_s=15, timings=QUICK, opener=lambda path: BadCable(open_port(path), fate, random)
    ) as board:
        seen = [ChannelClass.EMPTY] * CHANNEL_COUNT
        events: list[SensorEvent] = []
        made = 0
        for _ in range(10):
            for channel in random.sample(range(CHANNEL_COUNT), 12):
                seen[channel] = ChannelClass.DARK if seen[channel] is ChannelClass.EMPTY else ChannelClass.EMPTY
                made += 1
            rig.set_channels(dict(enumerate(seen)))
            board.show(LedFrame.of({made % 60: Light(1, 2, 3)}))
            give_up = time.monotonic() + 20
            while len(events) < made and time.monotonic() < give_up:
                events += board.events(timeout_s=0.2)
        assert [event.number for event in events] == list(range(made))
        assert {event.boot_id for event in events} == {1}
        assert list(board.snapshot()) == seen
        last = LedFrame(tuple(Light(n, 2 * n, 60 - n) for n in range(60)))
        board.show(last)
        give_up = time.monotonic() + 20
        while rig.colours != tuple(light[:3] for light in last):
            assert time.monotonic() < give_up
            time.sleep(0.02)
        time.sleep(0.3)  # nothing that was under way may change it again
        assert rig.colours == tuple(light[:3] for light in last)


def test_unplugging_again_and_again_in_mid_frame_loses_nothing(rig: BoardRig) -> None:
    random = Random(5)
    with SensorBoard(rig.path, wait_s=10, timings=QUICK) as board:
        events: list[SensorEvent] = []
        for channel in range(8):
            rig.set_channels({channel: ChannelClass.LIGHT})
            time.sleep(random.uniform(0.015, 0.035))  # about when the event is on the wire
            rig.unplug()
            time.sleep(0.05)
            rig.replug()
            give_up = time.monotonic() + 10
            while not any(isinstance(report, BoardUp) for report in board.reports(timeout_s=0.5)):
                assert time.monotonic() < give_up
            events += board.events(timeout_s=0.2)
        assert [event.number for event in events] == list(range(8))
