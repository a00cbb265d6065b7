"""Dice that lean on checkers, rails, the bar and other dice of a board, touching them exactly, or lie flat beside them,
or on checkers.

Which way and how far a die leans is drawn as by ``boardctl.vision.training.die_rest``; but here dice have round edges,
so that they come to rest lower and nearer to what they lean on.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from boardctl.virtual.traced.meshes import Mesh, die_mesh
from boardctl.vision.dice.patch import die_size_px
from boardctl.vision.measuring.truth import TruePicture
from boardctl.vision.training.dice_tilt_sites import random_tilt_deg
from boardctl.vision.training.die_render import DieLook, DiePose, faces_with_top, random_look, turn
from boardctl.vision.training.die_rest import (
    LEAST_DIE_PX,
    MOST_HIDDEN,
    SIZES,
    Wall,
    beside,
    checker_wall,
    hidden_by,
    is_clear,
    rail_wall,
)
from boardctl.vision.training.sites import TILTED_DEG, Label

Floats = NDArray[np.float64]

MOST_DICE, TRIES = 26, 400
"""Dice in a picture, and places that are tried for them."""
KINDS = 3
"""Kinds of dice on a board."""
HOLLOW_OFTEN, HOLLOW = 0.6, (0.1, 0.5)
"""So many kinds of dice have hollow pips, so deep in terms of their radius."""
STACKED, OVER_EDGE = 0.12, 0.9
"""So many dice lie on checkers, their middles so far from the checker's at most (parts of its radius)."""
FREE, TOUCHING, MOST_GAP = 0.25, 0.6, 0.8
"""So many flat dice stand free; so many of the others touch what they lie beside, or lie so many die widths away."""
ROOM, ROOM_FOR_OTHER = 3.2, 2.5
"""How far dice are apart, in die widths, so that no site shows the die of another; and those they lean on."""
MARGIN_PX = 20


@dataclass(frozen=True)
class DieKind:
    """What some of the dice of a board look like; ``hollow`` as in ``die_mesh``."""

    look: DieLook
    hollow: float


@dataclass(frozen=True)
class Resting:
    """A die that rests somewhere: its pose and size, the number of its kind, the die it lies beside, and what is to be
    learned of it; ``spot_mm`` is at half its height on the ray to its middle, as a site's."""

    pose: DiePose
    size_mm: float
    kind: int
    other: DiePose | None
    spot_mm: tuple[float, float, float]
    label: Label
    group: str

    def meshes(self, kinds: list[DieKind]) -> Iterator[Mesh]:
        """Gets the bodies of the die and of that which it lies beside."""
        kind = kinds[self.kind]
        for pose in (self.pose, self.other):
            if pose is not None:
                yield die_mesh(pose, kind.look, self.size_mm, kind.hollow).moved(pose.center_mm)


def die_kinds(rng: np.random.Generator) -> list[DieKind]:
    """Draws the kinds of dice of a board."""
    looks = [random_look(rng) for _ in range(KINDS)]
    return [DieKind(look, float(rng.uniform(*HOLLOW)) if rng.random() < HOLLOW_OFTEN else 0.0) for look in looks]


def resting_dice(picture: TruePicture, kinds: list[DieKind], rng: np.random.Generator) -> list[Resting]:
    """Draws dice on a board with checkers, each with room around it."""
    placed: list[Resting] = []
    spots: list[Floats] = []
    for _ in range(TRIES):
        die = _drawn(picture, kinds, rng)
        if die is None or not _has_room(die, spots):
            continue
        placed.append(die)
        spots += [pose.center_mm[:2] for pose in (die.pose, die.other) if pose is not None]
        if len(placed) == MOST_DICE:
            break
    return placed


def settled(pose: DiePose, mesh: Mesh, wall: Wall | None, gap_mm: float) -> DiePose | None:
    """Gets a pose with the die let down to the surface, and moved to ``gap_mm`` from the wall. ``mesh``: the die turned
    so, around the origin. None when nothing of it is as low as the wall."""
    x, y = pose.center_mm[:2]
    height = -mesh.corners[:, 2].min()
    if wall is None:
        return replace(pose, center_mm=np.array([x, y, height]))
    low = mesh.corners[mesh.corners[:, 2] + height <= wall.height_mm]
    if not len(low):
        return None
    away = float(((low[:, :2] + (x, y) - wall.foot_mm) @ wall.normal).min())
    x, y = np.array([x, y]) + wall.normal * (gap_mm - away)
    return replace(pose, center_mm=np.array([x, y, height]))


