"""What a whole board is made of, as bodies: checkers of several makes, rails and bar of wood, dice, the cube, a cup."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from boardctl.rules import Seat
from boardctl.virtual.dice import FACE_NORMALS, Die
from boardctl.virtual.drawing.outlines import turn
from boardctl.virtual.drawing.stage import Box, on_top
from boardctl.virtual.looks import CheckerLook, Colour, Look, Patch
from boardctl.virtual.traced.meshes import Mesh, colour_reflected, die_mesh, inside, joined, turned_mesh
from boardctl.virtual.world import CUBE_SIZE_MM, Checker, Cube
from boardctl.vision.training.die_render import DieLook, DiePose, random_look
from calibration import BoardGeometry

Floats = NDArray[np.float64]

NOWHERE_MM = (0.0, 0.0, -500.0)
"""Where things lie that are not there: every scene has the same parts, so that Mitsuba makes its program once."""
BACKS_MM = 0.15
"""How far below the surface of clear dice the backs of their pips are."""
CRISP_MM = 0.12
"""So far from its edges a turned body is as flat as it is farther off."""
RINGS = 9
"""Circles on the top of a checker that carry its colours."""
FINE_AROUND, FINE_MM = 120, 0.6
"""Corners of circles, and how far these are apart, where something is inlaid."""
BEVEL_MM = (0.4, 3.2)
MAKES = ("plain", "rimmed", "dished", "domed", "grooved", "ringed")
EACH_SHADE, MARBLED_OFTEN, MARBLE = 0.03, 0.3, (0.05, 0.3)
"""By how much the checkers of a seat differ from each other (standard deviation of the logarithm), how often they are
marbled, and by how much."""
WOOD_BEVEL_MM, WOOD_SPREAD_MM = (0.8, 3.5), 400.0
"""How much the edges of rails are broken, and how large the picture of their wood is."""
SIDES = ((-1, 0, 0), (1, 0, 0), (0, -1, 0), (0, 1, 0), (0, 0, -1), (0, 0, 1))
VALUE_OF = {side: value for value, side in FACE_NORMALS.items()}
FIRST, SECOND, THIRD, FOURTH, FIFTH, SIXTH = (VALUE_OF[side] for side in SIDES)
ABOVE_WOOD_MM = 0.08
"""So far above the wood lies what is inlaid in it."""
FACES = (FIRST, SECOND, THIRD, FOURTH, FIFTH, SIXTH)
"""The values of a virtual die's sides, as ``DiePose`` has them."""

Profile = Sequence[tuple[float, float]]


@dataclass(frozen=True)
class Make:
    """How the checkers of both seats are turned, and how each seat's are coloured."""

    profile: Profile
    marbles: tuple[Floats, Floats]
    """Of each seat: waves (N x 5: x, y and z in turns a millimetre, where they begin, how strong)."""


def make_of(geometry: BoardGeometry, look: Look, rng: np.random.Generator) -> Make:
    """Draws what make of checkers a board has."""
    marbles = []
    for _ in look.checkers:
        strong = float(rng.uniform(*MARBLE)) if rng.random() < MARBLED_OFTEN else 0.0
        waves = rng.normal(0, 1, (6, 5)) * (0.05, 0.05, 0.05, 3.0, 0.0)
        waves[:, 4] = strong / np.sqrt(3)
        marbles.append(waves)
    kind = MAKES[int(rng.integers(len(MAKES)))]
    return Make(checker_profile(geometry, kind, look.checkers[0], rng), (marbles[0], marbles[1]))


