"""The empty board as the camera sees it: drawn once for an installation, then only painted over.

The flat parts are textures in millimetres, taken to the picture through the camera model pixel by pixel, lens and all;
rails, walls and bar are boxes with lit sides. Everything stands under one lamp, which gives the gradient of the light
and the direction of every shadow.
"""

from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from boardctl.virtual.dice import TABLE_DEPTH_MM
from boardctl.virtual.drawing.brush import Picture, along, felt_grain, fill_outlines, hull, lit, mask_of, wood_grain
from boardctl.virtual.drawing.field_paint import patches_of
from boardctl.virtual.drawing.glare import FULL_LEVEL, HOLLOW, lamp_seen, mirroring_slopes
from boardctl.virtual.looks import Colour, Light, Look, Patch
from calibration import BoardGeometry

TEXTURE_PX_PER_MM = 2.5
"""How fine the textures are; a picture of 1920 pixels still sees less than two pixels a millimetre."""

WALL_SHADE = 0.62
"""How much of the light an upright wall gets beside a level surface."""

TOP_LIGHT = 1.08
"""Polished wood under the lamp is a little brighter than its colour."""

TABLE_REACH_MM = 900.0
"""So far to each side of the board's middle it is told what is on a table."""

TRAY_WALL_MM = 10.0
"""How thick the wall between the two seats' trays is."""

MAP_STEP_PX = 16
"""The plane is followed through the lens at every 16th pixel and between them in straight lines: the error is under a
hundredth of a pixel with the distortions of common lenses."""


@dataclass(frozen=True, slots=True)
class Box:
    """An upright box of wood: from and to in x, y and z, millimetres."""

    name: str
    x_mm: tuple[float, float]
    y_mm: tuple[float, float]
    z_mm: tuple[float, float]

    def corners(self, z_mm: float) -> NDArray[np.float64]:
        """Gets the four corners (4 x 3) of its section at a height, counter-clockwise from above."""
        (left, right), (near, far) = self.x_mm, self.y_mm
        return np.array([[left, near, z_mm], [right, near, z_mm], [right, far, z_mm], [left, far, z_mm]])


@dataclass(frozen=True)
class Cover:
    """The part of the picture that a box takes: where (rows, columns) and a mask over that part."""

    rows: slice
    columns: slice
    mask: Picture


