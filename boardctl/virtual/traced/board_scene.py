"""A whole board in a drawn room, traced by Mitsuba as its camera sees it: what stays and what moves.

Few rays a pixel are traced; Open Image Denoise tells from them what many would have shown (see :mod:`rays`).
"""

from dataclasses import replace
from itertools import chain
from typing import Any

import mitsuba
import numpy as np
from numpy.typing import NDArray

from boardctl.rules import Seat
from boardctl.virtual.dice import TABLE_DEPTH_MM
from boardctl.virtual.drawing.brush import mask_of
from boardctl.virtual.drawing.stage import TABLE_REACH_MM, Box, boxes_of
from boardctl.virtual.drawing.things import dice_in
from boardctl.virtual.looks import CheckerLook, Colour
from boardctl.virtual.traced.arms import Arm
from boardctl.virtual.traced.beside_bodies import near_cloth, things_body
from boardctl.virtual.traced.board_bodies import (
    NOWHERE_MM,
    WOOD_BEVEL_MM,
    backs_of_pips,
    checkers_body,
    cube_body,
    cup_body,
    dice_look,
    die_body,
    die_shape,
    frame_body,
    let_down,
    make_of,
    on_rails_body,
)
from boardctl.virtual.traced.board_paint import Cloth, field_cloth, number_label, table_cloth, wood_cloth
from boardctl.virtual.traced.meshes import Mesh, box_mesh, joined
from boardctl.virtual.traced.parts import bitmap, place, rgb, shape
from boardctl.virtual.traced.rays import cleaned, seen
from boardctl.virtual.traced.room import drawn_room
from boardctl.virtual.traced.sight import Light
from boardctl.virtual.unseen.looks import Installation
from boardctl.virtual.world import CUBE_SIZE_MM, Cube, World

DEEPEST, DEEPEST_CLEAR = 4, 8
"""How often light is thrown on at most; and where there are dice that it goes through, to the ground and back."""
RAYS = 9
"""Rays a pixel."""
ROWS_AT_ONCE = 180
SOFT_PX = 0.45
"""How soft a pixel is (standard deviation)."""
BELOW_MM = 330.0
"""Nothing higher is in the picture."""
TABLE_MM, ABOVE_TABLE_MM = 4000.0, 0.2
"""How large the table is, and how far above it what covers it around the board."""
ROUGHEST, SMOOTHEST = 0.75, 0.14
"""How rough checkers are that do not shine, and such as shine most."""
POLISHED = 0.12
"""How rough what is a little polished is; what mirrors all light is half as rough."""
PRINT_MM = 0.05
"""How far above the field the frame of a board without rails is, which is only printed."""
SPLIT_OFTEN, SPLIT_MM = 0.5, (0.4, 1.5)
"""So often the bar has two halves, so far apart."""
CUP_MM = ((28.0, 45.0), (50.0, 100.0))
"""Radius and height of a cup beside the board."""
ROUGH_CLEAR = 0.4
"""How rough dice are that light goes through, in terms of others."""
SPECULAR = 0.5
CUBES: tuple[tuple[Colour, Colour], ...] = (
    ((228, 234, 236), (30, 26, 28)),
    ((232, 236, 238), (40, 34, 170)),
    ((30, 28, 30), (235, 238, 240)),
    ((36, 30, 140), (235, 238, 240)),
)
"""Colours of doubling cubes and of their numbers."""


