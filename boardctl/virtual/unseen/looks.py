"""Draws installations that nothing was trained on: boards, colours, lamps and cameras, wider than those of training.

Nothing here is shared with :func:`~boardctl.virtual.training.boards.drawn_look` but how a colour is drawn: the seeds
are others, and so are the ranges of everything.
"""

from dataclasses import dataclass, replace
from math import radians

import numpy as np

from boardctl.virtual.drawing.brush import along
from boardctl.virtual.drawing.stage import boxes_of
from boardctl.virtual.drawn_colours import any_colour, any_dice, near_colour
from boardctl.virtual.looks import GREEN_FELT, CheckerLook, Lens, Light, Look, Spot, camera_over
from boardctl.virtual.unseen.beside import things_beside
from boardctl.virtual.unseen.clear_dice import dice_made_clear
from boardctl.virtual.unseen.dice_cups import cup_with_dice
from boardctl.virtual.unseen.dice_faces import dice_with_faces
from boardctl.virtual.unseen.folding import folding_look
from boardctl.virtual.unseen.inlays import inlaid_look
from boardctl.virtual.unseen.ornaments import adorned
from boardctl.virtual.unseen.palettes import PALETTES, drawn_palette
from boardctl.virtual.unseen.put_down import things_at_hand
from boardctl.virtual.unseen.rail_inlays import railed_look
from boardctl.virtual.unseen.tablecloths import covered_table
from boardctl.virtual.world import Thing
from calibration import BoardGeometry, CameraModel

STREAM = 77
"""Beside seed and number: what is drawn here is not what training draws by the same numbers."""

POLISH = (0.1, 0.9)
"""How much of the lamp's light what is polished mirrors."""

PRINTED_BAR, PRINTED_BORDER, PRINTED_DIE_MM = 0.4, (0.15, 0.5), 16.0
"""The widest bar of printed boards, and their borders, in widths of points; the largest die that comes with them."""

FOCALS, WIDE_FOCALS = (0.75, 1.15), (0.42, 0.72)
"""Focal lengths of common cameras, and of those with a wide lens, in the longer side of the picture: 47 to 67 and 70 to
100 degrees along it."""

NEAREST_MM, WIDE_NEAREST_MM, FURTHEST_MM, DISTANCES = 500, 250, 2600, 60
"""The nearest that hangs so far from the middle of the board that all of it is in the picture, of so many."""

OTHER_SIZES_PX = (
    *((640, 480), (800, 600), (1024, 768), (1640, 1232), (2592, 1944)),
    *((640, 360), (1280, 1024), (2560, 1440), (3840, 2160)),
    *((720, 1280), (1080, 1920), (480, 640), (1232, 1640)),
)
"""Sizes of pictures that are not those of common cameras: of four to three, small and large ones, and of cameras that
hang on their side."""

TILTS_DEG, SLANTED_TILTS_DEG = (0.5, 25.0), (25.0, 55.0)
"""How far off the upright cameras that hang look, and those that somebody holds who stands beside the board."""

HELD_LEVEL_DEG = 5.0
"""How level such a one is held (standard deviation): what is further away is higher up in its picture."""

LEAST_CHECKER_PX = 24.0
"""A checker is at least so wide; smaller boards may be refused, and are not drawn."""


@dataclass(frozen=True)
class Installation:
    """One board under one lamp and one camera. ``described``: what is special about it, for a report."""

    name: str
    look: Look
    geometry: BoardGeometry
    jpeg_quality: int
    described: str
    beside: tuple[Thing, ...] = ()
    """What else is on the table: some of it is moved, or taken, from picture to picture."""
    at_hand: tuple[Thing, ...] = ()
    """What the players put down on the board in the pictures of a game, where there is room."""


