"""The real firmware on the emulated processor, where simulated time and millivolts can be set and seen."""

import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from needs_toolchain import needs_toolchain

from firmware_bridge.bench import bench_link
from firmware_bridge.board import BoardUp, ChannelEvent, SensorBoard
from firmware_bridge.emulated import LEVELS, EmulatedBoard, SensorLevels
from firmware_bridge.errors import EmulatorError, RequestRefusedError, VersionRefusedError
from firmware_bridge.leds import LedFrame, Light
from firmware_bridge.protocol import (
    CHANNEL_COUNT,
    CalibrationStep,
    Capability,
    ChannelClass,
    Config,
    ResetCause,
    SensorKind,
)
from firmware_bridge.toolchain import FIRMWARE_FOLDER, build_firmware

pytestmark = needs_toolchain


@pytest.fixture
def emulated() -> Iterator[EmulatedBoard]:
    with EmulatedBoard() as made:
        yield made


@pytest.fixture
def board(emulated: EmulatedBoard) -> Iterator[SensorBoard]:
    with SensorBoard(emulated.path, wait_s=10) as connected:
        yield connected


def settle(board: SensorBoard, count: int) -> list[ChannelEvent]:
    found: list[ChannelEvent] = []
    give_up = time.monotonic() + 15
    while len(found) < count and time.monotonic() < give_up:
        found += [event for event in board.events(timeout_s=0.5) if isinstance(event, ChannelEvent)]
    assert len(found) >= count
    return found


def let_pass(emulated: EmulatedBoard, span_ms: int) -> None:
    """Waits until so much simulated time has passed, however slow the machine is."""
    until_us = emulated.simulated_us + span_ms * 1000
    while emulated.simulated_us < until_us:
        time.sleep(0.005)


def comes_up(board: SensorBoard) -> None:
    give_up = time.monotonic() + 15
    while not any(isinstance(report, BoardUp) for report in board.reports(timeout_s=0.5)):
        assert time.monotonic() < give_up


# ---- the build


def test_firmware_builds_to_the_same_bytes_every_time(tmp_path: Path) -> None:
    first, second = (build_firmware(tmp_path / name).with_suffix(".hex").read_bytes() for name in ("a", "b"))
    assert first == second
    assert first.startswith(b":")


def test_size_is_told_and_bounded(tmp_path: Path) -> None:
    elf = build_firmware(tmp_path)
    make = ["make", "-C", str(FIRMWARE_FOLDER), f"BUILD={elf.parent}", "size"]
    told = subprocess.run(make, capture_output=True, text=True, check=True).stdout
    assert re.search(r"flash \d+ of 30720 bytes, RAM \d+ of 1700 bytes, \d+ left for the stack", told)
    assert subprocess.run([*make, "RAM_LIMIT=100"], capture_output=True, check=False).returncode != 0


def test_unknown_kind_of_leds_is_refused(tmp_path: Path) -> None:
    with pytest.raises(EmulatorError, match="use ws2812 or apa102"):
        build_firmware(tmp_path, "LEDS=neon")


def test_what_is_no_firmware_is_named(tmp_path: Path) -> None:
    (tmp_path / "notes.elf").write_text("not an elf")
    with pytest.raises(EmulatorError, match="has ended"):
        EmulatedBoard(firmware=tmp_path / "notes.elf")


# ---- sensors


def test_change_is_told_within_three_scans_by_the_boards_own_clock(board: SensorBoard, emulated: EmulatedBoard) -> None:
    for number in range(12):
        at_us = emulated.simulated_us + 20_000 + number * 700
        kind = ChannelClass.EMPTY if number % 2 else ChannelClass.LIGHT
        emulated.set_levels({77: LEVELS[kind]}, at_us=at_us)
        (event,) = settle(board, 1)
        since_reset_ms = (at_us - emulated.health.last_reset_us) / 1000
        assert 14 <= event.device_ms - since_reset_ms <= 36, "three scans of 8 ms, the start of the clock, an LED frame"


def test_all_128_channels_changing_at_one_instant_are_told_within_a_quarter_second(
    board: SensorBoard, emulated: EmulatedBoard
) -> None:
    at_us = emulated.simulated_us + 50_000
    emulated.set_levels(dict.fromkeys(range(CHANNEL_COUNT), LEVELS[ChannelClass.LIGHT]), at_us=at_us)
    events = settle(board, CHANNEL_COUNT)
    assert sorted(event.channel for event in events) == list(range(CHANNEL_COUNT))
    assert events[-1].device_ms - (at_us - emulated.health.last_reset_us) / 1000 < 250
    assert board.stats().overflow_count == 0


def test_two_changes_are_told_in_their_order_with_their_times(board: SensorBoard, emulated: EmulatedBoard) -> None:
    lift_us = emulated.simulated_us + 50_000
    emulated.set_levels({120: LEVELS[ChannelClass.DARK]}, at_us=lift_us)
    emulated.set_levels({3: LEVELS[ChannelClass.DARK]}, at_us=lift_us + 40_000)
    first, second = settle(board, 2)
    assert (first.channel, second.channel) == (120, 3)
    assert second.device_ms - first.device_ms == pytest.approx(40, abs=10)


