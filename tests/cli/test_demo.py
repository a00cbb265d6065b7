import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import cv2
import pytest
from command_line import run

from boardctl.records import Journal
from firmware_bridge.toolchain import missing_packages


def test_the_demo_referees_turns_and_scores_itself_against_the_truth(tmp_path: Path) -> None:
    path, picture = tmp_path / "demo.journal", tmp_path / "board.png"
    ran = run("demo", "--fast", "--turns", "6", "--report", "--journal", path, "--picture", picture)
    assert ran.code == 0, ran.output
    assert "0 wrong and vouched for" in ran.output
    assert "plays: 6 of 6 right" in ran.output
    assert "camera and sensors at the end of 6 turns: agreed at 168 places, disagreed at 0" in ran.output
    assert cv2.imread(str(picture)) is not None
    with Journal.open(path) as journal:
        assert journal.first_altered() is None
        assert journal.unanswered() == set()
    assert run("replay", path).code == 0


@pytest.mark.parametrize("eyes", ["standin", "perfect"])
def test_stand_in_eyes_say_so_and_play_a_whole_game(eyes: str, tmp_path: Path) -> None:
    path = tmp_path / "demo.journal"
    ran = run("demo", "--eyes", eyes, "--fast", "--faults", "all", "--seed", "3", "--report", "--journal", path)
    assert ran.code == 0, ran.output
    assert "seen by stand-in eyes" in ran.output
    assert "ruled" in ran.output
    assert "games: 1 of 1 right" in ran.output
    assert ran.output.count("0 wrong and vouched for") >= 4
    with Journal.open(path) as journal:
        assert journal.header["source"] == f"virtual table, seed 3, {eyes} eyes"


@pytest.mark.skipif(bool(missing_packages()) and "CI" not in os.environ, reason="needs avr-gcc and libsimavr")
def test_the_demo_plays_on_the_real_firmware(tmp_path: Path) -> None:
    ran = run("demo", "--fast", "--turns", "1", "--board", "emulated", "--journal", tmp_path / "demo.journal")
    assert ran.code == 0, ran.output
    assert "plays: 1 of 1 right" in ran.output
    assert "camera and sensors at the end of 1 turns: agreed at 28 places, disagreed at 0" in ran.output


def test_without_a_terminal_the_demo_writes_a_line_a_turn(tmp_path: Path) -> None:
    ran = run("demo", "--turns", "2", "--faults", "none", "--journal", tmp_path / "demo.journal")
    assert ran.output.count(", legal, ") == 2


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--look", "nobodys"], "choose one of"),
        (["--eyes", "closed"], "--eyes"),
        (["--match", "100"], "--match"),
        (["--fast", "--real-time"], "exclude each other"),
        (["--cup", "--eyes", "standin"], "--cup is seen by a camera; leave out --eyes standin"),
        (["--games", "0"], "--games"),
        (["--seed", "-1"], "--seed"),
        (["--picture", "no-such-folder/board.png"], "no-such-folder/board.png: no such folder"),
        (["--picture", "board.txt"], "board.txt: its ending names no picture format"),
        (["--picture", "board"], "board: its ending names no picture format"),
        (["--faults", "unheard-of"], "--faults"),
        (["--ruleset", "nobodys"], "no ruleset"),
        (["--jacoby"], "give --cube, too"),
        (["--match", "3", "--cube", "--beavers"], "belong to money play"),
    ],
)
def test_wrong_use_is_said_in_words(words: list[str], message: str, tmp_path: Path) -> None:
    ran = run("demo", *words, "--journal", tmp_path / "a.journal")
    assert ran.code == 2
    assert message in ran.output


def test_ctrl_c_stops_in_one_line_and_keeps_the_record(tmp_path: Path) -> None:
    path = tmp_path / "demo.journal"
    words = ["demo", "--fast", "--games", "50", "--journal", str(path)]
    with subprocess.Popen(
        [sys.executable, "-c", "from boardctl.cli import main; main()", *words],
        stderr=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        text=True,
        env={**os.environ, "TERM": "dumb"},
    ) as demo:
        try:
            give_up_s = time.monotonic() + 120
            written = path.with_name(path.name + "-wal")
            while not written.exists() or written.stat().st_size < 200_000:
                assert demo.poll() is None
                assert time.monotonic() < give_up_s
                time.sleep(0.1)
            demo.send_signal(signal.SIGINT)
            _, errors = demo.communicate(timeout=60)
        finally:
            demo.kill()  # or leaving the block would wait for fifty games
    assert demo.returncode == 130
    assert errors == "boardctl: stopped; what was recorded is kept\n"
    with Journal.open(path) as journal:
        assert journal.first_altered() is None
        assert len(list(journal.facts())) > 3
