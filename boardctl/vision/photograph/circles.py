"""What lies on the board in a photograph in which too few bare points are seen to tell how the empty board looks.

What is looked for is circles as large as checkers; their colours fall into two kinds, the lighter of which is seat A's.
Checkers on top of others are not seen; so nothing is said with much confidence.
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from boardctl.referee.readings import PlaceReading, StackChance
from boardctl.rules import Seat, bar, point
from calibration.camera import CameraModel
from calibration.colours import how_light
from calibration.geometry import BoardGeometry

Picture = NDArray[np.uint8]
Floats = NDArray[np.float64]
PosedBoard = tuple[CameraModel, BoardGeometry]

CHECKER_PX = 32
"""Width of a checker in the picture of the board from above: about what photographs have."""

MARGIN = 0.3
"""What the picture from above shows around the field, in checkers."""

RADII = (0.41, 0.56)
"""Radius of a circle that may be a checker, in usual checkers: those of boards differ by a seventh."""

EDGE, VOTES = 60, 11
"""Thresholds of the circle transform (Yuen and others, 1990): steepness of an edge in grey levels, and least votes, a
tenth of the hundred pixels that a checker's rim has."""

APART = 0.8
"""Least distance of two circles' middles, in checkers."""

OFF_POINT = 0.42
"""Furthest that a checker's middle lies from the middle line of its point, in points."""

TOP_SHARE = 0.6
"""Share of a checker's radius whose colour is taken."""

STRAY = 3.0
"""A circle whose colour is further from both kinds than this many median distances is no checker."""

LEAST_COLOURS = 12.0
"""Least distance of the two kinds of checkers' colours (CIELAB): less is seen by nobody at a glance."""

COUNTED, FULL, HIGH, BARE = 0.85, 0.75, 0.45, 0.9
"""Likelihood of a row of up to four, of five, of more checkers, and of a bare point: about the shares that were right
on the eleven installations of the renders that may be learned from, with their true corners; of the bare ones on drawn
and traced boards, too (93 of 100), and less, as other photographs come to this only where nothing else can be told."""

CUT_OFF = 0.01
"""A point that reaches further out of a picture, in its sizes, is not all in it; corners are given by eye."""

ROWS = 5
CHECKERS = 30
"""Checkers of a game: of more circles the clearest are taken, which come first."""


@dataclass(frozen=True)
class _Circle:
    """A circle that may be a checker: its middle on the board, and the colour (CIELAB) of its top."""

    x_mm: float
    y_mm: float
    colour: Floats


def places_by_circles(picture: Picture, boards: list[PosedBoard]) -> tuple[PosedBoard, tuple[PlaceReading, ...]]:
    """Gets the board of several on whose points the circles of a photograph (H x W x 3) lie best, and what lies on its
    bar and on each point that is in the picture; nothing where there are no checkers of two colours."""
    found = [(_circles(picture, *board), board) for board in boards]
    circles, (camera, geometry) = min(found, key=lambda entry: _off_points(entry[0], entry[1][1]))
    owners = _owners(circles)
    if owners is None:
        return (camera, geometry), ()
    seen = [number for number in range(1, 25) if is_shown(number, camera, geometry)]
    points = [PlaceReading(point(number), _on_point(number, circles, owners, geometry)) for number in seen]
    bars = [PlaceReading(bar(seat), _on_bar(seat, circles, owners, geometry)) for seat in (Seat.A, Seat.B)]
    return (camera, geometry), (*points, *bars)


def is_shown(number: int, camera: CameraModel, geometry: BoardGeometry) -> bool:
    """Whether all of a point is in the picture, which may be a part of the board's."""
    size = np.array((camera.width_px, camera.height_px))
    pixels = camera.project([(x, y, 0.0) for x, y in geometry.point_triangle(number)])
    slack = CUT_OFF * size.max()
    return bool((pixels >= -slack).all() and (pixels <= size + slack).all())


def _circles(picture: Picture, camera: CameraModel, geometry: BoardGeometry) -> list[_Circle]:
    """Gets the circles as large as checkers on the board seen from above."""
    diameter = geometry.checker_diameter_mm
    half_width, half_height = geometry.field_width_mm / 2 / diameter, geometry.field_height_mm / 2 / diameter
    xs = np.arange(-half_width - MARGIN, half_width + MARGIN, 1 / CHECKER_PX) * diameter
    ys = -np.arange(-half_height - MARGIN, half_height + MARGIN, 1 / CHECKER_PX) * diameter
    grid = np.stack(np.broadcast_arrays(xs[None], ys[:, None], geometry.checker_height_mm), axis=-1)
    pixels = camera.project(grid.reshape(-1, 3)).astype(np.float32).reshape(len(ys), len(xs), 2)
    flat = cv2.remap(picture, pixels[..., 0].copy(), pixels[..., 1].copy(), cv2.INTER_LINEAR)
    grey = cv2.GaussianBlur(cv2.cvtColor(flat, cv2.COLOR_BGR2GRAY), (3, 3), 0.8)
    least, most = (round(radius * CHECKER_PX) for radius in RADII)
    found = cv2.HoughCircles(
        grey, cv2.HOUGH_GRADIENT, 1.0, APART * CHECKER_PX, param1=EDGE, param2=VOTES, minRadius=least, maxRadius=most
    )
    if found is None:
        return []
    colours = np.asarray(cv2.cvtColor(flat.astype(np.float32) / 255, cv2.COLOR_BGR2Lab), dtype=np.float32)
    clearest = found.reshape(-1, found.shape[-1])[:CHECKERS, :3]
    return [_circle(x, y, radius, colours, xs, ys) for x, y, radius in clearest.tolist()]


