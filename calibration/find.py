"""Finds camera and board from a picture of the empty board and one of the starting position."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain

import cv2
import numpy as np
from numpy.typing import NDArray

from boardctl.rules import Seat
from calibration.by_corners import (
    SOME_RIMS,
    is_as_given,
    placed_by_corners,
    placed_by_points,
    plainer,
    points_elsewhere,
    shows_start,
)
from calibration.colours import HARDLY_APART, TELL_APART, seats_apart, seats_lightness
from calibration.corners import Corners, Side, is_seat_a_at
from calibration.difference import changed
from calibration.errors import CalibrationError
from calibration.field.find import as_option, rated_fields
from calibration.field.in_view import parts_by_board
from calibration.follow import LEAST_A_QUARTER, least_quarter, outline_mm
from calibration.home_tray import has_home_tray
from calibration.installation import Calibration
from calibration.light.between import in_one_light, lit_alike
from calibration.light.enough import burnt_out, check_light, check_pictures
from calibration.light.flicker import steadied
from calibration.light.tones import with_tones_of
from calibration.start.landmark_fit import refine_on_landmarks
from calibration.start.lens_height import at_height
from calibration.start.moved import Motion, motions
from calibration.start.pose_fit import Fit, blurred, expected_mask, fit_from_corners, overlap, refine_on_mask, whole
from calibration.start.quads import candidate_quads
from calibration.start.row_ends import rows_are_shifted
from calibration.start.rows_in_view import parts_by_rows
from calibration.start.stack_rims import rims_seen

Picture = NDArray[np.uint8]
Floats = NDArray[np.float64]

FINE_WIDTH_PX = 640
COARSE_WIDTH_PX = 320
"""Widths to which pictures are scaled to get it right and to get near: checkers are some 20 and 10 pixels across."""

COARSE_BLUR_PX = 2.0
FINE_BLUR_PX = 1.5
"""Blur of the masks in the scaled pictures: a quarter of a checker to get near, a tenth to get it right."""

NARROW_BAR = 0.3
"""Width of the bar, in points, from which on boards are looked for where else none is found: printed and folded ones
have it. One of 1,100 boards, 12.4 points by 11.8, was not found from a bar as wide as a point on."""

CANDIDATES = 2
"""First guesses that are refined in any case: the likeliest. Nearly always the right one is the likeliest of all."""

MOST_CANDIDATES, NEARLY_AS_LIKELY = 6, 0.6
"""Where neither fits, up to so many in all are tried, of those at so much of the likeliness of the best. Of two boards
with trays on both sides the right one was the third, at 0.75 and 0.93 of it, and of one without rails the second, at
0.64. Wrong ones that fit all the same, if badly, were at 0.55 of it at most, on 30 boards."""

PLAIN_OVERLAP = 0.88
"""Correlation from which a fit is right however unlikely the guess from which it came: where a wide lens bends the
outline of a board, or noise frays its rows, the right guess may be the fourth, at half the likeliness of the best."""

MIN_OVERLAP = 0.75
"""Least correlation of expected and seen checkers, coarsely. Fitted to one plain rectangle they reach 0.6 to 0.7, as
two rows of stacks overlap it somewhat; fitted to a starting position 0.86 to 0.99."""

MAX_STRANGENESS = 100.0
"""Most by which camera and board may differ from usual ones: as if all six parameters lay four spreads off. Boards
reach 1 to 25; what is no board and is fitted all the same, hundreds."""

RIM_LEVEL = 0.4
"""Certainty from which a pixel counts as changed where rims are looked for; they are thin, and seen more faintly."""

MOST_OF_PICTURE = 0.05
"""Share of the picture that a row of five checkers takes at most: field and trays are as wide as thirty rows."""

MIN_CHECKER_PX = 18.0
"""A checker must be this wide in the picture: below, a die (a third of it) has six pixels and nothing can be read."""

MAX_TILT_DEG = 40.0
"""Beyond this angle between the camera's view and the upright, checkers hide their neighbours."""

