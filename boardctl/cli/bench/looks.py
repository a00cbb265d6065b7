"""``boardctl bench looks``: how right the eyes are on installations that nothing was trained on, drawn by ourselves."""

import shutil
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated

import cv2
import typer

from boardctl.cli.bench.reading import Read, measured
from boardctl.cli.bench.vision import tell
from boardctl.cli.reporting import UsageError, writing
from boardctl.cli.whole_sets_option import BACKGAMMON_CHECKERS, CheckersOption
from boardctl.virtual.unseen.designs import Design, designed, read_designs
from boardctl.virtual.unseen.looks import (
    Installation,
    clear_dice,
    cluttered,
    dice_in_cups,
    drawn_installation,
    folding,
    inlaid,
    ornate,
    polished,
    printed,
    railed,
    resized,
    slanted,
    things_on_board,
    trayless,
    uncommon_dice,
    wide,
)
from boardctl.virtual.unseen.mixed import mixed
from boardctl.virtual.unseen.tables import write_pictures
from boardctl.vision.measuring.readings import Measures


def looks(
    looks: Annotated[int, typer.Option(help="How many installations.", min=1)] = 20,
    seed: Annotated[int, typer.Option(help="The seed decides boards, colours, lamps, cameras and games.", min=0)] = 1,
    pictures: Annotated[int, typer.Option(help="Pictures of each, beside the two it is calibrated by.", min=1)] = 12,
    failures: Annotated[Path | None, typer.Option(help="Folder for marked pictures of what was read wrongly.")] = None,
    only: Annotated[str | None, typer.Option(help="Numbers of the installations to draw, comma-separated.")] = None,
    keep: Annotated[
        Path | None, typer.Option(help="Folder in which to keep the pictures and their truth, for bench vision.")
    ] = None,
    readings: Annotated[Path | None, typer.Option(help="File for the readings, one JSON object a frame.")] = None,
    checkers: CheckersOption = BACKGAMMON_CHECKERS,
    shining: Annotated[
        bool, typer.Option("--polished", help="Polish checkers and boards: the lamp shines in them.")
    ] = False,
    flat: Annotated[
        bool, typer.Option("--printed", help="Print the boards on something flat: no rails, and next to no bar.")
    ] = False,
    without_trays: Annotated[
        bool, typer.Option("--trayless", help="Give the boards no trays: what is borne off is put on the table.")
    ] = False,
    adorned: Annotated[
        bool, typer.Option("--ornate", help="Give points other shapes, and the boards emblems, stripes and lines.")
    ] = False,
    in_colours: Annotated[
        bool, typer.Option("--inlaid", help="Give checkers dots, rings, rims and emblems of other colours, or marble.")
    ] = False,
    in_rails: Annotated[
        bool,
        typer.Option("--railed", help="Inlay rails and bar: marks or numbers at the points, lines, plates, hinges."),
    ] = False,
    folded: Annotated[
        bool,
        typer.Option("--folding", help="Let boards fold: a seam, latches, and halves that are not quite level."),
    ] = False,
    other_dice: Annotated[
        bool,
        typer.Option("--uncommon-dice", help="Give dice swirls, rings for pips, coloured, worn, small, large ones."),
    ] = False,
    see_through: Annotated[
        bool, typer.Option("--clear-dice", help="Give dice that light goes through, as precision dice are.")
    ] = False,
    on_table: Annotated[
        bool, typer.Option("--cluttered", help="Cover the table with patterns, papers and things, some of which move.")
    ] = False,
    other_sizes: Annotated[
        bool,
        typer.Option("--resized", help="Take pictures of other sizes and shapes: 4 to 3, upright, 640 to 3840 px."),
    ] = False,
    in_cups: Annotated[
        bool,
        typer.Option("--dice-in-cups", help="Put down dice cups with dice in them, beside the boards and on them."),
    ] = False,
    put_down: Annotated[
        bool,
        typer.Option("--things-on-board", help="Put dice cups, telephones and other things down on the boards."),
    ] = False,
    wide_lens: Annotated[
        bool, typer.Option("--wide", help="Hang cameras with wide lenses nearer to the boards.")
    ] = False,
    held: Annotated[
        bool,
        typer.Option(
            "--slanted", help="Photograph the boards at a slant, from beside them (for bench vision --uncalibrated)."
        ),
    ] = False,
    in_some_ways: Annotated[
        bool,
        typer.Option("--mixed", help="Change each board in some of these ways, but --slanted, as its seed has it."),
    ] = False,
    designs: Annotated[
        Path | None,
        typer.Option(help="Give the boards the colours of the designs in a file of gnubg's (its boards.xml)."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object an installation.")] = False,
) -> None:
    """Draw boards, colours, lamps and cameras that nobody has seen, calibrate each by its own first two pictures, and
    measure how its games are read, as bench vision does.

    Example: boardctl bench looks --looks 20 --seed 5 --failures failed
    """
    cv2.setNumThreads(1)
    offered = (
        *((resized, other_sizes), (wide, wide_lens), (slanted, held)),
        *((printed, flat), (trayless, without_trays), (ornate, adorned), (railed, in_rails)),
        *((inlaid, in_colours), (polished, shining), (uncommon_dice, other_dice), (cluttered, on_table)),
        *(
            (mixed, in_some_ways),
            (folding, folded),
            (clear_dice, see_through),
            (things_on_board, put_down),
            (dice_in_cups, in_cups),
        ),
    )
    changes: list[Callable[[Installation], Installation]] = [change for change, asked in offered if asked]
    if in_some_ways and set(changes) - {mixed, folding, clear_dice, things_on_board, dice_in_cups}:
        raise UsageError("--mixed chooses the ways itself, by the seed: leave them out, or --mixed")
    if designs is not None:
        changes.insert(0, partial(designed, designs=_designs(designs)))
    installations = {number: _changed(drawn_installation(seed, number), changes) for number in _numbers(only, looks)}

    def frames(place: Path, measures: Measures) -> Read:
        return measured(place, measures, checkers)

    with TemporaryDirectory(prefix="boardctl-looks-") as scratch:
        places = _drawn(installations, pictures, keep or Path(scratch), keep is not None, as_json)
        tell(places, frames, failures, readings, as_json)


def _numbers(only: str | None, looks: int) -> list[int]:
    """Gets the numbers of the installations to draw.

    :raises UsageError: when they are not numbers from 0.
    """
    if only is None:
        return list(range(looks))
    wanted = [part.strip() for part in only.split(",")]
    if not all(part.isdecimal() for part in wanted):
        raise UsageError(f"--only {only}: give numbers from 0 on, comma-separated, such as 0,4,11")
    return [int(part) for part in wanted]


def _designs(file: Path) -> list[Design]:
    """Gets the designs of a file.

    :raises UsageError: when it cannot be read, or has none.
    """
    try:
        return read_designs(file)
    except OSError as error:
        raise UsageError(f"{file}: cannot be read ({error.strerror}); name gnubg's boards.xml") from error
    except ValueError as error:
        raise UsageError(f"--designs: {error}") from error


def _changed(installation: Installation, changes: Iterable[Callable[[Installation], Installation]]) -> Installation:
    """Gets an installation after each of the changes, in their order."""
    for change in changes:
        installation = change(installation)
    return installation


def _drawn(
    installations: dict[int, Installation], pictures: int, folder: Path, kept: bool, as_json: bool
) -> Iterator[Path]:
    """Draws one installation after the other, by their numbers; the pictures of one that has been measured are removed,
    if not kept."""
    for number, installation in installations.items():
        place = folder / installation.name
        with writing(place):
            write_pictures(installation, place, pictures, number)
        if not as_json:
            typer.echo(f"{installation.name}  {installation.described}", err=True)
        yield place
        if not kept:
            shutil.rmtree(place)