class Stage:
    """The empty board of one look: its picture, its light, and what hides what."""

    def __init__(self, look: Look, geometry: BoardGeometry, seed: int = 0) -> None:
        self.look = look
        self.geometry = geometry
        self.camera = look.camera
        self.boxes = {box.name: box for box in boxes_of(geometry)}
        self._random = np.random.default_rng(seed)
        self._plane_maps: dict[float, tuple[NDArray[np.float32], NDArray[np.float32]]] = {}
        self._size = (self.camera.width_px, self.camera.height_px)

    def light_at(self, x_mm: float, y_mm: float) -> float:
        """Gets the strength of the light on a level surface there, about 1 in the middle of the board."""
        return float(light_on(self.look.light, np.array(x_mm), np.array(y_mm)))

    def tinted(self, colour: Colour) -> tuple[float, float, float]:
        """Gets a colour as the lamp's own colour makes it."""
        tint = self.look.light.tint
        return (colour[0] * tint[0], colour[1] * tint[1], colour[2] * tint[2])

    @cached_property
    def picture(self) -> Picture:
        """The empty board, without blur and noise, height x width x 3."""
        canvas = self._flat_part(self._table_texture(), -TABLE_DEPTH_MM)
        canvas *= self._shade_on_table()[..., None]
        field_mask = self._box_mask(self._floor(), 0.0)
        self._lay(canvas, self._flat_part(self._field_texture(), 0.0) * self._shade_on_field()[..., None], field_mask)
        eye = self.camera.position_mm
        along_x = self._wood_texture()
        along_y = np.ascontiguousarray(along_x.transpose(1, 0, 2))
        for box in sorted(self.boxes.values(), key=lambda one: -_distance(one, eye)):
            is_upright = box.x_mm[1] - box.x_mm[0] < box.y_mm[1] - box.y_mm[0]
            self._draw_box(canvas, box, along_y if is_upright else along_x)
        # What is drawn on the empty board lies on its floor: of the other planes nothing is asked any more.
        self._plane_maps = {0.0: self._plane_map(0.0)}
        canvas *= self._light_map()[..., None] * np.array(self.look.light.tint, dtype=np.float32)
        if self.look.polish:
            mirrored = lamp_seen(self.look.light, self._mirroring_slopes)
            canvas += mirrored[..., None] * (self.look.polish * self.look.light.exposure * FULL_LEVEL)
        return np.clip(canvas, 0, 255).astype(np.uint8)

    @cached_property
    def _mirroring_slopes(self) -> NDArray[np.float32]:
        """How what is seen at every pixel (height x width x 2) would have to lean to mirror the lamp."""
        return mirroring_slopes(self.look.light, self.camera, *self._plane_map(0.0))

    def lamp_in_dish(
        self, x_mm: float, y_mm: float, radius_mm: float, dish: float, around_px: NDArray[np.float64]
    ) -> tuple[tuple[slice, slice], NDArray[np.float32]]:
        """Gets the part of the picture about a face (N x 2 pixels), and how much of the lamp it would mirror at each
        of its pixels if it were a dish so deep (0 flat to 1) whose middle is there."""
        part = self._around(around_px)
        x, y = (axis[part] for axis in self._plane_map(0.0))
        away = np.stack([x - np.float32(x_mm), y - np.float32(y_mm)], axis=-1) / np.float32(radius_mm)
        off = self._mirroring_slopes[part] + np.asarray(away, dtype=np.float32) * np.float32(HOLLOW * dish)
        return part, lamp_seen(self.look.light, off)

    @cached_property
    def covers(self) -> dict[str, Cover]:
        """What each box hides, by its name."""
        found: dict[str, Cover] = {}
        for name, box in self.boxes.items():
            low, high = box.z_mm
            foot = self.camera.project(along(box.corners(max(low, 0.0))))
            outline = hull(np.concatenate([foot, self._top_px(box, high)]))
            rows, columns = self._around(outline)
            mask = mask_of(self._size, [outline])[rows, columns]
            found[name] = Cover(rows, columns, np.ascontiguousarray(mask))
        return found

    def _top_px(self, box: Box, z_mm: float) -> NDArray[np.float64]:
        return self.camera.project(along(box.corners(z_mm)))

    def _plane_map(self, z_mm: float) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Gets x and y in millimetres (each height x width) of where every pixel meets a plane."""
        if z_mm not in self._plane_maps:
            self._plane_maps[z_mm] = self._new_plane_map(z_mm)
        return self._plane_maps[z_mm]

    def _new_plane_map(self, z_mm: float) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        width, height = self._size
        columns, rows = -(-width // MAP_STEP_PX) + 1, -(-height // MAP_STEP_PX) + 1
        grid = np.stack(np.meshgrid(np.arange(columns), np.arange(rows)), axis=-1).reshape(-1, 2) * MAP_STEP_PX
        plane = self.camera.to_plane(grid.astype(np.float64), z_mm).reshape(rows, columns, 2).astype(np.float32)
        u, v = np.meshgrid(
            np.arange(width, dtype=np.float32) / MAP_STEP_PX, np.arange(height, dtype=np.float32) / MAP_STEP_PX
        )
        x = cv2.remap(np.ascontiguousarray(plane[..., 0]), u, v, cv2.INTER_LINEAR)
        y = cv2.remap(np.ascontiguousarray(plane[..., 1]), u, v, cv2.INTER_LINEAR)
        return np.asarray(x, dtype=np.float32), np.asarray(y, dtype=np.float32)

    def _flat_part(
        self, texture: NDArray[np.float32], z_mm: float, part: tuple[slice, slice] = (slice(None), slice(None))
    ) -> NDArray[np.float32]:
        """Gets the picture, or a part of it (rows, columns), of a texture on a plane, its middle at the board's."""
        x, y = (axis[part] for axis in self._plane_map(z_mm))
        if not x.size:
            return np.zeros((*x.shape, 3), dtype=np.float32)
        height, width = texture.shape[:2]
        u = x * TEXTURE_PX_PER_MM + (width - 1) / 2
        v = (height - 1) / 2 - y * TEXTURE_PX_PER_MM
        return np.asarray(cv2.remap(texture, u, v, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT), dtype=np.float32)

    def _table_texture(self) -> NDArray[np.float32]:
        width, height = 2048, 1536
        grain = wood_grain(self._random, height, width)[..., None]
        table = (np.array(self.look.table, dtype=np.float32) + grain * self.look.wood_grain).astype(np.float32)
        return self._covered(table) if self.look.on_table else table

    def _covered(self, table: NDArray[np.float32]) -> NDArray[np.float32]:
        """Gets a larger table with all that is on it, of its own grain."""
        height, width = table.shape[:2]
        half = round(TABLE_REACH_MM * TEXTURE_PX_PER_MM)
        down, across = half - height // 2, half - width // 2
        grain = np.asarray(
            cv2.copyMakeBorder(table, down, down, across, across, cv2.BORDER_REFLECT), dtype=np.float32
        ) - np.array(self.look.table, dtype=np.float32)
        paint = np.full((2 * half, 2 * half, 3), self.look.table, dtype=np.uint8)
        for patch in self.look.on_table:
            outlines = [np.array(each) * [1, -1] * TEXTURE_PX_PER_MM + (half - 0.5) for each in patch.outlines_mm]
            fill_outlines(paint, outlines, patch.colour)
        return np.asarray(cv2.GaussianBlur(paint, (0, 0), 0.8).astype(np.float32) + grain, dtype=np.float32)

    def _field_texture(self) -> NDArray[np.float32]:
        floor = self._floor()
        width = int((floor.x_mm[1] - floor.x_mm[0]) * TEXTURE_PX_PER_MM) + 8
        height = int((floor.y_mm[1] - floor.y_mm[0]) * TEXTURE_PX_PER_MM) + 8
        paint = np.empty((height, width, 3), dtype=np.uint8)
        paint[:] = np.array(self.look.field, dtype=np.uint8)
        middle = np.array([(width - 1) / 2, (height - 1) / 2])
        for patch in patches_of(self.look, self.geometry):
            outlines = [np.array(outline) * [1, -1] * TEXTURE_PX_PER_MM + middle for outline in patch.outlines_mm]
            fill_outlines(paint, outlines, patch.colour)
        grain_of = wood_grain if self.look.wooden else felt_grain
        grain = grain_of(self._random, height, width)[..., None]
        softened = cv2.GaussianBlur(paint, (0, 0), 0.8).astype(np.float32)
        return np.asarray(softened + grain * self.look.field_grain, dtype=np.float32)

    def _floor(self) -> Box:
        """The floor of the board: playing field and trays."""
        x = self.boxes["right rail"].x_mm[0]
        y = self.geometry.field_height_mm / 2
        return Box("floor", (-x, x), (-y, y), (0.0, 0.0))

    def _box_mask(self, box: Box, z_mm: float) -> Picture:
        return mask_of(self._size, [self.camera.project(along(box.corners(z_mm)))])

    def _lay(self, canvas: NDArray[np.float32], part: NDArray[np.float32], mask: Picture) -> None:
        """Lays a part over the canvas where the mask is."""
        if not mask.size:
            return
        weight = (mask.astype(np.float32) / 255)[..., None]
        canvas += (part - canvas) * weight

    def _shade_on_table(self) -> NDArray[np.float32]:
        """Gets what is left of the light on the table around the board: the board's own shadow and its foot."""
        south, east = self.boxes["south rail"], self.boxes["right rail"]
        board = Box("board", (-east.x_mm[1], east.x_mm[1]), (south.y_mm[0], -south.y_mm[0]), (0.0, 0.0))
        top = board.corners(self.geometry.rail_height_mm)
        foot = board.corners(-TABLE_DEPTH_MM)
        shadow = cast_onto(self.look.light, along(top), -TABLE_DEPTH_MM)
        outline = hull(np.concatenate([self.camera.project(shadow), self.camera.project(along(foot))]))
        dark = mask_of(self._size, [outline])
        near = mask_of(self._size, [self.camera.project(along(foot))])
        depth = 0.5 * _blurred(dark, 9.0) + 0.25 * _blurred(near, 14.0)
        return np.asarray(1.0 - np.minimum(depth, 0.62), dtype=np.float32)

    def _shade_on_field(self) -> NDArray[np.float32]:
        """Gets what is left of the light on the floor: the shadows of rails and bar, and the dark of the corners."""
        shadows: list[NDArray[np.float64]] = []
        feet: list[NDArray[np.float64]] = []
        for box in self.boxes.values():
            top = cast_onto(self.look.light, along(box.corners(box.z_mm[1])), 0.0)
            foot = self.camera.project(along(box.corners(0.0)))
            shadows.append(hull(np.concatenate([self.camera.project(top), foot])))
            feet.append(foot)
        lamp = self.look.light
        cast = lamp.shadow * _blurred(mask_of(self._size, shadows), 2.5 * lamp.soft)
        depth = cast + 0.3 * _blurred(mask_of(self._size, feet), 7.0)
        return np.asarray(1.0 - np.minimum(depth, 0.6), dtype=np.float32)

    def _draw_box(self, canvas: NDArray[np.float32], box: Box, wood: NDArray[np.float32]) -> None:
        """Draws a box of some wood: of a wall towards the middle of the board no more than stands above it."""
        eye = self.camera.position_mm
        low, high = box.z_mm
        outer, inner = box.corners(low), box.corners(max(low, 0.0))
        top = box.corners(high)
        for first, second, normal, outside in (
            (0, 1, (0.0, -1.0), eye[1] < box.y_mm[0]),
            (1, 2, (1.0, 0.0), eye[0] > box.x_mm[1]),
            (2, 3, (0.0, 1.0), eye[1] > box.y_mm[1]),
            (3, 0, (-1.0, 0.0), eye[0] < box.x_mm[0]),
        ):
            if outside:
                inwards = normal[0] * sum(box.x_mm) + normal[1] * sum(box.y_mm) < 0
                foot = inner if inwards else outer
                wall = np.array([foot[first], foot[second], top[second], top[first]])
                colour = lit(self.look.wood, WALL_SHADE * _facing(self.look.light, box, normal))
                outline = self.camera.project(along(wall))
                part = self._around(outline)
                flat = np.zeros_like(canvas[part]) + np.array(colour, dtype=np.float32)
                self._lay(canvas[part], flat, mask_of(self._size, [outline])[part])
        outline = self._top_px(box, high)
        part = self._around(outline)
        self._lay(canvas[part], self._flat_part(wood, high, part), mask_of(self._size, [outline])[part])
        for patch in self.look.on_rails:
            around = [self.camera.project(along(np.array(each))) for each in on_top(patch, box)]
            if around:
                fill_outlines(canvas, around, lit(patch.colour, TOP_LIGHT))

    def _wood_texture(self) -> NDArray[np.float32]:
        """Gets the texture of rails and bar; a piece of wood each, for each lies elsewhere in it."""
        grain = wood_grain(self._random, 1400, 2000)[..., None]
        wood = np.array(self.look.wood, dtype=np.float32) * TOP_LIGHT + grain * self.look.wood_grain
        return np.asarray(wood, dtype=np.float32)

    def _around(self, outline: NDArray[np.float64]) -> tuple[slice, slice]:
        """Gets the rows and columns of the picture that an outline (N x 2) touches; none where it is outside."""
        low = np.clip(np.floor(outline.min(axis=0)).astype(int) - 2, 0, self._size)
        high = np.clip(np.ceil(outline.max(axis=0)).astype(int) + 3, 0, self._size)
        return slice(int(low[1]), int(high[1])), slice(int(low[0]), int(high[0]))

    def _light_map(self) -> NDArray[np.float32]:
        x, y = self._plane_map(0.0)
        return np.asarray(light_on(self.look.light, x, y), dtype=np.float32)


