"""Arms that reach over the board's border: a hand or a sleeve comes from outside, whatever else lies on the board.

The band around the board (rail, its outer edge, what the board stands on) is cut from the picture and held against the
empty board. What is opaque hides the edges and the grain that were there; through a shadow they still show, however
deep and of whatever tint it is.
"""

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from boardctl.rules import Seat
from boardctl.vision.points.columns import Picture, fixed_maps
from calibration import BoardGeometry, Calibration
from calibration.installation import INSTALLATIONS_KEPT

Floats = NDArray[np.float32]

STEP_MM = 4.0
"""From one sample of the band to the next."""

INNER_MM, OUTER_MM = 8.0, 76.0
"""The band, outwards from the field at the players' sides and from the outer wall of the trays at the others: its inner
edge is off the checkers and their lean, and it is twice as wide as a die, a cube or a checker."""

WINDOW = 7
"""Samples on a side of the windows in which the picture is compared: 28 mm, half of an arm's width."""

DARK = 16.0
"""Grey levels added before the logarithm, in which a shadow is a difference: it keeps noise in the dark small."""

LOG_OF_LEVEL = np.log(np.arange(256) + DARK).astype(np.float32)

CHANGED = 0.12
"""Mean change of a window (logarithm) that is seen."""

TEXTURED, LOST = 0.004, 0.4
"""Texture of a window (covariance of its logarithms) from which on it tells whether the window is covered: when less
than this share of it is still there. In a shadow of any depth and tint it stays; of carpet and wood a little is
enough."""

TINTED, BRIGHTER, DARKER = 0.2, 0.12, -1.1
"""Change in colour, and of brightness up and down, that no shadow makes: where there is no texture to tell by."""

EACH = np.ones((1, 3))
TINT = np.eye(3) - 1 / 3
"""Weights of the sum of the three channels, and of how much each is more than their mean."""

UNSTEADY = 0.25
"""Change between the two pictures of the calibration of what is not compared: things that were moved meanwhile."""

LEAST_AREA_MM2, LEAST_DEPTH_MM = 900.0, 40.0
"""Least of the band that an arm covers, and how far across it reaches: further than a cube, whose sides are 30 mm."""

LEAST_SHARE = 0.7
"""The same where the picture ends within the band, as a share of what is in it."""

JOINED_MM = 60.0
"""Parts of an arm that are this near to each other along the band are one: a sleeve's end, a bracelet, a fold."""


@dataclass(frozen=True)
class Arm:
    """Where an arm crosses the border, in millimetres of the board, and how wide it is there.

    ``entry``: the seat at whose long side that is; None at a short side.
    """

    x_mm: float
    y_mm: float
    width_mm: float
    entry: Seat | None


@dataclass(frozen=True)
class Border:
    """The band around one installation's board, from inside to outside (rows) and all the way round (columns)."""

    maps: tuple[NDArray[np.int16], NDArray[np.uint16]]
    places_mm: NDArray[np.float64]
    """x and y of each sample (rows x columns x 2)."""
    seen: NDArray[np.bool_]
    """Whether it is in the picture and has stood still."""
    empty: Floats
    """The empty board there (logarithms, 3 channels) and its mean in each window."""
    means: Floats
    texture: Floats
    """How much of its texture each window has in both pictures of the calibration: their covariance, all channels."""
    hidden_mm: NDArray[np.float64]
    """x and y of the inner edge where the picture does not show it (N x 2)."""


def border_places_mm(geometry: BoardGeometry) -> NDArray[np.float64]:
    """Gets x and y of the band's samples: along seat A's side, seat A's right, B's side and A's left."""
    half_height = geometry.field_height_mm / 2
    half_width = geometry.field_width_mm / 2 + geometry.rail_width_mm + geometry.tray_width_mm
    out = np.arange(INNER_MM, OUTER_MM, STEP_MM)[:, None]
    across, along = np.arange(-half_width, half_width, STEP_MM), np.arange(-half_height, half_height, STEP_MM)
    sides = [
        (across, -(half_height + out)),
        (half_width + out, along),
        (across[::-1], half_height + out),
        (-(half_width + out), along[::-1]),
    ]
    return np.concatenate([np.stack(np.broadcast_arrays(x, y), axis=-1) for x, y in sides], axis=1)


@lru_cache(maxsize=INSTALLATIONS_KEPT)
def border_of(calibration: Calibration) -> Border:
    """Gets the band of a calibration, made on first use."""
    camera = calibration.camera
    places = border_places_mm(calibration.geometry)
    flat = places.reshape(-1, 2)
    projected = camera.project(np.column_stack([flat, np.zeros(len(flat))]))
    pixels = np.asarray(projected, dtype=np.float32).reshape(places.shape)
    limits = np.array([camera.width_px - 1, camera.height_px - 1])
    inside = np.asarray(((pixels > 0) & (pixels < limits)).all(axis=2), dtype=np.bool_)
    maps = fixed_maps(pixels)
    empty, start = cut_logarithms(calibration.empty, maps), cut_logarithms(calibration.start, maps)
    steady = np.asarray(most_of_channels(start - empty) < UNSTEADY, dtype=np.bool_)
    means = mean_of_windows(empty)
    texture = of_channels(mean_of_windows(empty * start) - means * mean_of_windows(start), EACH)
    return Border(maps, places, inside & steady, empty, means, texture, places[0, ~inside[0]])


