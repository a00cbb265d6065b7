"""Hands and their arms as bodies: fingers and forearms of capsules, palms of ellipsoids; and what they cover."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from boardctl.rules import Seat
from boardctl.virtual.drawing.brush import SUBPIXEL_BITS, Picture
from boardctl.virtual.drawing.hands import ARM_REACH_MM, FINGERS, THUMB
from boardctl.virtual.traced.meshes import Mesh, joined, turned_mesh
from boardctl.virtual.world import ELBOW, Hand
from calibration import CameraModel

Floats = NDArray[np.float64]

ROUND = 7
"""Corners of a quarter of a circle from the end of a limb to its side."""
TIP_MM, KNUCKLE_MM, PALM_MM, WRIST_MM, ELBOW_MM = (9.0, 16.0), (34.0, 50.0), (34.0, 46.0), (46.0, 70.0), (70.0, 130.0)
"""How high over the board the middles of a hand's parts are."""
PALM_SIZE_MM = (41.0, 48.0, 15.0)
"""Half as wide, long and thick as the back of a hand."""
WRIST_AT_MM, KNUCKLES_AT_MM, PALM_AT_MM = -118.0, -52.0, -84.0
"""How far behind the finger tips along the arm: where the palm ends, where fingers begin, its middle."""
ARM_RADIUS_MM, SLEEVE_RADIUS_MM = (24.0, 31.0), (36.0, 52.0)
BEYOND_MM = 900.0
"""So far beyond the elbow arms go on: they end outside the picture."""
SHORT_SLEEVED, BARE_MM, CUFF_MM = 0.25, (250.0, 420.0), (40.0, 110.0)
"""So many arms are bare, so far from the wrist; of others sleeves begin so far from it."""
SPLITS = 9
"""So often what is partly in the picture is cut into four: arms of two metres, to some millimetres."""
SPREAD = (0.75, 1.3)
"""How far fingers are apart, in terms of those of our own renderer."""


@dataclass(frozen=True)
class Arm:
    """A hand with its arm: what is skin and what is cloth."""

    skin: Mesh
    cloth: Mesh

    def covered(self, camera: CameraModel) -> Picture:
        """Gets a mask (height x width) of the pixels that show it, 255 there."""
        mask = np.zeros((camera.height_px, camera.width_px), dtype=np.uint8)
        for mesh in (self.skin, self.cloth):
            corners = within_view(mesh.corners[mesh.triangles], camera)
            pixels = camera.project(corners).reshape(-1, 3, 2)
            for triangle in np.round(pixels * (1 << SUBPIXEL_BITS)).astype(np.int32):
                cv2.fillConvexPoly(mask, triangle, (255,), cv2.LINE_8, SUBPIXEL_BITS)
        return mask


def within_view(triangles: Floats, camera: CameraModel) -> Floats:
    """Gets the parts of triangles (N x 3 x 3 mm) that a camera shows, as triangles (M x 3 x 3 mm).

    How a lens bends is only told of what is in its picture: of what is far outside it says that it is seen inside.
    """
    border = np.array([(x, y) for x in (0, 0.5, 1) for y in (0, 0.5, 1)]) * (camera.width_px, camera.height_px)
    slopes = cv2.undistortPoints(border.reshape(-1, 1, 2), camera.matrix, np.array(camera.distortion)).reshape(-1, 2)
    low, high = slopes.min(axis=0), slopes.max(axis=0)
    shown = []
    for _ in range(SPLITS):
        points = triangles @ camera.rotation.T + np.array(camera.translation_mm)
        aside, away = points[..., :2], points[..., 2:]
        inside = np.concatenate([aside - low * away, high * away - aside], axis=-1) >= 0
        is_in, is_out = inside.all(axis=(1, 2)), (~inside).all(axis=1).any(axis=-1)
        shown.append(triangles[is_in])
        triangles = _split(triangles[~is_in & ~is_out])
    return np.concatenate(shown)


def _split(triangles: Floats) -> Floats:
    """Gets four triangles for each (N x 3 x 3), between its corners and the middles of its sides."""
    middles = (triangles + np.roll(triangles, -1, axis=1)) / 2
    first, second, third = (middles[:, index] for index in range(3))
    a, b, c = (triangles[:, index] for index in range(3))
    parts = ((a, first, third), (first, b, second), (third, second, c), (first, second, third))
    return np.concatenate([np.stack(part, axis=1) for part in parts])


def covered_by(arms: Sequence[Arm], camera: CameraModel) -> Picture:
    """Gets a mask (height x width) of the pixels that show any of some arms, 255 there."""
    mask = np.zeros((camera.height_px, camera.width_px), dtype=np.uint8)
    for arm in arms:
        mask |= arm.covered(camera)
    return mask


