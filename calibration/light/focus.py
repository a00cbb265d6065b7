"""How sharply a picture shows the board: a camera that has lost its focus makes one spot of all that dice show.

Looked at are edges that stand still around the field (rails, their corners, what the board stands on), each along a
short line across it. How wide an edge is follows from its steepest step against the whole of it, whatever the light; an
edge of a width ``a`` that is blurred by ``b`` (standard deviations) is as wide as the root of a² + b² says, as Gaussian
blurs add. What covers edges takes them away, and what is left of them tells.
"""

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.drift import still_parts
from calibration.installation import INSTALLATIONS_KEPT, Calibration

Picture = NDArray[np.uint8]
Floats = NDArray[np.float32]

HALF_PX = 8
"""A line across an edge reaches so far to both sides."""
BESIDE_PX = (-1.5, 0.0, 1.5)
"""An edge is looked at along three lines beside each other, of which the mean counts: noise is less in it."""
END_PX = 3
"""What lies on either side of an edge: the mean of so many pixels at the end of a line."""
SMOOTH_PX, NEAR_PX = 1.5, 4
"""Edges are looked for, and which way they run, where noise is smoothed out so far (standard deviation): where it is
steepest, so near to what stands still."""
EDGES, LEAST_EDGES = 120, 40
"""So many edges are looked at, the steepest of all; of fewer that can be seen nothing is told."""
FAINTEST_LEVELS, WIDEST_PX = 20.0, 5.0
"""An edge is a step of so many levels at least, and no wider (standard deviation)."""
STEADY = 0.35
"""By less than such a share of its step an edge that stands still differs between the empty board and the starting
position."""
LEAST_LEFT, MOST_LEFT = 0.35, 2.0
"""Shares of its step that an edge shows, in the light of the picture, if it is seen: less where it is covered or the
board elsewhere, more where something else is seen. The widest blur that the lines can tell of leaves half."""
LEAST_SEEN = 0.3
"""Share of the edges that must be seen, or nothing is told: then something else is wrong."""
SOFT_DICE = 0.075
"""Blur, in widths of a die, from which a picture is out of focus: from 0.09 on flat dice look tilted, and dice are seen
where none lie (eleven installations, blurred by 0.5 to 3 pixels)."""
SURELY = 2.0
"""So many standard errors it must be over that. In a dim picture without much contrast noise makes edges wider by
chance: one board whose edges are steps of 22 levels was out of focus by 0.5 standard errors (10811-00), pictures that
are blurred so far are by 2 to 13."""
WITHIN_ONE_SPREAD, MEDIAN_SPREAD = 0.6745, 1.2533
"""Median distance from the median, in standard deviations, and standard error of the median, in those of the mean (of a
Gaussian distribution)."""


@dataclass(frozen=True, eq=False)
class Edges:
    """Edges that stand still (N), how they were on the empty board.

    ``right_px``, ``down_px``: the pixels of the lines across them (3 N x T). ``levels``: the mean level along each;
    ``steps``: from one side to the other, with its sign; ``widths_px``: standard deviations.
    """

    right_px: Floats
    down_px: Floats
    levels: Floats
    steps: Floats
    widths_px: Floats


def blur_px(picture: Picture, calibration: Calibration) -> float | None:
    """Gets by how much more a picture (H x W x 3) is blurred than that of the empty board (standard deviation, pixels);
    less than nothing where it is sharper. None where too few edges are seen to tell."""
    added = _added(picture, calibration)
    return None if added is None else float(np.copysign(np.sqrt(abs(added[0])), added[0]))


def _added(picture: Picture, calibration: Calibration) -> tuple[float, float] | None:
    """Gets by how much the squares of the edges' widths are larger than on the empty board (square pixels), and the
    standard error of that."""
    were = still_edges(calibration)
    if len(were.steps) < LEAST_EDGES:
        return None
    lines = _lines(picture, were.right_px, were.down_px)
    steps, widths_px = _steps(lines)
    light = float(np.median(lines.mean(axis=1) / np.maximum(were.levels, 1.0)))
    left = steps / (were.steps * max(light, 1e-3))
    seen = (left > LEAST_LEFT) & (left < MOST_LEFT)
    if seen.sum() < max(LEAST_EDGES, LEAST_SEEN * len(seen)):
        return None
    wider = widths_px[seen] ** 2 - were.widths_px[seen] ** 2
    added = float(np.median(wider))
    scatter = float(np.median(np.abs(wider - added))) / WITHIN_ONE_SPREAD
    return added, MEDIAN_SPREAD * scatter / float(np.sqrt(len(wider)))


