"""How a picture of a board would look from exactly above, its points upright: told by the directions of edges in it.

The middle lines of all points meet in one vanishing point, that of the board's other direction lies at a right angle to
it. A usual lens is taken for that; what is off by it is put right when camera and board are fitted.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.field.point_edges import WIDTH_PX, Wedges

Floats = NDArray[np.float64]

FOCAL_PX = float(WIDTH_PX)
"""Focal length that is taken."""

STEEPEST = 0.82
"""Sine of the largest tilt along the points that is looked for."""

EXACT = np.radians(1.2)
"""How exactly a middle line points at the vanishing point."""

LONG_PX = 120.0
"""What is seen of a point beyond that does not make its direction any surer."""

DRAWN = 1500
"""Pairs of middle lines whose meeting points are tried."""

ALIKE = np.radians(25)
"""Largest angle between two middle lines in a picture."""

DIRECTIONS, DIRECTIONS_APART = 3, np.radians(1.5)
SWINGS, SWINGS_APART = 3, np.radians(4)
"""How many are tried, and how far apart they are at least. An edge of a point taken together with one of the rail is
off by three degrees: that is another direction."""

WIDEST_SWING = 52
"""Largest tilt to the side that is looked for, in degrees."""

LEVEL = np.radians(0.7)
"""How exactly an edge of the board's other direction points at its vanishing point."""

NEARLY_LEVEL = np.radians(25)
NEAREST = 0.3
"""What is nearer to the horizon than this share of the way has no place in the upright view."""


@dataclass(frozen=True)
class View:
    """A way to look at the board: ``rotation`` (3 x 3) takes the camera's directions to the upright view's, which has
    its origin in the middle of the picture (``size_px``: width, height) and the same focal length."""

    rotation: Floats
    size_px: tuple[int, int]

    def seen(self, pixels: Floats) -> tuple[Floats, NDArray[np.bool_]]:
        """Gets where pixels (N x 2) lie in the upright view (N x 2), and which of them do (N)."""
        rays = _rays(pixels, self.size_px) @ self.rotation.T
        ahead = rays[:, 2] > NEAREST
        return rays[:, :2] / np.where(ahead, rays[:, 2], 1.0)[:, None] * FOCAL_PX, ahead

    def pixels(self, places: Floats) -> Floats:
        """Gets the pixels (N x 2) of places (N x 2) in the upright view."""
        rays = np.column_stack([places / FOCAL_PX, np.ones(len(places))]) @ self.rotation
        return np.asarray(rays[:, :2] / rays[:, 2:] * FOCAL_PX + picture_middle(self.size_px), dtype=np.float64)


def upright_views(pairs: Wedges, edges: Floats, size_px: tuple[int, int]) -> list[View]:
    """Gets the views from which a board may be seen upright, given the pairs of edges that may be points and all edges
    (N x 4) of a picture of so many pixels (width, height)."""
    views = []
    for direction in _directions(pairs, size_px):
        straight = View(_rotation(direction, 0.0), size_px)
        views += [View(_rotation(direction, swing), size_px) for swing in _swings(edges, straight)]
    return views


