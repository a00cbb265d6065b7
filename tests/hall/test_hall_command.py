"""``boardctl hall`` as a director runs it, and ``--hall`` as it is asked for at a table."""

import json
import signal
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from mosquitto import Mosquitto
from needs_broker import needs_broker
from told_tables import told_table, until
from turns import WRONG_31, played, set_up
from typer.testing import CliRunner

from boardctl.cli import build

_MAIN = [sys.executable, "-c", "from boardctl.cli import main; main()"]


def run(*words: str | Path) -> tuple[int, str]:
    """Runs boardctl with words; a defect of boardctl is raised."""
    result = CliRunner().invoke(build([str(words[0])]), [str(word) for word in words])
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result.exit_code, result.output


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
    return port


def seen(mosquitto: Mosquitto) -> list[Any]:
    code, said = run("hall", "--broker", mosquitto.address, "--once", "--json")
    assert code == 0, said
    return [json.loads(line) for line in said.splitlines()]


@needs_broker
def test_a_game_of_the_demo_is_seen_and_its_end_by_force_too(tmp_path: Path) -> None:
    words = ["demo", "--real-time", "--eyes", "perfect", "--match", "3", "--cube", "--table", "Table 7"]
    with Mosquitto(tmp_path) as mosquitto:
        own = [*words, "--hall", mosquitto.address, "--journal", str(tmp_path / "a.journal")]
        with subprocess.Popen([*_MAIN, *own], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as demo:
            try:
                until(lambda: "boardctl/tables/Table 7/state" in mosquitto.log, "the table tells of itself")
                (table,) = seen(mosquitto)
            finally:
                demo.kill()
            assert demo.stderr is not None
            assert demo.stderr.read().decode() == f"hall: Table 7 is told of to {mosquitto.address}, not encrypted\n"
        assert (table["table"], table["standing"]) == ("Table 7", "live")
        state = table["state"]
        assert (state["game"], state["match_length"], state["version"]) == ("backgammon", 3, 1)
        assert state["ruleset"] == "house-seed"
        assert state["cube"] == {"value": 1, "owner": None, "offered": None}
        assert state["evidence"]["record"] == str(tmp_path / "a.journal")
        (after,) = seen(mosquitto)
        assert (after["standing"], after["state"]["run"]) == ("lost", state["run"])


@needs_broker
def test_the_view_says_in_words_who_wants_the_director(tmp_path: Path) -> None:
    with Mosquitto(tmp_path) as mosquitto, told_table(mosquitto.broker, tmp_path, "Table 2", "us-2008-like") as table:
        table.feed([*set_up(), *played(WRONG_31)])
        until(lambda: mosquitto.log.count("Table 2/state") >= 1, "it is told")
        code, said = run("hall", "--broker", mosquitto.address, "--once")
    assert code == 0
    for words in (
        "Tables: 1, there: 1",
        "DIRECTOR WANTED for 0:0",
        "ASKED of the director",
        "OPEN for 0:0",
        "not legal",
        "Evidence: ",
    ):
        assert words in said, said


@needs_broker
def test_an_empty_hall_is_said_to_be_empty(tmp_path: Path) -> None:
    with Mosquitto(tmp_path) as mosquitto:
        code, said = run("hall", "--broker", mosquitto.address, "--once")
    assert code == 0
    assert "No table has told of itself yet." in said


@needs_broker
@pytest.mark.parametrize("words", [["--json"], []])
def test_changes_are_told_until_ctrl_c(tmp_path: Path, words: list[str]) -> None:
    with Mosquitto(tmp_path) as mosquitto, told_table(mosquitto.broker, tmp_path) as table:
        table.feed(set_up())
        command = [*_MAIN, "hall", "--broker", mosquitto.address, *words]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, bufsize=0) as watching:
            assert watching.stdout is not None
            first = watching.stdout.readline().decode()
            watching.send_signal(signal.SIGINT)
            _, complaint = watching.communicate(timeout=10)
        assert (watching.returncode, complaint) == (0, b"")
        assert "Table 1" in first
        if words:
            assert json.loads(first)["table"] == "Table 1"


