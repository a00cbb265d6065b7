"""The colours of the dice: of each the colour of its body, as it would look in the same light everywhere on the board.

A die's pips, glints and shadows are its smaller part: the colour of most pixels of its top face is the body's. What the
calibration knows of the light is taken out: how much brighter the picture is than that of the empty board (by
:func:`~calibration.drift.relit`), and how the light falls off over that board, which dice in the two seats' sections
would otherwise differ by.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from boardctl.referee.readings import DieReading, Lab
from calibration import BoardGeometry, Calibration
from calibration.installation import INSTALLATIONS_KEPT

Picture = NDArray[np.uint8]
Floats = NDArray[np.float64]

FACE = 0.38
"""How far from the middle of the top face a pixel may lie, in die widths: an edge, rounded or seen askew, is not in."""
ACROSS = 13
"""So many pixels are looked at across the face: about as many as a die of a recommended picture has."""
ALIKE = 14.0
"""Pixels this near to the face's middle colour (distance in Lab) are of the body; pips differ by far more."""
LEAST_BODY = 0.4
"""Share of a face's pixels that must be of the body: with six pips some two in three are, and more is a finger's."""
STEP_MM = 9.0
"""The light over the board is looked at every so many millimetres, where it shows neither points nor anything else."""
LEAST_LIGHT = 0.4
"""No place of a board is lit by less than this part of what its middle is, or by more than one over this."""


def coloured(
    dice: Sequence[DieReading], picture: Picture, calibration: Calibration, die_mm: float
) -> tuple[DieReading, ...]:
    """Gets the dice with the colours of their bodies, as a picture (H x W x 3) in the calibration's light shows them.

    ``die_mm``: how wide the dice are. A die that may lean on something keeps its colour untold: its top face is not
    where a flat die has it.
    """
    return tuple(replace(die, body=body_colour(picture, calibration, die, die_mm)) if die.flat else die for die in dice)


def prepare_colours(calibration: Calibration) -> None:
    """Does what no frame should have to wait for: OpenCV's tables of colours are made on first use (0.2 seconds)."""
    _lab(np.zeros((1, 3)))
    _light(calibration)


def body_colour(picture: Picture, calibration: Calibration, die: DieReading, die_mm: float) -> Lab | None:
    """Gets the colour (CIE L*, a*, b*) of a flat die's body; None where too little of its face is of one colour."""
    x, y = die.center_mm
    disc = _disc() * FACE * die_mm
    spots = np.column_stack([disc[:, 0] + x, disc[:, 1] + y, np.full(len(disc), die_mm)])
    pixels = np.rint(calibration.camera.project(spots)).astype(np.intp)
    height, width = picture.shape[:2]
    inside = ((pixels >= 0) & (pixels < [width, height])).all(axis=1)
    if not inside.all():
        return None
    colours = picture[pixels[:, 1], pixels[:, 0]].astype(np.float64) / light_at(calibration, x, y)
    seen = _lab(colours)
    middle = np.sort(seen, axis=0)[len(seen) // 2]  # the median: the disc's middle makes its spots odd in number
    body = seen[np.linalg.norm(seen - middle, axis=1) < ALIKE]
    if len(body) < LEAST_BODY * len(seen):
        return None
    lightness, green_red, blue_yellow = (round(float(value), 1) for value in body.mean(axis=0))
    return (lightness, green_red, blue_yellow)


def light_at(calibration: Calibration, x_mm: float, y_mm: float) -> float:
    """Gets how bright the light is at a spot of the board, against the mean of the board."""
    terms = _terms(np.array([[x_mm, y_mm]]), calibration.geometry)[0]
    return float(np.clip(np.exp(terms @ _light(calibration)), LEAST_LIGHT, 1 / LEAST_LIGHT))


@lru_cache(maxsize=INSTALLATIONS_KEPT)
def _light(calibration: Calibration) -> Floats:
    """Gets how the light falls off over the empty board: the weights of :func:`_terms` in its logarithm.

    Taken from the bare field between the points, which is of one colour. What stands out of it (grain, a print, the
    shadow of a rail) is left out; a quarter of it on either side is more than either covers.
    """
    geometry = calibration.geometry
    spots = _bare_spots(geometry)
    empty = calibration.empty
    pixels = np.rint(calibration.camera.project(np.column_stack([spots, np.zeros(len(spots))]))).astype(np.intp)
    height, width = empty.shape[:2]
    inside = ((pixels >= 0) & (pixels < [width, height])).all(axis=1)
    soft = cv2.blur(empty, (5, 5))
    levels = np.log(soft[pixels[inside, 1], pixels[inside, 0]].astype(np.float64).mean(axis=1) + 1)
    terms = _terms(spots[inside], geometry)
    kept = np.ones(len(levels), dtype=bool)
    weights: Floats = np.zeros(terms.shape[1])
    for _ in range(4):
        fit, *_ = np.linalg.lstsq(np.column_stack([terms[kept], np.ones(kept.sum())]), levels[kept], rcond=None)
        off = levels - np.column_stack([terms, np.ones(len(terms))]) @ fit
        low, high = np.quantile(off, (0.25, 0.75))
        kept = (off >= low) & (off <= high)
        weights = fit[:-1]
    return weights


def _terms(spots_mm: Floats, geometry: BoardGeometry) -> Floats:
    """Gets the terms (N x 5) of a surface of the second degree over spots (N x 2), 0 in the board's mean."""
    x = spots_mm[:, 0] / (geometry.field_width_mm / 2)
    y = spots_mm[:, 1] / (geometry.field_height_mm / 2)
    return np.column_stack([x, y, x * y, x * x - 1 / 3, y * y - 1 / 3])


def _bare_spots(geometry: BoardGeometry) -> Floats:
    """Gets spots (N x 2) of the field that lie beside all points, on a grid."""
    end_x, end_y = geometry.field_width_mm / 2, geometry.field_height_mm / 2
    grid = np.stack(np.meshgrid(np.arange(-end_x, end_x, STEP_MM), np.arange(-end_y, end_y, STEP_MM)), axis=-1)
    spots = grid.reshape(-1, 2)
    margin = geometry.point_width_mm / 8
    bare = (np.abs(spots[:, 0]) > geometry.bar_width_mm / 2 + margin) & (np.abs(spots[:, 0]) < end_x - margin)
    for number in range(1, 25):
        (left, base), (right, _), (tip_x, tip_y) = geometry.point_triangle(number)
        part = (spots[:, 1] - tip_y) / (base - tip_y)  # 0 at the tip, 1 at the edge
        half = (right - left) / 2 * np.clip(part, 0, None) + margin
        bare &= (part < -margin / abs(base - tip_y)) | (np.abs(spots[:, 0] - tip_x) > half)
    return np.asarray(spots[bare])


@lru_cache(maxsize=1)
def _disc() -> Floats:
    """Gets spots (N x 2) of a disc of radius 1 around 0, on a grid."""
    line = np.linspace(-1, 1, ACROSS)
    grid = np.stack(np.meshgrid(line, line), axis=-1).reshape(-1, 2)
    return np.asarray(grid[np.hypot(grid[:, 0], grid[:, 1]) <= 1])


def _lab(colours: Floats) -> Floats:
    """Gets colours (N x 3; blue, green, red, 0 to 255) as CIE L*, a*, b*."""
    shares = np.clip(colours / 255, 0, 1).astype(np.float32)[None]
    return np.asarray(cv2.cvtColor(shares, cv2.COLOR_BGR2LAB)[0], dtype=np.float64)
