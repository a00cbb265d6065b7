"""The table's page for the commands that referee a game: its port taken first, opened once there is a record."""

import socket
from collections.abc import Callable
from contextlib import ExitStack
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Annotated, Any

import typer

from boardctl.cli.reporting import UsageError
from boardctl.lights.on_board import layout_for
from boardctl.records import Journal
from boardctl.referee import Referee
from calibration import BoardGeometry, bar_columns, board_for
from config import Listening, PageSettings
from firmware_bridge import ChainLayout

if TYPE_CHECKING:
    from boardctl.console import Certificate, Console

PageAddress = Annotated[
    str | None,
    typer.Option(
        "--page",
        metavar="[HOST:]PORT",
        help="Serve the table's page to browsers; without a host, on this machine alone. 0.0.0.0:8080: in the network.",
        show_default=False,
    ),
]


SOON = timedelta(days=21)
"""Before the end of a certificate so much time is left to have another one made."""


def ending(until: datetime | None, now: datetime) -> str:
    """Gets what to say of a certificate that holds until then (None: it has ended); nothing while that is far away."""
    then = "docs/page.md says how another one is made"
    if until is None:
        return f"the certificate has ended: browsers warn of the page or refuse it; {then}"
    left = until - now
    return f"the certificate ends on {until:%Y-%m-%d}, in {left.days} days; {then}" if left < SOON else ""


def _say_until_when(certificate: "Certificate") -> None:
    """Says of a page's certificate that it ends soon, or what browsers will have against it. The table goes on: the
    clock of a machine that has just been switched on may be wrong."""
    from boardctl.console import PageError, valid_until

    try:
        advice = ending(valid_until(certificate), datetime.now(UTC))
    except PageError as error:
        typer.echo(str(error), err=True)
    else:
        if advice:
            typer.echo(f"{certificate.file}: {advice}", err=True)


class TablePage:
    """A page that was asked for, on the command line or in the table's settings; its port is taken. ``address``: where
    it is, once it is open.

    :raises UsageError: when the address cannot be understood, or its port or its certificate cannot be had.
    """

    def __init__(self, stack: ExitStack, asked: str | None, settings: PageSettings | None = None) -> None:
        # Only who asks for a page waits until its server is imported.
        from boardctl.console import Certificate, PageError, bound, usable

        self._settings = settings or PageSettings()
        self._certificate: Any = None
        self.address: str | None = None
        try:
            self._listening = self._settings.listen if asked is None else Listening.parse(asked)
            if self._settings.certificate is not None:
                self._certificate = usable(Certificate(self._settings.certificate, self._settings.certificate_key))
                _say_until_when(self._certificate)
            self._listener: Any = bound(self._listening)
        except ValueError as error:
            raise UsageError(f"--page {asked}: {error}") from error
        except PageError as error:
            raise UsageError(str(error)) from error
        stack.callback(self._listener.close)

    def open(
        self,
        stack: ExitStack,
        referee: Referee,
        journal: Journal,
        now_ms: Callable[[], int],
        geometry: BoardGeometry,
        lights: ChainLayout | None = None,
    ) -> "Console":
        """Opens the page and says where it is, and the secrets that were made for it. Give what it returns to the desk
        as an output, and its facts to the table."""
        from boardctl.console import Console, OpenPage, keys_of
        from boardctl.console.texts import page_say

        console = Console(referee, journal, now_ms, page_say(), bar_columns(referee.game))
        keys = keys_of(self._settings)
        layout = layout_for(referee.game.seats, lights)
        drawn = board_for(referee.game, geometry)
        names, certificate = self._settings.names, self._certificate
        page = OpenPage(console, self._listener, keys, drawn, layout, names, certificate=certificate)
        stack.enter_context(page)
        host = socket.gethostname() if self._listening.is_everywhere else self._listening.host
        scheme = "http" if certificate is None else "https"
        self.address = f"{scheme}://{Listening(host, page.port)}/"
        typer.echo(f"page: {self.address}", err=True)
        if keys.new_password is not None:
            typer.echo(f"the director's password, until this ends: {keys.new_password}", err=True)
        if keys.new_pin is not None:
            typer.echo(f"the table's PIN, until this ends: {keys.new_pin}", err=True)
        return console


def asked_page(stack: ExitStack, asked: str | None, settings: PageSettings | None = None) -> TablePage | None:
    """Gets the page that was asked for; None where none was.

    :raises UsageError: as :class:`TablePage` does.
    """
    return None if asked is None and settings is None else TablePage(stack, asked, settings)
