"""Fits a camera and a board to the four corners of the field in a photograph whose camera nobody knows.

Four corners are eight measurements; place and direction of the camera are six unknowns, and how long its lens is, how
high the field is for its width, how wide the bar, and, where a picture was cut out of a larger one, where the lens'
axis lies are more. What the corners leave open is taken as it usually is.
"""

from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import CameraModel
from calibration.corners import are_within
from calibration.geometry import BoardGeometry
from calibration.least_squares import least_squares
from calibration.start.pose_fit import NOMINAL, PRIORS, Prior

Floats = NDArray[np.float64]

POINTS_A_SIDE = 12
"""Points from one side of the field to the other; the bar is between them."""

FOCAL = Prior(float(np.log(1.65)), 0.45)
"""Focal length over the length of the field's longer side, both in pixels, as a logarithm: web cameras and telephones
that show the whole board have 1.0 to 1.6, one that hangs higher or is zoomed in 2 and more. It is the same in a part
that was cut out of a picture, as the focal length over the picture's width is not."""

CUT_OUT_FOCAL = Prior(float(np.log(1.9)), 0.45)
"""The same where corners lie outside: parts are cut out of pictures that show more than the board, from further away.
With it the cameras of 103 parts of renders that may be learned from are 3.7 degrees off (root mean square) instead of
4.3, of 285 of drawn and traced boards 2.9 instead of 3.9."""

BAR_SPREAD = 0.05
"""How far off (logarithm) a bar's width may be from the one that is tried."""

AXIS_SPREAD = 0.02
"""How far the lens' axis is from the middle of a whole picture, in picture sizes."""

CUT_OUT_SPREAD = 0.15
"""How far the axis is from the middle of the field where corners lie outside, so that the picture is a part of another,
in lengths of the field's longer side: who takes a picture of a board aims at it."""

GIVEN_OUTSIDE = 0.02
"""A corner that is given so far outside, in picture sizes, is outside for certain: it was given by eye."""

CORNER = 0.002
"""How exact a corner is given, in lengths of the longer side: a pixel or two."""

STEPS = np.array([1e-4, 1e-4, 1e-4, 1e-3, 1e-3, 1e-3, 1e-3, 1e-3, 1e-3, 0.1, 0.1])
"""Steps for derivatives: turn, place in point widths, logarithms of focal length, height and bar, axis in pixels."""

POSE, FOCAL_AT, HEIGHT_AT, BAR_AT, AXIS_AT = 6, 6, 7, 8, 9
ROUNDS, TRIES = 25, 6


def pose_from_corners(
    corners_px: Floats, size_px: tuple[int, int], home_on_right: bool, bar_width: float
) -> tuple[CameraModel, BoardGeometry] | None:
    """Gets the camera (without distortion) and board that put the field's corners (4 x 2 pixels, in the order of
    ``BoardGeometry.corners``) where they are, in a picture of ``size_px`` (width, height).

    ``bar_width`` is in point widths. None when no camera above the board sees the corners so.
    """
    best = CornerFit(corners_px, size_px, bar_width).best()
    return None if best is None else (camera_of(best, size_px), _geometry(best, home_on_right))


def poses_of_plane(corners: Floats, corners_px: Floats, matrix: Floats) -> list[Floats]:
    """Gets the poses (6 each: rotation vector, place by the camera) from which a camera (``matrix``: 3 x 3, no
    distortion) sees four corners (4 x 3, in one plane) in pixels (4 x 2)."""
    found = []
    for method in (cv2.SOLVEPNP_IPPE, cv2.SOLVEPNP_ITERATIVE):  # the first fails for a camera exactly above
        _, turns, shifts, _ = cv2.solvePnPGeneric(corners, corners_px.reshape(4, 1, 2), matrix, None, flags=method)
        poses = [np.concatenate([np.ravel(turn), np.ravel(shift)]) for turn, shift in zip(turns, shifts, strict=True)]
        found += [np.asarray(pose, dtype=np.float64) for pose in poses if np.isfinite(pose).all()]
    return found


