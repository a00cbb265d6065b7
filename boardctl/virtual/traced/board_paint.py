"""What the flat parts of a traced board reflect: felt, leather, wood and cloth, painted points, numbers on the cube."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby

import cv2
import numpy as np
from numpy.typing import NDArray

from boardctl.virtual.drawing.field_paint import point_outline
from boardctl.virtual.looks import Colour, Look, Outline, Patch
from boardctl.virtual.traced.meshes import colour_reflected, reflected
from calibration import BoardGeometry

Floats = NDArray[np.float64]

FIELD_MM, TABLE_MM, WOOD_PX, LABEL_PX = 0.5, 2.5, 640, 64
"""A pixel of the playing surface and of the table; pictures of wood and of the cube's number are so wide."""
CLOTHS = ("felt", "leather", "wood", "smooth", "cork")
ROUGH = {"felt": (0.85, 1.0), "leather": (0.35, 0.65), "wood": (0.2, 0.5), "smooth": (0.3, 0.7), "cork": (0.7, 1.0)}
"""How little each kind mirrors."""
OUTLINED_OFTEN, OUTLINE_MM = 0.25, (0.5, 1.4)
"""So often points have an outline of another colour, so wide."""
WAVY_MM = (0.0, 0.25)
"""How much the edges of points are off a straight line, as of what is cut and sewn by hand."""
BLUNT_OFTEN, BLUNT_MM = 0.3, (1.0, 5.0)
"""So often the tips of points are round, with such a radius."""


@dataclass(frozen=True)
class Cloth:
    """What a surface is made of: its kind, and what it reflects (height x width x 3: red, green, blue)."""

    kind: str
    reflects: Floats

    def roughness(self, rng: np.random.Generator) -> float:
        """Draws how rough it is."""
        return float(rng.uniform(*ROUGH[self.kind]))


def field_cloth(look: Look, geometry: BoardGeometry, half_width_mm: float, rng: np.random.Generator) -> Cloth:
    """Draws the playing surface and the trays' floor, the far side first; ``half_width_mm``: to their outer end."""
    width = round(2 * half_width_mm / FIELD_MM)
    height = round(geometry.field_height_mm / FIELD_MM)
    kind = "wood" if look.wooden else str(rng.choice(CLOTHS))
    points = kind if rng.random() < 0.5 else str(rng.choice(CLOTHS))
    corner = half_width_mm, geometry.field_height_mm / 2
    surface = _levels(look.field, height, width) * grain(kind, rng, height, width)
    surface = painted(surface, look.below_points, corner)
    blunt = float(rng.uniform(*BLUNT_MM)) if rng.random() < BLUNT_OFTEN else 0.0
    wavy, outline = float(rng.uniform(*WAVY_MM)), rng.random() < OUTLINED_OFTEN
    line = reflected(rng.uniform(0.05, 0.95, 3).tolist())
    wide = round(float(rng.uniform(*OUTLINE_MM)) / FIELD_MM)
    for parity in (0, 1):
        mask = np.zeros((height, width), dtype=np.uint8)
        for number in range(1 + (1 - parity), 25, 2):
            _fill(mask, [point_outline(geometry, number, look.point_profile)], corner)
        mask = _wavy(_blunted(mask, blunt), wavy, rng)
        paint = _levels(look.points[parity], height, width) * grain(points, rng, height, width)
        if outline:
            around = np.asarray(cv2.dilate(mask, np.ones((wide + 1, wide + 1), np.uint8)), dtype=np.uint8)
            surface = _over(surface, np.broadcast_to(line, surface.shape), around)
        surface = _over(surface, paint, mask)
    surface = painted(surface, look.over_points, corner)
    return Cloth(kind, np.clip(surface, 0.004, 0.97))


def painted(
    surface: Floats, patches: Iterable[Patch], corner_mm: tuple[float, float], pixel_mm: float = FIELD_MM
) -> Floats:
    """Paints patches on a surface of such pixels, whose far left corner is so far from the board's middle."""
    height, width = surface.shape[:2]
    for colour, alike in groupby(patches, key=lambda patch: patch.colour):
        mask = np.zeros((height, width), dtype=np.uint8)
        for patch in alike:
            _fill(mask, patch.outlines_mm, corner_mm, pixel_mm)
        surface = _over(surface, _levels(colour, height, width), mask)
    return surface


def _fill(
    mask: NDArray[np.uint8],
    outlines_mm: Iterable[Outline],
    corner_mm: tuple[float, float],
    pixel_mm: float = FIELD_MM,
) -> None:
    """Fills closed outlines of the board frame; the far left corner of the mask is so far from its middle."""
    fixed = [
        np.round((np.array(outline) * [1, -1] + corner_mm) / pixel_mm * 16).astype(np.int32) for outline in outlines_mm
    ]
    cv2.fillPoly(mask, fixed, (255,), cv2.LINE_AA, 4)


def wood_cloth(colour: Colour, strength: float, rng: np.random.Generator) -> Cloth:
    """Draws the wood (or lacquer, or leather) of rails and bar."""
    kind = str(rng.choice(("wood", "wood", "smooth", "leather")))
    return Cloth(
        kind, np.clip(_levels(colour, WOOD_PX, WOOD_PX) * grain(kind, rng, WOOD_PX, WOOD_PX, strength), 0.004, 0.97)
    )


