"""A page that runs already is told from another program at its port, by asking it over a real connection."""

import http.server
import socket
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from open_table import Open, open_table
from test_encrypted import certificate, settings
from test_encrypted import pytestmark as needs_openssl

from boardctl.cli.doctor_checks import Asked, Check, Verdict, examine
from boardctl.console import is_our_page
from config import Listening


def page_check(folder: Path, *lines: str) -> Check:
    """Gets what the doctor says of the page that a configuration names."""
    path = folder / "table.yaml"
    path.write_text("".join(f"{line}\n" for line in ("page:", *(f"  {line}" for line in lines))), encoding="utf-8")
    return next(check for check in examine(Asked(config=path)) if check.name == "page")


@pytest.fixture
def other_page() -> Iterator[int]:
    """The port of another program's page."""
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), http.server.BaseHTTPRequestHandler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield server.server_address[1]
        server.shutdown()
        thread.join()


@pytest.mark.parametrize("host", ["127.0.0.1", "0.0.0.0"])
def test_a_table_that_runs_has_its_port_by_right(table: Open, tmp_path: Path, host: str) -> None:
    assert is_our_page(Listening(host, table.port), encrypted=False)
    check = page_check(tmp_path, f"listen: {host}:{table.port}")
    assert check.verdict is Verdict.OK
    assert check.says.startswith(f"{host}:{table.port}: served now, by a table that is running")


@needs_openssl
def test_so_has_one_whose_line_is_encrypted(tmp_path: Path) -> None:
    made = certificate(tmp_path)
    with open_table(tmp_path / "evening.journal", settings=settings(made)) as table:
        assert is_our_page(Listening(port=table.port), encrypted=True)
        assert not is_our_page(Listening(port=table.port), encrypted=False)
        check = page_check(
            tmp_path, f"listen: {table.port}", f"certificate: {made.file}", f"certificate_key: {made.key}"
        )
    assert check.verdict is Verdict.OK
    assert "served now, by a table that is running; encrypted, until" in check.says


def test_another_programs_page_at_the_port_is_a_problem(other_page: int, tmp_path: Path) -> None:
    assert not is_our_page(Listening(port=other_page), encrypted=False)
    check = page_check(tmp_path, f"listen: {other_page}")
    assert check.verdict is Verdict.PROBLEM
    assert f"port {other_page} is in use" in check.says


def test_who_says_nothing_is_waited_for_a_little(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("boardctl.console.found_page.ANSWER_S", 0.1)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        assert not is_our_page(Listening(port=silent.getsockname()[1]), encrypted=False)
