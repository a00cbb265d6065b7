"""The conversation in simulated time over lines that lose, double, delay, reorder, cut and invent."""

from random import Random

import pytest
from simulated_line import SimulatedLine, Wire

from firmware_bridge.errors import LinkDownError, NoAnswerError, NotABoardError, PortUnusableError, VersionRefusedError
from firmware_bridge.leds import LedFrame, Light
from firmware_bridge.news import Answered, SessionDown, SessionUp
from firmware_bridge.protocol import (
    CHANNEL_COUNT,
    ChannelClass,
    Config,
    ConfigState,
    EventRecord,
    Events,
    Hello,
    Ping,
    ResetCause,
    Stats,
    StatsRequest,
    encode,
)
from firmware_bridge.session import Session
from firmware_bridge.standin_firmware import StandInFirmware, StandInMake
from firmware_bridge.timings import BackOff, LinkTimings

WIRES: dict[str, dict[str, object]] = {
    "clean": {},
    "one byte at a time": {"piece_bytes": 1},
    "20 % lost": {"lose_percent": 20},
    "20 % doubled": {"double_percent": 20},
    "delayed up to 60 ms": {"delay_ms": (1, 60)},
    "delayed and reordered": {"delay_ms": (1, 60), "reorder": True},
    "garbage between frames": {"garbage_percent": 10},
    "everything at once": {
        "lose_percent": 10,
        "double_percent": 10,
        "delay_ms": (1, 40),
        "reorder": True,
        "garbage_percent": 5,
    },
}


def line_of(name: str) -> SimulatedLine:
    random = Random(name)
    settings = WIRES[name]
    return SimulatedLine(Wire(random, **settings), Wire(random, **settings))  # type: ignore[arg-type]


def clean_line(make: StandInMake | None = None) -> SimulatedLine:
    return SimulatedLine(Wire(Random(1)), Wire(Random(2)), make)


def shuffle_checkers(line: SimulatedLine, random: Random, changes: int) -> int:
    """Moves checkers about faster than two hands can; gets how many events that must make.

    The board keeps 32 events while the link is down, so at this pace an outage of three seconds loses none.
    """
    for _ in range(changes):
        channel = random.randrange(CHANNEL_COUNT)
        others = [kind for kind in ChannelClass if kind != line.sensed[channel]]
        line.sensed[channel] = random.choice(others)
        line.run(random.randint(90, 160))
    return changes


@pytest.mark.parametrize("name", WIRES)
def test_no_event_is_lost_or_doubled(name: str) -> None:
    line = line_of(name)
    line.run(500)
    made = shuffle_checkers(line, Random(7), 300)
    for _ in range(600):
        line.run(50)
        if len(line.events) >= made and line.agree:
            break
    assert [number for _, number, _ in line.events] == list(range(made))
    assert {boot for boot, _, _ in line.events} == {1}
    assert line.agree


def test_ten_thousand_events_through_a_line_that_loses_a_fifth() -> None:
    line = line_of("20 % lost")
    line.run(500)
    random = Random(11)
    made = 0
    while made < 10_000:
        changed = random.sample(range(CHANNEL_COUNT), 20)
        for channel in changed:
            line.sensed[channel] = random.choice([kind for kind in ChannelClass if kind != line.sensed[channel]])
        made += len(changed)
        for _ in range(2000):
            line.run(10)
            if line.firmware.settled and len(line.events) >= made:
                break
    assert [number for _, number, _ in line.events] == list(range(made))
    assert line.agree
    ticket = line.session.ask(StatsRequest())
    line.run(2000)
    (stats,) = [entry.answer for entry in line.news if isinstance(entry, Answered) and entry.ticket == ticket]
    assert isinstance(stats, Stats)
    assert stats.events_resent > 1000, "the line is as bad as it should be"


def test_event_order_and_device_times_are_those_of_the_board() -> None:
    line = line_of("delayed and reordered")
    line.run(500)
    shuffle_checkers(line, Random(5), 50)
    line.run(1000)
    times = [record.device_ms for _, _, record in line.events]
    assert times == sorted(times)
    host_ms = [line.clock.host_ms(ms) for ms in times]
    assert all(abs(host - (ms + 1000)) <= 60 for host, ms in zip(host_ms, times, strict=True))


def test_board_is_up_within_a_few_milliseconds_of_its_start() -> None:
    line = clean_line()
    line.run(10)
    (up,) = [entry for entry in line.news if isinstance(entry, SessionUp)]
    assert up.restarted
    assert up.ident.reset_cause is ResetCause.POWER_ON


def test_boot_noise_and_half_frames_do_not_keep_the_board_from_being_found() -> None:
    line = clean_line()
    line.to_host._put(b"\xf0\x9f\x00\x12garbage" + encode(Ping(1))[:-3], line.now_ms)
    line.run(200)
    assert line.session.up