def checker_profile(geometry: BoardGeometry, kind: str, look: CheckerLook, rng: np.random.Generator) -> Profile:
    """Draws the outline (radius, height) of a checker, one of ``MAKES``, from its foot's middle to its top's: both are
    alike."""
    radius, high = geometry.checker_diameter_mm / 2, geometry.checker_height_mm
    bevel = min(float(rng.uniform(*BEVEL_MM)), 0.3 * high)
    deep = min(0.3 + 2.2 * look.dish, 0.25 * high)
    outside = [(radius, high - bevel), (radius - bevel, high)]
    rim = (radius - bevel) * float(rng.uniform(0.7, 0.93))
    if kind == "rimmed":
        inside = [(rim, high), (rim - 0.6, high - deep)]
    elif kind == "dished":
        turns = np.linspace(0.0, 1.0, RINGS)[:-1]
        inside = [(rim * (1 - t), high - deep * (1 - (1 - t) ** 2)) for t in turns]
    elif kind == "domed":
        edge = min(float(rng.uniform(2.0, 4.0)), 0.45 * high)
        turns = np.linspace(np.pi / 2, 0, 6)
        outside = [(radius - edge * (1 - np.sin(t)), high - edge * (1 - np.cos(t))) for t in turns]
        inside = []
    elif kind == "grooved":
        wide = float(rng.uniform(0.8, 2.0))
        inside = [(rim, high), (rim - wide / 2, high - deep / 2), (rim - wide, high)]
    elif kind == "ringed":
        steps = np.linspace(rim, 0.25 * rim, 8)
        inside = [(r, high - (deep / 2 if number % 2 else 0.0)) for number, r in enumerate(steps)]
    else:
        inside = []
    last, level = (inside or outside)[-1]
    middle = [(last * (1 - t) + 0.01, level) for t in np.linspace(0, 1, RINGS)[1:]]
    upper = [*outside, *inside, *middle]
    return crisp([*((r, high - z) for r, z in reversed(upper)), *upper])


def crisp(profile: Profile) -> Profile:
    """Gets a profile with a corner more right before and behind each of its own, so that only edges look round."""
    places = np.array(profile)
    found = [places[0]]
    for start, end in pairwise(places):
        step, length = end - start, float(np.linalg.norm(end - start))
        if length > 4 * CRISP_MM:
            found += [start + step * CRISP_MM / length, end - step * CRISP_MM / length]
        found.append(end)
    return [(float(r), float(z)) for r, z in found]


def checker_body(make: Make, seat: int, look: CheckerLook, number: int) -> Mesh:
    """Gets one checker, its foot in the origin; ``number`` tells it from others of its seat."""
    body = turned_mesh(finer(make.profile), FINE_AROUND) if look.inlays else turned_mesh(make.profile)
    rng = np.random.default_rng([seat, number])
    waves = make.marbles[seat]
    phases = 2 * np.pi * (body.corners + rng.uniform(0, 200, 3)) @ waves[:, :3].T + waves[:, 3]
    shade = np.exp(EACH_SHADE * rng.standard_normal() + np.sin(phases) @ waves[:, 4])
    colours = np.outer(shade, colour_reflected(look.colour))
    if look.inlays:
        places = body.corners[:, :2] @ turn(rng.uniform(0, 2 * np.pi))
        for patch in look.inlays:
            colours[inside(patch, places)] = colour_reflected(patch.colour)
    return replace(body, colours=np.clip(colours, 0.005, 0.97))


def finer(profile: Profile) -> Profile:
    """Gets a profile with corners so near to each other that the edges of what is inlaid are seen where they are."""
    found = []
    for start, end in pairwise(np.array(profile)):
        steps = max(int(np.ceil(abs(end[0] - start[0]) / FINE_MM)), 1)
        found += [start + (end - start) * step / steps for step in range(steps)]
    return [(float(r), float(z)) for r, z in (*found, profile[-1])]


def checkers_body(make: Make, geometry: BoardGeometry, look: Look, lying: Iterable[Checker], seat: Seat) -> Mesh:
    """Gets all checkers of a seat; one nowhere if there are none."""
    which = (Seat.A, Seat.B).index(seat)
    own = look.checkers[which]
    bodies = [
        _placed(checker_body(make, which, own, number), geometry, one)
        for number, one in enumerate(one for one in lying if one.seat is seat)
    ]
    return joined(bodies or [checker_body(make, which, own, 0).moved(NOWHERE_MM)])


