"""Opens the page of a table: everything put together, served until it is closed."""

import socket
from collections.abc import Iterable
from dataclasses import dataclass

from boardctl.console.audience import Audience
from boardctl.console.certificates import Certificate
from boardctl.console.console import Console
from boardctl.console.drawing import BoardDrawing
from boardctl.console.entrance import Entrance
from boardctl.console.forms import Layout
from boardctl.console.secrets_kept import hashed, new_password, new_pin
from boardctl.console.sending import Sender
from boardctl.console.serving import PageServer
from boardctl.console.texts import page_say
from boardctl.console.web import Page
from calibration import BoardGeometry
from config import PageSettings
from firmware_bridge import ChainLayout


@dataclass(frozen=True, slots=True)
class Keys:
    """The hashes of the secrets, and those secrets that were made just now and must be told to somebody."""

    kept: dict[Audience, str]
    new_password: str | None = None
    new_pin: str | None = None


def keys_of(settings: PageSettings) -> Keys:
    """Gets the secrets that are configured; those that are not are made anew."""
    password = new_password() if settings.director is None else None
    pin = new_pin() if settings.table is None else None
    kept = {
        Audience.DIRECTOR: settings.director or hashed(password or ""),
        Audience.TABLE: settings.table or hashed(pin or ""),
    }
    return Keys(kept, password, pin)


class OpenPage:
    """The page of a table, open until :meth:`close`; a context manager. It takes over the socket."""

    def __init__(
        self,
        console: Console,
        listener: socket.socket,
        keys: Keys,
        geometry: BoardGeometry,
        layout: ChainLayout,
        names: Iterable[str] = (),
        language: str = "en",
        certificate: Certificate | None = None,
    ) -> None:
        referee, say = console.referee, page_say(language)
        drawing = BoardDrawing(geometry, layout)
        sender = Sender(referee.ruleset, say, drawing, console.now_ms)
        self.page = Page(console, sender, Entrance(keys.kept), Layout(referee, say, language), geometry, names)
        self._console = console
        self._server = PageServer(self.page.app, listener, certificate)

    def __enter__(self) -> "OpenPage":
        self._server.__enter__()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def port(self) -> int:
        """The port it listens at."""
        return self._server.port

    def close(self) -> None:
        """Ends the streams, refuses what is still asked, and stops serving. May be called again."""
        self._console.close()
        self.page.close()
        self._server.close()
