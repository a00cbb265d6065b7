"""Draws what lies on the board: checkers as short cylinders with a dish, dice with their pips, the cube, hands.

Each body is drawn from its millimetres through the camera model, so that its sides, its parallax and the bend of the
lens are those of the installation. Colours are lit by the same lamp as the board.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from boardctl.virtual.dice import FACE_NORMALS, Die
from boardctl.virtual.drawing.brush import Picture, Pixels, fill, fill_outlines, hull, let_through, lit
from boardctl.virtual.drawing.glare import shine
from boardctl.virtual.drawing.outlines import turn
from boardctl.virtual.drawing.stage import Stage
from boardctl.virtual.looks import CheckerLook
from boardctl.virtual.world import CUBE_SIZE_MM, Checker, Cube

Floats = NDArray[np.float64]

REFRACTIVE_INDEX = 1.5
"""Of what clear dice are made of: acrylic glass has 1.49, cellulose acetate 1.48."""

GHOST_LIGHT = 0.6
"""How much of the light falls on pips that are seen through a die."""

CIRCLE_STEPS = 28
"""Corners of a drawn circle: at 50 pixels across the flat pieces stay under a third of a pixel off."""

DIE_FINENESS = 6
"""Dice are drawn six times as fine and then reduced: a pip is two to four pixels wide."""

PIP_RADIUS = 0.1
"""Radius of a pip over the edge of its die: about 1.3 mm on a die of 13.5 mm."""

PIP_OFFSET = 0.26
"""Distance of an outer pip from the middle line of its face over the edge of the die."""

DIE_CORNER = 0.16
"""Radius of the rounding of a face over the edge of the die."""

SIDE_SHADE = 0.58
"""How much of the light the wall of a checker gets beside its top."""

RIM_SHINE = 0.3
DISH_SHINE = 0.12
"""How much of the lamp a fully glossy rim, or edge of a dish, mirrors into the camera."""

FACE_RING = 2
"""Which of a checker's rings ends its upper face; what is outside is its rounded rim."""

PIPS: dict[int, tuple[tuple[int, int], ...]] = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (-1, 1), (1, -1), (1, 1)),
    5: ((-1, -1), (-1, 1), (0, 0), (1, -1), (1, 1)),
    6: ((-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)),
}
"""Where the pips of a face are, as steps from its middle."""


@lru_cache(maxsize=8)
def circle(steps: int = CIRCLE_STEPS) -> Floats:
    """Gets the unit circle (steps x 2)."""
    angles = np.arange(steps) * (2 * math.pi / steps)
    return np.column_stack([np.cos(angles), np.sin(angles)])


@dataclass(frozen=True, slots=True)
class Ring:
    """One step of the shading of a checker's top: its radius over the checker's, and its light.

    ``slide`` moves it away from the lamp, in shares of the radius: the far wall of a dish is the one that is lit.
    ``shine``: the share of white that the lamp's own reflection adds.
    """

    radius: float
    light: float
    slide: float = 0.0
    shine: float = 0.0


def rings_of(look: CheckerLook) -> tuple[Ring, ...]:
    """Gets the shading of a checker's top from the rim inwards."""
    deep = look.dish
    return (
        Ring(1.0, 0.93),
        # The rounded rim mirrors the lamp on its side: what the next ring leaves of this one is a crescent.
        Ring(0.975, 1.04, 0.0, RIM_SHINE * look.gloss),
        Ring(0.945, 1.03, 0.025),
        Ring(0.86, 1.0 + 0.12 * deep, 0.0, DISH_SHINE * look.gloss * deep),
        Ring(0.82, 1.0 - 0.32 * deep),
        Ring(0.77, 1.0 - 0.16 * deep, 0.03 * deep),
        Ring(0.66, 1.0 - 0.08 * deep, 0.06 * deep),
        Ring(0.52, 1.0, 0.10 * deep),
        Ring(0.36, 1.0 + 0.10 * deep, 0.14 * deep),
        Ring(0.20, 1.0 + 0.16 * deep, 0.18 * deep),
    )