GIVE_CORNERS = "give the corners of the field (--corners)"
KEEP_STILL = (
    "set up all 30 checkers, do not move camera or board, keep hands out of both pictures and take them in one light, "
    "or "
)
"""What is to be done where no board is found, or another one."""


def calibrate(
    empty: Picture,
    start: Picture,
    corners: Corners | None = None,
    seat_a: Side | None = None,
    lens_height: float | None = None,
) -> Calibration:
    """Gets the calibration from the empty board and the starting position (each H x W x 3, one camera).

    Where camera or board were nudged in between, or the camera has chosen another exposure, white or contrast, it is
    that of the second picture, and its picture of the empty board is as that would be now. Where a shadow lay over a
    part of one of the pictures, that one is as it would be without. Where a lamp flickers the second picture is as it
    would be with the bands of the first. Whether the board has trays is told by the picture of it empty.

    ``corners``: the playing field's outer corners in pixels, where they are known: A's left, A's right, B's side
    above A's right, B's side above A's left. ``seat_a``: where they are not, at which side of the picture seat A sits;
    left out, she has the lighter checkers. ``lens_height``: how high the lens is above the board, in widths of the
    field, where that was measured: seen from nearly straight above the pictures hardly tell it.

    :raises CalibrationError: with the reason and what to change.
    """
    check_pictures(empty, start)
    advice = KEEP_STILL + ("give the corners of the field more exactly" if corners else GIVE_CORNERS)
    empty = with_tones_of(start, empty)
    start = steadied(start, empty)
    fit = None
    moved = motions(empty, start)
    for motion in moved:
        if not motion.is_none and fit is None:
            fit, empty = _placed_as_moved(empty, start, corners, motion, moved)
    lit = lit_alike(empty, start)
    fit = fit or _placed_in_any([*lit, empty], start, corners)
    fit = fit and refine_on_landmarks(fit, empty, start)
    if corners is None:
        believed = fit and view_problem(fit) is None and shows_start(fit, empty, start)
        fit = fit if believed else _where_points_are(fit, empty, start, seat_a or Side.BOTTOM)
    elif fit is None or not is_as_given(fit, corners):
        fit = plainer(fit, placed_by_corners(corners, empty, start), empty, start)
    if fit is None:
        raise CalibrationError(
            "no board in the picture: what changed between the empty board and the starting position does not look "
            f"like the starting position of backgammon; {burnt_out(start)}{advice}"
        )
    if lens_height is not None:
        fit = at_height(fit, lens_height, empty, start)
    if corners is None:
        fit = with_seat_a_at(seat_a, fit) if seat_a else with_light_seat_a(fit, start)
    if problem := view_problem(fit):
        raise CalibrationError(f"{problem}; if that is not so, something else was taken for the board: {advice}")
    check_light(fit, empty, start)
    alike = in_one_light(fit.camera, fit.geometry, empty, start, is_uneven=bool(lit))
    shown_empty, shown = (rims_seen(each, fit.camera, fit.geometry) for each in alike)
    if shown < SOME_RIMS * shown_empty:
        raise CalibrationError(
            "the picture of the empty board shows the checkers, and that of the starting position does not: take the "
            "empty board first, or exchange the two (--empty, --start)"
        )
    if seats_apart(fit.camera, fit.geometry, alike[1]) < HARDLY_APART:
        raise CalibrationError(
            "the checkers of the two sides look alike to this camera, or lie where the other side's belong: set up the "
            f"starting position; {TELL_APART}"
        )
    if corners is None and rows_are_shifted(fit.camera, fit.geometry, *alike):
        raise CalibrationError(
            "the rows of checkers on one side of the board begin a checker away from the edge that was found: push "
            f"each row to the edge; where they lie there, {GIVE_CORNERS}"
        )
    geometry = fit.geometry.with_trays(has_home_tray(alike[0], fit.camera, fit.geometry))
    return Calibration.of(fit.camera, geometry, *alike)


