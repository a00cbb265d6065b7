"""A board with dice on it in a drawn room, traced by Mitsuba 3 (3.6.4 was used) as the camera sees it, lens and all.

Only the pixels around dice are traced finely, and by few rays; Intel's Open Image Denoise (pyoidn 2.5.1 was used) tells
from what these show, and from the colours and directions of what they meet, what many rays would have shown. Both are
needed for training alone; they are no part of boardctl.
"""

from typing import Any

import cv2
import mitsuba
import numpy as np
from numpy.typing import NDArray

from boardctl.rules import Seat
from boardctl.virtual.looks import Look
from boardctl.virtual.traced.meshes import Mesh, box_mesh, colour_reflected, die_mesh, joined, turned_mesh
from boardctl.virtual.traced.parts import bitmap, drawn_around, lamp_at, light_around, place, plastic, rgb, shape
from boardctl.virtual.traced.rays import cleaned, seen
from boardctl.virtual.traced.resting import DieKind, Resting
from boardctl.virtual.traced.setting import Setting, lamp
from boardctl.virtual.traced.sight import Light, die_windows, near_dice
from boardctl.vision.dice.patch import die_size_px
from boardctl.vision.training.die_render import DiePose
from calibration import BoardGeometry, CameraModel

Floats = NDArray[np.float64]

DEEPEST = 8
"""How often light is thrown on at most: through a die that light goes through, to the ground and back, six times."""
FINELY, COARSELY, COARSE_PX = 16, 8, 6
"""Rays a pixel around dice ``FINE_PX`` wide and narrower (of wider ones as many a die), and a square of so many pixels
elsewhere."""
LEAST_FINELY, FINE_PX = 6, 20.0
SOFT_PX = (0.4, 0.6)
"""How soft a pixel is (standard deviation)."""

TEXTURE_MM = 0.65
"""A pixel of the playing surface."""
NOWHERE_MM = (0.0, 0.0, -500.0)
"""Where things lie that are not there: every scene has the same parts, so that Mitsuba makes its program once."""
BELOW_MM = 15.0
"""How far the table is below the playing surface."""
LAMPS = 2
AMBIENT = (0.15, 0.8)
MOST_BRIGHT, BRIGHT, AROUND_TINT = 4, (0.5, 6.0), 0.06
"""Fewer than so many bright things are around, so much brighter than the rest; how much that is tinted."""
"""How much of the light comes from all around."""
ROUGH_DIE, ROUGH_CHECKER, ROUGH_WOOD, ROUGH_FIELD = (0.2, 0.7), (0.22, 0.7), (0.3, 0.7), (0.4, 1.0)


def traced(setting: Setting, kinds: list[DieKind], dice: list[Resting], rng: np.random.Generator) -> Light:
    """Gets what the camera sees of a setting and dice, in a room that is drawn."""
    scene = mitsuba.load_dict(_parts(setting, kinds, dice, rng))
    camera, soft_px = setting.camera, float(rng.uniform(*SOFT_PX))
    width, height = camera.width_px, camera.height_px
    across, down = np.meshgrid(np.arange(0, width, COARSE_PX), np.arange(0, height, COARSE_PX))
    middles = np.stack([across.ravel(), down.ravel()], axis=1).astype(np.float64) + (COARSE_PX - 1) / 2
    coarse = seen(scene, camera, middles, COARSELY, COARSE_PX / 2.5, int(rng.integers(1 << 30)))
    wide = coarse.astype(np.float32).reshape(*across.shape, -1)
    whole = cv2.resize(wide, (across.shape[1] * COARSE_PX, across.shape[0] * COARSE_PX))[:height, :width]
    rows, columns = np.nonzero(near_dice(camera, dice))
    pixels = np.stack([columns, rows], axis=1).astype(np.float64)
    widest_px = max(die_size_px(camera, die.spot_mm, die.size_mm) for die in dice)
    rays = max(round(FINELY * min(1.0, FINE_PX / widest_px) ** 2), LEAST_FINELY)
    whole[rows, columns] = seen(scene, camera, pixels, rays, soft_px, int(rng.integers(1 << 30)))
    return _cleaned(np.asarray(whole, dtype=np.float32), die_windows(camera, dice))


