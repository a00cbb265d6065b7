"""Moves a fit so that landmarks lie where they were seen."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from calibration.start.landmarks import Landmark, point_middles, point_tips, points_end_mm
from calibration.start.pose_fit import STEPS, Fit
from calibration.start.stack_rims import TOUCHING, stack_rims

Picture = NDArray[np.uint8]
Floats = NDArray[np.float64]

ROUNDS = 3
"""Landmarks are looked for again where the improved fit expects them; a third round moves no corner by a pixel, but on
boards that lie close below a wide lens."""

MOST_ROUNDS, SETTLED = 24, 0.1
"""So many rounds at most, where the last has moved a corner by more than this, in checkers. Of 78 drawn boards the
third did so on four, of which one was a quarter of a checker off until then."""

MOST, NEAR = 0.8, 0.12
"""And where not so many of the middles of points lie so near to where the fit has them, in widths of a point: it creeps
on. Of 65 boards those of 62 do; of the others one was a third of a checker off, and came to 0.07, and two hardly moved.
"""

SPACING_PARAMETER = 9
BAR_PARAMETER = 10
HEIGHT_PARAMETER = 11

MOST_OF_BAR = 1.0
"""Most by which the logarithm of the bar's width is changed in one step. Where there is no bar it hardly matters how
narrow it is, and equations that hardly tell ask for any step: one made the width infinite, and lost the board."""

HELD = 0.001
"""How exactly the field stays as high as it was, by its logarithm, where no row tells how far rows lie apart: nothing
else does, and what common boards have is no more likely than what was found before."""


def refine_on_landmarks(fit: Fit, empty: Picture, start: Picture) -> Fit:
    """Gets the fit moved onto the landmarks of the empty board and of the starting position."""
    for done in range(MOST_ROUNDS):
        before = fit
        rims, spacing = stack_rims(start, fit.camera, fit.geometry)
        middles = point_middles(empty, fit.camera, fit.geometry)
        tips = point_tips(empty, fit.camera, fit.geometry)
        fit = _solved(fit, [*middles, *rims], tips)
        values = fit.values.copy()
        values[SPACING_PARAMETER] = np.log(spacing / TOUCHING)
        fit = replace(fit, values=values)
        if done + 1 >= ROUNDS and _moved(before, fit) <= SETTLED and _lie_near(middles, fit):
            break
    # Tips are looked for near where common boards have them; those of others are told by all points together.
    return replace(fit, point_length_mm=points_end_mm(empty, fit.camera, fit.geometry))


def _moved(before: Fit, fit: Fit) -> float:
    """Gets how far a round has moved a corner of the field at most, in checkers."""
    away_px = np.linalg.norm(fit.corners_px - before.corners_px, axis=1)
    return float(away_px.max()) / fit.camera.seen_px(fit.geometry.checker_diameter_mm)


def _lie_near(middles: Sequence[Landmark], fit: Fit) -> bool:
    """Whether most middles of points lie near to where a fit has them; where none is seen nothing speaks against it."""
    off_mm = [abs(landmark.off_mm) for landmark in middles]
    return not off_mm or float(np.quantile(off_mm, MOST)) <= NEAR * fit.geometry.point_width_mm


def _solved(fit: Fit, landmarks: Sequence[Landmark], tips: Sequence[Landmark]) -> Fit:
    """Solves for pose, lens and sizes; the length of points is one more unknown, robustly (Cauchy weights).

    Each landmark gives one equation: its place as the changed fit sees it lies where the picture shows it. Without any
    the fit stays as it was, and so it does where nothing above the board sees them so.
    """
    if not landmarks and not tips:
        return fit
    before, start_camera, start_geometry = fit, fit.camera, fit.geometry
    every = [*landmarks, *tips]
    places = np.array([landmark.place_mm for landmark in every])
    axes = np.array([landmark.axis for landmark in every])
    spreads = np.array([landmark.spread_mm for landmark in every])
    moved = places.copy()
    moved[np.arange(len(every)), axes] += [landmark.off_mm for landmark in every]
    seen_px = start_camera.project(moved)
    is_tip = np.arange(len(every)) >= len(landmarks)
    length = start_geometry.point_length_mm
    rows_told = bool((axes[: len(landmarks)] == 1).any())
    height_before = fit.values[HEIGHT_PARAMETER]

    def misfit(trial: Fit, trial_length: float) -> Floats:
        """How far each landmark is seen from where the trial has it, in spreads, along its axis."""
        geometry, camera = trial.geometry, trial.camera
        expected = _carried(places, start_geometry.bar_width_mm, start_geometry.field_height_mm, trial)
        expected[is_tip, 1] = np.sign(places[is_tip, 1]) * (geometry.field_height_mm / 2 - trial_length)
        for height in np.unique(places[:, 2]):
            chosen = places[:, 2] == height
            on_board = camera.to_plane(seen_px[chosen], float(height))
            expected[chosen, :2] -= on_board
        off = expected[np.arange(len(every)), axes]
        held = [] if rows_told else [(trial.values[HEIGHT_PARAMETER] - height_before) / HELD]
        return np.asarray(np.concatenate([off / spreads, trial.prior_misfit(), held]), dtype=np.float64)

    for _ in range(8):
        base = misfit(fit, length)
        columns = []
        for index, step in enumerate(STEPS):
            move = np.zeros(len(STEPS))
            move[index] = step
            columns.append((misfit(fit.moved(move), length) - base) / step)
        columns.append(misfit(fit, length + 0.1) / 0.1 - base / 0.1)
        weights = 1 / np.sqrt(1 + (base / 2) ** 2)
        weights[len(every) :] = 1.0
        jacobian = np.column_stack(columns) * weights[:, None]
        normal = jacobian.T @ jacobian + 1e-9 * np.eye(jacobian.shape[1])
        step_taken = np.asarray(-np.linalg.solve(normal, jacobian.T @ (base * weights)), dtype=np.float64)
        step_taken[BAR_PARAMETER] = np.clip(step_taken[BAR_PARAMETER], -MOST_OF_BAR, MOST_OF_BAR)
        fit, length = fit.moved(step_taken[:-1]), length + float(step_taken[-1])
        if np.abs(step_taken[:-1] / STEPS).max() < 1:
            break
    above = np.isfinite(fit.values).all() and fit.lens_height_seen > 0
    return replace(fit, point_length_mm=length) if above else before


def _carried(places: Floats, bar_width_mm: float, field_height_mm: float, trial: Fit) -> Floats:
    """Gets the places with the sizes of the trial: across measured from the bar, along from the edge."""
    geometry = trial.geometry
    carried = places.copy()
    carried[:, 0] += np.sign(places[:, 0]) * (geometry.bar_width_mm - bar_width_mm) / 2
    carried[:, 1] += np.sign(places[:, 1]) * (geometry.field_height_mm - field_height_mm) / 2
    return carried