def draw_checkers(stage: Stage, image: Picture, checkers: Sequence[Checker]) -> None:
    """Draws checkers in the order given: the farthest first."""
    if not checkers:
        return
    outlines = [_outline_mm(stage, checker) for checker in checkers]
    sizes = [len(outline) for outline in outlines]
    pixels = np.split(stage.camera.project(np.concatenate(outlines)), np.cumsum(sizes)[:-1])
    for checker, part in zip(checkers, pixels, strict=True):
        look = stage.look.checker(checker.seat)
        strength = stage.light_at(checker.x_mm, checker.y_mm)
        colour = stage.tinted(look.colour)
        if checker.on_edge:
            _draw_edgewise(stage, image, part, colour, strength, checker)
        else:
            _draw_lying(stage, image, part, colour, strength, look)
            _draw_inlays(stage, image, checker, look, strength)
            if look.polish:
                _mirror_lamp(stage, image, part, checker, look)


def draw_die(stage: Stage, image: Picture, die: Die) -> None:
    """Draws one die with every face the camera sees, round pips on each."""
    size = stage.geometry.die_size_mm
    middle = np.array([die.x_mm, die.y_mm, die.z_mm])
    rotation = die.rotation()
    body_px = stage.camera.project(middle + _cube_corners(size) @ rotation.T)
    low = np.floor(body_px.min(axis=0)).astype(int) - 2
    high = np.ceil(body_px.max(axis=0)).astype(int) + 3
    low, high = np.maximum(low, 0), np.minimum(high, [stage.camera.width_px, stage.camera.height_px])
    if (high <= low).any():
        return
    fine = image[low[1] : high[1], low[0] : high[0]].repeat(DIE_FINENESS, axis=0).repeat(DIE_FINENESS, axis=1)
    below = fine.copy()

    def place(points_mm: Floats) -> Pixels:
        # The middle of pixel 0 is at 0 in the picture, and at (fineness - 1) / 2 in the finer one.
        offset = stage.camera.project(points_mm) - low
        return np.asarray(offset * DIE_FINENESS + (DIE_FINENESS - 1) / 2, dtype=np.float64)

    look = stage.look.dice_of(die.owner)
    body, pip_colour = stage.tinted(look.body), stage.tinted(look.pips)
    strength = stage.light_at(die.x_mm, die.y_mm)
    eye, lamp = stage.camera.position_mm, np.array(stage.look.light.at_mm)
    faces: list[tuple[int, Floats, float]] = []
    for value, axis in FACE_NORMALS.items():
        normal = rotation @ np.array(axis, dtype=np.float64)
        face_middle = middle + normal * size / 2
        if float(normal @ (eye - face_middle)) > 0:
            faces.append((value, normal, _face_light(stage, normal, face_middle, lamp) * strength))
    # The rounded edges are seen between the faces; they catch the light of the brightest face beside them.
    edge_light = max((light for _, _, light in faces), default=strength) * 0.93
    fill(fine, _rounded(hull(place(middle + _cube_corners(size * 0.94) @ rotation.T))), lit(body, edge_light))

    def paint_body(normal: Floats, light: float) -> None:
        face_middle = middle + normal * size / 2
        outline = face_middle + _rounded_square(size * 0.97) @ np.stack(_face_axes(normal, rotation))
        fill(fine, place(outline), lit(body, light))

    def paint_marks(value: int, normal: Floats, light: float) -> None:
        across, up = _face_axes(normal, rotation)
        face_middle = middle + normal * size / 2
        if look.faces is not None:
            for patch in look.faces[value - 1]:
                flat = [np.array(one) @ np.stack([across, up]) * size + face_middle for one in patch.outlines_mm]
                fill_outlines(fine, [place(one) for one in flat], lit(stage.tinted(patch.colour), light))
            return
        for column, row in PIPS[value]:
            pip = face_middle + (across * column + up * row) * size * PIP_OFFSET
            disc = pip + circle(16) @ np.stack([across, up]) * size * PIP_RADIUS
            fill(fine, place(disc), lit(pip_colour, light))

    for value, normal, light in faces:
        paint_body(normal, light)
        if not look.clear:
            paint_marks(value, normal, light)
    if look.clear:
        for pip in _seen_through(middle, rotation, size, eye):
            fill(below, place(pip), lit(pip_colour, strength * GHOST_LIGHT))
        let_through(fine, below, place(middle + _cube_corners(size * 0.97) @ rotation.T), body, look.clear)
        for value, normal, light in faces:
            paint_marks(value, normal, light)
    shape = (int(high[0] - low[0]), int(high[1] - low[1]))
    image[low[1] : high[1], low[0] : high[0]] = cv2.resize(fine, shape, interpolation=cv2.INTER_AREA)


