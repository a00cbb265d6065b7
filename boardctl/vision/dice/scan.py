"""The scan: where on and around the board there may be a die. Fast and generous; a closer look decides.

The picture is rectified at the height of a die's middle, so that a die comes out ``SCAN_DIE_PX`` wide everywhere; a
small network gives, for cells of half a die, how likely the middle of a die is in it, and where in the cell.
"""

from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import log2
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration import BoardGeometry, CameraModel
from calibration.difference import halve

Picture = NDArray[np.uint8]

SCAN_DIE_PX = 8.0
"""Width of a die in the scan: the smallest at which the small network still tells a die from a checker's rim."""
CELL_PX = 4
"""The network's output has a cell for each 4 x 4 pixels."""
GLANCE = 0.58
"""Width of a pixel at a glance, in cells, about: between such pixels, what is seen is spread over as much as a cell."""
BESIDE_MM = 130.0
"""How far beyond the playing field dice are looked for at its sides: rail, tray, rail, and a hand's width of table."""
BEYOND_MM = 100.0
"""The same beyond its ends, where there are no trays."""


@dataclass(frozen=True)
class ScanFrame:
    """The rectified window: its width and height in pixels (multiples of 16), and where it lies on the board."""

    left_mm: float
    top_mm: float
    mm_a_px: float
    width_px: int
    height_px: int

    def to_mm(self, pixels: NDArray[np.float64]) -> NDArray[np.float64]:
        """Gets x, y in millimetres (N x 2) of scan pixels (N x 2)."""
        return np.column_stack([self.left_mm + pixels[:, 0] * self.mm_a_px, self.top_mm - pixels[:, 1] * self.mm_a_px])

    def to_pixels(self, spots_mm: NDArray[np.float64]) -> NDArray[np.float64]:
        """Gets scan pixels (N x 2) of x, y in millimetres (N x 2)."""
        return np.column_stack(
            [(spots_mm[:, 0] - self.left_mm) / self.mm_a_px, (self.top_mm - spots_mm[:, 1]) / self.mm_a_px]
        )


@lru_cache(maxsize=4)
def scan_frame(camera: CameraModel, geometry: BoardGeometry, die_px: float = SCAN_DIE_PX) -> ScanFrame:
    """Gets the window of the board and what is around it, as far as the picture shows it."""
    height = geometry.die_size_mm / 2
    border = [(x, y) for x in np.linspace(0, camera.width_px - 1, 9) for y in np.linspace(0, camera.height_px - 1, 9)]
    seen = camera.to_plane(border, height)
    reach = np.array([geometry.field_width_mm / 2 + BESIDE_MM, geometry.field_height_mm / 2 + BEYOND_MM])
    low, high = np.maximum(seen.min(axis=0), -reach), np.minimum(seen.max(axis=0), reach)
    mm_a_px = geometry.die_size_mm / die_px
    width, height_px = (int(np.ceil(max(span, 1.0) / mm_a_px / 16)) * 16 for span in high - low)
    return ScanFrame(float(low[0]), float(high[1]), mm_a_px, width, height_px)


@lru_cache(maxsize=4)
def _maps(
    camera: CameraModel, geometry: BoardGeometry, die_px: float, shrink: int
) -> tuple[NDArray[np.int16], NDArray[np.uint16]]:
    frame = scan_frame(camera, geometry, die_px)
    return _maps_of(camera, geometry, frame, (np.arange(frame.width_px), np.arange(frame.height_px)), shrink)


