"""Fits camera and board to where checkers of the starting position were seen."""

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import CameraModel
from calibration.geometry import BoardGeometry
from calibration.least_squares import least_squares
from calibration.starting_position import starting_checkers

Floats = NDArray[np.float64]
Part = tuple[slice, slice]
"""Rows and columns of a picture."""

NOMINAL = BoardGeometry()
"""The sizes from which a fit starts. The scale of a board cannot be seen: its points are taken to be this wide."""


@dataclass(frozen=True)
class Prior:
    """What is known before looking: the middle and spread of a parameter."""

    middle: float
    spread: float


PRIORS: dict[str, Prior] = {
    # Web cameras and Raspberry Pi cameras see 50 to 80 degrees along the longer side of their pictures.
    "log_focal": Prior(float(np.log(0.88)), 0.18),
    "k1": Prior(0.0, 0.15),
    "k2": Prior(0.0, 0.06),
    # Checkers are made to fit five to six points abreast: diameter over point width of bought boards.
    "log_checker": Prior(float(np.log(0.94)), 0.04),
    "log_bar": Prior(0.0, 0.2),
    "log_height": Prior(float(np.log(430.0 / 40.5)), 0.07),
}
"""Focal length in the longer side of the picture, sizes in point widths."""

NAMES = ("rx", "ry", "rz", "tx", "ty", "tz", *PRIORS)
PRIOR_MIDDLES = np.array([prior.middle for prior in PRIORS.values()])
PRIOR_SPREADS = np.array([prior.spread for prior in PRIORS.values()])
POSE_SIZE = 6
FOCAL, BAR = (list(PRIORS).index(name) for name in ("log_focal", "log_bar"))
STRANGEST_BAR = -5.0
"""A bar is no narrower than so many spreads: those of printed and folded boards, under four tenths of a point, are one
kind, of which none is stranger than another. By its logarithm none at all would be impossible."""

LENS_HEIGHT_SPREAD = 0.03
"""How exactly somebody measures how high the lens is above the board, as a share of it: 3 cm of a metre."""


@dataclass(frozen=True)
class Fit:
    """A camera and a board as a vector of parameters, in the order of ``NAMES``; translation in point widths.

    ``lens_height``: how high the lens is above the board, in widths of the field, where somebody has measured it.
    """

    values: Floats
    size_px: tuple[int, int]
    home_on_right: bool
    point_length_mm: float | None = None
    lens_height: float | None = None

    @property
    def camera(self) -> CameraModel:
        """The camera that the parameters stand for."""
        width, height = self.size_px
        focal = float(np.exp(self.values[6])) * max(width, height)
        translation = self.values[3:6] * NOMINAL.point_width_mm
        return CameraModel(
            width,
            height,
            focal,
            focal,
            (width - 1) / 2,
            (height - 1) / 2,
            (float(self.values[7]), float(self.values[8]), 0.0, 0.0, 0.0),
            (float(self.values[0]), float(self.values[1]), float(self.values[2])),
            (float(translation[0]), float(translation[1]), float(translation[2])),
        )

    @property
    def geometry(self) -> BoardGeometry:
        """The board that the parameters stand for."""
        unit = NOMINAL.point_width_mm
        diameter = unit * float(np.exp(self.values[9]))
        height = unit * float(np.exp(self.values[11]))
        return replace(
            NOMINAL,
            checker_diameter_mm=diameter,
            checker_height_mm=diameter * NOMINAL.checker_height_mm / NOMINAL.checker_diameter_mm,
            bar_width_mm=unit * self.bar_width,
            field_height_mm=height,
            point_length_mm=self.point_length_mm or height * NOMINAL.point_length_mm / NOMINAL.field_height_mm,
            home_on_right=self.home_on_right,
        ).with_likely_bar

    @property
    def corners_px(self) -> Floats:
        """Where the field's corners are seen (4 x 2), in the order of ``BoardGeometry.corners``."""
        return self.camera.project([(x, y, 0.0) for x, y in self.geometry.corners])

    @property
    def bar_width(self) -> float:
        """How wide the bar is, in points."""
        return float(np.exp(self.values[POSE_SIZE + BAR]))

    @property
    def lens_height_seen(self) -> float:
        """How high the lens is above the board, in widths of the field, as the parameters have it."""
        return lens_height(self.camera, self.geometry)

    def prior_misfit(self) -> Floats:
        """Gets how far each parameter with a prior is from its middle, in spreads; the width of a bar no further than
        ``STRANGEST_BAR``. Where the height of the lens is given, that is held against it, and no focal length."""
        off = np.asarray((self.values[POSE_SIZE:] - PRIOR_MIDDLES) / PRIOR_SPREADS, dtype=np.float64)
        off[BAR] = max(off[BAR], STRANGEST_BAR)
        if self.lens_height is not None:
            off[FOCAL] = (self.lens_height_seen / self.lens_height - 1) / LENS_HEIGHT_SPREAD
        return off

    def moved(self, step: Floats) -> "Fit":
        """Gets the fit with ``step`` added to its parameters."""
        return replace(self, values=self.values + step)


