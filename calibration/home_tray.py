"""Whether a board has a tray at its home side, by the picture of the empty board.

What lies beyond the rail of a board without trays is the table. Where there is a tray, its outer rail runs along it,
and is seen as an edge there in most parts of its length, wherever exactly it lies: trays are of many widths. So is the
edge of a mat on which the board lies, but that runs along the far and the near side as well; so is a stripe of the
table, but that goes on beyond the board's ends; and a shadow that ends softly is no edge by itself.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
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

NARROW_FROM, FLOOR_WIDTH, AS_PLAIN = 1.15, (0.95, 1.2), 0.66
"""Where all rails are narrow, a tray's outer one may lie as near as the first, in checkers: as a broad rail of a board
without trays ends. It is told by the other side of the floor, between so many checkers nearer to the field, where the
colours change back from those of a rail by at least so much of what they change here. Of boards with such rails those
with trays had 0.87 and more, of those without 0.44 at most (``drawn_installation`` of 81001 and 82001, 40 each)."""

FLOOR_FROM, UNEVEN, UNEVEN_SPOTS = 1.0, 0.5, (0.2, 0.8)
"""From so many checkers on the floor of a tray differs less along it, between these shares of a part's spots, than so
much of what its outer rail differs from it: tiles and checked cloths do not."""

NEAREST, BEYOND, AS_FAR = 0.1, 0.5, 0.6
"""The side is looked at from so many checkers on, to so many beyond the farthest tray. Where from the floor's beginning
on one edge alone is seen at the home side, and one nearly as far from the field, by less than the last, at the far side
and at the near side, it is that of a mat. Of 30 boards drawn with trays on all kinds of tables each shows two edges at
the home side and more, those of its outer rail; of mats, drawn without, the edges lie up to 0.5 apart."""

ENDS, UNLIKE, NEAR, ENOUGH_PARTS = (1.4, 3.0), 0.03, 0.15, 3
"""A tray ends with its board. What changes between so many checkers beyond the far and the near side as it does beside
the field, no farther aside than the third, in checkers, is a stripe or a joint of the table: in most parts of each end
of which at least so many are in the picture, the two changes differ by less than so much of the first (squares). It is
0.02 at most at stripes and planks of three tables (81001-14 and -19, 83001-08), and was 0.04 at the rail of a tray at
which a stripe happened to end (83001-08 with trays)."""


@dataclass(frozen=True)
class _Edges:
    """What is seen along a side of the field: ``away``, how far from it (in checkers), by how much its colours change
    there (parts of the side x distances x 3; none where it is not ``shown``), an edge there, as strong as it is seen
    in most parts of the side (``seen``), and how ``uneven`` what lies before it is along it (all root scale)."""

    away: Floats
    changes: Floats
    shown: NDArray[np.bool_]
    seen: Floats
    uneven: Floats

    @property
    def are_edges(self) -> NDArray[np.bool_]:
        """At which distances edges lie: the strongest near by, each alone. What still differs beside one, as the shadow
        does that ends softly beyond a broad rail, is none."""
        near = round(ACROSS / STEP)
        strongest_near = np.array([self.seen[max(at - near, 0) : at + near + 1].max() for at in range(len(self.seen))])
        are_edges: NDArray[np.bool_] = (self.seen >= EDGE_SEEN) & (self.seen == strongest_near)
        return are_edges & (self.away > FLOOR_FROM)

    @property
    def places(self) -> list[float]:
        """How far from the field edges lie."""
        return [float(each) for each in self.away[self.are_edges]]


def has_home_tray(empty: Picture, camera: CameraModel, geometry: BoardGeometry) -> bool:
    """Whether there is a tray at the home side of a board, by the picture of it empty (H x W x 3). What is not in the
    picture shows none."""
    soft = cv2.GaussianBlur(root_scale(empty), (0, 0), 1.0)
    half_x, half_y = geometry.field_width_mm / 2, geometry.field_height_mm / 2
    home = 1.0 if geometry.home_on_right else -1.0
    beside = _edges(soft, camera, geometry, lambda away, along: (home * (half_x + away), along * half_y))
    from_y, to_y = (half_y + end * geometry.checker_diameter_mm for end in ENDS)

    def at_end(away: Floats, along: Floats, side: float) -> tuple[Floats, Floats]:
        return home * (half_x + away), side * (from_y + (to_y - from_y) * (along / ALONG + 1) / 2)

    ends = [_edges(soft, camera, geometry, partial(at_end, side=side)) for side in (-1.0, 1.0)]
    may_be_rail = beside.are_edges & (beside.away <= TO) & (beside.uneven < UNEVEN * beside.seen)
    may_be_rail &= ~_goes_on(beside, ends)
    may_be_near = may_be_rail & (beside.away >= NARROW_FROM) & (beside.away < FROM)
    if any(_ends_a_floor(beside, int(at)) for at in np.flatnonzero(may_be_near)):
        return True
    if not (may_be_rail & (beside.away >= FROM)).any():
        return False
    if len(beside.places) != 1:
        return True
    for side in (-1.0, 1.0):
        beyond = _edges(soft, camera, geometry, lambda away, along, side=side: (along * half_x, side * (half_y + away)))
        if all(abs(place - beside.places[0]) >= AS_FAR for place in beyond.places):
            return True
    return False


def _goes_on(beside: _Edges, ends: Sequence[_Edges]) -> NDArray[np.bool_]:
    """At which distances what changes beside the field changes alike beyond its ends, those of them that are seen."""
    differ = np.stack([_differ(beside, end) for end in ends])
    seen = np.isfinite(differ)
    return np.asarray(seen.any(axis=0) & ~(seen & (differ > UNLIKE)).any(axis=0), dtype=np.bool_)


def _differ(beside: _Edges, end: _Edges) -> Floats:
    """Gets by how much what changes beside the field, at each distance, changes otherwise beyond an end of it, as a
    share of what changes (squares); infinite where too little of that end is in the picture to tell."""
    change = np.median(beside.changes, axis=0)
    near = round(NEAR / STEP)
    windows = [np.pad(each, ((0, 0), (near, near))) for each in (*np.moveaxis(end.changes, -1, 0), end.shown)]
    *changes, shown = (np.lib.stride_tricks.sliding_window_view(each, 2 * near + 1, axis=1) for each in windows)
    unlike = ((np.stack(changes, axis=-2) - change[..., np.newaxis]) ** 2).sum(axis=-2)
    nearest = np.sort(np.where(shown, unlike, np.inf).min(axis=-1), axis=0)
    parts_shown = np.isfinite(nearest).sum(axis=0)
    middle = np.take_along_axis(nearest, parts_shown[np.newaxis] // 2, axis=0)[0]
    share = middle / np.maximum((change**2).sum(axis=-1), np.finfo(np.float32).tiny)
    return np.where(parts_shown >= ENOUGH_PARTS, share, np.inf)


def _ends_a_floor(beside: _Edges, at: int) -> bool:
    """Whether colours change at an edge as they change back at the other side of a narrow tray's floor."""
    widths = beside.away[at] - beside.away
    may_begin = (widths >= FLOOR_WIDTH[0]) & (widths <= FLOOR_WIDTH[1])
    begins, ends = beside.changes[:, may_begin], beside.changes[:, at : at + 1]
    larger = np.maximum((begins**2).sum(axis=-1), (ends**2).sum(axis=-1))
    back = -(begins * ends).sum(axis=-1) / np.maximum(larger, np.finfo(np.float32).tiny)
    return bool(np.quantile(back, PARTS_WITHOUT, axis=0).max(initial=0.0) >= AS_PLAIN)


