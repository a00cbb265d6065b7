"""``boardctl export``: a journal as a match file that other programs read."""

import datetime
from dataclasses import replace
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from boardctl.cli.replay import replayed
from boardctl.cli.reporting import UsageError, complain, in_a_folder, writing
from boardctl.cli.session.options import PlayerNames, named_players
from boardctl.records import Journal, JournalError, effect_to_plain
from boardctl.records.formats import MatchRecord, left_out, write_json, write_mat, write_sgf
from boardctl.records.transcript import transcript
from boardctl.referee.effects import Effect
from boardctl.rules import Backgammon
from boardctl.table import Session


class Format(StrEnum):
    """What is written."""

    MAT = "mat"
    SGF = "sgf"
    JSON = "json"


_WRITERS = {Format.MAT: write_mat, Format.SGF: write_sgf, Format.JSON: write_json}


def export(
    journal: Annotated[Path, typer.Argument(help="The journal, as demo and watch write it.", show_default=False)],
    out: Annotated[Path, typer.Option(help="Where to write the match file.", show_default=False)],
    kind: Annotated[
        Format,
        typer.Option("--format", help="mat and sgf for other backgammon programs; json holds everything."),
    ] = Format.MAT,
    players: Annotated[
        tuple[str, str] | None,
        typer.Option(help="The names of the players at seats A and B; by default the record's.", show_default=False),
    ] = None,
    player: PlayerNames = None,
    event: Annotated[str, typer.Option(help="What was played for.")] = "",
    place: Annotated[str, typer.Option(help="Where it was played.")] = "",
    date: Annotated[str, typer.Option(help="The day, such as 2026-11-20; by default the journal's own.")] = "",
    force: Annotated[bool, typer.Option("--force", help="Write over a file that exists.")] = False,
) -> None:
    """Write the match that a journal holds as a file. What a format cannot carry is said, in the file and here.

    Example: boardctl export evening.journal --format mat --players Ann Bob --out evening.mat
    """
    if out.exists() and journal.exists() and out.samefile(journal):
        raise UsageError(f"{out}: is the journal itself, which is never written over; choose another name")
    if out.exists() and not force:
        raise UsageError(f"{out}: exists already; give --force to write over it, or choose another name")
    in_a_folder(out)
    _check_date(date)
    record = _record(journal)
    record = replace(record, event=event, place=place, date=date or record.date)
    given = named_players(record.game.seats, player)
    pair = {} if players is None else dict(zip(record.game.seats, players, strict=False))
    record = replace(record, players={**record.players, **pair, **given})
    if kind is not Format.JSON and not isinstance(record.game, Backgammon):
        raise UsageError(f"--format {kind}: holds backgammon, not {record.game.name}; use --format json")
    text = _WRITERS[kind](record)
    with writing(out):
        out.write_text(text, encoding="utf-8")
    rolls = sum(1 for game in record.games for _ in game.rolls())
    typer.echo(f"games: {len(record.games)}, rolls with their plays: {rolls}; written: {out}")
    if kind is not Format.JSON:
        for missing in left_out(record, illegal_plays=kind is Format.SGF).values():
            complain(missing)


_A_DAY = len("2026-11-20")


def _check_date(text: str) -> None:
    try:
        if text and datetime.date.fromisoformat(text).isoformat() != text:
            raise ValueError(text)
    except ValueError:
        raise UsageError(f"--date {text}: give the day as year-month-day, such as 2026-11-20") from None


def _record(path: Path) -> MatchRecord:
    """Gets the match of a journal, its facts fed to a fresh referee.

    :raises JournalError: when the journal was altered, is answered otherwise today, or holds no turn.
    """
    with Journal.read(path) as journal:
        if (altered := journal.first_altered()) is not None:
            raise JournalError(
                f"{path}: entry {altered.number} is not what was recorded, so nothing is exported; boardctl journal "
                "verify says more"
            )
        session = Session.from_header(journal.header)
        referee = session.referee()
        said: list[Effect] = []
        for fact, effects, recorded in replayed(journal, referee):
            if recorded is not None and recorded != [effect_to_plain(effect) for effect in effects]:
                raise JournalError(
                    f"{path}: at {fact.at_ms / 1000:.3f} s this version rules otherwise than was ruled then, so "
                    f"nothing is exported; export it with boardctl {session.software}, or see boardctl replay"
                )
            said += effects
    names = {seat: session.players.get(seat, "") for seat in referee.game.seats}
    record = transcript(said, referee.game, session.match_rules, names)
    if not record.games:
        raise JournalError(f"{path}: no turn was played in it, so there is nothing to export")
    return replace(record, date=session.begun[:_A_DAY])
