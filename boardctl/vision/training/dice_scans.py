"""Scans of pictures with the middles of the dice and cubes in them, from which the network that finds dice learns."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from boardctl.vision.dice.scan import scan_picture
from boardctl.vision.measuring.truth import TruePicture, training_pictures
from boardctl.vision.training.sites import die_center, drawn_die

STORED_DIE_PX = 10.0
"""The scans that examples are cut from are a little finer than the network's."""
PAINTED = 2
"""So often dice are drawn into each picture, besides the picture as it is; and so many dice each time."""
DRAWN_A_PICTURE = 6
APART_MM = 35
"""Middles of dice that are drawn lie so far from each other."""


@dataclass(frozen=True)
class Scan:
    """One rectified picture, the middles of the dice in it (pixels), of those that do not count, and of the cube."""

    picture: NDArray[np.uint8]
    dice: NDArray[np.float64]
    ignored: NDArray[np.float64]
    cubes: NDArray[np.float64]


def scan_of(picture: TruePicture, image: NDArray[np.uint8], drawn: list[tuple[float, float]]) -> Scan:
    """Gets the scan of a picture (``image``) with its truth and the middles (millimetres) of dice drawn into it."""
    scan, frame = scan_picture(image, picture.camera, picture.geometry, STORED_DIE_PX)
    sure, unsure = list(drawn), list[tuple[float, float]]()
    for die in picture.truth["dice"]:
        if die["in_image"]:
            (sure if die["visible_frac"] >= 0.5 else unsure).append(die_center(picture, die)[:2])
    cubes = list[tuple[float, float]]()
    cube = picture.truth.get("cube")
    if cube and cube.get("center_px"):
        x, y = picture.camera.to_plane([cube["center_px"]], picture.geometry.die_size_mm / 2)[0]
        cubes.append((float(x), float(y)))
    sets = [np.array(spots, dtype=np.float64).reshape(-1, 2) for spots in (sure, unsure, cubes)]
    return Scan(scan, *(frame.to_pixels(spots) for spots in sets))


def painted_scan(
    picture: TruePicture, image: NDArray[np.uint8], rng: np.random.Generator, dice: int = DRAWN_A_PICTURE
) -> Scan:
    """Gets the scan of a picture with dice drawn into it, where there is room for them."""
    painted, spots = image, list[tuple[float, float]]()
    for _ in range(dice):
        made = drawn_die(picture, painted, rng, accompanied=0.0)
        if made is not None and all(np.hypot(made[1][0] - x, made[1][1] - y) > APART_MM for x, y in spots):
            painted = made[0]
            spots.append(made[1][:2])
    return scan_of(picture, painted, spots)


def collect(folder: Path, rng: np.random.Generator) -> list[Scan]:
    """Gets the scans of all pictures, as they are and with drawn dice."""
    scans = []
    for picture in training_pictures(folder):
        image = picture.picture()
        scans.append(scan_of(picture, image, []))
        scans += [painted_scan(picture, image, rng) for _ in range(PAINTED)]
    return scans