def drawn_installation(seed: int, number: int) -> Installation:
    """Draws the installation of a seed and a number (from 0)."""
    rng = np.random.default_rng([STREAM, seed, number])
    geometry = _board(rng)
    camera = _camera(rng, geometry)
    palette = PALETTES[int(rng.integers(len(PALETTES)))]
    light, lit = _light(rng)
    look = replace(_coloured(rng, palette), camera=camera, light=light, lens=_lens(rng), name=f"{seed}-{number:02}")
    described = f"{palette}, {lit}, {_seen_by(camera, geometry)}, die {geometry.die_size_mm:.0f} mm"
    return Installation(look.name, look, geometry, int(rng.integers(70, 96)), described)


def wide(installation: Installation) -> Installation:
    """Gets an installation with a camera that has a wide lens, and hangs nearer to the board for that."""
    rng = np.random.default_rng([STREAM, 2, *installation.name.encode()])
    camera = _camera(rng, installation.geometry, WIDE_FOCALS, WIDE_NEAREST_MM, size_px=_other_size(installation))
    lens_deg = 2 * np.degrees(np.arctan(max(camera.width_px, camera.height_px) / camera.focal_x_px / 2))
    return _seen_through(installation, camera, f"wide ({lens_deg:.0f} degrees), ")


def resized(installation: Installation) -> Installation:
    """Gets an installation with a camera whose pictures are of another size, most of another shape."""
    rng = np.random.default_rng([STREAM, 9, *installation.name.encode()])
    size_px = OTHER_SIZES_PX[int(rng.integers(len(OTHER_SIZES_PX)))]
    camera = _camera(rng, installation.geometry, size_px=size_px)
    return _seen_through(installation, camera)


def slanted(installation: Installation) -> Installation:
    """Gets an installation whose camera somebody holds who stands or sits beside the board, on any side of it."""
    rng = np.random.default_rng([STREAM, 3, *installation.name.encode()])
    size_px = _other_size(installation)
    camera = _camera(rng, installation.geometry, tilts_deg=SLANTED_TILTS_DEG, held=True, size_px=size_px)
    return _seen_through(installation, camera)


def polished(installation: Installation) -> Installation:
    """Gets an installation with polished checkers of one seat or both, and every other one with a polished board, which
    mirror its lamp."""
    rng = np.random.default_rng([STREAM, *installation.name.encode()])
    board = rng.uniform(*POLISH) if rng.random() < 0.5 else 0.0
    parts = rng.uniform(*POLISH, 2) * ((1, 1), (1, 0), (0, 1))[int(rng.integers(3))]
    slope = rng.uniform(0.005, 0.12)
    look = installation.look
    light = replace(look.light, mirrored=(slope, slope * rng.uniform(1.1, 2.5)))
    first, second = (replace(seat, polish=float(part)) for seat, part in zip(look.checkers, parts, strict=True))
    look = replace(look, light=light, checkers=(first, second), polish=board)
    described = f"{installation.described}, polish {board:.2f}, {parts[0]:.2f} and {parts[1]:.2f}"
    return replace(installation, look=look, described=described)


def ornate(installation: Installation) -> Installation:
    """Gets an installation with points of another shape, and ornaments on its playing surface."""
    rng = np.random.default_rng([STREAM, 4, *installation.name.encode()])
    look, said = adorned(installation.look, installation.geometry, rng)
    return replace(installation, look=look, described=f"{installation.described}, {said}")


def inlaid(installation: Installation) -> Installation:
    """Gets an installation whose checkers are not of one colour: with dots, rings, rims, emblems, or marbled."""
    rng = np.random.default_rng([STREAM, 5, *installation.name.encode()])
    look, said = inlaid_look(installation.look, installation.geometry, rng)
    return replace(installation, look=look, described=f"{installation.described}, {said}")


def railed(installation: Installation) -> Installation:
    """Gets an installation with inlaid rails and bar: marks or numbers at the points, lines, plates, hinges."""
    rng = np.random.default_rng([STREAM, 6, *installation.name.encode()])
    look, said = railed_look(installation.look, installation.geometry, rng)
    return replace(installation, look=look, described=f"{installation.described}, {said}")


