"""Whether a die leans, by looks at it as if the camera were elsewhere.

To who believes the camera turned about a die, the same picture shows a die that leans. If a flat one is believed to
lean so, it looks tilted in whichever direction; one that leans looks flat when the camera is believed turned by as much
the other way. So what a few looks say together tells more of small tilts than the picture as it is.
"""

from collections.abc import Callable
from dataclasses import replace
from math import cos, exp, log, pi, sin

import cv2
import numpy as np
from numpy.typing import NDArray

from boardctl.vision.dice_patch import obliqueness
from calibration import CameraModel

Floats = NDArray[np.float64]

MOST_OBLIQUE = 0.9
"""Tangent of the most oblique view that may be believed in: the network has learned from none beyond."""
NEAR_DEG, FAR_DEG = 7.0, 13.0
"""By how much the camera is believed turned: less than a die that must be rolled again leans, and as much as the
smallest tilts do that the picture as it is leaves open."""
DIRECTIONS = (0.0, pi / 2, pi, 3 * pi / 2)
SLOPE, SHIFT = 0.58, -1.46
"""From the looks' evidence to the logit of a tilt, by least surprise over 2,520 dice drawn beside something on 30 looks
of boards that training never saw, as if four in ten of them leaned."""


def camera_turned(camera: CameraModel, middle_mm: tuple[float, float, float], rotation: Floats) -> CameraModel | None:
    """Gets the camera that sees the same in a picture if all that it shows is turned (3 x 3) about a spot.

    None when that would be a view from too far aside.
    """
    middle = np.array(middle_mm)
    to_camera = camera.rotation @ rotation.T
    dx, dy, dz = (np.array(camera.translation_mm) + (camera.rotation - to_camera) @ middle).tolist()
    a, b, c = cv2.Rodrigues(to_camera)[0].ravel().tolist()
    turned = replace(camera, rotation_vector=(a, b, c), translation_mm=(dx, dy, dz))
    if turned.position_mm[2] <= middle[2] or obliqueness(turned, middle_mm) > MOST_OBLIQUE:
        return None
    return turned


def likelihood_of_tilt(
    camera: CameraModel,
    middle_mm: tuple[float, float, float],
    tilted: float,
    logit_of: Callable[[CameraModel], float],
) -> float:
    """Gets how likely a die leans: ``tilted`` as the picture says, then what ``logit_of`` says for turned cameras.

    Evidence is the logit as it is, more by the mean for cameras a little off, for which a flat die must still look
    rather flat, less the lowest for cameras farther off: high if no believed camera makes the die flat.
    """
    near, far = (
        [logit_of(turned) for turned in _turned_about(camera, middle_mm, deg) if turned is not None]
        for deg in (NEAR_DEG, FAR_DEG)
    )
    if not near or not far:
        return tilted
    evidence = log(tilted / (1 - tilted)) + float(np.mean(near)) - min(far)
    return 1 / (1 + exp(-(SLOPE * evidence + SHIFT)))


def _turned_about(camera: CameraModel, middle_mm: tuple[float, float, float], deg: float) -> list[CameraModel | None]:
    axes = [np.array([-sin(way), cos(way), 0.0]) * deg * pi / 180 for way in DIRECTIONS]
    turns = [np.asarray(cv2.Rodrigues(axis)[0], dtype=np.float64) for axis in axes]
    return [camera_turned(camera, middle_mm, turn) for turn in turns]
