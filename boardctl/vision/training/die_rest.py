"""Draws dice that rest on the playing surface beside something: leaning on it, or flat and just touching it.

Checkers, rails, bar and other dice are walls here: upright, straight, so high. A die that leans on one has its lowest
edge or corner on the surface and touches the wall, or its rim, with what of it is no higher than the wall.
"""

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from boardctl.vision.dice.patch import die_size_px
from boardctl.vision.measuring.truth import TruePicture
from boardctl.vision.training.die_render import (
    DieLook,
    DiePose,
    Light,
    any_light,
    draw_die,
    faces_with_top,
    random_look,
    turn,
)
from boardctl.vision.training.sites import Label, Site, cut_site, spot_is_free
from calibration import CameraModel

Floats = NDArray[np.float64]

LEAST_DIE_PX = 9.0
MOST_HIDDEN = 0.3
"""A die of which a wall hides more than this part is not shown."""
SIZES = (0.75, 1.35)
"""Sizes of drawn dice in terms of the picture's own: the same board is played with dice of 10 to 18 mm."""
LEAST_TILT_DEG, MOST_TILT_DEG = 8.5, 40.0
"""From 8 degrees on a die must be rolled again; beyond 45 another face is its top."""
SMALL_TILT_DEG, SMALL_SHARE = 20.0, 0.6
"""So many of the tilts are no larger than this: small ones are hardest to tell, and most common."""
EDGE_POINTS = 9
LONG_MM = 60.0
"""Half of how much of a rail or the bar is looked at beside a die: more than a patch shows."""


@dataclass(frozen=True)
class Wall:
    """Something to lean on.

    A point of its foot (x, y), which way it faces, its height, how far a die may lie aside of that point, and how thick
    it is; ``is_round`` for a checker, which is as thick as it is wide.
    """

    foot_mm: Floats
    facing_rad: float
    height_mm: float
    along_mm: float = 0.0
    thick_mm: float = 0.0
    is_round: bool = False

    @property
    def normal(self) -> Floats:
        """Unit vector (x, y) away from the wall."""
        return np.array([np.cos(self.facing_rad), np.sin(self.facing_rad)])


def checker_wall(picture: TruePicture, rng: np.random.Generator) -> Wall | None:
    """Draws a side of one of the picture's checkers that lie flat on points; None when there is none."""
    geometry = picture.geometry
    lying = [c for c in picture.checkers_mm if abs(c[0]) > geometry.bar_width_mm / 2]
    if not lying:
        return None
    x, y, top = lying[rng.integers(len(lying))]
    facing = float(rng.uniform(0, 2 * np.pi))
    radius = geometry.checker_diameter_mm / 2
    foot = np.array([x + radius * np.cos(facing), y + radius * np.sin(facing)])
    return Wall(foot, facing, float(top), 0.0, 2 * radius, is_round=True)


def rail_wall(picture: TruePicture, rng: np.random.Generator) -> Wall:
    """Draws a place along a rail or the bar."""
    geometry = picture.geometry
    end_x, end_y = geometry.field_width_mm / 2, geometry.field_height_mm / 2
    side, along = (-1.0 if rng.random() < 0.5 else 1.0), rng.uniform(-0.9, 0.9)
    rail, bar = (geometry.rail_height_mm, 0.0, geometry.rail_width_mm), (geometry.bar_height_mm, 0.0)
    match int(rng.integers(3)):
        case 0:
            return Wall(np.array([side * end_x, along * end_y]), np.pi if side > 0 else 0.0, *rail)
        case 1:
            return Wall(np.array([along * end_x, side * end_y]), -side * np.pi / 2, *rail)
    foot = np.array([side * geometry.bar_width_mm / 2, along * end_y])
    return Wall(foot, 0.0 if side > 0 else np.pi, *bar, geometry.bar_width_mm)


