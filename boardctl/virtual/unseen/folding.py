"""Boards that fold in the middle, as most real ones do: a seam along bar and rails, latches, halves that are not level.

A half that rises, stands higher than the other or is shifted along it is drawn by taking each spot of the board to
where the fold has it before the camera sees it (:class:`CameraOverFold`); the table below stays level.
"""

from dataclasses import dataclass, fields, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from boardctl.virtual.dice import TABLE_DEPTH_MM
from boardctl.virtual.drawing.outlines import box
from boardctl.virtual.drawing.stage import boxes_of
from boardctl.virtual.drawn_colours import near_colour
from boardctl.virtual.looks import Look, Patch
from calibration import BoardGeometry, CameraModel

Floats = NDArray[np.float64]

RISE, MOST_RISE = 0.006, 0.015
"""How much the halves rise, or fall, away from the fold (standard deviation, and at most): 0.35 and 0.9 degrees."""

STEP_MM, SHIFT_MM, MOST = 0.6, 0.8, 2.0
"""How much higher a half stands than the other, and how far it is shifted along the fold (standard deviations, and at
most so many of them)."""

SEAM_MM = (0.4, 3.0)
"""How wide the seam is between the halves."""

LATCH = (0.6, 1.2), (0.4, 0.9)
"""How long latches are, in widths of points, and how wide, in widths of the rail."""

METALS = (70, 160, 190), (190, 195, 200)
"""Brass and steel."""

DARK = 0.25
"""What is left of the light in a seam."""

TURNS = 4
"""So often it is told anew where a ray meets the board, with the height of the board there."""


@dataclass(frozen=True)
class CameraOverFold(CameraModel):
    """A camera over a board that folds along x = 0. ``rise``: of both halves, in millimetres a millimetre away from the
    fold. ``step_mm``, ``shift_mm``: how much higher, and further along y, the right half is than the left.
    ``bar_width_mm``: over so much the one goes over into the other."""

    rise: float = 0.0
    step_mm: float = 0.0
    shift_mm: float = 0.0
    bar_width_mm: float = 1.0

    def project(self, points_mm: ArrayLike) -> Floats:
        """Gets the pixels (N x 2) of points (N x 3) of the board frame, as if the board were level."""
        points = np.array(points_mm, dtype=np.float64).reshape(-1, 3)
        up, along = self._moved(points[:, 0], points[:, 2])
        points[:, 1] += along
        points[:, 2] += up
        return super().project(points)

    def to_plane(self, pixels: ArrayLike, z_mm: float = 0.0) -> Floats:
        """Gets x, y (N x 2) of where the rays of pixels (N x 2) meet what lies ``z_mm`` above the board."""
        level, eye = super().to_plane(pixels, z_mm), self.position_mm
        found = level
        for _ in range(TURNS):
            up, along = self._moved(found[:, 0], z_mm)
            part = 1 - up / (eye[2] - z_mm)
            found = eye[:2] + (level - eye[:2]) * part[:, None]
            found[:, 1] -= along
        return found

    def _moved(self, x_mm: Floats, z_mm: Floats | float) -> tuple[Floats, Floats]:
        """Gets how far up, and along y, the fold takes what lies there; not what lies on the table."""
        of_board = np.clip((np.asarray(z_mm) + TABLE_DEPTH_MM) / TABLE_DEPTH_MM, 0.0, 1.0)
        side = np.clip(2 * x_mm / max(self.bar_width_mm, 1.0), -1.0, 1.0)
        return of_board * (self.rise * np.abs(x_mm) + self.step_mm * side / 2), of_board * (self.shift_mm * side / 2)


def folding_look(look: Look, geometry: BoardGeometry, rng: np.random.Generator) -> tuple[Look, str]:
    """Draws what shows of a fold, and how far from level the halves are; also says so."""
    seam_mm = float(rng.uniform(*SEAM_MM))
    rise = float(np.clip(rng.normal(0, RISE), -MOST_RISE, MOST_RISE))
    step_mm, shift_mm = (float(np.clip(rng.normal(0, 1), -MOST, MOST)) * mm for mm in (STEP_MM, SHIFT_MM))
    patches = [*_seam(look, geometry, seam_mm), *_latches(geometry, rng)]
    model = {each.name: getattr(look.camera, each.name) for each in fields(CameraModel)}
    camera = CameraOverFold(**model, rise=rise, step_mm=step_mm, shift_mm=shift_mm, bar_width_mm=geometry.bar_width_mm)
    off = f"rises {np.degrees(rise):.1f} degrees, step {step_mm:.1f}, shift {shift_mm:.1f} mm"
    return replace(look, camera=camera, on_rails=(*look.on_rails, *patches)), f"folds: seam {seam_mm:.1f} mm, {off}"


def _seam(look: Look, geometry: BoardGeometry, wide_mm: float) -> list[Patch]:
    """Draws the seam on all that it divides: the bar, and the rails at its ends."""
    blue, green, red = look.wood
    dark = round(blue * DARK), round(green * DARK), round(red * DARK)
    divided = [one for one in boxes_of(geometry) if one.x_mm[0] < 0 < one.x_mm[1]]
    return [Patch((box(-wide_mm / 2, one.y_mm[0], wide_mm / 2, one.y_mm[1]),), dark) for one in divided]


def _latches(geometry: BoardGeometry, rng: np.random.Generator) -> list[Patch]:
    """Draws the halves of two latches of metal, that meet when the board is closed, on each outer rail."""
    rails = [one for one in boxes_of(geometry) if one.name in ("left rail", "right rail")]
    long, wide = geometry.point_width_mm * float(rng.uniform(*LATCH[0])), float(rng.uniform(*LATCH[1]))
    away = float(rng.uniform(0.4, 0.8)) * geometry.field_height_mm / 2
    metal = near_colour(rng, METALS[int(rng.integers(len(METALS)))])
    patches = []
    for rail in rails:
        x, half = sum(rail.x_mm) / 2, wide * (rail.x_mm[1] - rail.x_mm[0]) / 2
        patches += [Patch((box(x - half, y - long / 2, x + half, y + long / 2),), metal) for y in (-away, away)]
    return patches