def _circle(x: float, y: float, radius: float, colours: NDArray[np.float32], xs: Floats, ys: Floats) -> _Circle:
    mask = np.zeros(colours.shape[:2], np.uint8)
    cv2.circle(mask, (round(x), round(y)), round(radius * TOP_SHARE), 1, -1)
    column, row = min(round(x), len(xs) - 1), min(round(y), len(ys) - 1)
    return _Circle(float(xs[column]), float(ys[row]), np.median(colours[mask > 0], axis=0).astype(np.float64))


def _off_points(circles: list[_Circle], geometry: BoardGeometry) -> float:
    """Gets how far circles lie from the middle lines of points and bar, in the mean, in points."""
    if not circles:
        return np.inf
    lines = [geometry.point_x_mm(number) for number in range(1, 13)]
    off = [min(abs(circle.x_mm - line) for line in lines) / geometry.point_width_mm for circle in circles]
    return float(np.mean(np.minimum(off, 0.5)))


def _owners(circles: list[_Circle]) -> list[Seat | None] | None:
    """Gets whose checker each circle is, the lighter ones A's; None for what has neither colour.

    Nothing is known of any where the circles are not of two colours, as in a part of a picture that shows dice.
    """
    if len(circles) >= 2:
        colours = np.array([circle.colour for circle in circles], dtype=np.float32)
        criteria = (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_MAX_ITER, 50, 0.1)
        cv2.setRNGSeed(1)
        _, labels, middles = cv2.kmeans(colours, 2, np.empty(0, np.int32), criteria, 8, cv2.KMEANS_PP_CENTERS)
        if float(np.linalg.norm(middles[0] - middles[1])) >= LEAST_COLOURS:
            kinds = labels.ravel()
            away = np.linalg.norm(colours - middles[kinds], axis=1)
            usual = max(float(np.median(away)), 3.0)
            lighter = int(np.argmax([how_light(colours[kinds == kind]) for kind in (0, 1)]))
            seats = [Seat.A if kind == lighter else Seat.B for kind in kinds]
            return [seat if far <= STRAY * usual else None for seat, far in zip(seats, away, strict=True)]
    return None


def _on_point(
    number: int, circles: list[_Circle], owners: list[Seat | None], geometry: BoardGeometry
) -> tuple[StackChance, ...]:
    """Gets what lies on a point: a row from the edge on; nothing is vouched for where it has gaps or two colours."""
    side = 1.0 if geometry.is_near_row(number) else -1.0
    slots: dict[int, set[Seat]] = {}
    for circle, owner in zip(circles, owners, strict=True):
        depth = (geometry.field_height_mm / 2 + side * circle.y_mm) / geometry.checker_diameter_mm
        beside = abs(circle.x_mm - geometry.point_x_mm(number)) / geometry.point_width_mm
        if owner is not None and beside < OFF_POINT and side * circle.y_mm < 0:
            slots.setdefault(max(round(depth - 0.5), 0), set()).add(owner)
    if not slots:
        return (StackChance((), BARE),)
    seats = set().union(*slots.values())
    if len(seats) > 1 or set(slots) != set(range(len(slots))):
        return ()
    return _counted(seats.pop(), len(slots))


def _counted(seat: Seat, count: int) -> tuple[StackChance, ...]:
    """Gets how likely a row that is seen has so many checkers, or one more that was not seen or lies on top."""
    sure = COUNTED if count < ROWS else FULL if count == ROWS else HIGH
    rest = (1 - sure) / 3
    return (StackChance((seat,) * count, sure), StackChance((seat,) * (count + 1), rest))


def _on_bar(
    seat: Seat, circles: list[_Circle], owners: list[Seat | None], geometry: BoardGeometry
) -> tuple[StackChance, ...]:
    half = geometry.bar_width_mm / 2
    count = sum(owner is seat and abs(circle.x_mm) < half for circle, owner in zip(circles, owners, strict=True))
    return _counted(seat, count) if count else (StackChance((), BARE),)