def arms_seen(picture: Picture, calibration: Calibration) -> tuple[Arm, ...]:
    """Gets the arms that cross the border in a picture (H x W x 3) in the light of the calibration."""
    border = border_of(calibration)
    shown = cut_logarithms(picture, border.maps)
    mean = mean_of_windows(shown)
    change = mean - border.means
    changed = (most_of_channels(change) > CHANGED) & border.seen
    if np.count_nonzero(changed) * STEP_MM**2 < LEAST_AREA_MM2:
        return ()
    opaque = changed & _lost(shown, mean, change, border)
    reach = round(JOINED_MM / STEP_MM)
    # The band closes: it is cut open where least is in it.
    in_column = np.asarray(opaque.any(axis=0), dtype=np.float32)[None]
    seam = int(np.argmin(np.asarray(cv2.blur(in_column, (2 * reach + 1, 1)))))
    turned = np.roll(opaque, -seam, axis=1)
    joined = cv2.morphologyEx(turned.astype(np.uint8), cv2.MORPH_CLOSE, np.ones((3, reach), np.uint8))
    parts, labels = cv2.connectedComponents(joined)
    arms = []
    for part in range(1, parts):
        rows, columns = np.nonzero((labels == part) & turned)
        columns = (columns + seam) % opaque.shape[1]
        over = np.unique(columns)
        large = len(rows) * STEP_MM**2 >= LEAST_AREA_MM2
        if large and _goes_through(changed[:, over], border.seen[:, over]):
            arms.append(_arm(border.places_mm[rows, columns], calibration.geometry))
    return tuple(arms)


def _goes_through(over: NDArray[np.bool_], seen: NDArray[np.bool_]) -> bool:
    """Whether what has changed (rows x columns) goes through the band, or as much of it as the picture shows."""
    reach = float(np.ptp(np.flatnonzero(over.any(axis=1)))) + 1
    return reach >= min(LEAST_DEPTH_MM / STEP_MM, LEAST_SHARE * float(np.median(seen.sum(axis=0))))


def _arm(places_mm: NDArray[np.float64], geometry: BoardGeometry) -> Arm:
    """Gets the arm that covers these samples of the band (N x 2, millimetres)."""
    x, y = (float(each) for each in places_mm.mean(axis=0))
    side = float(np.median(places_mm[:, 1]))
    beside = abs(side) < geometry.field_height_mm / 2 + INNER_MM
    return Arm(x, y, float(np.ptp(places_mm, axis=0).max()), None if beside else Seat.A if side < 0 else Seat.B)


def _lost(shown: Floats, mean: Floats, change: Floats, border: Border) -> NDArray[np.bool_]:
    """Gets where what was there on the empty board is covered, if anything has changed: ``shown`` is the band as
    :func:`cut_logarithms` gives it, ``mean`` its mean in each window, ``change`` how much that has changed."""
    together = of_channels(mean_of_windows(border.empty * shown) - border.means * mean, EACH)
    brightness = of_channels(change, EACH / 3)
    tint = most_of_channels(of_channels(change, TINT))
    unlike_shadow = (brightness > BRIGHTER) | (tint > TINTED) | (brightness < DARKER)
    lost = np.where(border.texture > TEXTURED, together < LOST * border.texture, unlike_shadow)
    return np.asarray(lost, dtype=np.bool_)


def of_channels(band: Floats, weights: NDArray[np.float64]) -> Floats:
    """Gets weighted sums of the channels (rows x columns x 3; ``weights``: sums x 3)."""
    return np.asarray(cv2.transform(band, weights), dtype=np.float32)


def most_of_channels(change: Floats) -> Floats:
    """Gets the most that any of the channels has changed (rows x columns)."""
    blue, green, red = cv2.split(np.abs(change))
    return np.asarray(np.maximum(np.maximum(blue, green), red), dtype=np.float32)


def cut_logarithms(picture: Picture, maps: tuple[NDArray[np.int16], NDArray[np.uint16]]) -> Floats:
    """Gets samples from a picture as logarithms (rows x columns x 3)."""
    levels = cv2.remap(picture, *maps, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(cv2.LUT(levels, LOG_OF_LEVEL), dtype=np.float32)


def mean_of_windows(band: Floats, window: int = WINDOW) -> Floats:
    """Gets the mean of the window around each sample, so many samples on a side."""
    return np.asarray(cv2.blur(band, (window, window), borderType=cv2.BORDER_REPLICATE), dtype=np.float32)