def _placed(body: Mesh, geometry: BoardGeometry, one: Checker) -> Mesh:
    """Gets a checker where one lies, or stands on its edge."""
    body = body.moved((0.0, 0.0, -geometry.checker_height_mm / 2))
    if one.on_edge:
        assert body.normals is not None
        turn = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, -1.0, 0.0]])
        body = replace(body, corners=body.corners @ turn, normals=body.normals @ turn)
    return body.moved((one.x_mm, one.y_mm, one.z_mm))


def block(low_mm: Sequence[float], high_mm: Sequence[float], bevel_mm: float, along_y: bool) -> Mesh:
    """Gets a piece of wood from its lowest to its highest corner, the edges of its upper face broken; its grain goes
    along y, or along x."""
    (x0, y0, z0), (x1, y1, z1) = low_mm, high_mm
    b = min(bevel_mm, (x1 - x0) / 3, (y1 - y0) / 3, z1 - z0)

    def ring(inset: float, z: float) -> list[tuple[float, float, float]]:
        return [
            (x0 + inset, y0 + inset, z),
            (x1 - inset, y0 + inset, z),
            (x1 - inset, y1 - inset, z),
            (x0 + inset, y1 - inset, z),
        ]

    foot, edge, top = ring(0, z0), ring(0, z1 - b), ring(b, z1)
    quads = [(top[0], top[1], top[2], top[3])]
    for lower, upper in ((foot, edge), (edge, top)):
        quads += [(lower[i], lower[(i + 1) % 4], upper[(i + 1) % 4], upper[i]) for i in range(4)]
    corners = np.array(quads, dtype=np.float64).reshape(-1, 3)
    starts = 4 * np.arange(len(quads))[:, None]
    triangles = np.concatenate([starts + np.array((0, 1, 2)), starts + np.array((0, 2, 3))])
    flat = np.column_stack([corners[:, 0] + corners[:, 2], corners[:, 1] + 0.37 * corners[:, 2]]) / WOOD_SPREAD_MM
    # Each piece is cut from another part of the wood.
    flat = (flat[:, ::-1] if along_y else flat) + np.array([x0 + 0.31 * y0, y1 - 0.53 * x1]) / 97.0
    return Mesh(corners, triangles, places=flat)


def frame_body(boxes: Iterable[Box], bevel_mm: float, split_mm: float) -> Mesh:
    """Gets rails, walls and bar; ``split_mm``: how wide the gap is between the halves of the bar (0: none)."""
    pieces = []
    for box in boxes:
        low, high = (list(ends) for ends in zip(box.x_mm, box.y_mm, box.z_mm, strict=True))
        along_y = high[0] - low[0] < high[1] - low[1]
        if box.name == "bar" and split_mm > 0:
            pieces.append(block(low, [-split_mm / 2, *high[1:]], bevel_mm, along_y))
            pieces.append(block([split_mm / 2, *low[1:]], high, bevel_mm, along_y))
        else:
            pieces.append(block(low, high, bevel_mm, along_y))
    return joined(pieces)


def on_rails_body(patches: Iterable[Patch], boxes: Sequence[Box]) -> Mesh:
    """Gets what is inlaid in rails and bar: convex spots that lie on them, each of one colour."""
    bodies = []
    for patch in patches:
        for outline in (outline for box in boxes for outline in on_top(patch, box)):
            corners = outline + np.array([0.0, 0.0, ABOVE_WOOD_MM])
            fan = np.array([(0, second, second + 1) for second in range(1, len(corners) - 1)])
            x, y = corners[:, :2].T
            is_clockwise = float(x @ np.roll(y, -1) - y @ np.roll(x, -1)) < 0
            colours = np.tile(colour_reflected(patch.colour), (len(corners), 1))
            up = np.tile((0.0, 0.0, 1.0), (len(corners), 1))
            bodies.append(Mesh(corners, fan[:, ::-1] if is_clockwise else fan, up, np.clip(colours, 0.005, 0.97)))
    return joined(bodies)


