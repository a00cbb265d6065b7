"""The board in a photograph of an unknown camera, from the four corners of the field alone.

The corners, moved to where the points are seen, tell the camera's place; how the empty board looks, how wide the bar
is, how large the checkers and of which colours, is told by the photograph: bare points look alike. With that it is
read as with a calibration, but nothing is said with much confidence (see ``docs/accuracy/photographs.md``), and trays
are not read. Where too little of the board is bare, or in the picture, checkers are looked for as circles.
"""

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from boardctl.referee.readings import BoardReading, DiceReading, PlaceReading, Witness
from boardctl.rules import PlaceKind, Seat
from boardctl.vision.frame import FrameReading
from boardctl.vision.photograph.bare_points import bare_points, disagreement, lopsidedness
from boardctl.vision.photograph.circles import PosedBoard, is_shown, places_by_circles
from boardctl.vision.photograph.dice import dice_in_photograph
from boardctl.vision.photograph.point_strips import PointStrips
from boardctl.vision.photograph.points import DOUBTED, in_plainer_light, points_on_bare_board
from boardctl.vision.points.brightness import made_brighter
from boardctl.vision.points.columns import POINTS
from boardctl.vision.points.partly_seen import partly_seen
from boardctl.vision.trays.bearing_off import ANY_HOMES
from boardctl.vision.whole_sets import unseen_tray, weighed_by_sets
from calibration.camera import CameraModel
from calibration.corners import Corners, as_corners
from calibration.errors import CalibrationError
from calibration.field.corner_fit import corners_at_points
from calibration.field.corner_pose import pose_from_corners
from calibration.field.plausible_cameras import PlausibleCamera, cameras_seeing
from calibration.geometry import XY, BoardGeometry

Picture = NDArray[np.uint8]

BAR_WIDTHS = (0.02, 0.3, 0.5, 0.7, 0.85, 1.0, 1.15, 1.3)
"""Widths of the bar that are tried, in points: none on printed boards, a checker with room on others."""

CLOSER = (0.07, 0.035)
"""Then it is looked for so much to either side of the best, in points."""

UNLIKE = 1.2
"""Disagreement of points from which on it is not known how they look bare: over twice that of any board of the renders
that may be learned from."""

MOST = 0.94
"""Most that is said of anything seen on a board whose bare look is only inferred."""

GLANCE_PX = 2
"""For that each so-many-th pixel of the points is looked at."""


MOST_FIELD_PX, MOST_PX = 2000.0, 4608.0
"""A photograph is read no larger than so that its field is so long, and it is itself. A checker then has more than
twice the pixels with which it is looked at, a die of half an inch some 45; whole photographs of telephones (12 and 48
million pixels) took 1.2 and 4.5 gigabytes."""


@dataclass(frozen=True)
class BareBoard:
    """A board in a photograph (H x W x 3) and what that would show without checkers, both in the light in which these
    are plainer; the camera and the board's sizes, but those of its checkers."""

    camera: CameraModel
    geometry: BoardGeometry
    picture: Picture
    empty: Picture


def read_photograph(picture: Picture, corners: Corners, home_on_right: bool = True, checkers: int = 0) -> FrameReading:
    """Gets what a photograph (H x W x 3) shows, given the field's outer corners in the order of ``Corners``: nearly
    right is enough (``corners_at_points``).

    ``checkers``: how many each seat has in all, where that shall be used; else 0.

    :raises CalibrationError: when the corners are of no board, or neither checkers of two colours nor dice are found.
    """
    sides_px = np.linalg.norm(np.array(corners) - np.roll(corners, -1, axis=0), axis=1)
    scale = min(1.0, MOST_FIELD_PX / max(float(sides_px.max()), 1.0), MOST_PX / max(picture.shape))
    if scale == 1.0:
        return _read(picture, corners, home_on_right, checkers)
    smaller = np.asarray(cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), dtype=np.uint8)
    reading = _read(smaller, as_corners((np.array(corners) + 0.5) * scale - 0.5), home_on_right, checkers)
    dice = (replace(die, center_px=_unscaled(die.center_px, scale)) for die in reading.dice.dice)
    return replace(reading, dice=DiceReading(tuple(dice)))


def _unscaled(pixel: XY, scale: float) -> XY:
    x, y = ((side + 0.5) / scale - 0.5 for side in pixel)
    return x, y