def folding(installation: Installation) -> Installation:
    """Gets an installation whose board folds in the middle: with a seam and latches, its halves not quite level."""
    rng = np.random.default_rng([STREAM, 13, *installation.name.encode()])
    look, said = folding_look(installation.look, installation.geometry, rng)
    return replace(installation, look=look, described=f"{installation.described}, {said}")


def uncommon_dice(installation: Installation) -> Installation:
    """Gets an installation with dice of an uncommon make: swirls, rings for pips, coloured, worn, small, large ones."""
    rng = np.random.default_rng([STREAM, 8, *installation.name.encode()])
    look, said = dice_with_faces(installation.look, rng)
    return replace(installation, look=look, described=f"{installation.described}, {said}")


def clear_dice(installation: Installation) -> Installation:
    """Gets an installation with dice that light goes through, red, green, blue, amber, smoky or without colour, as
    precision dice are."""
    rng = np.random.default_rng([STREAM, 12, *installation.name.encode()])
    look, said = dice_made_clear(installation.look, rng)
    return replace(installation, look=look, described=f"{installation.described}, {said}")


def cluttered(installation: Installation) -> Installation:
    """Gets an installation on a table with a patterned cloth, a mat or planks, with papers and things all around."""
    rng = np.random.default_rng([STREAM, 7, *installation.name.encode()])
    look, said = covered_table(installation.look, installation.geometry, rng)
    things = things_beside(look, installation.geometry, rng)
    described = f"{installation.described}, table: {said}, {len(things)} things"
    return replace(installation, look=look, described=described, beside=things)


def things_on_board(installation: Installation) -> Installation:
    """Gets an installation on whose board dice cups, telephones and other things lie in the pictures of its game."""
    rng = np.random.default_rng([STREAM, 11, *installation.name.encode()])
    things = things_at_hand(installation.look, installation.geometry, rng)
    return replace(installation, at_hand=things, described=f"{installation.described}, {len(things)} on the board")


def dice_in_cups(installation: Installation) -> Installation:
    """Gets an installation whose players put their dice cups down with dice in them, beside the board and on it."""
    rng = np.random.default_rng([STREAM, 14, *installation.name.encode()])
    look, geometry = installation.look, installation.geometry
    beside = tuple(cup_with_dice(look, geometry, rng) for _ in range(2))
    upon = replace(cup_with_dice(look, geometry, rng), z_mm=0.0)
    described = f"{installation.described}, cups with dice"
    return replace(
        installation, beside=(*installation.beside, *beside), at_hand=(*installation.at_hand, upon), described=described
    )


def trayless(installation: Installation) -> Installation:
    """Gets an installation with a board that has no trays: within its rails there is the field alone."""
    geometry = replace(
        installation.geometry, tray_width_mm=0.0, rail_width_mm=max(installation.geometry.rail_width_mm / 2, 6.0)
    )
    return replace(installation, geometry=geometry, described=f"{installation.described}, no trays")


def printed(installation: Installation) -> Installation:
    """Gets an installation with a board that is printed on something flat: no rails, and no bar, or a strip so narrow
    that no checker lies on it. The camera sees it as it saw the board in whose place it lies."""
    rng = np.random.default_rng([STREAM, 1, *installation.name.encode()])
    board = installation.geometry
    bar = 0.0 if rng.random() < 0.5 else rng.uniform(0, PRINTED_BAR)
    geometry = replace(
        board,
        bar_width_mm=board.point_width_mm * bar,
        bar_height_mm=0.0,
        rail_height_mm=0.0,
        rail_width_mm=board.point_width_mm * rng.uniform(*PRINTED_BORDER),
        die_size_mm=min(board.die_size_mm, PRINTED_DIE_MM),
    )
    return replace(installation, geometry=geometry, described=f"{installation.described}, printed, bar {bar:.2f}")


