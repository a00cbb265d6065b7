"""Draws dice into pictures of real-sized boards: a rounded cube with pips, lit from one side, seen by the true camera.

The sphere-traced rounded box follows Inigo Quilez, "Distance functions" (sdRoundBox). All lengths in millimetres.
"""

from dataclasses import dataclass, replace
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from boardctl.vision.training.die_room import Room, random_room, shaded
from calibration import CameraModel

Floats = NDArray[np.float32]

TRACE_STEPS = 14
NARROW_OFTEN, NARROW_SIX = 0.5, (0.5, 0.95)
"""Of half of the dice the rows of a six are nearer to each other than its pips reach along them, by so much: so are
those of many dice with round corners."""
EDGE_RADIUS, PIP_RADIUS, PIP_SPREAD = (0.03, 0.27), (0.055, 0.135), (0.17, 0.31)
"""In die widths. Where the pips are on a face must not tell how large the die is: its outline does."""
MOST_PIP_RADIUS = 0.45
"""Pips are no larger than this part of how far they are apart, so that they do not touch."""
LARGE_ONE_OFTEN, LARGE_ONE = 0.4, (0.85, 1.8)
"""Of so many dice the pip of the one is of another size than the others, by so much."""
ROOM_OFTEN = 0.5
"""So many dice are drawn in a room that is mirrored in them."""
CONTACT_REACH = 0.15
"""How far the darkness beside a die reaches, in die widths."""

# Spots of the pips on a face, in half widths of the face from its middle.
PIPS: dict[int, tuple[tuple[float, float], ...]] = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (1, 1), (-1, 1), (1, -1)),
    5: ((-1, -1), (1, 1), (-1, 1), (1, -1), (0, 0)),
    6: ((-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)),
}


@dataclass(frozen=True)
class DieLook:
    """Colours (blue, green, red, 0 to 1) and shape (in die widths) of one die."""

    body: tuple[float, float, float]
    pip: tuple[float, float, float]
    edge_radius: float
    pip_radius: float
    pip_spread: float
    gloss: float
    gloss_spread: float
    translucent: float
    speckle: float
    six_rows: float = 1.0
    """How far apart the two rows of a six are, as a part of how far apart the pips in a row's ends are."""
    one_radius: float = 1.0
    """How large the pip of the one is, in terms of the others."""


@dataclass(frozen=True)
class DiePose:
    """Where the die's middle is, and its rotation (3 x 3, die to board).

    ``faces`` are the values on the sides -x +x -y +y -z +z.
    """

    center_mm: NDArray[np.float64]
    rotation: NDArray[np.float64]
    faces: tuple[int, int, int, int, int, int]


@dataclass(frozen=True)
class Light:
    """One lamp far away and the light from all around.

    ``softness_mm``: how wide the edge of a shadow is. ``contact``: how much of the light from all around is missing
    right beside a die, 0 to 1. ``room``: what else lights the die and is mirrored in it; None: one dull lamp.
    """

    direction: NDArray[np.float64]
    strength: float
    ambient: float
    exposure: float
    softness_mm: float = 2.0
    contact: float = 0.0
    room: Room | None = None