def soft_by_px(picture: Picture, calibration: Calibration) -> float:
    """Gets by how much more than that of the empty board a picture (H x W x 3) is blurred (standard deviation, pixels),
    where it is out of focus: too soft for dice to be told in it. 0 where it is not, or that cannot be told."""
    added = _added(picture, calibration)
    least_px = SOFT_DICE * calibration.camera.seen_px(calibration.geometry.die_size_mm)
    if added is None or added[0] - SURELY * added[1] <= least_px**2:
        return 0.0
    return float(np.sqrt(added[0]))


@lru_cache(maxsize=INSTALLATIONS_KEPT)
def still_edges(calibration: Calibration) -> Edges:
    """Gets the edges that stand still around the field; made on first use."""
    grey = cv2.cvtColor(calibration.empty, cv2.COLOR_BGR2GRAY).astype(np.float32)
    smooth = cv2.GaussianBlur(grey, (0, 0), SMOOTH_PX)
    right, down = cv2.Sobel(smooth, cv2.CV_32F, 1, 0), cv2.Sobel(smooth, cv2.CV_32F, 0, 1)
    slope = np.asarray(cv2.magnitude(right, down), dtype=np.float32)
    places = _steepest_near(slope, still_parts(calibration).places)
    across = np.stack([right.take(places), down.take(places)], axis=1).astype(np.float32) / slope.take(places)[:, None]
    rows, columns = np.divmod(places, grey.shape[1])
    right_px, down_px = _across(columns, rows, across)
    empty, start = (_lines(picture, right_px, down_px) for picture in (calibration.empty, calibration.start))
    steps, empty_px = _steps(empty)
    widths_px = np.sqrt((empty_px**2 + _steps(start)[1] ** 2) / 2)  # the steepest by chance in one is not so in both
    are_edges = (steps > FAINTEST_LEVELS) & (widths_px < WIDEST_PX)
    are_edges &= np.abs(start - empty).max(axis=1, initial=0.0) < STEADY * steps
    chosen = np.flatnonzero(are_edges)
    chosen = chosen[np.argsort(-steps[chosen] / widths_px[chosen])][:EDGES]
    lines = (chosen + len(places) * np.arange(len(BESIDE_PX))[:, None]).ravel()
    return Edges(right_px[lines], down_px[lines], empty[chosen].mean(axis=1), steps[chosen], widths_px[chosen])


def _steepest_near(slope: NDArray[np.float32], places: NDArray[np.intp]) -> NDArray[np.intp]:
    """Gets where the slope is steepest near each of some places; places are counted along the rows."""
    around = 2 * NEAR_PX + 1
    crest = (slope == cv2.dilate(slope, np.ones((around, around), np.uint8))) & (slope > 0)
    near = np.zeros(slope.size, np.uint8)
    near[places] = 1
    reached = cv2.dilate(near.reshape(slope.shape), np.ones((around, around), np.uint8)) > 0
    return np.flatnonzero(crest & reached)


def _across(right: NDArray[np.intp], down: NDArray[np.intp], across: Floats) -> tuple[Floats, Floats]:
    """Gets the pixels of the lines (3 N x T) across edges at some places (N), each towards where it is lighter."""
    along = np.arange(-HALF_PX, HALF_PX + 1, dtype=np.float32)
    beside = np.array(BESIDE_PX, np.float32)[:, None, None]
    x, y = across[:, :1], across[:, 1:]
    right_px = right[:, None] + along * x - beside * y
    down_px = down[:, None] + along * y + beside * x
    flat = (-1, len(along))
    return right_px.reshape(flat).astype(np.float32), down_px.reshape(flat).astype(np.float32)


def _lines(picture: Picture, right_px: Floats, down_px: Floats) -> Floats:
    """Gets shades of grey along the lines across edges (N x T), each the mean of those beside each other."""
    if not len(right_px):
        return np.zeros((0, right_px.shape[1]), np.float32)  # of which OpenCV wants to hear nothing
    seen = cv2.remap(picture, right_px, down_px, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    greys = cv2.cvtColor(seen, cv2.COLOR_BGR2GRAY).reshape(len(BESIDE_PX), -1, right_px.shape[1])
    return np.asarray(greys.mean(axis=0, dtype=np.float32), dtype=np.float32)


def _steps(lines: Floats) -> tuple[Floats, Floats]:
    """Gets how many levels there are from one side of each edge to the other, and how wide it is (standard deviation,
    pixels): at the middle of a Gaussian edge the slope is its step over its width and the root of two pi."""
    steps = lines[:, -END_PX:].mean(axis=1) - lines[:, :END_PX].mean(axis=1)
    steepest = np.maximum(np.diff(lines, axis=1).max(axis=1, initial=0.0), 1e-3)
    return steps, steps / steepest / np.sqrt(np.float32(2 * np.pi))
