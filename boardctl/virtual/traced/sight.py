"""What a camera has to do with traced light: along which rays it comes, and what picture is made of it."""

import cv2
import numpy as np
from numpy.typing import NDArray

from boardctl.virtual.traced.resting import Resting
from boardctl.vision.dice.patch import die_size_px
from boardctl.vision.training.dice_tilt_sites import as_taken
from calibration import CameraModel

Floats = NDArray[np.float64]
Light = NDArray[np.float32]
"""Height x width x red, green, blue; not as a display shows it, but as much as there is."""

REACH_DICE = 1.75
"""Around a die so many die widths are traced finely."""
BRIGHT_SHARE, BRIGHTNESS = (80.0, 97.0), (0.18, 1.8)
"""Of the light around dice so many hundredths are darker than that which becomes so bright; from 1 on it is white."""
ELECTRONS, READ_NOISE, MIXED_OFTEN, MIXED_PX = (400.0, 20000.0), (0.0005, 0.006), 0.5, 0.7
"""Electrons that a pixel holds when it is white (their number, counted, is as uncertain as its root), and what reading
them adds. So often neighbours are mixed, as where each pixel sees one colour only and the others are made of those
around it: noise is then in spots, and coloured."""
TINT = 0.05
ROUNDED_OFTEN, ROUNDED_WHITE = 0.5, 1.5
"""So often bright parts are drawn together, as film and telephones do (Reinhard's curve), white being so bright."""
BLUR_PX, LEAST_BLUR_PX = 0.9, 0.25
SHARPENED_OFTEN, SHARPENED = 0.35, (0.2, 0.8)


def die_windows(camera: CameraModel, dice: list[Resting]) -> list[tuple[slice, slice]]:
    """Gets the rows and columns of a picture that show each die and what is right beside it, for each as many."""
    reach = int(np.ceil(REACH_DICE * max(die_size_px(camera, die.spot_mm, die.size_mm) for die in dice)))
    found = []
    for die in dice:
        x, y = (int(v) for v in camera.project([die.spot_mm])[0])
        ends = ((y, camera.height_px), (x, camera.width_px))
        top, left = (min(max(middle - reach, 0), length - 2 * reach) for middle, length in ends)
        found.append((slice(top, top + 2 * reach), slice(left, left + 2 * reach)))
    return found


def near_dice(camera: CameraModel, dice: list[Resting]) -> NDArray[np.bool_]:
    """Gets which pixels (height x width) show dice, or what is right beside them."""
    near = np.zeros((camera.height_px, camera.width_px), dtype=bool)
    for window in die_windows(camera, dice):
        near[window] = True
    return near


def view_rays(camera: CameraModel, pixels: Floats) -> tuple[Floats, Floats, Floats]:
    """Gets the directions on the board (N x 3, of any length) of the rays of pixels (N x 2), and how they change a
    pixel to the right and down."""

    def directions(places: Floats) -> Floats:
        flat = cv2.undistortPoints(places.reshape(-1, 1, 2), camera.matrix, np.array(camera.distortion)).reshape(-1, 2)
        return np.asarray(np.column_stack([flat, np.ones(len(flat))]) @ camera.rotation, dtype=np.float64)

    middles = directions(pixels)
    right, down = np.array((1, 0)), np.array((0, 1))
    return middles, directions(pixels + right) - middles, directions(pixels + down) - middles


def developed(light: Light, near: NDArray[np.bool_], rng: np.random.Generator) -> NDArray[np.uint8]:
    """Gets a picture (blue, green, red) of light as a camera takes it; ``near``: where it should be well exposed."""
    bright = np.percentile(light[near].max(axis=-1), rng.uniform(*BRIGHT_SHARE))
    seen = light / bright * np.exp(rng.uniform(*np.log(BRIGHTNESS)) + rng.normal(0, TINT, 3))
    if rng.random() < ROUNDED_OFTEN:
        seen = seen * (1 + seen / ROUNDED_WHITE**2) / (1 + seen) * 1.2
    blur_px = rng.uniform(0, BLUR_PX)
    if blur_px > LEAST_BLUR_PX:
        seen = cv2.GaussianBlur(seen, (0, 0), blur_px)
    seen = np.clip(as_counted(seen, rng), 0, 1)
    shown = np.where(seen < 0.0031308, 12.92 * seen, 1.055 * seen ** (1 / 2.4) - 0.055)  # sRGB, IEC 61966-2-1
    if rng.random() < SHARPENED_OFTEN:
        shown = shown + rng.uniform(*SHARPENED) * (shown - cv2.GaussianBlur(shown, (0, 0), 1.0))
    return as_taken(np.ascontiguousarray(np.clip(shown * 255, 0, 255).round()[..., ::-1]).astype(np.uint8), rng)


def as_counted(seen: Light, rng: np.random.Generator) -> Light:
    """Gets light (1: white) as a sensor counts it: least certain where it is dark, seen as a display shows it."""
    electrons, read = np.exp(rng.uniform(*np.log(ELECTRONS))), np.exp(rng.uniform(*np.log(READ_NOISE)))
    noise = rng.standard_normal(seen.shape) * np.sqrt(np.maximum(seen, 0) / electrons + read**2)
    if rng.random() < MIXED_OFTEN:
        noise = cv2.GaussianBlur(noise, (0, 0), MIXED_PX)
    return np.asarray(seen + noise, dtype=np.float32)