@lru_cache(maxsize=4)
def _cell_maps(
    camera: CameraModel, geometry: BoardGeometry, die_px: float, shrink: int
) -> tuple[NDArray[np.int16], NDArray[np.uint16]]:
    """The same for the middles of the cells alone."""
    frame = scan_frame(camera, geometry, die_px)
    across, down = (_pixel(np.arange(size // CELL_PX)) for size in (frame.width_px, frame.height_px))
    return _maps_of(camera, geometry, frame, (across, down), shrink)


def _maps_of(
    camera: CameraModel,
    geometry: BoardGeometry,
    frame: ScanFrame,
    pixels: tuple[NDArray[Any], NDArray[Any]],
    shrink: int,
) -> tuple[NDArray[np.int16], NDArray[np.uint16]]:
    """Gets where in a picture that was made so many times smaller the pixels of some columns and rows are seen."""
    grid = np.stack(np.meshgrid(*pixels), axis=-1)
    spots = frame.to_mm(grid.reshape(-1, 2).astype(np.float64))
    places = camera.project(np.column_stack([spots, np.full(len(spots), geometry.die_size_mm / 2)]))
    source = ((places + 0.5) / shrink - 0.5).astype(np.float32).reshape(grid.shape)
    first, second = cv2.convertMaps(source, np.empty(0, dtype=np.float32), cv2.CV_16SC2)
    return np.asarray(first, dtype=np.int16), np.asarray(second, dtype=np.uint16)


@dataclass(frozen=True)
class Scan:
    """A picture to be scanned for dice of a size: no more of it is rectified than is looked at.

    ``halved``: the picture at half size, where it is known.
    """

    picture: Picture
    camera: CameraModel
    geometry: BoardGeometry
    die_px: float = SCAN_DIE_PX
    halved: Picture | None = None

    @property
    def frame(self) -> ScanFrame:
        """The rectified window."""
        return scan_frame(self.camera, self.geometry, self.die_px)

    @cached_property
    def glance(self) -> Picture:
        """The colours of the cells (h x w x 3), each as what lies around its middle has it: enough to tell what has
        changed, without the whole window being rectified."""
        times = max(0, round(log2(GLANCE * self._seen_px * CELL_PX / self.die_px)))
        source = self.picture
        for step in range(times):
            source = self._half if step == 0 else halve(source)
        return _remapped(source, _cell_maps(self.camera, self.geometry, self.die_px, 2**times))

    def rectified(self, rows: slice = slice(None), columns: slice = slice(None)) -> Picture:
        """Gets the window (H x W x 3), or some of its rows and columns."""
        shrink = 2 if self._seen_px >= 1.6 * self.die_px else 1
        first, second = _maps(self.camera, self.geometry, self.die_px, shrink)
        source = self._half if shrink == 2 else self.picture
        return _remapped(source, (first[rows, columns], second[rows, columns]))

    @cached_property
    def _half(self) -> Picture:
        return halve(self.picture) if self.halved is None else self.halved

    @property
    def _seen_px(self) -> float:
        """How wide a die is in the picture, in the middle of the board."""
        return self.camera.focal_x_px * self.geometry.die_size_mm / float(np.linalg.norm(self.camera.position_mm))


def _remapped(source: Picture, maps: tuple[NDArray[np.int16], NDArray[np.uint16]]) -> Picture:
    return np.asarray(cv2.remap(source, *maps, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE), dtype=np.uint8)


def scan_picture(
    picture: Picture,
    camera: CameraModel,
    geometry: BoardGeometry,
    die_px: float = SCAN_DIE_PX,
) -> tuple[Picture, ScanFrame]:
    """Gets the rectified window of a picture, and its frame."""
    scan = Scan(picture, camera, geometry, die_px)
    return scan.rectified(), scan.frame


def scan_input(scan: Picture) -> NDArray[np.float32]:
    """Gets the 1 x 6 x H x W/2 input of the network: blue, green and red of the even columns, then of the odd ones
    (:mod:`~boardctl.vision.dice.networks`)."""
    height, width = scan.shape[:2]
    blob = np.empty((1, 6, height, width // 2), dtype=np.float32)
    blob[0] = np.ascontiguousarray(scan).reshape(height, width // 2, 6).transpose(2, 0, 1)
    blob -= 128
    blob *= 1 / 64
    return blob


@dataclass(frozen=True, slots=True)
class Peak:
    """A place where something may be: x, y in scan pixels, and how likely."""

    x: float
    y: float
    likelihood: float


def die_peaks(output: NDArray[np.float32], least: float, most: int) -> list[Peak]:
    """Gets the places that are likelier than ``least`` and than those beside them, at most ``most``, best first.

    ``output`` is as :func:`boardctl.vision.dice.networks.scan_cells` gives it.
    """
    return [_peak(output, row, column) for row, column in _highest_cells(output[0], least, most)]


def shoulders(output: NDArray[np.float32], least: float, most: int) -> list[Peak]:
    """Gets, of the best peaks likelier than ``least``, at most ``most``, the likeliest cell right beside each, where
    that is likelier, too: a die that lies across cells may be seen from there and not from the peak."""
    logits = cv2.copyMakeBorder(output[0], 1, 1, 1, 1, cv2.BORDER_CONSTANT, value=-np.inf)
    found = []
    for row, column in _highest_cells(output[0], least, most):
        around = logits[row : row + 3, column : column + 3].copy()
        around[1, 1] = -np.inf
        below, right = np.unravel_index(int(around.argmax()), around.shape)
        if around[below, right] >= np.log(least / (1 - least)):
            found.append(_peak(output, row + int(below) - 1, column + int(right) - 1))
    return found


def _peak(output: NDArray[np.float32], row: int, column: int) -> Peak:
    """Gets the place to which a cell points."""
    logit, right, below = output[:3, row, column].tolist()
    return Peak(_pixel(column + right), _pixel(row + below), _likelihood(logit))


def _highest_cells(logits: NDArray[np.float32], least: float, most: int) -> list[tuple[int, int]]:
    """Gets row and column of cells that are likelier than those beside them, best first."""
    highest = cv2.dilate(logits, np.ones((3, 3), np.uint8))
    rows, columns = np.nonzero((logits >= highest) & (logits >= np.log(least / (1 - least))))
    order = np.argsort(-logits[rows, columns])[:most]
    return list(zip(rows[order].tolist(), columns[order].tolist(), strict=True))


def peaks_beside(output: NDArray[np.float32], found: list[Peak], ring: tuple[float, float], least: float) -> list[Peak]:
    """Gets for each found die the likeliest cell in a ring around it (radii in pixels) that no other found die fills.

    Dice that touch may have but one peak between them; what is left of the other is beside it.
    """
    reach = int(ring[1] / CELL_PX) + 1
    beside = []
    for die in found:
        middle = [round((value + 0.5) / CELL_PX - 0.5) for value in (die.y, die.x)]
        top, left = (max(value - reach, 0) for value in middle)
        logits = output[0, top : max(middle[0] + reach + 1, 0), left : max(middle[1] + reach + 1, 0)]
        if not logits.size:
            continue
        y, x = (_pixel(start + np.arange(size)) for start, size in zip((top, left), logits.shape, strict=True))
        away = [np.hypot(x[None] - other.x, y[:, None] - other.y) for other in [die, *found]]
        free = np.where((np.min(away, axis=0) >= ring[0]) & (away[0] <= ring[1]), logits, -np.inf)
        row, column = np.unravel_index(int(np.argmax(free)), free.shape)
        likelihood = _likelihood(float(free[row, column]))
        if likelihood >= least:
            beside.append(Peak(float(x[column]), float(y[row]), likelihood))
    return beside


def cube_peaks(output: NDArray[np.float32], least: float, most: int) -> list[Peak]:
    """Gets the places that are likelier than ``least`` to be the doubling cube's, at most ``most``, best first."""
    return [
        Peak(_pixel(float(column)), _pixel(float(row)), _likelihood(float(output[3, row, column])))
        for row, column in _highest_cells(output[3], least, most)
    ]


def _likelihood(logit: float) -> float:
    return float(1 / (1 + np.exp(-logit)))


def _pixel(cell: Any) -> Any:
    return (cell + 0.5) * CELL_PX - 0.5


def peak_spots_mm(found: list[Peak], frame: ScanFrame) -> list[tuple[float, float]]:
    """Gets x, y in millimetres of peaks."""
    spots = frame.to_mm(np.array([(peak.x, peak.y) for peak in found]).reshape(-1, 2))
    return [(float(x), float(y)) for x, y in spots]
