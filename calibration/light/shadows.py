"""Shadows that lie over a part of the board and did not when it was calibrated: of somebody who leans over it, say.

In a shadow a light checker is as dark as a dark one beside it, and the light of the whole picture tells nothing of it.
So a picture is compared with the empty board, cell by cell: first where no checker ever lies (around the board, on its
rails, and what of the field lies before no row), which tells roughly how much light is left, and where; then wherever
else a cell looks as it would in that light, in smaller and smaller neighbourhoods. What covers the board is not
explained by any light, and stays as it is. Where light differs by little all is left as it was taken.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property, lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.difference import at_every_pixel, halve
from calibration.drift import View, view_of
from calibration.geometry import BoardGeometry
from calibration.installation import INSTALLATIONS_KEPT, Calibration

Picture = NDArray[np.uint8]
Floats = NDArray[np.float32]

CELL_MM = 8.0
"""A fifth of a checker: shadows have softer edges."""
AROUND = 1.8
"""Light is told so far around the board, in checkers: there it is seen whether the camera has moved, and arms come."""
LONGEST_ROW = 5.2
"""Rows of checkers end so far from the edge, in checkers; what the rest of the field holds is seldom anything."""

OFFSET_LEVELS = 3.0
"""Grey levels added before the logarithm. A cell is the mean of many pixels, with less noise than single ones; the more
is added, the less deep a shadow on what is dark seems to be beside one on what is light."""
GREY, NOISE_LEVELS = 0.15, 3.0
"""A shadow takes as much of all channels: by no more may the change of a cell (logarithm) differ between them, but by
what so many levels of noise make of its faintest one."""
DARKEST, LIGHTEST = -1.3, 0.5
"""Change of light (logarithm) beyond which it is none: a shadow leaves the light of the room. Where the usual cell lies
in a shadow, what lies in none is lighter than it by as much as that shadow takes."""

UNEVEN, SUSPECTED = 0.15, 0.05
"""Change of light (logarithm) between one part of the rails and another from which a shadow lies there; and from which
one is looked for where the picture cannot be read as it was taken."""
PARTS = (7.0, 93.0)
"""These parts: percentiles. A hand, an arm and their own shadow cover fewer of the rails."""
UNSURE_LEVELS = 5.0
"""A cell of so many grey levels counts half there: noise alone makes dark rails uneven."""
CUT_OFF = 250.0
"""Level from which a channel's light is cut off: the highest, less what noise makes of it."""
FAINT_CHANNEL = 0.35
"""A channel with less than this share of the level of the cell's lightest one tells little of light."""
BRIGHTEST = 98.0
"""Where light is brightest: this percentile of it."""
EXPLAINED = 0.6
"""Share of the cells that hold no checkers that the light that is found must explain, or it is none."""

FIRST_MM = 90.0
NEARER = ((60.0, 0.2), (40.0, 0.15), (25.0, 0.12), (16.0, 0.1), (16.0, 0.1))
"""Over what neighbourhood (standard deviation, millimetres) light is told from cells where no checker lies; and from
all that look as they would in the light that was told last, to within so much (logarithm)."""
FAINT = 1e-3
"""Weight of what was told last where no cell near by tells anything."""

GRID_PX = 16
"""Light is brought to the picture at every 16th pixel."""
FINE = 64
"""What a pixel is multiplied by is told in steps of 1 / 64: as whole numbers OpenCV multiplies fastest."""


@dataclass(frozen=True)
class Sight:
    """A picture to be read: as it was taken, or with its shadows taken out; the same at half size; and how it sees the
    board."""

    picture: Picture
    halved: Picture
    view: View
    brightest: float = 1.0
    """How many times as bright as the calibration's the light is where it is brightest, before it was taken out."""


@dataclass(frozen=True, eq=False)
class _Cells:
    """Where cells are: in the picture at a quarter of its size (rows x columns x 2), how they looked on the empty board
    (... x 3), which of the board's hold no checkers, which lie around the board, and where in the cells every 16th
    pixel of the picture is (H/16 x W/16 x 2)."""

    pixels: Floats
    empty: Floats
    bare: NDArray[np.bool_]
    around: NDArray[np.bool_]
    of_pixels: Floats

    @cached_property
    def of_bare(self) -> tuple[Floats, Floats]:
        """Those that hold no checkers by themselves: where they are (N x 1 x 2), and how they looked (N x 1 x 3)."""
        return self.pixels[self.bare][:, None], self.empty[self.bare][:, None]