def _drawn(picture: TruePicture, kinds: list[DieKind], rng: np.random.Generator) -> Resting | None:
    """Draws one die; None where it cannot lie, or could not be seen."""
    number = int(rng.integers(len(kinds)))
    kind = kinds[number]
    size_mm = picture.geometry.die_size_mm * float(np.exp(rng.uniform(*np.log(SIZES))))
    if rng.random() < STACKED:
        return _on_checker(picture, number, kind, size_mm, rng)
    tilt_deg = random_tilt_deg(rng)
    gap = 0.0 if tilt_deg > 0 or rng.random() < TOUCHING else float(rng.uniform(0, MOST_GAP))
    value = int(rng.integers(1, 7))
    wall: Wall | None = None
    other: DiePose | None = None
    if tilt_deg == 0 and rng.random() < FREE:
        pose = _anywhere(picture, value, size_mm, rng)
    else:
        on = rng.choice(["checker", "rail", "die"], p=[0.4, 0.3, 0.3])
        if on == "die":
            other = _anywhere(picture, int(rng.integers(1, 7)), size_mm, rng)
            if not is_clear(picture, other, size_mm):
                return None
            wall = _side_of(other, kind.look, size_mm, rng)
        else:
            wall = checker_wall(picture, rng) if on == "checker" else rail_wall(picture, rng)
        if wall is None:
            return None
        pose = beside(wall, size_mm, tilt_deg, gap * size_mm, value, rng)
    rests = settled(pose, die_mesh(pose, kind.look, size_mm, kind.hollow), wall, gap * size_mm)
    if rests is None or not is_clear(picture, rests, size_mm):
        return None
    spot = _spot_of(picture, rests, size_mm)
    if not _is_seen(picture, rests, spot, size_mm, wall):
        return None
    up = (float(rests.rotation[0, 2]), float(rests.rotation[1, 2]))
    label = Label("die", value, tilt_deg, up=up, touches=wall is not None and gap == 0)
    group = "leaning" if tilt_deg >= TILTED_DEG else "drawn" if wall is None else "beside"
    return Resting(rests, size_mm, number, other, spot, label, group)


def _on_checker(
    picture: TruePicture, number: int, kind: DieKind, size_mm: float, rng: np.random.Generator
) -> Resting | None:
    """Draws a die that lies flat on a checker, often over its edge; None where another checker is in its way."""
    checkers = picture.checkers_mm
    if not len(checkers):
        return None
    x, y, top = checkers[rng.integers(len(checkers))]
    radius = picture.geometry.checker_diameter_mm / 2
    away, angle = radius * OVER_EDGE * float(np.sqrt(rng.random())), rng.uniform(0, 2 * np.pi)
    middle = np.array([x + away * np.cos(angle), y + away * np.sin(angle), size_mm / 2])
    higher = checkers[checkers[:, 2] > top + 1]
    if (np.hypot(*(higher[:, :2] - middle[:2]).T) < radius + size_mm / np.sqrt(2)).any():
        return None
    value = int(rng.integers(1, 7))
    pose = DiePose(middle, turn(float(rng.uniform(0, 2 * np.pi)), 0.0, 0.0), faces_with_top(value, rng))
    flat = settled(pose, die_mesh(pose, kind.look, size_mm, kind.hollow), None, 0.0)
    assert flat is not None
    rests = replace(flat, center_mm=flat.center_mm + np.array([0.0, 0.0, top]))
    spot = _spot_of(picture, rests, size_mm)
    if not _is_seen(picture, rests, spot, size_mm, None):
        return None
    return Resting(rests, size_mm, number, None, spot, Label("die", value, on="checker", up=(0.0, 0.0)), "stacked")


def _anywhere(picture: TruePicture, value: int, size_mm: float, rng: np.random.Generator) -> DiePose:
    """Draws a flat die on the field."""
    geometry = picture.geometry
    x, y = rng.uniform(-0.5, 0.5, 2) * (geometry.field_width_mm, geometry.field_height_mm)
    yaw = float(rng.uniform(0, 2 * np.pi))
    return DiePose(np.array([x, y, size_mm / 2]), turn(yaw, 0.0, 0.0), faces_with_top(value, rng))


def _side_of(other: DiePose, look: DieLook, size_mm: float, rng: np.random.Generator) -> Wall:
    """Draws a side of a flat die: it is upright as far up as its edge is not round."""
    right, away = other.rotation[:2, 0], other.rotation[:2, 1]
    normal = (right, away, -right, -away)[int(rng.integers(4))]
    facing = float(np.arctan2(normal[1], normal[0]))
    return Wall(other.center_mm[:2] + size_mm / 2 * normal, facing, size_mm * (1 - look.edge_radius), size_mm)


def _spot_of(picture: TruePicture, pose: DiePose, size_mm: float) -> tuple[float, float, float]:
    x, y = picture.camera.to_plane(picture.camera.project([pose.center_mm]), size_mm / 2)[0]
    return (float(x), float(y), size_mm / 2)


def _is_seen(
    picture: TruePicture, pose: DiePose, spot_mm: tuple[float, float, float], size_mm: float, wall: Wall | None
) -> bool:
    """Whether a die is in the picture, large enough, and not hidden by the wall behind which it lies."""
    camera = picture.camera
    x, y = camera.project([pose.center_mm])[0]
    inside = MARGIN_PX < x < camera.width_px - MARGIN_PX and MARGIN_PX < y < camera.height_px - MARGIN_PX
    size_px = die_size_px(camera, spot_mm, size_mm)
    if not inside or size_px < LEAST_DIE_PX:
        return False
    if wall is None:
        return True
    hidden, near = hidden_by(wall, camera, (camera.height_px, camera.width_px)), max(round(size_px / 2), 1)
    column, row = round(float(x)), round(float(y))
    part = hidden[max(row - near, 0) : row + near, max(column - near, 0) : column + near]
    return bool(part.mean() <= MOST_HIDDEN)


def _has_room(die: Resting, spots: list[Floats]) -> bool:
    """Whether a die, and that which it lies beside, are far enough from others (their x, y)."""
    wanted = [(die.pose, ROOM)] + ([(die.other, ROOM_FOR_OTHER)] if die.other is not None else [])
    return all(np.hypot(*(pose.center_mm[:2] - spot)) >= room * die.size_mm for pose, room in wanted for spot in spots)