def dice_look(look: Look, owner: Seat | None, shape: DieLook) -> DieLook:
    """Gets the colours of a seat's dice with a shape that is drawn once for a board."""
    colours = look.dice_of(owner)
    blue, green, red = (channel / 255 for channel in colours.body)
    first, second, third = (channel / 255 for channel in colours.pips)
    return replace(shape, body=(blue, green, red), pip=(first, second, third), translucent=colours.clear)


def die_shape(rng: np.random.Generator) -> tuple[DieLook, float]:
    """Draws how round dice are, where their pips are, and how deep (0: painted)."""
    return random_look(rng), float(rng.uniform(0.1, 0.5)) if rng.random() < 0.6 else 0.0


def die_body(
    die: Die, look: DieLook, hollow: float, size_mm: float, painted: Sequence[Sequence[Patch]] | None = None
) -> Mesh:
    """Gets a die around the origin, turned as it lies; ``painted`` as :func:`die_mesh` has it."""
    return die_mesh(DiePose(np.zeros(3), die.rotation(), FACES), look, size_mm, hollow, painted)


def backs_of_pips(dice: Mesh) -> Mesh:
    """Gets the pips of clear dice as they are seen through their bodies: a little below their surfaces, which throw
    light back outwards alone."""
    assert dice.clear is not None
    assert dice.normals is not None
    painted = (dice.clear[dice.triangles] == 0).all(axis=1)
    return replace(dice, corners=dice.corners - BACKS_MM * dice.normals, triangles=dice.triangles[painted], clear=None)


def let_down(die: Die, look: DieLook, hollow: float, size_mm: float) -> Die:
    """Gets a leaning die let down to what it stands on: round edges let it rest lower than sharp ones."""
    if die.flat:
        return die
    lowest = float(die_body(die, look, hollow, size_mm).corners[:, 2].min())
    sharp = -size_mm / 2 * (np.cos(np.radians(die.tilt_deg)) + np.sin(np.radians(die.tilt_deg)))
    return replace(die, z_mm=die.z_mm - (lowest - float(sharp)))


def cube_body(cube: Cube, colour: Colour, edge_radius: float) -> tuple[Mesh, Mesh]:
    """Gets the cube, and the picture on its top as a square right above it."""
    level = tuple(channel / 255 for channel in colour)
    blue, green, red = level
    look = DieLook((blue, green, red), (blue, green, red), edge_radius, 0.1, 0.25, 0.3, 10.0, 0.0, 0.0)
    angle = np.radians(cube.yaw_deg)
    turn = np.array([[np.cos(angle), -np.sin(angle), 0], [np.sin(angle), np.cos(angle), 0], [0, 0, 1]])
    middle = (cube.x_mm, cube.y_mm, cube.z_mm)
    body = die_mesh(DiePose(np.zeros(3), turn, FACES), look, CUBE_SIZE_MM, 0.0).moved(middle)
    half = CUBE_SIZE_MM * (0.5 - edge_radius)
    square = np.array([[-half, -half, 0], [half, -half, 0], [half, half, 0], [-half, half, 0]])
    top = square @ turn.T + np.array(middle) + (0, 0, CUBE_SIZE_MM / 2 + 0.05)
    places = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])
    return body, Mesh(top, np.array([[0, 1, 2], [0, 2, 3]]), places=places)


def cup_body(x_mm: float, y_mm: float, floor_mm: float, radius_mm: float, high_mm: float) -> Mesh:
    """Gets a cup that stands somewhere, open above."""
    wall = 2.5
    profile = [
        (radius_mm * 0.85, 0.0),
        (radius_mm, high_mm),
        (radius_mm - wall, high_mm),
        (radius_mm * 0.8, wall),
        (0.01, wall),
    ]
    return turned_mesh(crisp(profile)).moved((x_mm, y_mm, floor_mm))
