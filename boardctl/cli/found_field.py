"""The field that is found in a photograph: what is said of it, and a picture of it for the user to look at."""

from pathlib import Path
from typing import Annotated

import numpy as np
import typer
from numpy.typing import ArrayLike

from boardctl.cli.reporting import UsageError, in_a_folder, writing
from boardctl.devices.faces import Picture
from boardctl.devices.pictures import write_picture
from calibration import CalibrationError
from calibration.corners import Corners, Side
from calibration.drawing import draw_field
from calibration.field.corner_pose import pose_from_corners
from calibration.field.find import FoundField, find_field

CHECKER = 0.94 / 13
"""A checker's width over a field's: a row has twelve points and a bar."""

SeatAOption = Annotated[
    Side,
    typer.Option(
        "--seat-a-at", help="Without --calibration and --corners: the side of the picture at which seat A sits."
    ),
]

PictureOption = Annotated[
    Path | None,
    typer.Option("--picture", help="Where to write a picture of the field that was found, to be looked at (PNG)."),
]


def checked_place(place: Path | None, images: list[Path]) -> None:
    """Checks that one picture of one field can be written.

    :raises UsageError: when it cannot.
    """
    if place is None:
        return
    if len(images) != 1:
        raise UsageError("--picture is of one photograph; give one")
    in_a_folder(place)


def found_in(image: Path, picture: Picture, seat_a: Side) -> FoundField:
    """Gets the field that is found in a picture.

    :raises CalibrationError: with the picture's name, when none is.
    """
    try:
        return find_field(picture, seat_a)
    except CalibrationError as error:
        raise CalibrationError(f"{image}: {error}") from error


def draw_found(place: Path, picture: Picture, field: FoundField, home_on_right: bool) -> None:
    """Writes a picture of a field that was found."""
    size = (picture.shape[1], picture.shape[0])
    posed = pose_from_corners(np.array(field.corners), size, home_on_right, max(field.bar, 0.02))
    if posed is None:
        raise CalibrationError("no camera above a board sees the field so that was found; give --corners")
    with writing(place):
        write_picture(place, draw_field(picture, *posed))


def turned_like(true: Corners, field: FoundField) -> Corners:
    """Gets the corners of a field that was found in the order of the true ones: who asks knows at which side A sits."""

    def off(corners: Corners) -> float:
        return float(np.linalg.norm(np.subtract(corners, true), axis=1).max())

    return min((field.corners, field.turned.corners), key=off)


def is_placed(found: ArrayLike, true: ArrayLike, checker: float = CHECKER) -> bool:
    """Whether no corner (of 4 x 2) that was found is half a checker off; ``checker``: its width over the field's."""
    left, right = np.asarray(true)[:2]
    checker_px = checker * float(np.linalg.norm(right - left))
    return bool(np.linalg.norm(np.subtract(found, true), axis=1).max() < checker_px / 2)
