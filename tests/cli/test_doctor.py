"""``boardctl doctor``: what it finds, what it says to do next, and its exit code."""

import json
import math
import os
import re
import shutil
import socket
import threading
import tty
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import cv2
import gpiozero
import numpy as np
import pytest
from gpiozero.pins.mock import MockFactory
from typer.testing import CliRunner

from boardctl.cli import build, doctor_checks
from boardctl.coach import GnuBackgammon, find_gnubg
from boardctl.devices.faces import Frame
from boardctl.devices.pictures import read_picture, write_picture
from boardctl.records import Journal
from boardctl.vision.measuring.later_changes import Lamp
from boardctl.vision.measuring.poor_cameras import mirroring_lamp
from calibration import BoardGeometry, Calibration, CameraModel, calibrate
from calibration.light.linear import levels_of, light_of
from config import CONFIG_DIRECTORY
from firmware_bridge.standin import StandInBoard


@pytest.fixture(autouse=True)
def own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))


def run(*words: str) -> tuple[int, str]:
    result = CliRunner().invoke(build(["doctor"]), ["doctor", *words])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result.exit_code, result.output


def looked(*words: str) -> tuple[int, Mapping[str, dict[str, Any]]]:
    code, output = run(*words, "--json")
    report = json.loads(output)
    assert report["well"] is (code == 0)
    return code, {check["name"]: check for check in report["checks"]}


def picture(path: Path, brightness: int = 120, size: tuple[int, int] = (1280, 720)) -> Path:
    assert cv2.imwrite(str(path), np.full((size[1], size[0], 3), brightness, np.uint8))
    return path


def calibration(folder: Path, focal_px: float = 1400.0) -> Path:
    """Writes a calibration of a camera straight above the board."""
    camera = CameraModel(
        1280, 720, focal_px, focal_px, 640.0, 360.0, (0.0,) * 5, (math.pi, 0.0, 0.0), (0.0, 0.0, 1000.0)
    )
    grey = np.full((720, 1280, 3), 120, np.uint8)
    path = folder / "calibration.yaml"
    Calibration.of(camera, BoardGeometry(), grey, grey).save(path)
    return path


def test_a_machine_without_devices_is_in_order_when_none_is_asked_for() -> None:
    code, checks = looked()
    assert code == 0
    assert [name for name, check in checks.items() if check["verdict"] == "unused" and name != "engine"] == [
        "calibration",
        "camera",
        "sensor board",
        "panel",
        "page",
        "hall",
    ]
    assert "rulesets are in order" in checks["configuration"]["says"]


def test_an_engine_that_is_there_is_asked_for_an_opening_play() -> None:
    if find_gnubg() is None and not os.environ.get("CI"):
        pytest.skip("gnubg is not installed")
    _, checks = looked()
    assert checks["engine"]["verdict"] == "ok"
    assert "8/5 6/5" in checks["engine"]["says"]


def test_an_engine_that_is_not_there_is_not_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor_checks, "find_gnubg", lambda: None)
    code, checks = looked()
    assert code == 0
    assert checks["engine"]["verdict"] == "unused"
    assert "apt install gnubg" in checks["engine"]["next"]


def test_an_engine_that_does_not_answer_is_a_problem(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor_checks, "find_gnubg", lambda: "gnubg")
    monkeypatch.setattr(doctor_checks, "GnuBackgammon", lambda: GnuBackgammon("/nowhere/gnubg"))
    code, checks = looked()
    assert code == 1
    assert "cannot be started" in checks["engine"]["says"]


def test_people_read_one_line_a_check_and_a_sum() -> None:
    code, output = run()
    assert code == 0
    lines = output.splitlines()
    assert lines[-1] == "all that is needed is in order"
    assert len(lines) == 11
    assert any("--camera SOURCE" in line for line in lines)


def test_problems_are_counted_named_and_fail(tmp_path: Path) -> None:
    code, output = run("--camera", str(tmp_path / "no"), "--journal", str(tmp_path / "no" / "x.journal"))
    assert code == 1
    assert output.splitlines()[-1] == "2 problems: camera, journal"
    assert f"{tmp_path / 'no'}: no such file or folder; check the path" in output


