"""Dice as they look to who believes the camera elsewhere: a flat one leans then, one that leans may be flat.

A camera that is believed turned about a die shows the same pixels and means a die that is turned. So every die whose
upward side is known, a true one as well, can be learned from with any small tilt; what lies around it tells nothing of
it then, and no picture can be learned by heart. Only what touches it is not as it would be: so it is done to some.
"""

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from boardctl.vision.dice_patch import obliqueness
from boardctl.vision.training.sites import Site
from calibration import CameraModel

Floats = NDArray[np.float64]

MOST_OBLIQUE = 0.9
"""Tangent of the most oblique view that may be believed in."""
UNSURE_DEG = 0.7
"""A camera is never known better than this (standard deviation): all others are believed off by so much."""


@dataclass(frozen=True)
class Turning:
    """How often a die of one kind of sites is made to lean, and how often one that leans is made flat."""

    to_lean: float
    to_flat: float


TURNINGS = {
    "true": Turning(0.35, 0.0),
    "odd": Turning(0.3, 0.4),
    "drawn": Turning(0.15, 0.3),
    "leaning": Turning(0.1, 0.15),
    "beside": Turning(0.12, 0.0),
}
"""By the group of a site. Of each group about as many come out flat as lean, together with those that are left."""
LEAST_TILT_DEG, SMALL_TILT_DEG, MOST_TILT_DEG, SMALL_SHARE = 8.5, 18.0, 35.0, 0.7
"""Tilts that are made, and how many of them are small."""


def turned(site: Site, rng: np.random.Generator, often: float = 1.0) -> Site:
    """Gets a site as it is, but for a little that the camera is off, or with its die made to lean or to lie flat.

    ``often``: how often the latter, as a part of ``TURNINGS``. Left alone are dice on checkers and on other dice,
    and those of which it is not known which way they lean.
    """
    if often == 0:
        return site
    label = site.label
    turning = TURNINGS.get(site.group)
    chance = rng.random()
    if turning is not None and label.kind == "die" and label.up is not None and label.on == "surface":
        now = _normal(label.up)
        if chance < often * turning.to_lean:
            most = SMALL_TILT_DEG if rng.random() < SMALL_SHARE else MOST_TILT_DEG
            tilt, toward = np.radians(rng.uniform(LEAST_TILT_DEG, most)), rng.uniform(0, 2 * np.pi)
            goal = np.array([np.sin(tilt) * np.cos(toward), np.sin(tilt) * np.sin(toward), np.cos(tilt)])
            return _turned_by(site, _between(now, goal)) or site
        if chance < often * (turning.to_lean + turning.to_flat) and label.tilt_deg > 0:
            return _turned_by(site, _between(now, np.array([0.0, 0.0, 1.0]))) or site
    little = cv2.Rodrigues(np.append(np.radians(rng.normal(0, UNSURE_DEG, 2)), 0.0))[0]
    moved = _turned_by(site, np.asarray(little, dtype=np.float64))
    return site if moved is None else replace(site, camera=moved.camera)


def _normal(up: tuple[float, float]) -> Floats:
    return np.array([*up, np.sqrt(max(0.0, 1 - up[0] ** 2 - up[1] ** 2))])


def _between(one: Floats, other: Floats) -> Floats:
    """Gets the smallest rotation (3 x 3) that takes one unit vector to another."""
    axis = np.cross(one, other)
    sine = float(np.linalg.norm(axis))
    angle = float(np.arctan2(sine, one @ other))
    return np.asarray(cv2.Rodrigues(axis / max(sine, 1e-9) * angle)[0], dtype=np.float64)


def _turned_by(site: Site, rotation: Floats) -> Site | None:
    """Gets a site with its camera believed where the board and all on it come out turned about the site's middle.

    None when that would be a view from too far aside.
    """
    camera = camera_turned(site.camera, site.center_mm, rotation)
    if camera is None:
        return None
    if site.label.up is None:
        return replace(site, camera=camera)
    x, y, z = (float(part) for part in rotation @ _normal(site.label.up))
    tilt_deg = float(np.degrees(np.arccos(min(1.0, z))))
    label = replace(site.label, up=(x, y), tilt_deg=tilt_deg if tilt_deg > 1 else 0.0)
    return replace(site, camera=camera, label=label)


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
