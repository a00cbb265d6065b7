"""Sites to learn from: pieces of pictures with a die (true or drawn), or without, and what is known of them."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from boardctl.vision.dice.patch import die_size_px
from boardctl.vision.measuring.truth import TruePicture
from boardctl.vision.training.die_render import DiePose, any_light, draw_die, faces_with_top, random_look, turn
from calibration import CameraModel

REACH_DICE = 3.2
"""Half the width of a site, in die widths: a turned and shifted patch fits in."""

CUBE_REACH_DICE = 1.1
"""Nearer to the middle of the doubling cube than this, in die widths, a site shows the cube: it is two dice wide."""

AS_GIVEN = (0.96, 1.04)
"""Sizes of drawn dice that are taken to be as large as the picture's own."""

TILTED_DEG = 8.0
"""From this tilt a die must be rolled again."""


@dataclass(frozen=True)
class Label:
    """What is at the middle of a site."""

    kind: str  # die, cube, none
    value: int = 0
    tilt_deg: float = 0.0
    on: str = "surface"
    up: tuple[float, float] | None = None
    """Which way on the board (x, y) the die's upward side faces, as long as the sine of its tilt; None: not known."""
    touches: bool = False
    """Whether a true die touches something beside it."""


@dataclass(frozen=True)
class Site:
    """A piece of a picture around a spot, and a camera model moved to that piece."""

    picture: NDArray[np.uint8]
    camera: CameraModel
    center_mm: tuple[float, float, float]
    die_mm: float
    label: Label
    group: str = "none"  # none, mistaken, cube, true, odd, drawn, stacked, leaning, beside: from where it is
    found_mm: tuple[float, float] | None = None
    """How far (x, y) beside its middle the reader finds the die, where that was looked up."""


def cut_site(
    picture: NDArray[np.uint8],
    camera: CameraModel,
    center_mm: tuple[float, float, float],
    die_mm: float,
    label: Label,
    group: str,
) -> Site | None:
    """Cuts the piece around a spot; None when the spot is not in the picture."""
    x, y = camera.project([center_mm])[0]
    height, width = picture.shape[:2]
    size = die_size_px(camera, center_mm, die_mm)
    if not (0.5 * size < x < width - 0.5 * size and 0.5 * size < y < height - 0.5 * size):
        return None
    reach = int(np.ceil(size * REACH_DICE))
    left, top = max(int(x) - reach, 0), max(int(y) - reach, 0)
    piece = picture[top : int(y) + reach, left : int(x) + reach].copy()
    moved = replace(camera, center_x_px=camera.center_x_px - left, center_y_px=camera.center_y_px - top)
    return Site(piece, moved, center_mm, die_mm, label, group)


def die_center(picture: TruePicture, die: dict[str, Any]) -> tuple[float, float, float]:
    """Gets a spot at half a die's height whose pixel is the die's middle, whatever it stands on."""
    height = picture.geometry.die_size_mm / 2
    x, y = picture.camera.to_plane([die["center_px"]], height)[0]
    return (float(x), float(y), height)


def upward_side(picture: TruePicture, die: dict[str, Any]) -> tuple[float, float]:
    """Gets which way on the board (x, y) a die's upward side faces, by its corners in the picture.

    They are in the order -x -y -z, -x -y +z, -x +y -z, ... +x +y +z of the die's own frame.
    """
    corners = np.array(list(product((-0.5, 0.5), repeat=3))) * picture.geometry.die_size_mm
    camera = picture.camera
    _, turned, _ = cv2.solvePnP(
        corners, np.array(die["corners_px"]), camera.matrix, np.array(camera.distortion), flags=cv2.SOLVEPNP_SQPNP
    )
    sides = camera.rotation.T @ cv2.Rodrigues(turned)[0]
    upward = int(np.abs(sides[2]).argmax())
    x, y, _ = sides[:, upward] * np.sign(sides[2, upward])
    return (float(x), float(y))


SUPPORTS = {"checker": "checker", "die": "die"}
TOUCHING = ("flat_touching", "cocked")
"""How the kinds of dice begin, in the truth, that touch something beside them."""


