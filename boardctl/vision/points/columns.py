"""The points and the bar as upright strips: cut from the picture at the height of a checker's top.

All strips of a picture lie in one array (26 x length x width x 3). Strip 0 is point 1; row 0 is the edge of the board,
the middle column the middle of the point. A checker is ``CHECKER_PX`` across wherever it lies. The last two strips are
the bar, from beside its middle towards seat A and towards seat B.
"""

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from boardctl.rules import Seat
from boardctl.vision.points.seat_palette import SeatPalette, seat_palette
from calibration import BoardGeometry, Calibration, CameraModel
from calibration.installation import INSTALLATIONS_KEPT
from calibration.start.stack_rims import TOUCHING
from calibration.starting_position import STARTING_STACKS

Picture = NDArray[np.uint8]
Floats = NDArray[np.float32]

CHECKER_PX = 24
"""From one checker of a row to the next in a strip: about what a 1280 pixel picture has, and three cells of eight
pixels, to which the network brings its strips down."""

SLOTS = 7
"""Checkers in a row that a strip shows: more than a half board holds."""

STRIP_LENGTH = CHECKER_PX * SLOTS
STRIP_WIDTH = 32
"""A point is some 26 pixels wide; the rest shows what lies close beside it."""

POINTS = 24
STRIPS = POINTS + 2

BAR_STARTS = 0.66
"""Where the bar's strips start, in checkers from the middle of the bar, which the doubling cube may hold."""
TOP_SHARE = 0.45
"""Share of a slot's length that is surely the top of a checker in it: its radius, less a tenth for its being off."""