def test_unplugging_in_mid_frame_loses_nothing() -> None:
    line = clean_line()
    line.run(100)
    line.to_host.piece_bytes = 1
    line.to_host.delay_ms = (3, 3)
    line.sensed[5] = ChannelClass.LIGHT
    line.run(25)
    line.to_host._flying = line.to_host._flying[:4]  # the cable takes four bytes of the frame
    line.plugged = False
    line.close(PortUnusableError("unplugged"))
    line.sensed[6] = ChannelClass.DARK
    line.run(2000)
    line.plugged = True
    line.run(1500)
    assert [(number, record.source) for _, number, record in line.events] == [(0, 5), (1, 6)]
    assert line.agree
    assert not [entry for entry in line.news if isinstance(entry, SessionUp)][-1].restarted


def test_reset_is_noticed_and_what_changed_meanwhile_is_no_event() -> None:
    line = clean_line()
    line.run(100)
    line.sensed[3] = ChannelClass.LIGHT
    line.boot(ResetCause.BROWN_OUT)
    line.run(200)
    downs = [entry for entry in line.news if isinstance(entry, SessionDown)]
    ups = [entry for entry in line.news if isinstance(entry, SessionUp)]
    assert len(downs) == 1
    assert "brown-out" in downs[0].reason
    assert ups[-1].restarted
    assert line.events == []
    assert line.agree
    assert line.failures == []


def test_reset_whose_announcement_is_lost_is_noticed_by_the_next_answer() -> None:
    line = clean_line()
    line.run(100)
    line.boot(ResetCause.WATCHDOG)
    line.firmware.take_output()
    line.run(1500)
    assert len([entry for entry in line.news if isinstance(entry, SessionUp)]) == 2
    assert line.agree


def test_events_of_an_older_boot_never_mix_with_those_of_a_newer() -> None:
    line = clean_line()
    line.run(100)
    line.boot(ResetCause.EXTERNAL)
    line.run(100)
    stale = Events(1, 0, 0, (EventRecord(5, 9, 1),))
    line._hear(line.session.receive(encode(stale), line.now_ms / 1000))
    assert line.events == []


def test_overfull_ring_holds_changes_back_instead_of_losing_them() -> None:
    line = clean_line()
    line.run(100)
    line.plugged = False
    line.close(PortUnusableError("unplugged"))
    for channel in range(CHANNEL_COUNT):
        line.sensed[channel] = ChannelClass.LIGHT
    line.run(4000)
    line.plugged = True
    line.run(3000)
    assert [number for _, number, _ in line.events] == list(range(CHANNEL_COUNT))
    assert line.agree


def test_change_that_came_and_went_while_the_ring_was_full_is_counted() -> None:
    line = clean_line()
    line.run(100)
    line.plugged = False
    line.close(PortUnusableError("unplugged"))
    for channel in range(40):
        line.sensed[channel] = ChannelClass.LIGHT
    line.run(200)
    for channel in range(40):
        line.sensed[channel] = ChannelClass.EMPTY
    line.run(200)
    line.plugged = True
    line.run(3000)
    assert line.agree
    ticket = line.session.ask(StatsRequest())
    line.run(20)
    (stats,) = [e.answer for e in line.news if isinstance(e, Answered) and e.ticket == ticket]
    assert isinstance(stats, Stats)
    assert stats.overflow_count == 8


def test_older_firmware_is_refused_saying_so_and_what_to_run() -> None:
    line = clean_line(StandInMake(protocol=(0, 9), firmware_version=(0, 0, 3)))
    line.session.tick(line.now_ms / 1000)
    with pytest.raises(VersionRefusedError, match=r"firmware is older.*0\.0\.3.*boardctl firmware flash --port "):
        refused(line)


def test_newer_firmware_is_refused_saying_so_and_what_to_run() -> None:
    with pytest.raises(VersionRefusedError, match=r"this program is older.*run: git pull, then \.venv"):
        refused(clean_line(StandInMake(protocol=(2, 0))))


def refused(line: SimulatedLine) -> None:
    line.run(20)
    raise line.failures[0]


def test_newer_minor_version_is_accepted() -> None:
    line = clean_line(StandInMake(protocol=(1, 9)))
    line.run(20)
    assert line.session.up


def test_silent_port_is_given_up_after_three_seconds_of_greeting() -> None:
    session = Session(LinkTimings())
    session.open(0.0)
    hellos = 0
    for step in range(3000):
        session.tick(step / 1000)
        hellos += session.take_output().count(encode(Hello(sequence=1)))
    assert hellos == 40
    with pytest.raises(NoAnswerError, match="powered"):
        session.tick(3.0)


def test_port_that_talks_garbage_is_named_so() -> None:
    session = Session(LinkTimings())
    session.open(0.0)
    for step in range(3000):
        session.receive(b"$GPGGA,123519,4807.038,N\r\n\0", step / 1000)
        session.tick(step / 1000)
    with pytest.raises(NotABoardError, match="not as a sensor board"):
        session.tick(3.0)


