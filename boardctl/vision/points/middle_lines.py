"""Whether a hand lies over bare points: whether their middle lines still look as on the empty board, base to tip.

The network tells of hands slot by slot, from strips that are wider than a point; whether what reaches in from the side
lies over the point it does not tell. So where there is a hand the field is cut from the picture and held against the
empty board, as the band around it is (:mod:`boardctl.vision.points.border`): what is opaque hides the edges and
the grain that were there, and has another tint or is lighter; through a shadow they still show.
"""

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from boardctl.vision.points.border import (
    EACH,
    STEP_MM,
    TINT,
    Floats,
    cut_logarithms,
    mean_of_windows,
    most_of_channels,
    of_channels,
)
from boardctl.vision.points.columns import CHECKER_PX, POINTS, Picture, fixed_maps, mm_per_px
from calibration import BoardGeometry, Calibration
from calibration.installation import INSTALLATIONS_KEPT

MARGIN_MM = 8.0
"""The field is cut with so much around it."""

SPOTS = 6
"""Spots along the middle line of a point, evenly from base to tip, none of which a hand may cover if it is to be seen:
so what is hidden is told in the truth of the pictures by which the eyes are measured."""

TIP_UNSEEN = 0.02
"""A point is so much longer (share) than it is found to be: its tip is thinner than a pixel."""

OWN_SLOTS = 5
"""Slots from the edge to the tip."""

COLOUR_WINDOW = 3
"""Cells on a side of the windows in which colours are compared: 12 mm, less than a finger."""

TINTED, LIGHTER, DARKER, MUCH_DARKER = 0.15, 0.12, 0.3, 0.55
"""Changes of tint and brightness (logarithm) that say something; beyond the last one no common shadow goes."""

LEAST_TEXTURE = 1e-3
"""Grain of a window (standard deviation of logarithms) below which it tells nothing."""

SAYS = np.array([4.4, 3.2, 1.0, 2.7, -3.9])
SAYS_FIRST = -3.2
"""What tint, more light, less light, much less light and grain that is still there say for something opaque, as
logarithms of odds, and what is said before looking. Fitted by logistic regression to 6,400 spots of bare points beside
hands on 100 drawn installations, and 850 of eleven rendered ones, which counted eightfold."""

OPAQUE = -1.2
LEAST_CELLS = 100
"""A hand covers so many cells (1,600 square millimetres) beside each other of which that is at least this likely; two
dice of 20 mm cover 50."""

NOTHING_THERE = -6.0
"""What is said of smaller things, and of what is elsewhere."""


@dataclass(frozen=True)
class Field:
    """One installation's field, cut in cells, the empty board there, and where the middle lines of the points lie."""

    maps: tuple[NDArray[np.int16], NDArray[np.uint16]]
    first_mm: NDArray[np.float64]
    """x and y of the first cell."""
    empty: Floats
    """Logarithms (rows x columns x 3), their mean in each window for colours and for grain, and their variance."""
    colours: Floats
    means: Floats
    grain: Floats
    spots: tuple[NDArray[np.intp], NDArray[np.intp]]
    """Rows and columns of the spots (24 x 6)."""
    slots: NDArray[np.intp]
    """The slot of each spot (6)."""


@lru_cache(maxsize=INSTALLATIONS_KEPT)
def field_of(calibration: Calibration) -> Field:
    """Gets the field of a calibration, made on first use."""
    geometry, camera = calibration.geometry, calibration.camera
    half_width = geometry.field_width_mm / 2 + MARGIN_MM
    half_height = geometry.field_height_mm / 2 + MARGIN_MM
    across, along = np.arange(-half_width, half_width, STEP_MM), np.arange(-half_height, half_height, STEP_MM)
    places = np.stack(np.meshgrid(across, along), axis=-1)
    flat = places.reshape(-1, 2)
    pixels = np.asarray(camera.project(np.column_stack([flat, np.zeros(len(flat))])), dtype=np.float32)
    maps = fixed_maps(pixels.reshape(places.shape))
    empty = cut_logarithms(calibration.empty, maps)
    means = mean_of_windows(empty)
    spots = _cells(_spots_mm(geometry), places[0, 0], (len(across), len(along)))
    shares = (np.arange(SPOTS) + 0.5) / SPOTS
    slot_mm = CHECKER_PX * mm_per_px(geometry)
    slots = (shares * geometry.point_length_mm / slot_mm).astype(np.intp)
    return Field(
        maps,
        places[0, 0],
        empty,
        mean_of_windows(empty, COLOUR_WINDOW),
        means,
        _variance(empty, means),
        (spots[..., 1], spots[..., 0]),
        np.minimum(slots, OWN_SLOTS - 1),
    )


