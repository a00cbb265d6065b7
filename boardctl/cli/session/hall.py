"""The hall that a table tells of itself, for the commands that referee a game."""

import os
import socket
from collections.abc import Callable
from contextlib import ExitStack
from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from boardctl.cli.reporting import UsageError
from boardctl.records import Journal
from boardctl.referee import Referee
from config import BrokerAddress, HallSettings, fit_for_topic

if TYPE_CHECKING:
    from boardctl.hall.table_line import TableLine

HallAddress = Annotated[
    str | None,
    typer.Option(
        "--hall",
        metavar="[USER@]HOST[:PORT]",
        help="Tell the director's hall of this table: the broker of MQTT that boardctl hall listens at.",
        show_default=False,
    ),
]
HallTable = Annotated[
    str | None,
    typer.Option("--table", help="What the club calls this table; left out: this machine's name.", show_default=False),
]


class TableHall:
    """A hall that was asked for, on the command line or in the table's settings.

    :raises UsageError: when the broker, its password or its certificate cannot be understood or had.
    """

    def __init__(self, address: BrokerAddress, table: str | None, settings: HallSettings) -> None:
        # Only who asks for a hall waits until MQTT is imported.
        from boardctl.hall.broker import BrokerError, broker_of

        try:
            self._table = table_name(table or settings.table)
        except ValueError as error:
            raise UsageError(f"--table: {error}") from error
        try:
            self._broker = broker_of(address, settings.password_file, settings.ca_file, os.environ)
        except BrokerError as error:
            raise UsageError(str(error)) from error

    def open(
        self,
        stack: ExitStack,
        referee: Referee,
        game: str,
        journal: Journal,
        now_ms: Callable[[], int],
        page: str | None = None,
    ) -> "TableLine":
        """Begins to tell of the table. Give what it returns to the desk as an output, and its pulse to the table.

        Whether the broker is there is said on the error stream; nobody waits for it.
        """
        from boardctl.hall.table_line import TableLine

        tell = partial(typer.echo, err=True)
        line = TableLine(self._broker, self._table, referee, game, journal, now_ms, tell, page)
        return stack.enter_context(line)


def table_name(called: str | None) -> str:
    """Gets what the hall is told that this table is called: what the club calls it, or this machine's name.

    :raises ValueError: when it cannot be a part of a topic; the message says what may stand in it.
    """
    return fit_for_topic(called or socket.gethostname())


def asked_hall(asked: str | None, table: str | None, settings: HallSettings | None = None) -> TableHall | None:
    """Gets the hall that was asked for; None where none was.

    :raises UsageError: as :class:`TableHall` does.
    """
    settled = settings or HallSettings()
    try:
        address = settled.broker if asked is None else BrokerAddress.parse(asked)
    except ValueError as error:
        raise UsageError(f"--hall {asked}: {error}") from error
    if address is None:
        if table is not None:
            raise UsageError("--table names the table in the director's hall; give --hall, too")
        return None
    return TableHall(address, table, settled)