def _seen_through(middle: Floats, rotation: Floats, size: float, eye: Floats) -> list[Floats]:
    """Gets the pips (N x 3 each) of the faces away from the eye, where they are seen through the face that is most
    towards it: what is below a smooth face seems nearer to it by the refractive index."""
    normals = {value: rotation @ np.array(axis, dtype=np.float64) for value, axis in FACE_NORMALS.items()}
    toward = {value: float(normal @ (eye - middle - normal * size / 2)) for value, normal in normals.items()}
    nearest = normals[max(toward, key=lambda value: toward[value])]
    pips = []
    for value, normal in normals.items():
        if toward[value] > 0:
            continue
        across, up = _face_axes(normal, rotation)
        for column, row in PIPS[value]:
            pip = normal * size / 2 + (across * column + up * row) * size * PIP_OFFSET
            disc = pip + circle(16) @ np.stack([across, up]) * size * PIP_RADIUS
            depth = size / 2 - disc @ nearest
            pips.append(middle + disc + np.outer(depth * (1 - 1 / REFRACTIVE_INDEX), nearest))
    return pips


def draw_cube(stage: Stage, image: Picture, cube: Cube) -> None:
    """Draws the doubling cube with its value on top."""
    middle = np.array([cube.x_mm, cube.y_mm, cube.z_mm])
    angle = math.radians(cube.yaw_deg)
    rotation = np.array([[math.cos(angle), -math.sin(angle), 0], [math.sin(angle), math.cos(angle), 0], [0, 0, 1]])
    strength = stage.light_at(cube.x_mm, cube.y_mm)
    eye, lamp = stage.camera.position_mm, np.array(stage.look.light.at_mm)
    colour = stage.tinted(stage.look.cube.body)
    for axis in FACE_NORMALS.values():
        normal = rotation @ np.array(axis, dtype=np.float64)
        face_middle = middle + normal * CUBE_SIZE_MM / 2
        if float(normal @ (eye - face_middle)) <= 0:
            continue
        across, up = _face_axes(normal, rotation)
        outline = face_middle + _rounded_square(CUBE_SIZE_MM) @ np.stack([across, up])
        light = _face_light(stage, normal, face_middle, lamp) * strength
        fill(image, stage.camera.project(outline), lit(colour, light))
    _draw_number(stage, image, cube.value, middle + np.array([0, 0, CUBE_SIZE_MM / 2]), rotation)


def footprint_mm(stage: Stage, checker: Checker, z_mm: float) -> Floats:
    """Gets the outline (N x 3) of a checker from above, at a height: a disc, or a narrow oblong when it stands."""
    radius = stage.geometry.checker_diameter_mm / 2
    if checker.on_edge:
        half = stage.geometry.checker_height_mm / 2
        oblong = np.array([[-radius, -half], [radius, -half], [radius, half], [-radius, half]])
        around = oblong + np.array([checker.x_mm, checker.y_mm])
        return np.column_stack([around, np.full(4, z_mm)])
    disc = circle() * radius + np.array([checker.x_mm, checker.y_mm])
    return np.column_stack([disc, np.full(len(disc), z_mm)])


def top_mm(stage: Stage, checker: Checker) -> float:
    """Gets how high the highest spot of a checker is."""
    geometry = stage.geometry
    return checker.z_mm + (geometry.checker_diameter_mm if checker.on_edge else geometry.checker_height_mm) / 2


