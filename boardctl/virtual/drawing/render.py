"""Puts frames together: the empty board, shadows, bodies in the painter's order, hands, then the lens.

The picture of the checkers is kept until a checker moves, and that of a whole world until anything moves, so that a
frame of a table at rest costs the lens alone.
"""

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from boardctl.rules import PlaceKind
from boardctl.virtual.dice import TABLE_DEPTH_MM, Die
from boardctl.virtual.drawing.bodies import die_corners_mm, draw_checkers, draw_cube, draw_die, footprint_mm, top_mm
from boardctl.virtual.drawing.brush import Picture, fill, hull
from boardctl.virtual.drawing.hands import draw_hand
from boardctl.virtual.drawing.stage import Stage, cast_onto
from boardctl.virtual.drawing.things import draw_thing
from boardctl.virtual.looks import Look
from boardctl.virtual.world import Checker, Cube, World
from calibration import BoardGeometry

NOISE_FRAMES = 4
"""Noise is drawn once, larger than a frame, and cut out elsewhere each time."""

NOISE_MARGIN_PX = 64

CLEAR_SHADOW = 0.4
"""How much lighter the shadow is of a die that all light goes into."""

_ON_THE_BAR_MM = 15.0  # from its middle line; checkers of a bar that lie farther off lie on points