def _cleaned(found: Light, windows: list[tuple[slice, slice]]) -> Light:
    """Gets the light (height x width x 3) of what is seen (height x width x 9) without the noise of too few rays in
    windows of it, all as large as each other; these are laid below each other, as all else need not be clean."""
    shown = np.concatenate([found[window] for window in windows])
    whole = np.array(found[..., :3])
    for window, clean in zip(windows, np.split(cleaned(shown), len(windows)), strict=True):
        whole[window] = clean
    return whole


def _parts(setting: Setting, kinds: list[DieKind], dice: list[Resting], rng: np.random.Generator) -> dict[str, Any]:
    """Gets the scene as Mitsuba wants it."""
    geometry, look = setting.geometry, setting.look
    parts: dict[str, Any] = {
        "type": "scene",
        "integrator": {"type": "path", "max_depth": DEEPEST, "rr_depth": DEEPEST - 1},
    }
    for number, kind in enumerate(kinds):
        meshes = [mesh for die in dice if die.kind == number for mesh in die.meshes(kinds)]
        body = joined(meshes or [_no_die(kind)])
        material = plastic({"type": "mesh_attribute", "name": "vertex_color"}, ROUGH_DIE, rng)
        material["spec_trans"] = {"type": "mesh_attribute", "name": "vertex_clear"}
        parts[f"dice{number}"] = shape(f"dice{number}", body, material)
    checker = _checker(geometry, rng)
    for number, seat in enumerate((Seat.A, Seat.B)):
        lying = [one for one in setting.world.checkers if one.seat is seat and not one.on_edge]
        low = geometry.checker_height_mm / 2
        spots = [(one.x_mm, one.y_mm, one.z_mm - low) for one in lying] or [NOWHERE_MM]
        body = joined([checker.moved(spot) for spot in spots])
        colour = rgb(look.checkers[number].colour)
        parts[f"checkers{number}"] = shape(f"checkers{number}", body, plastic(colour, ROUGH_CHECKER, rng))
    parts["wood"] = shape("wood", _frame(geometry), plastic(rgb(look.wood), ROUGH_WOOD, rng))
    half = [geometry.field_width_mm / 2, geometry.field_height_mm / 2, 1.0]
    field = plastic(bitmap(_surface(look, geometry, rng)), ROUGH_FIELD, rng)
    parts["field"] = {"type": "rectangle", "to_world": place().scale(half), "bsdf": field}
    table = np.clip(rng.uniform(0.02, 0.6, 3) * _grain(rng, 256, 256, 0.2, (4, 16)), 0, 1)
    below = place().translate([0, 0, 1 - BELOW_MM]).scale([1500, 1500, 1])
    parts["table"] = {
        "type": "rectangle",
        "to_world": below,
        "bsdf": {"type": "diffuse", "reflectance": bitmap(table)},
    }
    return parts | _lights(setting.camera, rng)


def _no_die(kind: DieKind) -> Mesh:
    return die_mesh(DiePose(np.zeros(3), np.eye(3), (6, 1, 5, 2, 4, 3)), kind.look, 10.0, 0.0).moved(NOWHERE_MM)


def _checker(geometry: BoardGeometry, rng: np.random.Generator) -> Mesh:
    """Draws what the checkers are turned like: plain, with a rim, or hollow like a dish."""
    radius, height, bevel = geometry.checker_diameter_mm / 2, geometry.checker_height_mm, rng.uniform(0.5, 3.0)
    outside = [(radius - bevel, 0.0), (radius, bevel), (radius, height - bevel), (radius - bevel, height)]
    tops = (
        [(0.01, height)],
        [(radius * 0.7, height), (radius * 0.68, height - 1.2), (0.01, height - 1.2)],
        [(radius * 0.8, height - 0.2), (radius * 0.4, height - 1.5), (0.01, height - 1.8)],
    )
    return turned_mesh(outside + tops[int(rng.integers(len(tops)))])


