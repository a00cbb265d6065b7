"""Strips of trays, in which checkers may lie in rows as on a point.

How wide the wall between the field and a tray is no picture of an empty board tells for sure. So a tray is watched
where checkers lie on common boards, and when something has changed there, the strip is cut where that is.
"""

from dataclasses import dataclass, replace
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from boardctl.rules import Seat
from boardctl.vision.points.columns import (
    CHECKER_PX,
    POINTS,
    STRIP_LENGTH,
    STRIP_WIDTH,
    Picture,
    ReferenceStrips,
    cutter,
    fixed_maps,
    mm_per_px,
    reference_strips,
    top_height_mm,
)
from calibration import BoardGeometry, Calibration
from calibration.channels import strongest
from calibration.difference import root_scale
from calibration.installation import INSTALLATIONS_KEPT

SEATS = (Seat.A, Seat.B)
Floats = NDArray[np.float64]

TRAY_MIDDLE = 0.93
"""From the field's edge to the middle of the checkers in a tray on common boards, in checkers: half a checker, a wall,
and some play."""

MIDDLES = TRAY_MIDDLE + np.arange(-1, 7) * 0.1
"""Where else a tray's middle may be: walls are up to 0.8 checkers wide, trays up to 1.4."""

BAND = (0.25, 2.15)
"""The part of the board in which is looked where the first checker lies, in checkers from the field's edge outwards."""

CHANGED = 1.0
"""A change (root scale) that is one for sure; a larger one counts no more."""


def tray_places_mm(geometry: BoardGeometry, seat: Seat, middle: float = TRAY_MIDDLE) -> Floats:
    """Gets x and y (length x width x 2) of the pixels of a tray's strip: row 0 at the seat's edge of the board.

    ``middle``: how far from the field's edge the strip's middle is, in checkers.
    """
    inwards = 1.0 if seat is Seat.A else -1.0
    across = inwards * (np.arange(STRIP_WIDTH) - (STRIP_WIDTH - 1) / 2) * mm_per_px(geometry)
    across += _outwards(geometry) * middle * geometry.checker_diameter_mm
    return _places(geometry, seat, np.asarray(across, dtype=np.float64), STRIP_LENGTH)


def _places(geometry: BoardGeometry, seat: Seat, across_mm: Floats, length: int) -> Floats:
    """Gets x and y of pixels so far beyond the edge of the field at the home side, in rows from the seat's edge on."""
    inwards = 1.0 if seat is Seat.A else -1.0
    x = _outwards(geometry) * geometry.field_width_mm / 2 + across_mm
    along = inwards * ((np.arange(length) + 0.5) * mm_per_px(geometry) - geometry.field_height_mm / 2)
    return np.stack(np.broadcast_arrays(x[None, :], along[:, None]), axis=-1)


def _outwards(geometry: BoardGeometry) -> float:
    return 1.0 if geometry.home_on_right else -1.0


@lru_cache(maxsize=2 * INSTALLATIONS_KEPT)
def reference_rows(calibration: Calibration, middle: float = TRAY_MIDDLE) -> ReferenceStrips:
    """Gets the strips of both trays of a calibration, made on first use."""
    geometry, points = calibration.geometry, reference_strips(calibration)
    height = top_height_mm(geometry, 0)
    tool = cutter(calibration.camera, [(tray_places_mm(geometry, seat, middle), height) for seat in SEATS])
    # A tray lies beside the two home points of its row; seen from the camera its checkers lean as theirs do.
    leaning = points.leaning[[0, POINTS - 1]]
    return replace(points, cutter=tool, empty=tool.cut(calibration.empty), leaning=leaning, start=None)


@dataclass(frozen=True, eq=False)
class Band:
    """Where the first checker that lies in a tray may be seen, and how that looks on the empty board (root scale)."""

    maps: tuple[NDArray[np.int16], NDArray[np.uint16]]
    empty: NDArray[np.float32]

    def middle(self, picture: Picture) -> float:
        """Gets where a first checker's middle is, in checkers from the field's edge: of ``MIDDLES``, the one about
        which most has changed."""
        change = strongest(np.abs(root_scale(_cut(picture, self.maps)) - self.empty))
        profile = np.minimum(change, CHANGED).mean(axis=0)
        about = np.convolve(profile, np.ones(CHECKER_PX), mode="valid")
        middle = BAND[0] + (int(about.argmax()) + CHECKER_PX / 2) / CHECKER_PX
        return float(MIDDLES[np.abs(MIDDLES - middle).argmin()])


@lru_cache(maxsize=2 * INSTALLATIONS_KEPT)
def band_of(calibration: Calibration, seat: Seat) -> Band:
    """Gets the band of a seat's tray under a calibration."""
    geometry = calibration.geometry
    across = np.arange(*BAND, 1 / CHECKER_PX) * geometry.checker_diameter_mm
    places = _places(geometry, seat, _outwards(geometry) * across, CHECKER_PX)
    flat = places.reshape(-1, 2)
    height = np.full(len(flat), top_height_mm(geometry, 0))
    pixels = calibration.camera.project(np.column_stack([flat, height])).astype(np.float32)
    maps = fixed_maps(pixels.reshape(places.shape))
    return Band(maps, root_scale(_cut(calibration.empty, maps)))


def _cut(picture: Picture, maps: tuple[NDArray[np.int16], NDArray[np.uint16]]) -> Picture:
    flat = cv2.remap(picture, *maps, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(flat, dtype=np.uint8)
