"""The option that names the corners of the playing field by hand."""

from math import dist, isfinite
from typing import Annotated

import typer

from boardctl.cli.reporting import UsageError
from calibration.corners import Corners

CornerTexts = Annotated[
    tuple[str, str, str, str] | None,
    typer.Option(
        help="The playing field's outer corners as x,y: A's left, A's right, B's side above A's right, "
        "B's side above A's left. Left out, the board is found."
    ),
]

THINNEST = 0.05
"""What three corners next to each other span at least, over the square of the longest side: a field seen at 25 degrees
spans half, and one that a camera sees from so low that it spans this little cannot be read."""


def corners_of(texts: tuple[str, str, str, str]) -> Corners:
    """Gets the four corners that were written as x,y.

    :raises UsageError: for one that is not written so, and for four that no camera above a board sees so.
    """
    found = []
    for text in texts:
        parts = text.split(",")
        try:
            x, y = (float(part) for part in parts)
        except ValueError as error:
            raise UsageError(f"--corners {text!r}: a corner is written x,y in pixels, as 212.5,640") from error
        if not (isfinite(x) and isfinite(y)):
            raise UsageError(f"--corners {text!r}: a corner is a place in the picture, as 212.5,640")
        found.append((x, y))
    corners = (found[0], found[1], found[2], found[3])
    if not _seen_from_above(corners):
        raise UsageError(
            f"--corners {' '.join(texts)}: these are not four corners of a field that is seen from above; give them in "
            "the order A's left, A's right, B's side above A's right, B's side above A's left"
        )
    return corners


def _seen_from_above(corners: Corners) -> bool:
    """Whether the corners go round a field once, in the sense that A sees, and none lies between its neighbours."""
    longest_px = max(dist(corners[at - 1], corners[at]) for at in range(4))
    if longest_px == 0:
        return False
    for at in range(4):
        (x0, y0), (x1, y1), (x2, y2) = corners[at - 2], corners[at - 1], corners[at]
        spanned = (x2 - x1) * (y1 - y0) - (x1 - x0) * (y2 - y1)  # y grows downwards
        if spanned / longest_px**2 < THINNEST:
            return False
    return True
