"""A camera that was nudged, or a board: how it sees the board now, told by what the picture of the empty board shows.

Corners of the board and of all that is drawn on it are looked for in the new picture, near where the old camera saw
them. What checkers, hands and dice cover is not found, or elsewhere than all others; from the rest follows the one pose
of the same camera from which they are seen so. A pose that is not borne out by many of them, all over the board, or
that lies far from the old one, is none.
"""

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import CameraModel
from calibration.difference import at_every_pixel
from calibration.drift import View, still_parts, view_of
from calibration.geometry import BoardGeometry
from calibration.installation import INSTALLATIONS_KEPT, Calibration

Picture = NDArray[np.uint8]
Floats = NDArray[np.float64]
Pixels = NDArray[np.float32]

CORNERS, QUALITY, APART, BLOCK_PX = 600, 0.01, 0.15, 7
"""So many corners are looked for on the empty board, of so much of the best one's contrast, so many checkers apart,
each told by a block of so many pixels."""

SMOOTH_PX, AROUND, FAINTEST = 1.0, 0.5, 4.0
"""Corners are looked for where noise is smoothed out so far, and each pixel is told by how it differs from those around
it (standard deviations, in pixels and in checkers), in units of how these differ from each other, or of so many grey
levels: so that light and shadows matter little."""
MIDDLE, UNIT = 128, 40
"""Level of a pixel that is as those around it, and of one such unit."""

WINDOW, LEVELS = 1.0, 3
"""How much around a corner is compared, in checkers, and how often the pictures are halved, so that it is found as far
away as cameras are followed."""

THERE_AND_BACK = 0.02
"""Found in the new picture and looked for from there in the old one, a corner is again where it was, to within so many
checkers."""

OFF = 0.025
"""A corner that a pose explains is seen as close to where it says, in checkers: about a pixel."""

FIRST_OFF, ROUNDS = 2.0, 2000
"""How much further off it may be seen at first, where so many poses are tried, each told by four corners."""

REFINED = 3
"""So often a pose is fitted to the corners that bear it out, and these are told anew."""

LEAST, LEAST_SHARE, LEAST_A_QUARTER = 40, 0.4, 6
"""So many corners must bear a pose out, so many of those that were found again, and so many in each quarter of the
board."""

GRID_PX = 16
"""Where pixels are seen from elsewhere is worked out for every 16th."""

SAME_PX = 0.7
"""A pose by which no corner of the board is seen further off is the same: so well it is told."""

SEEMS_OFF = 0.3
"""A board that seems to have moved by such a part of what a calibration bears may be turned by more at its corners:
about a pixel, by which it seems to move at the most while nothing has."""

FARTHEST = 1.5
"""What has moved by more than so many checkers is not followed: who has moved a camera so far may calibrate it anew."""


def followed(calibration: Calibration, picture: Picture, known: Calibration | None = None) -> Calibration | None:
    """Gets the calibration of the same camera and board as a picture (H x W x 3) sees them now; None where that cannot
    be told, or is as in the calibration ``known``. Its two pictures are those of the old one, as the camera would have
    taken them from there.

    :raises CalibrationError: when the picture has not the size that was calibrated.
    """
    calibration.check_size(picture)
    view = view_of(picture, calibration)
    camera = None if view.shift_px is None else _pose(calibration, picture, view.shift_px)
    if camera is None or (known is not None and _apart_px(camera, known) < SAME_PX):
        return None
    empty, start = (seen_from(camera, each, calibration.camera) for each in (calibration.empty, calibration.start))
    found = Calibration.of(camera, calibration.geometry, empty, start, calibration.die_size_given)
    return found if view_of(picture, found).holds else None


def _apart_px(camera: CameraModel, known: Calibration) -> float:
    """Gets how far apart a camera and that of a calibration see the corners of the board, at most."""
    corners = outline_mm(known.geometry)
    return float(np.linalg.norm(camera.project(corners) - known.camera.project(corners), axis=1).max())


def is_off(calibration: Calibration, view: View) -> bool:
    """Whether a picture seems to see the board elsewhere, be it by less than a calibration bears."""
    if view.shift_px is None:
        return False
    return view.moved or float(np.hypot(*view.shift_px)) > SEEMS_OFF * still_parts(calibration).limit_px