def _board(rng: np.random.Generator) -> BoardGeometry:
    """Draws the sizes of a board, from a travelling one to a large one."""
    width = rng.uniform(32, 48)
    diameter = width * rng.uniform(0.88, 0.985)
    height = width * rng.uniform(10.0, 11.9)
    rail = width * rng.uniform(0.25, 0.7)
    return BoardGeometry(
        point_width_mm=width,
        point_length_mm=min(width * rng.uniform(4.3, 5.1), height * 0.47),
        field_height_mm=height,
        bar_width_mm=width * rng.uniform(0.7, 1.35),
        checker_diameter_mm=diameter,
        checker_height_mm=diameter * rng.uniform(0.2, 0.3),
        die_size_mm=rng.uniform(10, 20),
        rail_height_mm=rail,
        bar_height_mm=rail if rng.random() < 0.6 else rail * rng.uniform(0.5, 1.0),
        rail_width_mm=width * rng.uniform(0.35, 0.8),
        tray_width_mm=diameter * rng.uniform(1.1, 1.4),
        home_on_right=bool(rng.random() < 0.5),
    )


def _seen_through(installation: Installation, camera: CameraModel, special: str = "") -> Installation:
    """Gets an installation with another camera, and that in its description."""
    before = _seen_by(installation.look.camera, installation.geometry)
    described = installation.described.replace(before, special + _seen_by(camera, installation.geometry))
    return replace(installation, look=replace(installation.look, camera=camera), described=described)


def _seen_by(camera: CameraModel, geometry: BoardGeometry) -> str:
    tilt = float(np.degrees(np.arccos(np.clip(-camera.rotation[2, 2], -1, 1))))
    checker_px = camera.seen_px(geometry.checker_diameter_mm)
    size = f"{camera.width_px} px" if _is_common(camera) else f"{camera.width_px}x{camera.height_px} px"
    return f"{size}, {tilt:.0f} degrees, checker {checker_px:.0f} px"


def _is_common(camera: CameraModel) -> bool:
    return (camera.width_px, camera.height_px) not in OTHER_SIZES_PX


def _other_size(installation: Installation) -> tuple[int, int] | None:
    """Gets the size of an installation's pictures where it is no common one."""
    camera = installation.look.camera
    return None if _is_common(camera) else (camera.width_px, camera.height_px)


def _camera(
    rng: np.random.Generator,
    geometry: BoardGeometry,
    focals: tuple[float, float] = FOCALS,
    nearest_mm: float = NEAREST_MM,
    tilts_deg: tuple[float, float] = TILTS_DEG,
    held: bool = False,
    size_px: tuple[int, int] | None = None,
) -> CameraModel:
    """Draws a camera that sees the whole board: from any side, through any such lens, at any turn, if it is not
    ``held`` level. ``size_px``: of its pictures; left out, one of two common ones."""
    common_px = (1280, 720) if rng.random() < 0.6 else (1920, 1080)
    size_px = size_px or common_px
    while True:
        tilt, toward = radians(rng.uniform(*tilts_deg)), rng.uniform(0, 2 * np.pi)
        upright = rng.random() < 0.75
        turn = rng.choice([0, 90, 180, 270]) + rng.normal(0, 6) if upright else rng.uniform(0, 360)
        turn = rng.normal(0, HELD_LEVEL_DEG) if held else turn
        bend = rng.uniform(-0.28, 0.06)
        distortion = (bend, -0.4 * min(bend, 0.0) + rng.uniform(-0.05, 0.04), 0.0, 0.0, 0.0)
        focal = max(size_px) * rng.uniform(*focals)
        margin = rng.uniform(0.01, 0.1) * max(size_px)
        off = (rng.normal(0, 4), rng.normal(0, 4))
        aim = (rng.uniform(-25, 25), rng.uniform(-25, 25), 0.0)
        for away in np.geomspace(nearest_mm, FURTHEST_MM, DISTANCES):
            at = (
                aim[0] + away * np.sin(tilt) * np.cos(toward),
                aim[1] + away * np.sin(tilt) * np.sin(toward),
                away * np.cos(tilt),
            )
            level = _level_turn_deg(at, aim) if held else 0.0
            camera = camera_over(at, aim, focal, roll_deg=level + turn, size_px=size_px, distortion=distortion)
            camera = replace(camera, center_x_px=camera.center_x_px + off[0], center_y_px=camera.center_y_px + off[1])
            if _shows(camera, geometry, margin):
                if camera.seen_px(geometry.checker_diameter_mm) >= LEAST_CHECKER_PX:
                    return camera
                break