def random_look(rng: np.random.Generator) -> DieLook:
    """Draws a look: mostly the dice that are sold for backgammon, sometimes any colour."""
    kinds = ["ivory", "white", "black", "red", "translucent", "pearl", "any"]
    kind = rng.choice(kinds, p=[0.20, 0.16, 0.15, 0.14, 0.15, 0.06, 0.14])
    dark_pip = tuple(rng.uniform(0.01, 0.12, 3) * np.array([1, 1, 1]))
    light_pip = tuple(np.full(3, rng.uniform(0.75, 0.98)) - np.array([rng.uniform(0, 0.12), 0.02, 0]))
    body = {
        "ivory": (0.68, 0.82, 0.88),
        "white": (0.92, 0.92, 0.92),
        "black": (0.05, 0.05, 0.05),
        "red": (0.08, 0.06, 0.62),
        "translucent": (0.10, 0.05, 0.55) if rng.random() < 0.6 else tuple(rng.uniform(0.03, 0.7, 3)),
        "pearl": tuple(rng.uniform(0.55, 0.95, 3)),
    }.get(str(kind), tuple(rng.uniform(0.03, 0.95, 3)))
    body = tuple(np.clip(np.array(body) * rng.uniform(0.8, 1.1) + rng.normal(0, 0.025, 3), 0.01, 1))
    bright = 0.114 * body[0] + 0.587 * body[1] + 0.299 * body[2]
    pip = dark_pip if bright > 0.45 else light_pip
    if kind in ("ivory", "white") and rng.random() < 0.08:
        pip = (0.1, 0.08, 0.6)
    fade = rng.uniform(0, 0.35) if rng.random() < 0.4 else 0.0
    pip = tuple(np.array(pip) * (1 - fade) + np.array(body) * fade)
    spread = float(rng.uniform(*PIP_SPREAD))
    return DieLook(
        body=body,
        pip=pip,
        edge_radius=float(rng.uniform(*EDGE_RADIUS)),
        pip_radius=min(float(rng.uniform(*PIP_RADIUS)), MOST_PIP_RADIUS * spread),
        pip_spread=spread,
        gloss=float(rng.uniform(0, 0.7)),
        gloss_spread=float(np.exp(rng.uniform(np.log(4), np.log(60)))),
        translucent=float(rng.uniform(0.3, 0.8)) if kind == "translucent" else 0.0,
        speckle=float(rng.uniform(0, 0.2)) if kind in ("translucent", "pearl") else float(rng.uniform(0, 0.06)),
        six_rows=float(rng.uniform(*NARROW_SIX)) if rng.random() < NARROW_OFTEN else 1.0,
        one_radius=float(rng.uniform(*LARGE_ONE)) if rng.random() < LARGE_ONE_OFTEN else 1.0,
    )


def random_light(rng: np.random.Generator) -> Light:
    """Draws one lamp between right above and 65 degrees from the vertical."""
    angle, tilt = rng.uniform(0, 2 * np.pi), np.radians(rng.uniform(5, 65))
    direction = np.array([np.sin(tilt) * np.cos(angle), np.sin(tilt) * np.sin(angle), np.cos(tilt)])
    ambient = rng.uniform(0.3, 0.8)
    exposure = float(np.exp(rng.uniform(np.log(0.35), np.log(1.7))))
    strength = 1.05 - ambient + rng.uniform(0, 0.35)
    softness_mm = float(np.exp(rng.uniform(np.log(1.0), np.log(10.0))))
    return Light(direction, strength, ambient, exposure, softness_mm, float(rng.uniform(0, 0.7)))


def light_in_room(rng: np.random.Generator) -> Light:
    """Draws a light with a room."""
    ambient = float(rng.uniform(0.25, 0.8))
    plain = random_light(rng)
    return replace(
        plain,
        ambient=ambient,
        strength=1.05 - ambient + float(rng.uniform(-0.1, 0.35)),
        softness_mm=float(np.exp(rng.uniform(np.log(0.6), np.log(9)))),
        room=random_room(rng, plain.direction),
    )


def any_light(rng: np.random.Generator) -> Light:
    """Draws a light, with a room or without."""
    return light_in_room(rng) if rng.random() < ROOM_OFTEN else random_light(rng)


def faces_with_top(value: int, rng: np.random.Generator) -> tuple[int, int, int, int, int, int]:
    """Draws the values of the faces -x +x -y +y -z +z with ``value`` on top; opposite faces add up to seven."""
    side = int(rng.choice([v for v in range(1, 7) if v not in (value, 7 - value)]))
    other = int(rng.choice([v for v in range(1, 7) if v not in (value, 7 - value, side, 7 - side)]))
    return (7 - side, side, 7 - other, other, 7 - value, value)


def turn(yaw_rad: float, tilt_rad: float, towards_rad: float) -> NDArray[np.float64]:
    """Gets the rotation of a die turned by a yaw and then tilted about a horizontal axis."""
    axis = np.array([np.cos(towards_rad), np.sin(towards_rad), 0.0]) * tilt_rad
    yaw = cv2.Rodrigues(np.array([0.0, 0.0, yaw_rad]))[0]
    return np.asarray(cv2.Rodrigues(axis)[0] @ yaw, dtype=np.float64)


