"""What the networks that read patches of dice learn from has in common: patches made worse, directions in patches."""

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from boardctl.vision.dice.patch import PatchFrame, patch_axes
from calibration import CameraModel


@dataclass(frozen=True)
class Weakening:
    """How patches are made worse: how often they are made coarser (to what part at least), and else blurred (by so
    many pixels at most), the ranges of brightness and gamma, how often there is noise, and the least JPEG quality."""

    coarser: float
    coarsest: float
    blurred: float
    most_blur_px: float
    gain: tuple[float, float]
    gamma: tuple[float, float]
    noisy: float
    least_quality: int


USUAL = Weakening(0.35, 0.5, 0.3, 0.9, (0.7, 1.25), (0.7, 1.45), 1.0, 50)


def weaken(patch: NDArray[np.uint8], rng: np.random.Generator, how: Weakening = USUAL) -> NDArray[np.uint8]:
    """Gets a patch as a worse camera or another light would have made it."""
    image: Any = patch
    if rng.random() < how.coarser:
        small = int(rng.uniform(how.coarsest, 0.95) * image.shape[0])
        image = cv2.resize(image, (small, small), interpolation=cv2.INTER_AREA)
        image = cv2.resize(image, patch.shape[:2], interpolation=cv2.INTER_LINEAR)
    elif rng.random() < how.blurred:
        image = cv2.GaussianBlur(image, (0, 0), rng.uniform(0.3, how.most_blur_px))
    if rng.random() < 0.25:
        hsv = cv2.cvtColor(image, cv2.COLOR_BGR2HSV)
        hsv[..., 0] = (hsv[..., 0].astype(int) + rng.integers(180)) % 180
        hsv[..., 1] = np.clip(hsv[..., 1] * rng.uniform(0.2, 1.3), 0, 255)
        image = cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR)
    gains = rng.uniform(*how.gain) * rng.uniform(0.88, 1.12, 3)
    curve = np.power(np.arange(256, dtype=np.float32) / 255, rng.uniform(*how.gamma))
    table = np.clip(255 * curve[:, None] * gains, 0, 255).astype(np.uint8)
    image = cv2.LUT(image, table.reshape(1, 256, 3))
    if rng.random() < how.noisy:
        noise = rng.standard_normal(image.shape, dtype=np.float32) * np.float32(rng.uniform(0, 9))
        image = np.clip(image + noise, 0, 255).astype(np.uint8)
    if rng.random() < 0.2:
        coded = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(how.least_quality, 95))])[1]
        image = cv2.imdecode(coded, cv2.IMREAD_COLOR)
    return np.asarray(image, dtype=np.uint8)


def direction_in_patch(direction: tuple[float, float], camera: CameraModel, frame: PatchFrame) -> tuple[float, float]:
    """Gets how far a direction on the board (x, y) points right and up in a patch."""
    up, _ = patch_axes(camera, frame.center_mm[:2])
    cosine, sine = np.cos(frame.turn_rad), np.sin(frame.turn_rad)
    up = np.array([up[0] * cosine - up[1] * sine, up[0] * sine + up[1] * cosine])
    right = np.array([up[1], -up[0]]) * (-1.0 if frame.mirrored else 1.0)
    return float(right @ direction), float(up @ direction)
