"""How high the camera's lens is above the board, where somebody has measured it.

Seen from straight above, a board near by through a wide lens looks as it does from far away through a usual one: only
what stands on it, a checker or a die, is seen from another side. Heights are in widths of the field.
"""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from calibration.errors import CalibrationError
from calibration.least_squares import least_squares
from calibration.start.landmark_fit import refine_on_landmarks
from calibration.start.pose_fit import FOCAL, POSE_SIZE, STEPS, Fit, posed_on
from calibration.starting_position import starting_checkers

Picture = NDArray[np.uint8]
Floats = NDArray[np.float64]

FOCAL_ROUNDS = 3
"""So often is a focal length made to fit a height: a tilted board is seen with less perspective from farther away, so
that once is not enough."""

LENS_DEG = (20.0, 140.0)
"""What lenses see along the longer side of a picture, from a telephone's second lens to the widest. By nothing else
does a height that was measured wrongly show where a camera hangs straight above."""

SEEN_AT = 0.2
"""How exactly a lens at another height should have checkers where they were seen, in checkers (standard deviation):
landmarks tell the rest. Where exactly a lens taken for a longer one has them is as wrong as its height."""

ROUNDS, TRIES, DAMPING = 30, 4, 1e-2
"""How least squares are sought (`least_squares`)."""

NEARLY_HIGH, ABOUT_THERE = 0.15, 1.0
"""A fit that was raised has its lens as high as was measured up to this share of it, and the field's corners where they
were seen up to so many checkers: half a one through a lens of 99 degrees."""


def at_height(fit: Fit, lens_height: float, empty: Picture, start: Picture) -> Fit:
    """Gets a fit with its lens as high as somebody has measured, so much longer and bent so that it sees the starting
    position where it was seen before, and moved onto the landmarks.

    :raises CalibrationError: when no lens would show the board so from there.
    """
    first = _longer(fit, lens_height)
    there = refine_on_landmarks(_bent(first, fit), empty, start) if _is_a_lens(first) else None
    if there is None or not _shows_alike(there, fit, lens_height):
        raise CalibrationError(
            f"no lens that is {lens_height:.2f} times as high above the board as the field is wide would show it so; "
            f"it seems to be {fit.lens_height_seen:.2f} times as high: measure both once more (--lens-height)"
        )
    return there


def _longer(fit: Fit, lens_height: float) -> Fit:
    """Gets a fit with its lens so high and so much longer that it sees the field's corners about as before."""
    corners_px, there = fit.corners_px, replace(fit, lens_height=lens_height)
    for _ in range(FOCAL_ROUNDS):
        values = there.values.copy()
        values[POSE_SIZE + FOCAL] += np.log(lens_height / there.lens_height_seen)
        there = posed_on(replace(there, values=values), corners_px) or there
    return there


def _bent(there: Fit, fit: Fit) -> Fit:
    """Gets the first fit moved and bent so that it has the starting position's checkers where the other has them."""
    seen_px, spread_px = _checkers_px(fit), SEEN_AT * fit.camera.seen_px(fit.geometry.checker_diameter_mm)

    def misfit(values: Floats) -> Floats:
        trial = replace(there, values=values)
        off = (_checkers_px(trial) - seen_px).ravel() / spread_px
        return np.asarray(np.concatenate([off, trial.prior_misfit()]), dtype=np.float64)

    with np.errstate(all="ignore"):  # a step too far is no camera, and is not taken
        return replace(there, values=least_squares(misfit, there.values, STEPS, DAMPING, ROUNDS, TRIES))


def _checkers_px(fit: Fit) -> Floats:
    """Gets where a fit has the checkers of the starting position (30 x 2 pixels)."""
    return fit.camera.project(np.array([place for _, place in starting_checkers(fit.geometry)]))


def _is_a_lens(there: Fit) -> bool:
    """Whether a fit's lens sees as much as lenses do."""
    lens_deg = np.degrees(2 * np.arctan(max(there.size_px) / 2 / there.camera.focal_x_px))
    return bool(LENS_DEG[0] <= lens_deg <= LENS_DEG[1])


def _shows_alike(there: Fit, fit: Fit, lens_height: float) -> bool:
    """Whether the lens of a fit is about as high as was measured, and it shows the field about where another does."""
    is_as_high = abs(there.lens_height_seen / lens_height - 1) < NEARLY_HIGH
    off_px = float(np.linalg.norm(there.corners_px - fit.corners_px, axis=1).max())
    return is_as_high and off_px < ABOUT_THERE * fit.camera.seen_px(fit.geometry.checker_diameter_mm)
