"""``boardctl calibrate``: geometry and colours of this installation."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import numpy as np
import typer
from rich.console import Console

from boardctl.cli import flickering
from boardctl.cli.corner_option import CornerTexts, corners_of
from boardctl.cli.guided.lights import lights
from boardctl.cli.guided.live_pictures import Shots, found_live
from boardctl.cli.guided.panel import panel
from boardctl.cli.guided.questions import agreed, ask_person
from boardctl.cli.guided.sensors import sensors
from boardctl.cli.guided.start_check import check_start
from boardctl.cli.named_points import named_points
from boardctl.cli.reporting import STOPPED, WORK_FAILED, UsageError, complain, in_a_folder, writing
from boardctl.cli.seen_sizes import SeenSizes, seen_sizes
from boardctl.devices.faces import Picture
from boardctl.devices.pictures import read_picture, write_picture
from boardctl.rules import Seat
from boardctl.vision.light.cut_levels import white_points
from boardctl.vision.light.glare import glaring_points
from calibration import Calibration
from calibration import calibrate as find_board
from calibration.colours import APART, HARDLY_LIGHTER, TELL_APART, seats_apart, seats_lightness
from calibration.corners import Side
from calibration.drawing import draw_board
from calibration.light.enough import much_burnt_out
from calibration.light.flicker import steadied
from calibration.light.sharpness import soft_edges_px
from calibration.start.pose_fit import LENS_HEIGHT_SPREAD, lens_height

app = typer.Typer(no_args_is_help=True, help="Measure this installation once, and keep it in a file.")
app.command()(sensors)
app.command()(lights)
app.command()(panel)


LIES_ON_IT = "are the lines on your board's points, white rings on seat A's checkers, blue rings on seat B's?"


@app.callback()
def calibrate() -> None:
    """Measure this installation once, and keep it in a file."""


ABOUT_AS_LIGHT = (
    "the two sides' checkers look about as light, and which are the lighter ones may be seen otherwise another day: "
    "say where seat A sits (--seat-a-at)"
)
"""What is told where the lightness of checkers hardly tells whose they are."""

NO_TRAYS = (
    "the board has no trays: the camera does not look for checkers that are borne off, it sees that they are missing. "
    "If it has some, say so (--trays)"
)
"""What is told where no tray is seen at the home side, or none is there."""

LENS_SEEMS = (
    "the lens seems to be {high:.2f} times as high above the board as the field is wide; where your ruler says "
    "otherwise, give what it says (--lens-height)"
)
"""What is told of the camera where nobody has measured it: from straight above its pictures hardly do."""

LENS_ELSEWHERE = (
    "the pictures contradict your ruler: the lens is said to be {given:.2f} times as high above the board as the field "
    "is wide, and seems to be {high:.2f} times; measure both once more (--lens-height)"
)
"""What is told where somebody has measured it, and the pictures show it elsewhere."""

OUT_OF_FOCUS = (
    "the pictures are out of focus, their sharpest edges {edges_px:.1f} pixels wide: no number of a die will be told "
    "for sure. Focus the camera on the board, fix the focus there (docs/camera.md), and take both again"
)
"""What is told of pictures that are less sharp than reading dice asks for."""

NOT_ALIKE = (
    "between the two pictures the light changed, or something was moved; what that did was taken out of them. Should "
    "points be left open later, take both again: in one light, with nobody leaning over the board"
)
"""What is told of pictures that were not used as they were taken."""

BURNT_WHITE = (
    "on these points light checkers are as white as the board, and both as white as the camera can tell: {points}. "
    "What lies there will be told with doubt. Move or soften the lamp, or expose shorter, and take both again"
)
"""What is told of pictures in which checkers can hardly be told from the board."""

GLARE = (
    "glare hides what lies on these points: {points}. Nothing will be told of them where no checker is seen. Move or "
    "soften the lamp, or expose shorter, and take both again"
)
"""What is told of pictures that are white whatever the board's colour is."""


@app.command()
def camera(
    out: Annotated[Path, typer.Option(help="Where to write the calibration (YAML).")],
    source: Annotated[
        str | None,
        typer.Option(
            "--camera",
            help="A running camera (0, /dev/video0, pi) or a stream's URL: you are guided through both pictures.",
        ),
    ] = None,
    empty: Annotated[Path | None, typer.Option(help="Instead of --camera: a picture of the empty board.")] = None,
    start: Annotated[
        Path | None, typer.Option(help="And one of the starting position, camera and board not moved.")
    ] = None,
    corners: CornerTexts = None,
    seat_a_at: Annotated[
        Side | None,
        typer.Option(
            help="Without --corners: the side of the picture at which seat A sits. Left out, hers are the lighter "
            "checkers."
        ),
    ] = None,
    given_height: Annotated[
        float | None,
        typer.Option(
            "--lens-height",
            help="How high the lens is above the board, divided by the width of the field (its twelve points and the "
            "bar), by ruler. Left out, the pictures tell it; for a wide lens straight above they hardly do.",
            min=0.3,
            max=10,
        ),
    ] = None,
    die_of_checker: Annotated[
        float | None,
        typer.Option(
            help="Width of your dice divided by the width of a checker, by ruler. Left out, the first throws tell it.",
            min=0.2,
            max=0.7,
        ),
    ] = None,
    trays: Annotated[
        bool | None,
        typer.Option(
            "--trays/--no-trays",
            help="Whether the board has trays into which checkers are borne off. Left out, the first picture tells it.",
        ),
    ] = None,
    picture: Annotated[Path | None, typer.Option(help="Where to write a picture of what was found.")] = None,
) -> None:
    """Find the board in two pictures of it, empty and set up, from a running camera or from files.

    With --camera you are told what to do, and asked whether what was found is your board before anything is kept.

    Examples: boardctl calibrate camera --camera 0 --out calibration.yaml; boardctl calibrate camera --empty empty.jpg
    --start start.jpg --out calibration.yaml --picture found.png
    """
    for file in (out, picture):
        if file is not None:
            in_a_folder(file)
    if corners is not None and seat_a_at is not None:
        raise UsageError("--corners tell where seat A sits: her left and her right come first; leave out --seat-a-at")
    by_hand = None if corners is None else corners_of(corners)

    def found(shots: Shots) -> Calibration:
        with Console(stderr=True).status("looking for the board ..."):
            made = find_board(shots.empty, shots.start, by_hand, seat_a_at, given_height)
        geometry = made.geometry if trays is None else made.geometry.with_trays(trays)
        if die_of_checker is not None:
            geometry = replace(geometry, die_size_mm=die_of_checker * geometry.checker_diameter_mm)
        if geometry == made.geometry and die_of_checker is None:
            return made
        return Calibration.of(made.camera, geometry, made.empty, made.start, die_size_given=die_of_checker is not None)

    if source is not None:
        if empty is not None or start is not None:
            raise UsageError("--camera takes both pictures itself; leave out --empty and --start")
        _guided(source, found, given_height, out, picture or out.with_name(f"{out.stem}.found.png"))
        return
    if empty is None or start is None:
        raise UsageError("name a running camera by --camera, or two pictures by --empty and --start")
    shots = Shots(read_picture(empty), read_picture(start))
    made = found(shots)
    _save(made, out)
    if picture is not None:
        _draw(made, shots.start, picture)
    _tell(made, shots, given_height)
    typer.echo(f"written: {out}" + ("" if picture is None else f"; look at {picture} and confirm"))


