"""Where a run of checkers on edge is seen in a tray, and what the network that counts it is shown of it."""

from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from boardctl.rules import Seat
from boardctl.vision.points.column_input import ROOT_OF_LEVEL
from boardctl.vision.points.seat_palette import SeatPalette
from calibration import BoardGeometry, Calibration
from calibration.difference import root_scale

Picture = NDArray[np.uint8]
Floats = NDArray[np.float64]

RUN_PX = 48
"""Pixels of a run's picture a checker's width: 12 a checker on edge, and as many as most cameras give."""

STARTS, ENDS = -0.3, 5.2
"""What the picture of a run shows, in checker widths from the field's edge inwards."""

INNER, OUTER = 0.5, 1.7
"""The part of a tray over which runs lie, in checker widths outwards from the field: walls are of all widths."""

COLUMNS = 6
"""The network is shown so many columns, each the mean over a fifth of a checker's width."""

CREST = 0.95
"""Height of what is seen of a run from above, in checker widths."""

CHANNELS = 8
"""Three of the picture, three of the empty tray, the seat's colours, and light against the light around."""

LIKENESS_COUNTS = np.float32(0.25)
"""Likeness to a seat's colours is shown in such parts: all that is shown is of about the same size."""

AROUND = 49
"""Rows over which the light around is taken: a checker's width."""

LEAST_SPREAD = 0.1
"""Spread of the light around (a quarter of the root scale), below which differences are noise."""

LENGTH = round((ENDS - STARTS) * RUN_PX)

FIRST_FROM, FIRST_TO = 0.1, 0.3
"""Part of the run's picture that the first checker covers at least the half of, wherever it begins."""

CREST_FROM, CREST_TO = 0.75, 1.25
"""The part of a tray's width over which the crests of most runs lie."""

START_SEEN = 0.55
"""Change of that part (root scale) from which something may stand there: of 1,500 empty trays without a hand none shows
more than 0.52; checkers on edge show 0.64 at least where they have the colour of the tray, and 0.8 on all else."""

START_CHANGED = 0.7
"""The same from which something does."""

ROOTS = root_scale(np.arange(256, dtype=np.uint8))
"""Each grey level on the root scale."""


@dataclass(frozen=True, eq=False)
class RunStrip:
    """Where a tray's run is seen in the picture of one installation, and how wide its last checker's side is seen. Each
    is equal to itself alone."""

    map_x: NDArray[np.float32]
    map_y: NDArray[np.float32]
    empty: Picture
    side_at_edge: float
    side_a_width: float
    """Width of the side at the field's edge, and its change a checker width inwards, both in checker widths."""

    def cut(self, picture: Picture) -> Picture:
        """Gets the run's picture (length x width x 3)."""
        return _cut(picture, self.map_x, self.map_y)

    def start_change(self, picture: Picture) -> float:
        """Gets how much of a picture has changed where the first checker of any run stands (root scale)."""
        shown = _cut(picture, self.map_x[START], self.map_y[START])
        return float(np.abs(_across(shown) - self._empty_start).max(axis=1).mean())

    @cached_property
    def _empty_start(self) -> NDArray[np.float32]:
        return _across(self.empty[START])

    @cached_property
    def empty_columns(self) -> NDArray[np.float32]:
        """How the empty tray looks (3 x length x columns)."""
        return _columns(cv2.LUT(self.empty, ROOT_OF_LEVEL))

    def side(self, depths: Floats) -> Floats:
        """Gets how much of a run's picture the side of a last checker takes that ends at these depths."""
        return np.asarray(np.clip(self.side_at_edge + depths * self.side_a_width, 0, 0.4), dtype=np.float64)


def _cut(picture: Picture, map_x: NDArray[np.float32], map_y: NDArray[np.float32]) -> Picture:
    return np.asarray(cv2.remap(picture, map_x, map_y, cv2.INTER_LINEAR, borderMode=1), dtype=np.uint8)


