"""Glare: where so much light reaches the camera that what is dark is as white as all else, and checkers would be.

A white board in much light is white where it is white, and what is dark on it is still seen. A lamp that is mirrored in
a board, or shines into the lens, makes white what is dark elsewhere.
"""

import numpy as np
from numpy.typing import NDArray

from boardctl.rules import Seat
from calibration.camera import CameraModel
from calibration.channels import weakest, white_level
from calibration.geometry import ROWS_HIGH, BoardGeometry
from calibration.light.linear import GAMMA, light_of
from calibration.starting_position import starting_checkers

Picture = NDArray[np.uint8]
Bools = NDArray[np.bool_]
Floats = NDArray[np.float64]

POINTS, BAR_SLOTS = 24, 4
ACROSS = 7
"""The top of a checker is looked at in a square of so many places each way."""
TOP_RADIUS = 0.45
"""They lie so far from its middle at most, in its diameters: surely on its top."""
NEAR = 1.0
"""What is so near to its middle (diameters) tells of a place: what lies beside it, too, as a light point can tell
nothing itself."""
WHITE_NOISE = 4
"""Noise leaves what is plainly white up to so many levels darker."""
TIMES_AS_BRIGHT = 6.0
"""What is white in glare has so many times the light of its like elsewhere: the light of one lamp near by is not so
uneven."""
LEAST_WHITE, LEAST_TOLD = 0.25, 12
"""Share of what tells of a place that is white where it lies in glare, and how many must tell: a third of a checker's
top. Of a place of which half is white dark checkers were not seen, and rows told to end before one of which a quarter
is."""
MOSTLY = 0.5
"""Checkers of the starting position that lie on what is white are seen if less of them than this share is white: they
cover what a board mirrors."""


def in_glare(empty: Picture, start: Picture, camera: CameraModel, geometry: BoardGeometry) -> Bools:
    """Gets in which places a checker would be in glare (26 x 5), by pictures of the empty board and of the starting
    position (each H x W x 3): on each point the first five of its row, and on the bar four towards seat A and four
    towards seat B, from its middle on. In none, where checkers of the starting position are seen on what is white."""
    points = np.array([[geometry.on_point(number + 1, row) for row in range(ROWS_HIGH)] for number in range(POINTS)])
    bar = np.array([[geometry.on_bar(seat, row) for row in range(BAR_SLOTS)] for seat in (Seat.B, Seat.A)])
    found = np.zeros((POINTS + 2, ROWS_HIGH), dtype=np.bool_)
    alike = (points[0::2], points[1::2], bar.reshape(-1, 1, 3))
    told = [_told(empty, _tops(middles, geometry), camera) for middles in alike]
    at, is_white = (np.concatenate(each) for each in zip(*told, strict=True))
    if not is_white.any() or _are_seen(empty, start, camera, geometry):
        return found
    reach_mm = NEAR * geometry.checker_diameter_mm
    for strips, places in ((found[:POINTS], points), (found[POINTS:, :BAR_SLOTS], bar)):
        for index in np.ndindex(*strips.shape):
            near = is_white[np.hypot(*(at - places[index])[:, :2].T) <= reach_mm]
            strips[index] = len(near) >= LEAST_TOLD and float(near.mean()) >= LEAST_WHITE
    return found


def points_of(glare: Bools) -> list[int]:
    """Gets the points of which any place lies in glare (26 x 5)."""
    return (np.flatnonzero(glare[:POINTS].any(axis=1)) + 1).tolist()


def _are_seen(empty: Picture, start: Picture, camera: CameraModel, geometry: BoardGeometry) -> bool:
    """Whether checkers of the starting position that lie where the empty board is white are not."""
    checkers = starting_checkers(geometry)
    laid = [np.array([[at] for owner, at in checkers if owner is seat]) for seat in (Seat.A, Seat.B)]
    told = [_told(start, _tops(middles, geometry), camera) for middles in laid]
    at, is_white = (np.concatenate(each) for each in zip(*told, strict=True))
    on_white = is_white[_is_white(empty, _levels(empty, camera, at))]
    return len(on_white) >= LEAST_TOLD and float(on_white.mean()) < MOSTLY


def _told(picture: Picture, seen_at: Floats, camera: CameraModel) -> tuple[Floats, Bools]:
    """Gets the places (N x 3) of what is far from white elsewhere, and whether it is white there.

    ``seen_at``: places (A x B x C x 3) of which all A look alike, for each of B x C.
    """
    levels = _levels(picture, camera, seen_at)
    usual = np.median(light_of(levels), axis=0)
    tells = np.broadcast_to(usual * TIMES_AS_BRIGHT <= (_white_level(picture) / 255) ** GAMMA, levels.shape)
    return seen_at[tells], _is_white(picture, levels[tells])


def _is_white(picture: Picture, levels: Picture) -> Bools:
    """Gets which levels of a picture (H x W x 3) are as white as it has any."""
    return np.asarray(levels >= _white_level(picture) - WHITE_NOISE)


def _white_level(picture: Picture) -> float:
    return white_level(picture[::4, ::4])


def _tops(middles_mm: Floats, geometry: BoardGeometry) -> Floats:
    """Gets places on the tops of checkers (... x N x 3), given by their middles (... x 3)."""
    return np.asarray(middles_mm[..., None, :] + _top(geometry))


def _top(geometry: BoardGeometry) -> Floats:
    """Gets places on the top of a checker (N x 3), from its middle."""
    steps = np.linspace(-TOP_RADIUS, TOP_RADIUS, ACROSS)
    places = np.stack(np.meshgrid(steps, steps), axis=-1).reshape(-1, 2)
    inside = places[np.hypot(*places.T) <= TOP_RADIUS] * geometry.checker_diameter_mm
    return np.column_stack([inside, np.full(len(inside), geometry.checker_height_mm / 2)])


def _levels(picture: Picture, camera: CameraModel, places_mm: Floats) -> Picture:
    """Gets the weakest channel at places (... x 3) of a picture (H x W x 3), 0 where they are not in it."""
    columns, rows = np.rint(camera.project(places_mm.reshape(-1, 3))).astype(np.intp).T
    height, width = picture.shape[:2]
    inside = (rows >= 0) & (columns >= 0) & (rows < height) & (columns < width)
    levels = np.zeros(len(rows), dtype=np.uint8)
    levels[inside] = weakest(picture[rows[inside], columns[inside]])
    return levels.reshape(places_mm.shape[:-1])