def _where_points_are(fit: Fit | None, empty: Picture, start: Picture, seat_a: Side) -> Fit | None:
    """Gets the fit to the points of the empty board where the starting position plainly lies on them; else the one by
    what changed, if there is any. ``seat_a``: at which side of the picture she sits, to name the corners by.

    :raises CalibrationError: where the points are seen beyond doubt, and what changed has the board elsewhere.
    """
    fields = rated_fields(empty)
    if placed := placed_by_points(fields, empty, start):
        return placed
    if fit is not None and (elsewhere := points_elsewhere(fields, fit)):
        corners = as_option(elsewhere.with_seat_a_at(seat_a).corners)
        raise CalibrationError(
            "the points of the empty board are seen elsewhere than what looks like the starting position: "
            f"{KEEP_STILL}give the corners of the field ({corners}, if they are right and seat A is at the {seat_a})"
        )
    return fit


def _placed_in_any(empties: Sequence[Picture], start: Picture, corners: Corners | None) -> Fit | None:
    """Gets the fit to what the starting position's picture shows that one of those of the empty board does not: in the
    whole of it, in a board's part, in what looks like rows of checkers, or of a board with a narrow bar. One that no
    camera should have is only taken where there is no other, and of the first two alone."""
    seen = [_seen(empty, start) for empty in empties]

    def fits(parts: Iterable[NDArray[np.uint8] | None], bar_width: float = 1.0) -> Iterator[Fit]:
        placed = (_placed(each if part is None else each * part, corners, bar_width) for part in parts for each in seen)
        return (fit for fit in placed if fit is not None)

    doubtful: Fit | None = None
    for fit in fits(_parts(empties[-1], seen[-1], corners)):
        if view_problem(fit) is None:
            return fit
        doubtful = doubtful or fit
    others = chain(fits(_rows(seen[-1], corners)), fits([None], NARROW_BAR))
    return next((fit for fit in others if view_problem(fit) is None), doubtful)


def _parts(empty: Picture, seen: NDArray[np.float32], corners: Corners | None) -> Iterator[NDArray[np.uint8] | None]:
    """Gets the parts of the starting position's picture (H x W, 0 or 1; None for the whole) to look for it in, of what
    was ``seen`` to change (H x W, 0 to 1).

    What changes beside a board is none of its checkers: games go on at other boards in view, and players sit down.
    """
    yield None
    yield from parts_by_board(empty, seen > RIM_LEVEL, corners)


def _rows(seen: NDArray[np.float32], corners: Corners | None) -> Iterator[NDArray[np.uint8] | None]:
    """Gets the parts of a picture (H x W, 0 or 1) in which what was ``seen`` to change (H x W, 0 to 1) looks like rows
    of checkers; none where the field's corners are given."""
    if corners is None:
        height, width = seen.shape
        for part in parts_by_rows(scaled(seen, FINE_WIDTH_PX / width)):
            yield np.asarray(cv2.resize(part, (width, height), interpolation=cv2.INTER_NEAREST), dtype=np.uint8)


def _placed(seen: NDArray[np.float32], corners: Corners | None, bar_width: float = 1.0) -> Fit | None:
    """Gets the fit to what was seen to change (H x W, 0 to 1): as it was seen, or with what lies between."""
    size_px = (seen.shape[1], seen.shape[0])
    if fit := place_on(seen, corners, size_px, bar_width):
        return fit
    return place_on(filled(scaled(seen, FINE_WIDTH_PX / size_px[0])), corners, size_px, bar_width)


def _seen(empty: Picture, start: Picture) -> NDArray[np.float32]:
    """Gets how surely each pixel (H x W) has changed, 0 to 1."""
    return changed(start, empty, blur_px=0.6 * start.shape[1] / FINE_WIDTH_PX)