def _directions(pairs: Wedges, size_px: tuple[int, int]) -> list[Floats]:
    """Gets the directions (each 3, the camera's) in which most points may lie, the likeliest first."""
    places, towards = (pairs.middle - picture_middle(size_px)) / FOCAL_PX, pairs.towards
    lines = np.cross(np.column_stack([places, np.ones(len(pairs))]), np.column_stack([towards, np.zeros(len(pairs))]))
    lines /= np.linalg.norm(lines[:, :2], axis=1, keepdims=True)
    weights = np.minimum(pairs.beside, LONG_PX) / (1 + pairs.rank) / _crowd(places, towards)

    def fitting(directions: Floats) -> Floats:
        """How exactly (0 to 1) each middle line points in each of some directions (... x 3)."""
        to = directions[..., None, :2] - directions[..., None, 2:] * places
        to = to / (np.linalg.norm(to, axis=-1, keepdims=True) + 1e-12)
        off = to[..., 0] * towards[:, 1] - to[..., 1] * towards[:, 0]
        return np.asarray(np.exp(-((off / EXACT) ** 2)), dtype=np.float64)

    def moved(direction: Floats) -> Floats:
        """Gets the direction moved to where the middle lines that point there meet best."""
        for _ in range(4):
            near = np.maximum(np.linalg.norm(direction[:2] - direction[2] * places, axis=1), 0.1)
            weighted = lines * (fitting(direction) * weights / near**2)[:, None]
            direction = np.linalg.eigh(weighted.T @ lines)[1][:, 0]
        return direction

    random = np.random.default_rng(0)  # the same picture is always read the same way
    first, second = random.integers(len(pairs), size=(2, DRAWN))
    alike = np.abs((towards[first] * towards[second]).sum(axis=1)) > np.cos(ALIKE)
    meeting = np.cross(lines[first[alike]], lines[second[alike]])
    length = np.linalg.norm(meeting, axis=1)
    meeting = meeting[length > 1e-9] / length[length > 1e-9, None]
    meeting = meeting[np.abs(meeting[:, 2]) < STEEPEST]
    found: list[Floats] = []
    for which in np.argsort(-(fitting(meeting) @ weights)):
        for direction in (meeting[which], moved(meeting[which])):
            if any(abs(direction @ other) > np.cos(DIRECTIONS_APART) for other in found):
                break
        else:
            found.append(direction)
        if len(found) == DIRECTIONS:
            break
    return found


def _crowd(places: Floats, towards: Floats) -> Floats:
    """Gets how many pairs of edges (N) have the same middle line in about the same place: several edges may have been
    found where there is one."""
    between = places[:, None] - places[None]
    across = np.stack([-towards[:, 1], towards[:, 0]], axis=1)
    beside = np.abs((between * across[:, None]).sum(axis=-1)) < 4 / FOCAL_PX
    along = np.abs((between * towards[:, None]).sum(axis=-1)) < 60 / FOCAL_PX
    parallel = np.abs(towards @ towards.T) > np.cos(np.radians(2.5))
    return np.asarray((beside & along & parallel).sum(axis=1), dtype=np.float64)


def _rotation(direction: Floats, swing: float) -> Floats:
    """Gets the rotation to the view in which a direction is upright, turned about it by ``swing``."""
    down = direction if direction[1] >= 0 else -direction
    away = np.array([0.0, 0.0, 1.0]) - down * down[2]
    away /= np.linalg.norm(away)
    turned = np.array([[np.cos(swing), 0, np.sin(swing)], [0, 1, 0], [-np.sin(swing), 0, np.cos(swing)]])
    return np.asarray(turned @ np.array([np.cross(down, away), down, away]), dtype=np.float64)


def _swings(edges: Floats, view: View) -> list[float]:
    """Gets by how much to turn a view in which points are upright so that most other edges become level."""
    start, start_seen = view.seen(edges[:, :2])
    end, end_seen = view.seen(edges[:, 2:])
    run = end - start
    length = np.linalg.norm(run, axis=1)
    level = start_seen & end_seen & (np.abs(run[:, 1]) < length * np.sin(NEARLY_LEVEL))
    x, y = ((start[level] + end[level]) / 2).T
    slope, weight = run[level, 1] / run[level, 0], length[level]
    swings = np.radians(np.arange(-WIDEST_SWING, WIDEST_SWING + 1))
    tangent = np.tan(swings)
    expected = -y[:, None] * tangent / (FOCAL_PX - x[:, None] * tangent)
    off = np.arctan(slope)[:, None] - np.arctan(expected)
    votes = weight @ np.exp(-((off / LEVEL) ** 2))
    found: list[float] = []
    for which in np.argsort(-votes):
        if all(abs(swings[which] - other) > SWINGS_APART for other in found):
            found.append(float(swings[which]))
        if len(found) == SWINGS:
            break
    return found


def picture_middle(size_px: tuple[int, int]) -> Floats:
    """Gets the pixel in the middle of a picture (``size_px``: width, height)."""
    return (np.array(size_px, dtype=np.float64) - 1) / 2


def _rays(pixels: Floats, size_px: tuple[int, int]) -> Floats:
    """Gets the directions (N x 3) in which the camera sees pixels."""
    return np.column_stack([(pixels - picture_middle(size_px)) / FOCAL_PX, np.ones(len(pixels))])
