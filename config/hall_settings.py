"""Whether and where a table tells the director's hall of itself: the broker, and what the club calls the table."""

import re
from pathlib import Path
from typing import Annotated, Any, NamedTuple

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict

from config.hosts import is_host

PLAIN_PORT, TLS_PORT = 1883, 8883
"""The ports that are registered for MQTT, and for MQTT over TLS (IANA)."""

LONGEST_NAME = 40
_USER = re.compile(r"[\w.-][\w. -]{0,63}")


class BrokerAddress(NamedTuple):
    """Where a broker of MQTT listens, and as whom one comes to it. ``port`` None: the usual one."""

    host: str
    port: int | None = None
    user: str | None = None

    @classmethod
    def parse(cls, text: str) -> "BrokerAddress":
        """Gets what ``[USER@]HOST[:PORT]`` says.

        :raises ValueError: for anything else; the message shows how it is written.
        """
        user, at, place = text.strip().rpartition("@")
        bracketed = re.fullmatch(r"\[([^\]]*)\](?::([0-9]+))?", place)
        plain = re.fullmatch(r"([^:\[\]]+)(?::([0-9]+))?", place)
        found = bracketed or plain
        if found is None or not is_host(found[1]) or (at and not _USER.fullmatch(user)):
            raise ValueError(_HOW)
        port = None if found[2] is None else int(found[2])
        if port is not None and not 1 <= port <= 65535:
            raise ValueError(_HOW)
        return cls(found[1], port, user if at else None)

    def port_or_usual(self, encrypted: bool) -> int:
        """Gets the port, or the usual one of a line that is encrypted or is not."""
        if self.port is not None:
            return self.port
        return TLS_PORT if encrypted else PLAIN_PORT


_HOW = "write [USER@]HOST[:PORT], such as 192.168.1.10, table3@broker.club.example:8883 or [::1]:1883"


def _broker(value: Any) -> Any:
    return BrokerAddress.parse(value) if isinstance(value, str) else value


def fit_for_topic(name: str) -> str:
    """Gets the name of a table as it is, if it can be a part of a topic and be shown.

    :raises ValueError: when it cannot; the message says what may stand in it.
    """
    if not 1 <= len(name) <= LONGEST_NAME or name != name.strip() or not name.isprintable() or set(name) & set("/+#$"):
        raise ValueError(f"a table's name has 1 to {LONGEST_NAME} signs, none of them / + # or $, such as Table 3")
    return name


TableName = Annotated[str, AfterValidator(fit_for_topic)]
"""What the club calls a table."""


class HallSettings(BaseModel):
    """The hall that a table belongs to. ``broker`` None: it tells nobody of itself.

    ``table`` None: the table is called as its machine. ``password_file``: holds the password in its first line; left
    out, it is taken from the environment. ``ca_file``: the certificate by which the broker's is checked (PEM); with it
    the line is encrypted. Relative files start at the folder of the file that names them.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    broker: Annotated[BrokerAddress | None, BeforeValidator(_broker)] = None
    table: TableName | None = None
    password_file: Path | None = None
    ca_file: Path | None = None