def boxes_of(geometry: BoardGeometry) -> list[Box]:
    """Gets everything of a board that stands up: bar, the walls of the trays, and the rails around."""
    field_x, field_y = geometry.field_width_mm / 2, geometry.field_height_mm / 2
    rail, tray, high = geometry.rail_width_mm, geometry.tray_width_mm, geometry.rail_height_mm
    outer = field_x + rail + tray
    half_bar = geometry.bar_width_mm / 2
    below = -TABLE_DEPTH_MM
    boxes = [Box("bar", (-half_bar, half_bar), (-field_y, field_y), (0.0, geometry.bar_height_mm))]
    for name, side in (("left", -1.0), ("right", 1.0)):

        def span(start: float, end: float, side: float = side) -> tuple[float, float]:
            return (min(side * start, side * end), max(side * start, side * end))

        boxes += [
            Box(f"{name} tray wall", span(field_x + rail, outer), (-TRAY_WALL_MM / 2, TRAY_WALL_MM / 2), (0.0, high)),
            Box(f"{name} wall", span(field_x, field_x + rail), (-field_y, field_y), (0.0, high)),
            Box(f"{name} rail", span(outer, outer + rail), (-field_y, field_y), (below, high)),
        ]
    for name, side in (("south", -1.0), ("north", 1.0)):
        near, far = sorted((side * field_y, side * (field_y + rail)))
        boxes.append(Box(f"{name} rail", (-outer - rail, outer + rail), (near, far), (below, high)))
    return boxes