def run_strip(calibration: Calibration, seat: Seat) -> RunStrip:
    """Gets where a seat's run is seen under a calibration."""
    geometry, camera = calibration.geometry, calibration.camera
    places = _places_mm(geometry, seat)
    flat = places.reshape(-1, 2)
    height = CREST * geometry.checker_diameter_mm
    pixels = camera.project(np.column_stack([flat, np.full(len(flat), height)])).astype(np.float32)
    map_x, map_y = (pixels[:, axis].reshape(places.shape[:2]) for axis in (0, 1))
    towards = -1.0 if seat is Seat.A else 1.0
    _, eye_y, eye_z = camera.position_mm
    seen_from = eye_z - geometry.checker_diameter_mm / 2
    # A side hangs down by nearly a checker's width below the crest; it is seen from the middle of the board.
    at_edge = 0.9 * (geometry.field_height_mm / 2 - eye_y * towards) / seen_from
    inwards = -0.9 * geometry.checker_diameter_mm / seen_from
    return RunStrip(map_x, map_y, _cut(calibration.empty, map_x, map_y), at_edge, inwards)


def _places_mm(geometry: BoardGeometry, seat: Seat) -> Floats:
    """Gets x and y (length x width x 2) of the pixels of a run's picture: row 0 beyond the seat's edge."""
    diameter = geometry.checker_diameter_mm
    outwards = 1.0 if geometry.home_on_right else -1.0
    inwards = 1.0 if seat is Seat.A else -1.0
    across = outwards * (geometry.field_width_mm / 2 + np.arange(INNER, OUTER, 1 / RUN_PX) * diameter)
    along = inwards * ((STARTS + np.arange(LENGTH) / RUN_PX) * diameter - geometry.field_height_mm / 2)
    return np.stack(np.broadcast_arrays(across[None, :], along[:, None]), axis=-1)


def row_at(depths: Floats) -> NDArray[np.intp]:
    """Gets the row of a run's picture at depths in checker widths."""
    return np.clip(np.rint((depths - STARTS) * RUN_PX), 0, LENGTH - 1).astype(np.intp)


START = (
    slice(*row_at(np.array([FIRST_FROM, FIRST_TO])).tolist()),
    slice(round((CREST_FROM - INNER) * RUN_PX), round((CREST_TO - INNER) * RUN_PX)),
)
"""The rows and columns of a run's picture that the first checker covers, wherever it begins."""


def _across(picture: Picture) -> NDArray[np.float32]:
    """Gets the mean over the width of a picture (length x 3, root scale)."""
    return np.asarray(cv2.resize(cv2.LUT(picture, ROOTS), (1, len(picture)), interpolation=cv2.INTER_AREA)[:, 0])


def run_input(shown: Picture, strip: RunStrip, palette: SeatPalette, seat: Seat) -> NDArray[np.float32]:
    """Gets what the network is shown of a run's picture (8 x length x columns)."""
    like = palette.likeness_to(seat, cv2.split(shown))
    seen = _columns(cv2.LUT(shown, ROOT_OF_LEVEL))
    light = seen.mean(axis=0)
    around = cv2.blur(light, (1, AROUND), borderType=cv2.BORDER_REFLECT)
    spread = cv2.blur((light - around) ** 2, (1, AROUND), borderType=cv2.BORDER_REFLECT)
    against = (light - around) / (np.sqrt(spread) + np.float32(LEAST_SPREAD))
    return np.concatenate([seen, strip.empty_columns, _columns(like * LIKENESS_COUNTS), against[None]])


def _columns(values: object) -> NDArray[np.float32]:
    """Gets values (length x width, or length x width x N) as means over the width of each column (N x length x
    columns)."""
    levels = np.asarray(values, dtype=np.float32)
    shrunk = np.asarray(cv2.resize(levels, (COLUMNS, len(levels)), interpolation=cv2.INTER_AREA), dtype=np.float32)
    return np.ascontiguousarray(np.atleast_3d(shrunk).transpose(2, 0, 1))
