"""Patches of a picture in one common shape: a die in the middle, always as large, the camera always looking from below.

Every die comes out ``DIE_PX`` wide, whatever the camera; the patch's downward direction is towards the camera, so that
the side faces which the camera sees are always at the lower side of the die.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import cos, hypot, sin

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration import CameraModel

Picture = NDArray[np.uint8]
Patch = Picture | NDArray[np.float32]
"""What is cut from a picture, or the mean of several."""

PATCH_PX = 64
"""Width and height of a patch: nearly three dice, so that what the die stands on or leans against is seen too."""
DIE_PX = 22.0
"""Width of a die in a patch: what a die has in a recommended picture, so that nothing of it is lost; a small tilt is a
matter of single pixels."""
SHRINK_ABOVE_PX = 39.0
"""Dice larger than this in the picture are cut from the picture at half size, against aliasing."""
SPREAD_ADDED = 8.0
"""So many levels are added to the contrast of a patch in terms of which it is shown: bare ones have hardly any."""


@dataclass(frozen=True, slots=True)
class PatchFrame:
    """Where a patch lies: its middle (x, y, z in millimetres), its width of one pixel, its turn, mirrored or not."""

    center_mm: tuple[float, float, float]
    mm_a_px: float
    turn_rad: float = 0.0
    mirrored: bool = False


def obliqueness(camera: CameraModel, center_mm: tuple[float, float, float]) -> float:
    """Gets the tangent of the angle between the view of a spot and the vertical: 0 from right above."""
    x, y, z = _away(camera, center_mm)
    return hypot(x, y) / -z


def die_size_px(camera: CameraModel, center_mm: tuple[float, float, float], die_mm: float) -> float:
    """Gets how many pixels wide a die comes out at a spot, seen square on."""
    return (camera.focal_x_px + camera.focal_y_px) / 2 * die_mm / hypot(*_away(camera, center_mm))


def _away(camera: CameraModel, center_mm: tuple[float, float, float]) -> tuple[float, float, float]:
    """Gets how far a spot is from the camera (x, y, z in millimetres)."""
    eye_x, eye_y, eye_z = camera.position_mm.tolist()
    return center_mm[0] - eye_x, center_mm[1] - eye_y, center_mm[2] - eye_z


def patch_axes(camera: CameraModel, spot_mm: tuple[float, float]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Gets which ways on the board (x, y; unit length) are up, away from the camera, and right in a patch."""
    x, y = _up(camera, spot_mm)
    return np.array([x, y]), np.array([y, -x])


def _up(camera: CameraModel, spot_mm: tuple[float, float]) -> tuple[float, float]:
    x, y, _ = _away(camera, (*spot_mm, 0.0))
    distance = hypot(x, y)
    return (x / distance, y / distance) if distance > 1.0 else (0.0, 1.0)


def patch_to_picture(camera: CameraModel, frame: PatchFrame, size_px: int = PATCH_PX) -> NDArray[np.float64]:
    """Gets the 3x3 homography from patch pixels to picture pixels."""
    x, y, z = frame.center_mm
    up_x, up_y = _up(camera, (x, y))
    cosine, sine = cos(frame.turn_rad), sin(frame.turn_rad)
    up_x, up_y = up_x * cosine - up_y * sine, up_x * sine + up_y * cosine
    right_x, right_y = (-up_y, up_x) if frame.mirrored else (up_y, -up_x)
    half = (size_px - 1) / 2
    reach = half * frame.mm_a_px
    spots = [
        (x + reach * (right * right_x + up * up_x), y + reach * (right * right_y + up * up_y), z)
        for right, up in ((-1, 1), (1, 1), (1, -1), (-1, -1))
    ]
    corners = np.array([[0, 0], [2 * half, 0], [2 * half, 2 * half], [0, 2 * half]], dtype=np.float32)
    transform = cv2.getPerspectiveTransform(corners, camera.project(spots).astype(np.float32))
    return np.asarray(transform, dtype=np.float64)


def cut_patch(
    picture: Picture,
    camera: CameraModel,
    frame: PatchFrame,
    size_px: int = PATCH_PX,
    half_picture: Picture | None = None,
) -> Picture:
    """Gets a patch (size x size x 3). ``half_picture`` is the picture at half size, for dice that are large in it."""
    transform = patch_to_picture(camera, frame, size_px)
    source = picture
    if half_picture is not None:
        # Pixel centres are whole numbers: the pixel u of the half picture lies at 2u + 0.5 of the whole one.
        transform = np.array([[0.5, 0, -0.25], [0, 0.5, -0.25], [0, 0, 1.0]]) @ transform
        source = half_picture
    return warped(source, transform, size_px)


def warped(picture: Picture, transform: NDArray[np.float64], size_px: int) -> Picture:
    """Gets the patch (size x size x 3) whose pixels a homography brings to a picture's."""
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    patch = cv2.warpPerspective(picture, transform, (size_px, size_px), flags=flags, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(patch, dtype=np.uint8)


def network_input(patches: Sequence[Patch], obliqueness_each: list[float]) -> NDArray[np.float32]:
    """Gets the N x 8 x H x W/2 input: blue, green, red scaled by the patch's own contrast, and the obliqueness; of the
    even columns first, then of the odd ones (:mod:`~boardctl.vision.dice.networks`)."""
    height, width = patches[0].shape[:2]
    blob = np.empty((len(patches), 2, 4, height, width // 2), dtype=np.float32)
    for place, patch, view in zip(blob, patches, obliqueness_each, strict=True):
        mean, spread = cv2.meanStdDev(patch.reshape(-1, 1))
        scale = 1 / (spread.item() + SPREAD_ADDED)
        colours = place[:, :3]
        colours[:] = patch.reshape(height, width // 2, 2, 3).transpose(2, 3, 0, 1)
        colours *= scale
        colours -= mean.item() * scale
        place[:, 3] = view
    return blob.reshape(len(patches), 8, height, width // 2)
