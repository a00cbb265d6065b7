"""What people say at the page of a table with a camera, as `boardctl play` runs it."""

import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import cv2
from open_table import Visitor

from boardctl.cli.reporting import STOPPED
from boardctl.records import Journal
from boardctl.referee.facts import Answered, Choice, Doubled, PositionDeclared, Role
from boardctl.rules import Backgammon, Seat
from boardctl.virtual import VirtualTable
from calibration import calibrate

WAIT_S = 90
FRAMES = 4000


def test_players_double_and_take_before_the_camera(tmp_path: Path) -> None:
    with VirtualTable(Backgammon(), seed=1) as virtual:
        empty, start = virtual.empty_frame(), virtual.starting_frame()
    calibrate(empty, start).save(tmp_path / "calibration.yaml")
    (tmp_path / "frames").mkdir()
    cv2.imwrite(str(tmp_path / "start.png"), start)
    for number in range(FRAMES):
        (tmp_path / "frames" / f"f{number:04}.png").symlink_to(tmp_path / "start.png")
    journal = tmp_path / "evening.journal"
    settings = tmp_path / "table.yaml"
    settings.write_text("camera: frames\ncalibration: calibration.yaml\npage:\n  listen: 0\n", encoding="utf-8")
    words = ["play", "--config", str(settings), "--camera", str(tmp_path / "frames"), "--match", "3", "--cube"]
    with subprocess.Popen(
        [sys.executable, "-c", "from boardctl.cli import main; main()", *words, "--journal", str(journal)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    ) as table:
        try:
            assert table.stderr is not None
            said = "".join(table.stderr.readline() for _ in range(3))
            port, password, pin = re.findall(r"127\.0\.0\.1:(\d+)/|: (\S+-\S+-\S+)$|: (\d{6})$", said, re.MULTILINE)
            director, players = Visitor(int(port[0])), Visitor(int(port[0]))
            assert director.enter("director", password[1]).status == 303
            assert players.enter("table", pin[2]).status == 303
            give_up_s = time.monotonic() + WAIT_S
            while players.state["phase"] != "Opening: one die each":
                assert time.monotonic() < give_up_s, players.state
                time.sleep(0.1)
            assert director.act(do="declare", roller="A").status == 200
            assert players.act(do="double", seat="A").status == 200
            assert players.state["question"]["text"] == "A doubles to 2. Take or drop?"
            assert players.act(do="answer", seat="B", choice="take").status == 200
            assert players.state["cube"] == "cube 2 with B"
            table.send_signal(signal.SIGINT)
            assert table.wait(WAIT_S) == STOPPED
        finally:
            table.kill()
    with Journal.open(journal) as record:
        facts = [fact for _, fact in record.facts()]
        assert record.first_altered() is None
    declared, doubled, answered = (fact for fact in facts if isinstance(fact, PositionDeclared | Doubled | Answered))
    assert isinstance(declared, PositionDeclared)
    assert (declared.by, declared.roller) == (Role.DIRECTOR, Seat.A)
    assert (doubled.by, answered.by) == (Role.A, Role.B)
    assert isinstance(answered, Answered)
    assert answered.choice is Choice.TAKE
