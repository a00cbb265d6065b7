"""What every sensor board promises, seen through the host's link over a real pty."""

import time
from collections.abc import Callable

import pytest

from firmware_bridge.board import BoardDown, BoardReport, BoardUp, ButtonEvent, ChannelEvent, SensorBoard, SensorEvent
from firmware_bridge.errors import RequestRefusedError
from firmware_bridge.leds import NO_HOST_FRAME, LedFrame, Light
from firmware_bridge.protocol import CHANNEL_COUNT, LED_COUNT, ChannelClass, Config, ResetCause
from firmware_bridge.rig import BoardRig

LIMIT_S = 15.0
"""How long a test waits for what must come; far beyond what it takes, as the machine may be busy."""

CHECKER = ChannelClass.LIGHT


def eventually(holds: Callable[[], object]) -> bool:
    give_up = time.monotonic() + LIMIT_S
    while not holds():
        if time.monotonic() > give_up:
            return False
        time.sleep(0.01)
    return True


def collect(board: SensorBoard, count: int) -> list[SensorEvent]:
    """Gets at least ``count`` events, and those that come in the tenth of a second after them."""
    found: list[SensorEvent] = []
    give_up = time.monotonic() + LIMIT_S
    while len(found) < count and time.monotonic() < give_up:
        found += board.events(timeout_s=0.5)
    return found + board.events(timeout_s=0.1)


def comes_up(board: SensorBoard) -> BoardUp:
    give_up = time.monotonic() + LIMIT_S
    while time.monotonic() < give_up:
        for report in board.reports(timeout_s=0.5):
            if isinstance(report, BoardUp):
                return report
    raise AssertionError("the board did not come back")


def goes_down(board: SensorBoard) -> BoardDown:
    give_up = time.monotonic() + LIMIT_S
    while time.monotonic() < give_up:
        for report in board.reports(timeout_s=0.5):
            if isinstance(report, BoardDown):
                return report
    raise AssertionError("the board did not go down")


def comes_back(board: SensorBoard) -> BoardUp:
    """Gets the report of the board's return, once it was told to be gone; both may be told in one go."""
    reports: list[BoardReport] = []
    give_up = time.monotonic() + LIMIT_S
    while time.monotonic() < give_up:
        reports += board.reports(timeout_s=0.5)
        gone = next((at for at, report in enumerate(reports) if isinstance(report, BoardDown)), len(reports))
        back = next((report for report in reports[gone:] if isinstance(report, BoardUp)), None)
        if back is not None:
            return back
    raise AssertionError(f"the board did not go and come back: {reports}")


def test_board_says_who_it_is(board: SensorBoard) -> None:
    ident = board.wait_connected(1)
    assert (ident.major, ident.channel_count, ident.led_count) == (1, CHANNEL_COUNT, LED_COUNT)
    assert ident.reset_cause is ResetCause.POWER_ON
    assert board.connected


def test_empty_board_is_seen_empty(board: SensorBoard) -> None:
    assert board.snapshot() == (ChannelClass.EMPTY,) * CHANNEL_COUNT


def test_checkers_that_lie_there_at_the_start_are_state_and_not_events(rig: BoardRig) -> None:
    rig.set_channels({0: ChannelClass.LIGHT, 127: ChannelClass.DARK})
    rig.reset()
    with SensorBoard(rig.path, wait_s=5) as board:
        assert eventually(lambda: board.snapshot()[127] is ChannelClass.DARK)
        assert board.snapshot()[0] is ChannelClass.LIGHT
        assert board.events(timeout_s=0.2) == []


@pytest.mark.parametrize("kind", [ChannelClass.LIGHT, ChannelClass.DARK])
@pytest.mark.parametrize("channel", [0, 15, 64, 127])
def test_checker_put_down_and_lifted_is_two_events(
    board: SensorBoard, rig: BoardRig, channel: int, kind: ChannelClass
) -> None:
    rig.set_channels({channel: kind})
    (down,) = collect(board, 1)
    rig.set_channels({channel: ChannelClass.EMPTY})
    (up,) = collect(board, 1)
    assert isinstance(down, ChannelEvent)
    assert isinstance(up, ChannelEvent)
    assert (down.channel, down.now) == (channel, kind)
    assert (up.channel, up.now) == (channel, ChannelClass.EMPTY)
    assert up.number == down.number + 1
    assert up.device_ms > down.device_ms
    assert board.snapshot()[channel] is ChannelClass.EMPTY


