"""A picture -> all dice in it: value, flat or not, what each stands on, in whose right-hand section."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from boardctl.referee.readings import BoardReading, CubeReading, DiceReading, DieReading, Support
from boardctl.vision.cube import cube_of_scan
from boardctl.vision.dice_fixed import is_as_before
from boardctl.vision.dice_leaning import stands_free
from boardctl.vision.dice_networks import read_patches, scan_cells
from boardctl.vision.dice_patch import (
    DIE_PX,
    SHRINK_ABOVE_PX,
    PatchFrame,
    Picture,
    cut_patch,
    die_size_px,
    halve,
    network_input,
    obliqueness,
    patch_axes,
)
from boardctl.vision.dice_place import expects_checker_below, support_of
from boardctl.vision.dice_scan import (
    SCAN_DIE_PX,
    Peak,
    ScanFrame,
    die_peaks,
    peak_spots_mm,
    peaks_beside,
    scan_input,
    scan_picture,
)
from calibration import BoardGeometry, Calibration, CameraModel

LEAST_SCAN = 0.15
"""Likelihood above which a place of the scan is looked at closely: low, for what the scan misses nobody reads."""
LIKELY_SCAN = 0.3
"""Places below this likelihood are only looked at while a roll is not complete: they cost time, and few are dice."""
DICE_A_ROLL = 2
MOST_PLACES = 20
"""So many places are looked at at most: the two dice of each seat, the cube, and as many false ones again."""
LEAST_DIE = 0.95
"""Likelihood from which a die is said to be there: all but a few of the dice that training never saw reach 0.97."""
BESIDE_LOOK = 0.25
"""A look counts as from beside the die from this many die widths on: in training they were less far apart."""
SAME_DIE = 0.55
"""Two finds nearer than this many die widths are one die: two dice cannot be nearer than one width."""
BESIDE = (0.75, 1.7)
"""Middles of dice that touch are this far apart, in die widths; the scan's cells are half a width wide."""
LEAST_BESIDE = 0.15
"""Likelihood from which a cell of the scan beside a found die is looked at."""
VALUE_VOUCHED = 0.95
"""Likelihood from which a value is vouched for. Chosen on training installations for under 1 wrong in 1,000."""
TILTED, FLAT = 0.4, 0.2
"""Likelihoods of a tilt from which a die is said to be tilted, and below which to be flat; between, neither is said."""
SEEMS_FLAT = 0.95
"""Most confidence in a die beside something to lean on that looks flat, and in one that looks tilted and has nothing
to lean on. Of dice that do lean the picture alone shows little more than half, and about one die in ten beside
something does lean."""
TILT_UNIT_DEG = 30.0
UNSURE = (0.2, 0.8)
"""Between these likelihoods of standing on a checker it is the board's reading that counts."""
LEAST_DIE_LOGIT = -1.5
"""What is less likely a die at the first look (logit; about 1 in 6) is not looked at a second time."""


@dataclass(frozen=True, slots=True)
class DieView:
    """What the networks say of one place, before it is judged. Likelihoods 0 to 1."""

    spot_mm: tuple[float, float]
    is_die: float
    is_cube: float
    values: tuple[float, ...]
    tilted: float
    on_checker: float
    on_die: float
    tilt_deg: float


def read_dice(picture: Picture, calibration: Calibration, board: BoardReading | None = None) -> DiceReading:
    """Gets the reading of all dice in a picture (H x W x 3, unscaled).

    ``board``, the reading of the same picture, settles where it can whether a die stands on a checker.

    :raises CalibrationError: when the picture has not the size that was calibrated.
    """
    return read_dice_and_cube(picture, calibration, board)[0]


def read_dice_and_cube(
    picture: Picture, calibration: Calibration, board: BoardReading | None = None
) -> tuple[DiceReading, CubeReading | None]:
    """Gets what :func:`read_dice` and :func:`boardctl.vision.cube.read_cube` get, in one go.

    :raises CalibrationError: when the picture has not the size that was calibrated.
    """
    calibration.check_size(picture)
    camera, geometry = calibration.camera, calibration.geometry
    dice, cube = find_dice_and_cube(picture, camera, geometry, board)
    fixed = dice_of_empty_board(calibration)
    moved = [die for die in dice.dice if not is_as_before(die, picture, calibration.empty, fixed, camera, geometry)]
    return DiceReading(tuple(moved)), cube