def _placed_as_moved(
    empty: Picture, start: Picture, corners: Corners | None, motion: Motion, motions: Sequence[Motion]
) -> tuple[Fit | None, Picture]:
    """Gets the fit to the starting position's picture, and that of the empty board as it would be now, if it was the
    board that has made a motion: of all ``motions`` the one that most of the board bears out, in each quarter of it."""
    board, around = motion.moved(empty), empty if motions[0].is_none else motions[0].moved(empty)
    fit = _placed(np.minimum(_seen(board, start), _seen(around, start)), corners)
    if fit is None:
        return None, empty
    outline = outline_mm(fit.geometry)
    on_board = [_within(fit.camera.to_plane(each.seen_at), outline) for each in motions]
    most = max(on_board, key=len)
    if most is not on_board[motions.index(motion)] or least_quarter(most) < LEAST_A_QUARTER:
        return None, empty
    inside = np.zeros(start.shape[:2], np.uint8)
    cv2.fillPoly(inside, [np.rint(fit.camera.project(outline)).astype(np.int32)], 1)
    return fit, np.where(inside[..., None] > 0, board, around)


def _within(places_mm: Floats, outline: Floats) -> Floats:
    """Gets those places (N x 2) that lie within the board's outline, whose middle is at 0."""
    return places_mm[(np.abs(places_mm) <= np.abs(outline[0, :2])).all(axis=1)]


def place_on(
    seen: NDArray[np.float32], corners: Corners | None, size_px: tuple[int, int], bar_width: float = 1.0
) -> Fit | None:
    """Gets the fit to what was seen to change (H x W, 0 to 1, at any scale) in a picture of ``size_px`` (width,
    height), from boards whose bar is so many points wide on; None when nothing there looks like a starting position."""
    scale, fine_scale, coarse_scale = (width / size_px[0] for width in (seen.shape[1], FINE_WIDTH_PX, COARSE_WIDTH_PX))
    fine, coarse = (scaled(seen, to / scale) for to in (fine_scale, coarse_scale))
    fit = _likeliest(guesses(fine, fine_scale, corners, size_px, bar_width), coarse, coarse_scale)
    return fit and refine_on_mask(fit, fine, fine_scale, FINE_BLUR_PX, 10)[0]


def _likeliest(fits: Sequence[Fit], coarse: NDArray[np.float32], coarse_scale: float) -> Fit | None:
    """Gets which of first fits comes nearest to what was seen to change (H x W, 0 to 1, ``coarse_scale`` times as
    large), and fits it; None where none does."""
    scored = sorted(((likeness(fit, coarse, coarse_scale), index) for index, fit in enumerate(fits)), reverse=True)
    near = [index for likely, index in scored[:MOST_CANDIDATES] if likely >= NEARLY_AS_LIKELY * scored[0][0]]
    likeliest = [index for _, index in scored[:CANDIDATES]]
    others = [index for _, index in scored[CANDIDATES:MOST_CANDIDATES] if index not in near]
    for tried, least in ((likeliest, MIN_OVERLAP), (near[CANDIDATES:], MIN_OVERLAP), (others, PLAIN_OVERLAP)):
        refined = (refine_on_mask(fits[index], coarse, coarse_scale, COARSE_BLUR_PX, 10) for index in tried)
        fitting = [(alike, fit) for fit, alike in refined if alike >= least and strangeness(fit) <= MAX_STRANGENESS]
        if fitting:
            return max(fitting, key=lambda entry: entry[0])[1]
    return None


def filled(seen: NDArray[np.float32]) -> NDArray[np.float32]:
    """Gets what was seen to change (H x W, 0 to 1) with what lies between: of checkers of the colour of the board no
    more is seen than parts of their rims. What is larger than any row of checkers stays as it is."""
    level = (seen > RIM_LEVEL).astype(np.uint8)
    closed = cv2.morphologyEx(level, cv2.MORPH_CLOSE, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (5, 5)))
    outlines, _ = cv2.findContours(closed, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    hulls = (cv2.convexHull(outline) for outline in outlines)
    rows = [hull for hull in hulls if cv2.contourArea(hull) < MOST_OF_PICTURE * seen.size]
    whole = cv2.drawContours(np.zeros_like(level), rows, -1, 1, cv2.FILLED)
    solid = cv2.morphologyEx(whole, cv2.MORPH_OPEN, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (5, 5)))
    return np.maximum(seen, solid.astype(np.float32))