def test_device_time_is_mapped_to_host_time(board: SensorBoard, rig: BoardRig) -> None:
    before_ms = time.monotonic() * 1000
    rig.set_channels({7: CHECKER})
    (event,) = collect(board, 1)
    after_ms = time.monotonic() * 1000
    assert before_ms - 20 <= event.host_ms <= after_ms + 20


def test_all_channels_at_once_are_all_told_once(board: SensorBoard, rig: BoardRig) -> None:
    rig.set_channels(dict.fromkeys(range(CHANNEL_COUNT), ChannelClass.DARK))
    events = collect(board, CHANNEL_COUNT)
    assert sorted(event.channel for event in events if isinstance(event, ChannelEvent)) == list(range(CHANNEL_COUNT))
    assert [event.number for event in events] == list(range(CHANNEL_COUNT))
    assert board.snapshot() == (ChannelClass.DARK,) * CHANNEL_COUNT
    assert board.state().classes == board.snapshot()
    assert board.stats().overflow_count == 0


def test_seat_buttons_are_told(board: SensorBoard, rig: BoardRig) -> None:
    rig.press_button(1)
    (down,) = collect(board, 1)
    assert board.state().buttons == 0b10
    rig.release_button(1)
    (up,) = collect(board, 1)
    assert isinstance(down, ButtonEvent)
    assert isinstance(up, ButtonEvent)
    assert (down.button, down.down) == (1, True)
    assert (up.button, up.down) == (1, False)


def test_frame_is_lit_as_sent(board: SensorBoard, rig: BoardRig) -> None:
    frame = LedFrame(tuple(Light(n, 60 - n, n % 7) for n in range(LED_COUNT)))
    board.show(frame)
    wanted = tuple(light[:3] for light in frame)
    assert eventually(lambda: rig.colours == wanted)


def test_showing_a_frame_again_changes_nothing(board: SensorBoard, rig: BoardRig) -> None:
    frame = LedFrame.of({3: Light(1, 2, 3)})
    for _ in range(5):
        board.show(frame)
    assert eventually(lambda: rig.colours[3] == (1, 2, 3))
    assert [colour for colour in rig.colours if any(colour)] == [(1, 2, 3)]


def test_light_blinks_without_the_host(board: SensorBoard, rig: BoardRig) -> None:
    board.show(LedFrame.of({3: Light(50, 0, 0, 0b00001111), 4: Light(0, 50, 0)}))
    assert eventually(lambda: rig.colours[3] == (50, 0, 0))
    assert eventually(lambda: rig.colours[3] == (0, 0, 0))
    assert rig.colours[4] == (0, 50, 0)
    assert eventually(lambda: rig.colours[3] == (50, 0, 0))


def test_current_budget_is_kept_by_the_board(board: SensorBoard, rig: BoardRig) -> None:
    board.configure(Config(current_budget_ma=1000))
    white = LedFrame((Light(255, 255, 255),) * LED_COUNT)
    board.show(white)
    wanted = white.within(1000)[0][:3]
    assert eventually(lambda: set(rig.colours) == {wanted})
    assert sum(sum(colour) for colour in rig.colours) * 20 / 255 <= 1000
    assert board.stats().led_current_ma <= 1000


def test_settings_are_echoed_with_their_crc(board: SensorBoard) -> None:
    asked = Config(brightness=200, empty_below=70)
    echoed = board.configure(asked)
    assert (echoed.brightness, echoed.empty_below) == (200, 70)
    assert board.configure().crc == echoed.crc


@pytest.mark.parametrize("config", [Config(debounce_scans=0), Config(current_budget_ma=5000), Config(host_lost_ms=1)])
def test_setting_out_of_range_is_refused_and_the_old_one_stays(board: SensorBoard, config: Config) -> None:
    before = board.configure()
    with pytest.raises(RequestRefusedError, match="out of range"):
        board.configure(config)
    assert board.configure().crc == before.crc


def test_beep_sounds_as_often_as_asked(board: SensorBoard, rig: BoardRig) -> None:
    board.beep(2000, 30, repeats=2)
    assert eventually(lambda: len(rig.tones) == 2)
    for tone in rig.tones:
        assert tone.frequency_hz == pytest.approx(2000, rel=0.03)
        assert tone.duration_ms == pytest.approx(30, abs=3)


def test_raw_values_tell_a_light_checker_from_a_dark_one_from_none(board: SensorBoard, rig: BoardRig) -> None:
    rig.set_channels({100: ChannelClass.LIGHT, 101: ChannelClass.DARK})
    collect(board, 2)
    raw = board.raw()
    assert len(raw) == CHANNEL_COUNT
    assert raw[100] > raw[101] > raw[102]