class CornerFit:
    """The corners of one photograph, and what is usual: how well eleven values (a turn and a place by the camera, the
    logarithms of focal length, height and bar, the lens' axis in pixels) explain them."""

    def __init__(
        self, corners_px: Floats, size_px: tuple[int, int], bar_width: float, is_part: bool | None = None
    ) -> None:
        """``is_part``: whether the picture was cut out of another, or holds one as a part; left out, by the corners."""
        self.corners_px = corners_px
        sides = corners_px - np.roll(corners_px, 1, axis=0)
        self.side_px = float(np.linalg.norm(sides, axis=1).max())
        size = np.array(size_px, dtype=np.float64)
        whole = are_within(corners_px, size_px, GIVEN_OUTSIDE) if is_part is None else not is_part
        self.is_part = not whole
        axis = (size - 1) / 2 if whole else middle_of(corners_px)
        axis_spread = AXIS_SPREAD * size.max() if whole else CUT_OUT_SPREAD * self.side_px
        focal, height = FOCAL if whole else CUT_OUT_FOCAL, PRIORS["log_height"]
        self.usual = np.array([focal.middle + np.log(self.side_px), height.middle, np.log(bar_width), *axis])
        self.spreads = np.array([focal.spread, height.spread, BAR_SPREAD, axis_spread, axis_spread])

    def misfit(self, values: Floats) -> Floats:
        """Gets how far the corners and what is usual are missed, in spreads: infinitely by a camera below the board."""
        seen_px, _ = cv2.projectPoints(_corners(values), values[:3], values[3:6], _matrix(values), np.empty(0))
        off = (seen_px.reshape(-1, 2) - self.corners_px) / (CORNER * self.side_px)
        missed = np.concatenate([off.ravel(), (values[POSE:] - self.usual) / self.spreads])
        return missed if is_above(values) else np.full_like(missed, np.inf)

    def best(self) -> Floats | None:
        """Gets the values that explain the corners best; None when no camera above the board sees them so."""
        fitted = [(float(np.square(self.misfit(values)).sum()), values) for values in map(self.refined, self.starts())]
        return min(fitted, key=lambda entry: entry[0], default=(0.0, None))[1]

    def starts(self) -> list[Floats]:
        """Gets the poses above the board from which a plane with usual proportions looks as the corners do."""
        values = np.concatenate([np.zeros(POSE), self.usual])
        poses = poses_of_plane(_corners(values), self.corners_px, _matrix(values))
        starts = [np.concatenate([pose, self.usual]) for pose in poses]
        return [start for start in starts if is_above(start)]

    def refined(self, values: Floats) -> Floats:
        """Gets the values moved to where the misfit is least."""
        return least_squares(self.misfit, values, STEPS, damping=1e-3, rounds=ROUNDS, tries=TRIES)


def _corners(values: Floats) -> Floats:
    """Gets the field's corners (4 x 3) in point widths."""
    half_width, half_height = (POINTS_A_SIDE + np.exp(values[BAR_AT])) / 2, np.exp(values[HEIGHT_AT]) / 2
    signs = np.array([(-1, -1, 0), (1, -1, 0), (1, 1, 0), (-1, 1, 0)], dtype=np.float64)
    return signs * (half_width, half_height, 0.0)


def _matrix(values: Floats) -> Floats:
    focal = np.exp(values[FOCAL_AT])
    return np.array([[focal, 0, values[AXIS_AT]], [0, focal, values[AXIS_AT + 1]], [0, 0, 1]], dtype=np.float64)


def is_above(values: Floats) -> bool:
    """Whether the camera is above the board."""
    rotation = np.asarray(cv2.Rodrigues(values[:3])[0], dtype=np.float64)
    return bool(-(rotation.T @ values[3:6])[2] > 0)


def middle_of(corners_px: Floats) -> Floats:
    """Gets where the field's diagonals cross, which is its middle from whatever side it is seen."""
    first, second, third, fourth = corners_px
    along = np.linalg.lstsq(np.column_stack([third - first, second - fourth]), second - first, rcond=None)[0]
    return np.asarray(first + along[0] * (third - first), dtype=np.float64)


def camera_of(values: Floats, size_px: tuple[int, int]) -> CameraModel:
    """Gets the camera (without distortion) of a fit's values."""
    focal = float(np.exp(values[FOCAL_AT]))
    turn, shift = values[:3], values[3:6] * NOMINAL.point_width_mm
    return CameraModel(
        size_px[0],
        size_px[1],
        focal,
        focal,
        float(values[AXIS_AT]),
        float(values[AXIS_AT + 1]),
        (0.0, 0.0, 0.0, 0.0, 0.0),
        (float(turn[0]), float(turn[1]), float(turn[2])),
        (float(shift[0]), float(shift[1]), float(shift[2])),
    )


def _geometry(values: Floats, home_on_right: bool) -> BoardGeometry:
    unit = NOMINAL.point_width_mm
    height = unit * float(np.exp(values[HEIGHT_AT]))
    diameter = unit * float(np.exp(PRIORS["log_checker"].middle))
    return replace(
        NOMINAL,
        checker_diameter_mm=diameter,
        checker_height_mm=diameter * NOMINAL.checker_height_mm / NOMINAL.checker_diameter_mm,
        bar_width_mm=unit * float(np.exp(values[BAR_AT])),
        field_height_mm=height,
        point_length_mm=height * NOMINAL.point_length_mm / NOMINAL.field_height_mm,
        home_on_right=home_on_right,
    ).with_likely_bar
