"""Dice as they look to who believes the camera elsewhere: a flat one leans then, one that leans may be flat.

A camera that is believed turned about a die shows the same pixels and means a die that is turned. So every die whose
upward side is known, a true one as well, can be learned from with any tilt; what lies around it tells nothing of it
then, and no picture can be learned by heart. Only what touches it is not as it would be: so it is done to some.
"""

from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from boardctl.vision.dice.patch import obliqueness
from boardctl.vision.training.sites import TILTED_DEG, Site
from calibration import CameraModel

Floats = NDArray[np.float64]

MOST_OBLIQUE = 0.9
"""Tangent of the most oblique view that may be believed in."""
UNSURE_DEG = 0.5
"""A camera is never known better than this (standard deviation)."""
FLAT, NEARLY_FLAT, NEARLY_FLAT_DEG = 0.42, 0.06, 5.0
"""So many of the turned dice come out flat, and so many tilted by no more than this."""
SMALL_TILT_DEG, MOST_TILT_DEG, SMALL_SHARE = 20.0, 38.0, 0.65
"""How far the others are tilted, from ``TILTED_DEG`` on: so many of them by no more than the first."""


def believed_off(site: Site, rng: np.random.Generator) -> Site:
    """Gets a site with its camera believed off by as little as a camera may be; what is said of the die stays."""
    little = cv2.Rodrigues(np.append(np.radians(rng.normal(0, UNSURE_DEG, 2)), 0.0))[0]
    camera = camera_turned(site.camera, site.center_mm, np.asarray(little, dtype=np.float64))
    return site if camera is None else replace(site, camera=camera)


def turned(site: Site, rng: np.random.Generator) -> Site:
    """Gets a site with its die at a drawn tilt, whatever it was; the site itself if that cannot be seen.

    The die has to lie on the surface, and it must be known which way its upward side faces.
    """
    tilt, toward = np.radians(_random_tilt_deg(rng)), rng.uniform(0, 2 * np.pi)
    goal = np.array([np.sin(tilt) * np.cos(toward), np.sin(tilt) * np.sin(toward), np.cos(tilt)])
    up = site.label.up
    if up is None or site.label.on != "surface":
        return site
    camera = camera_turned(site.camera, site.center_mm, _between(_normal(up), goal))
    if camera is None:
        return site
    label = replace(site.label, up=(float(goal[0]), float(goal[1])), tilt_deg=float(np.degrees(tilt)))
    return replace(site, camera=camera, label=label)


def _random_tilt_deg(rng: np.random.Generator) -> float:
    kind = rng.random()
    if kind < FLAT:
        return 0.0
    if kind < FLAT + NEARLY_FLAT:
        return float(rng.uniform(0, NEARLY_FLAT_DEG))
    return float(rng.uniform(TILTED_DEG, SMALL_TILT_DEG if rng.random() < SMALL_SHARE else MOST_TILT_DEG))


def _normal(up: tuple[float, float]) -> Floats:
    return np.array([*up, np.sqrt(max(0.0, 1 - up[0] ** 2 - up[1] ** 2))])


def _between(one: Floats, other: Floats) -> Floats:
    """Gets the smallest rotation (3 x 3) that takes one unit vector to another."""
    axis = np.cross(one, other)
    sine = float(np.linalg.norm(axis))
    angle = float(np.arctan2(sine, one @ other))
    return np.asarray(cv2.Rodrigues(axis / max(sine, 1e-9) * angle)[0], dtype=np.float64)


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
