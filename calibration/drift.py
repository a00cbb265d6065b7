"""Whether the camera still sees the board as it was calibrated: moved, in another light, or not to be told.

Rails, their corners and what the board stands on, all around the playing field, are compared with the picture of the
empty board: moved by which few pixels do they look most as they did? Each pixel's say is capped, so that what covers
some of them (hands, an arm, a cup) does not matter, and what covers most of them is told.
"""

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import CameraModel
from calibration.difference import DARK_OFFSET, halve
from calibration.geometry import BoardGeometry
from calibration.installation import INSTALLATIONS_KEPT, Calibration

Picture = NDArray[np.uint8]
Floats = NDArray[np.float32]

WIDTH_PX = 320
"""Width to which pictures are brought: a checker is some ten pixels, and noise is brought down to a quarter."""

RING = 0.15, 2.2
"""What is compared, in checkers outwards from the field: rail, tray wall and what the board stands on."""

COMPARED = 2000
"""Pixels that are compared: those with the steepest edges."""

LEAST_COMPARED = 300
"""With fewer that stand still, nothing can be told of an installation."""

STEADY = 0.6
"""Most change of a pixel between the empty board and the starting position (root scale) if it stands still."""

CAP = 1.2
"""Change of a pixel (root scale) above which it makes no difference by how much: twice a change that is seen at all."""

NEAR_PX, FAR_PX = 1, 12
"""Shifts that are always tried, and those tried when one of the near ones explains the picture better than none: in
pixels of the small picture, four times as many of a 1280 pixel picture."""

LEAST_SEEN = 0.4
"""Share of the pixels that must look as they did, moved or not, for a shift to be told: hands cover fewer than half."""

LEAST_ALIKE = 0.5
"""Least correlation of what is taken to look as it did."""

MOVED_CHECKERS = 0.08
"""Shift from which a calibration no longer holds, in checkers: calibrations are off by up to half of it."""


GREY = np.array([0.114, 0.587, 0.299])
"""Weights of blue, green and red in a shade of grey (ITU-R BT.601)."""

LIGHT_CHANGED = 0.06
"""Change of light (logarithm) from which a picture is brought back to the calibration's: by less it is mistaken."""

FOCUS = "focus it on the board and fix the focus there, or calibrate anew (boardctl calibrate camera)"
"""What to do with a camera that has lost its focus since it was calibrated."""

COLOURLESS = "it shows no colours, or showed none when it was calibrated"
"""What is wrong with such a camera."""

NIGHT_MODE = "switch its night mode off, or give it more light; or calibrate anew (boardctl calibrate camera)"
"""What to do with it."""


@dataclass(frozen=True, slots=True)
class View:
    """How a picture sees the board against the calibration.

    ``shift_px``: how far the still parts have moved (right, down, in the unscaled picture); None when it cannot be
    told. ``seen``: the share of them that look as they did; 1 where nothing is there to compare. ``gains``: how much
    brighter each channel is (blue, green, red). ``moved``: the shift is too large for the calibration to hold.
    ``followed_px``: so far from where it was calibrated the board's middle is seen, where the calibration was made to
    follow. ``blurred_px``: by so much the picture is blurred (standard deviation) where it is out of focus, else 0.
    ``colourless``: the picture has no colours, or has some where the empty board's has none.
    """

    shift_px: tuple[float, float] | None
    seen: float
    gains: tuple[float, float, float]
    moved: bool = False
    followed_px: float = 0.0
    blurred_px: float = 0.0
    colourless: bool = False

    @property
    def holds(self) -> bool:
        """Whether the picture may be read with the calibration."""
        return not (self.moved or self.blurred_px or self.colourless) and self.seen >= LEAST_SEEN

    @property
    def complaint(self) -> str:
        """What is wrong and what to do, for the operator; empty when nothing is."""
        if self.holds:
            return ""
        if self.blurred_px:
            return f"it is out of focus, by {self.blurred_px:.1f} pixels: {FOCUS}"
        if self.colourless:
            return f"{COLOURLESS}: {NIGHT_MODE}"
        if self.shift_px is None:
            return "it does not see the board as calibrated: uncover it, or calibrate anew (boardctl calibrate camera)"
        away = np.hypot(*self.shift_px)
        return f"it has moved by {away:.0f} pixels: put it back, or calibrate anew (boardctl calibrate camera)"


