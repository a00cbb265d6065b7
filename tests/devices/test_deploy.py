"""The files for systemd and udev: their syntax, and that they fit the program."""

import configparser
import inspect
import os
import re
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest

from boardctl.cli import build
from boardctl.cli.reporting import STOPPED, USAGE
from boardctl.devices.live_camera import LOST_AFTER_MS

DEPLOY = Path(__file__).parents[2] / "docs" / "deploy"


@pytest.fixture
def unit() -> configparser.ConfigParser:
    parser = configparser.ConfigParser(interpolation=None, strict=False)
    parser.optionxform = str  # type: ignore[assignment,method-assign]
    parser.read(DEPLOY / "boardctl.service")
    return parser


def test_the_watchdog_is_more_patient_than_the_camera(unit: configparser.ConfigParser) -> None:
    service = unit["Service"]
    assert (service["Type"], service["Restart"]) == ("notify", "on-failure")
    assert int(service["WatchdogSec"]) * 1000 >= 3 * LOST_AFTER_MS


def test_exit_codes_are_those_of_the_program(unit: configparser.ConfigParser) -> None:
    assert int(unit["Service"]["RestartPreventExitStatus"]) == USAGE
    assert int(unit["Service"]["SuccessExitStatus"]) == STOPPED


def test_the_command_is_one_that_the_program_has(unit: configparser.ConfigParser) -> None:
    _, name, *words = shlex.split(unit["Service"]["ExecStart"])
    command = build([name]).registered_commands[0]
    assert command.name == name == "play"
    assert command.callback is not None
    known = {f"--{parameter.replace('_', '-')}" for parameter in inspect.signature(command.callback).parameters}
    assert {word for word in words if word.startswith("--")} <= known
    variables = set(re.findall(r"\$\{(\w+)\}", unit["Service"]["ExecStart"]))
    set_there = set(re.findall(r"^(\w+)=", (DEPLOY / "table.env").read_text(), re.MULTILINE))
    assert variables == set_there


@pytest.mark.skipif(
    shutil.which("systemd-analyze") is None and "CI" not in os.environ, reason="systemd-analyze is not installed"
)
def test_systemd_understands_the_unit(tmp_path: Path) -> None:
    text = (DEPLOY / "boardctl.service").read_text()
    # The program is not installed at this place here; all else must be understood as it stands.
    copy = tmp_path / "boardctl.service"
    copy.write_text(text.replace("/opt/boardctl/.venv/bin/boardctl", "/bin/true").replace("User=boardctl", "User=root"))
    done = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", str(copy)], capture_output=True, text=True, check=False
    )
    ours = [line for line in (done.stdout + done.stderr).splitlines() if "boardctl.service" in line]
    assert ours == []


def test_the_udev_rules_name_what_they_match_and_set() -> None:
    rules = [line for line in (DEPLOY / "99-boardctl.rules").read_text().splitlines() if line and line[0] != "#"]
    assert len(rules) == 4
    for rule in rules:
        for part in rule.split(", "):
            assert re.fullmatch(r'[A-Z]+(\{[\w/]+\})?(==|=|\+=)"[^"]+"', part), part
    assert sum('SYMLINK+="sensor-board"' in rule for rule in rules) == 2