def on_top(patch: Patch, box: Box) -> list[NDArray[np.float64]]:
    """Gets the outlines (N x 3) of a patch on the upper face of a box; none if its middle lies elsewhere."""
    x, y = np.concatenate([np.array(outline) for outline in patch.outlines_mm]).mean(axis=0)
    if not (box.x_mm[0] <= x <= box.x_mm[1] and box.y_mm[0] <= y <= box.y_mm[1]):
        return []
    return [np.column_stack([outline, np.full(len(outline), box.z_mm[1])]) for outline in patch.outlines_mm]


def light_on(light: Light, x_mm: NDArray[np.floating], y_mm: NDArray[np.floating]) -> NDArray[np.floating]:
    """Gets the strength of the light on the board plane, about 1 right under the lamp.

    A lamp's light falls with the square of the distance and the cosine of its angle, the room's light is even.
    """
    lamp_x, lamp_y, lamp_z = light.at_mm
    squared = (x_mm - lamp_x) ** 2 + (y_mm - lamp_y) ** 2 + lamp_z**2
    direct = (lamp_z**2 / squared) ** 1.5
    middle = (lamp_z**2 / (lamp_x**2 + lamp_y**2 + lamp_z**2)) ** 1.5
    strength: NDArray[np.floating] = light.exposure * (light.ambient + (1 - light.ambient) * direct / middle)
    return strength


