"""A game at a table with devices: what is missing is said, what is there bears witness, what was seen is kept."""

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from threading import Event, Thread

import cv2
import pytest
from command_line import Ran, run

from boardctl.cli.reporting import USAGE
from boardctl.records import Journal
from boardctl.referee.facts import BoardSeen, DeviceChanged
from boardctl.referee.readings import Witness
from boardctl.rules import Backgammon, Seat, bar, point
from boardctl.rules.games import GAMES
from boardctl.virtual import VirtualTable
from boardctl.virtual.sensing import channel_classes
from boardctl.virtual.world import empty_world, set_up
from calibration import BoardGeometry, calibrate
from firmware_bridge import ChainLayout, SlotMap, StandInBoard


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
            ["--camera", "0", "--calibration", "{}/calibration.yaml", "--player", "C=Cleo"],
            2,
            "--player C=Cleo: write a seat and its name, such as A=Ann; seats here are A, B",
        ),
        (["--go-on-within", "30", "--resume", "a.journal"], 2, "leave --resume and --journal out"),
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
    named = ("--player", "A=Ann", "--player", "B=Bob Lee")
    ran = run("play", *words, *named, "--journal", tmp_path / "a.journal")
    assert ran.code == 0, ran.output
    assert "Each seat rolls one die." in ran.output
    with Journal.open(tmp_path / "a.journal") as journal:
        assert journal.header["players"] == {"A": "Ann", "B": "Bob Lee"}
        seen = [fact for _, fact in journal.facts() if isinstance(fact, BoardSeen)]
    # Nothing lies on a board without hardware: it says nothing about the position.
    assert {fact.reading.witness for fact in seen} == {Witness.CAMERA}


def test_the_hall_that_the_configuration_names_is_told_and_nobody_waits_for_it(table: Path, tmp_path: Path) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        nobody = f"127.0.0.1:{free.getsockname()[1]}"
    config = tmp_path / "table.yaml"
    devices = f"camera: {table / 'start'}\ncalibration: {table / 'calibration.yaml'}\n"
    config.write_text(f"{devices}hall:\n  broker: {nobody}\n  table: Table 3\n", encoding="utf-8")
    ran = run("play", "--config", config, "--journal", tmp_path / "a.journal")
    assert ran.code == 0, ran.output
    assert f"hall: {nobody}: no broker listens there; the game goes on without" in ran.output
    assert "Each seat rolls one die." in ran.output


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
    assert "another calibration" not in ran.output
    with Journal.open(path) as journal:
        assert journal.first_altered() is None
        facts = [fact for _, fact in journal.facts()]
    changed = [fact for fact in facts if isinstance(fact, DeviceChanged)]
    assert [fact.working for fact in changed] == [False, True]
    assert [fact.at_ms for fact in facts] == sorted(fact.at_ms for fact in facts)
    anew = table / "anew.yaml"
    text = (table / "calibration.yaml").read_text()
    anew.write_text(text.replace("die_size_given: false", "die_size_given: true"))
    assert anew.read_text() != text
    ran = run("play", "--camera", table / "start", "--calibration", anew, "--resume", path)
    assert (ran.code, "the record began with another calibration" in ran.output) == (0, True), ran.output


