"""Patches of a picture in one common shape: a die in the middle, always as large, the camera always looking from below.

Every die comes out ``DIE_PX`` wide, whatever the camera; the patch's downward direction is towards the camera, so that
the side faces which the camera sees are always at the lower side of the die.
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration import CameraModel

Picture = NDArray[np.uint8]

PATCH_PX = 64
"""Width and height of a patch: nearly three dice, so that what the die stands on or leans against is seen too."""
DIE_PX = 22.0
"""Width of a die in a patch: what a die has in a recommended picture, so that nothing of it is lost; a small tilt is a
matter of single pixels."""
SHRINK_ABOVE_PX = 39.0
"""Dice larger than this in the picture are cut from the picture at half size, against aliasing."""


@dataclass(frozen=True, slots=True)
class PatchFrame:
    """Where a patch lies: its middle (x, y, z in millimetres), its width of one pixel, its turn, mirrored or not."""

    center_mm: tuple[float, float, float]
    mm_a_px: float
    turn_rad: float = 0.0
    mirrored: bool = False


def obliqueness(camera: CameraModel, center_mm: tuple[float, float, float]) -> float:
    """Gets the tangent of the angle between the view of a spot and the vertical: 0 from right above."""
    away = np.array(center_mm) - camera.position_mm
    return float(np.hypot(away[0], away[1]) / -away[2])


def die_size_px(camera: CameraModel, center_mm: tuple[float, float, float], die_mm: float) -> float:
    """Gets how many pixels wide a die comes out at a spot, seen square on."""
    away = np.array(center_mm) - camera.position_mm
    return float((camera.focal_x_px + camera.focal_y_px) / 2 * die_mm / np.linalg.norm(away))


def patch_axes(camera: CameraModel, spot_mm: tuple[float, float]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Gets which ways on the board (x, y; unit length) are up, away from the camera, and right in a patch."""
    away = np.array(spot_mm) - camera.position_mm[:2]
    distance = float(np.hypot(*away))
    up = away / distance if distance > 1.0 else np.array([0.0, 1.0])
    return up, np.array([up[1], -up[0]])


def patch_to_picture(camera: CameraModel, frame: PatchFrame, size_px: int = PATCH_PX) -> NDArray[np.float64]:
    """Gets the 3x3 homography from patch pixels to picture pixels."""
    x, y, z = frame.center_mm
    up, _ = patch_axes(camera, (x, y))
    cosine, sine = np.cos(frame.turn_rad), np.sin(frame.turn_rad)
    up = np.array([up[0] * cosine - up[1] * sine, up[0] * sine + up[1] * cosine])
    right = np.array([up[1], -up[0]]) * (-1.0 if frame.mirrored else 1.0)
    half = (size_px - 1) / 2
    signs = np.array([[-1, 1], [1, 1], [1, -1], [-1, -1]], dtype=np.float64)
    spots = np.array([x, y]) + half * frame.mm_a_px * (signs[:, :1] * right + signs[:, 1:] * up)
    pixels = camera.project(np.column_stack([spots, np.full(4, z)]))
    corners = np.array([[0, 0], [2 * half, 0], [2 * half, 2 * half], [0, 2 * half]], dtype=np.float32)
    return np.asarray(cv2.getPerspectiveTransform(corners, pixels.astype(np.float32)), dtype=np.float64)


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
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    patch = cv2.warpPerspective(source, transform, (size_px, size_px), flags=flags, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(patch, dtype=np.uint8)


def halve(picture: Picture) -> Picture:
    """Gets the picture at half size, each pixel the mean of four."""
    height, width = picture.shape[:2]
    return np.asarray(cv2.resize(picture, (width // 2, height // 2), interpolation=cv2.INTER_AREA), dtype=np.uint8)


def network_input(patches: list[Picture], obliqueness_each: list[float]) -> NDArray[np.float32]:
    """Gets the N x 4 x H x W input: blue, green, red scaled by the patch's own contrast, and the obliqueness."""
    blob = np.empty((len(patches), 4, *patches[0].shape[:2]), dtype=np.float32)
    for place, patch, view in zip(blob, patches, obliqueness_each, strict=True):
        mean, spread = cv2.meanStdDev(patch.reshape(-1, 1))
        scale = 1 / (spread.item() + 8.0)
        place[:3] = patch.transpose(2, 0, 1)
        place[:3] *= scale
        place[:3] -= mean.item() * scale
        place[3] = view
    return blob