def _level_turn_deg(at: Spot, aim: Spot) -> float:
    """Gets how a camera is to be turned about its axis so that what is nearer to it is lower down in its picture."""
    across, down, _ = camera_over(at, aim, 1.0).rotation @ (np.array((*at[:2], 0.0)) - (*aim[:2], 0.0))
    return float(np.degrees(np.arctan2(down, across))) - 90


def _shows(camera: CameraModel, geometry: BoardGeometry, margin_px: float) -> bool:
    """Whether the whole board is in the picture, with so much around it."""
    every = np.concatenate([along(box.corners(box.z_mm[1])) for box in boxes_of(geometry)])
    pixels = camera.project(every)
    low, high = pixels.min(axis=0), pixels.max(axis=0)
    return bool((low > margin_px).all() and (high < np.array([camera.width_px, camera.height_px]) - margin_px).all())


def _light(rng: np.random.Generator) -> tuple[Light, str]:
    """Draws a lamp, and says what is special about it."""
    drawn = rng.random()
    exposure, said = rng.uniform(0.75, 1.1), "well lit"
    if drawn < 0.15:
        exposure, said = rng.uniform(0.35, 0.6), "underexposed"
    elif drawn < 0.3:
        exposure, said = rng.uniform(1.15, 1.4), "overexposed"
    warmth = rng.normal(0, 0.08)
    hard = rng.random() < 0.35
    shadow = rng.uniform(0.5, 0.75) if hard else rng.uniform(0.15, 0.5)
    soft = rng.uniform(0.25, 0.7) if hard else rng.uniform(0.8, 4.0)
    lamp = (rng.uniform(-700, 700), rng.uniform(-700, 700), rng.uniform(600, 1600))
    tint = (float(np.exp(-warmth)), 1.0, float(np.exp(warmth)))
    light = Light(lamp, 1.0 - min(shadow * 1.2, 0.8), exposure, tint, shadow, soft)
    warm = ", warm" if warmth > 0.1 else ", cold" if warmth < -0.1 else ""
    return light, f"{said}{warm}{', hard shadows' if hard else ''}"


def _lens(rng: np.random.Generator) -> Lens:
    return Lens(rng.uniform(0.3, 1.4), rng.uniform(0.5, 5.0))


def _coloured(rng: np.random.Generator, palette: str) -> Look:
    """Draws the colours of a board, its checkers and dice."""
    field, first, second, light, dark = drawn_palette(rng, palette)
    if rng.random() < 0.5:
        first, second = second, first
    looks = [CheckerLook(colour, rng.uniform(0, 0.9), rng.uniform(0, 0.7)) for colour in (light, dark)]
    dice = any_dice(rng, (light, dark)[int(rng.integers(2))])
    return replace(
        GREEN_FELT,
        field=field,
        points=(first, second),
        wood=any_colour(rng, 20, 170),
        table=any_colour(rng, 25, 210),
        checkers=(looks[0], looks[1]),
        dice=dice,
        second_dice=any_dice(rng, dark),
        skin=near_colour(rng, ((122, 152, 205), (92, 116, 160), (52, 66, 98))[int(rng.integers(3))]),
        sleeve=any_colour(rng, 15, 220),
        wooden=bool(palette == "wood" or rng.random() < 0.2),
        field_grain=rng.uniform(1.5, 11.0),
        wood_grain=rng.uniform(3.0, 14.0),
    )
