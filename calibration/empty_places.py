"""Places all over the empty board and around it, to see what a camera makes of as much light as it had before."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from calibration.installation import INSTALLATIONS_KEPT, Calibration

Picture = NDArray[np.uint8]
Floats = NDArray[np.float32]

ACROSS, ALONG = 40, 30
"""So many places are looked at, side by side and one behind the other."""
AROUND = 1.5
"""They reach so far around the field, in checkers: over its rails, and some of what it stands on."""


@dataclass(frozen=True, eq=False)
class EmptyPlaces:
    """The levels of each place in a picture (9 pixels x 3 N, counted along its rows, of a pixel blue, green and red),
    where it is (N x 2, -1 to 1 over the picture), and its colours on the empty board (N x 3)."""

    levels: NDArray[np.intp]
    at: NDArray[np.float64]
    colours: Floats


@lru_cache(maxsize=INSTALLATIONS_KEPT)
def empty_places(calibration: Calibration) -> EmptyPlaces:
    """Gets the places of an installation that are looked at, made on first use."""
    camera, geometry = calibration.camera, calibration.geometry
    x, y = (
        side / 2 + AROUND * geometry.checker_diameter_mm for side in (geometry.field_width_mm, geometry.field_height_mm)
    )
    places = np.stack(np.meshgrid(np.linspace(-x, x, ACROSS), np.linspace(-y, y, ALONG)), axis=-1).reshape(-1, 2)
    columns, rows = np.rint(camera.project(np.column_stack([places, np.zeros(len(places))]))).astype(np.intp).T
    seen = (columns > 0) & (columns < camera.width_px - 1) & (rows > 0) & (rows < camera.height_px - 1)
    return _places(calibration.empty, rows[seen], columns[seen])


def places_over(picture: Picture) -> EmptyPlaces:
    """Gets places all over a picture (H x W x 3) of which it is not known where the board lies in it."""
    rows, columns = (
        np.linspace(1, side - 2, count).astype(np.intp)
        for side, count in zip(picture.shape[:2], (ALONG, ACROSS), strict=True)
    )
    return _places(picture, *(each.ravel() for each in np.meshgrid(rows, columns)))


def _places(picture: Picture, rows: NDArray[np.intp], columns: NDArray[np.intp]) -> EmptyPlaces:
    """Gets the places about pixels of a picture."""
    height, width = picture.shape[:2]
    middles = np.unique(rows * width + columns)
    beside = np.array([-1, 0, 1])
    pixels = (beside[:, None] * width + beside).reshape(-1, 1) + middles
    levels = np.asarray(pixels[:, :, None] * 3 + np.arange(3), dtype=np.intp).reshape(len(pixels), -1)
    down, right = np.divmod(middles, width)
    at = np.column_stack([right / width, down / height]) * 2 - 1
    return EmptyPlaces(levels, at, colours_at(picture, levels))


def colours_at(picture: Picture, levels: NDArray[np.intp]) -> Floats:
    """Gets the mean colours (N x 3) of places of a picture, given by their levels (9 x 3 N)."""
    sums = picture.reshape(-1).take(levels).sum(axis=0, dtype=np.uint16)
    return np.asarray((sums / np.float32(len(levels))).reshape(-1, 3), dtype=np.float32)