def _frame(geometry: BoardGeometry) -> Mesh:
    """Gets the rails around the field and the trays, and the bar."""
    x, y, thick = geometry.field_width_mm / 2, geometry.field_height_mm / 2, geometry.rail_width_mm
    end, bar = x + geometry.tray_width_mm + 2 * thick, geometry.bar_width_mm / 2
    top = geometry.rail_height_mm
    boxes = [((-end, y, -BELOW_MM), (end, y + thick, top)), ((-end, -y - thick, -BELOW_MM), (end, -y, top))]
    for side in (-1, 1):
        for low in (x, end - thick):
            left, right = sorted((side * low, side * (low + thick)))
            boxes.append(((left, -y, -BELOW_MM), (right, y, top)))
    boxes.append(((-bar, -y, -BELOW_MM), (bar, y, geometry.bar_height_mm)))
    return joined([box_mesh(low_mm, high_mm) for low_mm, high_mm in boxes])


def _grain(rng: np.random.Generator, height: int, width: int, strength: float, coarse: tuple[int, ...]) -> Floats:
    """Gets how much lighter or darker each spot (height x width x 1) of a grain along the picture's height is."""
    spots = (rng.standard_normal((max(height // size, 2), max(4 * width // size, 2))) for size in coarse)
    waves = sum(cv2.resize(each, (width, height), interpolation=cv2.INTER_CUBIC) for each in spots)
    return np.asarray(np.exp(strength * waves / np.sqrt(len(coarse)))[..., None], dtype=np.float64)


def _surface(look: Look, geometry: BoardGeometry, rng: np.random.Generator) -> Floats:
    """Gets what the playing surface reflects: felt, wood, or smooth. (Its far side comes first, where Mitsuba takes the
    near side to be: points of the two colours change places, which nobody who looks at dice minds.)"""
    width, height = (round(mm / TEXTURE_MM) for mm in (geometry.field_width_mm, geometry.field_height_mm))
    surface = np.tile(colour_reflected(look.field), (height, width, 1))
    for number in range(1, 25):
        corners = np.array(geometry.point_triangle(number))
        x, y = corners[:, 0] + geometry.field_width_mm / 2, geometry.field_height_mm / 2 - corners[:, 1]
        outline = np.round(np.column_stack([x, y]) / TEXTURE_MM * 16).astype(np.int32)
        colour = colour_reflected(look.points[number % 2])
        cv2.fillPoly(surface, [outline], colour.tolist(), cv2.LINE_8, 4)
    strength = rng.uniform(0, 0.25)
    match int(rng.integers(3)):
        case 0:
            surface = surface * _grain(rng, height, width, strength, (4, 32))
        case 1:
            surface = surface * np.exp(strength * rng.standard_normal((height, width, 1)))
    return np.clip(surface, 0, 1)


def _lights(camera: CameraModel, rng: np.random.Generator) -> dict[str, Any]:
    """Draws what lights a room: all that is around, brighter above and with windows, and lamps."""
    ambient = rng.uniform(*AMBIENT)
    around = drawn_around(rng, MOST_BRIGHT, BRIGHT, AROUND_TINT)
    parts: dict[str, Any] = {"sky": light_around(around, float(ambient / 1.2))}
    for number in range(LAMPS):
        spot, width = lamp(camera, rng)
        away = float(np.linalg.norm(spot))
        share = 1.0 if number == 0 else rng.uniform(0, 0.8)
        radiance = (1 - ambient) * share * np.pi * (away / width) ** 2 / rng.uniform(0.5, 1.5)
        tint = np.exp(rng.normal(0, 0.08, 3)) * (1, 0.96, 0.9)
        parts[f"lamp{number}"] = lamp_at(spot, width, radiance * tint)
    return parts