def sight_of(picture: Picture, calibration: Calibration) -> Sight:
    """Gets a picture (H x W x 3) as it is to be read."""
    halved = halve(picture)
    taken = Sight(picture, halved, view_of(picture, calibration, halved))
    light = light_on(halve(halved), calibration, UNEVEN if taken.view.holds else SUSPECTED)
    if light is None:
        return taken
    lit = without(picture, light, calibration)
    halved = halve(lit)
    # A shadow's edges may be taken for the camera's having moved; light of no kind makes a moved picture fit.
    brightest = float(np.exp(np.percentile(light, BRIGHTEST)))
    unshadowed = Sight(lit, halved, view_of(lit, calibration, halved), brightest)
    return unshadowed if unshadowed.view.holds else taken


def light_on(small: Picture, calibration: Calibration, uneven: float = UNEVEN) -> Floats | None:
    """Gets how the light in each cell has changed (logarithm), told by a picture at a quarter of its size; None where
    it is not ``uneven`` (logarithm) on the rails, or where what is seen is no light."""
    cells = _cells(calibration)
    usual = _usual(_logs(small, *cells.of_bare))
    change, told = _change(small, *cells.of_bare, usual, noise_levels=0.0)
    levels = cells.of_bare[1].mean(axis=-1)
    seen = change * levels / (levels + UNSURE_LEVELS)
    if not told.any() or np.ptp(np.percentile(seen[told], PARTS)) < uneven:
        return None
    least = EXPLAINED * len(told)
    change, may_be = _change(small, cells.pixels, cells.empty, usual)
    light = _around(change, may_be & (cells.bare | cells.around), FIRST_MM / CELL_MM, np.zeros_like(change))
    light, alike = followed(change, may_be, light, ((wide_mm / CELL_MM, within) for wide_mm, within in NEARER))
    return light + usual.mean() if (alike & cells.bare).sum() >= least else None


def followed(
    change: Floats, may_be: NDArray[np.bool_], light: Floats, rounds: Iterable[tuple[float, float]]
) -> tuple[Floats, NDArray[np.bool_]]:
    """Gets a change of light that was told roughly followed to what has changed in each cell (all h x w, logarithm), of
    those that ``may_be`` have by it alone; and in which cells it explains that. In each round it is told anew over a
    neighbourhood (standard deviation, cells) by the cells that it explains to within so much (logarithm)."""
    alike = may_be
    for wide_cells, within in rounds:
        alike = may_be & (np.abs(change - light) < within)
        light = _around(change, alike, wide_cells, light)
    return light, alike


def _usual(logs: Floats) -> Floats:
    """Gets by how much each channel has changed in the median (3) where all are told (of N x 1 x 3): what one has
    beside the others is the same in a shadow and beside it."""
    told = logs[~np.isnan(logs).any(axis=-1)]
    if not len(told):
        return np.zeros(3, np.float32)
    means = told.mean(axis=-1, keepdims=True)
    return np.asarray(np.median(means) + np.median(told - means, axis=0), dtype=np.float32)


def _change(
    small: Picture, pixels: Floats, empty: Floats, usual: Floats, noise_levels: float = NOISE_LEVELS
) -> tuple[Floats, NDArray[np.bool_]]:
    """Gets how much lighter cells are than on the empty board (logarithm), beyond what is usual (3), and which of them
    a shadow may lie over."""
    change = _logs(small, pixels, empty) - usual
    # What is not told of a channel is taken to be as of that which has changed most; where none is, nothing is told.
    known = np.where(np.isnan(change), DARKEST, change)
    change = np.where(np.isnan(change), known.max(axis=-1, keepdims=True), change)
    mean = change.mean(axis=-1)
    usual_light = float(usual.mean())
    grey = GREY + noise_levels / (empty.min(axis=-1) * np.exp(mean + usual_light))
    return mean, (np.ptp(change, axis=-1) < grey) & (mean > DARKEST) & (mean < LIGHTEST + max(-usual_light, 0.0))


