"""Drawing on pictures to a sixteenth of a pixel: filled shapes, masks and textures.

Pictures are height x width x 3 of 8 bit (or float32 where said), blue-green-red; pixels are x, y with pixel centres at
whole numbers, as everywhere in OpenCV.
"""

import math
from collections.abc import Sequence
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

Picture = NDArray[np.uint8]
Pixels = NDArray[np.float64]
Grain = NDArray[np.float32]

SUBPIXEL_BITS = 4
"""OpenCV's fixed-point drawing: coordinates in sixteenths of a pixel."""


def fill(image: NDArray[Any], shape_px: Pixels, colour: Sequence[float]) -> None:
    """Fills a convex shape (N x 2), its edge smoothed."""
    fixed = np.round(shape_px * (1 << SUBPIXEL_BITS)).astype(np.int32)
    cv2.fillConvexPoly(image, fixed, tuple(colour), cv2.LINE_AA, SUBPIXEL_BITS)


def fill_any(image: NDArray[Any], shape_px: Pixels, colour: Sequence[float]) -> None:
    """Fills a shape (N x 2) that need not be convex, its edge smoothed."""
    fixed = np.round(shape_px * (1 << SUBPIXEL_BITS)).astype(np.int32)
    cv2.fillPoly(image, [fixed], tuple(colour), cv2.LINE_AA, SUBPIXEL_BITS)


def fill_outlines(image: NDArray[Any], outlines_px: Sequence[Pixels], colour: Sequence[float]) -> None:
    """Fills closed outlines (N x 2 each), of which one inside another cuts a hole; their edges are smoothed."""
    fixed = [np.round(outline * (1 << SUBPIXEL_BITS)).astype(np.int32) for outline in outlines_px]
    if len(fixed) == 1 and cv2.isContourConvex(fixed[0]):
        fill(image, outlines_px[0], colour)
    else:
        cv2.fillPoly(image, fixed, tuple(colour), cv2.LINE_AA, SUBPIXEL_BITS)


def hull(points_px: Pixels) -> Pixels:
    """Gets the convex outline (M x 2) of points (N x 2)."""
    return np.asarray(cv2.convexHull(points_px.astype(np.float32)), dtype=np.float64).reshape(-1, 2)


def mask_of(size_px: tuple[int, int], shapes_px: Sequence[Pixels]) -> Picture:
    """Gets a height x width mask, 255 inside the convex shapes; ``size_px`` is width, height."""
    mask = np.zeros((size_px[1], size_px[0]), dtype=np.uint8)
    for shape in shapes_px:
        fill(mask, shape, (255,))
    return mask


def darken(image: Picture, shapes_px: Sequence[Pixels], part: float) -> None:
    """Takes a part of the light inside some shapes (N x 2 each), with soft edges.

    It is drawn at a quarter of the size: so soft a shadow has no detail.
    """
    height, width = image.shape[:2]
    light = np.full((height // 4, width // 4), 255, dtype=np.uint8)
    for outline in shapes_px:
        fill(light, hull(outline) / 4, (255 * (1 - part),))
    light = np.asarray(cv2.GaussianBlur(light, (0, 0), 3.0), dtype=np.uint8)
    rows = np.flatnonzero((light < 254).any(axis=1))
    columns = np.flatnonzero((light < 254).any(axis=0))
    if not len(rows):
        return
    y0, y1, x0, x1 = int(rows[0]) * 4, (int(rows[-1]) + 1) * 4, int(columns[0]) * 4, (int(columns[-1]) + 1) * 4
    small = light[y0 // 4 : y1 // 4, x0 // 4 : x1 // 4]
    full = cv2.resize(small, (x1 - x0, y1 - y0), interpolation=cv2.INTER_LINEAR)
    below = image[y0:y1, x0:x1]
    below[:] = cv2.multiply(below, cv2.cvtColor(full, cv2.COLOR_GRAY2BGR), scale=1 / 255)


def let_through(image: Picture, below: Picture, corners_px: Pixels, colour: Sequence[float], share: float) -> None:
    """Makes what is drawn within corners (N x 2) let a share of the light through, 0 to 1: what is there without it
    (``below``, a picture as large) shows through it in its colour."""
    within = mask_of((image.shape[1], image.shape[0]), [hull(corners_px)]).astype(np.float32)[..., None] / 255 * share
    through = below * (np.array(colour, dtype=np.float32) / 255)
    image[:] = np.round(image * (1 - within) + through * within).astype(np.uint8)


def along(corners_mm: NDArray[np.float64], step_mm: float = 12.0) -> NDArray[np.float64]:
    """Gets points (M x 3) along the closed outline of corners (N x 3), so dense that a lens can bend its edges."""
    pieces: list[NDArray[np.float64]] = []
    for start, end in zip(corners_mm, np.roll(corners_mm, -1, axis=0), strict=True):
        count = max(1, math.ceil(float(np.linalg.norm(end - start)) / step_mm))
        pieces.append(start + (end - start) * (np.arange(count) / count)[:, None])
    return np.concatenate(pieces)


def lit(colour: Sequence[float], strength: float) -> tuple[float, float, float]:
    """Gets a colour under a light of the given strength, 1 for as it is."""
    blue, green, red = colour
    return (min(blue * strength, 255.0), min(green * strength, 255.0), min(red * strength, 255.0))


def felt_grain(random: np.random.Generator, height: int, width: int) -> Grain:
    """Gets noise like that of felt or cork, fine and coarse grain, with a standard deviation of about 1."""
    grain = random.standard_normal((height, width)).astype(np.float32)
    for scale in (4, 16, 64):
        coarse = random.standard_normal((height // scale + 2, width // scale + 2)).astype(np.float32)
        grain += cv2.resize(coarse, (width, height), interpolation=cv2.INTER_CUBIC) * 0.7
    return np.asarray(grain / 1.6, dtype=np.float32)


def wood_grain(random: np.random.Generator, height: int, width: int) -> Grain:
    """Gets noise like that of wood, drawn out along the width, with a standard deviation of about 1."""
    streaks = random.standard_normal((height, max(8, width // 48))).astype(np.float32)
    long = cv2.resize(streaks, (width, height), interpolation=cv2.INTER_CUBIC)
    broad = random.standard_normal((max(4, height // 24), max(4, width // 200))).astype(np.float32)
    bands = cv2.resize(broad, (width, height), interpolation=cv2.INTER_CUBIC)
    fine = random.standard_normal((height, width)).astype(np.float32)
    return np.asarray(long * 0.75 + bands * 0.7 + fine * 0.25, dtype=np.float32)
