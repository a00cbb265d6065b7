"""Dice and cube in a photograph whose camera is only told by the field's four corners.

They are read as with a calibration, but the camera is a few degrees off: how large the dice are is told by themselves,
a tilt is only believed when it is a plain one, and no value is told with much confidence.
"""

from collections.abc import Iterable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from boardctl.referee.readings import BoardReading, CubeReading, DieReading, PlaceReading, Support, Witness
from boardctl.rules import PlaceKind
from boardctl.vision.checker_faces import CheckerFaces, faces_seen
from boardctl.vision.dice import DICE_A_ROLL, FoundDice, find_dice
from boardctl.vision.dice_size import DieSize
from calibration.camera import CameraModel
from calibration.geometry import ROWS_HIGH, BoardGeometry

Picture = NDArray[np.uint8]

MOST_CONFIDENCE = 0.9
"""Most confidence in what is seen by a camera that is known from four corners only."""

LARGER = 1.4
"""Where no roll is told, dice are looked for once more as so much larger ones, which the first scan misses."""

BESIDE_THE_FIELD = (Support.RAIL, Support.OFF_BOARD)
"""Of what lies there more than a roll are no dice: numbers on the rails look like some."""

PLAIN_TILT = 0.99
"""Likelihood of a tilt from which a die is said to be tilted. By a camera that is three degrees off flat dice look
tilted: of 331 on boards that the networks had learned from 5 are said to be irregular from 0.98 on, 3 from here on, and
67 instead of 68 of 80 that must be rolled again."""


def dice_in_photograph(
    picture: Picture, camera: CameraModel, geometry: BoardGeometry, places: tuple[PlaceReading, ...] = ()
) -> tuple[tuple[DieReading, ...], CubeReading | None]:
    """Gets the dice and the cube in a photograph (H x W x 3); ``places``: what it shows on points."""
    lying = BoardReading(Witness.CAMERA, places)
    faces = faces_seen(picture, camera, geometry, _single(places, geometry), lying)
    found = _found(picture, camera, geometry, geometry.die_size_mm, faces)
    if _told(found) < DICE_A_ROLL:
        larger = _found(picture, camera, geometry, geometry.die_size_mm * LARGER, faces)
        found = larger if _told(larger) > _told(found) else found
    seen = [die for die in found.dice if die.value is not None or die.on is not Support.OFF_BOARD]
    beside = [die for die in seen if die.on in BESIDE_THE_FIELD]
    dice = tuple(_modestly(die) for die in seen if die not in beside or len(beside) <= DICE_A_ROLL)
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
    picture: Picture, camera: CameraModel, geometry: BoardGeometry, die_mm: float, faces: CheckerFaces | None
) -> FoundDice:
    """Gets what is found when dice are taken to be about so large."""
    size = DieSize.around(die_mm, is_given=False)
    return find_dice(picture, camera, geometry, size=size, tilted_from=PLAIN_TILT, faces=faces)


def _told(found: FoundDice) -> int:
    """Gets of how many dice a value is told."""
    return sum(die.value is not None for die in found.dice)


def _modestly(die: DieReading) -> DieReading:
    """Gets a die without what hangs on the camera's exact place: that it lies flat, and much confidence."""
    tilted = die.flat is False
    return replace(
        die,
        flat=False if tilted else None,
        tilt_deg=die.tilt_deg if tilted else 0.0,
        confidence=min(die.confidence, MOST_CONFIDENCE),
    )