def _logs(small: Picture, pixels: Floats, empty: Floats) -> Floats:
    """Gets how much lighter each channel of cells is than on the empty board (logarithm, ... x 3); NaN where it is cut
    off, or faint beside the others."""
    levels = _at(small, pixels)
    logs = np.log((levels + np.float32(OFFSET_LEVELS)) / empty)
    told = (levels < CUT_OFF) & (empty > FAINT_CHANNEL * empty.max(axis=-1, keepdims=True))
    return np.asarray(np.where(told, logs, np.float32(np.nan)), dtype=np.float32)


def _around(values: Floats, counted: NDArray[np.bool_], wide_cells: float, otherwise: Floats) -> Floats:
    """Gets the mean of the values that count about each cell, nearer ones counting more."""
    weights = counted.astype(np.float32)
    sums, shares = (
        cv2.GaussianBlur(each, (0, 0), wide_cells, borderType=cv2.BORDER_REPLICATE)
        for each in (values * weights, weights)
    )
    return np.asarray((sums + FAINT * otherwise) / (shares + FAINT), dtype=np.float32)


def without(picture: Picture, light: Floats, calibration: Calibration) -> Picture:
    """Gets a picture with a change of light (logarithm, of each cell) taken out of it."""
    coarse = _at(light, _cells(calibration).of_pixels)
    size = (picture.shape[1], picture.shape[0])
    steps = np.rint(np.exp(-coarse) * FINE).clip(0, 255).astype(np.uint8)
    gains = at_every_pixel(steps, GRID_PX, size)
    return np.asarray(cv2.multiply(picture, cv2.merge([gains] * 3), scale=1 / FINE), dtype=np.uint8)


def _at(values: Picture | Floats, places: Floats) -> Floats:
    """Gets what an image holds at places (rows x columns x 2), between its pixels."""
    columns, rows = cv2.split(places)
    found = cv2.remap(values, columns, rows, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(found, dtype=np.float32)


@lru_cache(maxsize=INSTALLATIONS_KEPT)
def _cells(calibration: Calibration) -> _Cells:
    """Gets the cells of an installation, made on first use."""
    camera, geometry = calibration.camera, calibration.geometry
    x, y = _reach_mm(geometry) + AROUND * geometry.checker_diameter_mm
    places = np.stack(np.meshgrid(np.arange(-x, x + CELL_MM, CELL_MM), np.arange(-y, y + CELL_MM, CELL_MM)), axis=-1)
    flat = places.reshape(-1, 2)
    seen_at = (camera.project(np.column_stack([flat, np.zeros(len(flat))])) - 1.5) / 4
    pixels: Floats = seen_at.astype(np.float32).reshape(places.shape)
    columns, rows = (np.arange(0, size + GRID_PX, GRID_PX) for size in (camera.width_px, camera.height_px))
    corners = np.stack(np.meshgrid(columns, rows), axis=-1)
    cells_at = (camera.to_plane(corners.reshape(-1, 2).astype(np.float64)) - places[0, 0]) / CELL_MM
    of_pixels: Floats = cells_at.astype(np.float32).reshape(corners.shape)
    empty = _at(halve(halve(calibration.empty)), pixels) + np.float32(OFFSET_LEVELS)
    around = (np.abs(places) > _reach_mm(geometry)).any(axis=-1)
    return _Cells(pixels, empty, _holds_none(geometry, places) & ~around, around, of_pixels)


def _reach_mm(geometry: BoardGeometry) -> NDArray[np.float64]:
    """Gets how far the board reaches from its middle, to the sides and along."""
    x = abs(geometry.tray_x_mm()) + geometry.tray_width_mm / 2 + geometry.rail_width_mm
    return np.array([x, geometry.field_height_mm / 2 + geometry.rail_width_mm])


def _holds_none(geometry: BoardGeometry, places_mm: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Gets at which places no checker lies, or seldom one: rails, and between the two rows of points."""
    x, y = np.abs(places_mm[..., 0]), np.abs(places_mm[..., 1])
    half_width, half_height = geometry.field_width_mm / 2, geometry.field_height_mm / 2
    inside = y < half_height
    bar, tray = x < geometry.bar_width_mm / 2, x > half_width + geometry.rail_width_mm / 2
    between = (x < half_width) & (y < half_height - LONGEST_ROW * geometry.checker_diameter_mm)
    return np.asarray((~inside | (x > half_width) | between) & ~(inside & (bar | tray)))
