"""``boardctl replay``: steps through a journal and checks that the same facts give the same rulings."""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from boardctl.cli.reporting import WORK_FAILED, complain
from boardctl.cli.session.turn_lines import frame_of, line_of
from boardctl.records import Entry, Journal, effect_to_plain, fact_from_json
from boardctl.referee import Catalogue, Referee, read_catalogue, render
from boardctl.referee.effects import Effect, RollRead
from boardctl.referee.facts import Fact
from boardctl.table import Session


def replay(
    journal: Annotated[Path, typer.Argument(help="The journal, as demo and watch write it.", show_default=False)],
    step: Annotated[bool, typer.Option("--step", help="Wait for Enter after each fact that was answered.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object a fact, with its effects.")] = False,
) -> None:
    """Step through a record. Facts go through a fresh referee; a ruling other than the recorded one is reported.

    Example: boardctl replay evening.journal --step
    """
    catalogue = read_catalogue()
    differ = 0
    with Journal.read(journal) as opened:
        referee = Session.from_header(opened.header).referee()
        for fact, effects, recorded in replayed(opened, referee):
            plain = [effect_to_plain(effect) for effect in effects]
            same = recorded is None or recorded == plain
            differ += not same
            if as_json:
                entry = {
                    "at_ms": fact.at_ms,
                    "fact": fact.kind,
                    "frame": frame_of(fact),
                    "effects": plain,
                    "same": same,
                }
                typer.echo(json.dumps(entry, ensure_ascii=False))
                continue
            shown = [line for effect in effects if (line := _line(effect, catalogue))]
            for line in shown:
                typer.echo(f"{fact.at_ms / 1000:>10.3f} s  {fact.kind:<14} {line}")
            if not same:
                complain(f"at {fact.at_ms / 1000:.3f} s, {fact.kind}: the record says otherwise: {_kinds(recorded)}")
            if step and shown and sys.stdin.isatty():
                input("Enter goes on, Ctrl-C stops ")
        state = referee.state
    if not as_json:
        score = ", ".join(f"{seat} {points}" for seat, points in state.score)
        typer.echo(f"stands at: {state.phase}, on turn {state.seat or '-'}, score {score}")
    if differ:
        complain(f"{differ} facts were answered otherwise than the record says")
        raise typer.Exit(WORK_FAILED)


def replayed(journal: Journal, referee: Referee) -> Iterator[tuple[Fact, list[Effect], list[object] | None]]:
    """Gets each fact with what it causes now and what the record says it caused, if it was answered."""
    recorded: dict[int, Entry] = {
        entry.answers: entry for entry in journal.entries() if entry.kind == "effects" and entry.answers is not None
    }
    for entry in journal.entries():
        if entry.kind == "fact":
            fact = fact_from_json(entry.body)
            answer = recorded.get(entry.number)
            yield fact, referee.feed(fact), None if answer is None else answer.content


def _line(effect: Effect, catalogue: Catalogue) -> str | None:
    if isinstance(effect, RollRead) and effect.valid:
        return f"{effect.seat} rolls {effect.roll} ({effect.certainty})"
    return line_of(effect, lambda text: render(text, catalogue))


def _kinds(recorded: list[object] | None) -> str:
    return ", ".join(str(effect["kind"]) for effect in recorded or () if isinstance(effect, dict)) or "nothing"
