"""Guided calibration of sensors, lights and panel, with a person's answers and on boards without hardware."""

import os
import threading
import time
from collections.abc import Iterator, Mapping
from pathlib import Path

import gpiozero
import pytest
from command_line import run
from gpiozero.pins.mock import MockFactory

from boardctl.cli.guided.lights import Look, walk_lights
from boardctl.cli.guided.panel import Button, try_buttons
from boardctl.cli.guided.sensors import calibrate_sensors, report_lines
from firmware_bridge import ChainLayout, ChannelClass, SensorBoard, SlotMap, StandInBoard
from firmware_bridge.emulated import EmulatedBoard, SensorLevels
from firmware_bridge.toolchain import missing_packages

needs_toolchain = pytest.mark.skipif(
    bool(missing_packages()) and "CI" not in os.environ,
    reason=f"needs the packages {', '.join(missing_packages())}",
)
SLOTS = SlotMap.reference()
DIM = {ChannelClass.EMPTY: 60, ChannelClass.DARK: 420, ChannelClass.LIGHT: 1100}
"""Sensors that give less than the standard bounds expect: 1100 mV is dark to a board that has learnt nothing."""

BLIND = SLOTS.point(2)[3]


class DimTable:
    """An emulated board with weak sensors, one of them broken: it sees a little light and nothing else."""

    def __init__(self, board: EmulatedBoard) -> None:
        self.board = board

    def __getattr__(self, name: str) -> object:
        return getattr(self.board, name)

    def set_channels(self, classes: Mapping[int, ChannelClass]) -> None:
        levels = {channel: SensorLevels(DIM[kind]) for channel, kind in classes.items()}
        self.board.set_levels(levels | ({BLIND: SensorLevels(60)} if BLIND in levels else {}))


@pytest.fixture
def standin() -> Iterator[StandInBoard]:
    with StandInBoard() as made:
        yield made


# -- sensors


@needs_toolchain
def test_the_firmware_learns_weak_sensors_and_names_the_broken_one() -> None:
    asked: list[str] = []

    def answer(text: str) -> str:
        asked.append(text)
        return "r" if "Too little contrast" in text and asked.count(text) == 1 else ""

    with EmulatedBoard() as emulated, SensorBoard(emulated.path, wait_s=5) as board:
        table = DimTable(emulated)
        learnt = calibrate_sensors(board, SLOTS, answer, table)  # type: ignore[arg-type]
        assert learnt.weak == {BLIND}
        table.set_channels({10: ChannelClass.LIGHT, 11: ChannelClass.DARK, 12: ChannelClass.EMPTY})
        until_s = time.monotonic() + 5
        while board.snapshot()[10:13] != (ChannelClass.LIGHT, ChannelClass.DARK, ChannelClass.EMPTY):
            assert time.monotonic() < until_s, board.snapshot()[10:13]
            time.sleep(0.02)
    assert sum("Too little contrast: point 2, slot 4" in text for text in asked) >= 2
    told = list(report_lines(learnt, SLOTS))
    assert told[0].startswith(f"point 2, slot 4 (channel {BLIND}): empty 1")
    assert told[1].startswith("1 of 128 slots have too little contrast")


def test_fifteen_checkers_of_each_colour_are_enough_and_every_slot_has_both(standin: StandInBoard) -> None:
    asked: list[str] = []

    def answer(text: str) -> str:
        asked.append(text)
        return ""

    with SensorBoard(standin.path, wait_s=5) as board:
        learnt = calibrate_sensors(board, SLOTS, answer, standin)
    assert all(len(counts) == 3 for counts in learnt.counts.values())
    assert len(learnt.counts) == 128
    numbers = [
        int(word)
        for text in asked
        for word, after in zip(text.split(), text.split()[1:], strict=False)
        if word.isdecimal() and after in ("dark", "light")
    ]
    assert max(numbers) == 15
    assert sum(numbers) == 2 * 128
    assert list(report_lines(learnt, SLOTS)) == ["128 slots tell empty, dark and light apart; the board keeps it"]


def test_the_standin_is_calibrated_by_the_program() -> None:
    ran = run("calibrate", "sensors", "--board", "standin")
    assert ran.code == 0, ran.output
    assert "[2 of 10] Lay 15 dark checkers on points 4 to 6 and 15 light checkers on points 1 to 3" in ran.output


def test_a_guided_command_without_anybody_says_so(standin: StandInBoard, monkeypatch: pytest.MonkeyPatch) -> None:
    ran = run("calibrate", "sensors", "--port", standin.path)
    assert (ran.code, "nobody answers" in ran.output) == (2, True), ran.output