def _guided(
    source: str, found: Callable[[Shots], Calibration], given_height: float | None, out: Path, picture: Path
) -> None:
    """Calibrates a running camera; keeps what is found only once the person has seen that it is right."""
    try:
        shots, made = found_live(source, found, ask_person, typer.echo)
        if made is not None:
            _draw(made, shots.start, picture)
            _tell(made, shots, given_height)
            if agreed(ask_person, f"Look at {picture}: {LIES_ON_IT}"):
                _save(made, out)
                typer.echo(f"written: {out}")
                return
    except KeyboardInterrupt:
        complain("stopped; no calibration was written")
        raise typer.Exit(STOPPED) from None
    kept = shots.kept_beside(out)
    complain(
        f"no calibration was written; the pictures are kept. Read the field's corners off {kept[0]}, then run: "
        f"boardctl calibrate camera --empty {kept[0]} --start {kept[1]} --out {out} --corners X,Y X,Y X,Y X,Y; "
        "if the lines fit and only the rings are exchanged, say instead of --corners at which side of the picture seat "
        "A sits: --seat-a-at SIDE"
    )
    raise typer.Exit(WORK_FAILED)


def _save(made: Calibration, out: Path) -> None:
    with writing(out):
        made.save(out)


def _draw(made: Calibration, start: Picture, picture: Path) -> None:
    drawn = draw_board(start, made.camera, made.geometry)
    with writing(picture):
        write_picture(picture, drawn)


def _tell(made: Calibration, shots: Shots, given_height: float | None) -> None:
    side = "right" if made.geometry.home_on_right else "left"
    beside = ", trays beside it" if made.geometry.has_trays else ""
    colours = f"seat A {made.colours[Seat.A]}, seat B {made.colours[Seat.B]}"
    typer.echo(f"found the board: {colours}, A's home at her {side}{beside}")
    light = seats_lightness(made.camera, made.geometry, made.start)
    if abs(light[Seat.A] - light[Seat.B]) < HARDLY_LIGHTER:
        typer.echo(ABOUT_AS_LIGHT)
    if not made.geometry.has_trays:
        typer.echo(NO_TRAYS)
    high = lens_height(made.camera, made.geometry)
    if given_height is None:
        typer.echo(LENS_SEEMS.format(high=high))
    elif abs(high / given_height - 1) > 2 * LENS_HEIGHT_SPREAD:
        typer.echo(LENS_ELSEWHERE.format(given=given_height, high=high))
    _tell_sizes(seen_sizes(made))
    if seats_apart(made.camera, made.geometry, made.start) < APART:
        typer.echo(f"the checkers of the two sides look much alike, and may be taken for each other: {TELL_APART}")
    if (edges_px := soft_edges_px(made)) is not None:
        typer.echo(OUT_OF_FOCUS.format(edges_px=edges_px))
    if white := white_points(made):
        typer.echo(BURNT_WHITE.format(points=named_points(white)))
    corners_px = made.camera.project([(x, y, 0.0) for x, y in made.geometry.corners])
    if burnt := much_burnt_out(made.empty, corners_px):
        typer.echo(burnt)
    if glaring := glaring_points(made):
        typer.echo(GLARE.format(points=named_points(glaring)))
    start = steadied(shots.start, shots.empty)
    if start is not shots.start:
        typer.echo(f"{flickering.SAYS}: {flickering.ADVICE}")
    if not (np.array_equal(made.empty, shots.empty) and np.array_equal(made.start, start)):
        typer.echo(NOT_ALIKE)
    for said in check_start(made):
        typer.echo(said)


def _tell_sizes(sizes: SeenSizes) -> None:
    """Tells how large checkers and dice come out, and what that means."""
    given = sizes.die_of_checker
    assumed = (
        "" if given is None else f", if dice are {given:.2f} times as wide as checkers (--die-of-checker tells it)"
    )
    typer.echo(f"a checker comes out {sizes.checker_px:.0f} px wide, a die {sizes.die_px:.0f} px{assumed}")
    if sizes.advice:
        typer.echo(f"  {sizes.advice}")