@needs_broker
def test_a_wrong_password_is_a_mistake_of_the_user(tmp_path: Path) -> None:
    file = tmp_path / "passwords"
    file.touch(mode=0o600)
    subprocess.run(["mosquitto_passwd", "-b", str(file), "director", "right"], check=True)
    (tmp_path / "wrong").write_text("wrong\n")
    with Mosquitto(tmp_path, ["allow_anonymous false", f"password_file {file}"]) as mosquitto:
        asked = ["hall", "--broker", f"director@{mosquitto.address}", "--once"]
        code, said = run(*asked, "--password-file", tmp_path / "wrong")
        assert code == 2
        assert "the broker refuses the name or the password" in said
        code, said = run("hall", "--broker", mosquitto.address, "--once")
        assert code == 2
        assert "sends away who gives no name" in said
        (tmp_path / "wrong").write_text("right\n")
        assert run(*asked, "--password-file", tmp_path / "wrong")[0] == 0


def test_no_broker_is_said_in_one_line() -> None:
    port = free_port()
    code, said = run("hall", "--broker", f"127.0.0.1:{port}", "--once")
    assert code == 1
    assert said == f"boardctl: --broker 127.0.0.1:{port}: no broker listens there\n"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--broker", "http://x"], "write [USER@]HOST[:PORT]"),
        (["--broker", "host:port"], "write [USER@]HOST[:PORT]"),
        (["--broker", "127.0.0.1:0"], "write [USER@]HOST[:PORT]"),
        (["--broker", "a b"], "write [USER@]HOST[:PORT]"),
        (["--broker", "director@x", "--password-file", "no-such-file"], "no-such-file: the password cannot be read"),
        (["--broker", "director@x", "--password-file", "/dev/null"], "holds no password for director"),
        (["--broker", "director@x"], "BOARDCTL_HALL_PASSWORD: holds no password"),
        (["--broker", "x", "--password-file", "/dev/null"], "write USER@x"),
        (["--broker", "x", "--ca-file", "/dev/null"], "no certificate can be read from it"),
        (["--broker", "x", "--ca-file", "no-such-file"], "no certificate can be read from it"),
    ],
)
def test_wrong_use_of_the_view_is_said_in_words(
    words: list[str], message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("BOARDCTL_HALL_PASSWORD", raising=False)
    code, said = run("hall", *words, "--once")
    assert code == 2
    assert message in said


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--hall", "host:port"], "write [USER@]HOST[:PORT]"),
        (["--hall", "x", "--table", "a/b"], "a table's name has 1 to 40 signs"),
        (["--hall", "x", "--table", "#"], "a table's name has 1 to 40 signs"),
        (["--hall", "table3@x"], "BOARDCTL_HALL_PASSWORD: holds no password"),
        (["--table", "Table 3"], "give --hall, too"),
    ],
)
def test_wrong_use_at_a_table_is_said_before_a_record_begins(
    words: list[str], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("BOARDCTL_HALL_PASSWORD", raising=False)
    code, said = run("demo", *words, "--journal", tmp_path / "a.journal")
    assert code == 2
    assert message in said
    assert not (tmp_path / "a.journal").exists()


def test_a_table_without_its_broker_plays_to_the_end(tmp_path: Path) -> None:
    port = free_port()
    words = ("--eyes", "perfect", "--fast", "--turns", "4", "--journal", tmp_path / "a.journal")
    code, said = run("demo", "--hall", f"127.0.0.1:{port}", "--table", "Table 7", *words)
    assert code == 0, said
    assert "plays: 4 of 4 right" in said
    assert said.count(f"hall: 127.0.0.1:{port}: no broker listens there; the game goes on without") == 1
