"""Dice and cube in a photograph whose camera is only told by the field's four corners.

They are read as with a calibration, but the camera is a few degrees off: how large the dice are is told by themselves,
so is which of the cameras that see the corners so took the picture, and no value is told with much confidence.
"""

from collections.abc import Iterable
from dataclasses import replace
from math import radians, sqrt, tan

import numpy as np
from numpy.typing import NDArray

from boardctl.referee.readings import BoardReading, CubeReading, DieReading, PlaceReading, Support, Witness
from boardctl.rules import PlaceKind
from boardctl.vision.dice.checker_faces import CheckerFaces, faces_seen
from boardctl.vision.dice.place import expects_checker_below
from boardctl.vision.dice.reading import DICE_A_ROLL, FoundDice, find_dice
from boardctl.vision.dice.size import DieSize, sized
from boardctl.vision.dice.tilt import LookForTilt
from boardctl.vision.photograph.tilt import look_by_all
from calibration.camera import CameraModel
from calibration.field.plausible_cameras import CamerasSeeing
from calibration.geometry import ROWS_HIGH, BoardGeometry

Picture = NDArray[np.uint8]

MOST_CONFIDENCE = 0.9
"""Most confidence in what is seen by a camera that is known from four corners only."""

LARGER = 1.4
"""Where no roll is told, dice are looked for once more as so much larger ones, which the first scan misses."""

BESIDE_THE_FIELD = (Support.RAIL, Support.OFF_BOARD)
"""Of what lies there more than a roll are no dice: numbers on the rails look like some."""

SIDE_SEEN = tan(radians(30))
"""Slope of the view from which on so much is seen of a die's side that it may be taken for a die."""

SIDE_AWAY, SIDE_ASIDE = sqrt(0.5), 0.3
"""How much nearer to the camera than the die, and how far aside of its line, a side of it may seem to be a die of its
own, in die widths, beside half a width times the slope of the view: so far the middle of a side that faces the camera
is from that of the upper face, as one plane shows them. In 160 slanted photographs, most of them chosen for such dice,
29 lay 0.5 to 1.45 widths nearer, 0.23 aside at most. Two dice that touch in line with such a view are told as one."""

TILTED = 0.5
"""Likelihood of a tilt, by all cameras that may have taken a photograph, from which a die is said to be tilted."""


def dice_in_photograph(
    picture: Picture,
    camera: CameraModel,
    geometry: BoardGeometry,
    cameras: CamerasSeeing,
    places: tuple[PlaceReading, ...] = (),
) -> tuple[tuple[DieReading, ...], CubeReading | None]:
    """Gets the dice and the cube in a photograph (H x W x 3) that ``camera`` took most likely, or another one of
    ``cameras``; ``places``: what it shows on points."""
    tilts = look_by_all(cameras)
    lying = BoardReading(Witness.CAMERA, places)
    faces = faces_seen(picture, camera, geometry, _single(places, geometry), lying)
    found = _found(picture, camera, geometry, geometry.die_size_mm, faces, tilts)
    if _told(found) < DICE_A_ROLL:
        larger = _found(picture, camera, geometry, geometry.die_size_mm * LARGER, faces, tilts)
        found = larger if _told(larger) > _told(found) else found
    seen = [die for die in found.dice if die.value is not None or die.on is not Support.OFF_BOARD]
    beside = [die for die in seen if die.on in BESIDE_THE_FIELD]
    believed = sized(geometry, found.size.mm)
    dice = tuple(
        _modestly(_on_what(die, lying, camera, believed))
        for die in seen
        if die not in beside or len(beside) <= DICE_A_ROLL
    )
    cube = found.cube
    if cube is not None:
        cube = replace(cube, confidence=min(cube.confidence, MOST_CONFIDENCE))
    return dice, cube


def _single(places: Iterable[PlaceReading], geometry: BoardGeometry) -> list[tuple[float, float, float]]:
    """Gets where checkers most likely lie with none on them."""
    stacks = [(place.place, len(place.likeliest.stack)) for place in places if place.likeliest is not None]
    return [
        geometry.on_point(place.number, index)
        for place, height in stacks
        if place.kind is PlaceKind.POINT and height <= ROWS_HIGH
        for index in range(height)
    ]


def _found(
    picture: Picture,
    camera: CameraModel,
    geometry: BoardGeometry,
    die_mm: float,
    faces: CheckerFaces | None,
    tilts: LookForTilt,
) -> FoundDice:
    """Gets what is found when dice are taken to be about so large."""
    size = DieSize.around(die_mm, is_given=False)
    found = find_dice(picture, camera, geometry, size=size, tilted_from=TILTED, faces=faces, tilts=tilts)
    return replace(found, dice=without_sides(found.dice, camera, found.size.mm))


def without_sides(dice: tuple[DieReading, ...], camera: CameraModel, die_mm: float) -> tuple[DieReading, ...]:
    """Gets dice without those that are a side of another one: seen aslant, it shows a number, too. That of the two
    which is further away is the die."""
    eye = camera.position_mm

    def is_side_of(die: DieReading, other: DieReading) -> bool:
        view = np.array(other.center_mm) - eye[:2]
        away = float(np.linalg.norm(view))
        slope = away / float(eye[2])
        if slope < SIDE_SEEN:
            return False
        along, across = view / away, np.array([-view[1], view[0]]) / away
        apart = np.subtract(other.center_mm, die.center_mm) / die_mm
        reach = SIDE_AWAY + slope / 2
        return 0 < float(apart @ along) < reach and abs(float(apart @ across)) < SIDE_ASIDE

    return tuple(die for die in dice if not any(is_side_of(die, other) for other in dice if other is not die))


def _told(found: FoundDice) -> int:
    """Gets of how many dice a value is told."""
    return sum(die.value is not None for die in found.dice)


def _on_what(die: DieReading, lying: BoardReading, camera: CameraModel, geometry: BoardGeometry) -> DieReading:
    """Gets a die on the checker that lies below it, where the points tell of one and its own picture does not.

    That no checker is near the points of a photograph do not tell well enough: no die is said to stand free by them.
    """
    if die.on is not Support.SURFACE or die.center_mm is None:
        return die
    stands = expects_checker_below(lying, die.center_mm, camera, geometry)
    return replace(die, on=Support.CHECKER) if stands else die


def _modestly(die: DieReading) -> DieReading:
    """Gets a die without what hangs on the camera's exact place: that it lies flat, and much confidence."""
    tilted = die.flat is False
    return replace(
        die,
        flat=False if tilted else None,
        tilt_deg=die.tilt_deg if tilted else 0.0,
        confidence=min(die.confidence, MOST_CONFIDENCE),
    )