def test_a_camera_is_looked_through(tmp_path: Path) -> None:
    code, checks = looked("--camera", str(picture(tmp_path / "a.png")))
    assert code == 0
    assert checks["camera"]["says"].endswith("a.png: 1280x720")


def test_a_lamp_that_flickers_is_told_and_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    board = read_picture(Path(__file__).parents[1] / "data" / "vision" / "green_felt" / "f03.jpg")
    lamp, rng = Lamp(bands=3.3, depth=0.25, overtone=0.2, along=0.1), np.random.default_rng(5)
    for pictures, flickers in (([board] * 4, False), ([lamp.picture(board, rng) for _ in range(4)], True)):
        frames = [Frame(picture, 40 * number, "c") for number, picture in enumerate(pictures)]
        monkeypatch.setattr(doctor_checks, "_sample", lambda _, shown=frames: (shown, 0.12))
        code, checks = looked("--camera", "0")
        assert code == 0
        assert ("the lamp flickers" in checks["camera"]["says"]) == flickers
        assert ("power_line_frequency=1" in checks["camera"]["next"]) == flickers


def test_a_camera_out_of_focus_is_a_problem_and_one_that_shows_no_colours(tmp_path: Path) -> None:
    shots, made = Path(__file__).parents[1] / "data" / "vision" / "green_felt", tmp_path / "c.yaml"
    calibrate(read_picture(shots / "f00.jpg"), read_picture(shots / "f01.jpg")).save(made)
    soft = tmp_path / "soft.png"
    write_picture(soft, np.asarray(cv2.GaussianBlur(read_picture(shots / "f03.jpg"), (0, 0), 2.5), np.uint8))
    grey = tmp_path / "grey.png"
    write_picture(grey, np.repeat(cv2.cvtColor(read_picture(shots / "f03.jpg"), cv2.COLOR_BGR2GRAY)[..., None], 3, 2))
    told = ((soft, "out of focus by", "fix the focus there"), (grey, "shows no colours", "switch its night mode off"))
    for shown in (shots / "f03.jpg", soft, grey):
        code, checks = looked("--camera", str(shown), "--calibration", str(made))
        assert (code == 0) == (shown == shots / "f03.jpg")
        for which, says, advice in told:
            assert (says in checks["camera"]["says"]) == (shown == which)
            assert (advice in checks["camera"]["next"]) == (shown == which)


def test_a_calibration_out_of_focus_is_a_problem(tmp_path: Path) -> None:
    shots, made = Path(__file__).parents[1] / "data" / "vision" / "green_felt", tmp_path / "c.yaml"
    sharp = calibrate(read_picture(shots / "f00.jpg"), read_picture(shots / "f01.jpg"))
    soft = sharp.in_light(lambda taken: np.asarray(cv2.GaussianBlur(taken, (0, 0), 2.0), np.uint8))
    for calibration in (sharp, soft):
        calibration.save(made)
        code, checks = looked("--calibration", str(made))
        assert (code == 0) == (calibration is sharp)
        assert ("out of focus" in checks["calibration"]["says"]) == (calibration is not sharp)
        assert ("fix the focus there, and calibrate anew" in checks["calibration"]["next"]) == (
            calibration is not sharp
        )


def test_a_calibration_in_glare_is_a_problem(tmp_path: Path) -> None:
    """A lamp mirrored over points 4 and 5, beside the rows of the starting position."""
    shots, made = Path(__file__).parents[1] / "data" / "vision" / "green_felt", tmp_path / "c.yaml"
    plain = calibrate(read_picture(shots / "f00.jpg"), read_picture(shots / "f01.jpg"))
    ((x, y),) = plain.camera.project([(*plain.geometry.on_point(4, 1)[:2], 0.0)])
    dazzled = plain.in_light(lambda taken: mirroring_lamp(taken, (x, y), plain.camera.seen_px(40.0)))
    for calibration in (plain, dazzled):
        calibration.save(made)
        code, checks = looked("--calibration", str(made))
        assert (code == 0) == (calibration is plain)
        assert ("glare hides what lies on the points" in checks["calibration"]["says"]) == (calibration is not plain)
        told = "move or soften the lamp, or expose shorter, and calibrate anew" in checks["calibration"]["next"]
        assert told == (calibration is not plain)