def scaled(seen: NDArray[np.float32], scale: float) -> NDArray[np.float32]:
    """Gets a mask (H x W) at another scale."""
    return np.asarray(cv2.resize(seen, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), dtype=np.float32)


def guesses(
    seen: NDArray[np.float32], scale: float, corners: Corners | None, size_px: tuple[int, int], bar_width: float
) -> list[Fit]:
    """Gets first fits in a picture of ``size_px`` (width, height): from the given corners, or from the hulls of what
    changed (``scale`` times as large) in every orientation, with a bar so many points wide.

    A board with its home on the left covers the same places as one with its home on the right, turned by half a turn
    and with the colours exchanged: one of the two is enough to find the places.
    """
    if corners is not None:
        turned: list[Floats] = [np.array(corners, dtype=np.float64)]
    else:
        turned = [
            np.roll((quad + 0.5) / scale - 0.5, turn, axis=0)[::-1]
            for quad in candidate_quads(seen)
            for turn in range(4)
        ]
    fits = [
        fit_from_corners(quad, size_px, home, bar_width)
        for quad in turned
        for home in ((True, False) if corners else (True,))
    ]
    return [fit for fit in fits if fit is not None]


def likeness(fit: Fit, seen: NDArray[np.float32], scale: float) -> float:
    """Gets how alike the fit's checkers and the seen change are."""
    expected = expected_mask(fit, whole(seen), scale, COARSE_BLUR_PX)
    return overlap(expected, blurred(seen, COARSE_BLUR_PX))


def with_light_seat_a(fit: Fit, start: Picture) -> Fit:
    """Gets the fit turned so that seat A has the lighter checkers.

    Mirrored at the line between the seats, the starting position covers the same places with the colours exchanged:
    where checkers lie cannot tell the two apart, which colour lies where does.
    """
    light = seats_lightness(fit.camera, fit.geometry, start)
    return fit if light[Seat.A] >= light[Seat.B] else half_turned(fit)


def with_seat_a_at(side: Side, fit: Fit) -> Fit:
    """Gets the fit turned so that seat A sits at a side of the picture."""
    return fit if is_seat_a_at(side, fit.corners_px) else half_turned(fit)


def half_turned(fit: Fit) -> Fit:
    """Gets the fit with seat A where B was: checkers lie at the same places, in exchanged colours."""
    half_turn = np.diag([-1.0, -1.0, 1.0])
    values = fit.values.copy()
    values[:3] = np.asarray(cv2.Rodrigues(fit.camera.rotation @ half_turn)[0]).ravel()
    return replace(fit, values=values, home_on_right=not fit.home_on_right)


def strangeness(fit: Fit) -> float:
    """Gets how unlike usual cameras and boards a fit is: the sum of the squared misfits of what is known before."""
    return float(np.square(fit.prior_misfit()).sum())


def view_problem(fit: Fit) -> str | None:
    """Gets what is wrong where the camera does not see the board whole, large and steep enough."""
    camera, geometry = fit.camera, fit.geometry
    checker_px = camera.seen_px(geometry.checker_diameter_mm)
    if checker_px < MIN_CHECKER_PX:
        return (
            f"the board is too small in the picture (a checker is {checker_px:.0f} pixels wide, {MIN_CHECKER_PX:.0f} "
            "are needed): bring the camera nearer or use more pixels"
        )
    tilt_deg = float(np.degrees(np.arccos(np.clip(-camera.rotation[2, 2], -1, 1))))
    if tilt_deg > MAX_TILT_DEG:
        return (
            f"the camera looks too obliquely ({tilt_deg:.0f} degrees off the upright, at most {MAX_TILT_DEG:.0f}): "
            "mount it more nearly above the middle of the board"
        )
    corners = fit.corners_px
    if (corners < -2).any() or (corners > np.array([camera.width_px + 1, camera.height_px + 1])).any():
        return "a corner of the playing field lies outside the picture: move the camera back or turn it"
    return None
