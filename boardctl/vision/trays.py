"""Whether the trays are empty. How many checkers stand in one is not read: on edge they are ten pixels apart or fewer,
and a high rail hides some; what was borne off follows from what is on the board."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from boardctl.referee.readings import PlaceReading, StackChance
from boardctl.rules import Seat, tray
from boardctl.vision.column_input import changed_strips
from boardctl.vision.columns import CHECKER_PX, STRIP_LENGTH, STRIP_WIDTH, Cutter, Picture, cutter
from calibration import BoardGeometry, Calibration
from calibration.landmarks import TOUCHING

TRAY_MIDDLE = 0.85
"""From the field's edge to the middle of a tray, in checkers: half a checker, a wall, and some play."""

DIVIDER = 0.9
"""Half the part between the two trays of a side that is not looked at, in checkers: a cube may lie on it."""

EMPTY = (StackChance((), 0.999),)


@dataclass(frozen=True)
class ReferenceTrays:
    """Strips of both trays, and what they show on the empty board (2 x length x width x 3)."""

    cutter: Cutter
    empty: NDArray[np.uint8]
    rows: int
    """Rows of a strip that lie over the tray."""


def tray_places_mm(geometry: BoardGeometry, seat: Seat) -> NDArray[np.float64]:
    """Gets x and y (length x width x 2) of the pixels of a tray's strip: row 0 at the seat's edge of the board."""
    mm_per_px = geometry.checker_diameter_mm * TOUCHING / CHECKER_PX
    outwards = 1.0 if geometry.home_on_right else -1.0
    inwards = 1.0 if seat is Seat.A else -1.0
    middle = geometry.field_width_mm / 2 + TRAY_MIDDLE * geometry.checker_diameter_mm
    across = outwards * (middle + (np.arange(STRIP_WIDTH) - (STRIP_WIDTH - 1) / 2) * mm_per_px)
    along = inwards * ((np.arange(STRIP_LENGTH) + 0.5) * mm_per_px - geometry.field_height_mm / 2)
    return np.stack(np.broadcast_arrays(across[None, :], along[:, None]), axis=-1)


@lru_cache(maxsize=8)
def reference_trays(calibration: Calibration) -> ReferenceTrays:
    """Gets the reference of a calibration's trays, made on first use."""
    geometry = calibration.geometry
    diameter = geometry.checker_diameter_mm
    tool = cutter(calibration.camera, [(tray_places_mm(geometry, seat), diameter / 2) for seat in (Seat.A, Seat.B)])
    long_px = (geometry.field_height_mm / 2 / diameter - DIVIDER) / TOUCHING * CHECKER_PX
    rows = min(STRIP_LENGTH, int(long_px) // 8 * 8)
    return ReferenceTrays(tool, tool.cut(calibration.empty)[:, :rows], rows)


def read_trays(picture: Picture, calibration: Calibration) -> tuple[PlaceReading, ...]:
    """Gets a reading of both seats' trays: empty, or something is there that is not counted."""
    reference = reference_trays(calibration)
    strips = reference.cutter.cut(picture)[:, : reference.rows]
    changed = set(changed_strips(np.ascontiguousarray(strips), np.ascontiguousarray(reference.empty)).tolist())
    return tuple(
        PlaceReading(tray(seat), () if which in changed else EMPTY, hidden=which in changed)
        for which, seat in enumerate((Seat.A, Seat.B))
    )