def test_a_calibration_whose_checkers_are_as_white_as_the_board_is_a_problem(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shots, made = Path(__file__).parents[1] / "data" / "vision" / "green_felt", tmp_path / "c.yaml"
    calibrate(read_picture(shots / "f00.jpg"), read_picture(shots / "f01.jpg")).save(made)
    monkeypatch.setattr(doctor_checks, "white_points", lambda _: [2, 13])
    code, checks = looked("--calibration", str(made))
    assert code == 1
    assert "light checkers are as white as the board on the points 2, 13" in checks["calibration"]["says"]


def test_a_camera_of_other_tones_is_no_problem_and_one_is_told(tmp_path: Path) -> None:
    shots, made = Path(__file__).parents[1] / "data" / "vision" / "green_felt", tmp_path / "c.yaml"
    calibrate(read_picture(shots / "f00.jpg"), read_picture(shots / "f01.jpg")).save(made)
    board, veiled = read_picture(shots / "f03.jpg"), tmp_path / "veiled.png"
    write_picture(veiled, levels_of(0.7 * light_of(board) + np.float32(0.3)))
    for shown in (shots / "f03.jpg", veiled):
        code, checks = looked("--camera", str(shown), "--calibration", str(made))
        assert code == 0
        assert ("its contrast is another one" in checks["camera"]["says"]) == (shown == veiled)
        assert ("shade its lens" in checks["camera"]["next"]) == (shown == veiled)


def test_a_dark_picture_asks_for_light(tmp_path: Path) -> None:
    code, checks = looked("--camera", str(picture(tmp_path / "a.png", brightness=10)))
    assert code == 1
    assert "too dark (10 of 255)" in checks["camera"]["says"]
    assert checks["camera"]["next"] == "switch on a light"


def test_a_calibration_is_loaded_and_says_how_wide_a_die_is(tmp_path: Path) -> None:
    code, checks = looked("--calibration", str(calibration(tmp_path)))
    assert code == 0
    assert "1280x720; a die is 19 px wide" in checks["calibration"]["says"]
    assert "20 px and more are read best" in checks["calibration"]["next"]


def test_dice_that_come_out_too_small_are_a_problem(tmp_path: Path) -> None:
    code, checks = looked("--calibration", str(calibration(tmp_path, focal_px=900.0)))
    assert code == 1
    assert "hang the camera lower" in checks["calibration"]["next"]


def test_a_camera_of_another_size_than_its_calibration_is_a_problem(tmp_path: Path) -> None:
    small = picture(tmp_path / "a.png", size=(640, 480))
    code, checks = looked("--calibration", str(calibration(tmp_path)), "--camera", str(small))
    assert code == 1
    assert "640x480 pixels, the calibration is for 1280x720" in checks["camera"]["says"]


def test_a_missing_calibration_says_how_to_make_one(tmp_path: Path) -> None:
    code, checks = looked("--calibration", str(tmp_path / "no.yaml"))
    assert code == 1
    assert "boardctl calibrate camera" in checks["calibration"]["says"]


def test_a_sensor_board_says_who_it_is() -> None:
    with StandInBoard() as board:
        code, checks = looked("--port", board.path)
    assert code == 0
    assert "128 channels, 60 lights" in checks["sensor board"]["says"]


def test_a_port_that_is_not_there_is_told() -> None:
    code, output = run("--port", "/dev/ttyUSB97")
    assert code == 1
    assert "/dev/ttyUSB97: no such port" in output


def test_a_port_that_talks_garbage_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor_checks, "BOARD_WAIT_S", 1.0)
    master, port = os.openpty()
    tty.setraw(port)
    done = threading.Event()

    def babble() -> None:
        noise = np.random.default_rng(11)
        while not done.wait(0.02):
            os.write(master, noise.bytes(40))

    talker = threading.Thread(target=babble)
    talker.start()
    try:
        code, checks = looked("--port", os.ttyname(port))
    finally:
        done.set()
        talker.join()
        os.close(master)
        os.close(port)
    assert code == 1
    assert checks["sensor board"]["verdict"] == "problem"
    assert "/dev/pts/" in checks["sensor board"]["says"]