def cast_onto(light: Light, points_mm: NDArray[np.float64], z_mm: float) -> NDArray[np.float64]:
    """Gets where the shadows (N x 3) of points (N x 3) fall on a plane."""
    lamp = np.array(light.at_mm)
    reach = (lamp[2] - z_mm) / (lamp[2] - points_mm[:, 2])
    return np.asarray(lamp + (points_mm - lamp) * reach[:, None], dtype=np.float64)


def _blurred(mask: Picture, sigma_px: float) -> NDArray[np.float32]:
    """Gets a mask as shares of 1, blurred."""
    return np.asarray(cv2.GaussianBlur(mask, (0, 0), sigma_px).astype(np.float32) / 255, dtype=np.float32)


def _distance(box: Box, eye: NDArray[np.float64]) -> float:
    """Gets how far the nearest spot of a box is from the camera, seen from above."""
    x = min(max(float(eye[0]), box.x_mm[0]), box.x_mm[1])
    y = min(max(float(eye[1]), box.y_mm[0]), box.y_mm[1])
    return float(np.hypot(x - eye[0], y - eye[1]))


def _facing(light: Light, box: Box, normal: tuple[float, float]) -> float:
    """Gets how bright a wall with this normal is: more on the lamp's side."""
    middle = np.array([sum(box.x_mm) / 2, sum(box.y_mm) / 2])
    toward = np.array(light.at_mm[:2]) - middle
    toward = toward / max(float(np.linalg.norm(toward)), 1.0)
    return float(1.0 + 0.35 * (toward @ np.array(normal)))