def beside(wall: Wall, size_mm: float, tilt_deg: float, gap_mm: float, value: int, rng: np.random.Generator) -> DiePose:
    """Draws a die that rests beside a wall, raised by ``tilt_deg`` on the side of the wall.

    Two in three lie with an edge along the wall, the others at any angle; the way of the tilt varies a little.
    """
    along = rng.normal(0, 4) if rng.random() < 0.65 else rng.uniform(-45, 45)
    axis = wall.facing_rad + np.pi / 2 + np.radians(rng.normal(0, 6))
    rotation = turn(wall.facing_rad + np.radians(along), np.radians(tilt_deg), axis)
    height = size_mm / 2 * np.abs(rotation[2]).sum()
    edges = _edge_points(size_mm) @ rotation.T
    low = edges[edges[:, 2] + height <= wall.height_mm]
    reach = float((low[:, :2] @ wall.normal).min())
    shift = rng.uniform(-0.5, 0.5) * wall.along_mm * np.array([-wall.normal[1], wall.normal[0]])
    spot = wall.foot_mm + wall.normal * (gap_mm - reach) + shift
    return DiePose(np.array([*spot, height]), rotation, faces_with_top(value, rng))


def _edge_points(size_mm: float) -> Floats:
    """Gets points (N x 3) on the edges of a die around its middle."""
    steps, ends = np.linspace(-0.5, 0.5, EDGE_POINTS), (-0.5, 0.5)
    points = []
    for axis in range(3):
        for a in ends:
            for b in ends:
                edge = np.tile([a, b], (EDGE_POINTS, 1))
                points.append(np.insert(edge, axis, steps, axis=1))
    return np.concatenate(points) * size_mm


def hidden_by(wall: Wall, camera: CameraModel, shape: tuple[int, int]) -> NDArray[np.bool_]:
    """Gets which pixels (height x width) a wall hides of a die behind it: those of its top, seen over its edge."""
    mask = np.zeros(shape, dtype=np.uint8)
    if wall.normal @ (camera.position_mm[:2] - wall.foot_mm) >= 0 or wall.thick_mm == 0:
        return mask > 0
    if wall.is_round:
        angles = np.linspace(0, 2 * np.pi, 40, endpoint=False)
        circle = np.column_stack([np.cos(angles), np.sin(angles)])
        top = wall.foot_mm + wall.thick_mm / 2 * (circle - wall.normal)
    else:
        tangent = np.array([-wall.normal[1], wall.normal[0]]) * LONG_MM
        back = wall.foot_mm - wall.normal * wall.thick_mm
        top = np.array([wall.foot_mm + tangent, wall.foot_mm - tangent, back - tangent, back + tangent])
    pixels = camera.project(np.column_stack([top, np.full(len(top), wall.height_mm)]))
    cv2.fillPoly(mask, [np.round(pixels).astype(np.int32)], 1)
    return mask > 0


def is_clear(picture: TruePicture, pose: DiePose, size_mm: float) -> bool:
    """Whether a die is on the playing surface and in no checker, rail or bar; touching is clear."""
    geometry = picture.geometry
    corners = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]) * size_mm / 2
    spots = corners @ pose.rotation.T + pose.center_mm
    low = spots[spots[:, 2] < geometry.checker_height_mm]
    x, y = np.abs(low[:, 0]), np.abs(low[:, 1])
    if (x > geometry.field_width_mm / 2 + 1).any() or (y > geometry.field_height_mm / 2 + 1).any():
        return False
    if (x < geometry.bar_width_mm / 2 - 1).any():
        return False
    radius = geometry.checker_diameter_mm / 2
    for cx, cy, _ in picture.checkers_mm:
        if (np.hypot(low[:, 0] - cx, low[:, 1] - cy) < radius - 1).any():
            return False
        if np.hypot(pose.center_mm[0] - cx, pose.center_mm[1] - cy) < radius:
            return False
    return True


@dataclass(frozen=True)
class Rest:
    """A die to draw beside something: its look and light, its tilt, its gap to that (in die widths), and the group of
    the site."""

    look: DieLook
    light: Light
    tilt_deg: float
    gap: float
    group: str


