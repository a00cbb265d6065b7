"""``boardctl board`` and ``boardctl firmware`` as a user meets them, on boards without hardware."""

import json
import os
import signal
import subprocess
import sys
import threading
import tty
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from command_line import run

from boardctl.cli.board_choice import BoardKind, make_rig
from boardctl.cli.board_drawing import channel_lines, class_cells, frame_line, frame_values, raw_cells
from firmware_bridge import ChannelClass, SlotMap, StandInBoard
from firmware_bridge.protocol import CHANNEL_COUNT, EventRecord, Events, Ping, State, encode
from firmware_bridge.standin_firmware import StandInMake
from firmware_bridge.toolchain import missing_packages
from firmware_bridge.wiretap import Direction, Heard, Wiretap

needs_toolchain = pytest.mark.skipif(
    bool(missing_packages()) and "CI" not in os.environ,
    reason=f"needs the packages {', '.join(missing_packages())}",
)
SLOTS = SlotMap.reference()


@pytest.fixture
def standin() -> Iterator[StandInBoard]:
    with StandInBoard() as made:
        yield made


@pytest.fixture
def avrdude(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An avrdude that notes what it is told to do, and does as ``exit_code`` beside it says."""
    folder = tmp_path / "bin"
    folder.mkdir()
    program = folder / "avrdude"
    program.write_text(
        f'#!/bin/sh\necho "$@" > {folder}/told\necho "avrdude: programmer is not responding" >&2\n'
        f"exit $(cat {folder}/exit_code)\n"
    )
    program.chmod(0o755)
    (folder / "exit_code").write_text("0")
    monkeypatch.setenv("PATH", f"{folder}:{os.environ['PATH']}")
    return folder


# -- board monitor


def test_every_frame_is_a_line_by_its_name(standin: StandInBoard) -> None:
    standin.set_channel(SLOTS.point(5)[4], ChannelClass.LIGHT)
    ran = run("board", "monitor", "--port", standin.path, "--seconds", "1.2")
    assert ran.code == 0, ran.output
    for name in ("-> HELLO", "<- IDENT", "-> PING", "<- PONG", "<- STATE", "-- board STANDIN1 is connected"):
        assert name in ran.output, ran.output
    # Told by the first state or, when it came before the third scan, by an event.
    assert "127 empty, 1 light" in ran.output or "point 5, slot 5 light at" in ran.output


def test_channels_are_named_as_the_table_is_wired(standin: StandInBoard, tmp_path: Path) -> None:
    path = tmp_path / "mytable.yaml"
    path.write_text(f"sensor_board: {standin.path}\nslots: {{trays: {{B: [3, 4]}}}}\n", encoding="utf-8")
    with doing_later(0.6, lambda: standin.set_channel(4, ChannelClass.DARK)):
        ran = run("board", "monitor", "--config", str(path), "--seconds", "1.2")
    assert ran.code == 0, ran.output
    assert "tray B, slot 2 dark at" in ran.output, ran.output


@contextmanager
def doing_later(after_s: float, act: Callable[[], None]) -> Iterator[None]:
    """Does something a little later, beside what goes on meanwhile."""
    timer = threading.Timer(after_s, act)
    timer.start()
    yield
    timer.join()


def test_frames_are_json_when_asked(standin: StandInBoard) -> None:
    ran = run("board", "monitor", "--port", standin.path, "--seconds", "0.5", "--json")
    frames = [json.loads(line) for line in ran.output.splitlines()]
    ident = next(frame for frame in frames if frame.get("frame") == "IDENT")
    assert (ident["from"], ident["channel_count"], ident["firmware_version"]) == ("board", 128, [0, 1, 0])
    assert any("is connected" in frame.get("link", "") for frame in frames)


@needs_toolchain
def test_the_emulated_board_is_monitored_with_checkers_that_come_and_go() -> None:
    ran = run("board", "monitor", "--board", "emulated", "--seconds", "1.8")
    assert ran.code == 0, ran.output
    assert "point 1, slot 1 dark at" in ran.output


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        ((), 2, "are both missing"),
        (("--port", "/dev/ttyX", "--board", "standin"), 2, "exclude each other"),
        (("--port", "/dev/ttyNOPE7"), 1, "no such port. Plug the board in"),
        (("--port", __file__), 1, "is no serial port but a file"),
        (("--port", "/dev/null"), 1, "is no serial port"),
        (("--port", "pigeon://x"), 1, "protocol 'pigeon' not known"),
    ],
)
def test_what_is_no_board_is_said_in_one_line(words: tuple[str, ...], code: int, message: str) -> None:
    ran = run("board", "monitor", *words)
    assert (ran.code, message in ran.output, ran.output.count("\n")) == (code, True, 1), ran.output


def test_a_port_that_may_not_be_opened_says_which_group_to_join(
    standin: StandInBoard, monkeypatch: pytest.MonkeyPatch
) -> None:
    def denied(path: Path) -> os.stat_result:
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr("firmware_bridge.ports.Path.stat", denied)
    ran = run("board", "monitor", "--port", standin.path)
    assert ran.code == 1
    assert "sudo usermod -aG dialout" in ran.output


def test_a_port_that_babbles_is_told_from_a_board() -> None:
    master, slave = os.openpty()
    tty.setraw(slave)
    over = threading.Event()

    def babble() -> None:
        while not over.wait(0.05):
            os.write(master, b"GPGGA,123519,4807.038,N\x00")

    talker = threading.Thread(target=babble)
    talker.start()
    try:
        ran = run("board", "monitor", "--port", os.ttyname(slave))
    finally:
        over.set()
        talker.join()
        os.close(master)
        os.close(slave)
    assert ran.code == 1
    assert "the port talks, but not as a sensor board does" in ran.output
    assert "boardctl firmware flash --port" in ran.output


def test_an_old_firmware_is_refused_with_the_command_that_helps() -> None:
    with StandInBoard(make=StandInMake(protocol=(0, 9))) as old:
        ran = run("board", "monitor", "--port", old.path)
    assert ran.code == 1
    assert "the firmware is older than this program" in ran.output
    assert f"boardctl firmware flash --port {old.path}" in ran.output


def test_ctrl_c_ends_the_monitor_in_one_line() -> None:
    program = "from boardctl.cli import main; main()"
    words = [sys.executable, "-c", program, "board", "monitor", "--board", "standin"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        process.stdout.readline()
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=20)
    assert (process.returncode, said) == (130, "boardctl: stopped\n")


def test_a_bent_frame_is_shown_with_its_bytes() -> None:
    class Broken:
        def read(self) -> bytes:
            return b"\x05\x01\x02\x03\x00"

        def write(self, data: bytes) -> None: ...

        def close(self) -> None: ...

    heard: list[Heard] = []
    tap = Wiretap(Broken(), heard.append)
    assert tap.read() == b"\x05\x01\x02\x03\x00"
    tap.write(encode(Ping(7, sequence=3)))
    assert frame_line(heard[0], SLOTS).startswith("<- NO FRAME")
    assert "05 01 02 03" in frame_line(heard[0], SLOTS)
    assert frame_values(heard[0])["raw"] == "05010203"
    assert frame_line(heard[1], SLOTS) == "-> PING            3  host_ms 7"


def test_events_are_told_by_point_and_slot() -> None:
    records = (EventRecord(1200, 25, 1), EventRecord(1300, 129, 1), EventRecord(1400, 15, 0))
    line = frame_line(Heard(Direction.TO_HOST, Events(1, 40, 2, records)), SLOTS)
    assert "from 40: " in line
    assert "point 5, slot 5 light at 1200 ms; button 1 down at 1300 ms; bar A, slot 1 empty at 1400 ms" in line
    assert "2 lost to a full memory" in line


def test_the_channels_lie_as_the_board_does() -> None:
    classes = [ChannelClass.EMPTY] * CHANNEL_COUNT
    classes[SLOTS.point(24)[0]] = ChannelClass.DARK
    classes[SLOTS.point(12)[4]] = ChannelClass.LIGHT
    classes[SLOTS.bar("B")[1]] = ChannelClass.UNKNOWN
    rows = [line.plain for line in channel_lines(class_cells(classes, "ascii"), SLOTS, 4)]
    assert rows[0].split() == ["point", *map(str, range(13, 25))]
    assert rows[1].split() == ["slot", "1", *"." * 11, "x"]
    assert rows[7].split() == ["slot", "5", "o", *"." * 11]
    assert rows[-2].split() == ["bar", "A", ".", ".", "bar", "B", ".", "?"]
    assert max(map(len, rows)) <= 80
    raw = [line.plain for line in channel_lines(raw_cells(range(-60, 68), classes), SLOTS, 6)]
    assert raw[1].split()[2] == str(SLOTS.point(13)[0] - 60)
    assert max(map(len, raw)) <= 80


def test_a_state_is_told_by_its_counts() -> None:
    state = State(3, 9, 500, 2, 0, (ChannelClass.DARK,) * 2 + (ChannelClass.EMPTY,) * 126)
    assert "126 empty, 2 dark; next event 9, buttons 10, at 500 ms" in frame_line(
        Heard(Direction.TO_HOST, state), SLOTS
    )


# -- firmware


@needs_toolchain
def test_the_firmware_is_built_and_its_sizes_are_told(tmp_path: Path) -> None:
    ran = run("firmware", "build", "--out", tmp_path / "board.hex")
    assert ran.code == 0, ran.output
    assert "flash " in ran.output
    assert " left for the stack" in ran.output
    assert (tmp_path / "board.hex").read_text().startswith(":")


@needs_toolchain
def test_another_chain_is_another_firmware(tmp_path: Path) -> None:
    run("firmware", "build", "--out", tmp_path / "a.hex")
    run("firmware", "build", "--leds", "apa102", "--out", tmp_path / "b.hex")
    run("firmware", "build", "--out", tmp_path / "c.hex")
    assert (tmp_path / "a.hex").read_bytes() == (tmp_path / "c.hex").read_bytes()
    assert (tmp_path / "a.hex").read_bytes() != (tmp_path / "b.hex").read_bytes()


def test_without_compilers_the_packages_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("firmware_bridge.toolchain.missing_packages", lambda: ("gcc-avr", "avr-libc"))
    ran = run("firmware", "build")
    assert (ran.code, ran.output.count("\n")) == (1, 1)
    assert "sudo apt-get install --no-install-recommends gcc-avr avr-libc" in ran.output


def test_flashing_writes_through_avrdude_and_greets_the_board(
    standin: StandInBoard, avrdude: Path, tmp_path: Path
) -> None:
    image = tmp_path / "x.hex"
    image.write_text(":00000001FF\n")
    ran = run("firmware", "flash", "--port", standin.path, "--hex", image)
    assert ran.code == 0, ran.output
    assert "board STANDIN1 answers: firmware 0.1.0" in ran.output
    told = (avrdude / "told").read_text().split()
    assert told == f"-p m328p -c arduino -P {standin.path} -b 115200 -D -U flash:w:{image}:i".split()


def test_a_boot_loader_that_does_not_answer_is_told_with_the_older_speed(
    standin: StandInBoard, avrdude: Path, tmp_path: Path
) -> None:
    image = tmp_path / "x.hex"
    image.write_text(":00000001FF\n")
    (avrdude / "exit_code").write_text("1")
    ran = run("firmware", "flash", "--port", standin.path, "--hex", image)
    assert ran.code == 1
    assert "try --loader-baud 57600" in ran.output
    assert "programmer is not responding" in ran.output
    ran = run("firmware", "flash", "--port", standin.path, "--hex", image, "--loader-baud", "57600")
    assert "-b 57600" in (avrdude / "told").read_text()
    assert "try --loader-baud" not in ran.output


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        ((), 2, "give --port PORT"),
        (("--board", "standin"), 2, "the stand-in runs no firmware"),
        (("--port", "/dev/ttyNOPE7", "--hex", "/no/such.hex"), 2, "/no/such.hex: no such file"),
        (("--port", "/dev/ttyNOPE7", "--hex", __file__), 1, "no such port"),
        (("--port", "socket://10.0.0.9:5", "--hex", __file__), 1, "over a cable only"),
    ],
)
def test_what_cannot_be_flashed_is_said(words: tuple[str, ...], code: int, message: str, avrdude: Path) -> None:
    ran = run("firmware", "flash", *words)
    assert (ran.code, message in ran.output) == (code, True), ran.output
    assert not (avrdude / "told").exists()


def test_a_port_in_use_is_not_flashed(standin: StandInBoard, avrdude: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from firmware_bridge.ports import open_port

    user = open_port(standin.path)
    try:
        ran = run("firmware", "flash", "--port", standin.path, "--hex", __file__)
    finally:
        user.close()
    assert (ran.code, "another program has the port open" in ran.output) == (1, True)
    assert not (avrdude / "told").exists()


def test_without_avrdude_its_package_is_named(standin: StandInBoard, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("firmware_bridge.flashing.shutil.which", lambda name: None)
    ran = run("firmware", "flash", "--port", standin.path, "--hex", __file__)
    assert (ran.code, "sudo apt-get install --no-install-recommends avrdude" in ran.output) == (1, True)


@needs_toolchain
def test_the_firmware_is_tried_on_an_emulated_processor() -> None:
    ran = run("firmware", "flash", "--board", "emulated")
    assert ran.code == 0, ran.output
    assert "128 channels, 60 lights" in ran.output


# -- board settings


def test_settings_are_shown_with_what_they_mean(standin: StandInBoard) -> None:
    ran = run("board", "settings", "--port", standin.path)
    assert ran.code == 0, ran.output
    assert "current_budget_ma         2000  mA that the lights may draw together" in ran.output
    assert len(ran.output.splitlines()) == 10


@pytest.mark.parametrize("board", ["standin", pytest.param("emulated", marks=needs_toolchain)])
def test_settings_are_changed_and_the_others_stay(board: str) -> None:
    words = ("--set", "sensor_kind=hall", "--set", "brightness=80", "--json")
    with make_rig(BoardKind(board)) as rig:
        ran = run("board", "settings", "--port", rig.path, *words)
        assert ran.code == 0, ran.output
        again = run("board", "settings", "--port", rig.path, "--set", "debounce_scans=4", "--json")
        kept = json.loads(again.output)
        assert (kept["sensor_kind"], kept["brightness"], kept["debounce_scans"]) == ("hall", 80, 4)
        assert kept["scan_period_ms"] == 8
        standard = json.loads(run("board", "settings", "--port", rig.path, "--standard", "--json").output)
        assert (standard["sensor_kind"], standard["brightness"], standard["debounce_scans"]) == ("reflectance", 255, 3)


def test_the_bound_of_light_checkers_means_nothing_to_hall_sensors(standin: StandInBoard) -> None:
    words = ("--set", "sensor_kind=hall", "--set", "empty_below=400", "--json")
    ran = run("board", "settings", "--port", standin.path, *words)
    assert (ran.code, json.loads(ran.output)["empty_below"]) == (0, 400), ran.output


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ("brightness=300", "brightness is a whole number from 0 to 255"),
        ("scan_period_ms=0", "scan_period_ms is a whole number from 1 to 100"),
        ("empty_below=x", "empty_below is a whole number from 0 to 1023"),
        ("colour=red", "the names are sensor_kind, debounce_scans"),
        ("brightness", "give NAME=VALUE"),
        ("sensor_kind=weight", "the kinds of sensors are reflectance and hall"),
        ("light_from=50", "light_from (50) must be over empty_below (60)"),
    ],
)
def test_settings_that_no_board_takes_are_refused(standin: StandInBoard, change: str, message: str) -> None:
    ran = run("board", "settings", "--port", standin.path, "--set", change)
    assert (ran.code, message in ran.output, ran.output.count("\n")) == (2, True, 1), ran.output
