"""``boardctl page``: what belongs to the table's page beside the tables themselves."""

import getpass
import sys
from enum import StrEnum
from typing import Annotated

import typer

from boardctl.cli.reporting import UsageError


class Whose(StrEnum):
    """Whose secret it is."""

    DIRECTOR = "director"
    TABLE = "table"


app = typer.Typer(help="Makes what the table's page needs; --page of demo, play and watch opens it.")


@app.callback()
def _page() -> None:
    """Makes what the table's page needs; --page of demo, play and watch opens it."""


@app.command(epilog="Example: boardctl page password --role director")
def password(
    role: Annotated[Whose, typer.Option(help="The director's password, or the PIN of the table.")] = Whose.DIRECTOR,
) -> None:
    """Hash a password of the director or a PIN of the table, for page: in the table's settings.

    It is asked for, or read from the standard input where nobody sits at a terminal; it is never shown.
    """
    from boardctl.console.secrets_kept import LEAST_PASSWORD, LEAST_PIN, hashed

    least = LEAST_PASSWORD if role is Whose.DIRECTOR else LEAST_PIN
    secret = _asked_twice() if sys.stdin.isatty() else sys.stdin.readline().rstrip("\n")
    if len(secret) < least:
        raise UsageError(f"too short: {least} signs or more")
    typer.echo(f'{role}: "{hashed(secret)}"')


def _asked_twice() -> str:
    first = getpass.getpass("The new one: ")
    if getpass.getpass("Once more: ") != first:
        raise UsageError("the two are not the same; try again")
    return first