class TracedBoard:
    """One installation: everything about it that stays from picture to picture."""

    def __init__(self, installation: Installation, rng: np.random.Generator) -> None:
        self.look, self.geometry = installation.look, installation.geometry
        self.camera = self.look.camera
        look, geometry = self.look, self.geometry
        self._make = make_of(geometry, look, rng)
        self._shape, self._hollow = die_shape(rng)
        boxes = [_above_field(box) for box in boxes_of(geometry) if box.x_mm[0] < box.x_mm[1]]
        self._boxes = boxes
        self._half_width = max(box.x_mm[0] for box in boxes)
        self._field = self._paint(field_cloth(look, geometry, self._half_width, rng), rng)
        self._wood = self._paint(wood_cloth(look.wood, look.wood_grain / 60, rng), rng)
        table = table_cloth(look.table, TABLE_MM, rng)
        self._table = self._paint(table, rng)
        self._bevel_mm = float(rng.uniform(*WOOD_BEVEL_MM))
        self._split_mm = float(rng.uniform(*SPLIT_MM)) if rng.random() < SPLIT_OFTEN else 0.0
        self._cube_colour, self._ink = CUBES[int(rng.integers(len(CUBES)))]
        self._cube_edge = float(rng.uniform(0.06, 0.16))
        self._label_seed = int(rng.integers(1 << 30))
        self._beside = self._things(rng)
        self._room = drawn_room(look.light, rng)
        self._rough = [_roughness(one) for one in look.checkers]
        self._rough_die = float(rng.uniform(0.15, 0.6))
        self._clear = max(look.dice.clear, look.second_dice.clear) > 0
        self._seed = int(rng.integers(1 << 30))
        self._with_things = bool(installation.beside or installation.at_hand)
        self._near = self._covered(table) if look.on_table else None

    def let_down(self, world: World) -> World:
        """Gets the world with leaning dice where ones with round edges come to rest."""
        size = self.geometry.die_size_mm
        return replace(world, dice=tuple(let_down(die, self._shape, self._hollow, size) for die in world.dice))

    def light(self, world: World, arms: list[Arm]) -> tuple[Light, Light]:
        """Gets the light (height x width x 3) that the camera sees of a world with arms over it, and the colours."""
        scene = mitsuba.load_dict(self._parts(world, arms))
        width, height = self.camera.width_px, self.camera.height_px
        bands = []
        for top in range(0, height, ROWS_AT_ONCE):
            rows = min(ROWS_AT_ONCE, height - top)
            down, across = np.mgrid[top : top + rows, 0:width]
            pixels = np.stack([across.ravel(), down.ravel()], axis=1).astype(np.float64)
            band = seen(scene, self.camera, pixels, RAYS, SOFT_PX, self._seed + top, BELOW_MM)
            bands.append(band.astype(np.float32).reshape(rows, width, -1))
        whole = np.concatenate(bands)
        return cleaned(whole), whole[..., 3:6]

    def on_field(self) -> NDArray[np.bool_]:
        """Gets which pixels show the playing surface."""
        outline = self.camera.project([(x, y, 0.0) for x, y in self.geometry.corners])
        return mask_of((self.camera.width_px, self.camera.height_px), [outline]) > 127

    def _paint(self, cloth: Cloth, rng: np.random.Generator) -> dict[str, Any]:
        return _material(bitmap(cloth.reflects[::-1]) | {"wrap_mode": "mirror"}, cloth.roughness(rng))

    def _covered(self, table: Cloth) -> dict[str, Any]:
        """Gets the part of the table around the board, with what is on it."""
        near = near_cloth(table.reflects, TABLE_MM / len(table.reflects), self.look.on_table)
        return self._paint(Cloth(table.kind, near), np.random.default_rng(self._seed))

    def _parts(self, world: World, arms: list[Arm]) -> dict[str, Any]:
        """Gets the scene as Mitsuba wants it, in every picture the same parts."""
        deepest = DEEPEST_CLEAR if self._clear else DEEPEST
        parts: dict[str, Any] = {
            "type": "scene",
            "integrator": {"type": "path", "max_depth": deepest, "rr_depth": deepest},
        }
        painted = {"type": "mesh_attribute", "name": "vertex_color"}
        for number, seat in enumerate((Seat.A, Seat.B)):
            body = checkers_body(self._make, self.geometry, self.look, world.checkers, seat)
            parts[f"checkers{number}"] = shape(f"checkers{number}", body, _material(painted, self._rough[number]))
        dice = self._dice(world)
        parts["dice"] = shape("dice", dice, self._of_dice(painted))
        if self._clear:
            backs = {"type": "twosided", "bsdf": {"type": "diffuse", "reflectance": painted}}
            parts["pips"] = shape("pips", backs_of_pips(dice), backs)
        cube, label = self._cube(world.cube)
        parts["cube"] = shape("cube", cube, _material(painted, 0.35))
        value = world.cube.value if world.cube is not None else 64
        ink = number_label(value, self._cube_colour, self._ink, np.random.default_rng(self._label_seed))
        parts["label"] = shape("label", label, _material(bitmap(ink[::-1]), 0.35))
        parts["wood"] = shape("wood", frame_body(self._boxes, self._bevel_mm, self._split_mm), self._wood)
        if self.look.on_rails:
            inlaid = on_rails_body(self.look.on_rails, self._boxes)
            parts["on_rails"] = shape("on_rails", inlaid, _material(painted, 0.35))
        if self._with_things:
            parts["things"] = shape("things", things_body(world.things), _material(painted, 0.35))
        parts["beside"] = shape("beside", self._beside[0], _material(self._beside[1], 0.4))
        nothing = box_mesh((-1, -1, -1), (1, 1, 1)).moved(NOWHERE_MM)
        for name, colour, meshes in (
            ("skin", self.look.skin, [arm.skin for arm in arms]),
            ("cloth", self.look.sleeve, [arm.cloth for arm in arms]),
        ):
            body = joined(meshes) if meshes else _smooth(nothing)
            parts[name] = shape(name, body, _material(rgb(colour), 0.55 if name == "skin" else 0.95))
        half = [self._half_width, self.geometry.field_height_mm / 2, 1.0]
        parts["field"] = {"type": "rectangle", "to_world": place().scale(half), "bsdf": self._field}
        below = place().translate([0, 0, -TABLE_DEPTH_MM]).scale([TABLE_MM / 2, TABLE_MM / 2, 1])
        parts["table"] = {"type": "rectangle", "to_world": below, "bsdf": self._table}
        if self._near is not None:
            near = place().translate([0, 0, ABOVE_TABLE_MM - TABLE_DEPTH_MM]).scale([TABLE_REACH_MM, TABLE_REACH_MM, 1])
            parts["near"] = {"type": "rectangle", "to_world": near, "bsdf": self._near}
        return parts | self._room

    def _dice(self, world: World) -> Mesh:
        bodies = []
        for die in (*world.dice, *chain.from_iterable(map(dice_in, world.things))):
            look = dice_look(self.look, die.owner, self._shape)
            painted = self.look.dice_of(die.owner).faces
            body = die_body(die, look, self._hollow, self.geometry.die_size_mm, painted)
            bodies.append(body.moved((die.x_mm, die.y_mm, die.z_mm)))
        return joined(bodies) if bodies else cube_body(_no_cube(), self._cube_colour, 0.1)[0]

    def _of_dice(self, painted: dict[str, Any]) -> dict[str, Any]:
        """Gets what the dice are of: what light goes through is smooth."""
        if not self._clear:
            return _material(painted, self._rough_die)
        through = {"type": "mesh_attribute", "name": "vertex_clear"}
        return _material(painted, ROUGH_CLEAR * self._rough_die) | {"spec_trans": through}

    def _cube(self, cube: Cube | None) -> tuple[Mesh, Mesh]:
        return cube_body(cube or _no_cube(), self._cube_colour, self._cube_edge)

    def _things(self, rng: np.random.Generator) -> tuple[Mesh, dict[str, Any]]:
        """Draws a cup that stands beside the board; or nowhere, as often."""
        radius, high = (float(rng.uniform(*ends)) for ends in CUP_MM)
        side = float(rng.choice((-1.0, 1.0)))
        x = float(rng.uniform(-1, 1)) * self._half_width
        y = side * (self.geometry.field_height_mm / 2 + self.geometry.rail_width_mm + radius + rng.uniform(30, 90))
        colour = {"type": "rgb", "value": rng.uniform(0.03, 0.8, 3).tolist()}
        floor = -TABLE_DEPTH_MM if rng.random() < 0.5 else NOWHERE_MM[2]
        return cup_body(x, y, floor, radius, high), colour


def _roughness(seat: CheckerLook) -> float:
    """Gets how rough the checkers of a seat are: the more they shine or are polished, the less."""
    shine = min(seat.gloss * 1.4, 1.0)
    return ROUGHEST - (ROUGHEST - SMOOTHEST) * shine if not seat.polish else POLISHED / (1 + seat.polish)


def _above_field(box: Box) -> Box:
    """Gets a piece of a board's frame that is seen, also where it is only printed beside the field."""
    return replace(box, z_mm=(box.z_mm[0], max(box.z_mm[1], PRINT_MM)))


def _material(colour: dict[str, Any], roughness: float) -> dict[str, Any]:
    return {"type": "principled", "base_color": colour, "roughness": roughness, "specular": SPECULAR}


def _no_cube() -> Cube:
    return Cube(64, *NOWHERE_MM[:2], NOWHERE_MM[2] + CUBE_SIZE_MM, 0.0)


def _smooth(mesh: Mesh) -> Mesh:
    """Gets a mesh that has normals, as limbs have."""
    return Mesh(mesh.corners, mesh.triangles, np.tile((0.0, 0.0, 1.0), (len(mesh.corners), 1)))
