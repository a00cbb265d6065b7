"""``boardctl calibrate``: geometry and colours of this installation."""

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import cv2
import typer

from boardctl.cli.calibrate_lights import lights
from boardctl.cli.calibrate_panel import panel
from boardctl.cli.calibrate_sensors import sensors
from boardctl.cli.corner_option import CornerTexts, corners_of
from boardctl.cli.reporting import in_a_folder, writing
from boardctl.cli.seen_sizes import SeenSizes, seen_sizes
from boardctl.devices.pictures import read_picture
from boardctl.rules import Seat
from calibration import Calibration
from calibration import calibrate as find_board
from calibration.drawing import draw_board

app = typer.Typer(no_args_is_help=True, help="Measure this installation once, and keep it in a file.")
app.command()(sensors)
app.command()(lights)
app.command()(panel)


@app.callback()
def calibrate() -> None:
    """Measure this installation once, and keep it in a file."""


@app.command()
def camera(
    empty: Annotated[Path, typer.Option(help="Picture of the empty board.")],
    start: Annotated[Path, typer.Option(help="Picture of the starting position, camera and board not moved.")],
    out: Annotated[Path, typer.Option(help="Where to write the calibration (YAML).")],
    corners: CornerTexts = None,
    die_of_checker: Annotated[
        float | None,
        typer.Option(
            help="Width of your dice divided by the width of a checker, by ruler. Left out, the first throws tell it.",
            min=0.2,
            max=0.7,
        ),
    ] = None,
    picture: Annotated[Path | None, typer.Option(help="Where to write a picture of what was found.")] = None,
) -> None:
    """Find the board in two pictures of it, empty and set up.

    Example: boardctl calibrate camera --empty empty.jpg --start start.jpg --out calibration.yaml --picture found.png
    """
    for file in (out, picture):
        if file is not None:
            in_a_folder(file)
    first, second = read_picture(empty), read_picture(start)
    made = find_board(first, second, None if corners is None else corners_of(corners))
    if die_of_checker is not None:
        sized = replace(made.geometry, die_size_mm=die_of_checker * made.geometry.checker_diameter_mm)
        made = Calibration.of(made.camera, sized, made.empty, made.start, die_size_given=True)
    with writing(out):
        made.save(out)
    if picture is not None:
        drawn = draw_board(second, made.camera, made.geometry)
        with writing(picture):
            picture.write_bytes(cv2.imencode(".png", drawn)[1].tobytes())
    geometry = made.geometry
    side = "right" if geometry.home_on_right else "left"
    typer.echo(f"found the board: seat A {made.colours[Seat.A]}, seat B {made.colours[Seat.B]}, A's home at her {side}")
    _tell_sizes(seen_sizes(made))
    typer.echo(f"written: {out}" + ("" if picture is None else f"; look at {picture} and confirm"))


def _tell_sizes(sizes: SeenSizes) -> None:
    """Tells how large checkers and dice come out, and what that means."""
    given = sizes.die_of_checker
    assumed = (
        "" if given is None else f", if dice are {given:.2f} times as wide as checkers (--die-of-checker tells it)"
    )
    typer.echo(f"a checker comes out {sizes.checker_px:.0f} px wide, a die {sizes.die_px:.0f} px{assumed}")
    if sizes.advice:
        typer.echo(f"  {sizes.advice}")