def test_board_that_falls_silent_fails_the_link_within_a_ping_and_750_ms() -> None:
    line = clean_line()
    line.run(100)
    line.to_board.lose_percent = 100
    line.run(1700)
    assert isinstance(line.failures[0], NoAnswerError)
    assert "unanswered for 750 ms, sent 5 times" in str(line.failures[0])


def test_lost_request_is_sent_again_after_about_as_long_as_answers_take() -> None:
    line = clean_line()
    line.run(100)
    line.to_board.lose_percent = 100
    ticket = line.session.ask(StatsRequest())
    line.run(5)
    line.to_board.lose_percent = 0
    asked_ms = line.now_ms
    while not any(isinstance(entry, Answered) and entry.ticket == ticket for entry in line.news):
        line.step()
        assert line.now_ms - asked_ms < 60


def test_slow_board_is_given_time_and_not_asked_twice() -> None:
    line = clean_line()
    line.to_host.delay_ms = line.to_board.delay_ms = (100, 100)
    line.run(5000)
    assert line.session.up
    assert line.failures == []
    before = line.firmware._counts["frames"]
    for _ in range(5):
        line.session.ask(StatsRequest())
        line.run(400)
    assert line.firmware._counts["frames"] - before <= 5 + 3, "five requests and two or three pings"


def test_request_while_the_board_is_away_is_refused_at_once() -> None:
    session = Session(LinkTimings())
    session.open(0.0)
    with pytest.raises(LinkDownError):
        session.ask(StatsRequest())


def test_request_in_flight_over_a_reset_is_answered_with_the_reason() -> None:
    line = clean_line()
    line.run(100)
    line.to_board.lose_percent = 100
    ticket = line.session.ask(StatsRequest())
    line.run(2)
    line.to_board.lose_percent = 0
    line.boot(ResetCause.BROWN_OUT)
    line.run(100)
    (answer,) = [e.answer for e in line.news if isinstance(e, Answered) and e.ticket == ticket]
    assert isinstance(answer, LinkDownError)


def test_at_most_three_requests_fly_and_only_one_led_part() -> None:
    line = clean_line()
    line.run(100)
    for _ in range(10):
        line.session.ask(StatsRequest())
    line.session.show(LedFrame(tuple(Light(n, 0, 0) for n in range(60))).parts())
    line.session.pump(line.now_ms / 1000)
    assert line.session.take_output().count(b"\0") == 3
    line.run(600)  # the output above went nowhere, so everything is sent again
    assert line.firmware.shown[59] == Light(59, 0, 0)


def test_newer_led_frame_takes_the_place_of_one_still_waiting() -> None:
    line = clean_line()
    line.run(100)
    for red in range(100):
        line.session.show(LedFrame.of({0: Light(red, 0, 0)}).parts())
        line.session.pump(line.now_ms / 1000)
    line.run(100)
    assert line.firmware.shown[0] == Light(99, 0, 0)
    stats = line.session.ask(StatsRequest())
    line.run(20)
    (answer,) = [e.answer for e in line.news if isinstance(e, Answered) and e.ticket == stats]
    assert isinstance(answer, Stats)
    assert answer.led_frames <= 3


def test_frames_offered_faster_than_the_line_carries_them_are_lit_all_the_same() -> None:
    line = clean_line()
    line.to_board.delay_ms = (5, 5)
    line.run(100)
    lit = set()
    for red in range(200):  # each takes two messages and their acknowledgements
        line.session.show(LedFrame(tuple(Light(red, led, 0) for led in range(60))).parts())
        line.run(1)
        lit.add(line.firmware.shown[59].red)
    assert len(lit) > 10


def test_config_answers_with_its_own_crc() -> None:
    line = clean_line()
    line.run(100)
    ticket = line.session.ask(Config(debounce_scans=4))
    line.run(20)
    (answer,) = [e.answer for e in line.news if isinstance(e, Answered) and e.ticket == ticket]
    assert isinstance(answer, ConfigState)
    assert answer.crc == ConfigState(debounce_scans=4).crc


def test_back_off_doubles_from_half_a_second_to_ten_and_starts_again() -> None:
    back_off = BackOff(LinkTimings())
    assert [back_off.next_s() for _ in range(7)] == [0.5, 1.0, 2.0, 4.0, 8.0, 10.0, 10.0]
    back_off.reset()
    assert back_off.next_s() == 0.5


def test_board_resets_debounce_on_bounce() -> None:
    sensed = [ChannelClass.EMPTY] * CHANNEL_COUNT
    firmware = StandInFirmware(StandInMake(), sensed, 1, ResetCause.POWER_ON, Config())
    for now_ms in range(0, 200, 8):  # never three scans the same
        firmware.tick(now_ms)
        sensed[0] = ChannelClass.LIGHT if now_ms // 8 % 2 else ChannelClass.EMPTY
    assert not firmware._ring