@dataclass(frozen=True)
class Cutter:
    """Cuts the strips of one installation from its pictures, each so many pixels long."""

    maps: tuple[NDArray[np.int16], NDArray[np.uint16]]
    length: int = STRIP_LENGTH

    def cut(self, picture: Picture) -> NDArray[np.uint8]:
        """Gets the strips (26 x length x width x 3) of a picture."""
        flat = cv2.remap(picture, *self.maps, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        return np.asarray(flat, dtype=np.uint8).reshape(-1, self.length, STRIP_WIDTH, 3)


def mm_per_px(geometry: BoardGeometry) -> float:
    """Gets how wide a strip's pixel is on the board."""
    return geometry.checker_diameter_mm * TOUCHING / CHECKER_PX


def strip_places_mm(geometry: BoardGeometry, strip: int) -> NDArray[np.float64]:
    """Gets x and y (length x width x 2) of a strip's pixels on the board plane."""
    pixel_mm = mm_per_px(geometry)
    depths = (np.arange(STRIP_LENGTH) + 0.5) * pixel_mm
    if strip < POINTS:
        inwards = 1.0 if geometry.is_near_row(strip + 1) else -1.0
        along = inwards * (depths - geometry.field_height_mm / 2)
        middle = geometry.point_x_mm(strip + 1)
    else:
        inwards = -1.0 if strip == POINTS else 1.0
        along = inwards * (depths + BAR_STARTS * geometry.checker_diameter_mm)
        middle = 0.0
    # Strips of opposite directions are turned, not mirrored.
    across = middle + inwards * (np.arange(STRIP_WIDTH) - (STRIP_WIDTH - 1) / 2) * pixel_mm
    return np.stack(np.broadcast_arrays(across[None, :], along[:, None]), axis=-1)


def slot_middles_mm(geometry: BoardGeometry, strip: int) -> NDArray[np.float64]:
    """Gets x and y (7 x 2) of the middles of a strip's slots on the board plane."""
    rows = np.arange(SLOTS) * CHECKER_PX + CHECKER_PX // 2
    return np.asarray(strip_places_mm(geometry, strip)[rows, STRIP_WIDTH // 2], dtype=np.float64)


def top_height_mm(geometry: BoardGeometry, strip: int, layer: int = 1) -> float:
    """Gets how high the top of the ``layer``-th checker in a strip is above the board."""
    raised = 0.0 if strip < POINTS else geometry.bar_height_mm
    return raised + layer * geometry.checker_height_mm


def cutter(camera: CameraModel, strips: list[tuple[NDArray[np.float64], float]]) -> Cutter:
    """Gets the cutter for strips, each given by x and y of its pixels (length x width x 2; the length a multiple of
    four, and the same of all) and its height."""
    places = []
    for places_mm, height_mm in strips:
        flat = places_mm.reshape(-1, 2)
        places.append(np.column_stack([flat, np.full(len(flat), height_mm)]))
    # OpenCV remaps long rows faster: one row of the map holds four of a strip.
    pixels = camera.project(np.concatenate(places)).astype(np.float32).reshape(-1, 4 * STRIP_WIDTH, 2)
    return Cutter(fixed_maps(pixels), len(strips[0][0]))


def fixed_maps(pixels: Floats) -> tuple[NDArray[np.int16], NDArray[np.uint16]]:
    """Gets the same places in a picture (H x W x 2) in the form in which OpenCV remaps fastest: to a 32nd of a pixel,
    to which it would round them anyway."""
    whole, parts = cv2.convertMaps(pixels, np.empty(0, dtype=np.float32), cv2.CV_16SC2)
    return np.asarray(whole, dtype=np.int16), np.asarray(parts, dtype=np.uint16)


def leaning_px(camera: CameraModel, geometry: BoardGeometry, strip: int) -> tuple[float, float]:
    """Gets how far in a strip (right, down in its pixels) the top of a second checker is seen from that of a first."""
    places = strip_places_mm(geometry, strip)
    row, column = STRIP_LENGTH // 3, STRIP_WIDTH // 2
    middle, right, down = places[row, column], places[row, column + 1], places[row + 1, column]
    pixel = camera.project([(middle[0], middle[1], top_height_mm(geometry, strip, 2))])
    seen = camera.to_plane(pixel, top_height_mm(geometry, strip))[0] - middle
    return float(seen[0] / (right[0] - middle[0])), float(seen[1] / (down[1] - middle[1]))


@dataclass(frozen=True)
class StripNetwork:
    """A network that reads strips: the file of its weights, and that of what makes of the empty board what it needs."""

    file: str
    empty_file: str


FROM_ABOVE = StripNetwork("columns.onnx", "columns_empty.onnx")
"""Of boards that are seen from above, as cameras that hang see them."""
FROM_BESIDE = StripNetwork("columns_beside.onnx", "columns_beside_empty.onnx")
"""Of boards in photographs that somebody has taken who stood or sat beside them."""


@dataclass(frozen=True, eq=False)
class ReferenceStrips:
    """What reading needs of one installation, made once. Each is equal to itself alone."""

    cutter: Cutter
    empty: NDArray[np.uint8]
    leaning: Floats
    """How far a second checker's top is displaced in each strip (26 x 2)."""
    palette: SeatPalette
    larger: float = 1.0
    """How much larger changes are (root scale) than in pictures as they were taken, where these are made brighter."""
    start: NDArray[np.uint8] | None = None
    """The strips of the starting position; None where there are none, or what is read are other strips."""
    network: StripNetwork = FROM_ABOVE
    """The network that is asked about them."""


@lru_cache(maxsize=INSTALLATIONS_KEPT)
def reference_strips(calibration: Calibration) -> ReferenceStrips:
    """Gets the reference strips of a calibration, made on first use."""
    camera, geometry = calibration.camera, calibration.geometry
    tool = cutter(
        camera, [(strip_places_mm(geometry, strip), top_height_mm(geometry, strip)) for strip in range(STRIPS)]
    )
    empty, start = tool.cut(calibration.empty), tool.cut(calibration.start)
    leaning = np.array([leaning_px(camera, geometry, strip) for strip in range(STRIPS)], dtype=np.float32)
    tops = {
        seat: np.concatenate(
            [tops_of_row(start[number - 1], count) for number, owner, count in STARTING_STACKS if owner is seat]
        )
        for seat in (Seat.A, Seat.B)
    }
    palette = seat_palette(tops[Seat.A], tops[Seat.B], empty.reshape(-1, 3))
    return ReferenceStrips(tool, empty, leaning, palette, start=start)


def tops_of_row(strip: NDArray[np.uint8], count: int) -> NDArray[np.uint8]:
    """Gets the pixels (N x 3) of the tops of the first checkers of a row."""
    rows, columns = np.mgrid[0:STRIP_LENGTH, 0:STRIP_WIDTH]
    away = np.full(strip.shape[:2], np.inf)
    for index in range(count):
        middle = (index + 0.5) * CHECKER_PX - 0.5
        away = np.minimum(away, np.hypot(rows - middle, columns - (STRIP_WIDTH - 1) / 2))
    return strip[away < TOP_SHARE * CHECKER_PX]
