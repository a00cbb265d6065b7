"""The colours of the checkers under the light of one installation."""

from math import atan2, hypot, pi, sin

import cv2
import numpy as np
from numpy.typing import NDArray

from boardctl.rules import Seat
from calibration.camera import CameraModel
from calibration.difference import root_scale
from calibration.geometry import BoardGeometry
from calibration.starting_position import starting_checkers

Picture = NDArray[np.uint8]
Floats = NDArray[np.float64]

INNER_SHARE = 0.7
"""Share of a checker's radius that is surely its top, were it placed a tenth of its width beside its place."""

WHOLE_SHARE = 0.85
"""Share of a checker's radius that is nearly all of its face and hardly anything else. A dot or a star may cover half
of the inner part: dark checkers with light ones in them are dark ones."""

COLOUR_NOISE = 0.15
"""How far the middle colour of one checker is from its true one at least (root scale): two levels of a middle grey."""

HARDLY_APART, APART = 1.2, 2.5
"""How far the two seats' colours must be apart, in what parts the colours of one seat's checkers, so that they are told
apart at all, and so that they are told apart for sure. Of 38 boards in colour the least was 3.3; without colours it was
0.7 on one, of whose checkers many were taken for the other seat's, and 1.3 to 1.7 on three, of whose some looked so. Of
two reds drawn 2.2 apart a tenth of the points are left open, 3.0 apart a twentieth, none surely wrong."""

TINT_WHEN_BLACK, TINT_FADES = 2.5, 0.025
"""How much a tint counts for lightness, and by how much less for each step of lightness: a light yellow looks hardly
lighter for it, a dark red much."""

LEAST_OF_TINT, OF_HUE = 0.085, 0.116
"""How much of a tint counts for lightness where it is yellow, and how much more where it is blue. (These four are of
Fairchild and Pirrotta, 1991.)"""

PART_OF_TINT = 0.5
"""What of that counts here. They had people match single colours; which of two kinds of checkers are the light ones is
told less by it: of 627 boards, rendered, drawn and traced, three are told otherwise than they were made with all of it
(red and blue checkers beside grey ones), one with half of it. With less red is hardly lighter than charcoal."""

HARDLY_LIGHTER = 8.0
"""By so much (CIELAB) at least one seat's checkers must look lighter than the other's, so that nobody would call those
the lighter ones: of 627 boards, rendered, drawn and traced, it is less on 15, on one of them the other way round."""

TELL_APART = (
    "switch the camera's night mode off, give it more and whiter light from more than one side, or take other checkers"
)
"""What to do where they are hardly told apart."""

CIRCLE = np.array([(np.cos(turn), np.sin(turn)) for turn in np.linspace(0, 2 * np.pi, 24, endpoint=False)])


def checker_colours(
    camera: CameraModel, geometry: BoardGeometry, start: Picture, share: float = INNER_SHARE
) -> dict[Seat, Floats]:
    """Gets the median colour (blue, green, red) of each checker of the starting position, N x 3 a seat, of that share
    of its radius."""
    colours: dict[Seat, list[Floats]] = {Seat.A: [], Seat.B: []}
    for seat, (x, y, _) in starting_checkers(geometry):
        rim = np.array((x, y)) + geometry.checker_diameter_mm / 2 * share * CIRCLE
        top = np.column_stack([rim, np.full(len(rim), geometry.checker_height_mm)])
        rows, columns = camera.part(top, around_px=2)
        part = start[rows, columns]
        if not part.size:
            continue
        inside = np.zeros(part.shape[:2], np.uint8)
        outline = (camera.project(top) - (columns.start, rows.start)) * 16
        cv2.fillConvexPoly(inside, np.round(outline).astype(np.int32), 255, cv2.LINE_8, 4)
        pixels = part[inside > 0]
        if len(pixels):
            colours[seat].append(np.median(pixels, axis=0))
    return {seat: np.array(found).reshape(-1, 3) for seat, found in colours.items()}


def seats_apart(camera: CameraModel, geometry: BoardGeometry, start: Picture) -> float:
    """Gets how far the two seats' colours are apart in a picture of the starting position, in what parts the colours of
    one seat's checkers: of the inner part of their faces, or of the whole, where these are further apart. A dot that
    covers half of the inner part makes its middle colour now that of the dot and now that of the checker."""
    shares = (INNER_SHARE, WHOLE_SHARE)
    return max(_apart(checker_colours(camera, geometry, start, share)) for share in shares)


def _apart(colours: dict[Seat, Floats]) -> float:
    """Gets how far the colours of two seats' checkers (N x 3 a seat) are apart: the distance of Mahalanobis, by which
    Fisher's discriminant tells two kinds apart."""
    seats = [root_scale(np.rint(each).astype(np.uint8)) for each in colours.values()]
    if min(map(len, seats)) < 2:
        return 0.0
    within = sum(np.cov(each.T) * (len(each) - 1) for each in seats) / (sum(map(len, seats)) - 2)
    away = np.subtract(*(each.mean(axis=0) for each in seats))
    return float(np.sqrt(away @ np.linalg.solve(within + COLOUR_NOISE**2 * np.eye(3), away)))


def how_light(colours: NDArray[np.floating]) -> float:
    """Gets how light checkers of these colours (N x 3, CIELAB) look: without their gloss, and with a part of their
    tint. For that a red one looks lighter than a grey one of its brightness (Fairchild and Pirrotta, 1991)."""
    lightness = float(np.percentile(colours[:, 0], 25))
    green_red, blue_yellow = (float(np.median(tint)) for tint in colours.T[1:])
    from_yellow = atan2(blue_yellow, green_red) - pi / 2
    of_tint = PART_OF_TINT * (OF_HUE * abs(sin(from_yellow / 2)) + LEAST_OF_TINT)
    return lightness + (TINT_WHEN_BLACK - TINT_FADES * lightness) * of_tint * hypot(green_red, blue_yellow)


def lab_of(colours: NDArray[np.floating]) -> NDArray[np.float32]:
    """Gets colours (N x 3, blue, green, red, 0 to 255) as CIELAB."""
    scaled = (colours / 255).astype(np.float32)[None]
    return np.asarray(cv2.cvtColor(scaled, cv2.COLOR_BGR2Lab)[0], dtype=np.float32)


def seats_lightness(camera: CameraModel, geometry: BoardGeometry, start: Picture) -> dict[Seat, float]:
    """Gets how light each seat's checkers look in a picture of the starting position."""
    whole = checker_colours(camera, geometry, start, WHOLE_SHARE)
    return {seat: how_light(lab_of(colours)) for seat, colours in whole.items()}


def luminance(colours: Floats) -> Floats:
    """Gets how bright colours (N x 3, blue, green, red) are, by the weights of ITU-R BT.601."""
    return np.asarray(colours @ np.array([0.114, 0.587, 0.299]), dtype=np.float64)


def seat_colours(camera: CameraModel, geometry: BoardGeometry, start: Picture) -> dict[Seat, str]:
    """Gets the middle colour of each seat's checkers as ``#rrggbb``."""
    written = {}
    for seat, colours in checker_colours(camera, geometry, start).items():
        blue, green, red = np.median(colours, axis=0).round().astype(int) if len(colours) else (0, 0, 0)
        written[seat] = f"#{red:02x}{green:02x}{blue:02x}"
    return written