def table_cloth(colour: Colour, size_mm: float, rng: np.random.Generator) -> Cloth:
    """Draws what the board stands on."""
    kind = str(rng.choice(("wood", "felt", "smooth", "cork")))
    side = round(size_mm / TABLE_MM)
    surface = _levels(colour, side, side) * grain(kind, rng, side, side)
    if kind == "wood" and rng.random() < 0.5:
        plank = round(float(rng.uniform(60, 160)) / TABLE_MM)
        shades = np.repeat(np.exp(rng.normal(0, 0.12, side // plank + 1)), plank)[:side]
        shades[::plank] *= 0.5
        surface = surface * shades[:, None, None]
    if rng.random() < 0.5:
        surface = surface.transpose(1, 0, 2)
    return Cloth(kind, np.clip(surface, 0.004, 0.97))


def number_label(value: int, body: Colour, ink: Colour, rng: np.random.Generator) -> Floats:
    """Draws the top of the cube with its value."""
    label = np.zeros((4 * LABEL_PX, 4 * LABEL_PX), dtype=np.uint8)
    text, font = str(value), int(rng.choice((0, 2, 3, 4)))
    thick = int(rng.integers(8, 18))
    (wide, high), _ = cv2.getTextSize(text, font, 1.0, thick)
    scale = min(3.5 * LABEL_PX / wide, 3.0 * LABEL_PX / high)
    (wide, high), _ = cv2.getTextSize(text, font, scale, thick)
    cv2.putText(
        label, text, ((4 * LABEL_PX - wide) // 2, (4 * LABEL_PX + high) // 2), font, scale, (255,), thick, cv2.LINE_AA
    )
    small = np.asarray(cv2.resize(label, (LABEL_PX, LABEL_PX), interpolation=cv2.INTER_AREA), dtype=np.uint8)
    return _over(_levels(body, LABEL_PX, LABEL_PX), _levels(ink, LABEL_PX, LABEL_PX), small)


def grain(kind: str, rng: np.random.Generator, height: int, width: int, strength: float | None = None) -> Floats:
    """Draws how light or dark each spot (height x width x 1) of a cloth is; the grain of wood is along the width."""

    def waves(rows: float, columns: float) -> Floats:
        spots = rng.standard_normal((max(round(height / rows), 2), max(round(width / columns), 2)))
        return np.asarray(cv2.resize(spots, (width, height), interpolation=cv2.INTER_CUBIC), dtype=np.float64)

    if kind == "felt":
        shade = 0.6 * rng.standard_normal((height, width)) + 0.5 * waves(3, 3) + 0.2 * waves(60, 60)
    elif kind == "leather":
        shade = 0.7 * waves(5, 5) + 0.5 * waves(2.5, 2.5) + 0.9 * waves(90, 90)
    elif kind == "wood":
        rings = np.sin(6.0 * waves(40, 600) + np.linspace(0, height / 9, height)[:, None] + 2.0 * waves(12, 400))
        shade = 0.7 * rings + 0.6 * waves(2, 120) + 0.5 * waves(25, 500)
    elif kind == "cork":
        shade = np.where(waves(6, 6) > 0.8, -1.5, 0.2) + 0.5 * waves(4, 4) + 0.3 * rng.standard_normal((height, width))
    else:
        shade = 0.3 * waves(120, 120)
    strength = float(rng.uniform(0.03, 0.2)) if strength is None else strength
    return np.asarray(np.exp(strength * shade)[..., None], dtype=np.float64)


def _levels(colour: Colour, height: int, width: int) -> Floats:
    return np.tile(colour_reflected(colour), (height, width, 1))


def _over(below: Floats, above: Floats, mask: NDArray[np.uint8]) -> Floats:
    share = (mask / 255.0)[..., None]
    return np.asarray(below * (1 - share) + above * share, dtype=np.float64)


def _blunted(mask: NDArray[np.uint8], radius_mm: float) -> NDArray[np.uint8]:
    """Gets a mask with its thin ends rounded."""
    reach = round(radius_mm / FIELD_MM)
    if reach < 1:
        return mask
    disc = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * reach + 1, 2 * reach + 1))
    # At the field's edge points go on, so that their bases stay sharp.
    padded = cv2.copyMakeBorder(mask, 2 * reach, 2 * reach, 0, 0, cv2.BORDER_REPLICATE)
    opened = cv2.morphologyEx(padded, cv2.MORPH_OPEN, disc)
    return np.asarray(opened[2 * reach : -2 * reach], dtype=np.uint8)


def _wavy(mask: NDArray[np.uint8], by_mm: float, rng: np.random.Generator) -> NDArray[np.uint8]:
    """Gets a mask whose edges are a little off."""
    height, width = mask.shape
    rows, columns = np.mgrid[0:height, 0:width].astype(np.float32)
    shifts = [
        cv2.resize(rng.standard_normal((height // 30, width // 30)), (width, height), interpolation=cv2.INTER_CUBIC)
        for _ in range(2)
    ]
    right, down = (np.float32(by_mm / FIELD_MM) * shift.astype(np.float32) for shift in shifts)
    return np.asarray(cv2.remap(mask, columns + right, rows + down, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE))