def die_corners_mm(stage: Stage, die: Die) -> Floats:
    """Gets the eight corners (8 x 3) of a die."""
    corners = _cube_corners(stage.geometry.die_size_mm) @ die.rotation().T
    return np.asarray(corners + np.array([die.x_mm, die.y_mm, die.z_mm]), dtype=np.float64)


def _outline_mm(stage: Stage, checker: Checker) -> Floats:
    """Gets the points of a checker that are to be projected: its foot, then every ring of its top."""
    geometry = stage.geometry
    radius, half = geometry.checker_diameter_mm / 2, geometry.checker_height_mm / 2
    if checker.on_edge:
        disc = circle() * radius
        ends = [
            np.column_stack(
                [disc[:, 0] + checker.x_mm, np.full(len(disc), checker.y_mm + end), disc[:, 1] + checker.z_mm]
            )
            for end in (-half, half)
        ]
        return np.concatenate(ends)
    look = stage.look.checker(checker.seat)
    lamp = np.array(stage.look.light.at_mm[:2]) - np.array([checker.x_mm, checker.y_mm])
    away = -lamp / max(float(np.linalg.norm(lamp)), 1.0) * radius
    pieces = [footprint_mm(stage, checker, checker.z_mm - half)]
    for ring in rings_of(look):
        disc = circle() * radius * ring.radius + np.array([checker.x_mm, checker.y_mm]) + away * ring.slide
        pieces.append(np.column_stack([disc, np.full(len(disc), checker.z_mm + half)]))
    gloss = circle() * radius * 0.22 + np.array([checker.x_mm, checker.y_mm]) - away * 0.3
    pieces.append(np.column_stack([gloss, np.full(len(gloss), checker.z_mm + half)]))
    return np.concatenate(pieces)


def _draw_lying(
    stage: Stage, image: Picture, part: Pixels, colour: Sequence[float], strength: float, look: CheckerLook
) -> None:
    foot, *tops = part.reshape(-1, CIRCLE_STEPS, 2)
    fill(image, hull(np.concatenate([foot, tops[0]])), lit(colour, strength * SIDE_SHADE))
    for ring, shape in zip(rings_of(look), tops[:-1], strict=True):
        shone = [value * ring.light + (255 - value * ring.light) * ring.shine for value in colour]
        fill(image, shape, lit(shone, strength))
    if look.gloss > 0.25 and look.dish < 0.75:
        shine = lit([value + (255 - value) * look.gloss * 0.25 for value in colour], strength)
        fill(image, tops[-1], shine)


def turn_of(checker: Checker) -> Floats:
    """Gets how a checker lies turned (2 x 2): in its own way as long as nobody moves it."""
    return turn(1.7 * checker.x_mm + 2.9 * checker.y_mm)


def _draw_inlays(stage: Stage, image: Picture, checker: Checker, look: CheckerLook, strength: float) -> None:
    """Draws what is inlaid in the upper face of a checker."""
    turned, at = turn_of(checker).T, np.array([checker.x_mm, checker.y_mm])
    for patch in look.inlays:
        around = [np.array(outline) @ turned + at for outline in patch.outlines_mm]
        level = [np.column_stack([each, np.full(len(each), top_mm(stage, checker))]) for each in around]
        fill_outlines(image, [stage.camera.project(each) for each in level], lit(stage.tinted(patch.colour), strength))


def _mirror_lamp(stage: Stage, image: Picture, part: Pixels, checker: Checker, look: CheckerLook) -> None:
    """Draws the lamp in a checker's upper face, which mirrors it as its dish does, inside its rounded rim."""
    face = part.reshape(-1, CIRCLE_STEPS, 2)[1 + FACE_RING]
    radius = stage.geometry.checker_diameter_mm / 2
    at, seen = stage.lamp_in_dish(checker.x_mm, checker.y_mm, radius, look.dish, face)
    if seen.size and seen.any():
        shine(image, face, seen, at, look.polish * stage.look.light.exposure)


