"""``boardctl evidence``: what shows a finding, packed for whoever has to decide about it."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any

import cv2
import typer

from boardctl.cli.journals import newest_journal
from boardctl.cli.reporting import WORK_FAILED, UsageError, complain
from boardctl.lights import TableView
from boardctl.lights.picture import draw_table
from boardctl.records import Journal, JournalError
from boardctl.records.evidence_pack import Pack
from boardctl.records.findings import RecordedFinding, entries_around, finding_of, findings, frames_of
from boardctl.records.frame_store import FrameStore
from boardctl.referee import Ruleset, read_catalogue, read_ruleset, render, ruleset_names
from boardctl.referee.presets import RULESETS
from boardctl.rules import Placement
from boardctl.rules.diagram import draw
from boardctl.table import Session

BEFORE_MS = 30_000
AFTER_MS = 15_000
"""The time whose entries are packed: a long turn before a finding, and what was said about it afterwards."""


def evidence(
    number: Annotated[
        int | None, typer.Argument(metavar="ID", help="The finding; left out: all are listed.", show_default=False)
    ] = None,
    journal: Annotated[
        Path | None, typer.Option(help="The record; left out: the newest in your folder.", show_default=False)
    ] = None,
    out: Annotated[Path | None, typer.Option(help="Where to write the pack, a .zip file.", show_default=False)] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object a finding.")] = False,
) -> None:
    """List the findings of a record, or pack what shows one: facts, pictures, positions, the rule, hashes, a page.

    Examples: boardctl evidence --journal evening.journal; boardctl evidence 412 --out pack.zip
    """
    path = journal or newest_journal()
    if number is not None and (out is None or out.suffix != ".zip"):
        raise UsageError("name the pack to be written: --out pack.zip")
    with Journal.open(path) as opened:
        if (altered := opened.first_altered()) is not None:
            raise JournalError(
                f"{path}: entry {altered.number} is not what was recorded, so it is evidence of nothing; boardctl "
                "journal verify says more"
            )
        if number is None:
            _list(opened, as_json)
            return
        assert out is not None
        finding = finding_of(opened, number)
        pack, missing = _pack(opened, finding)
        if out.exists():
            raise UsageError(f"{out}: exists already; choose another name")
        try:
            pack.write(out)
        except OSError as error:
            raise UsageError(f"{out}: cannot be written ({error.strerror}); name another place") from error
    typer.echo(f"{out}: finding {number} with {len(pack.frames)} pictures and {len(pack.entries)} entries")
    for why in missing:
        complain(why)
    if missing:
        raise typer.Exit(WORK_FAILED)


def _list(journal: Journal, as_json: bool) -> None:
    for finding in findings(journal):
        frames, _ = frames_of(journal, finding)
        words = _words(finding)
        if as_json:
            line = {"id": finding.number, "at_ms": finding.at_ms, "says": words, "pictures": len(frames)}
            typer.echo(json.dumps(line, ensure_ascii=False))
        else:
            typer.echo(
                f"{finding.number:>6} {finding.at_ms / 1000:>10.3f} s  {len(frames):>2} pictures  {' '.join(words)}"
            )


def _words(finding: RecordedFinding) -> list[str]:
    catalogue = read_catalogue()
    heads = [_head(effect) for effect in finding.effects]
    return [head for head in heads if head] + [render(text, catalogue) for text in finding.texts]


def _head(effect: Mapping[str, Any]) -> str:
    match effect["kind"]:
        case "turn_judged":
            verdict = "not legal" if effect["legal"] is False else "cannot be told"
            return f"{effect['seat']} {_roll(effect['roll'])}: {verdict}, {effect['certainty']}."
        case "roll_read":
            again = f"{effect['seat']} rolls again" if effect["seat"] else "The dice do not count"
            return f"{again} ({effect['certainty']})."
        case "ruled":
            return f"Ruled: {effect['ruling'].replace('_', ' ')}, by {effect['by']}."
        case "match_lost":
            return f"{effect['seat']} loses the match on {effect['reason']}."
    return ""


def _roll(roll: list[int]) -> str:
    return f"{max(roll)}-{min(roll)}"


def _pack(journal: Journal, finding: RecordedFinding) -> tuple[Pack, list[str]]:
    """Gets the pack of a finding, and what of its pictures is missing."""
    session, store = Session.from_header(journal.header), FrameStore(journal.path)
    kept, lost = frames_of(journal, finding)
    missing: list[str] = []
    frames: dict[str, tuple[int, bytes]] = {}
    for frame in kept:
        try:
            frames[frame.name] = (frame.at_ms, store.read(frame))
        except JournalError as error:
            missing.append(str(error))
    boards = finding.boards
    pack = Pack(
        title=f"Finding {finding.number} of {journal.path.name}",
        said=_words(finding),
        session={
            "ruleset": f"{session.ruleset.id}, version {session.ruleset.version}",
            "hash of the ruleset": session.ruleset.digest,
            "sources": "; ".join(session.ruleset.sources),
            "checked against its sources": "yes" if session.ruleset.verified else "by nobody",
            "may pictures decide": session.ruleset.video_admissible,
            "game": session.game,
            "match": f"to {session.match_length}" if session.match_length else "single games",
            "source": session.source,
            "software": f"boardctl {session.software}",
        },
        paragraph=_paragraph(session.ruleset, finding.options),
        entries=entries_around(journal, finding, BEFORE_MS, AFTER_MS),
        boards={name: _drawn(board, name) for name, board in boards.items()},
        drawn={name: draw(board) + "\n" for name, board in boards.items()},
        frames=frames,
        lost=[*lost, *missing],
        head_hash=journal.head_hash,
    )
    return pack, missing


def _drawn(board: Placement, name: str) -> bytes:
    view = TableView(placement=board, title=f"{name} the play")
    worked, data = cv2.imencode(".png", draw_table(view, legend=False))
    assert worked
    return data.tobytes()


def _paragraph(ruleset: Ruleset, options: tuple[str, ...]) -> str:
    """Gets what a ruleset says about some options: as it is written, comments and all, where the preset is at hand."""
    written = RULESETS / f"{ruleset.id}.yaml"
    if ruleset.id in ruleset_names() and read_ruleset(ruleset.id).digest == ruleset.digest:
        lines = list(_written(written.read_text(encoding="utf-8").splitlines(), options))
    else:
        lines = [f"{key}: {value}" for key, value in ruleset.model_dump(mode="json").items() if key in options]
    return "\n".join([f"{ruleset.title} ({ruleset.id}, version {ruleset.version})", "", *lines]) + "\n"


def _written(lines: list[str], options: tuple[str, ...]) -> Iterator[str]:
    comments: list[str] = []
    for line in lines:
        if line.startswith("#"):
            comments.append(line)
        elif line.partition(":")[0] in options:
            yield from (*comments, line)
            comments = []
        else:
            comments = []