def test_flicker_shorter_than_three_scans_is_no_event(board: SensorBoard, emulated: EmulatedBoard) -> None:
    begin_us = emulated.simulated_us + 50_000
    for flicker in range(20):
        emulated.set_levels({9: LEVELS[ChannelClass.LIGHT]}, at_us=begin_us + flicker * 40_000)
        emulated.set_levels({9: LEVELS[ChannelClass.EMPTY]}, at_us=begin_us + flicker * 40_000 + 14_000)
    assert board.events(timeout_s=1.2) == []


def test_level_near_a_bound_does_not_flap(board: SensorBoard, emulated: EmulatedBoard) -> None:
    bound_mv = round(60 * 5000 / 1023)
    emulated.set_levels({9: SensorLevels(bound_mv + 100)})
    settle(board, 1)
    for step in range(20):
        emulated.set_levels({9: SensorLevels(bound_mv + (20 if step % 2 else -20))})
        let_pass(emulated, 40)
    assert board.events(timeout_s=0.1) == []


def test_ambient_light_is_subtracted_and_blinding_light_makes_unknown(
    board: SensorBoard, emulated: EmulatedBoard
) -> None:
    emulated.set_levels({9: SensorLevels(800, ambient_mv=2500)})
    (dark,) = settle(board, 1)
    emulated.set_levels({9: LEVELS[ChannelClass.UNKNOWN]})
    (blind,) = settle(board, 1)
    assert (dark.now, blind.now) == (ChannelClass.DARK, ChannelClass.UNKNOWN)


def test_hall_sensors_tell_presence_only(board: SensorBoard, emulated: EmulatedBoard) -> None:
    rest_mv = 2500
    emulated.set_levels(dict.fromkeys(range(CHANNEL_COUNT), SensorLevels(0, ambient_mv=rest_mv)))
    board.configure(Config(sensor_kind=SensorKind.HALL))
    let_pass(emulated, 200)
    board.events()
    for polarity in (1, -1):
        emulated.set_levels({50: SensorLevels(0, ambient_mv=rest_mv + polarity * 600)})
        (there,) = settle(board, 1)
        emulated.set_levels({50: SensorLevels(0, ambient_mv=rest_mv)})
        (gone,) = settle(board, 1)
        assert (there.now, gone.now) == (ChannelClass.UNKNOWN, ChannelClass.EMPTY)


def test_hall_sensors_have_their_power_all_the_time_and_emitters_only_while_they_are_read(
    board: SensorBoard, emulated: EmulatedBoard
) -> None:
    # What comes with D9 alone: at rest half the supply, and nothing at all without power.
    emulated.set_levels(dict.fromkeys(range(CHANNEL_COUNT), SensorLevels(2500, ambient_mv=0)))
    board.configure(Config(sensor_kind=SensorKind.HALL))
    let_pass(emulated, 200)
    board.reports()
    assert board.snapshot()[:CHANNEL_COUNT] == (ChannelClass.EMPTY,) * CHANNEL_COUNT
    assert set(board.raw()) <= set(range(-2, 3))
    board.configure(Config(sensor_kind=SensorKind.REFLECTANCE))
    let_pass(emulated, 200)
    board.reports()
    assert board.snapshot()[:CHANNEL_COUNT] == (ChannelClass.LIGHT,) * CHANNEL_COUNT
    assert min(board.raw()) > 500  # light off, these sensors give nothing


# ---- settings and calibration


def test_settings_outlive_a_power_cut(board: SensorBoard, emulated: EmulatedBoard) -> None:
    changed = board.configure(Config(brightness=77, debounce_scans=4))
    let_pass(emulated, 150)  # seventeen bytes of EEPROM, written in the background
    board.reports()
    emulated.reset(ResetCause.POWER_ON)
    comes_up(board)
    assert board.configure().crc == changed.crc
    ident = board.wait_connected(5)
    assert ident.config_crc == changed.crc
    assert ident.boot_id == 2


