"""``boardctl read``: what is on the board in these pictures, or what dice without a board show."""

import json
import time
from collections.abc import Callable
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from boardctl.cli.corner_option import corners_of
from boardctl.cli.found_field import (
    PictureOption,
    SeatAOption,
    checked_place,
    draw_found,
    found_in,
)
from boardctl.cli.reporting import UsageError
from boardctl.cli.whole_sets_option import BACKGAMMON_CHECKERS, CheckersOption
from boardctl.devices.faces import Picture
from boardctl.devices.pictures import read_picture
from boardctl.vision.dice.alone import dice_alone
from boardctl.vision.frame import FrameReader, FrameReading
from boardctl.vision.photograph.reading import read_photograph
from boardctl.vision.report import as_record, dice_record
from boardctl.vision.report_text import as_text, dice_text
from boardctl.vision.whole_sets import with_whole_sets
from calibration import load
from calibration.corners import Side


class Home(StrEnum):
    """At which of her sides seat A's home is."""

    LEFT = "left"
    RIGHT = "right"


def read(
    images: Annotated[list[Path], typer.Argument(help="Pictures of the board, JPEG or PNG.")],
    calibration: Annotated[Path | None, typer.Option(help="The calibration of the camera that took them.")] = None,
    corners: Annotated[
        tuple[str, str, str, str] | None,
        typer.Option(
            help="Without a calibration: the playing field's outer corners as x,y: A's left, A's right, B's side "
            "above A's right, B's side above A's left. Some pixels off is near enough. Left out, the field is found. "
            "Seats are told by their colours, A the lighter one."
        ),
    ] = None,
    home: Annotated[
        Home, typer.Option(help="Without --calibration: the side on which A has her point 1.")
    ] = Home.RIGHT,
    seat_a_at: SeatAOption = Side.BOTTOM,
    picture: PictureOption = None,
    checkers: CheckersOption = BACKGAMMON_CHECKERS,
    dice_only: Annotated[
        bool,
        typer.Option(
            "--dice-only",
            help="Read a picture of dice without a board: their values alone, 0.9 sure at most. With a board in it, "
            "checkers may be taken for dice.",
        ),
    ] = False,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print one JSON object a picture; docs/readings.md tells its keys.")
    ] = False,
) -> None:
    """Read what is on the board in pictures, by the calibration of their camera, or less surely by the field's corners,
    which are found where they are not given.

    Pictures with a calibration are read one after the other, as their camera took them: how large the dice are is
    learned from one to the next. With --dice-only what dice show that lie anywhere.

    Example: boardctl read shots/f003.jpg --calibration calibration.yaml --json
    """
    given = (calibration is not None) + (corners is not None) + dice_only
    if given > 1:
        raise UsageError(
            "give at most one of --calibration (made by `boardctl calibrate camera`), for a photograph of an unknown "
            "camera --corners x,y x,y x,y x,y, and for one of dice without a board --dice-only"
        )
    if given and picture is not None:
        raise UsageError("--picture is of a field that is found: leave out --calibration, --corners and --dice-only")
    checked_place(picture, images)
    eyes = _eyes(calibration, corners, home, checkers) if calibration is not None or corners is not None else None
    for image in images:
        shown = read_picture(image)
        started = time.perf_counter()
        if dice_only:
            dice = dice_alone(shown)
            record = dice_record(str(image), dice, (time.perf_counter() - started) * 1000)
            typer.echo(json.dumps(record) if as_json else dice_text(record))
            continue
        if eyes is not None:
            record = as_record(str(image), eyes(shown), (time.perf_counter() - started) * 1000)
        else:
            with Console(stderr=True).status(f"looking for the board in {image.name} ..."):
                field = found_in(image, shown, seat_a_at)
            reading = read_photograph(shown, field.corners, home is Home.RIGHT, checkers)
            record = as_record(str(image), reading, (time.perf_counter() - started) * 1000, field.corners)
            if picture is not None:
                draw_found(picture, shown, field, home is Home.RIGHT)
        typer.echo(json.dumps(record) if as_json else as_text(record))


def _eyes(
    calibration: Path | None, corners: tuple[str, str, str, str] | None, home: Home, checkers: int
) -> Callable[[Picture], FrameReading]:
    """Gets what reads the pictures of a board."""
    if corners is not None:
        places = corners_of(corners)
        return lambda picture: read_photograph(picture, places, home is Home.RIGHT, checkers)
    assert calibration is not None
    reader = FrameReader(load(calibration))
    return lambda picture: with_whole_sets(reader.read(picture), checkers)
