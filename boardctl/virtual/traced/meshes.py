"""Bodies of triangles: dice with rounded edges and pips, checkers turned on a lathe, boxes. Millimetres, z up."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from boardctl.virtual.looks import Patch
from boardctl.vision.training.die_render import PIPS, DieLook, DiePose

Floats = NDArray[np.float64]
Whole = NDArray[np.int64]

FINE, FINE_PAINTED = 32, 96
"""Squares along the edge of a face of a die: a pixel of a picture shows at least one of them; and of one with more than
pips on it."""
AROUND = 40
"""Corners of a circle."""
DISPLAY_GAMMA = 2.2
"""Colours are given as a display shows them; light is reckoned with what they reflect."""


@dataclass(frozen=True)
class Mesh:
    """Corners (N x 3), triangles (M x 3, seen from outside counter-clockwise), and where surfaces are to look smooth
    their normals (N x 3); ``colours`` (N x 3: red, green, blue, what is reflected) where they are not all of one, and
    ``clear`` (N) which part of the light goes into the body, where some does; ``places`` (N x 2) on a picture of what
    is reflected, which goes on beyond 0 and 1."""

    corners: Floats
    triangles: Whole
    normals: Floats | None = None
    colours: Floats | None = None
    clear: Floats | None = None
    places: Floats | None = None

    def moved(self, way_mm: ArrayLike) -> "Mesh":
        """Gets the same elsewhere."""
        return replace(self, corners=self.corners + np.asarray(way_mm, dtype=np.float64))


def joined(meshes: Sequence[Mesh]) -> Mesh:
    """Gets several meshes, which have normals, colours, clear parts and places alike, as one."""
    before = np.cumsum([0, *(len(mesh.corners) for mesh in meshes[:-1])])
    triangles = [mesh.triangles + start for mesh, start in zip(meshes, before, strict=True)]

    def of_all(told: list[Floats | None]) -> Floats | None:
        known = [each for each in told if each is not None]
        return np.concatenate(known) if known else None

    return Mesh(
        np.concatenate([mesh.corners for mesh in meshes]),
        np.concatenate(triangles),
        of_all([mesh.normals for mesh in meshes]),
        of_all([mesh.colours for mesh in meshes]),
        of_all([mesh.clear for mesh in meshes]),
        of_all([mesh.places for mesh in meshes]),
    )


def reflected(colour: Sequence[float]) -> Floats:
    """Gets what a colour (blue, green, red, 0 to 1) reflects of red, green and blue."""
    return np.clip(np.asarray(colour, dtype=np.float64)[::-1], 0.01, 0.98) ** DISPLAY_GAMMA


def colour_reflected(colour: Sequence[int]) -> Floats:
    """Gets what a colour (blue, green, red, 0 to 255) reflects of red, green and blue."""
    return reflected([channel / 255 for channel in colour])


def die_mesh(
    pose: DiePose, look: DieLook, size_mm: float, hollow: float, painted: Sequence[Sequence[Patch]] | None = None
) -> Mesh:
    """Gets a die turned as its pose is, around the origin. ``hollow``: how deep pips are, in terms of their radius; 0:
    they are painted. ``painted``: what the faces one to six show where that is not common pips (die widths)."""
    steps = np.linspace(-1, 1, (FINE if painted is None else FINE_PAINTED) + 1)
    flat = np.stack(np.meshgrid(steps, steps, indexing="ij"), axis=-1).reshape(-1, 2)
    die = joined(
        [
            _face(side, value, flat, look, size_mm, hollow, None if painted is None else painted[value - 1])
            for side, value in enumerate(pose.faces)
        ]
    )
    assert die.normals is not None
    return replace(die, corners=die.corners @ pose.rotation.T, normals=die.normals @ pose.rotation.T)


def _face(
    side: int, value: int, flat: Floats, look: DieLook, size_mm: float, hollow: float, painted: Sequence[Patch] | None
) -> Mesh:
    """Gets one face of a die: side 0 to 5 is -x +x -y +y -z +z, as in ``DiePose``."""
    axis, outward = side // 2, 1.0 if side % 2 else -1.0
    across = [i for i in range(3) if i != axis]
    half, radius = size_mm / 2, look.edge_radius * size_mm
    box = np.empty((len(flat), 3))
    box[:, axis], box[:, across] = outward * half, flat * half
    core = np.clip(box, radius - half, half - radius)
    normals = (box - core) / np.linalg.norm(box - core, axis=1, keepdims=True)
    corners = core + radius * normals
    colours = np.tile(reflected(look.body), (len(flat), 1))
    clear = np.full(len(flat), look.translucent)
    turned = bool((side + value) % 2)
    plane = corners[:, across] / size_mm
    plane = plane[:, ::-1] * (1, -1) if turned else plane
    reach = look.pip_radius * (look.one_radius if value == 1 else 1.0)
    rows = look.pip_spread * (look.six_rows if value == 6 else 1.0)
    for patch in painted or ():
        within = inside(patch, plane)
        colours[within], clear[within] = colour_reflected(patch.colour), 0.0
    for u, v in PIPS[value] if painted is None else ():
        off = plane - (u * rows, v * look.pip_spread)
        away = np.hypot(off[:, 0], off[:, 1])
        pip = away < reach
        colours[pip], clear[pip] = reflected(look.pip), 0.0
        corners[pip, axis] -= outward * hollow * reach * size_mm * (1 - (away[pip] / reach) ** 2)
        slope = 2 * hollow * off[pip] / reach
        slope = np.column_stack([-slope[:, 1], slope[:, 0]]) if turned else slope
        normals[np.ix_(pip, across)] -= slope
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    side_corners = round(np.sqrt(len(flat)))
    grid = np.arange(len(flat)).reshape(side_corners, side_corners)
    triangles = _strips(grid)
    return Mesh(corners, triangles if (outward > 0) != (axis == 1) else triangles[:, ::-1], normals, colours, clear)


def inside(patch: Patch, places: Floats) -> NDArray[np.bool_]:
    """Gets which places (N x 2) a patch covers: those that an odd number of its outlines go around."""
    found = np.zeros(len(places), dtype=np.bool_)
    for outline in patch.outlines_mm:
        ends = np.array(outline)
        for (x0, y0), (x1, y1) in zip(ends, np.roll(ends, -1, axis=0), strict=True):
            if y0 != y1:
                crosses = (y0 > places[:, 1]) != (y1 > places[:, 1])
                found ^= crosses & (places[:, 0] < x0 + (x1 - x0) * (places[:, 1] - y0) / (y1 - y0))
    return found


def _strips(grid: Whole) -> Whole:
    """Gets the triangles between the corners of a grid (their numbers)."""
    a, b, c, d = grid[:-1, :-1].ravel(), grid[1:, :-1].ravel(), grid[1:, 1:].ravel(), grid[:-1, 1:].ravel()
    return np.concatenate([np.stack([a, b, c], axis=1), np.stack([a, c, d], axis=1)])


def turned_mesh(profile: Sequence[tuple[float, float]], corners: int = AROUND) -> Mesh:
    """Gets a body turned on a lathe: its profile from bottom to top (radius, height) goes once around the z axis, in so
    many corners."""
    places = np.array(profile)
    angles = np.linspace(0, 2 * np.pi, corners, endpoint=False)
    change = np.gradient(places, axis=0)
    out = np.column_stack([change[:, 1], -change[:, 0]])
    out /= np.linalg.norm(out, axis=1, keepdims=True)

    def around(radius: Floats, height: Floats) -> Floats:
        rounds = [np.outer(radius, np.cos(angles)), np.outer(radius, np.sin(angles)), np.tile(height, (corners, 1)).T]
        return np.stack(rounds, axis=-1).reshape(-1, 3)

    grid = np.arange(len(places) * corners).reshape(len(places), corners)
    closed = np.concatenate([grid, grid[:, :1]], axis=1)
    return Mesh(around(*places.T), _strips(closed)[:, ::-1], around(*out.T))


def box_mesh(low_mm: Sequence[float], high_mm: Sequence[float]) -> Mesh:
    """Gets a box with sharp edges from its lowest to its highest corner (x, y, z)."""
    ends = np.array([low_mm, high_mm])
    corners = np.array([[ends[x, 0], ends[y, 1], ends[z, 2]] for x in (0, 1) for y in (0, 1) for z in (0, 1)])
    sides = ((0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3))
    starts = 4 * np.arange(len(sides))[:, None]
    triangles = np.concatenate([starts + np.array((0, 1, 2)), starts + np.array((0, 2, 3))])
    return Mesh(corners[np.concatenate([list(side) for side in sides])], triangles)
