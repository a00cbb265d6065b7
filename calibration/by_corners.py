"""Places camera and board by the corners of the field where what changed between the two pictures does not show them.

A camera that evens out contrast from place to place, or whose pictures are full of coloured noise, changes all of the
board as soon as checkers lie on it. Its points are seen all the same, and tell where the field is. Whether the starting
position lies on it, and on which side home is, is told by whether the rims of checkers are seen where they should be,
and colours of the two seats where each's belong.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from calibration.colours import APART, seats_apart
from calibration.corners import Corners, are_within
from calibration.field.corner_fit import corners_at_points
from calibration.field.find import FOUND_OUTSIDE, LEAST, LEAST_ALONE, LEAST_TWICE, FoundField
from calibration.least_squares import least_squares
from calibration.start.landmark_fit import refine_on_landmarks
from calibration.start.pose_fit import STEPS, Fit, fit_from_corners
from calibration.start.row_ends import rows_are_shifted
from calibration.start.stack_rims import rims_of_stacks, rims_seen
from calibration.starting_position import starting_checkers

Picture = NDArray[np.uint8]
Floats = NDArray[np.float64]

CORNER_SPREAD_PX = 2.0
"""How exactly corners are known (standard deviation) once they were moved to where the points are seen."""
ROUNDS, TRIES, DAMPING = 20, 4, 1e-2
"""How least squares are sought (`least_squares`)."""
LEAST_BAR, BAR_SPREAD = 0.02, 0.05
"""A fit's bar is at least so wide, in points: as good as none. And how exactly it is known where a field was found."""
NEAR_CHECKERS = 0.5
"""Corners of a fit are where they were given when each is nearer than this, in checkers."""
SOME_RIMS, LEAST_SHOWN = 1.05, 1e-3
"""The starting position's picture shows so much more of the rims of checkers than the empty board's at least: on 50
boards 1.24 to 2.25 times as much, in much noise 1.18; with the two pictures exchanged 1.04 at most. In one light: a
longer exposure shows more of what there is. And the least that any picture shows."""
MORE_RIMS, EACH_MORE = 1.1, 1.03
"""So many times as much of the rims of checkers the starting position shows at least where corners were found and not
given, and so many times as much of each of its stacks: on eleven boards in even contrast and in coloured noise 1.1 to
2.2 times, of no stack less than 1.03. On 44 boards of games in progress there was a stack with 1.01 at most wherever
the colours of both seats were apart."""
PLAIN_RIMS = 1.17
"""So many times as much where it is plain that a board was found by its checkers: one that was found a column off in
such noise showed 1.07, on 50 boards they showed 1.18 and more; one that was found most of a column off, as the camera
had been nudged between the two, 1.33, and of one stack 0.98. Of each stack, where the points of the empty board are
seen but not plainly: beside a right field that counts less than ``LEAST`` all eight showed 1.58 and more, beside two
that were a column off there was one with 1.03 and 1.01 (one drawn board, and a script that is not kept)."""


def placed_by_corners(corners: Corners, empty: Picture, start: Picture) -> Fit | None:
    """Gets the fit to the field's corners as somebody gives them; None when no camera sees them so, or no checkers lie
    there."""
    placed = _fits(corners_at_points(empty, corners), empty, start)
    fits = [fit for fit in placed if _rims(fit, empty, start) >= SOME_RIMS]
    return max(fits, key=lambda fit: seats_apart(fit.camera, fit.geometry, start), default=None)


def placed_by_points(fields: Sequence[FoundField], empty: Picture, start: Picture) -> Fit | None:
    """Gets the fit to the likeliest of the ``fields`` whose points are seen on the empty board, where the starting
    position plainly lies on it, the more so where the points are less plain; None where there is no such field, or
    something else lies there."""
    size = (empty.shape[1], empty.shape[0])
    if not fields or fields[0].rating < LEAST_TWICE or not are_within(fields[0].corners, size, FOUND_OUTSIDE):
        return None
    placed = _fits(fields[0].corners, empty, start, max(fields[0].bar, LEAST_BAR))
    each_more = EACH_MORE if fields[0].rating >= LEAST else PLAIN_RIMS
    fits = [fit for fit in placed if _is_plain(fit, empty, start, each_more)]
    return max(fits, key=lambda fit: seats_apart(fit.camera, fit.geometry, start), default=None)


