"""A picture -> the doubling cube: where it lies, and what it shows."""

from functools import lru_cache
from itertools import islice
from math import dist, exp

import numpy as np
from numpy.typing import NDArray

from boardctl.referee.readings import BoardReading, CubeReading
from boardctl.vision.dice.checker_faces import CheckerFaces
from boardctl.vision.dice.cube_look import CLEARLY_ONE, FIRST_LOOK_MM, cube_logit
from boardctl.vision.dice.cube_value import MOST_LOGIT, look_for_number, number_logit, value_told
from boardctl.vision.dice.fixed import Background
from boardctl.vision.dice.hand_near import is_hand_near
from boardctl.vision.dice.look import Sight
from boardctl.vision.dice.networks import scan_cells
from boardctl.vision.dice.or_checker import is_face, lies_below
from boardctl.vision.dice.patch import Picture
from boardctl.vision.dice.scan import ScanFrame, cube_peaks, peak_spots_mm, scan_input, scan_picture
from calibration import BoardGeometry, Calibration, CameraModel
from calibration.installation import INSTALLATIONS_KEPT

XY = tuple[float, float]

LEAST_PEAK, MOST_PEAKS = 0.1, 8
"""Likelihood by the scan from which a place is looked at closely, and at how many at most. Of 532 cubes, half of them
drawn on boards of all colours, the likeliest place of the scan is on 506, and one of the first three on 14 more; of 96
on traced boards, light, dark and red ones, on 61 and on 14 more, and one of these eight on another 14."""
MORE_PEAKS = 30
"""So many places more where checkers' faces, or marks on the board, may look like it."""
LIKELIEST, NUMBER_SHOWN = 3, 1.0
"""Beyond so many places of the scan a cube must show a number, by this much at least (logit): all cubes do that are
found there on traced boards; marbled checkers that look like cubes from near by do not. So must one where the board was
read to hold a checker: polished ones in which a window is mirrored look so, too."""
NUMBER_COUNTS = 0.5
"""So much of what the windows for its value say of a number counts where the looks at a cube leave open whether it is
one: the number may be what they took for a die's pips."""
EVEN, STEEPNESS = 0.5, 2.4
"""At which sum of both a cube is as likely as not, and how fast it becomes likelier with it: 0.9 at 1.42. Of 6,811
places without a cube (dice, dice that touch, checkers, hands, mugs, rails, in pictures to learn from) none had more
than -0.2; of 506 cubes 500 have more than 1.42."""
LEAST_CUBE = 0.5
"""Likelihood above which the cube is said to be there."""
PLAINLY_ONE = 7.6
"""Sum of both from which on the plainest of several things that look like it on the empty board is the cube. Of eleven
boards with several (10821, 10921, 10923: numbers on rails, emblems) five had a cube in that picture, with 7.9 and more;
all else had 7.4 at most."""
WORD_MM = 60.0
"""What shows a number so near to such a thing is another letter or digit of the same word or emblem, and may look like
a cube in other pictures: the B of a BG had -4.3 on the empty board and 0.7 (logit) in one picture, with an 8 on it."""
OWNED_FROM = 0.4
"""The cube belongs to a seat from this part of half the board's depth on; in the middle it belongs to nobody."""
CUBE_MM = 30.0
"""Width of a common cube: so high above what it stands on lies its top face, the middle of which the scan finds."""


def read_cube(picture: Picture, calibration: Calibration) -> CubeReading | None:
    """Gets the reading of the doubling cube in a picture (H x W x 3, unscaled); None when none is seen.

    :raises CalibrationError: when the picture has not the size that was calibrated.
    """
    calibration.check_size(picture)
    return find_cube(picture, calibration.camera, calibration.geometry)


def find_cube(picture: Picture, camera: CameraModel, geometry: BoardGeometry) -> CubeReading | None:
    """Gets the reading of the cube in a picture of a known camera and board."""
    scan, frame = scan_picture(picture, camera, geometry)
    return cube_of_scan(scan_cells(scan_input(scan)), frame, Sight(picture, camera), geometry)


