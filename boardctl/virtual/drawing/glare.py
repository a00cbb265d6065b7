"""The lamp, mirrored into the camera by what is polished: lacquered boards, and checkers."""

import numpy as np
from numpy.typing import NDArray

from boardctl.virtual.drawing.brush import Picture, Pixels, fill
from boardctl.virtual.looks import Light
from calibration import CameraModel

Slopes = NDArray[np.float32]

FULL_LEVEL = 255.0
"""What a perfect mirror adds where it shows the lamp, under a light of strength 1."""

HOLLOW = 0.12
"""By what slope the edge of the deepest dish leans towards its middle."""


def mirroring_slopes(light: Light, camera: CameraModel, x_mm: Slopes, y_mm: Slopes) -> Slopes:
    """Gets how a face would have to lean (... x 2: in x and y, 0 level) at places of the board's plane to mirror the
    middle of the lamp into the camera: across the middle between the directions to both (the law of reflection)."""
    between = np.zeros((*x_mm.shape, 3), dtype=np.float32)
    for x, y, z in (light.at_mm, camera.position_mm):
        toward = np.stack([x - x_mm, y - y_mm, np.full_like(x_mm, z)], axis=-1)
        between += toward / np.linalg.norm(toward, axis=-1, keepdims=True)
    return np.asarray(between[..., :2] / between[..., 2:], dtype=np.float32)


def lamp_seen(light: Light, off: Slopes) -> NDArray[np.float32]:
    """Gets how much of the lamp (0 to 1) a mirror shows that leans so far (... x 2) from where it shows its middle."""
    near, far = light.mirrored
    part = np.clip((far - np.hypot(off[..., 0], off[..., 1])) / (far - near), 0, 1)
    return np.asarray(part * part * (3 - 2 * part), dtype=np.float32)


def shine(image: Picture, face_px: Pixels, seen: NDArray[np.float32], at: tuple[slice, slice], polish: float) -> None:
    """Adds to a polished face (N x 2) what it mirrors: ``seen`` of the lamp in the part ``at`` of the image."""
    rows, columns = at
    inside = np.zeros(seen.shape, dtype=np.uint8)
    fill(inside, face_px - [columns.start, rows.start], (FULL_LEVEL,))
    added = seen * inside * polish
    part = image[rows, columns]
    part[:] = np.clip(part + added[..., None], 0, 255).astype(np.uint8)
