"""``boardctl journal``: what stands in a journal, and whether anybody altered it."""

import json
from pathlib import Path

import typer

from boardctl.cli.reporting import WORK_FAILED, UsageError, complain
from boardctl.records import Journal

app = typer.Typer(help="Shows a journal, and says whether anybody altered it.", no_args_is_help=True)

_LEAST_DIGITS = 12
"""So many hexadecimal digits of a hash tell it from all others of a record."""

_JOURNAL = typer.Argument(help="The journal, as demo and watch write it.", show_default=False)


@app.command(epilog="Example: boardctl journal verify club-night.journal")
def verify(
    journal: Path = _JOURNAL,
    noted: str | None = typer.Option(
        None, "--hash", help="A hash noted down while it was written: is it of this record?", show_default=False
    ),
    as_json: bool = typer.Option(False, "--json", help="One JSON object instead of words."),
) -> None:
    """Checks the chain of hashes and names the first entry that was altered, removed or slipped in.

    The hash that was said at the end of a game, and noted down, shows with --hash that the record was not written anew.
    """
    if noted is not None and len(noted) < _LEAST_DIGITS:
        raise UsageError(f"--hash {noted}: give at least {_LEAST_DIGITS} of its digits")
    with Journal.read(journal) as opened:
        altered = opened.first_altered()
        hashes = [entry.hash for entry in opened.entries()]
        count, head = len(hashes), opened.head_hash
    known = next((number for number, each in enumerate(hashes, 1) if noted and each.startswith(noted.lower())), None)
    if as_json:
        found = {"entries": count, "head": head, "first_altered": altered.number if altered else None}
        typer.echo(json.dumps({**found, "noted": known} if noted else found))
    elif altered is None:
        typer.echo(f"{count} entries, none altered; head {head}")
    else:
        complain(
            f"{journal}: entry {altered.number} ({altered.kind}) is not what was recorded, or the one before it was "
            "removed; nothing from there on can be relied on"
        )
    if noted and not as_json and altered is None:
        if known is None:
            complain(f"{journal}: no entry has the hash {noted}; this is not the record that it was noted of")
        else:
            typer.echo(f"the hash {noted} is that of entry {known}; nothing up to there was written anew")
    if altered is not None or (noted and known is None):
        raise typer.Exit(WORK_FAILED)


@app.command(epilog="Example: boardctl journal show club-night.journal --json > entries.jsonl")
def show(
    journal: Path = _JOURNAL,
    as_json: bool = typer.Option(False, "--json", help="A JSON object a line, whole."),
) -> None:
    """Lists the entries, one a line."""
    with Journal.read(journal) as opened:
        for entry in opened.entries():
            if as_json:
                line = {
                    "number": entry.number,
                    "kind": entry.kind,
                    "at_ms": entry.at_ms,
                    "answers": entry.answers,
                    "hash": entry.hash,
                    "body": entry.content,
                }
                typer.echo(json.dumps(line, ensure_ascii=False))
            else:
                typer.echo(f"{entry.number:>6} {entry.at_ms / 1000:>10.3f} s  {_short(entry.kind, entry.content)}")


def _short(kind: str, content: object) -> str:
    if kind == "effects" and isinstance(content, list):
        return "effects  " + (", ".join(str(effect["kind"]) for effect in content) or "none")
    if kind == "fact" and isinstance(content, dict):
        return f"fact     {content['kind']}"
    return kind