def _draw_edgewise(
    stage: Stage, image: Picture, part: Pixels, colour: Sequence[float], strength: float, checker: Checker
) -> None:
    near, far = part[:CIRCLE_STEPS], part[CIRCLE_STEPS:]
    # From above one sees the rounded rim: brightest along its crest, dark where it meets its neighbours.
    fill(image, hull(part), lit(colour, strength * 0.66))
    middle = (near + far) / 2
    crest = np.concatenate([middle + (near - middle) * 0.7, middle + (far - middle) * 0.7])
    fill(image, hull(crest), lit(colour, strength * 0.98))
    facing = near if stage.camera.position_mm[1] < checker.y_mm else far
    fill(image, facing, lit(colour, strength * 0.72))


def _face_light(stage: Stage, normal: Floats, at_mm: Floats, lamp: Floats) -> float:
    """Gets how bright a face is beside a level surface at the same spot (Lambert's law and the room's light)."""
    toward = lamp - at_mm
    toward = toward / float(np.linalg.norm(toward))
    ambient = stage.look.light.ambient
    direct = max(0.0, float(normal @ toward)) / max(float(toward[2]), 0.2)
    room = 0.5 + 0.5 * float(normal[2])
    return float(ambient * (0.35 + 0.65 * room) + (1 - ambient) * direct)


def _face_axes(normal: Floats, rotation: Floats) -> tuple[Floats, Floats]:
    """Gets the two directions of a face along which its pips lie."""
    axes = [column for column in rotation.T if abs(float(column @ normal)) < 0.5]
    return axes[0], axes[1]


def _cube_corners(size: float) -> Floats:
    """Gets the corners (8 x 3) of a cube about the origin."""
    half = size / 2
    return np.array([[x, y, z] for x in (-half, half) for y in (-half, half) for z in (-half, half)])


@lru_cache(maxsize=8)
def _rounded_square(size: float) -> Floats:
    """Gets the outline (N x 2) of a square about the origin with rounded corners."""
    radius = size * DIE_CORNER
    inner = size / 2 - radius
    quarter = np.linspace(0, math.pi / 2, 5)
    pieces = []
    for number, (x, y) in enumerate(((1, 1), (-1, 1), (-1, -1), (1, -1))):
        angles = quarter + number * math.pi / 2
        arc = np.column_stack([np.cos(angles), np.sin(angles)]) * radius
        pieces.append(arc + np.array([x, y]) * inner)
    return np.concatenate(pieces)


def _rounded(outline: Pixels) -> Pixels:
    """Gets an outline whose corners are cut a little: once by Chaikin's rule, a fifth from each corner."""
    ahead = np.roll(outline, -1, axis=0)
    return np.stack([outline * 0.85 + ahead * 0.15, outline * 0.15 + ahead * 0.85], axis=1).reshape(-1, 2)


def _draw_number(stage: Stage, image: Picture, value: int, top_mm: Floats, rotation: Floats) -> None:
    """Draws a number on the level face whose middle is ``top_mm``."""
    side = 96
    label = np.zeros((side, side), dtype=np.uint8)
    text = str(value)
    (width, height), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, 1.6, 5)
    origin = ((side - width) // 2, (side + height) // 2)
    cv2.putText(label, text, origin, cv2.FONT_HERSHEY_SIMPLEX, 1.6, (255,), 5, cv2.LINE_AA)
    half = CUBE_SIZE_MM * 0.45
    corners = np.array([[-half, half, 0], [half, half, 0], [half, -half, 0], [-half, -half, 0]])
    target = stage.camera.project(top_mm + corners @ rotation.T)
    low = np.maximum(np.floor(target.min(axis=0)).astype(int), 0)
    high = np.ceil(target.max(axis=0)).astype(int) + 1
    source = np.array([[0, 0], [side - 1, 0], [side - 1, side - 1], [0, side - 1]], dtype=np.float32)
    warp = cv2.getPerspectiveTransform(source, (target - low).astype(np.float32))
    region = image[low[1] : high[1], low[0] : high[0]]
    if region.size == 0:
        return
    mask = cv2.warpPerspective(label, warp, (region.shape[1], region.shape[0]), flags=cv2.INTER_AREA)
    weight = (mask.astype(np.float32) / 255)[..., None]
    region[:] = (region * (1 - weight) + np.array(stage.look.cube.pips, dtype=np.float32) * weight).astype(np.uint8)
