"""The real Mosquitto on a free port of this machine, to be started, killed and started again."""

import socket
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path

from needs_broker import MOSQUITTO, OPENSSL

from boardctl.hall.broker import Broker

_START_S = 10.0


class Mosquitto:
    """A broker whose files lie in ``folder``; ``lines`` are further lines of its settings. A context manager."""

    def __init__(self, folder: Path, lines: Sequence[str] = ("allow_anonymous true",)) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port: int = free.getsockname()[1]
        self._settings, self._log = folder / "mosquitto.conf", folder / "mosquitto.log"
        # Debian's mosquitto gives up root's rights for a user who may not read a test's folder.
        own = [f"listener {self.port} 127.0.0.1", "persistence false", "user root", "log_type all"]
        self._settings.write_text("\n".join([*own, f"log_dest file {self._log}", *lines]) + "\n")
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> "Mosquitto":
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()

    def start(self) -> None:
        """Starts it, and waits until it listens."""
        assert MOSQUITTO is not None
        self._process = subprocess.Popen([MOSQUITTO, "-c", str(self._settings)], stderr=subprocess.PIPE)
        until_s = time.monotonic() + _START_S
        while time.monotonic() < until_s:
            with socket.socket() as line:
                if line.connect_ex(("127.0.0.1", self.port)) == 0:
                    return
            assert self._process.poll() is None, self._process.communicate()[1]
            time.sleep(0.02)
        raise AssertionError("mosquitto does not listen")

    def kill(self) -> None:
        """Ends it at once: nobody is told, nothing is kept. May be called again."""
        if self._process is not None:
            self._process.kill()
            self._process.communicate()
            self._process = None

    @property
    def broker(self) -> Broker:
        """Where it is."""
        return Broker("127.0.0.1", self.port)

    @property
    def address(self) -> str:
        """The same as it is written on the command line."""
        return f"127.0.0.1:{self.port}"

    @property
    def log(self) -> str:
        """What it has logged: who connected, published and subscribed."""
        return self._log.read_text(encoding="utf-8", errors="replace")


def with_password(folder: Path, user: str, password: str) -> list[str]:
    """Gets the settings of a broker that lets this user in and nobody else."""
    file = folder / "passwords"
    file.touch(mode=0o600)
    subprocess.run(["mosquitto_passwd", "-b", str(file), user, password], check=True)
    return ["allow_anonymous false", f"password_file {file}"]


def certificate(folder: Path) -> Path:
    """Makes a certificate for this machine, with its ``key.pem`` beside it."""
    assert OPENSSL is not None
    words = [
        "req",
        "-x509",
        "-newkey",
        "ec",
        "-pkeyopt",
        "ec_paramgen_curve:prime256v1",
        "-nodes",
        "-days",
        "2",
        "-subj",
        "/CN=club",
    ]
    names = ["-addext", "subjectAltName=IP:127.0.0.1", "-keyout", str(folder / "key.pem"), "-out"]
    subprocess.run([OPENSSL, *words, *names, str(folder / "ca.pem")], check=True, capture_output=True)
    return folder / "ca.pem"