def seen_from(camera: CameraModel, picture: Picture, taken_by: CameraModel) -> Picture:
    """Gets a picture (H x W x 3) of a board as another camera would have taken it: right for the board's plane, and for
    what is low above it where the cameras are close together."""
    size = (camera.width_px, camera.height_px)
    columns, rows = (np.arange(0, length + GRID_PX, GRID_PX, dtype=np.float64) for length in size)
    flat = camera.to_plane(np.stack(np.meshgrid(columns, rows), axis=-1))
    there = taken_by.project(np.column_stack([flat, np.zeros(len(flat))]))
    coarse = there.reshape(len(rows), len(columns), 2).astype(np.float32)
    x, y = cv2.split(at_every_pixel(coarse, GRID_PX, size))
    seen = cv2.remap(picture, x, y, cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(seen, dtype=np.uint8)


@dataclass(frozen=True, eq=False)
class _Corners:
    """Corners on an empty board: where they are in the picture (N x 1 x 2), and on the board's plane (N x 2)."""

    plain: Picture
    pixels: Pixels
    places_mm: Floats
    checker_px: float


@lru_cache(maxsize=INSTALLATIONS_KEPT)
def _corners(calibration: Calibration) -> _Corners:
    """Gets the corners of an installation, looked for on first use."""
    camera, geometry = calibration.camera, calibration.geometry
    checker_px = camera.seen_px(geometry.checker_diameter_mm)
    plain = without_light(calibration.empty, checker_px)
    mask = np.zeros(plain.shape, np.uint8)
    cv2.fillPoly(mask, [np.rint(camera.project(outline_mm(geometry))).astype(np.int32)], 255)
    found = cv2.goodFeaturesToTrack(plain, CORNERS, QUALITY, APART * checker_px, mask=mask, blockSize=BLOCK_PX)
    pixels = np.empty((0, 1, 2), np.float32) if found is None else np.asarray(found, dtype=np.float32)
    places = camera.to_plane(pixels.reshape(-1, 2)) if len(pixels) else np.empty((0, 2))
    return _Corners(plain, pixels, places, checker_px)


def _pose(calibration: Calibration, picture: Picture, shift_px: tuple[float, float]) -> CameraModel | None:
    """Gets the camera as it stands now, which sees the board moved by about so much; None where that cannot be told."""
    corners, camera = _corners(calibration), calibration.camera
    plain, guess = without_light(picture, corners.checker_px), corners.pixels + np.array(shift_px, dtype=np.float32)
    wide_px, near_px = round(WINDOW * corners.checker_px), THERE_AND_BACK * corners.checker_px
    found, seen = found_again(corners.plain, plain, corners.pixels, guess, wide_px, near_px)
    if len(seen) < LEAST:
        return None
    places = np.column_stack([corners.places_mm[found], np.zeros(len(seen))])
    pose = np.array(camera.rotation_vector).reshape(3, 1), np.array(camera.translation_mm).reshape(3, 1)
    off_px = OFF * corners.checker_px
    cv2.setRNGSeed(1)
    told, borne = cv2.findHomography(corners.pixels[found], seen, cv2.RANSAC, FIRST_OFF * off_px, None, ROUNDS)
    kept = np.flatnonzero(borne) if told is not None else np.empty(0, np.intp)
    now = camera
    for _ in range(REFINED):
        if len(kept) < max(LEAST, LEAST_SHARE * len(seen)) or least_quarter(places[kept]) < LEAST_A_QUARTER:
            return None
        pose = cv2.solvePnPRefineLM(places[kept], seen[kept], camera.matrix, np.array(camera.distortion), *pose)
        now = replace(camera, rotation_vector=_three(pose[0]), translation_mm=_three(pose[1]))
        kept = np.flatnonzero(np.linalg.norm(now.project(places) - seen, axis=1) < off_px)
    away = np.linalg.norm(now.project(places) - camera.project(places), axis=1)
    return now if away.max() <= FARTHEST * corners.checker_px else None


def found_again(
    one: Picture, other: Picture, places: Pixels, guess: Pixels, wide_px: int, near_px: float
) -> tuple[NDArray[np.intp], Floats]:
    """Gets which places of one picture (N x 1 x 2) are found in another, and where (M x 2), looked for near a guess by
    what is around them: those that, looked for from there, are again where they were, to within ``near_px``."""
    there, found = _tracked(one, other, places, guess, wide_px)
    back, again = _tracked(other, one, there, places, wide_px)
    near = np.linalg.norm((back - places).reshape(-1, 2), axis=1) < near_px
    kept = np.flatnonzero(near & found & again)
    return kept, there.reshape(-1, 2)[kept].astype(np.float64)


def _tracked(
    one: Picture, other: Picture, places: Pixels, guess: Pixels, wide_px: int
) -> tuple[Pixels, NDArray[np.bool_]]:
    """Gets where places of one picture (N x 1 x 2) are in another, near a guess, and which are found (N)."""
    there, found, _ = cv2.calcOpticalFlowPyrLK(
        one,
        other,
        places,
        guess.copy(),
        winSize=(wide_px, wide_px),
        maxLevel=LEVELS,
        flags=cv2.OPTFLOW_USE_INITIAL_FLOW,
    )
    return np.asarray(there, dtype=np.float32), np.asarray(found.ravel() > 0)


def without_light(picture: Picture, checker_px: float) -> Picture:
    """Gets a picture without its light: how each pixel differs from those around it."""
    grey = cv2.GaussianBlur(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY).astype(np.float32), (0, 0), SMOOTH_PX)
    away = grey - cv2.GaussianBlur(grey, (0, 0), AROUND * checker_px)
    spread = np.sqrt(cv2.GaussianBlur(away * away, (0, 0), AROUND * checker_px) + FAINTEST**2)
    return np.asarray(np.clip(MIDDLE + UNIT * away / spread, 0, 255), dtype=np.uint8)


def outline_mm(geometry: BoardGeometry) -> Floats:
    """Gets the board's outer corners, trays and rails with it (4 x 3)."""
    x = abs(geometry.tray_x_mm()) + geometry.tray_width_mm / 2 + geometry.rail_width_mm
    y = geometry.field_height_mm / 2 + geometry.rail_width_mm
    return np.array([(-x, -y, 0.0), (x, -y, 0.0), (x, y, 0.0), (-x, y, 0.0)])


def least_quarter(places_mm: Floats) -> int:
    """Gets how many of some places (N x 3) lie in that quarter of the board that has the fewest."""
    quarters = (places_mm[:, 0] > 0) * 2 + (places_mm[:, 1] > 0)
    return int(np.bincount(quarters, minlength=4).min())


def _three(vector: NDArray[Any]) -> tuple[float, float, float]:
    x, y, z = (float(value) for value in np.ravel(vector))
    return x, y, z
