"""What the faces of this board's checkers look like: what is inlaid in one may look like a die, or like the cube.

Faces are kept as a picture shows them, turned every way, as checkers lie. Where something that may be a die looks like
those of two of them, no die lies. Of 62 boards with plain checkers one has a checker in its starting position that
looks at all like a die, of 31 with inlaid ones 19, and four more have some that look like the cube: on the others
nothing is compared.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from boardctl.referee.readings import BoardReading
from boardctl.vision.dice.cube_look import cube_logit
from boardctl.vision.dice.look import Sight, look
from boardctl.vision.dice.patch import Patch, PatchFrame, Picture, patch_to_picture, warped
from boardctl.vision.dice.size import sized
from calibration import BoardGeometry, Calibration, CameraModel
from calibration.installation import INSTALLATIONS_KEPT
from calibration.starting_position import starting_checkers

XY = tuple[float, float]
Spot = tuple[float, float, float]
Floats = NDArray[np.float32]

CHECKER_PX = 16.0
"""Width of a checker in what is compared."""
FACE_PX = 11
"""Width of the part of its face that is compared, a disc: what lies further out depends on what is beside it."""
FURTHEST_PX = 3
"""So far in x and y the middle of a checker may be from where a die is seen."""
TURNS = 24
"""Ways in which each face is turned."""
DIE_SIZES = (0.85, 1.0, 1.2)
"""Sizes of dice, in parts of the assumed one, as which checkers are looked at."""
MAYBE_CUBE = -2.0
"""How much a checker looks like the cube (logit) from which on it may be taken for it, if it seemed to show a number,
too (``cube_of_scan``): of 48 boards with plain checkers none has one with more than -3.4, of 31 with inlaid ones 17
do."""
MOST_FACES = 15
"""Of so many checkers, or somewhat more, faces are kept: to compare with more takes longer."""
OTHERS_FROM = 1.0
"""Faces of checkers nearer than so many of their widths are not compared: they may be the very one."""


@dataclass(frozen=True)
class CheckerFaces:
    """Faces of checkers (turns x N x pixels and channels; without their mean, of length 1), where these lie (N x 2, in
    mm), and the camera that sees them. ``lying``: what lies on the points now, where dice are not read with that.
    ``alike``: how much each of them looks like the others."""

    faces: Floats
    middles_mm: NDArray[np.float64]
    camera: CameraModel
    geometry: BoardGeometry
    lying: BoardReading | None = None
    alike: Floats | None = None

    @classmethod
    def seen(
        cls,
        picture: Picture,
        camera: CameraModel,
        geometry: BoardGeometry,
        middles_mm: Iterable[XY],
        lying: BoardReading | None = None,
    ) -> "CheckerFaces":
        """Gets the faces of checkers that lie, each alone, in these places of a picture (H x W x 3)."""
        middles = list(middles_mm)
        faces = [_patch(picture, camera, geometry, (x, y, geometry.checker_height_mm), FACE_PX) for x, y in middles]
        half = (FACE_PX - 1) / 2
        turned = []
        for turn in range(TURNS):
            rotation = cv2.getRotationMatrix2D((half, half), 360 / TURNS * turn, 1.0)
            each = [cv2.warpAffine(face, rotation, face.shape[:2], borderMode=cv2.BORDER_REPLICATE) for face in faces]
            turned.append([face[_DISC].ravel() for face in each])
        normed = _normed(np.array(turned, dtype=np.float32))
        found = cls(normed, np.array(middles).reshape(-1, 2), camera, geometry, lying)
        spots = [camera.at_height(middle, geometry.checker_height_mm, geometry.die_size_mm / 2) for middle in middles]
        alike = [found.likeness(spot, found.around(spot, picture))[0] for spot in spots]
        return replace(found, alike=np.array(alike, dtype=np.float32))

    def around(self, spot_mm: XY, picture: Picture) -> Picture:
        """Gets what a picture shows around a place where a die seems to be, in the plane of checkers' faces."""
        width_px = FACE_PX + 2 * FURTHEST_PX
        return _patch(picture, self.camera, self.geometry, self._on_face(spot_mm), width_px)

    def likeness(self, spot_mm: XY, patch: Patch) -> tuple[float, float]:
        """Gets how much what is :meth:`around` a place looks like faces of checkers that lie elsewhere: its correlation
        (-1 to 1) with the second of them that it looks like; and how much more than the others it is like the two."""
        away = np.linalg.norm(self.middles_mm - self._on_face(spot_mm)[:2], axis=1)
        others = away >= OTHERS_FROM * self.geometry.checker_diameter_mm
        faces = self.faces[:, others]
        if faces.shape[1] < 2:
            return -1.0, -1.0
        windows = np.lib.stride_tricks.sliding_window_view(patch, (FACE_PX, FACE_PX), axis=(0, 1))
        seen = np.moveaxis(windows, 2, -1)[:, :, _DISC].astype(np.float32)
        alike = _normed(seen.reshape(-1, faces.shape[2])) @ faces.reshape(-1, faces.shape[2]).T
        best = alike.max(axis=0).reshape(faces.shape[:2]).max(axis=0)
        likeliest = np.argsort(best)[-2:]
        more = 0.0 if self.alike is None else (best - self.alike[others])[likeliest].min()
        return float(best[likeliest[0]]), float(more)

    def _on_face(self, spot_mm: XY) -> Spot:
        """Gets where on the upper side of a checker, on the field or on the bar, is seen what is seen of a die on the
        board at a place."""
        board, seen_at_mm = self.geometry, self.geometry.die_size_mm / 2
        low_mm = board.checker_height_mm
        on_bar, on_field = (
            (*self.camera.at_height(spot_mm, seen_at_mm, face_mm), face_mm)
            for face_mm in (board.bar_height_mm + low_mm, low_mm)
        )
        return on_bar if abs(on_bar[0]) <= board.bar_width_mm / 2 else on_field


