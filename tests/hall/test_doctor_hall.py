"""``boardctl doctor`` where the table's settings name a hall: whether the broker answers, and what to do if not."""

import json
import socket
import threading
from pathlib import Path

import pytest
from mosquitto import Mosquitto, certificate, with_password
from needs_broker import needs_broker, needs_openssl
from typer.testing import CliRunner

from boardctl.cli import build, doctor_checks


@pytest.fixture(autouse=True)
def own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.delenv("BOARDCTL_HALL_PASSWORD", raising=False)
    monkeypatch.setattr(doctor_checks, "find_gnubg", lambda: None)  # starting it is slow, and no part of this


def hall(folder: Path, *lines: str) -> tuple[str, str, str]:
    """Gets the check of a hall with these settings: the verdict, what is said and what to do next."""
    settings = folder / "table.yaml"
    settings.write_text("\n".join(["hall:", *(f"  {line}" for line in lines)]) + "\n")
    ran = CliRunner().invoke(build(["doctor"]), ["doctor", "--json", "--config", str(settings)])
    (check,) = [check for check in json.loads(ran.output)["checks"] if check["name"] == "hall"]
    assert ran.exit_code == (1 if check["verdict"] == "problem" else 0)
    return check["verdict"], check["says"], check["next"]


@needs_broker
def test_a_broker_that_answers_is_in_order(tmp_path: Path) -> None:
    with Mosquitto(tmp_path) as mosquitto:
        check = hall(tmp_path, f"broker: {mosquitto.address}", "table: Table 3")
        assert check == ("ok", f"{mosquitto.address}: the broker answers, not encrypted; this is Table 3", "")
        assert "boardctl/tables" not in mosquitto.log, "who looks tells the hall nothing"


@needs_broker
def test_a_wrong_password_and_none_are_told(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("wrong\n")
    with Mosquitto(tmp_path, with_password(tmp_path, "table3", "right")) as mosquitto:
        address = f"broker: table3@{mosquitto.address}"
        verdict, says, _ = hall(tmp_path, address, "table: table3", "password_file: secret")
        assert (verdict, says) == (
            "problem",
            f"table3@{mosquitto.address}: the broker refuses the name or the password",
        )
        verdict, says, _ = hall(tmp_path, f"broker: {mosquitto.address}", "table: table3")
        assert (verdict, says) == ("problem", f"{mosquitto.address}: the broker sends away who gives no name")
        verdict, says, _ = hall(tmp_path, address)
        assert (verdict, says[:46]) == ("problem", "BOARDCTL_HALL_PASSWORD: holds no password for ")
        (tmp_path / "secret").write_text("right\n")
        assert hall(tmp_path, address, "table: table3", "password_file: secret")[0] == "ok"
        verdict, says, then = hall(tmp_path, address, "table: Table 3", "password_file: secret")
        assert verdict == "ok"
        assert "write table: table3" in then


@needs_broker
@needs_openssl
def test_a_certificate_is_checked(tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    certificate(other)
    lines = ["allow_anonymous true", f"certfile {certificate(tmp_path)}", f"keyfile {tmp_path / 'key.pem'}"]
    with Mosquitto(tmp_path, lines) as mosquitto:
        address = f"broker: {mosquitto.address}"
        verdict, says, _ = hall(tmp_path, address, "table: T", "ca_file: ca.pem")
        assert (verdict, says) == ("ok", f"{mosquitto.address}: the broker answers; this is T")
        verdict, says, _ = hall(tmp_path, address, "ca_file: other/ca.pem")
        assert verdict == "problem"
        assert "the broker's certificate is not trusted" in says
        assert hall(tmp_path, address, "ca_file: none.pem")[1].endswith(
            "no certificate can be read from it (No such file or directory)"
        )


def test_a_broker_that_is_not_there_is_a_problem(tmp_path: Path) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{free.getsockname()[1]}"
    assert hall(tmp_path, f"broker: {address}", "table: T") == (
        "problem",
        f"{address}: no broker listens there",
        "games go on without it; docs/hall.md says how it is set up",
    )


def test_a_machine_that_is_no_broker_is_not_waited_for_long(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor_checks, "BROKER_WAIT_S", 0.2)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        accepting = threading.Thread(target=silent.accept, daemon=True)
        accepting.start()
        verdict, says, _ = hall(tmp_path, f"broker: 127.0.0.1:{silent.getsockname()[1]}", "table: T")
    assert verdict == "problem"
    assert "nobody answers there as a broker does" in says
