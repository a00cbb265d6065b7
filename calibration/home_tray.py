"""Whether a board has a tray at its home side, by the picture of the empty board.

What lies beyond the rail of a board without trays is the table. Where there is a tray, its outer rail runs along it,
and is seen as an edge there in most parts of its length, wherever exactly it lies: trays are of many widths. So is the
edge of a mat on which the board lies, but that goes on beyond the far and the near side.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import CameraModel
from calibration.channels import strongest
from calibration.difference import root_scale
from calibration.geometry import BoardGeometry

Picture = NDArray[np.uint8]
Floats = NDArray[np.floating[Any]]
Sampled = NDArray[Any]

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
much of what its outer rail differs from it: tiles and checked cloths do not."""

BEFORE, BEYOND, AS_FAR = 0.2, 0.5, 0.6
"""Where between the floor's beginning and so many checkers beyond the farthest tray (edges before it are seen so far)
one edge alone is seen at the home side, and one nearly as far from the field, by less than the last, at the far side
and at the near side, it is that of a mat. Of 30 boards drawn with trays on all kinds of tables each shows two edges at
the home side and more, those of its outer rail; of mats, drawn without, the edges lie up to 0.5 apart."""


@dataclass(frozen=True)
class _Edges:
    """What is seen along a side of the field: ``away``, how far from it (in checkers), an edge there, as strong as it
    is ``seen`` in most parts of the side, and how ``uneven`` what lies before it is along it (both root scale)."""

    away: Floats
    seen: Floats
    uneven: Floats

    @property
    def places(self) -> list[float]:
        """How far from the field edges lie that are the strongest near by."""
        near = round(ACROSS / STEP)
        strongest_near = np.array([self.seen[max(at - near, 0) : at + near + 1].max() for at in range(len(self.seen))])
        are_edges = (self.seen >= EDGE_SEEN) & (self.seen == strongest_near) & (self.away > FLOOR_FROM)
        return [float(each) for each in self.away[are_edges]]


def has_home_tray(empty: Picture, camera: CameraModel, geometry: BoardGeometry) -> bool:
    """Whether there is a tray at the home side of a board, by the picture of it empty (H x W x 3). What is not in the
    picture shows none."""
    soft = cv2.GaussianBlur(root_scale(empty), (0, 0), 1.0)
    half_x, half_y = geometry.field_width_mm / 2, geometry.field_height_mm / 2
    home = 1.0 if geometry.home_on_right else -1.0
    beside = _edges(soft, camera, geometry, lambda away, along: (home * (half_x + away), along * half_y))
    may_be_rail = (beside.away >= FROM) & (beside.away <= TO) & (beside.uneven < UNEVEN * beside.seen)
    if beside.seen[may_be_rail].max(initial=0.0) < EDGE_SEEN:
        return False
    if len(beside.places) != 1:
        return True
    for side in (-1.0, 1.0):
        beyond = _edges(soft, camera, geometry, lambda away, along, side=side: (along * half_x, side * (half_y + away)))
        if all(abs(place - beside.places[0]) >= AS_FAR for place in beyond.places):
            return True
    return False


def _edges(
    soft: Sampled, camera: CameraModel, geometry: BoardGeometry, at: Callable[..., tuple[Floats, Floats]]
) -> _Edges:
    """Gets the edges along a side of the field in a picture (H x W x 3, root scale); ``at`` gets the spots (x and y, in
    mm) that are so far away from it, in mm, and in such parts of half its length along it."""
    away, along = np.arange(FLOOR_FROM - BEFORE, TO + BEYOND, STEP), np.linspace(-ALONG, ALONG, PARTS * SPOTS_A_PART)
    x, y = at(*np.meshgrid(away * geometry.checker_diameter_mm, along))
    seen_at = camera.project(np.stack([x, y, np.zeros_like(x)], axis=-1).reshape(-1, 3)).reshape(*x.shape, 2)
    right, down = (np.ascontiguousarray(axis) for axis in np.moveaxis(seen_at.astype(np.float32), -1, 0))
    inside = (right >= 0) & (down >= 0) & (right <= camera.width_px - 1) & (down <= camera.height_px - 1)
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
    floor = away[: len(seen)] >= FLOOR_FROM
    uneven = np.cumsum(spread * floor) / np.maximum(np.cumsum(floor), 1)
    return _Edges(away[: len(seen)] + ACROSS / 2, seen, uneven)