def arm_of(hand: Hand, rng: np.random.Generator) -> Arm:
    """Draws the body of a hand and of its arm, which comes in from its seat's edge."""
    side = 1.0 if hand.seat in (Seat.A, Seat.D) else -1.0
    elbow, tip = np.array([hand.x_mm * ELBOW, -side * ARM_REACH_MM]), np.array([hand.x_mm, hand.y_mm])
    reach = float(np.linalg.norm(tip - elbow))
    along = (tip - elbow) / reach
    across = np.array([along[1], -along[0]])
    wrist, high = float(rng.uniform(*WRIST_MM)), float(rng.uniform(*ELBOW_MM))
    spread, mirrored = rng.uniform(*SPREAD), float(rng.choice((-1.0, 1.0)))

    def at(aside: float, ahead: float, z_mm: float) -> Floats:
        return np.array([*(tip + across * aside * mirrored + along * ahead), z_mm])

    knuckle, palm = float(rng.uniform(*KNUCKLE_MM)), float(rng.uniform(*PALM_MM))
    skin = [_ellipsoid(at(0, PALM_AT_MM, palm), PALM_SIZE_MM, across, along)]
    for start, end, ahead, thick in (*FINGERS, THUMB):
        is_thumb = thick == THUMB[3]
        root = at(start * 0.8, KNUCKLES_AT_MM - 30 * is_thumb, palm + 4)
        low = rng.uniform(*TIP_MM)
        bend = at(
            (start * 0.5 + end * 0.5) * spread - 8 * is_thumb,
            ahead / 2 - rng.uniform(20, 30),
            (knuckle + palm) / 2 - 4 * is_thumb,
        )
        point = at(end * spread, ahead - thick, low)
        skin += [limb(root, bend, thick * 1.15, thick * 1.05), limb(bend, point, thick * 1.05, thick * 0.85)]
    root, far = at(0, WRIST_AT_MM + 20, (wrist + palm) / 2), at(0, -reach - BEYOND_MM, high + 60)
    half = float(rng.uniform(*ARM_RADIUS_MM))
    is_bare = rng.random() < SHORT_SLEEVED
    up = (far - root) / np.linalg.norm(far - root)
    cuff = root + up * rng.uniform(*(BARE_MM if is_bare else CUFF_MM))
    skin.append(limb(root, cuff + 30 * up, half, half * (1.4 if is_bare else 1.1)))
    cloth = limb(cuff, far, float(rng.uniform(*SLEEVE_RADIUS_MM)), SLEEVE_RADIUS_MM[1] * 1.1)
    return Arm(joined(skin), cloth)


def limb(start_mm: Floats, end_mm: Floats, start_radius_mm: float, end_radius_mm: float) -> Mesh:
    """Gets a capsule from one place (x, y, z) to another: a round stick with round ends."""
    length = float(np.linalg.norm(end_mm - start_mm))
    turns = np.linspace(0, np.pi / 2, ROUND)
    low = [(start_radius_mm * np.sin(t) + 1e-3, -start_radius_mm * np.cos(t)) for t in turns]
    high = [(end_radius_mm * np.cos(t) + 1e-3, length + end_radius_mm * np.sin(t)) for t in turns]
    stick = turned_mesh([*low, *high])
    assert stick.normals is not None
    up = (end_mm - start_mm) / length
    right = np.cross(up, (0.0, 0.0, 1.0) if abs(up[2]) < 0.9 else (1.0, 0.0, 0.0))
    right /= np.linalg.norm(right)
    turn = np.stack([right, np.cross(up, right), up])
    return replace(stick, corners=stick.corners @ turn + start_mm, normals=stick.normals @ turn)


def _ellipsoid(middle_mm: Floats, half_mm: Sequence[float], across: Floats, along: Floats) -> Mesh:
    """Gets an ellipsoid as wide, long and thick as twice ``half_mm``, turned so on the board."""
    turns = np.linspace(-np.pi / 2, np.pi / 2, 2 * ROUND)
    ball = turned_mesh([(np.cos(t) + 1e-3, np.sin(t)) for t in turns])
    assert ball.normals is not None
    turn = np.array([[*across, 0.0], [*along, 0.0], [0.0, 0.0, 1.0]])
    if np.linalg.det(turn) < 0:
        turn[0] = -turn[0]
    normals = ball.normals / np.array(half_mm)
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    return replace(ball, corners=(ball.corners * np.array(half_mm)) @ turn + middle_mm, normals=normals @ turn)