@lru_cache(maxsize=4)
def dice_of_empty_board(calibration: Calibration) -> tuple[DieReading, ...]:
    """Gets what is taken for dice in the picture of the empty board: a hinge, a knot in the wood, the cube."""
    return find_dice(calibration.empty, calibration.camera, calibration.geometry).dice


def find_dice(
    picture: Picture, camera: CameraModel, geometry: BoardGeometry, board: BoardReading | None = None
) -> DiceReading:
    """Gets the reading of all dice in a picture of a known camera and board; nothing else is needed."""
    return find_dice_and_cube(picture, camera, geometry, board)[0]


def find_dice_and_cube(
    picture: Picture, camera: CameraModel, geometry: BoardGeometry, board: BoardReading | None = None
) -> tuple[DiceReading, CubeReading | None]:
    """Gets all dice and the cube in a picture of a known camera and board; the scan is made once for both."""
    scan, frame = scan_picture(picture, camera, geometry)
    cells = scan_cells(scan_input(scan))
    peaks = die_peaks(cells, LEAST_SCAN, MOST_PLACES)
    spots = peak_spots_mm(peaks, frame)
    likely = sum(peak.likelihood >= LIKELY_SCAN for peak in peaks)
    found = _sure_dice(look(picture, camera, geometry, spots[:likely]))
    if sum(geometry.section_of(*view.spot_mm) is not None for view in found) < DICE_A_ROLL:
        found += _apart(_sure_dice(look(picture, camera, geometry, spots[likely:])), found, geometry)
    found += _beside(picture, camera, geometry, found, cells, frame)
    middles = [view.spot_mm for view in found]
    dice = tuple(
        _judge(
            view, camera, geometry, board, stands_free(view.spot_mm, board, geometry, [*middles[:i], *middles[i + 1 :]])
        )
        for i, view in enumerate(found)
    )
    return DiceReading(dice), cube_of_scan(cells, frame, geometry)


def _sure_dice(views: list[DieView]) -> list[DieView]:
    return [view for view in views if view.is_die >= LEAST_DIE and view.is_cube < 0.5]


def _beside(
    picture: Picture,
    camera: CameraModel,
    geometry: BoardGeometry,
    found: list[DieView],
    cells: NDArray[np.float32],
    frame: ScanFrame,
) -> list[DieView]:
    """Gets the dice that touch a found die and had no peak of their own in the scan."""
    if not found:
        return []
    at = [Peak(x, y, 1.0) for x, y in frame.to_pixels(np.array([view.spot_mm for view in found]))]
    ring = (BESIDE[0] * SCAN_DIE_PX, BESIDE[1] * SCAN_DIE_PX)
    spots = peak_spots_mm(peaks_beside(cells, at, ring, LEAST_BESIDE), frame)
    if not spots:
        return []
    # The likeliest cell may be some way from the middle: look there once only to learn where the middle is.
    outputs = _outputs(picture, camera, geometry, spots, mirrored=False)
    moved = [_shifted(spot, output, camera, geometry) for spot, output in zip(spots, outputs, strict=True)]
    return _apart(_sure_dice(look(picture, camera, geometry, moved)), found, geometry)


def _apart(views: list[DieView], found: list[DieView], geometry: BoardGeometry) -> list[DieView]:
    """Gets of ``views`` the dice that are none of those already found."""
    nearest_mm = SAME_DIE * geometry.die_size_mm
    return [
        view
        for view in views
        if all(np.hypot(*np.subtract(view.spot_mm, other.spot_mm)) >= nearest_mm for other in found)
    ]


def look(
    picture: Picture, camera: CameraModel, geometry: BoardGeometry, spots: list[tuple[float, float]]
) -> list[DieView]:
    """Gets what the closer look says of each place, without places that turn out to be the same die.

    What may be a die is looked at twice: the second time from its found middle, and mirrored.
    """
    if not spots:
        return []
    first = _outputs(picture, camera, geometry, spots, mirrored=False)
    likely = [(spot, output) for spot, output in zip(spots, first, strict=True) if output[0] > LEAST_DIE_LOGIT]
    moved = [_shifted(spot, output, camera, geometry) for spot, output in likely]
    if not moved:
        return []
    moved, likely = _without_doubles(moved, likely, SAME_DIE * geometry.die_size_mm)
    second = _outputs(picture, camera, geometry, moved, mirrored=True)
    views = []
    for spot, (_, before), after in zip(moved, likely, second, strict=True):
        place = _shifted(spot, after, camera, geometry)
        # A first look from beside the die is worth less than nothing once the die was looked at from its middle.
        from_beside = np.hypot(before[11], before[12]) > BESIDE_LOOK
        views.append(_view(place, after if from_beside else (before + after) / 2))
    return views


