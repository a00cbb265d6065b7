"""The room around a drawn die: several lamps, and how they and the sky are mirrored in its faces and rounded edges.

What true dice show and plain shading does not: bright lines along edges, a face washed out by a window, sides that
hardly differ from the top, darkness where a side meets the ground. Mirrored light grows towards the edge of what is
seen by Schlick's approximation of Fresnel's equations.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
Direction = NDArray[np.float64]

MOST_LAMPS = 3
GLOSSY = 0.75
"""So many dice mirror much."""
OTHER_LAMPS = 0.15
"""How much of their brightness the lamps beside the first give to what is lit by them."""
OCCLUDED_REACH = 0.3
"""How high up a side the darkness near the ground reaches, in die widths."""
FROM_BELOW = 0.25
"""How much of the room is mirrored where a ray goes on downwards, to the board."""
DARKEST = 0.02


@dataclass(frozen=True)
class Lamp:
    """A round lamp far away: where, the cosines of where its light begins and ends to fade, how bright (lit by the
    main lamp: about 1)."""

    direction: Direction
    inner: float
    outer: float
    brightness: float


@dataclass(frozen=True)
class Room:
    """What lights a die beside its main lamp, which is the first of ``lamps`` as a mirror shows it.

    ``sky_way`` (unit vector) and ``sky_slope``: from where the light from all around is brightest, and by how much.
    ``gamma``: exponent of the shading, as of a camera. ``mirror``, ``mirror_face_on``: how much is mirrored at most,
    and which part of that by a face seen square on. ``occluded``: how dark a side is at the ground. ``sky``: how
    bright the mirrored sky is.
    """

    lamps: tuple[Lamp, ...]
    sky_way: Direction
    sky_slope: float
    gamma: float
    mirror_face_on: float
    mirror: float
    occluded: float
    sky: float


def direction(rng: np.random.Generator, least_deg: float, most_deg: float) -> Direction:
    """Draws a direction (x, y, z) so far from the vertical."""
    angle, aside = rng.uniform(0, 2 * np.pi), np.radians(rng.uniform(least_deg, most_deg))
    return np.array([np.sin(aside) * np.cos(angle), np.sin(aside) * np.sin(angle), np.cos(aside)])


def random_room(rng: np.random.Generator, main: Direction) -> Room:
    """Draws a room with its main lamp in a direction."""
    lamps = []
    for number in range(int(rng.integers(1, MOST_LAMPS + 1))):
        where = main if number == 0 else direction(rng, 5, 75)
        width = np.radians(np.exp(rng.uniform(np.log(4), np.log(30))))
        fades = width + np.radians(rng.uniform(2, 15))
        bright = float(np.exp(rng.uniform(np.log(0.5), np.log(8))))
        lamps.append(Lamp(where, float(np.cos(width)), float(np.cos(fades)), bright))
    way = np.array([0.0, 0.0, 1.0]) + rng.normal(0, (0.45, 0.45, 0.135))
    return Room(
        tuple(lamps),
        way / np.linalg.norm(way),
        sky_slope=float(rng.uniform(0.1, 0.5)),
        gamma=float(rng.uniform(0.5, 1)),
        mirror_face_on=float(rng.uniform(0.03, 0.1)),
        mirror=float(rng.uniform(0.3, 1.2) if rng.random() < GLOSSY else rng.uniform(0, 0.15)),
        occluded=float(rng.uniform(0, 0.6)),
        sky=float(rng.uniform(0.1, 1.0)),
    )


def shaded(
    room: Room,
    normals: Floats,
    rays: Floats,
    heights: Floats,
    to_die: Floats,
    strength: float,
    ambient: float,
    translucent: float,
) -> tuple[Floats, Floats]:
    """Gets of spots on a die how bright its own colour is there, and the light that is mirrored (N, N).

    ``normals``, ``rays``: N x 3 in the die's frame, to which ``to_die`` (3 x 3) turns; ``heights``: above its lowest
    spot, in die widths, about. ``strength``, ``ambient``: of the main lamp and of the light from all around.
    """
    main, *others = ((lamp, to_die @ lamp.direction.astype(np.float32)) for lamp in room.lamps)
    lit = np.maximum(normals @ main[1], 0)
    for lamp, where in others:
        lit = lit + np.maximum(normals @ where, 0) * min(lamp.brightness, 2) * OTHER_LAMPS
    sky_way = to_die @ room.sky_way.astype(np.float32)
    around = ambient * (1 - room.sky_slope + room.sky_slope * (normals @ sky_way))
    upward = to_die @ np.array([0, 0, 1], dtype=np.float32)
    near_ground = np.exp(-np.maximum(heights, 0) / OCCLUDED_REACH) * np.clip(1 - normals @ upward, 0, 1)
    light = lit * strength + around
    light = ((1 - translucent) * light + translucent * (0.55 + 0.4 * light)) * (1 - room.occluded * near_ground)
    face_on = np.clip(-(rays * normals).sum(axis=1), 0, 1)
    mirrored = rays + 2 * face_on[:, None] * normals
    seen = room.sky * ambient * np.clip(0.5 + 0.5 * (mirrored @ sky_way), 0, 1)
    for lamp, where in (main, *others):
        part = np.clip((mirrored @ where - lamp.outer) / (lamp.inner - lamp.outer), 0, 1)
        seen = seen + strength * lamp.brightness * part * part * (3 - 2 * part)
    seen = seen * np.where(mirrored @ upward < 0, FROM_BELOW, 1)
    shine = seen * room.mirror * (room.mirror_face_on + (1 - room.mirror_face_on) * np.power(1 - face_on, 5))
    bright = np.power(np.clip(light, DARKEST, None), room.gamma)
    return np.asarray(bright, dtype=np.float32), np.asarray(shine, dtype=np.float32)