@lru_cache(maxsize=INSTALLATIONS_KEPT)
def faces_of(calibration: Calibration) -> CheckerFaces | None:
    """Gets the faces of the checkers of the starting position, if they may be taken for something else."""
    geometry = calibration.geometry
    return faces_seen(calibration.start, calibration.camera, geometry, [at for _, at in starting_checkers(geometry)])


def faces_seen(
    picture: Picture,
    camera: CameraModel,
    geometry: BoardGeometry,
    checkers_mm: Sequence[Spot],
    lying: BoardReading | None = None,
) -> CheckerFaces | None:
    """Gets the faces of checkers that lie, each alone, in these places of a picture (H x W x 3), if one of them looks
    at all like a die or like the cube; else None."""
    sight = Sight(picture, camera)

    def as_dice(die_mm: float) -> list[XY]:
        """Gets where dice so wide would lie on the board that are seen where the checkers are."""
        return [camera.at_height((x, y), geometry.checker_height_mm, die_mm / 2) for x, y, _ in checkers_mm]

    sizes = [sized(geometry, part * geometry.die_size_mm) for part in DIE_SIZES]
    may_be_dice = any(look(sight, size, as_dice(size.die_size_mm)) for size in sizes)
    if not may_be_dice and not any(
        cube_logit(sight, geometry, spot) > MAYBE_CUBE for spot in as_dice(geometry.die_size_mm)
    ):
        return None
    step = max(len(checkers_mm) // MOST_FACES, 1)
    return CheckerFaces.seen(picture, camera, geometry, [(x, y) for x, y, _ in checkers_mm[::step]], lying)


_DISC = np.hypot(*np.mgrid[-(FACE_PX // 2) : FACE_PX // 2 + 1, -(FACE_PX // 2) : FACE_PX // 2 + 1]) <= FACE_PX / 2


def _patch(picture: Picture, camera: CameraModel, geometry: BoardGeometry, middle_mm: Spot, width_px: int) -> Picture:
    """Gets what a picture shows in the plane of the upper side of a checker."""
    frame = PatchFrame(middle_mm, geometry.checker_diameter_mm / CHECKER_PX)
    return warped(picture, patch_to_picture(camera, frame, width_px), width_px)


def _normed(faces: Floats) -> Floats:
    """Gets faces without their mean, of length 1."""
    faces = faces - faces.mean(axis=-1, keepdims=True)
    return np.asarray(faces / (np.linalg.norm(faces, axis=-1, keepdims=True) + 1.0), dtype=np.float32)
