"""A game at a table with devices: what is missing is said, what is there bears witness, what was seen is kept."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from random import Random

import cv2
import pytest
from command_line import run

from boardctl.records import Journal
from boardctl.referee.facts import BoardSeen, DeviceChanged
from boardctl.referee.readings import Witness
from boardctl.rules import Backgammon
from boardctl.virtual import VirtualTable
from boardctl.virtual.sensing import channel_classes
from boardctl.virtual.world import empty_world, set_up
from calibration import BoardGeometry, calibrate
from firmware_bridge import SlotMap, StandInBoard


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Gets a folder with a calibration, and with pictures of the starting position in ``start``."""
    folder = tmp_path_factory.mktemp("table")
    with VirtualTable(Backgammon(), seed=1) as virtual:
        empty, start = virtual.empty_frame(), virtual.starting_frame()
    calibrate(empty, start).save(folder / "calibration.yaml")
    (folder / "start").mkdir()
    cv2.imwrite(str(folder / "start" / "f000.png"), start)
    return folder


def set_up_sensors(standin: StandInBoard) -> None:
    start = set_up(empty_world(BoardGeometry(), Random(1)), Backgammon().start().placement(), Random(1))
    standin.set_channels(channel_classes(start, SlotMap.reference()))


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        ([], 2, "no camera is named: give --camera"),
        (["--camera", "/dev/video97"], 2, "no calibration is named: give --calibration"),
        (["--camera", "/dev/video97", "--calibration", "{}/calibration.yaml"], 1, "/dev/video97: no such camera"),
        (["--config", "{}/none.yaml"], 2, "none.yaml: no such file"),
        (["--port", "/dev/x", "--board", "standin"], 2, "exclude each other"),
        (["--resume", "a.journal", "--journal", "b.journal"], 2, "leave --journal out"),
        (
            ["--camera", "{}/start", "--calibration", "{}/calibration.yaml", "--port", "/dev/none"],
            1,
            "/dev/none: no such port",
        ),
    ],
)
def test_what_is_missing_is_said_in_one_message(words: list[str], code: int, message: str, table: Path) -> None:
    ran = run("play", *(word.format(table) for word in words))
    assert (ran.code, message in " ".join(ran.output.split())) == (code, True), ran.output
    assert "Traceback" not in ran.output


def test_a_camera_alone_referees(table: Path, tmp_path: Path) -> None:
    words = ("--camera", table / "start", "--calibration", table / "calibration.yaml", "--board", "standin")
    ran = run("play", *words, "--journal", tmp_path / "a.journal")
    assert ran.code == 0, ran.output
    assert "Each seat rolls one die." in ran.output
    with Journal.open(tmp_path / "a.journal") as journal:
        seen = [fact for _, fact in journal.facts() if isinstance(fact, BoardSeen)]
    # Nothing lies on a board without hardware: it says nothing about the position.
    assert {fact.reading.witness for fact in seen} == {Witness.CAMERA}


def test_the_configuration_names_camera_calibration_and_a_board_that_bears_witness(table: Path, tmp_path: Path) -> None:
    many = tmp_path / "many"
    many.mkdir()
    for number in range(12):  # pictures for longer than the sensors take to say that they are at rest
        (many / f"f{number:03}.png").symlink_to(table / "start" / "f000.png")
    with StandInBoard(link_path=tmp_path / "port") as standin:
        set_up_sensors(standin)
        config = tmp_path / "table.yaml"
        config.write_text(
            f"camera: {many}\ncalibration: {table / 'calibration.yaml'}\nsensor_board: {standin.path}\n"
            "lights: {dice: {A: [56, 57], B: [58, 59]}}\n"
        )
        ran = run("play", "--config", config, "--journal", tmp_path / "a.journal")
    assert ran.code == 0, ran.output
    with Journal.open(tmp_path / "a.journal") as journal:
        seen = [fact for _, fact in journal.facts() if isinstance(fact, BoardSeen)]
    assert {fact.reading.witness for fact in seen} == {Witness.CAMERA, Witness.SENSORS}
    sensed = next(fact for fact in seen if fact.reading.witness is Witness.SENSORS)
    start = Backgammon().start().placement()
    assert all(sensed.reading.at(place).likelihood(start.at(place)) > 0.01 for place in Backgammon().places)


def test_ctrl_c_keeps_the_record_and_it_can_be_gone_on_with(table: Path, tmp_path: Path) -> None:
    many, path = tmp_path / "many", tmp_path / "a.journal"
    many.mkdir()
    for number in range(3000):
        (many / f"f{number:04}.png").symlink_to(table / "start" / "f000.png")
    eyes = ["--camera", str(many), "--calibration", str(table / "calibration.yaml")]
    with subprocess.Popen(
        [sys.executable, "-c", "from boardctl.cli import main; main()", "play", *eyes, "--journal", str(path)],
        stderr=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "TERM": "dumb"},
    ) as played:
        assert played.stdout is not None
        give_up_s = time.monotonic() + 60
        while "Each seat rolls" not in played.stdout.readline():
            assert time.monotonic() < give_up_s
        played.send_signal(signal.SIGINT)
        said, errors = played.communicate(timeout=60)
    assert played.returncode == 130
    assert errors == "boardctl: stopped; what was recorded is kept\n"
    assert f"record: {path}" in said
    ran = run("play", "--camera", table / "start", "--calibration", table / "calibration.yaml", "--resume", path)
    assert ran.code == 0, ran.output
    with Journal.open(path) as journal:
        assert journal.first_altered() is None
        facts = [fact for _, fact in journal.facts()]
    changed = [fact for fact in facts if isinstance(fact, DeviceChanged)]
    assert [fact.working for fact in changed] == [False, True]
    assert [fact.at_ms for fact in facts] == sorted(fact.at_ms for fact in facts)