def lines_covered(
    picture: Picture, calibration: Calibration, beside: NDArray[np.bool_], over_mm: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Gets how likely a hand lies over the middle line of each point, in each of its slots from the edge to the tip
    (24 x 5, logarithms of odds), if the point is bare: of checkers this tells nothing.

    ``beside`` (24): the points beside which it is known that something large lies. Over the others lies only what is
    in one piece with what is seen at places ``over_mm`` (x and y, N x 2).
    """
    field = field_of(calibration)
    said = _opaque(cut_logarithms(picture, field.maps), field)
    _, labels, parts, _ = cv2.connectedComponentsWithStats((said > OPAQUE).astype(np.uint8), connectivity=4)
    small = parts[:, cv2.CC_STAT_AREA] < LEAST_CELLS
    columns, rows = _cells(over_mm, field.first_mm, (labels.shape[1], labels.shape[0])).T
    known = np.zeros_like(small)
    known[labels[rows, columns]] = True
    piece = labels[field.spots]
    elsewhere = small[piece] | ~(beside[:, None] | known[piece])
    of_spots = np.where(elsewhere, NOTHING_THERE, said[field.spots])
    of_slots = np.full((POINTS, OWN_SLOTS), NOTHING_THERE)
    for spot, slot in enumerate(field.slots.tolist()):
        of_slots[:, slot] = np.maximum(of_slots[:, slot], of_spots[:, spot])
    return of_slots


def _cells(places_mm: NDArray[np.float64], first_mm: NDArray[np.float64], shape: tuple[int, int]) -> NDArray[np.intp]:
    """Gets column and row (... x 2) of the cells at some places (... x 2), of so many columns and rows."""
    nearest = np.rint((places_mm - first_mm) / STEP_MM).astype(np.intp)
    return np.clip(nearest, 0, np.array(shape) - 1)


def _spots_mm(geometry: BoardGeometry) -> NDArray[np.float64]:
    """Gets x and y of the spots on the middle line of each point (24 x 6 x 2)."""
    shares = ((np.arange(SPOTS) + 0.5) / SPOTS * (1 + TIP_UNSEEN))[:, None]
    lines = []
    for number in range(1, POINTS + 1):
        left, right, tip = (np.array(corner) for corner in geometry.point_triangle(number))
        base = (left + right) / 2
        lines.append(base + (tip - base) * shares)
    return np.stack(lines)


def _opaque(shown: Floats, field: Field) -> Floats:
    """Gets how likely something opaque lies in each cell (rows x columns, logarithms of odds)."""
    change = mean_of_windows(shown, COLOUR_WINDOW) - field.colours
    light, tint = of_channels(change, EACH / 3), most_of_channels(of_channels(change, TINT))
    means = mean_of_windows(shown)
    together = of_channels(mean_of_windows(field.empty * shown) - field.means * means, EACH)
    grain = np.sqrt(np.maximum(field.grain * _variance(shown, means), 0.0) + LEAST_TEXTURE**2)
    said = np.full(light.shape, SAYS_FIRST, dtype=np.float32)
    signs = (
        np.tanh(tint / TINTED),
        np.tanh(np.maximum(light, 0) / LIGHTER),
        np.tanh(np.maximum(-light, 0) / DARKER),
        np.tanh(np.maximum(-light - MUCH_DARKER, 0) / DARKER),
        np.clip(together / grain, -1, 1),
    )
    for weight, sign in zip(SAYS.tolist(), signs, strict=True):
        said += weight * sign
    return said


def _variance(cells: Floats, means: Floats) -> Floats:
    """Gets how much the cells of each window vary, all channels together."""
    return of_channels(mean_of_windows(cells * cells) - means * means, EACH)