def _edges(
    soft: Sampled, camera: CameraModel, geometry: BoardGeometry, at: Callable[..., tuple[Floats, Floats]]
) -> _Edges:
    """Gets the edges along a side of the field in a picture (H x W x 3, root scale); ``at`` gets the spots (x and y, in
    mm) that are so far away from it, in mm, and in such parts of half its length along it."""
    away, along = np.arange(NEAREST, TO + BEYOND, STEP), np.linspace(-ALONG, ALONG, PARTS * SPOTS_A_PART)
    x, y = at(*np.meshgrid(away * geometry.checker_diameter_mm, along))
    seen_at = camera.project(np.stack([x, y, np.zeros_like(x)], axis=-1).reshape(-1, 3)).reshape(*x.shape, 2)
    right, down = (np.ascontiguousarray(axis) for axis in np.moveaxis(seen_at.astype(np.float32), -1, 0))
    inside = (right >= 0) & (down >= 0) & (right <= camera.width_px - 1) & (down <= camera.height_px - 1)
    shown = cv2.remap(soft, right, down, cv2.INTER_LINEAR)
    spots = shown.reshape(PARTS, SPOTS_A_PART, *shown.shape[1:])
    parts = np.median(spots, axis=1)
    in_picture = np.asarray(inside.reshape(PARTS, SPOTS_A_PART, -1).all(axis=1), dtype=np.bool_)
    apart = round(ACROSS / STEP)
    changes = parts[:, apart:] - parts[:, :-apart]
    both_shown = in_picture[:, apart:] & in_picture[:, :-apart]
    changes[~both_shown] = 0.0
    seen = np.quantile(strongest(np.abs(changes)), PARTS_WITHOUT, axis=0)
    few, most = np.quantile(spots, UNEVEN_SPOTS, axis=1)
    spread = np.median(strongest(most - few), axis=0)[: len(seen)]
    floor = away[: len(seen)] >= FLOOR_FROM
    uneven = np.cumsum(spread * floor) / np.maximum(np.cumsum(floor), 1)
    return _Edges(away[: len(seen)] + ACROSS / 2, changes, both_shown, seen, uneven)