def test_calibration_moves_each_channels_bounds_and_names_weak_ones(
    board: SensorBoard, emulated: EmulatedBoard
) -> None:
    def ground(step: CalibrationStep, mv: int, **odd: int) -> frozenset[int]:
        levels = dict.fromkeys(range(CHANNEL_COUNT), SensorLevels(mv)) | {
            int(channel[1:]): SensorLevels(level) for channel, level in odd.items()
        }
        emulated.set_levels(levels)
        weak = board.calibrate(step)
        let_pass(emulated, 600)  # 128 bytes of EEPROM
        return weak

    with pytest.raises(RequestRefusedError, match="not calibrated"):
        board.calibrate(CalibrationStep.STORE)
    assert ground(CalibrationStep.EMPTY, 500, _9=500) == frozenset()
    assert ground(CalibrationStep.DARK, 900, _9=560) == {9}
    assert ground(CalibrationStep.LIGHT, 1600) == frozenset()
    board.calibrate(CalibrationStep.STORE)
    let_pass(emulated, 600)  # the same again
    for mv, kind in ((500, ChannelClass.EMPTY), (900, ChannelClass.DARK), (1600, ChannelClass.LIGHT)):
        emulated.set_levels(dict.fromkeys(range(CHANNEL_COUNT), SensorLevels(mv)))
        give_up_s = time.monotonic() + 15  # on a busy machine the board is seen as it was, 400 ms on and more
        seen: set[ChannelClass] = set()
        while seen != {kind} and time.monotonic() < give_up_s:
            let_pass(emulated, 400)
            classes = board.state().classes
            seen = {classes[channel] for channel in range(CHANNEL_COUNT) if channel != 9}
        assert seen == {kind}
    board.reports()
    emulated.reset(ResetCause.POWER_ON)
    comes_up(board)
    emulated.set_levels({0: SensorLevels(500)})
    let_pass(emulated, 200)
    assert board.state().classes[0] is ChannelClass.EMPTY
    board.calibrate(CalibrationStep.FORGET)
    let_pass(emulated, 200)
    assert board.state().classes[0] is ChannelClass.DARK, "500 mV is above the bound for boards never calibrated"


# ---- lights and line


def test_led_frames_keep_their_shape_while_the_line_is_busy(board: SensorBoard, emulated: EmulatedBoard) -> None:
    before = emulated.health
    for number in range(40):
        board.show(LedFrame(tuple(Light((number * 7 + led) % 128, led, 64 - led, 0b01010101) for led in range(60))))
        emulated.set_channels({number: ChannelClass.LIGHT})
        time.sleep(0.03)
    settle(board, 40)
    health, stats = emulated.health, board.stats()
    assert health.led_frames > before.led_frames + 10
    assert health.bad_led_frames == 0
    assert health.worst_gap_ns < 20_000, "a low of 50 us would end the frame"
    assert (health.uart_overruns, stats.uart_overruns, stats.crc_errors, stats.framing_errors) == (0, 0, 0, 0)


def test_apa102_build_shows_the_same_lights(tmp_path: Path) -> None:
    firmware = build_firmware(tmp_path, "LEDS=apa102")
    with (
        EmulatedBoard(firmware=firmware, leds="apa102") as emulated,
        SensorBoard(emulated.path, wait_s=10) as board,
    ):
        frame = LedFrame(tuple(Light(n, 60 - n, 2 * n) for n in range(60)))
        board.show(frame)
        wanted = tuple(light[:3] for light in frame)
        give_up = time.monotonic() + 10
        while emulated.colours != wanted:
            assert time.monotonic() < give_up
            time.sleep(0.01)
        assert Capability.LEDS_APA102 in board.wait_connected(1).capabilities


def test_stack_keeps_room(board: SensorBoard, emulated: EmulatedBoard) -> None:
    board.raw()
    board.show(LedFrame((Light(255, 255, 255),) * 60))
    emulated.set_channels(dict.fromkeys(range(CHANNEL_COUNT), ChannelClass.DARK))
    settle(board, CHANNEL_COUNT)
    board.calibrate(CalibrationStep.EMPTY)
    assert board.stats().free_ram_bytes >= 64


SLOW_MACHINE = 4
"""How much slower than the figures of ``boardctl bench link`` a machine may be that does other things at the same time.
A defect of the link costs a timeout, which is much more than that."""


def test_the_whole_way_loses_nothing_and_waits_for_no_timeout() -> None:
    figures = bench_link(EmulatedBoard, rounds=30, noisy_events=600)
    assert (figures.noisy_lost, figures.noisy_doubled) == (0, 0)
    assert figures.start_to_ident_ms < SLOW_MACHINE * 150
    assert figures.change_to_light.median_ms < SLOW_MACHINE * 60
    assert figures.burst_ms < SLOW_MACHINE * 250


def test_emulator_dies_with_whoever_started_it() -> None:
    code = (
        "import time\n"
        "from firmware_bridge.emulated import EmulatedBoard\n"
        "board = EmulatedBoard()\n"
        "print(board._process.pid, flush=True)\n"
        "time.sleep(60)\n"
    )
    parent = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    assert parent.stdout is not None
    child = Path("/proc") / parent.stdout.readline().strip()
    assert child.exists()
    parent.send_signal(signal.SIGKILL)
    parent.wait(5)
    parent.stdout.close()
    give_up = time.monotonic() + 5
    while child.exists() and " Z " not in (child / "stat").read_text():
        assert time.monotonic() < give_up
        time.sleep(0.02)


def test_firmware_of_another_major_version_is_refused(tmp_path: Path) -> None:
    older = build_firmware(tmp_path, "DEFINES=-DPROTOCOL_MAJOR=0")
    with (
        EmulatedBoard(firmware=older) as emulated,
        pytest.raises(VersionRefusedError, match=r"firmware is older.*boardctl firmware flash --port "),
    ):
        SensorBoard(emulated.path, wait_s=10)
