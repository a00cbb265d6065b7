"""Whether a board has a tray at its home side, by the picture of the empty board.

What lies beyond the rail of a board without trays is the table. Where there is a tray, its outer rail runs along it,
and is seen as an edge there in most parts of its length, wherever exactly it lies: trays are of many widths.
"""

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import CameraModel
from calibration.channels import strongest
from calibration.difference import root_scale
from calibration.geometry import BoardGeometry

Picture = NDArray[np.uint8]

FROM, TO, STEP = 1.4, 3.2, 0.05
"""Between which distances from the field's side a tray's outer rail is looked for, and in what steps: all in checkers.
Rails and trays of 266 calibrated boards, of all sets here, lie so."""

ACROSS = 0.2
"""An edge is told by what differs so many checkers apart."""

PARTS, SPOTS_A_PART, ALONG = 8, 12, 0.9
"""In so many parts of the side the colours of so many spots each are compared; up to such a share of its length."""

PARTS_WITHOUT = 0.25
"""In so many parts of the side the edge may not be seen: something stands there."""

EDGE_SEEN = 0.85
"""Difference (root scale) from which on there is an edge. Of 266 boards with trays (drawn, printed, traced, and the
renders that networks learned from) the least had 1.08, of 51 drawn without trays four had more, 1.19 at most: where
the board's own shadow has a hard edge on the table."""

FLOOR_FROM, UNEVEN, UNEVEN_SPOTS = 1.0, 0.5, (0.2, 0.8)
"""From so many checkers on the floor of a tray differs less along it, between these shares of a part's spots, than so
much of what its outer rail differs from it. Of boards drawn without trays that were taken to have some, all on tiles
and most on checked cloths do not; of those with trays on all kinds of tables none is lost."""


def has_home_tray(empty: Picture, camera: CameraModel, geometry: BoardGeometry) -> bool:
    """Whether there is a tray at the home side of a board, by the picture of it empty (H x W x 3). What is not in the
    picture shows none."""
    away = np.arange(FLOOR_FROM, TO + ACROSS / 2, STEP)
    side = 1.0 if geometry.home_on_right else -1.0
    along = np.linspace(-ALONG, ALONG, PARTS * SPOTS_A_PART) * geometry.field_height_mm / 2
    x, y = np.meshgrid(side * (geometry.field_width_mm / 2 + away * geometry.checker_diameter_mm), along)
    at = camera.project(np.stack([x, y, np.zeros_like(x)], axis=-1).reshape(-1, 3)).reshape(*x.shape, 2)
    right, down = (np.ascontiguousarray(axis) for axis in np.moveaxis(at.astype(np.float32), -1, 0))
    inside = (right >= 0) & (down >= 0) & (right <= camera.width_px - 1) & (down <= camera.height_px - 1)
    soft = cv2.GaussianBlur(root_scale(empty), (0, 0), 1.0)
    shown = cv2.remap(soft, right, down, cv2.INTER_LINEAR)
    spots = shown.reshape(PARTS, SPOTS_A_PART, *shown.shape[1:])
    parts = np.median(spots, axis=1)
    in_picture = np.asarray(inside.reshape(PARTS, SPOTS_A_PART, -1).all(axis=1), dtype=np.bool_)
    apart = round(ACROSS / STEP)
    edges = strongest(np.abs(parts[:, apart:] - parts[:, :-apart]))
    edges[~(in_picture[:, apart:] & in_picture[:, :-apart])] = 0.0
    seen = np.quantile(edges, PARTS_WITHOUT, axis=0)
    few, most = np.quantile(spots, UNEVEN_SPOTS, axis=1)
    spread = np.median(strongest(most - few), axis=0)[: len(seen)]
    uneven = np.cumsum(spread) / np.arange(1, len(spread) + 1)
    may_be_rail = (away[: len(seen)] >= FROM - ACROSS / 2) & (uneven < UNEVEN * seen)
    return bool(seen[may_be_rail].max(initial=0.0) >= EDGE_SEEN)