def lens_height(camera: CameraModel, geometry: BoardGeometry) -> float:
    """Gets how high a camera's lens is above a board, in widths of the field."""
    return float(camera.position_mm[2]) / geometry.field_width_mm


def fit_from_corners(
    corners_px: Floats, size_px: tuple[int, int], home_on_right: bool, bar_width: float = 1.0
) -> Fit | None:
    """Gets a first fit from four corners of the field, in the order of ``BoardGeometry.corners``.

    ``bar_width`` is in point widths. None when no camera above the board sees the corners so.
    """
    values = np.zeros(len(NAMES))
    values[POSE_SIZE:] = PRIOR_MIDDLES
    values[NAMES.index("log_bar")] += np.log(bar_width)
    return posed_on(Fit(values, size_px, home_on_right), corners_px)


def posed_on(fit: Fit, corners_px: Floats) -> Fit | None:
    """Gets a fit with its camera placed so that it sees the field's corners (4 x 2) nearest to where they were seen;
    None when no camera above the board does."""
    camera, corners = fit.camera, np.array([(x, y, 0.0) for x, y in fit.geometry.corners])
    lens = np.array(camera.distortion)
    found, rotations, translations, _ = cv2.solvePnPGeneric(
        corners, corners_px.reshape(4, 1, 2).astype(np.float64), camera.matrix, lens, flags=cv2.SOLVEPNP_IPPE
    )
    if not found:
        return None
    fits = []
    for rotation, translation in zip(rotations, translations, strict=True):
        values = fit.values.copy()
        values[:3] = np.asarray(rotation).ravel()
        values[3:6] = np.asarray(translation).ravel() / NOMINAL.point_width_mm
        posed = replace(fit, values=values)
        if posed.camera.position_mm[2] > 0:
            misfit = posed.camera.project(corners) - corners_px
            fits.append((float(np.square(misfit).sum()), posed))
    return min(fits, key=lambda entry: entry[0])[1] if fits else None


STEPS = np.array([1e-4, 1e-4, 1e-4, 1e-3, 1e-3, 1e-3, 1e-3, 1e-3, 1e-3, 1e-3, 1e-3, 1e-3])
"""Steps for derivatives, each moving the picture by some hundredths of a pixel to a pixel."""

MOST_PX, SHIFT = 8000, 4
SIXTEENTHS = 1 << SHIFT
"""What is seen further than so many pixels away is not drawn; pixels are drawn in parts of 2 ** -4."""

AROUND = 0.2
"""So much of the board's width around it counts for a fit: a first guess is off by less."""

CIRCLE = np.array([(np.cos(turn), np.sin(turn)) for turn in np.linspace(0, 2 * np.pi, 24, endpoint=False)])


