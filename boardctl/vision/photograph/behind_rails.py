"""What of the points lies behind a rail or the bar, from where the camera is.

What stands at an edge of the points hides a stripe along it that is as wide everywhere, by the place of the camera and
by how high it is. That nobody says, but where the stripe ends nearly all that is seen changes at once.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from boardctl.vision.photograph.point_strips import PointStrips, seen_at
from calibration.channels import strongest
from calibration.difference import DARK_OFFSET
from calibration.field.edges import HIGHEST_RAIL

Picture = NDArray[np.uint8]
Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]

LEAST_HIDDEN_PX = 2.0
"""Narrower stripes are left: the blur of a picture is as wide."""

AT_ONCE, PLAIN = 30, 0.08
"""Where a stripe ends, all but so many in a hundred places along the edge change by at least so much (logarithm)."""

AROUND_PX = 4
"""A stripe's end is looked for in what is seen from so far outside the edge to so far beyond the widest stripe."""

BLURS_PX = (1.5, 0.6)
"""How much that is blurred, along the edge and across it."""

BESIDE_CUBE = 1.0
"""The cube may stand on the bar, so many widths of points to either side of its middle."""

UNSURE_PX = 1.0
"""A stripe is told to so much, and the more so as its end is blurred."""


@dataclass(frozen=True)
class BehindRails:
    """Pixels of the points' strips (each 24 x length x width) that ``may`` show a rail or the bar instead, and those
    that ``surely`` do."""

    may: Mask
    surely: Mask


@dataclass(frozen=True)
class _Edge:
    """An edge of points at which something stands between them and the camera.

    ``depths_px`` (24 x length x width): how far from the edge the strips' pixels lie, in pixels of theirs, infinitely
    where they lie beyond the bar; ``places_mm`` (N x 2): places along the edge; ``inwards`` (2): where points lie from
    there; ``most_px``: the widest stripe that may be hidden.
    """

    depths_px: Floats
    places_mm: Floats
    inwards: tuple[float, float]
    most_px: float


def behind_rails(picture: Picture, strips: PointStrips) -> BehindRails:
    """Gets what rails and bar hide of the points in a photograph (H x W x 3)."""
    may, surely = (np.zeros(strips.places_mm.shape[:3], dtype=np.bool_) for _ in range(2))
    for edge in _edges(strips):
        stripe_px = _stripe_px(picture, strips, edge) if edge.most_px >= LEAST_HIDDEN_PX else None
        if stripe_px is not None:
            may |= edge.depths_px < stripe_px + UNSURE_PX
            surely |= edge.depths_px < stripe_px - UNSURE_PX
    return BehindRails(may, surely)


def _edges(strips: PointStrips) -> Iterator[_Edge]:
    """Gets the edges of the field, and of the points at the bar, on both sides of each: at one that the camera looks at
    from within, nothing is hidden."""
    geometry, pixel_mm = strips.geometry, strips.pixel_mm
    x, y = np.moveaxis(strips.places_mm, -1, 0)
    eye_x, eye_y, eye_z = strips.camera.position_mm
    half_width, half_height, half_bar = (
        size / 2 for size in (geometry.field_width_mm, geometry.field_height_mm, geometry.bar_width_mm)
    )
    across, along = np.arange(-half_width, half_width, pixel_mm), np.arange(-half_height, half_height, pixel_mm)
    across = across[np.abs(across) > half_bar]
    beside_cube = along[np.abs(along) > BESIDE_CUBE * geometry.point_width_mm]
    reach = HIGHEST_RAIL * geometry.point_width_mm / eye_z / pixel_mm
    for side in (-1.0, 1.0):
        places = np.column_stack([across, np.full(len(across), side * half_height)])
        yield _Edge((half_height - side * y) / pixel_mm, places, (0.0, -side), reach * (side * eye_y - half_height))
        places = np.column_stack([np.full(len(along), side * half_width), along])
        yield _Edge((half_width - side * x) / pixel_mm, places, (-side, 0.0), reach * (side * eye_x - half_width))
        places = np.column_stack([np.full(len(beside_cube), side * half_bar), beside_cube])
        depths_px = np.where(side * x > 0, side * x - half_bar, np.inf) / pixel_mm
        yield _Edge(depths_px, places, (side, 0.0), reach * (half_bar - side * eye_x))


def _stripe_px(picture: Picture, strips: PointStrips, edge: _Edge) -> float | None:
    """Gets how wide the stripe is that is hidden along an edge, in pixels of strips; None where none ends plainly."""
    depths_px = np.arange(-AROUND_PX, int(np.ceil(edge.most_px)) + AROUND_PX + 1)
    places = edge.places_mm + depths_px[:, None, None] * strips.pixel_mm * np.array(edge.inwards)
    seen = seen_at(picture, strips.camera, places)
    levels = cv2.GaussianBlur(np.log(seen + DARK_OFFSET), (0, 0), sigmaX=BLURS_PX[0], sigmaY=BLURS_PX[1])
    change = np.percentile(strongest(np.abs(levels[2:] - levels[:-2])), AT_ONCE, axis=1)
    middles_px = depths_px[1:-1]
    change[(middles_px < 1) | (middles_px > edge.most_px)] = 0.0
    best = int(change.argmax())
    return float(middles_px[best]) if change[best] > PLAIN else None