def _box_distance(points: Floats, half: float, radius: float) -> Floats:
    x, y, z = (np.abs(points[:, axis]) - np.float32(half - radius) for axis in range(3))
    outside = np.sqrt(np.square(np.maximum(x, 0)) + np.square(np.maximum(y, 0)) + np.square(np.maximum(z, 0)))
    inside = np.minimum(np.maximum(x, np.maximum(y, z)), 0)
    return np.asarray(outside + inside - np.float32(radius), dtype=np.float32)


def _trace(origin: Floats, rays: Floats, half: float, radius: float) -> tuple[Floats, NDArray[np.bool_]]:
    far = np.linalg.norm(origin) - half * 1.8
    points = origin + rays * np.float32(far)
    for _ in range(TRACE_STEPS):
        points = points + rays * _box_distance(points, half, radius)[:, None]
    return points.astype(np.float32), _box_distance(points, half, radius) < half * 0.03


def _colours(points: Floats, rays: Floats, pose: DiePose, look: DieLook, light: Light, size: float) -> Floats:
    half, radius = size / 2, look.edge_radius * size
    beyond = np.maximum(np.abs(points) - (half - radius), 0) * np.sign(points)
    normal = beyond / (np.linalg.norm(beyond, axis=1, keepdims=True) + 1e-6)
    axis = np.abs(points).argmax(axis=1)
    face = 2 * axis + (points[np.arange(len(points)), axis] > 0)
    base = np.tile(np.array(look.body, dtype=np.float32), (len(points), 1))
    for index, value in enumerate(pose.faces):
        chosen = face == index
        if not chosen.any():
            continue
        plane = points[chosen][:, [i for i in range(3) if i != index // 2]] / size
        if (index + value) % 2:
            plane = plane[:, ::-1] * np.array([1, -1], dtype=np.float32)
        pip = np.zeros(len(plane), dtype=bool)
        reach = look.pip_radius * (look.one_radius if value == 1 else 1.0)
        across = look.pip_spread * (look.six_rows if value == 6 else 1.0)
        for u, v in PIPS[value]:
            away = np.hypot(plane[:, 0] - u * across, plane[:, 1] - v * look.pip_spread)
            pip |= away < reach
        base[np.flatnonzero(chosen)[pip]] = look.pip
    if light.room is not None:
        to_die = pose.rotation.T.astype(np.float32)
        heights = np.asarray((points @ to_die[:, 2]) / size + 0.5, dtype=np.float32)
        lamps = (light.strength, light.ambient, look.translucent)
        bright, shine = shaded(light.room, np.asarray(normal, dtype=np.float32), rays, heights, to_die, *lamps)
        return np.asarray(base * bright[:, None] + shine[:, None], dtype=np.float32)
    to_light = (pose.rotation.T @ light.direction).astype(np.float32)
    lit = np.maximum(normal @ to_light, 0)[:, None] * light.strength
    up = (pose.rotation.T @ np.array([0, 0, 1.0])).astype(np.float32)
    around = light.ambient * (0.65 + 0.35 * (normal @ up))[:, None]
    shade = (1 - look.translucent) * (lit + around) + look.translucent * (0.55 + 0.35 * (lit + around))
    middle = to_light - rays
    middle = middle / np.linalg.norm(middle, axis=1, keepdims=True)
    shine = (
        look.gloss * np.power(np.maximum((normal * middle).sum(axis=1), 0), look.gloss_spread)[:, None] * light.strength
    )
    return np.asarray(base * shade + shine, dtype=np.float32)


def _shadow(
    pose: DiePose,
    light: Light,
    size_mm: float,
    spots: NDArray[np.float64],
) -> Floats:
    """Gets how dark (0 to 1) each spot (width * width x 3) of the ground is from the die's shadow."""
    width = round(len(spots) ** 0.5)
    local = ((spots - pose.center_mm) @ pose.rotation).astype(np.float32)
    lamp = (pose.rotation.T @ light.direction).astype(np.float32)
    closest = local - lamp * np.minimum(local @ lamp, 0)[:, None]
    gap = np.full(len(spots), 9.0, dtype=np.float32)
    for along in np.linspace(-0.8, 0.8, 7):
        gap = np.minimum(gap, _box_distance(closest + lamp * np.float32(along * size_mm), size_mm / 2, 1.0))
    dark = np.clip(0.75 - gap / light.softness_mm, 0, 1) * light.strength / (light.strength + light.ambient)
    away = np.maximum(_box_distance(local, size_mm / 2, 1.0), 0)
    dark = 1 - (1 - dark) * (1 - light.contact * np.exp(-away / (CONTACT_REACH * size_mm)))
    return np.asarray(cv2.GaussianBlur(dark.reshape(width, width), (0, 0), 0.8), dtype=np.float32)[..., None]


def draw_die(
    picture: NDArray[np.uint8],
    camera: CameraModel,
    pose: DiePose,
    look: DieLook,
    light: Light,
    size_mm: float,
    ground_mm: float,
    blur_px: float,
    rng: np.random.Generator,
) -> NDArray[np.uint8]:
    """Gets a copy of the picture with a die and its shadow on the plane ``ground_mm`` high."""
    fine = 3
    pixel = camera.project(pose.center_mm[None])[0]
    away = np.linalg.norm(pose.center_mm - camera.position_mm)
    reach = int(np.ceil(camera.focal_x_px * size_mm / away * 1.9)) + 2
    left, top = (int(v) for v in np.round(pixel) - reach)
    width = 2 * reach + 1
    grid = np.stack(np.meshgrid(left + np.arange(width), top + np.arange(width)), axis=-1).reshape(-1, 2)
    ground = camera.to_plane(grid, ground_mm)
    coarse = np.column_stack([ground, np.full(len(ground), ground_mm)])
    # Between whole pixels the lens bends nothing that counts: undistorting every fine ray takes most of the time.
    wide = (width * fine, width * fine)
    spots = cv2.resize(coarse.reshape(width, width, 3), wide, interpolation=cv2.INTER_LINEAR).reshape(-1, 3)
    rays = spots - camera.position_mm
    rays = (rays / np.linalg.norm(rays, axis=1, keepdims=True)) @ pose.rotation
    origin = ((camera.position_mm - pose.center_mm) @ pose.rotation).astype(np.float32)
    rays = rays.astype(np.float32)
    # Only rays that pass near the middle can hit.
    near = origin @ origin - np.square(rays @ origin) < (size_mm * 0.88) ** 2
    colour = np.zeros((len(spots), 3), dtype=np.float32)
    cover = np.zeros(len(spots), dtype=np.float32)
    points, hit = _trace(origin, rays[near], size_mm / 2, look.edge_radius * size_mm)
    where = np.flatnonzero(near)[hit]
    colour[where] = _colours(points[hit], rays[where], pose, look, light, size_mm)
    cover[where] = 1
    shadow = _shadow(pose, light, size_mm, coarse)

    def shrink(values: Floats) -> Floats:
        image: Any = values.reshape(width * fine, width * fine, -1)
        image = cv2.resize(image, (width, width), interpolation=cv2.INTER_AREA)
        if blur_px > 0.2:
            image = cv2.GaussianBlur(image, (0, 0), blur_px)
        return np.asarray(image, dtype=np.float32).reshape(width, width, -1)

    grain = rng.standard_normal((width, width, 1), dtype=np.float32)
    colour, cover = shrink(colour), shrink(cover)
    colour = colour * (1 + look.speckle * grain)
    result = picture.copy()
    y0, x0 = max(top, 0), max(left, 0)
    y1, x1 = min(top + width, picture.shape[0]), min(left + width, picture.shape[1])
    if y0 >= y1 or x0 >= x1:
        return result
    inside = (slice(y0 - top, y1 - top), slice(x0 - left, x1 - left))
    under = result[y0:y1, x0:x1].astype(np.float32)
    exposure = 255.0 * light.exposure
    painted = under * (1 - 0.8 * shadow[inside]) * (1 - cover[inside]) + colour[inside] * exposure
    result[y0:y1, x0:x1] = np.clip(painted, 0, 255).astype(np.uint8)
    return result