UNTOLD = View(None, 1.0, (1.0, 1.0, 1.0))


@dataclass(frozen=True)
class StillParts:
    """What is compared: where it is in the small picture, how it looked, and what it makes of a pixel there."""

    small_places: NDArray[np.intp]
    """Counted along its rows (N), far enough from its sides for every shift that is tried."""
    places: NDArray[np.intp]
    """The same in the unscaled picture."""
    colours: Floats
    """The colours there (N x 3)."""
    roots: Floats
    """The same in shades of grey on the root scale (N)."""
    scale: float
    """Pixels of the small picture for one of the unscaled picture."""
    size: tuple[int, int]
    """Width and height of the small picture."""
    limit_px: float


def view_of(picture: Picture, calibration: Calibration, halved: Picture | None = None) -> View:
    """Gets how a picture (H x W x 3) sees the board; half a millisecond, some more when the camera has moved.

    ``halved``: the picture at half size, where it is known.
    """
    parts = still_parts(calibration)
    if len(parts.places) < LEAST_COMPARED:
        return UNTOLD
    gains = np.median((_colours(picture, parts.places) + 1) / (parts.colours + 1), axis=0)
    small = _small(halve(picture) if halved is None else halved, parts.size)
    roots = _roots(small, float(gains @ GREY))
    near = _costs(roots, parts, NEAR_PX)
    if near.argmin() != near.size // 2:
        wide = _costs(roots, parts, FAR_PX)
        down, right = (int(place) - FAR_PX for place in np.unravel_index(int(wide.argmin()), wide.shape))
        near = wide[max(down + FAR_PX - 1, 0) :, max(right + FAR_PX - 1, 0) :][:3, :3]
    else:
        down = right = 0
    seen = _seen(_moved(roots, parts, down, right), parts)
    told = (float(gains[0]), float(gains[1]), float(gains[2]))
    if seen < LEAST_SEEN or near.shape != (3, 3):
        return View(None, min(seen, LEAST_SEEN / 2), told)
    x, y = (right + _between(near[1])) / parts.scale, (down + _between(near[:, 1])) / parts.scale
    return View((x, y), seen, told, moved=bool(np.hypot(x, y) > parts.limit_px))


def relit(picture: Picture, view: View) -> Picture:
    """Gets a picture with its light brought to that of the calibration; itself where it has hardly changed."""
    if max(abs(np.log(gain)) for gain in view.gains) < LIGHT_CHANGED:
        return picture
    return np.asarray(cv2.transform(picture, np.diag(1 / np.array(view.gains))), dtype=np.uint8)


@lru_cache(maxsize=INSTALLATIONS_KEPT)
def still_parts(calibration: Calibration) -> StillParts:
    """Gets what stands still around the field, as it looked on the empty board; made on first use."""
    camera, geometry = calibration.camera, calibration.geometry
    scale = WIDTH_PX / camera.width_px
    size = (WIDTH_PX, round(camera.height_px * scale))
    empty, start = (_roots(_small(halve(picture), size), 1.0) for picture in (calibration.empty, calibration.start))
    limit_px = MOVED_CHECKERS * camera.seen_px(geometry.checker_diameter_mm)
    slope = np.hypot(*np.gradient(empty))
    slope *= (np.abs(empty - start) < STEADY) & _ring(camera, geometry, scale, (empty.shape[0], empty.shape[1]))
    chosen = np.sort(np.argsort(-slope, axis=None)[: min(COMPARED, int((slope > 0).sum()))])
    rows, columns = np.unravel_index(chosen, slope.shape)
    down, right = (np.rint((each + 0.5) / scale - 0.5).astype(np.intp) for each in (rows, columns))
    places = np.minimum(down, camera.height_px - 1) * camera.width_px + np.minimum(right, camera.width_px - 1)
    colours = _colours(calibration.empty, places)
    return StillParts(chosen, places, colours, empty[rows, columns], scale, size, limit_px)


