"""What is below a die, from where it is on the board: surface, bar, rail, tray or table."""

from math import hypot

from boardctl.referee.readings import BoardReading, PlaceReading, Support
from boardctl.rules import PlaceKind
from boardctl.vision.dice.leaning import checkers_away_mm, known_from
from boardctl.vision.dice.look import DieView
from calibration import BoardGeometry, CameraModel

ACROSS = 0.5
"""On a board without a bar a die lies on neither half when its middle is nearer to the line between the two than so
much of half its width: more than a quarter of it lies over the line."""


def support_of(spot_mm: tuple[float, float], camera: CameraModel, geometry: BoardGeometry) -> Support:
    """Gets what a die stands on whose middle is seen at ``spot_mm``, as if it stood on the playing surface.

    A die on the bar is seen displaced away from the camera; there it is the bar that counts: a die on the surface
    cannot have its middle nearer to the bar than half its width, unless that is as low as the field.
    """
    x, y = spot_mm
    half = geometry.die_size_mm / 2
    beyond_side, beyond_end = abs(x) - geometry.field_width_mm / 2, abs(y) - geometry.field_height_mm / 2
    # A die that leans against the rail is up to a third of its width nearer than one that stands flat.
    near = 0.67 * half
    if beyond_side > -near or beyond_end > -near:
        return _beside(beyond_side + near, beyond_end + near, geometry)
    half_bar = geometry.bar_width_mm / 2
    if not geometry.bar_height_mm:
        half_bar = max(half_bar, ACROSS * half)
    if abs(x) < half_bar + near:
        lift = geometry.bar_height_mm / (camera.position_mm[2] - half)
        on_bar = x + (camera.position_mm[0] - x) * lift
        if abs(on_bar) <= half_bar:
            return Support.RAIL
    return Support.SURFACE


SURE_STACK = 0.9
"""Likelihood from which it is known that a checker lies somewhere."""
BESIDE = 2.0
"""A die that is seen so many checker diameters beside a point stands on none of its checkers, however high they lie."""
STANDS_WITHIN = 0.8
"""A die stands on a checker when its middle is nearer to the checker's than this part of the checker's radius."""


STANDS_ON, ALONE_ON_CHECKER = 0.5, 0.75
"""Likelihoods from which its picture tells that a die stands on another or on a checker, and on a checker where none is
expected: on boards far from those learned from flat dice of one pip look with up to 0.55 as if they stood on one."""


def support_in_field(
    view: DieView, board: BoardReading | None, camera: CameraModel, geometry: BoardGeometry
) -> tuple[Support, bool]:
    """Gets what a die in the field stands on, and whether its picture shows it.

    The board tells, too, as it was read: where surely no checker is near a die stands on none, and where one of an
    orderly stack lies below it stands on that, though its picture does not show it.
    """
    on_checker = view.on_checker
    if board and checkers_away_mm(view.spot_mm, board, geometry, known_from(on_checker)) > geometry.die_size_mm:
        on_checker = 0.0  # seen away from where it is, a die on a checker is still nearer to it than its own width
    expected = board is not None and expects_checker_below(board, view.spot_mm, camera, geometry)
    if on_checker >= max(STANDS_ON if expected else ALONE_ON_CHECKER, view.on_die):
        return Support.CHECKER, True
    if view.on_die >= STANDS_ON:
        return Support.DIE, True
    return (Support.CHECKER, False) if expected else (Support.SURFACE, True)


def expects_checker_below(
    board: BoardReading, spot_mm: tuple[float, float], camera: CameraModel, geometry: BoardGeometry
) -> bool:
    """Whether a checker of an orderly stack, as the board was read, lies where a die is seen at ``spot_mm``.

    This tells what the look at the die alone may not: in colours that it has never seen, or with a rim as dark as the
    board, a checker looks to it like cloth.
    """
    half = geometry.die_size_mm / 2
    eye_x, eye_y, eye_z = (float(value) for value in camera.position_mm)
    for reading in board.places:
        if reading.place.kind is not PlaceKind.POINT:
            continue
        if abs(spot_mm[0] - geometry.point_x_mm(reading.place.number)) > BESIDE * geometry.checker_diameter_mm:
            continue
        for index in range(least_height(reading)):
            x, y, z = geometry.on_point(reading.place.number, index)
            middle_mm = z + geometry.checker_height_mm / 2 + half
            # Where the ray through the seen spot is as high as the middle of a die on that checker.
            part = (eye_z - middle_mm) / (eye_z - half)
            away = hypot(eye_x + (spot_mm[0] - eye_x) * part - x, eye_y + (spot_mm[1] - eye_y) * part - y)
            if away < STANDS_WITHIN * geometry.checker_diameter_mm / 2:
                return True
    return False


def least_height(reading: PlaceReading) -> int:
    """Gets how many checkers lie at a place at least, whosever they are.

    A die on them hides their colours, and may look like one more of them, but those that lie there are seen.
    """
    if reading.hidden:
        return 0
    heights = sorted((len(chance.stack), chance.likelihood) for chance in reading.chances)
    as_high = sum(likelihood for _, likelihood in heights)
    least = 0
    for height, likelihood in heights:
        if as_high < SURE_STACK:
            break
        least, as_high = height, as_high - likelihood
    return least


def _beside(beyond_side_mm: float, beyond_end_mm: float, geometry: BoardGeometry) -> Support:
    rail, tray = geometry.rail_width_mm, geometry.tray_width_mm
    if beyond_end_mm > rail or beyond_side_mm > 2 * rail + tray:
        return Support.OFF_BOARD
    if rail < beyond_side_mm <= rail + tray:
        return Support.TRAY
    return Support.RAIL