def test_a_table_that_starts_again_goes_on_with_its_record(
    table: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    words = ("--camera", table / "start", "--calibration", table / "calibration.yaml", "--go-on-within", 30)
    first, second, other = run("play", *words), run("play", *words), run("play", *words, "--match", 7)
    assert (first.code, second.code, other.code) == (0, 0, 0), first.output + second.output + other.output
    path = next(line for line in first.output.splitlines() if line.startswith("record: ")).removeprefix("record: ")
    assert "going on" not in first.output
    assert second.output.splitlines()[0] == f"going on with the record: {path}"
    assert second.output.splitlines()[-1] == f"record: {path}"
    assert "a new record begins" in other.output
    with Journal.open(Path(path)) as journal:
        assert journal.first_altered() is None


FOUR = GAMES["multigam"]


@pytest.fixture(scope="module")
def four(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Gets a folder as :func:`table` has it, with pictures of Multi-Gam: set up, and after checkers have entered."""
    folder = tmp_path_factory.mktemp("four")
    with VirtualTable(FOUR, seed=1) as virtual:
        empty, start = virtual.empty_frame(), virtual.game_frame()
        calibrate(empty, virtual.starting_frame()).save(folder / "calibration.yaml")
        moved = (
            FOUR.start()
            .placement()
            .replaced(
                {bar(Seat.C): (Seat.C,) * 4, point(3): (Seat.C,), bar(Seat.D): (Seat.D,) * 4, point(5): (Seat.D,)}
            )
        )
        virtual.world = set_up(virtual.world, moved, Random(2))
        pictures = {"empty": empty, "start": start, "later": virtual.picture()}
    for name, picture in pictures.items():
        (folder / name).mkdir()
        cv2.imwrite(str(folder / name / "f000.png"), picture)
    return folder


def played_by_four(four: Path, name: str, *words: str | Path) -> Ran:
    return run("play", "--camera", four / name, "--calibration", four / "calibration.yaml", *words)


@contextmanager
def lights_seen(standin: StandInBoard) -> Iterator[set[int]]:
    """Gets the numbers of the lights that are lit at any time until this is left."""
    lit: set[int] = set()
    left = Event()

    def look() -> None:
        while not left.wait(0.005):
            lit.update(number for number, light in enumerate(standin.led_frame) if any(light[:3]))

    looking = Thread(target=look)
    looking.start()
    try:
        yield lit
    finally:
        left.set()
        looking.join()


def boards_of(path: Path) -> list[BoardSeen]:
    with Journal.open(path) as journal:
        return [fact for _, fact in journal.facts() if isinstance(fact, BoardSeen)]


def test_four_colours_are_learned_from_the_first_picture_and_known_when_the_game_goes_on(
    four: Path, tmp_path: Path
) -> None:
    path = tmp_path / "a.journal"
    ran = played_by_four(four, "start", "--game", "multigam", "--board", "standin", "--journal", path)
    assert ran.code == 0, ran.output
    assert "Each seat rolls one die." in ran.output
    (seen,) = boards_of(path)
    start = FOUR.start().placement()
    assert all(seen.reading.at(bar(seat)).best == start.at(bar(seat)) for seat in FOUR.seats)

    ran = played_by_four(four, "later", "--resume", path)
    assert ran.code == 0, ran.output
    seen = boards_of(path)[-1]
    assert seen.reading.at(point(3)).best == (Seat.C,)
    assert seen.reading.at(point(5)).best == (Seat.D,)
    with Journal.open(path) as journal:
        assert journal.first_altered() is None


def test_a_picture_that_does_not_show_the_four_colours_begins_no_record(four: Path, tmp_path: Path) -> None:
    ran = played_by_four(four, "empty", "--game", "multigam", "--journal", tmp_path / "a.journal")
    assert ran.code == 1
    assert "does not show the starting position of multigam" in " ".join(ran.output.split())
    assert not (tmp_path / "a.journal").exists()


def test_without_its_picture_a_game_of_four_is_not_gone_on_with(four: Path, tmp_path: Path) -> None:
    path = tmp_path / "a.journal"
    assert played_by_four(four, "start", "--game", "multigam", "--journal", path).code == 0
    for kept in (tmp_path / "a.journal.frames").iterdir():
        kept.unlink()
    ran = played_by_four(four, "later", "--resume", path)
    assert (ran.code, "the picture cannot be read" in " ".join(ran.output.split())) == (1, True), ran.output


def test_sensors_that_cannot_tell_of_a_game_are_not_asked_and_its_lights_are_lit(four: Path, tmp_path: Path) -> None:
    many = tmp_path / "many"
    many.mkdir()
    for number in range(12):
        (many / f"f{number:03}.png").symlink_to(four / "later" / "f000.png")
    (many / "f000.png").unlink()
    (many / "f000.png").symlink_to(four / "start" / "f000.png")
    with StandInBoard(link_path=tmp_path / "port") as standin, lights_seen(standin) as lit:
        set_up_sensors(standin)
        words = ("--game", "multigam", "--port", standin.path, "--journal", tmp_path / "a.journal")
        ran = run("play", "--camera", many, "--calibration", four / "calibration.yaml", *words)
    assert ran.code == 0, ran.output
    assert "the sensors do not know where this game has its checkers" in ran.output
    assert {fact.reading.witness for fact in boards_of(tmp_path / "a.journal")} == {Witness.CAMERA}
    # A checker has left the bar of C before the opening: that is shown where this bar lies, on point 13.
    assert lit >= set(ChainLayout().points[13 - 1]), lit


def test_a_calibration_that_cannot_be_used_is_a_wrong_setting_which_no_second_try_cures(tmp_path: Path) -> None:
    """The service starts again after a failure, and not after this."""
    file = tmp_path / "calibration.yaml"
    file.write_text("version: 0\n", encoding="utf-8")
    for named in (file, tmp_path / "none.yaml"):
        refused = run("play", "--camera", "0", "--calibration", named)
        assert refused.code == USAGE
        assert str(named) in refused.output.replace("\n", "")
