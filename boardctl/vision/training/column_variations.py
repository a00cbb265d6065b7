"""Other light, other cameras, shadows and things over strips: how what the network learns from is varied."""

import cv2
import numpy as np
from numpy.typing import NDArray

from boardctl.vision.points.column_input import LEANING_PX, ROOT_OF_LEVEL
from boardctl.vision.points.columns import CHECKER_PX, SLOTS, STRIP_LENGTH, STRIP_WIDTH
from boardctl.vision.training.column_network import CHANNELS
from boardctl.vision.training.column_parts import CHANGE_COUNTS, LIKENESS_COUNTS

Floats = NDArray[np.float32]

LINE_PX = 4
"""So wide a point's middle line is taken to be."""

SCALE_OFF = 0.008
"""Spread of how far off the size of a checker is in a calibration, and the direction of its points."""


def _patch(rng: np.random.Generator) -> NDArray[np.uint8]:
    """Gets a random many-cornered patch of a strip (length x width), 255 in it."""
    middle = rng.uniform((0, -8), (STRIP_LENGTH * 0.9, STRIP_WIDTH + 8))
    turns = np.sort(rng.uniform(0, 2 * np.pi, 9))
    reach = rng.uniform(8, 60) * rng.uniform(0.6, 1.2, 9)
    outline = np.stack([middle[1] + reach * np.cos(turns), middle[0] + reach * np.sin(turns)], axis=-1)
    mask = np.zeros((STRIP_LENGTH, STRIP_WIDTH), np.uint8)
    cv2.fillPoly(mask, [np.round(outline).astype(np.int32)], 255)
    return mask


def shadowed(shown: Floats, rng: np.random.Generator) -> Floats:
    """Lets a shadow fall on a part of the strip, as of a hand beside or above it; nothing is hidden by it."""
    soft = cv2.GaussianBlur(_patch(rng), (0, 0), rng.uniform(0.6, 5.0)).astype(np.float32)[..., None] / 255
    tint = rng.uniform(0.3, 0.85) * rng.uniform(0.93, 1.07, 3)
    return np.asarray(shown * (1 - soft + soft * tint), dtype=np.float32)


def covered_over(
    shown: Floats, like: Floats, held: NDArray[np.bool_], rng: np.random.Generator
) -> tuple[Floats, Floats, Floats]:
    """Lays something of one colour, shaded, over a part of a strip, as a hand or sleeve would; gets its picture, its
    likenesses, and what share of each slot (7) is covered: as wide as a checker where one is ``held`` (7), else of the
    point's middle line."""
    mask = _patch(rng)
    soft = cv2.GaussianBlur(mask, (0, 0), 0.8).astype(np.float32)[..., None] / 255
    colour = rng.uniform(10, 230) * rng.uniform(0.6, 1.3, 3)
    shade = cv2.resize(rng.uniform(0.7, 1.3, (4, 3)).astype(np.float32), (STRIP_WIDTH, STRIP_LENGTH))
    cover = np.clip(colour * np.asarray(shade)[..., None], 0, 255)
    likeness = np.clip(rng.normal(-2, 2, 2) + rng.normal(0, 0.7, like.shape), -4, 4)
    by_column = (mask > 0).reshape(SLOTS, -1, STRIP_WIDTH).mean(axis=1)
    checker, line = (by_column[:, (STRIP_WIDTH - wide) // 2 :][:, :wide].mean(axis=1) for wide in (CHECKER_PX, LINE_PX))
    shares = np.where(held, checker, line).astype(np.float32)
    covered_like = (like * (1 - soft) + likeness * soft).astype(np.float32)
    covered = (shown * (1 - soft) + cover * soft).astype(np.float32)
    return covered, covered_like, shares


def _uneven(rng: np.random.Generator) -> Floats:
    """Gets light that grows from one side of a strip to the other (length x width x 1)."""
    turn, strength = rng.uniform(0, 2 * np.pi), rng.uniform(0.05, 0.35)
    rows, columns = np.mgrid[-0.5 : 0.5 : STRIP_LENGTH * 1j, -0.1 : 0.1 : STRIP_WIDTH * 1j]
    light = 1 + 2 * strength * (np.cos(turn) * rows + np.sin(turn) * columns)
    return np.asarray(light, dtype=np.float32)[..., None]


def blob_of(shown: Floats, empty: Floats, like: Floats, leaning: Floats, rng: np.random.Generator) -> Floats:
    """Makes the network's input under another light, through a noisier or softer camera, slightly misplaced."""
    gain = np.exp(rng.normal(0, 0.25)) * np.exp(rng.normal(0, 0.12, 3))
    own = gain * np.exp(rng.normal(0, 0.03)) * np.exp(rng.normal(0, 0.015, 3))
    pair = []
    order = rng.permutation(3)
    bend = np.exp(rng.normal(0, 0.18)) if rng.random() < 0.3 else 1.0
    pale = rng.uniform(0, 1) if rng.random() < 0.25 else 0.0
    light = _uneven(rng) if rng.random() < 0.25 else np.ones((1, 1, 1), np.float32)
    for levels, factor in ((shown, own), (empty, gain)):
        lit = levels * factor.astype(np.float32) * light
        if pale:
            lit += pale * (lit.mean(axis=2, keepdims=True) - lit)
        if bend != 1.0:
            lit = 255 * (np.clip(lit, 0, 400) / 255) ** np.float32(bend)
        lit += rng.standard_normal(levels.shape, dtype=np.float32) * np.float32(rng.uniform(0.3, 3.0))
        pair.append(np.clip(lit, 0, 255).astype(np.uint8)[..., order])
    seen = pair[0]
    if rng.random() < 0.15:
        coarse = rng.uniform(0.65, 0.95)
        small = cv2.resize(seen, None, fx=coarse, fy=coarse, interpolation=cv2.INTER_AREA)
        seen = np.asarray(cv2.resize(small, (STRIP_WIDTH, STRIP_LENGTH)))
    if rng.random() < 0.3:
        seen = np.asarray(cv2.GaussianBlur(seen, (0, 0), rng.uniform(0.4, 0.9)))
    down, right = rng.normal(0, 0.7, 2).clip(-2, 2)
    scale, turn = 1 + rng.normal(0, SCALE_OFF), rng.normal(0, SCALE_OFF)
    shift = np.array([[scale, -turn, right], [turn, scale, down]], dtype=np.float64)
    size = (STRIP_WIDTH, STRIP_LENGTH)

    def moved(values: NDArray[np.uint8] | Floats) -> Floats:
        return np.asarray(cv2.warpAffine(values, shift, size, borderMode=cv2.BORDER_REPLICATE), dtype=np.float32)

    roots = ROOT_OF_LEVEL[moved(seen).astype(np.uint8)]
    blob = np.empty((CHANNELS, STRIP_LENGTH, STRIP_WIDTH), np.float32)
    blob[0:3] = roots.transpose(2, 0, 1)
    blob[3:6] = CHANGE_COUNTS * (roots - ROOT_OF_LEVEL[moved(pair[1]).astype(np.uint8)]).transpose(2, 0, 1)
    blob[6:8] = LIKENESS_COUNTS * moved(like).transpose(2, 0, 1)
    blob[8:10] = (leaning / LEANING_PX)[:, None, None]
    return blob
