"""The option that names the corners of the playing field by hand."""

from typing import Annotated

import typer

from boardctl.cli.reporting import UsageError
from calibration.find import Corners

CornerTexts = Annotated[
    tuple[str, str, str, str] | None,
    typer.Option(
        help="The playing field's outer corners as x,y: A's left, A's right, B's side above A's right, "
        "B's side above A's left. Left out, the board is found."
    ),
]


def corners_of(texts: tuple[str, str, str, str]) -> Corners:
    """Gets the four corners that were written as x,y.

    :raises UsageError: for one that is not written so.
    """
    found = []
    for text in texts:
        parts = text.split(",")
        try:
            x, y = (float(part) for part in parts)
        except ValueError as error:
            raise UsageError(f"--corners {text!r}: a corner is written x,y in pixels, as 212.5,640") from error
        found.append((x, y))
    return (found[0], found[1], found[2], found[3])