def _outputs(
    picture: Picture,
    camera: CameraModel,
    geometry: BoardGeometry,
    spots: list[tuple[float, float]],
    mirrored: bool,
) -> NDArray[np.float32]:
    height, size = geometry.die_size_mm / 2, geometry.die_size_mm
    half_picture: Picture | None = None
    patches, obliquenesses = [], []
    for x, y in spots:
        center = (x, y, height)
        large = die_size_px(camera, center, size) > SHRINK_ABOVE_PX
        if large and half_picture is None:
            half_picture = halve(picture)
        frame = PatchFrame(center, size / DIE_PX, mirrored=mirrored)
        patches.append(cut_patch(picture, camera, frame, half_picture=half_picture if large else None))
        obliquenesses.append(obliqueness(camera, center))
    outputs = read_patches(network_input(patches, obliquenesses))
    if mirrored:
        outputs[:, 11] *= -1
    return outputs


def _shifted(
    spot: tuple[float, float], output: NDArray[np.float32], camera: CameraModel, geometry: BoardGeometry
) -> tuple[float, float]:
    """Gets where the die is that a patch around ``spot`` shows."""
    up, right = patch_axes(camera, spot)
    shift = geometry.die_size_mm * (output[11] * right - output[12] * up)
    return (float(spot[0] + shift[0]), float(spot[1] + shift[1]))


def _view(spot: tuple[float, float], output: NDArray[np.float32]) -> DieView:
    likely = 1 / (1 + np.exp(-output))
    values = np.exp(output[2:8] - output[2:8].max())
    values /= values.sum()
    return DieView(
        spot_mm=spot,
        is_die=float(likely[0]),
        is_cube=float(likely[1]),
        values=tuple(float(v) for v in values),
        tilted=float(likely[8]),
        on_checker=float(likely[9]),
        on_die=float(likely[10]),
        tilt_deg=float(np.clip(output[13], 0, 1.5) * TILT_UNIT_DEG),
    )


Likely = list[tuple[tuple[float, float], NDArray[np.float32]]]


def _without_doubles(
    spots: list[tuple[float, float]], likely: Likely, nearest_mm: float
) -> tuple[list[tuple[float, float]], Likely]:
    """Gets of places nearer to each other than ``nearest_mm`` only the one that is most likely a die."""
    kept: list[int] = []
    for index in sorted(range(len(spots)), key=lambda index: -likely[index][1][0]):
        x, y = spots[index]
        if all(np.hypot(x - spots[k][0], y - spots[k][1]) >= nearest_mm for k in kept):
            kept.append(index)
    return [spots[k] for k in kept], [likely[k] for k in kept]


def _judge(
    view: DieView, camera: CameraModel, geometry: BoardGeometry, board: BoardReading | None, free: bool
) -> DieReading:
    best = int(np.argmax(view.values))
    confidence = view.values[best] * view.is_die
    vouched = confidence >= VALUE_VOUCHED
    looks_flat = False if view.tilted >= TILTED else True if view.tilted < FLAT else None
    if board is not None and (looks_flat is not True if free else looks_flat is not False):
        # What the picture says and what stands around the die do not settle it together.
        confidence = min(confidence, SEEMS_FLAT)
    x, y = view.spot_mm
    support = support_of(view.spot_mm, camera, geometry)
    if support is Support.SURFACE:
        support = _on_field(view, camera, geometry, board)
    on_field = support in (Support.SURFACE, Support.CHECKER, Support.DIE)
    pixel = camera.project([(x, y, geometry.die_size_mm / 2)])[0]
    return DieReading(
        value=best + 1 if vouched else None,
        confidence=round(confidence, 4),
        flat=True if free else looks_flat,
        on=support,
        section=geometry.section_of(x, y) if on_field else None,
        tilt_deg=view.tilt_deg if view.tilted >= FLAT and not free else 0.0,
        center_px=(float(pixel[0]), float(pixel[1])),
        center_mm=(x, y),
    )


def _on_field(view: DieView, camera: CameraModel, geometry: BoardGeometry, board: BoardReading | None) -> Support:
    on_checker = view.on_checker
    if board is not None and UNSURE[0] <= on_checker < UNSURE[1]:
        on_checker = float(expects_checker_below(board, view.spot_mm, camera, geometry))
    if max(on_checker, view.on_die) < 0.5:
        return Support.SURFACE
    return Support.CHECKER if on_checker >= view.on_die else Support.DIE
