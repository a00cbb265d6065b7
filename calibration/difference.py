"""How two pictures of one scene differ, in units in which the camera's noise is even over dark and light."""

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.channels import strongest

Picture = NDArray[np.uint8]
Floats = NDArray[np.float32]

DARK_OFFSET = 8.0
"""Grey levels added before the root: read-out noise and JPEG rounding keep the darkest levels from spreading."""

MIN_STEP = 0.6
"""Least difference that counts, in root units: about nine grey levels at grey 50, five at grey 10."""

NOISE_STEPS = 5.0
"""A difference counts from five times the median difference of the two pictures, most of which shows no change."""


def root_scale(picture: Picture) -> Floats:
    """Gets the picture (H x W x 3) on the root scale, on which shot noise is even (Anscombe, 1948)."""
    return np.asarray(np.sqrt(picture.astype(np.float32) + DARK_OFFSET), dtype=np.float32)


def halve(picture: Picture) -> Picture:
    """Gets the picture at half size, each pixel the mean of four."""
    height, width = picture.shape[:2]
    return np.asarray(cv2.resize(picture, (width // 2, height // 2), interpolation=cv2.INTER_AREA), dtype=np.uint8)


def exposure_gains(picture: Picture, reference: Picture) -> Floats:
    """Gets by how much to multiply each channel of ``picture`` so that its median ratio to ``reference`` is one.

    Cameras expose anew when things change in view; most of the view does not change between two pictures.
    """
    small = (slice(None, None, 4), slice(None, None, 4))
    ours, theirs = picture[small].astype(np.float32), reference[small].astype(np.float32)
    lit = (ours > 15) & (ours < 240) & (theirs > 15) & (theirs < 240)
    gains = np.ones(3, np.float32)
    for channel in range(3):
        chosen = lit[..., channel]
        if chosen.sum() > 100:
            gains[channel] = np.median(theirs[..., channel][chosen] / ours[..., channel][chosen])
    return gains


def exposed(picture: Picture, gains: Floats) -> Picture:
    """Gets ``picture`` with each channel multiplied by one of ``gains``."""
    return np.asarray(np.clip(picture * gains + 0.5, 0, 255), dtype=np.uint8)


def difference(picture: Picture, reference: Picture, blur_px: float) -> Floats:
    """Gets how much each pixel differs (H x W), the most of its channels, on the root scale."""
    change = root_scale(exposed(picture, exposure_gains(picture, reference))) - root_scale(reference)
    return np.asarray(strongest(np.abs(cv2.GaussianBlur(change, (0, 0), blur_px))), dtype=np.float32)


def changed(picture: Picture, reference: Picture, blur_px: float) -> Floats:
    """Gets how surely each pixel has changed (H x W), 0 to 1."""
    amount = difference(picture, reference, blur_px)
    step = max(NOISE_STEPS * float(np.median(amount)), MIN_STEP)
    return np.asarray(1.0 - np.exp(-((amount / step) ** 2)), dtype=np.float32)


def at_every_pixel(coarse: NDArray[Any], step_px: int, size: tuple[int, int]) -> NDArray[Any]:
    """Gets what is known at every so many pixels, from the first on, and one beyond the last, at all of a picture of a
    ``size`` (width, height)."""
    finer = np.diag((1 / step_px, 1 / step_px, 0.0))[:2]
    return np.asarray(cv2.warpAffine(coarse, finer, size, flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP))