# ---- faults


def test_reset_in_mid_turn_is_told_and_differences_are_not_events(board: SensorBoard, rig: BoardRig) -> None:
    rig.set_channels({1: CHECKER})
    collect(board, 1)
    boot_id = board.wait_connected(1).boot_id
    rig.pause()
    rig.set_channels({1: ChannelClass.EMPTY, 2: CHECKER})
    rig.reset()
    up = comes_back(board)
    assert up.restarted
    assert up.ident.boot_id != boot_id
    assert up.ident.reset_cause is ResetCause.EXTERNAL
    assert eventually(lambda: board.snapshot()[2] is CHECKER and board.snapshot()[1] is ChannelClass.EMPTY)
    assert board.events(timeout_s=0.2) == []


def test_brown_out_is_named(board: SensorBoard, rig: BoardRig) -> None:
    rig.reset(ResetCause.BROWN_OUT)
    assert comes_up(board).ident.reset_cause is ResetCause.BROWN_OUT


def test_hanging_firmware_is_started_again_by_its_watchdog(board: SensorBoard, rig: BoardRig) -> None:
    rig.hang()
    assert comes_up(board).ident.reset_cause is ResetCause.WATCHDOG


def test_frame_is_lit_again_after_a_reset(board: SensorBoard, rig: BoardRig) -> None:
    board.show(LedFrame.of({9: Light(9, 9, 9)}))
    assert eventually(lambda: rig.colours[9] == (9, 9, 9))
    rig.reset()
    comes_up(board)
    assert eventually(lambda: rig.colours[9] == (9, 9, 9))


def test_unplugging_loses_and_doubles_no_event(board: SensorBoard, rig: BoardRig) -> None:
    rig.set_channels({1: CHECKER})
    first = collect(board, 1)
    rig.unplug()
    goes_down(board)
    rig.set_channels({2: CHECKER})
    rig.replug()
    up = comes_up(board)
    assert not up.restarted
    rig.set_channels({3: CHECKER})
    events = first + collect(board, 2)
    assert [event.channel for event in events if isinstance(event, ChannelEvent)] == [1, 2, 3]
    assert [event.number for event in events] == [0, 1, 2]


def test_board_that_is_paused_long_is_lost_and_found_again_without_loss(board: SensorBoard, rig: BoardRig) -> None:
    rig.pause()
    rig.set_channels({5: CHECKER})
    goes_down(board)
    rig.resume()
    comes_up(board)
    events = collect(board, 1)
    assert [event.channel for event in events if isinstance(event, ChannelEvent)] == [5]


def test_noise_and_boot_chatter_between_frames_are_survived(board: SensorBoard, rig: BoardRig) -> None:
    for number in range(20):
        rig.babble(b"\x80\xfe boot loader \x00\x01" * (number + 1))
        rig.set_channels({number: CHECKER})
    events = collect(board, 20)
    assert sorted(event.channel for event in events if isinstance(event, ChannelEvent)) == list(range(20))


def test_bad_cable_loses_and_doubles_no_event(board: SensorBoard, rig: BoardRig) -> None:
    rig.set_noise(lose_bytes_percent=0.5, flip_bits_percent=0.5)
    for channel in range(40):
        rig.set_channels({channel: CHECKER})
        time.sleep(0.04)
    events = collect(board, 40)
    rig.set_noise(0, 0)
    events += collect(board, 40 - len(events)) if len(events) < 40 else []
    assert sorted(event.channel for event in events if isinstance(event, ChannelEvent)) == list(range(40))
    assert [event.number for event in events] == list(range(40))


def test_board_shows_that_no_host_is_there_and_the_frame_again_when_it_is(rig: BoardRig) -> None:
    sign = {led: light[:3] for led, light in enumerate(NO_HOST_FRAME) if light.pattern}
    with SensorBoard(rig.path, wait_s=5) as board:
        board.configure(Config(host_lost_ms=500))
        board.show(LedFrame.of({9: Light(9, 9, 9)}))
        assert eventually(lambda: rig.colours[9] == (9, 9, 9))
    assert eventually(lambda: all(rig.colours[led] == colour for led, colour in sign.items()))
    assert rig.colours[9] == (0, 0, 0)
    with SensorBoard(rig.path, wait_s=5) as board:
        board.show(LedFrame.of({8: Light(8, 8, 8)}))
        assert eventually(lambda: rig.colours[8] == (8, 8, 8))
        board.configure(Config())
