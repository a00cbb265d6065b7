"""``boardctl hall``: the director's view of many tables."""

import asyncio
import json
import os
import time
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.live import Live

from boardctl.cli.reporting import USAGE, WORK_FAILED, UsageError, complain
from boardctl.hall.book import HallBook
from boardctl.hall.broker import Broker, BrokerError, BrokerLostError, broker_of
from boardctl.hall.changes import Changes, News, plain
from boardctl.hall.listening import hear_once, look_often
from boardctl.hall.texts import hall_say
from boardctl.hall.view import HallView
from config import BrokerAddress

_WIDTH = 120  # of a view that goes to a file


def hall(
    broker: Annotated[
        str, typer.Option(metavar="[USER@]HOST[:PORT]", help="The broker of MQTT that the tables tell of themselves.")
    ],
    password_file: Annotated[
        Path | None,
        typer.Option(help="Its first line is USER's password; left out: that of BOARDCTL_HALL_PASSWORD."),
    ] = None,
    ca_file: Annotated[
        Path | None, typer.Option(help="Checks the broker's certificate (PEM), and encrypts the line.")
    ] = None,
    once: Annotated[bool, typer.Option("--once", help="Print what is there, and end.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object a line, for each change.")] = False,
) -> None:
    """Show all tables of a hall to its director: who wants him first, then what stands open, then the others.

    It looks and does nothing else: a director rules at the table, or at its page. Ctrl-C ends it.

    Examples: boardctl hall --broker 192.168.1.10; boardctl hall --broker director@192.168.1.10 --ca-file club-ca.pem;
    boardctl hall --broker 192.168.1.10 --once --json
    """
    known = _broker(broker, password_file, ca_file)
    book, view = HallBook(), HallView(hall_say(), str(known))
    try:
        if once:
            asyncio.run(hear_once(known, book))
            _print_once(book, view, str(known), as_json)
        elif as_json or not Console().is_terminal:
            _print_changes(known, book, view, as_json)
        else:
            _show(known, book, view)
    except BrokerLostError as lost:
        complain(f"--broker {lost}")
        raise typer.Exit(USAGE if lost.lasts else WORK_FAILED) from lost
    except KeyboardInterrupt:
        # That is how one leaves a view that goes on for ever.
        raise typer.Exit(WORK_FAILED if once else 0) from None


def _broker(text: str, password_file: Path | None, ca_file: Path | None) -> Broker:
    try:
        address = BrokerAddress.parse(text)
    except ValueError as error:
        raise UsageError(f"--broker {text}: {error}") from error
    try:
        return broker_of(address, password_file, ca_file, os.environ)
    except BrokerError as error:
        raise UsageError(str(error)) from error


def _show(broker: Broker, book: HallBook, view: HallView) -> None:
    console = Console()
    with Live(console=console, auto_refresh=False, screen=True) as live:

        def draw() -> None:
            fitted = view.fitted(console, book.seen(time.monotonic()), book.reports, book.line or "")
            live.update(fitted, refresh=True)

        asyncio.run(look_often(broker, book, draw))


def _print_changes(broker: Broker, book: HallBook, view: HallView, as_json: bool) -> None:
    changes = Changes(book)

    def look() -> None:
        for news in changes.since(time.monotonic()):
            typer.echo(_as_json(news, str(broker)) if as_json else f"{time.strftime('%H:%M:%S')} {view.line(news)}")

    asyncio.run(look_often(broker, book, look))


def _print_once(book: HallBook, view: HallView, broker: str, as_json: bool) -> None:
    tables = book.seen(time.monotonic())
    if as_json:
        everything: list[News] = [*tables, *book.reports]
        for news in everything:
            typer.echo(_as_json(news, broker))
        return
    console = Console()
    wide = console if console.is_terminal else Console(width=_WIDTH)
    wide.print(view.drawn(tables, book.reports))


def _as_json(news: News, broker: str) -> str:
    return json.dumps(plain(news, broker), ensure_ascii=False)