def _read(picture: Picture, corners: Corners, home_on_right: bool, checkers: int) -> FrameReading:
    """Gets what a photograph shows that is not too large."""
    corners = corners_at_points(picture, corners)
    boards = _with_bars(picture, corners, home_on_right)
    bright = made_brighter(picture, np.array(corners, dtype=np.float64))
    bare = _bare_board(bright, corners, boards)
    read = None if bare is None else _read_on_bare_board(bare, checkers)
    (camera, geometry), places = read or places_by_circles(bright, boards)

    def cameras(spot_px: XY) -> list[PlausibleCamera]:
        width, size_px = geometry.bar_width_mm / geometry.point_width_mm, (picture.shape[1], picture.shape[0])
        return cameras_seeing(spot_px, np.array(corners, dtype=np.float64), size_px, width)

    dice, cube = dice_in_photograph(picture, camera, geometry, cameras, places)
    if not places and not dice:
        raise CalibrationError(
            "neither checkers of two colours nor dice found: check the corners, or calibrate "
            "(boardctl calibrate camera)"
        )
    return FrameReading(BoardReading(Witness.CAMERA, places, cube=cube), DiceReading(dice), hand=False)


def bare_board(picture: Picture, corners: Corners, home_on_right: bool) -> BareBoard | None:
    """Gets the board of a photograph (H x W x 3), given the field's outer corners in the order of ``Corners``; None
    where too little of it is seen, or is bare.

    :raises CalibrationError: when the corners are of no board.
    """
    corners = corners_at_points(picture, corners)
    bright = made_brighter(picture, np.array(corners, dtype=np.float64))
    return _bare_board(bright, corners, _with_bars(picture, corners, home_on_right))


def _bare_board(picture: Picture, corners: Corners, boards: list[PosedBoard]) -> BareBoard | None:
    """Gets the board with the bar that suits its picture; None where too little is seen for that."""
    if not all(is_shown(number, *boards[-1]) for number in range(1, POINTS + 1)):
        return None
    (camera, geometry), rating = _with_its_bar(picture, corners, boards)
    if rating > UNLIKE:
        return None
    empty = bare_points(picture, PointStrips(camera, geometry))
    return BareBoard(camera, geometry, *in_plainer_light(picture, camera, geometry, empty))


def _read_on_bare_board(bare: BareBoard, checkers: int) -> tuple[PosedBoard, tuple[PlaceReading, ...]] | None:
    """Gets the board, and what lies on its points and bar; None where no checkers of two colours are seen."""
    seen = points_on_bare_board(bare.picture, bare.camera, bare.geometry, bare.empty, checkers)
    if seen is None:
        return None
    places = seen.places
    if checkers:
        trays = tuple(unseen_tray(seat, checkers) for seat in (Seat.A, Seat.B))
        read = BoardReading(Witness.CAMERA, (*places, *trays))
        board = weighed_by_sets(read, checkers, seen.unsaid, partly_seen(seen.covered), ANY_HOMES)
        places = tuple(place for place in board.places if place.place.kind is not PlaceKind.TRAY)
    told = tuple(place.at_most(DOUBTED if place.place in seen.doubted else MOST) for place in places)
    return (bare.camera, seen.geometry), told


def _with_its_bar(picture: Picture, corners: Corners, boards: list[PosedBoard]) -> tuple[PosedBoard, float]:
    """Gets the board with the bar's width with which its strips lie best on its points, and how much these differ."""

    def rated(board: PosedBoard) -> float:
        return lopsidedness(picture, PointStrips(*board, step_px=GLANCE_PX))

    ratings = [rated(board) for board in boards]
    best = int(np.argmin(ratings))
    width, rating, chosen = BAR_WIDTHS[best], ratings[best], boards[best]
    for step in CLOSER:
        middle = width
        for tried in (middle - step, middle + step):
            if tried < min(BAR_WIDTHS):
                continue
            board = _posed(picture, corners, chosen[1].home_on_right, tried)
            rated_now = rated(board)
            if rated_now < rating:
                width, rating, chosen = tried, rated_now, board
    return chosen, disagreement(picture, PointStrips(*chosen, step_px=GLANCE_PX))


def _with_bars(picture: Picture, corners: Corners, home_on_right: bool) -> list[PosedBoard]:
    """Gets a usual camera and board for each width of the bar that is tried first."""
    return [_posed(picture, corners, home_on_right, width) for width in BAR_WIDTHS]


def _posed(picture: Picture, corners: Corners, home_on_right: bool, bar_width: float) -> PosedBoard:
    """Gets a usual camera and board that put the field's corners where they were given."""
    size = (picture.shape[1], picture.shape[0])
    posed = pose_from_corners(np.array(corners, dtype=np.float64), size, home_on_right, bar_width)
    if posed is None:
        raise CalibrationError(
            "--corners: no camera above a board sees its corners so; give them in the order A's left, A's right, "
            "B's side above A's right, B's side above A's left"
        )
    return posed