def test_a_faulty_configuration_is_named_by_line(tmp_path: Path) -> None:
    path = tmp_path / "table.yaml"
    path.write_text("camera: /dev/video0\ncamra: 1\n", encoding="utf-8")
    code, checks = looked("--config", str(path))
    assert code == 1
    assert checks["configuration"]["says"] == f"{path}:2: camra: unknown key; remove it or correct its name"


def test_devices_come_from_the_configuration(tmp_path: Path) -> None:
    calibration(tmp_path)
    picture(tmp_path / "a.png")
    path = tmp_path / "table.yaml"
    path.write_text(f"camera: {tmp_path / 'a.png'}\ncalibration: calibration.yaml\n", encoding="utf-8")
    code, checks = looked("--config", str(path))
    assert code == 0
    assert [checks[name]["verdict"] for name in ("camera", "calibration")] == ["ok", "ok"]


def test_the_shipped_example_holds_when_its_lines_are_taken_in(tmp_path: Path) -> None:
    lines = (CONFIG_DIRECTORY / "table.yaml").read_text(encoding="utf-8").splitlines()
    settings_lines = [line[2:] for line in lines if re.match(r"# (  ){0,2}[a-z0-9_]+:( |$)", line)]
    taken = [line for line in settings_lines if "scrypt:..." not in line]  # each table has hashes of its own
    assert len(settings_lines) - len(taken) == 2
    path = tmp_path / "table.yaml"
    path.write_text("\n".join(taken), encoding="utf-8")
    settings = doctor_checks.read_device_settings(path)
    left_out = {name for name, value in settings if value is None}
    assert left_out == set()
    assert settings.panel is not None
    assert settings.panel.director is not None


def test_a_panel_in_the_configuration_is_tried(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "table.yaml"
    path.write_text("panel:\n  buttons: {A: 17, B: 27}\n  buzzer: 18\n", encoding="utf-8")
    monkeypatch.setattr(gpiozero.Device, "pin_factory", MockFactory())
    assert looked("--config", str(path))[1]["panel"]["says"] == "3 pins through MockFactory"
    monkeypatch.setattr(gpiozero.Device, "pin_factory", None)
    monkeypatch.setenv("GPIOZERO_PIN_FACTORY", "none-such")
    code, checks = looked("--config", str(path))
    assert code == 1
    assert "no GPIO that can be used" in checks["panel"]["says"]


def test_the_page_says_whether_its_port_is_free_and_that_its_line_is_open(tmp_path: Path) -> None:
    path = tmp_path / "table.yaml"
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        path.write_text(f"page:\n  listen: {port}\n", encoding="utf-8")
        code, checks = looked("--config", str(path))
        assert code == 1
        assert f"port {port} is in use" in checks["page"]["says"]
    code, checks = looked("--config", str(path))
    assert (code, checks["page"]["says"], checks["page"]["next"]) == (0, f"127.0.0.1:{port}: free", "")
    path.write_text(f"page:\n  listen: 0.0.0.0:{port}\n", encoding="utf-8")
    check = looked("--config", str(path))[1]["page"]
    assert check["says"] == f"0.0.0.0:{port}: free; not encrypted"
    assert "passwords as well" in check["next"]


def test_an_existing_journal_is_opened_and_one_that_is_none_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "night.journal"
    Journal.create(path, {"game": "backgammon"}).close()
    assert f"{path}: 1 entries" in looked("--journal", str(path))[1]["journal"]["says"]
    path.write_text("no journal, but long enough to be looked at by a data base" * 20, encoding="utf-8")
    code, checks = looked("--journal", str(path))
    assert code == 1
    assert checks["journal"]["verdict"] == "problem"


def test_a_nearly_full_disk_is_told_before_it_is_full(monkeypatch: pytest.MonkeyPatch) -> None:
    class Usage(NamedTuple):
        total: int = 32_000_000_000
        used: int = 31_900_000_000
        free: int = 100_000_000

    monkeypatch.setattr(shutil, "disk_usage", lambda _: Usage())
    code, checks = looked()
    assert code == 1
    assert "100 MB free" in checks["journal"]["says"]
    assert "free at least 500 MB" in checks["journal"]["next"]


def test_help_has_an_example() -> None:
    code, output = run("--help")
    assert code == 0
    assert "Example: boardctl doctor" in output