def outlines(fit: Fit, scale: float) -> list[NDArray[np.int32]]:
    """Gets the outlines (each N x 1 x 2) of the starting position's checkers as the camera sees them, in sixteenths of
    a pixel of a picture ``scale`` times the size; without any that lie far beside it."""
    geometry, camera = fit.geometry, fit.camera
    radius, thickness = geometry.checker_diameter_mm / 2, geometry.checker_height_mm
    middles = np.array([(x, y) for _, (x, y, _) in starting_checkers(geometry)])
    rims = middles[:, None, :] + radius * CIRCLE[None]
    low = np.concatenate([rims, np.zeros((*rims.shape[:2], 1))], axis=2)
    high = np.concatenate([rims, np.full((*rims.shape[:2], 1), thickness)], axis=2)
    both = np.concatenate([low, high], axis=1)
    pixels = (camera.project(both.reshape(-1, 3)).reshape(len(middles), -1, 2) + 0.5) * scale - 0.5
    near = pixels[np.abs(pixels).max(axis=(1, 2)) < MOST_PX]
    return [np.asarray(cv2.convexHull(part), dtype=np.int32) for part in np.rint(near * SIXTEENTHS).astype(np.int32)]


def expected_mask(fit: Fit, part: Part, scale: float, blur_px: float) -> NDArray[np.float32]:
    """Gets where the starting position should cover the board, 0 to 1, in a part of a picture ``scale`` times the
    size."""
    rows, columns = part
    mask = np.zeros((rows.stop - rows.start, columns.stop - columns.start), np.uint8)
    corner = np.array([columns.start, rows.start], np.int32) * SIXTEENTHS
    for outline in outlines(fit, scale):
        cv2.fillConvexPoly(mask, outline - corner, 255, cv2.LINE_AA, SHIFT)
    return blurred(mask.astype(np.float32) / 255.0, blur_px)


def whole(seen: NDArray[np.float32]) -> Part:
    """Gets the part of a picture (H x W) that is all of it."""
    return slice(0, seen.shape[0]), slice(0, seen.shape[1])


def refine_on_mask(fit: Fit, seen: NDArray[np.float32], scale: float, blur_px: float, rounds: int) -> tuple[Fit, float]:
    """Gets the fit moved so that the expected checkers cover what ``seen`` shows, and the share of change explained.

    ``seen`` (H x W, 0 to 1) is ``scale`` times the size of the picture. Least squares of the blurred masks, by the part
    around the board: what is seen beyond draws no checker.
    """
    blurry = blurred(seen, blur_px)
    part = _around(fit, whole(seen), scale)
    target = blurry[part]
    weight = np.sqrt(np.pi) * 2 * blur_px  # neighbouring pixels of a blurred mask say the same thing

    def misfit(values: Floats) -> Floats:
        trial = replace(fit, values=values)
        image = (expected_mask(trial, part, scale, blur_px) - target).ravel() / (0.15 * weight)
        return np.concatenate([image.astype(np.float64), trial.prior_misfit()])

    values = least_squares(misfit, fit.values, STEPS * 4, damping=1e-2, rounds=rounds, tries=4)
    fit = replace(fit, values=values)
    return fit, overlap(expected_mask(fit, whole(seen), scale, blur_px), blurry)


def _around(fit: Fit, picture: Part, scale: float) -> Part:
    """Gets the part of a picture ``scale`` times the size in which the starting position is seen, with what is around
    it."""
    drawn = outlines(fit, scale)
    if not drawn:
        return picture
    places = np.concatenate(drawn).reshape(-1, 2) / SIXTEENTHS
    first, last = places.min(axis=0), places.max(axis=0)
    margin = AROUND * float((last - first).max())
    (left, top), (right, bottom) = (np.rint([first - margin, last + margin])).astype(int).tolist()
    rows, columns = picture
    part = slice(max(top, 0), min(bottom, rows.stop)), slice(max(left, 0), min(right, columns.stop))
    return part if part[0].start < part[0].stop and part[1].start < part[1].stop else picture


def blurred(mask: NDArray[np.float32], blur_px: float) -> NDArray[np.float32]:
    """Gets a mask (H x W) blurred by a Gaussian."""
    return np.asarray(cv2.GaussianBlur(mask, (0, 0), blur_px), dtype=np.float32)


def overlap(expected: NDArray[np.float32], seen: NDArray[np.float32]) -> float:
    """Gets how alike two masks are: the correlation coefficient, 1 for the same, and 0 where one of them is plain."""
    if not (np.ptp(expected) and np.ptp(seen)):
        return 0.0
    return float(np.corrcoef(expected.ravel(), seen.ravel())[0, 1])