def true_dice(picture: TruePicture, image: NDArray[np.uint8]) -> Iterator[Site]:
    """Gets a site for each die whose value can be read."""
    for die in picture.truth["dice"]:
        if not die["in_image"] or die["visible_frac"] < 0.5 or not die.get("value_readable", True):
            continue
        up = (0.0, 0.0) if die["flat"] else upward_side(picture, die)
        touches = die["kind"].startswith(TOUCHING)
        label = Label("die", die["value"], die["tilt_deg"], SUPPORTS.get(die["on"], "surface"), up, touches)
        group = "true" if die["flat"] and label.on == "surface" else "odd"
        site = cut_site(image, picture.camera, die_center(picture, die), picture.geometry.die_size_mm, label, group)
        if site is not None:
            yield site


def spot_is_free(picture: TruePicture, spot_mm: tuple[float, float, float], clear_dice: float) -> bool:
    """Whether no true die or cube has its middle within ``clear_dice`` die widths of a spot."""
    x, y = picture.camera.project([spot_mm])[0]
    size = die_size_px(picture.camera, spot_mm, picture.geometry.die_size_mm)
    things = [*picture.truth["dice"], *([picture.truth["cube"]] if picture.truth.get("cube") else [])]
    return all(
        np.hypot(x - thing["center_px"][0], y - thing["center_px"][1]) > clear_dice * size
        for thing in things
        if thing.get("center_px")
    )


def random_spot(picture: TruePicture, rng: np.random.Generator, at_checkers: float = 0.5) -> tuple[float, float, float]:
    """Draws a spot on the board or near it: often (``at_checkers``) at checkers, as dice and false dice are."""
    geometry = picture.geometry
    half = geometry.die_size_mm / 2
    checkers = picture.checkers_mm
    if len(checkers) and rng.random() < at_checkers:
        x, y, _ = checkers[rng.integers(len(checkers))]
        away = rng.uniform(0, 1.3) * geometry.checker_diameter_mm / 2
        angle = rng.uniform(0, 2 * np.pi)
        return (float(x + away * np.cos(angle)), float(y + away * np.sin(angle)), half)
    x = rng.uniform(-0.5, 0.5) * (geometry.field_width_mm + 220)
    y = rng.uniform(-0.5, 0.5) * (geometry.field_height_mm + 140)
    return (float(x), float(y), half)


def empty_site(picture: TruePicture, image: NDArray[np.uint8], rng: np.random.Generator) -> Site | None:
    """Gets a site without a die at its middle; a quarter of them just beside a die."""
    geometry = picture.geometry
    dice = [die for die in picture.truth["dice"] if die["in_image"]]
    spot = random_spot(picture, rng)
    if dice and rng.random() < 0.3:
        x, y, z = die_center(picture, dice[rng.integers(len(dice))])
        away, angle = rng.uniform(0.65, 1.5) * geometry.die_size_mm, rng.uniform(0, 2 * np.pi)
        spot = (float(x + away * np.cos(angle)), float(y + away * np.sin(angle)), z)
    if not spot_is_free(picture, spot, 0.6):
        return None
    return cut_site(image, picture.camera, spot, geometry.die_size_mm, Label("none"), "none")


def mistaken_sites(picture: TruePicture, image: NDArray[np.uint8], spots: list[tuple[float, float]]) -> Iterator[Site]:
    """Gets sites where the scan suspects a die and there is none; those on the doubling cube are labelled so."""
    geometry = picture.geometry
    half = geometry.die_size_mm / 2
    cube = picture.truth.get("cube")
    for x, y in spots:
        spot = (x, y, half)
        if cube and cube.get("center_px"):
            away = picture.camera.to_plane([cube["center_px"]], half)[0] - (x, y)
            if np.hypot(*away) < CUBE_REACH_DICE * geometry.die_size_mm:
                site = cut_site(image, picture.camera, spot, geometry.die_size_mm, Label("cube"), "cube")
                if site is not None:
                    yield site
                continue
        if spot_is_free(picture, spot, 0.6):
            site = cut_site(image, picture.camera, spot, geometry.die_size_mm, Label("none"), "mistaken")
            if site is not None:
                yield site


