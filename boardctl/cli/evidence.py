"""``boardctl evidence``: what shows a finding, packed for whoever has to decide about it."""

import json
from pathlib import Path
from typing import Annotated

import typer

from boardctl.cli.reporting import WORK_FAILED, UsageError, complain, writing
from boardctl.cli.session.journals import newest_journal
from boardctl.records import Journal
from boardctl.records.findings import NO_PICTURES, finding_of, findings, pictures, rolls
from boardctl.table.packing import pack_of, refuse_altered, words_of


def evidence(
    number: Annotated[
        int | None, typer.Argument(metavar="ID", help="The finding; left out: all are listed.", show_default=False)
    ] = None,
    journal: Annotated[
        Path | None, typer.Option(help="The record; left out: the newest in your folder.", show_default=False)
    ] = None,
    out: Annotated[Path | None, typer.Option(help="Where to write the pack, a .zip file.", show_default=False)] = None,
    with_rolls: Annotated[
        bool, typer.Option("--rolls", help="List the rolls that count, too; each can be packed like a finding.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object a finding.")] = False,
) -> None:
    """List the findings of a record, or pack what shows one: facts, pictures, positions, the rule, hashes, a page.

    Examples: boardctl evidence --rolls --journal evening.journal; boardctl evidence 412 --out pack.zip
    """
    path = journal or newest_journal()
    if number is not None and (out is None or out.suffix != ".zip"):
        raise UsageError("name the pack to be written: --out pack.zip")
    with Journal.read(path) as opened:
        refuse_altered(opened)
        if number is None:
            _list(opened, with_rolls, as_json)
            return
        assert out is not None
        finding = finding_of(opened, number)
        pack, missing = pack_of(opened, finding)
        if out.exists():
            raise UsageError(f"{out}: exists already; choose another name")
        with writing(out):
            pack.write(out)
    what = "roll" if finding.is_roll else "finding"
    typer.echo(f"{out}: {what} {number} with {len(pack.frames)} pictures and {len(pack.entries)} entries")
    for why in missing:
        complain(why)
    if missing:
        raise typer.Exit(WORK_FAILED)


def _list(journal: Journal, with_rolls: bool, as_json: bool) -> None:
    kept = pictures(journal)
    found = list(findings(journal))
    if with_rolls:
        known = {finding.number for finding in found}
        found += [roll for roll in rolls(journal) if roll.number not in known]
        found.sort(key=lambda one: one.number)
    if not found and not as_json:
        typer.echo("nothing was found in this record")
    for finding in found:
        frames = kept.get(finding.number, NO_PICTURES).frames
        words = words_of(finding)
        if as_json:
            line = {"id": finding.number, "at_ms": finding.at_ms, "says": words, "pictures": len(frames)}
            typer.echo(json.dumps(line, ensure_ascii=False))
        else:
            typer.echo(
                f"{finding.number:>6} {finding.at_ms / 1000:>10.3f} s  {len(frames):>2} pictures  {' '.join(words)}"
            )
