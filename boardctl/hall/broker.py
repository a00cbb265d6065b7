"""The broker of a hall: how one comes to it, and what its refusals and silences mean in words."""

import logging
import secrets
import socket
import ssl
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from aiomqtt import Client, MqttError, Will
from aiomqtt.exceptions import MqttConnectError
from paho.mqtt.reasoncodes import ReasonCode

from config import BrokerAddress

PASSWORD_VARIABLE = "BOARDCTL_HALL_PASSWORD"  # noqa: S105 - where it is found, not what it is
KEEPALIVE_S = 10
"""A line that carries nothing for half as long again is given up by the broker; it then speaks in the table's stead."""

_BAD_NAME, _NOT_AUTHORIZED = 134, 135  # reason codes of MQTT 5; those of 3.1.1 are translated to them
_SILENT = logging.getLogger("boardctl.hall.mqtt")  # what a library finds worth a line is told by us, once
_SILENT.addHandler(logging.NullHandler())
_SILENT.propagate = False


class BrokerError(ValueError):
    """What was said of a broker cannot be used; the message says why and what to do."""


class BrokerLostError(RuntimeError):
    """A broker cannot be reached, or sends one away. ``lasts``: waiting does not help, somebody must put it right."""

    def __init__(self, why: str, lasts: bool) -> None:
        super().__init__(why)
        self.lasts = lasts


@dataclass(frozen=True, slots=True)
class Broker:
    """Where a broker is, as whom one comes to it, and by what its certificate is checked (None: not encrypted)."""

    host: str
    port: int
    user: str | None = None
    password: str | None = field(default=None, repr=False)
    tls: ssl.SSLContext | None = field(default=None, repr=False)

    def __str__(self) -> str:
        place = f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"
        return f"{self.user}@{place}" if self.user else place

    def client(self, name: str, answer_s: float, *, incoming: int, will: Will | None = None) -> Client:
        """Gets a client that is not connected yet, for the running event loop. ``incoming``: so many messages that came
        in wait at most; ``answer_s``: so long an answer is waited for."""
        return Client(
            self.host,
            self.port,
            username=self.user,
            password=self.password,
            tls_context=self.tls,
            identifier=name,
            will=will,
            timeout=answer_s,
            keepalive=KEEPALIVE_S,
            max_queued_incoming_messages=incoming,
            logger=_SILENT,
        )

    async def answer(self, answer_s: float) -> None:
        """Comes to the broker and leaves again: nothing is told and nothing heard.

        :raises BrokerLostError: when it does not answer within ``answer_s``, or sends one away.
        """
        try:
            async with self.client(f"doctor-{secrets.token_hex(6)}", answer_s, incoming=1):
                pass
        except MqttError as error:
            raise self.lost(error) from error

    def lost(self, error: MqttError) -> BrokerLostError:
        """Gets in words why a connection failed or broke."""
        why, lasts = self._why(error)
        return BrokerLostError(f"{self}: {why}", lasts)

    def _why(self, error: MqttError) -> tuple[str, bool]:
        cause = error.__context__
        if isinstance(error, MqttConnectError):
            code = error.rc.value if isinstance(error.rc, ReasonCode) else error.rc
            if code in (_BAD_NAME, _NOT_AUTHORIZED):
                who = "sends away who gives no name" if self.user is None else "refuses the name or the password"
                return f"the broker {who}", True
            return f"the broker refuses the connection ({error.rc})", False
        if isinstance(cause, ssl.SSLCertVerificationError):
            return f"the broker's certificate is not trusted ({cause.verify_message}); check the CA file", True
        if isinstance(cause, ssl.SSLError):
            return "no encrypted line: the port may be one that is not encrypted", False
        if isinstance(cause, socket.gaierror):
            return "no machine of this name is known", False
        if isinstance(cause, ConnectionRefusedError):
            return "no broker listens there", False
        if isinstance(cause, TimeoutError):
            encrypted = "" if self.tls else ", and whether its line is encrypted"
            return f"nobody answers there as a broker does: check address and port{encrypted}", False
        if isinstance(cause, OSError):
            return f"cannot be reached ({cause.strerror or cause})", False
        return "the line broke", False


def broker_of(
    address: BrokerAddress, password_file: Path | None, ca_file: Path | None, environment: Mapping[str, str]
) -> Broker:
    """Gets the broker at an address. The password of its user is the first line of a file, or in the environment.

    :raises BrokerError: when the password or the certificate cannot be had.
    """
    password = None
    if address.user is not None:
        password = environment.get(PASSWORD_VARIABLE) if password_file is None else _first_line(password_file)
        if not password:
            where = password_file or PASSWORD_VARIABLE
            raise BrokerError(
                f"{where}: holds no password for {address.user}; put it there, or name a file that holds it"
            )
    elif password_file is not None:
        raise BrokerError(f"{password_file}: whose password is it? write USER@{address.host} as the broker")
    tls = None if ca_file is None else _checking(ca_file)
    return Broker(address.host, address.port_or_usual(tls is not None), address.user, password, tls)


def _first_line(file: Path) -> str:
    try:
        with file.open(encoding="utf-8") as lines:
            return lines.readline().rstrip("\r\n")
    except (OSError, UnicodeDecodeError) as error:
        raise BrokerError(f"{file}: the password cannot be read ({_reason(error)})") from error


def _checking(ca_file: Path) -> ssl.SSLContext:
    try:
        return ssl.create_default_context(cafile=str(ca_file))
    except OSError as error:  # ssl.SSLError is one
        raise BrokerError(f"{ca_file}: no certificate can be read from it ({_reason(error)})") from error


def _reason(error: OSError | UnicodeDecodeError) -> str:
    return (error.strerror if isinstance(error, OSError) else None) or "it is no text"