def _ring(camera: CameraModel, geometry: BoardGeometry, scale: float, shape: tuple[int, int]) -> NDArray[np.bool_]:
    """Gets where in the small picture the ring around the field is, as far inside as shifts that are tried reach."""
    masks = []
    for out in RING:
        x = geometry.field_width_mm / 2 + out * geometry.checker_diameter_mm
        y = geometry.field_height_mm / 2 + out * geometry.checker_diameter_mm
        steps = np.linspace(-1, 1, 16)
        around = [(x * t, -y) for t in steps] + [(x, y * t) for t in steps]
        around += [(-x * t, y) for t in steps] + [(-x, -y * t) for t in steps]
        pixels = camera.project(np.column_stack([around, np.zeros(len(around))])) * scale
        mask = np.zeros(shape, np.uint8)
        cv2.fillPoly(mask, [np.round(pixels).astype(np.int32)], 1)
        masks.append(mask)
    ring = masks[1] > masks[0]
    inside = np.zeros(shape, np.bool_)
    inside[FAR_PX + 1 : -FAR_PX - 1, FAR_PX + 1 : -FAR_PX - 1] = True
    return np.asarray(ring & inside, dtype=np.bool_)


def _small(halved: Picture, size: tuple[int, int]) -> Floats:
    """Gets a picture of half size in shades of grey, brought to ``size``."""
    grey = cv2.cvtColor(halved, cv2.COLOR_BGR2GRAY)
    return cv2.resize(grey, size, interpolation=cv2.INTER_AREA).astype(np.float32)


def _colours(picture: Picture, places: NDArray[np.intp]) -> Floats:
    """Gets the colours (N x 3) of a picture's pixels."""
    return np.asarray(picture.reshape(-1, 3).take(places, axis=0), dtype=np.float32)


def _roots(small: Floats, gain: float) -> Floats:
    """Gets shades of grey on the root scale, softened by a pixel: an edge moved by one is then still told from none."""
    return np.asarray(cv2.GaussianBlur(np.sqrt(small / gain + DARK_OFFSET), (5, 5), 1.0), dtype=np.float32)


def _moved(roots: Floats, parts: StillParts, down: int, right: int) -> Floats:
    """Gets what is now where the still parts would be, moved by so many pixels."""
    return np.asarray(roots.take(parts.small_places + (down * roots.shape[1] + right)), dtype=np.float32)


def _seen(roots: Floats, parts: StillParts) -> float:
    """Gets the share of the still parts that look as they did; none when their light and dark are not where they were,
    as when one colour fills the picture."""
    alike = np.abs(roots - parts.roots) < CAP / 2
    if not alike.any():
        return 0.0
    shown, were = roots[alike], parts.roots[alike]
    shown, were = shown - shown.mean(), were - were.mean()
    both = float(np.sqrt(shown @ shown) * np.sqrt(were @ were))
    told = both > 0 and float(shown @ were) > LEAST_ALIKE * both
    return float(alike.mean()) if told else 0.0


def _costs(roots: Floats, parts: StillParts, reach: int) -> Floats:
    """Gets how unlike the still parts are for each shift by up to ``reach`` pixels (down, right)."""
    steps = np.arange(-reach, reach + 1)
    rows = [parts.small_places + (down * roots.shape[1] + steps)[:, None] for down in steps]
    return np.array(
        [np.minimum(np.abs(roots.take(row) - parts.roots), CAP).mean(axis=1) for row in rows], dtype=np.float32
    )


def _between(costs: Floats) -> float:
    """Gets where between three costs the least is, from the middle one: they rise evenly to both sides."""
    low, middle, high = (float(cost) for cost in costs)
    slope = max(low, high) - middle
    return 0.0 if slope <= 0 else (low - high) / (2 * slope)
