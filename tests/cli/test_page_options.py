"""The table's page as it is asked for on the command line and in the table's settings."""

import re
import socket
from contextlib import ExitStack
from pathlib import Path

import pytest
from command_line import run
from pydantic import BaseModel
from typer.testing import CliRunner

from boardctl.cli import build
from boardctl.cli.reporting import UsageError
from boardctl.cli.session.page import asked_page
from boardctl.console.secrets_kept import matches
from boardctl.devices.settings import read_device_settings
from config import CONFIG_DIRECTORY, Listening, PageSettings, SettingsError, parse_yaml_model


class Whole(BaseModel):
    page: PageSettings


def hash_of(secret: str, *words: str) -> tuple[int, str]:
    result = CliRunner().invoke(build(["page"]), ["page", "password", *words], input=f"{secret}\n")
    return result.exit_code, result.output


@pytest.mark.parametrize(("words", "key"), [((), "director"), (("--role", "table"), "table")])
def test_a_password_is_hashed_for_the_settings(tmp_path: Path, words: tuple[str, ...], key: str) -> None:
    code, line = hash_of("a long enough one", *words)
    assert code == 0
    file = tmp_path / "table.yaml"
    file.write_text(f"page:\n  {line}", encoding="utf-8")
    page = read_device_settings(file).page
    assert page is not None
    assert matches("a long enough one", getattr(page, key))


@pytest.mark.parametrize(("secret", "words"), [("too short", ()), ("12345", ("--role", "table"))])
def test_a_secret_that_is_too_short_is_refused(secret: str, words: tuple[str, ...]) -> None:
    code, said = hash_of(secret, *words)
    assert code == 2
    assert "too short" in said


def test_a_certificate_that_cannot_be_had_is_said_before_the_page_opens(tmp_path: Path) -> None:
    file = tmp_path / "table.yaml"
    file.write_text("page:\n  listen: 0\n  certificate: page.pem\n", encoding="utf-8")
    assert read_device_settings(file).page == PageSettings(listen=Listening(port=0), certificate=tmp_path / "page.pem")
    with ExitStack() as stack, pytest.raises(UsageError) as refused:
        asked_page(stack, None, read_device_settings(file).page)
    assert (
        str(refused.value)
        == f"{tmp_path / 'page.pem'}: the page's certificate cannot be read (No such file or directory)"
    )


@pytest.mark.parametrize(
    ("text", "listening"),
    [
        ("8080", Listening("127.0.0.1", 8080)),
        ("0.0.0.0:80", Listening("0.0.0.0", 80)),
        ("[::1]:8080", Listening("::1", 8080)),
        ("table3.local:0", Listening("table3.local", 0)),
    ],
)
def test_an_address_is_understood(text: str, listening: Listening) -> None:
    assert Listening.parse(text) == listening
    assert Listening.parse(str(listening)) == listening
    assert PageSettings.model_validate({"listen": text}).listen == listening


@pytest.mark.parametrize("text", ["", "http", "127.0.0.1", "a b:80", ":99999", "::1", "-1", "x:y:8080", "http://x:80"])
def test_an_address_that_is_none_is_refused_with_how_it_is_written(tmp_path: Path, text: str) -> None:
    ran = run("demo", "--page", text, "--journal", tmp_path / "a.journal")
    assert ran.code == 2
    assert "write [HOST:]PORT, such as 8080" in ran.output


def test_a_port_in_use_is_said_in_one_line_before_a_record_begins(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        ran = run("demo", "--page", str(port), "--journal", tmp_path / "a.journal")
    assert ran.code == 2
    assert ran.output.strip() == (
        f"boardctl: --page 127.0.0.1:{port}: port {port} is in use; choose another, such as --page {port + 1}"
    )
    assert not (tmp_path / "a.journal").exists()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("listen: 127.0.0.1", r"t:1: listen: write \[HOST:\]PORT"),
        ("listen: true", "t:1: listen: "),
        ("director: secret", "t:1: director: String should match"),
        ("password: x", "t:1: password: unknown key"),
        ("certificate_key: key.pem", "certificate_key: of which certificate"),
    ],
)
def test_faults_of_the_settings_are_said_with_line_and_key(text: str, message: str) -> None:
    with pytest.raises(SettingsError, match=message):
        parse_yaml_model(text, PageSettings, "t")


def test_the_defaults_that_are_written_down_are_those_in_force() -> None:
    written = (CONFIG_DIRECTORY / "table.yaml").read_text(encoding="utf-8")
    section = written[written.index("# page:") :]
    lines = [line.removeprefix("# ") for line in section.splitlines()]
    fields = {match[1] for line in lines if (match := re.match(r"  ([a-z_]+):", line))}
    assert fields == set(PageSettings.model_fields)
    text = "\n".join(line for line in lines if not re.search(r"scrypt:|\.pem", line))
    assert parse_yaml_model(text, Whole, "table.yaml").page == PageSettings()
