"""``boardctl`` and ``boardctl --help``: every command in a line, said at once."""

import os
import re
import subprocess
import sys

import pytest
from typer.testing import CliRunner

from boardctl import cli
from boardctl.cli import build, command_names, overview, rules


def test_every_command_stands_there_in_one_line() -> None:
    said = CliRunner().invoke(overview(), ["--help"]).output
    names = re.findall(r"^│ ([a-z]+) +[A-Z].*\.", said, re.MULTILINE)
    assert names == command_names()


@pytest.mark.parametrize("name", command_names())
def test_every_command_says_how_it_is_used(name: str) -> None:
    ran = CliRunner().invoke(build([name]), [name, "--help"])
    assert ran.exit_code == 0
    assert f"boardctl {name}" in ran.output


def test_no_command_is_imported_to_say_which_there_are() -> None:
    program = (
        "import sys; from boardctl.cli import main; sys.argv[1:] = ['--help']\n"
        "try: main()\n"
        "finally: print(sorted({'numpy', 'cv2', 'boardctl.rules', 'boardctl.records'} & set(sys.modules)))"
    )
    ran = subprocess.run([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True)
    assert ran.returncode == 0
    assert ran.stdout.splitlines()[-1] == "[]"


def test_numpy_starts_no_threads_that_wait_by_turning_round() -> None:
    program = (
        "import os, sys; from boardctl.cli import main; sys.argv[1:] = ['read', '--help']\n"
        "try: main()\n"
        "finally: print(len(os.listdir('/proc/self/task')))"
    )
    own = {name: value for name, value in os.environ.items() if name not in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS")}
    ran = subprocess.run([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True, env=own)
    assert ran.returncode == 0
    assert ran.stdout.splitlines()[-1] == "1"


def test_ctrl_c_while_a_command_is_being_imported_is_one_line(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    def interrupted(names: list[str]) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(cli, "build", interrupted)
    monkeypatch.setattr(sys, "argv", ["boardctl", "demo"])
    with pytest.raises(SystemExit) as stopped:
        cli.main()
    assert stopped.value.code == 130
    assert capfd.readouterr() == ("", "boardctl: stopped\n")


def test_a_command_that_there_is_not_is_named_with_the_nearest() -> None:
    ran = CliRunner().invoke(overview(), ["docter"])
    assert ran.exit_code == 2
    assert "No such command 'docter'" in ran.output
    assert "'doctor'" in ran.output


def test_building_the_commands_leaves_each_group_as_it_is() -> None:
    before = [command.callback for command in rules.app.registered_commands]
    build(["rules"])
    assert [command.callback for command in rules.app.registered_commands] == before
