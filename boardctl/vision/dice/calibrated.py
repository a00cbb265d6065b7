"""What is read of dice by a calibration: what its empty board shows already is no die, and is found out once."""

from dataclasses import replace
from functools import lru_cache, partial
from math import exp

from boardctl.referee.readings import BoardReading, DieReading
from boardctl.vision.dice.checker_faces import faces_of
from boardctl.vision.dice.cube import cube_marks_of_empty_board
from boardctl.vision.dice.fixed import Background
from boardctl.vision.dice.memory import DiceMemory, ScanSeen, scan_all
from boardctl.vision.dice.patch import Picture
from boardctl.vision.dice.reading import FoundDice, dice_places, find_dice
from boardctl.vision.dice.scan import Scan
from boardctl.vision.dice.size import SCAN_STEP, DieSize, sized
from boardctl.vision.dice.told import SURELY_TILTED, TILTED, VALUE_VOUCHED
from calibration import Calibration
from calibration.installation import INSTALLATIONS_KEPT
from calibration.light.sharpness import sees_dice_softly

XY = tuple[float, float]

SOFTLY_VOUCHED = 0.95
"""Likelihood from which a camera that is out of focus tells a value: of 43 dice, drawn, traced and rendered, with less
of which a sharp one would have told it, five showed another, of 405 with more two."""

PREPARED_STEPS = (-2, -1, 0, 1, 2)
"""Sizes of dice for which the empty board is looked over before the first frame, in steps of the scan's from the common
one: for nearly all that are sold, so that no frame has to wait for it."""
SIZES_KEPT = len(PREPARED_STEPS) * INSTALLATIONS_KEPT


def read_dice(
    picture: Picture,
    calibration: Calibration,
    board: BoardReading | None = None,
    size: DieSize | None = None,
    memory: DiceMemory | None = None,
    halved: Picture | None = None,
) -> FoundDice:
    """Gets the reading of all dice and of the cube in a picture (H x W x 3, unscaled).

    ``board``, the reading of the same picture, settles where it can whether a die stands on a checker. ``size`` is what
    the pictures before told of the dice's size; left out, this picture alone has to tell. ``memory``: what the picture
    before left, so that only what has changed is looked at; left out, what looks as on the empty board is not.
    ``halved``: the picture at half size, where it is known.

    :raises CalibrationError: when the picture has not the size that was calibrated.
    """
    calibration.check_size(picture)
    camera, geometry = calibration.camera, calibration.geometry
    before = size or DieSize.around(geometry.die_size_mm, calibration.die_size_given)
    scan_mm = before.scan_mm(geometry.die_size_mm)
    fixed = dice_of_empty_board(calibration, scan_mm)
    marks = cube_marks_of_empty_board(calibration)
    scan = partial(scan_of_empty_board, calibration)
    background = Background(calibration.empty, fixed, camera, geometry, scan, marks)
    if memory is None:
        memory = DiceMemory(scan(scan_mm), {})
    is_soft = sees_dice_softly(calibration)
    found = find_dice(
        *(picture, camera, geometry, board, before, background, memory),
        tilted_from=SURELY_TILTED if is_soft else TILTED,
        halved=halved,
        faces=faces_of(calibration),
    )
    if not is_soft:
        return found
    # Where pips run into each other no number is told for sure, and a die leans where it surely looks so.
    return replace(found, dice=tuple(_told_softly(die) for die in found.dice))


def _told_softly(die: DieReading) -> DieReading:
    """Gets the reading of a die by a camera that does not see it sharply."""
    value = die.value if die.confidence >= SOFTLY_VOUCHED else None
    return replace(die, value=value, confidence=min(die.confidence, VALUE_VOUCHED))


def prepare(calibration: Calibration) -> None:
    """Looks for dice on the empty board, assuming several sizes of them, so that no frame has to wait for it."""
    size = calibration.geometry.die_size_mm
    for steps in PREPARED_STEPS:
        scan_mm = DieSize.around(size * exp(steps * SCAN_STEP), is_given=True).scan_mm(size)
        dice_of_empty_board(calibration, scan_mm)
        scan_of_empty_board(calibration, scan_mm)
    cube_marks_of_empty_board(calibration)
    faces_of(calibration)


@lru_cache(maxsize=SIZES_KEPT)
def scan_of_empty_board(calibration: Calibration, die_mm: float) -> ScanSeen:
    """Gets the scan of the picture of the empty board, for dice of a size."""
    return scan_all(Scan(calibration.empty, calibration.camera, sized(calibration.geometry, die_mm)))


@lru_cache(maxsize=SIZES_KEPT)
def dice_of_empty_board(calibration: Calibration, die_mm: float) -> tuple[XY, ...]:
    """Gets what is taken for dice in the picture of the empty board: a hinge, a knot in the wood, the cube."""
    return dice_places(calibration.empty, calibration.camera, sized(calibration.geometry, die_mm))