def cube_of_scan(
    cells: NDArray[np.float32],
    frame: ScanFrame,
    sight: Sight,
    geometry: BoardGeometry,
    board: BoardReading | None = None,
    faces: CheckerFaces | None = None,
    background: Background | None = None,
) -> CubeReading | None:
    """Gets the reading of the cube from what the scan of a picture gave and closer looks at its likeliest places.

    ``board``, the reading of the same picture, tells where a checker lies: what looks like a cube there must show a
    number, and not look like one of the ``faces`` of this board's checkers. What looks like it and is as on the empty
    board is told by ``background``. With a hand near it no value is told: of a 64 half under it a 6 is seen, of a 32 a
    2.
    """

    def is_known(spot: XY) -> bool:
        """Whether a checker's face is seen there, or what the empty board showed that is no cube."""
        is_checker = faces is not None and is_face(
            spot, sight, geometry, faces, lies_below(board, spot, sight, geometry)
        )
        return is_checker or (background is not None and background.is_cube_mark(spot, sight.picture))

    more = MORE_PEAKS if faces is not None or (background is not None and background.cube_marks_mm) else 0
    places = peak_spots_mm(cube_peaks(cells, LEAST_PEAK, MOST_PEAKS + more), frame)
    spots = enumerate(sight.looks.near(place, FIRST_LOOK_MM) for place in places)
    for number, spot in islice((each for each in spots if not is_known(each[1])), MOST_PEAKS):
        logit = cube_logit(sight, geometry, spot)
        if logit + NUMBER_COUNTS * MOST_LOGIT < EVEN:
            continue
        said = None
        is_hand_over = board is not None and is_hand_near(board, spot, geometry)
        is_checker = lies_below(board, spot, sight, geometry)
        is_unlikely = number >= LIKELIEST or is_checker
        if logit < CLEARLY_ONE or is_unlikely or not is_hand_over:
            said = look_for_number(sight, spot, geometry.die_size_mm / 2)
        if is_unlikely and said is not None and number_logit(said) < NUMBER_SHOWN:
            continue
        if said is not None and logit < CLEARLY_ONE:
            logit += NUMBER_COUNTS * number_logit(said)
        likelihood = 1 / (1 + exp(STEEPNESS * (EVEN - logit)))
        if likelihood >= LEAST_CUBE:
            value = None if is_hand_over or said is None else value_told(said, sight.camera.seen_px(CUBE_MM))
            return CubeReading(value, where_cube_lies(spot, sight.camera, geometry), round(likelihood, 4))
    return None


@lru_cache(maxsize=INSTALLATIONS_KEPT)
def cube_marks_of_empty_board(calibration: Calibration) -> tuple[XY, ...]:
    """Gets where the picture of the empty board shows what may be taken for the cube and is none: hinges, numbers on a
    rail, and the letters beside such. What is all that may be one, or plainly is one, is the cube itself."""
    sight, geometry = Sight(calibration.empty, calibration.camera), calibration.geometry
    scan, frame = scan_picture(calibration.empty, calibration.camera, geometry)
    cells = scan_cells(scan_input(scan))
    found: list[tuple[float, XY]] = []
    others: list[XY] = []
    for place in peak_spots_mm(cube_peaks(cells, LEAST_PEAK, MOST_PEAKS + MORE_PEAKS), frame):
        logit = cube_logit(sight, geometry, place)
        if logit + NUMBER_COUNTS * MOST_LOGIT < EVEN:
            others.append(place)
            continue
        said = look_for_number(sight, place, geometry.die_size_mm / 2)
        found.append((logit + NUMBER_COUNTS * number_logit(said), place))
    if not found:
        return ()
    plain, best = max(found)
    marks = [place for _, place in found if dist(place, best) > CUBE_MM]
    if marks and plain < PLAINLY_ONE:
        marks.append(best)
    beside = (place for place in others if any(dist(place, mark) < WORD_MM for mark in marks))
    letters = [
        place
        for place in beside
        if (best in marks or dist(place, best) > CUBE_MM)
        and number_logit(look_for_number(sight, place, geometry.die_size_mm / 2)) >= NUMBER_SHOWN
    ]
    return (*marks, *letters)


def where_cube_lies(spot_mm: tuple[float, float], camera: CameraModel, geometry: BoardGeometry) -> str:
    """Gets ``field`` for a cube on the playing surface (it is being offered), else to whom it belongs.

    ``spot_mm``: where it is seen, at the height of a die's middle. Seen from aside, a cube on the bar or a rail seems
    to lie beside it: what may as well stand there is not taken for offered. Where the bar is a line alone, a cube
    across it is in the middle.
    """
    scanned_mm = geometry.die_size_mm / 2
    on_field, raised = (
        camera.at_height(spot_mm, scanned_mm, floor_mm + CUBE_MM) for floor_mm in (0.0, geometry.bar_height_mm)
    )
    over_line = not geometry.bar_height_mm and abs(on_field[0]) < CUBE_MM / 2
    if not over_line and all(geometry.section_of(*spot) is not None for spot in (on_field, raised)):
        return "field"
    part = raised[1] / (geometry.field_height_mm / 2)
    return "bar" if abs(part) < OWNED_FROM else "B" if part > 0 else "A"