def test_breaking_off_says_in_what_state_the_board_is(standin: StandInBoard, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(text: str) -> str:
        raise KeyboardInterrupt

    monkeypatch.setattr("builtins.input", interrupted)
    for command, said in (("sensors", "goes by its standard bounds"), ("lights", "before the end of the chain")):
        ran = run("calibrate", command, "--port", standin.path)
        assert (ran.code, said in ran.output, ran.output.count("\n")) == (130, True, 1), ran.output


@pytest.fixture
def other_wiring(standin: StandInBoard, tmp_path: Path) -> Path:
    """A table's file: sensors on two points and a bar, two LEDs of the bars exchanged."""
    path = tmp_path / "mytable.yaml"
    path.write_text(
        f"sensor_board: {standin.path}\n"
        "slots:\n  points: {6: [100, 101, 102], 24: [7]}\n  bars: {A: [20]}\n"
        "lights:\n  bar: {A: [50, 49], B: [48, 51]}\n",
        encoding="utf-8",
    )
    return path


def test_the_tables_own_wiring_is_calibrated_at_its_own_port(
    other_wiring: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    def answer(text: str) -> str:
        asked.append(text)
        return ""

    monkeypatch.setattr("builtins.input", answer)
    ran = run("calibrate", "sensors", "--config", str(other_wiring))
    assert any("Lay 4 dark checkers on points 6, 24, one" in text for text in asked), asked
    assert any("1 dark checkers on bar A and 4 light checkers on points 6, 24" in text for text in asked), asked
    # Nobody lays a checker on the stand-in, so none of the wired slots tells anything apart.
    assert (ran.code, "5 of 5 slots have too little contrast" in ran.output) == (1, True), ran.output
    assert "point 6, slot 3 (channel 102)" in ran.output


def test_the_tables_own_chain_is_walked(other_wiring: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("builtins.input", lambda text: "n" if "LED 48 " in text else "")
    ran = run("calibrate", "lights", "--config", str(other_wiring))
    assert (ran.code, ran.output.splitlines()[0]) == (1, "not so: LED 48 is at bar B, 1"), ran.output


@pytest.mark.parametrize("command", [("calibrate", "sensors"), ("calibrate", "lights"), ("board", "monitor")])
def test_a_table_without_a_port_says_where_to_name_it(command: tuple[str, str], tmp_path: Path) -> None:
    path = tmp_path / "mytable.yaml"
    path.write_text("light_seat: A\n", encoding="utf-8")
    ran = run(*command, "--config", str(path))
    assert (ran.code, "names no sensor_board" in ran.output, ran.output.count("\n")) == (2, True, 1), ran.output
    path.write_text("sensor_bord: /dev/ttyUSB0\n", encoding="utf-8")
    ran = run(*command, "--config", str(path))
    assert (ran.code, "sensor_bord" in ran.output, ran.output.count("\n")) == (2, True, 1), ran.output


def test_a_table_without_wired_slots_has_nothing_to_calibrate(standin: StandInBoard, tmp_path: Path) -> None:
    path = tmp_path / "mytable.yaml"
    path.write_text(f"sensor_board: {standin.path}\nslots: {{}}\n", encoding="utf-8")
    ran = run("calibrate", "sensors", "--config", str(path))
    assert (ran.code, "names no channel under slots:" in ran.output) == (2, True), ran.output


@pytest.mark.parametrize("command", ["sensors", "lights"])
def test_without_a_board_the_port_is_named(command: str) -> None:
    ran = run("calibrate", command, "--port", "/dev/ttyNOPE7")
    assert (ran.code, ran.output.count("\n")) == (1, 1)
    assert "/dev/ttyNOPE7: no such port" in ran.output
    assert run("calibrate", command).code == 2


# -- lights


@pytest.mark.parametrize("board", ["standin", pytest.param("emulated", marks=needs_toolchain)])
def test_the_chain_is_walked_in_each_colour_and_led_by_led(board: str) -> None:
    ran = run("calibrate", "lights", "--board", board)
    assert (ran.code, ran.output) == (0, "60 LEDs are where they should be, in red, green and blue\n")


@needs_toolchain
def test_a_chain_of_another_kind_is_seen() -> None:
    # The firmware sends for APA102 what the emulated chain reads as WS2812B.
    from firmware_bridge.toolchain import built_firmware

    with (
        EmulatedBoard(firmware=built_firmware("apa102").elf, leds="ws2812") as emulated,
        SensorBoard(emulated.path, wait_s=5) as board,
    ):
        looks: list[Look] = []

        def seen(look: Look) -> bool:
            looks.append(look)
            time.sleep(0.1 if len(looks) < 3 else 0)
            return len(looks) > 3 or emulated.colours == look.frame.lit_at(0)

        assert "not so: all 60 LEDs are red" in walk_lights(board, ChainLayout(), seen)
    assert len(looks) == 63


def test_what_a_person_denies_is_listed(standin: StandInBoard, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("builtins.input", lambda text: "n" if text.startswith("LED 11 is at point 6, tip") else "")
    ran = run("calibrate", "lights", "--port", standin.path)
    assert ran.code == 1
    assert ran.output.splitlines()[0] == "not so: LED 11 is at point 6, tip"


def test_the_walk_goes_on_by_itself_and_leaves_the_chain_dark(standin: StandInBoard) -> None:
    ran = run("calibrate", "lights", "--port", standin.path, "--step-s", "0.05")
    assert ran.code == 0
    assert "LED 59 is at dice zone B, 2" in ran.output
    assert standin.led_frame.current_ma() == 0


def test_a_board_that_goes_away_ends_the_walk(standin: StandInBoard) -> None:
    threading.Timer(0.7, standin.unplug).start()
    ran = run("calibrate", "lights", "--port", standin.path, "--step-s", "0.1")
    assert (ran.code, "Is the cable plugged in?" in ran.output) == (1, True), ran.output


# -- panel


@pytest.fixture
def pins(monkeypatch: pytest.MonkeyPatch) -> Iterator[MockFactory]:
    factory = MockFactory()
    monkeypatch.setattr(gpiozero.Device, "pin_factory", factory)
    yield factory
    factory.reset()


@pytest.fixture
def config(tmp_path: Path) -> Path:
    path = tmp_path / "table.yaml"
    path.write_text(
        "panel:\n  buttons: {A: 17, B: 27}\n  director: 22\n  lamps: {A: 23, B: 24}\n  buzzer: 18\n  bounce_ms: 0\n"
    )
    return path


def scripted(texts: list[str], presses: list[list[object]]) -> list[str]:
    """Runs two buttons with presses that come when each is asked for."""
    waiting: list[list[object]] = [[]]

    def say(text: str) -> None:
        texts.append(text)
        waiting.append(presses[len(texts) - 1])

    def pressed() -> list[object]:
        return waiting.pop() if waiting else []

    return try_buttons([Button("seat A", "a"), Button("seat B", "b")], pressed, 0.2, say)


def test_each_button_is_asked_for_and_a_press_is_told_from_another() -> None:
    texts: list[str] = []
    assert scripted(texts, [["a"], ["b"]]) == []
    assert texts == ["Press the button of seat A.", "Press the button of seat B."]
    crossed = scripted([], [["b"], ["a"]])
    assert crossed[0] == "seat A: the press came as that of seat B; exchange the wires or the pins"
    assert "no press came within 0.2 s" in scripted([], [["a"], []])[0]


def test_the_panel_on_the_pi_is_tried(pins: MockFactory, config: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lit: list[tuple[str, bool, bool]] = []

    def look(text: str) -> str:
        lit.append((text, bool(pins.pin(23).state), bool(pins.pin(24).state)))
        return ""

    presses = iter([17, 27, 22])

    said: list[str] = []

    def say(text: str) -> None:
        said.append(text)
        if text.startswith("Press"):
            number = next(presses)
            pins.pin(number).drive_low()
            pins.pin(number).drive_high()

    monkeypatch.setattr("builtins.input", look)
    monkeypatch.setattr("boardctl.cli.guided.panel.typer.echo", say)
    assert run("calibrate", "panel", "--config", config).code == 0
    assert said[-1] == "every button, lamp and buzzer that was tried is right"
    assert [entry[1:] for entry in lit[:2]] == [(True, False), (False, True)]
    assert "buzzer" in lit[2][0]


def no_pins() -> MockFactory:
    raise gpiozero.BadPinFactory("no library for the pins")


def test_a_panel_that_is_not_there_is_said_in_one_line(config: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gpiozero.Device, "pin_factory", None)
    monkeypatch.delenv("GPIOZERO_PIN_FACTORY", raising=False)
    monkeypatch.setattr(gpiozero.Device, "_default_pin_factory", no_pins)
    ran = run("calibrate", "panel", "--config", config)
    assert (ran.code, "this machine has no GPIO" in ran.output, ran.output.count("\n")) == (1, True, 1), ran.output


@pytest.mark.parametrize("board", ["standin", pytest.param("emulated", marks=needs_toolchain)])
def test_the_buttons_on_the_sensor_board_are_tried(board: str) -> None:
    ran = run("calibrate", "panel", "--board", board)
    assert ran.code == 0, ran.output
    assert "every button, lamp and buzzer that was tried is right" in ran.output


def test_a_button_that_nobody_presses_is_listed(standin: StandInBoard) -> None:
    ran = run("calibrate", "panel", "--port", standin.path, "--wait-s", "0.2")
    assert ran.code == 1
    assert "seat B on the sensor board: no press came within 0.2 s" in ran.output


def test_nothing_to_try_is_wrong_usage(tmp_path: Path) -> None:
    assert run("calibrate", "panel").code == 2
    empty = tmp_path / "empty.yaml"
    empty.write_text("camera: /dev/video0\n")
    ran = run("calibrate", "panel", "--config", empty)
    assert (ran.code, "names no panel" in ran.output) == (2, True), ran.output
