"""The page over an encrypted line: with a real certificate, as openssl makes one."""

import http.client
import os
import shutil
import ssl
import subprocess
from contextlib import ExitStack
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from open_table import open_table

from boardctl.cli.doctor_checks import Asked, Verdict, examine
from boardctl.cli.session.page import TablePage, ending
from boardctl.console import Certificate, PageError, usable, valid_until
from config import Listening, PageSettings

OPENSSL = shutil.which("openssl")

pytestmark = pytest.mark.skipif(OPENSSL is None and "CI" not in os.environ, reason="needs the package openssl")

KEY = "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -subj /CN=club"
DAYS = 30


def certificate(folder: Path, name: str = "page", *words: str, days: int = DAYS) -> Certificate:
    """Makes a certificate for this machine, and its key; ``words`` tell openssl how the key is kept."""
    assert OPENSSL is not None
    made = Certificate(folder / f"{name}.pem", folder / f"{name}-key.pem")
    named = ["-days", str(days), "-addext", "subjectAltName=IP:127.0.0.1", "-out", made.file, "-keyout", made.key]
    subprocess.run([OPENSSL, *KEY.split(), *named, *(words or ("-nodes",))], check=True, capture_output=True)
    return made


def settings(made: Certificate) -> PageSettings:
    return PageSettings(listen=Listening(port=0), certificate=made.file, certificate_key=made.key)


def test_a_director_comes_in_over_an_encrypted_line(tmp_path: Path) -> None:
    made = certificate(tmp_path)
    trusting = ssl.create_default_context(cafile=str(made.file))
    with open_table(tmp_path / "evening.journal", settings=settings(made)) as table:
        director = table.visitor(trusting)
        entered = director.enter("director", table.password)
        assert entered.status == 303
        assert "; secure" in entered.headers["set-cookie"].lower()
        ruled = director.act(do="rule", decision="note", name="Ann", reason="a phone rang")
        assert ruled.status == 200, ruled.text
        with director.stream() as states:
            assert next(states)["audience"] == "director"


def test_nothing_is_said_over_a_line_that_is_not_encrypted(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    made = certificate(tmp_path)
    with open_table(tmp_path / "evening.journal", settings=settings(made)) as table:
        with pytest.raises((http.client.HTTPException, OSError)):
            table.visitor().get()
        with pytest.raises(ssl.SSLCertVerificationError):
            table.visitor(ssl.create_default_context()).get()
        trusting = ssl.create_default_context(cafile=str(made.file))
        assert table.visitor(trusting).get().status == 200  # those who came wrongly have not harmed it
    assert capfd.readouterr() == ("", "")


def test_a_certificate_may_hold_its_key(tmp_path: Path) -> None:
    made = certificate(tmp_path)
    assert made.key is not None
    both = tmp_path / "both.pem"
    both.write_bytes(made.file.read_bytes() + made.key.read_bytes())
    assert usable(Certificate(both)) == Certificate(both)


def test_what_cannot_encrypt_is_refused_with_the_file_and_why(tmp_path: Path) -> None:
    made, other = certificate(tmp_path), certificate(tmp_path, "other")
    kept = certificate(tmp_path, "kept", "-passout", "pass:a long enough one")
    text = tmp_path / "text.pem"
    text.write_text("no certificate")
    for wrong, file, why in (
        (Certificate(tmp_path / "none.pem"), "none.pem", "the page's certificate cannot be read (No such file"),
        (Certificate(made.file, tmp_path), tmp_path.name, "the key of its certificate cannot be read (Is a directory"),
        (Certificate(text), "text.pem", "no certificate with its key in PEM"),
        (Certificate(made.file), "page.pem", "name it as certificate_key"),
        (Certificate(made.file, other.key), "other-key.pem", f"the key is not that of {made.file}"),
        (kept, "kept-key.pem", "protected by a password; openssl pkey"),
    ):
        with pytest.raises(PageError) as refused:
            usable(wrong)
        assert f"{file}: " in str(refused.value)
        assert why in str(refused.value)


def test_until_when_a_certificate_holds_is_known_and_said_in_time(tmp_path: Path) -> None:
    now = datetime.now(UTC)
    until = valid_until(certificate(tmp_path))
    assert until is not None
    assert abs(until - now - timedelta(days=DAYS)) < timedelta(minutes=5)
    assert ending(until, now) == ""
    assert f"ends on {until:%Y-%m-%d}, in 9 days" in ending(until, until - timedelta(days=9, hours=3))


def test_the_doctor_warns_of_a_certificate_that_ends_and_refuses_one_that_has_ended(tmp_path: Path) -> None:
    made = certificate(tmp_path)
    assert doctors_view_of(made) == (Verdict.OK, "")
    for days, verdict, said in ((2, Verdict.OK, "the certificate ends on"), (-1, Verdict.PROBLEM, "has ended")):
        resign = f"x509 -in {made.file} -signkey {made.key} -days {days} -out {made.file}"
        subprocess.run([str(OPENSSL), *resign.split()], check=True, capture_output=True)
        found, then = doctors_view_of(made)
        assert found is verdict
        assert said in then


def test_a_table_that_starts_says_that_its_certificate_ends(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for days, said in ((DAYS, ""), (2, "the certificate ends on")):
        made = certificate(tmp_path, f"page{days}", days=days)
        with ExitStack() as stack:
            TablePage(stack, None, settings(made))
        told = capsys.readouterr().err
        assert said in told
        assert bool(told) == bool(said)


def doctors_view_of(made: Certificate) -> tuple[Verdict, str]:
    config = made.file.parent / "table.yaml"
    text = f"page:\n  listen: 0\n  certificate: {made.file}\n  certificate_key: {made.key}\n"
    config.write_text(text, encoding="utf-8")
    check = next(each for each in examine(Asked(config=config)) if each.name == "page")
    return check.verdict, check.next


def test_a_certificate_that_no_browser_takes_is_said_and_stops_no_table(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made = certificate(tmp_path, "mail", "-nodes", "-addext", "extendedKeyUsage=emailProtection")
    assert usable(made) == made
    with pytest.raises(PageError, match="browsers do not take it"):
        valid_until(made)
    assert doctors_view_of(made)[0] is Verdict.PROBLEM
    with ExitStack() as stack:
        TablePage(stack, None, settings(made))
    assert "browsers do not take it" in capsys.readouterr().err