def cube_site(picture: TruePicture, image: NDArray[np.uint8], rng: np.random.Generator) -> Site | None:
    """Gets a site on the doubling cube."""
    cube = picture.truth.get("cube")
    if not cube or not cube.get("center_px"):
        return None
    half = picture.geometry.die_size_mm / 2
    x, y = picture.camera.to_plane([cube["center_px"]], half)[0] + rng.uniform(-0.6, 0.6, 2) * half * 2
    spot = (float(x), float(y), half)
    return cut_site(image, picture.camera, spot, picture.geometry.die_size_mm, Label("cube"), "cube")


def _ground(picture: TruePicture, x: float, y: float) -> tuple[float, str]:
    """Gets the height of what is below a spot, and what it is."""
    geometry = picture.geometry
    height, on = (geometry.bar_height_mm, "surface") if abs(x) < geometry.bar_width_mm / 2 else (0.0, "surface")
    for cx, cy, top in picture.checkers_mm:
        if np.hypot(cx - x, cy - y) < geometry.checker_diameter_mm / 2 and top > height:
            height, on = float(top), "checker"
    return height, on


def _resting(rng: np.random.Generator, size: float, tilted: bool) -> tuple[NDArray[np.float64], float, float]:
    """Draws a rotation; gets it, the height of the middle, and the tilt in degrees."""
    tilt = float(rng.uniform(TILTED_DEG + 0.5, 38.0)) if tilted else 0.0
    rotation = turn(rng.uniform(0, 2 * np.pi), np.radians(tilt), rng.uniform(0, 2 * np.pi))
    return rotation, float(size / 2 * np.abs(rotation[2]).sum()), tilt


def drawn_die(
    picture: TruePicture,
    image: NDArray[np.uint8],
    rng: np.random.Generator,
    tilted_share: float = 0.3,
    at_checkers: float = 0.5,
    sizes: tuple[float, float] = AS_GIVEN,
    accompanied: float = 0.2,
) -> tuple[NDArray[np.uint8], tuple[float, float, float], Label] | None:
    """Draws a die at a random free spot; gets the picture, the spot at half a die's height, and the label.

    ``sizes``: how large it is at least and at most, in terms of the picture's own dice. ``accompanied``: how often
    another, of which nothing is told, is drawn beside it.
    """
    size = picture.geometry.die_size_mm * float(np.exp(rng.uniform(*np.log(sizes))))
    spot = random_spot(picture, rng, at_checkers)
    if not spot_is_free(picture, spot, 1.7):
        return None
    tilted = bool(rng.random() < tilted_share)
    ground, on = _ground(picture, spot[0], spot[1])
    if tilted:
        ground, on = (ground, on) if on == "surface" else (0.0, "surface")
    rotation, height, tilt = _resting(rng, size, tilted)
    value = int(rng.integers(1, 7))
    center = np.array([spot[0], spot[1], ground + height])
    look, light = random_look(rng), any_light(rng)
    blur = float(rng.uniform(0.2, 1.0)) * (0.7 if die_size_px(picture.camera, spot, size) < 13 else 1.0)
    pose = DiePose(center, rotation, faces_with_top(value, rng))
    painted = draw_die(image, picture.camera, pose, look, light, size, ground, blur, rng)
    if rng.random() < accompanied:
        angle, away = rng.uniform(0, 2 * np.pi), rng.uniform(1.25, 2.2) * size
        beside = np.array([spot[0] + away * np.cos(angle), spot[1] + away * np.sin(angle), size / 2])
        if ground == 0 and _ground(picture, beside[0], beside[1])[0] == 0:
            other = DiePose(beside, turn(rng.uniform(0, 7), 0, 0), faces_with_top(int(rng.integers(1, 7)), rng))
            painted = draw_die(painted, picture.camera, other, look, light, size, 0.0, blur, rng)
    noise = rng.uniform(0, 4)
    x0, y0 = (int(v) for v in picture.camera.project([center])[0])
    near = painted[max(y0 - 40, 0) : max(y0 + 40, 0), max(x0 - 40, 0) : max(x0 + 40, 0)]
    near[:] = np.clip(near + rng.normal(0, noise, near.shape), 0, 255).astype(np.uint8)
    x, y = picture.camera.to_plane(picture.camera.project([center]), size / 2)[0]
    up = (float(rotation[0, 2]), float(rotation[1, 2]))
    return painted, (float(x), float(y), size / 2), Label("die", value, tilt, on, up)
