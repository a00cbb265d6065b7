"""``boardctl rules``: what the rules say, and whether it is what others recorded."""

import json
import time
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Annotated, NoReturn

import typer
from rich.console import Console
from rich.progress import Progress, TextColumn, TimeElapsedColumn

from boardctl.cli.playouts import playouts
from boardctl.cli.recorded_lines import recorded_lines
from boardctl.cli.reporting import USAGE, WORK_FAILED, complain
from boardctl.cli.session.options import named_options
from boardctl.rules import Roll, Seat, write_play
from boardctl.rules.games import GAMES, game_with, read_position, read_situation
from boardctl.rules.recorded import Comparison, RecordedCaseError, compare

_DRAWING_SUFFIXES = (".txt", ".board", ".md")

_LONGEST_PATH = 255  # characters; what is longer names no file

QUIET_S = 2.0
"""How long a command runs before it shows progress."""

app = typer.Typer(no_args_is_help=True, help="Ask the rules, and hold them against recorded cases.")
app.command()(playouts)


@app.callback()
def rules() -> None:
    """Ask the rules, and hold them against recorded cases."""


@app.command(epilog="Example: boardctl rules verify tests/data/rules/standard.jsonl.gz")
def verify(
    file: Annotated[Path, typer.Argument(help="Recorded cases, JSON lines, gzipped or plain.")],
    show: Annotated[int, typer.Option(min=0, help="How many differences to draw.")] = 3,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object instead of text.")] = False,
) -> None:
    """Compare every recorded case with the rules. Exit code 1 when any differs."""
    try:
        checked, differing = _count(_with_progress(compare(recorded_lines(file))))
    except RecordedCaseError as error:
        _refuse(f"{file}: {error}; take a file of recorded cases as it was written")
    except FileNotFoundError:
        _refuse(f"{file}: line 1: no such file; name a file of recorded cases (.jsonl.gz)")
    except OSError as error:
        _refuse(f"{file}: line 1: cannot be read: {error.strerror or error}")
    if as_json:
        cases = [difference.case for difference in differing]
        typer.echo(json.dumps({"checked": checked, "differ": len(differing), "differences": cases}))
    else:
        for difference in islice(differing, show):
            typer.echo(difference.drawn() + "\n")
        typer.echo(f"checked {checked}, differ {len(differing)}")
    if differing:
        raise typer.Exit(WORK_FAILED)


@app.command(epilog="Example: boardctl rules plays --game backgammon --position 4HPwATDgc/ABMA --roll 31")
def plays(
    roll: Annotated[str, typer.Option(help="The two dice, such as 31 or 3-1.")],
    game: Annotated[str, typer.Option(help=f"One of {', '.join(GAMES)}.")] = "backgammon",
    position: Annotated[
        str,
        typer.Option(
            help="start, an XGID, Position ID or Position ID:Match ID, a file with a drawn board, or - to read one."
        ),
    ] = "start",
    seat: Annotated[
        Seat | None,
        typer.Option(help="Who is to play; else whom the identifier names, or A.", show_default=False),
    ] = None,
    option: Annotated[
        list[str] | None, typer.Option(help="An option of the game, such as blocked_higher=licenses; may be repeated.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object instead of text.")] = False,
) -> None:
    """Print the legal plays in standard notation, one a line."""
    try:
        chosen = game_with(game, named_options(option))
        text = _position_text(position)
        mover = seat or _on_roll(text)
        at = read_position(chosen, text, mover)
        found = chosen.plays(at, mover, _roll(roll))
    except (ValueError, OSError) as error:
        _refuse(str(error).partition("\n")[0].rstrip(":"))
    texts = [write_play(chosen, mover, play) for play in found]
    if as_json:
        answer = {"game": game, "seat": mover.value, "roll": roll, "plays": texts, "position": str(at).splitlines()}
        typer.echo(json.dumps(answer))
    else:
        typer.echo("\n".join(texts))


def _position_text(position: str) -> str:
    if position == "-":
        return typer.get_text_stream("stdin").read()
    if "\n" in position or len(position) > _LONGEST_PATH:
        return position
    file = Path(position)
    if file.is_file():
        try:
            return file.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            raise ValueError(f"{file}: is no text; name a file with a drawn board") from None
    if file.suffix in _DRAWING_SUFFIXES:
        raise ValueError(f"{position}: no such file; draw the board in it as boardctl rules plays --json shows one")
    return position


def _on_roll(text: str) -> Seat:
    situation = read_situation(text)
    return Seat.A if situation is None else situation.seat


def _roll(text: str) -> Roll:
    dice = [character for character in text if character not in "-, "]
    if len(dice) != 2 or not all(die in "123456" for die in dice):
        raise ValueError(f"roll {text!r}: two dice of 1 to 6, such as 31 or 3-1")
    return Roll.of(int(dice[0]), int(dice[1]))


def _refuse(message: str) -> NoReturn:
    complain(message)
    raise typer.Exit(USAGE)


def _count(comparisons: Iterator[Comparison]) -> tuple[int, list[Comparison]]:
    checked = 0
    differing: list[Comparison] = []
    for comparison in comparisons:
        checked += 1
        if not comparison.equal:
            differing.append(comparison)
    return checked, differing


def _with_progress(comparisons: Iterator[Comparison]) -> Iterator[Comparison]:
    """Passes comparisons on, and shows how far they are once it has taken longer than ``QUIET_S``."""
    columns = (TextColumn("checked {task.completed}"), TimeElapsedColumn())
    progress = Progress(*columns, console=Console(stderr=True), transient=True)
    task = progress.add_task("", total=None)
    quiet_until = time.monotonic() + QUIET_S
    shown = False
    try:
        for comparison in comparisons:
            if not shown and time.monotonic() > quiet_until:
                progress.start()
                shown = True
            progress.advance(task)
            yield comparison
    finally:
        if shown:
            progress.stop()