def is_as_given(fit: Fit, corners: Corners) -> bool:
    """Whether a fit has the field's corners where they were given."""
    off_px = np.linalg.norm(fit.corners_px - np.array(corners), axis=1)
    return bool(off_px.max() <= NEAR_CHECKERS * fit.camera.seen_px(fit.geometry.checker_diameter_mm))


def points_elsewhere(fields: Sequence[FoundField], fit: Fit) -> FoundField | None:
    """Gets the field whose points the empty board shows beyond doubt, the likeliest of its ``fields``, where a fit has
    it elsewhere; None where it does not, or no field is beyond doubt."""
    if not fields or fields[0].rating < LEAST_ALONE:
        return None
    best = fields[0]
    is_there = any(is_as_given(fit, each.corners) for each in (best, best.turned))
    return None if is_there else best


def plainer(fit: Fit | None, other: Fit | None, empty: Picture, start: Picture) -> Fit | None:
    """Gets that of two fits where rims of checkers are seen more plainly in the starting position, against the empty
    board; the one that there is."""
    if fit is None or other is None:
        return fit or other
    return other if _rims(other, empty, start) > _rims(fit, empty, start) else fit


def _rims(fit: Fit, empty: Picture, start: Picture) -> float:
    """Gets how many times as much of the rims of checkers the starting position shows as the empty board does."""
    shown_empty, shown = (rims_seen(each, fit.camera, fit.geometry) for each in (empty, start))
    return shown / max(shown_empty, LEAST_SHOWN)


def shows_start(
    fit: Fit, empty: Picture, start: Picture, more: float = PLAIN_RIMS, each_more: float = EACH_MORE
) -> bool:
    """Whether the starting position is plainly seen where a fit has it: rims of checkers ``more`` times as much as on
    the empty board, and ``each_more`` times of each of its stacks, the rows of which begin at the edge."""
    shown_empty, shown = (rims_of_stacks(each, fit.camera, fit.geometry) for each in (empty, start))
    of_each = bool((shown >= each_more * shown_empty).all())
    of_all = float(shown.mean()) >= more * float(shown_empty.mean())
    return of_each and of_all and not rows_are_shifted(fit.camera, fit.geometry, empty, start)


def _is_plain(fit: Fit, empty: Picture, start: Picture, each_more: float) -> bool:
    """Whether the starting position plainly lies where a fit has it, ``each_more`` as in :func:`shows_start`."""
    return (
        shows_start(fit, empty, start, MORE_RIMS, each_more) and seats_apart(fit.camera, fit.geometry, start) >= APART
    )


def _fits(corners: Corners, empty: Picture, start: Picture, bar_width: float | None = None) -> list[Fit]:
    """Gets fits to corners with home on either side, as landmarks bear them out. ``bar_width``: how wide the bar looks,
    in points, where that was seen."""
    given_px = np.array(corners, dtype=np.float64)
    size_px = (start.shape[1], start.shape[0])
    firsts = (fit_from_corners(given_px, size_px, home, bar_width or 1.0) for home in (True, False))
    placed = (_on_corners(fit, given_px, bar_width) for fit in firsts if fit is not None)
    return [refine_on_landmarks(fit, empty, start) for fit in placed if _is_in_view(fit)]


def _on_corners(fit: Fit, given_px: Floats, bar_width: float | None) -> Fit:
    """Gets a first fit with its corners where they were given (4 x 2), and its bar as wide, as far as usual cameras and
    boards allow."""

    def misfit(values: Floats) -> Floats:
        trial = replace(fit, values=values)
        off = (trial.corners_px - given_px).ravel() / CORNER_SPREAD_PX
        bar = [] if bar_width is None else [(trial.bar_width - bar_width) / BAR_SPREAD]
        return np.asarray(np.concatenate([off, bar, trial.prior_misfit()]), dtype=np.float64)

    return replace(fit, values=least_squares(misfit, fit.values, STEPS, DAMPING, ROUNDS, TRIES))


def _is_in_view(fit: Fit) -> bool:
    """Whether all checkers of the starting position are within the picture."""
    places = fit.camera.project(np.array([place for _, place in starting_checkers(fit.geometry)]))
    return bool(((places > 0) & (places < np.array(fit.size_px) - 1)).all())