class Renderer:
    """Draws worlds as the camera of one installation sees them."""

    def __init__(self, look: Look, geometry: BoardGeometry, seed: int = 0) -> None:
        self.stage = Stage(look, geometry, seed)
        self._random = np.random.default_rng(seed + 1)
        self._checkers: tuple[tuple[Checker, ...], Cube | None, Picture] | None = None
        self._scene: tuple[World, Picture] | None = None
        self._noise: list[Picture] = []

    def frame(self, world: World) -> Picture:
        """Gets a camera frame (height x width x 3) of a world, with blur and fresh noise."""
        return self._with_noise(self.scene(world))

    def scene(self, world: World) -> Picture:
        """Gets the picture of a world through the lens but without noise. Not to be changed by the caller."""
        if self._scene is not None and self._scene[0] == world:
            return self._scene[1]
        if world.dark:
            self._scene = (world, np.zeros_like(self.stage.picture))
            return self._scene[1]
        picture = self._with_checkers(world.checkers, world.cube).copy()
        self._draw_dice(picture, world)
        for thing in world.things:
            draw_thing(self.stage, picture, thing)
        for hand in world.hands:
            draw_hand(self.stage, picture, hand)
        blur = self.stage.look.lens.blur_px
        picture = np.asarray(cv2.GaussianBlur(picture, (5, 5), blur), dtype=np.uint8)
        self._scene = (world, picture)
        return picture

    def _with_checkers(self, checkers: tuple[Checker, ...], cube: Cube | None) -> Picture:
        if self._checkers is not None and self._checkers[:2] == (checkers, cube):
            return self._checkers[2]
        picture = self.stage.picture.copy()
        for name, group in self._compartments(checkers):
            self._draw_group(picture, group, self.stage.geometry.bar_height_mm if name == "bar" else 0.0)
            self._restore(picture, self._hiding(name))
        if cube is not None:
            draw_cube(self.stage, picture, cube)
        self._checkers = (checkers, cube, picture)
        return picture

    def _compartments(self, checkers: Sequence[Checker]) -> list[tuple[str, list[Checker]]]:
        """Gets the parts of the board with their checkers, in the order in which they are painted."""
        groups: dict[str, list[Checker]] = {name: [] for name in self._painting_order()}
        for checker in checkers:
            groups[_compartment_of(checker)].append(checker)
        return list(groups.items())

    def _painting_order(self) -> list[str]:
        eye_x = float(self.stage.camera.position_mm[0])
        outer = ["left tray", "right tray", "left field", "right field"]
        if eye_x < 0:
            outer = ["right tray", "left tray", "right field", "left field"]
        return [*outer, "bar"]

    def _hiding(self, compartment: str) -> list[str]:
        """Gets the boxes that stand between the camera and the floor of a compartment."""
        eye_x, eye_y = self.stage.camera.position_mm[:2]
        if compartment == "bar":
            return []
        left, right = {
            "left tray": ("left rail", "left wall"),
            "left field": ("left wall", "bar"),
            "right field": ("bar", "right wall"),
            "right tray": ("right wall", "right rail"),
        }[compartment]
        boxes = self.stage.boxes
        found = [
            name
            for name, hides in ((left, eye_x < boxes[left].x_mm[1]), (right, eye_x > boxes[right].x_mm[0]))
            if hides
        ]
        if eye_y < boxes["south rail"].y_mm[1]:
            found.append("south rail")
        if eye_y > boxes["north rail"].y_mm[0]:
            found.append("north rail")
        return found

    def _restore(self, picture: Picture, names: Sequence[str]) -> None:
        """Paints boxes of the empty board over what they hide."""
        for name in names:
            cover = self.stage.covers[name]
            part = picture[cover.rows, cover.columns]
            if not part.size:
                continue
            cv2.copyTo(self.stage.picture[cover.rows, cover.columns], cover.mask, part)

    def _draw_group(self, picture: Picture, checkers: Sequence[Checker], floor_mm: float) -> None:
        """Draws the checkers of one compartment layer by layer, each layer's shadow first."""
        if not checkers:
            return
        height = self.stage.geometry.checker_height_mm
        layers: dict[int, list[Checker]] = {}
        for checker in checkers:
            layers.setdefault(0 if checker.on_edge else round((checker.z_mm - floor_mm) / height - 0.5), []).append(
                checker
            )
        eye = self.stage.camera.position_mm
        for layer, group in sorted(layers.items()):
            ground = floor_mm + layer * height
            self._shade(picture, [self._checker_shadow(checker, ground) for checker in group], 1.6)
            group.sort(key=lambda one: -float(np.hypot(one.x_mm - eye[0], one.y_mm - eye[1])))  # the painter's order
            draw_checkers(self.stage, picture, group)

    def _checker_shadow(self, checker: Checker, ground_mm: float) -> NDArray[np.float64]:
        top = footprint_mm(self.stage, checker, top_mm(self.stage, checker))
        foot = footprint_mm(self.stage, checker, ground_mm)
        cast = cast_onto(self.stage.look.light, top, ground_mm)
        return hull(self.stage.camera.project(np.concatenate([cast, foot])))

    def _shade(
        self, picture: Picture, shapes: Sequence[NDArray[np.float64]], soft_px: float, share: float = 1.0
    ) -> None:
        """Darkens the picture inside some shapes (N x 2 each), with soft edges, by a share of what shadows take."""
        lamp = self.stage.look.light
        soft_px *= lamp.soft
        every = np.concatenate(shapes)
        margin = int(3 * soft_px) + 3
        x0, y0 = np.maximum(np.floor(every.min(axis=0)).astype(int) - margin, 0)
        x1 = min(int(every[:, 0].max()) + margin + 1, picture.shape[1])
        y1 = min(int(every[:, 1].max()) + margin + 1, picture.shape[0])
        if x1 <= x0 or y1 <= y0:
            return
        light = np.full((y1 - y0, x1 - x0), 255, dtype=np.uint8)
        for shape in shapes:
            fill(light, shape - [x0, y0], (255 * (1 - lamp.shadow * share),))
        light = np.asarray(cv2.GaussianBlur(light, (0, 0), soft_px), dtype=np.uint8)
        part = picture[y0:y1, x0:x1]
        part[:] = cv2.multiply(part, cv2.cvtColor(light, cv2.COLOR_GRAY2BGR), scale=1 / 255)

    def _draw_dice(self, picture: Picture, world: World) -> None:
        eye = self.stage.camera.position_mm
        for die in sorted(
            world.dice, key=lambda one: (one.z_mm, -float(np.hypot(one.x_mm - eye[0], one.y_mm - eye[1])))
        ):
            self._draw_die_shadow(picture, die)
            draw_die(self.stage, picture, die)
            self._redraw_nearer(picture, world, die)

    def _draw_die_shadow(self, picture: Picture, die: Die) -> None:
        size = self.stage.geometry.die_size_mm
        lowest = float(die_corners_mm(self.stage, die)[:, 2].min())
        ground = -TABLE_DEPTH_MM if lowest < -1 else (lowest if not die.moving else 0.0)
        corners = die_corners_mm(self.stage, die)
        cast = cast_onto(self.stage.look.light, corners, ground)
        # The higher above what it falls on, the softer; a die that misses the board falls below its surface.
        soft = 1.2 if not die.moving else 1.2 + max(0.0, die.z_mm - size / 2 - ground) / 6
        share = 1 - CLEAR_SHADOW * self.stage.look.dice_of(die.owner).clear
        self._shade(picture, [hull(self.stage.camera.project(cast))], soft, share)

    def _redraw_nearer(self, picture: Picture, world: World, die: Die) -> None:
        """Draws the checkers anew that stand between the camera and a die beside them."""
        nearer = checkers_before(self.stage, world, die)
        draw_checkers(self.stage, picture, sorted(nearer, key=lambda one: one.z_mm))

    def _with_noise(self, picture: Picture) -> Picture:
        """Gets the picture with the noise of one exposure."""
        strength = self.stage.look.lens.noise
        if strength <= 0:
            return picture.copy()
        height, width = picture.shape[:2]
        if not self._noise:
            for _ in range(NOISE_FRAMES):
                shape = (height + NOISE_MARGIN_PX, width + NOISE_MARGIN_PX, 3)
                noise = self._random.standard_normal(shape, dtype=np.float32) * strength
                self._noise.append(np.clip(noise + 128, 0, 255).astype(np.uint8))
        number = int(self._random.integers(NOISE_FRAMES))
        x, y = (int(value) for value in self._random.integers(NOISE_MARGIN_PX, size=2))
        noise_part = self._noise[number][y : y + height, x : x + width]
        return np.asarray(cv2.addWeighted(picture, 1.0, noise_part, 1.0, -128.0), dtype=np.uint8)


def checkers_before(stage: Stage, world: World, die: Die) -> list[Checker]:
    """Gets the checkers beside a die that stand between it and the camera."""
    reach = stage.geometry.checker_diameter_mm / 2 + stage.geometry.die_size_mm
    toward = stage.camera.position_mm[:2] - np.array([die.x_mm, die.y_mm])
    return [
        one
        for one in world.checkers
        if not one.on_edge
        and one.z_mm + stage.geometry.checker_height_mm / 2 > die.z_mm - stage.geometry.die_size_mm / 2
        and np.hypot(one.x_mm - die.x_mm, one.y_mm - die.y_mm) < reach
        and float(toward @ np.array([one.x_mm - die.x_mm, one.y_mm - die.y_mm])) > 0
    ]


def _compartment_of(checker: Checker) -> str:
    if checker.place.kind is PlaceKind.BAR and abs(checker.x_mm) < _ON_THE_BAR_MM:
        return "bar"
    side = "left" if checker.x_mm < 0 else "right"
    beside = checker.place.kind in (PlaceKind.TRAY, PlaceKind.WAITING)
    return f"{side} {'tray' if beside else 'field'}"
