"""Where a table's page listens, and the secrets that let people in."""

import ipaddress
from pathlib import Path
from typing import Annotated, Any, NamedTuple

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator

from config.hosts import is_address, is_host

LOOPBACK = "127.0.0.1"
DEFAULT_PORT = 8080


class Listening(NamedTuple):
    """An address of this machine and a port; port 0: any that is free."""

    host: str = LOOPBACK
    port: int = DEFAULT_PORT

    @classmethod
    def parse(cls, text: str) -> "Listening":
        """Gets what ``[HOST:]PORT`` says; without a host, this machine alone can open the page.

        :raises ValueError: for anything else; the message shows how it is written.
        """
        host, _, port = text.strip().rpartition(":")
        host = host.removeprefix("[").removesuffix("]") if ":" in host else host
        if not port.isascii() or not port.isdecimal() or int(port) > 65535 or not is_host(host or LOOPBACK):
            raise ValueError("write [HOST:]PORT, such as 8080, 192.168.1.20:8080 or [::1]:8080")
        return cls(host or LOOPBACK, int(port))

    @property
    def is_loopback(self) -> bool:
        """Whether only this machine can open it."""
        return self.host == "localhost" or (is_address(self.host) and ipaddress.ip_address(self.host).is_loopback)

    @property
    def is_everywhere(self) -> bool:
        """Whether it is every address of this machine."""
        return is_address(self.host) and ipaddress.ip_address(self.host).is_unspecified

    def __str__(self) -> str:
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"


def _listening(value: Any) -> Any:
    # YAML reads 8080 as a number.
    return Listening.parse(str(value)) if isinstance(value, str | int) and not isinstance(value, bool) else value


Hashed = Annotated[str, Field(pattern=r"^scrypt:\d+:\d+:\d+:[0-9a-f]{32}:[0-9a-f]{64}$")]
"""A secret as ``boardctl page password`` writes it: it can be checked, and not be read."""


class PageSettings(BaseModel):
    """The page of one table. ``director`` and ``table``: the hashes of the password and of the PIN; None: new ones are
    made at every start and printed once. ``names``: further names under which the page is opened. ``certificate``: what
    the page proves with to be itself (PEM, with those between it and its root after it); with it the line is encrypted.
    ``certificate_key``: its private key (PEM); None: in the same file. Relative files start at the folder of the file
    that names them.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    listen: Annotated[Listening, BeforeValidator(_listening)] = Listening()
    director: Hashed | None = None
    table: Hashed | None = None
    names: tuple[str, ...] = ()
    certificate: Path | None = None
    certificate_key: Path | None = None

    @model_validator(mode="after")
    def _a_key_has_a_certificate(self) -> "PageSettings":
        if self.certificate_key is not None and self.certificate is None:
            raise ValueError("certificate_key: of which certificate? name its file as certificate")
        return self