def drawn_beside(picture: TruePicture, image: NDArray[np.uint8], rng: np.random.Generator, tilted: bool) -> Site | None:
    """Gets a site with a die that leans on something, or lies flat beside it; None when a drawn place was not free."""
    look, light = random_look(rng), any_light(rng)
    most = SMALL_TILT_DEG if rng.random() < SMALL_SHARE else MOST_TILT_DEG
    tilt = float(rng.uniform(LEAST_TILT_DEG, most)) if tilted else 0.0
    gap = 0.0 if tilted or rng.random() < 0.4 else float(rng.uniform(0, 1))
    site = drawn_at_rest(picture, image, rng, Rest(look, light, tilt, gap, "leaning" if tilted else "beside"))
    if site is None:
        return None
    noisy = site.picture + rng.normal(0, rng.uniform(0, 4), site.picture.shape)
    return replace(site, picture=np.clip(noisy, 0, 255).astype(np.uint8))


def drawn_at_rest(picture: TruePicture, image: NDArray[np.uint8], rng: np.random.Generator, rest: Rest) -> Site | None:
    """Gets a site with a die drawn beside a checker, a rail, the bar or a die; None when the place was not free."""
    size = picture.geometry.die_size_mm * float(np.exp(rng.uniform(*np.log(SIZES))))
    look, light = rest.look, rest.light
    on = rng.choice(["checker", "rail", "die"], p=[0.45, 0.33, 0.22])
    other: DiePose | None = None
    if on == "die":
        x, y = rng.uniform(-0.5, 0.5, 2) * (picture.geometry.field_width_mm, picture.geometry.field_height_mm)
        yaw = float(rng.uniform(0, 2 * np.pi))
        faces = faces_with_top(int(rng.integers(1, 7)), rng)
        other = DiePose(np.array([x, y, size / 2]), turn(yaw, 0.0, 0.0), faces)
        facing = yaw + np.pi / 2 * int(rng.integers(4))
        foot = other.center_mm[:2] + size / 2 * np.array([np.cos(facing), np.sin(facing)])
        wall: Wall | None = Wall(foot, facing, size, size)
    else:
        wall = checker_wall(picture, rng) if on == "checker" else rail_wall(picture, rng)
    if wall is None or (other is not None and not is_clear(picture, other, size)):
        return None
    value = int(rng.integers(1, 7))
    pose = beside(wall, size, rest.tilt_deg, rest.gap * size, value, rng)
    pixel = picture.camera.project([pose.center_mm])
    x, y = picture.camera.to_plane(pixel, size / 2)[0]
    spot = (float(x), float(y), size / 2)
    size_px = die_size_px(picture.camera, spot, size)
    if size_px < LEAST_DIE_PX or not is_clear(picture, pose, size) or not spot_is_free(picture, spot, 1.7):
        return None
    label = Label("die", value, rest.tilt_deg, up=(float(pose.rotation[0, 2]), float(pose.rotation[1, 2])))
    site = cut_site(image, picture.camera, spot, size, label, rest.group)
    if site is None:
        return None
    blur = float(rng.uniform(0.2, 1.0)) * (0.7 if size_px < 13 else 1.0)
    painted = site.picture
    if other is not None:
        painted = draw_die(painted, site.camera, other, look, light, size, 0.0, blur, rng)
    with_die = draw_die(painted, site.camera, pose, look, light, size, 0.0, blur, rng)
    hidden = hidden_by(wall, site.camera, painted.shape[:2])
    x, y = (round(float(v)) for v in site.camera.project([pose.center_mm])[0])
    near = round(size_px / 2)
    if hidden[max(y - near, 0) : y + near, max(x - near, 0) : x + near].mean() > MOST_HIDDEN:
        return None
    edge = cv2.GaussianBlur(hidden.astype(np.float32), (0, 0), max(blur, 0.4))[..., None]
    shown = with_die * (1 - edge) + painted * edge
    return replace(site, picture=np.clip(shown, 0, 255).astype(np.uint8))
