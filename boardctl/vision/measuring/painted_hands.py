"""Arms and fingers painted into pictures so that they reach over a die, to see what the eyes tell of it then."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.light.linear import levels_of, light_of

Picture = NDArray[np.uint8]
Floats = NDArray[np.float64]

COLOURS = (
    (150, 175, 215),
    (95, 130, 190),
    (60, 85, 130),
    (40, 40, 45),
    (120, 60, 40),
    (60, 60, 150),
    (200, 200, 205),
    (70, 110, 60),
)
"""Blue, green, red of skin, light to dark, and of sleeves: black, blue, red, white, green."""
DARKER, LIGHTER = 0.6, 1.1
"""Light on them, in parts of that on the board."""
ASLANT_RAD = 0.6
"""So far an arm is turned, either way, from straight across the board."""
ARM, FINGER = (1.6, 2.6), (0.3, 0.5)
"""Widths of an arm and of a finger, in checkers."""
REACHES_ON, FINGER_LONG = (0.7, 2.0), (1.0, 1.8)
"""How far an arm beside a die reaches beyond it, and a finger from its hand, in checkers."""
WEAVE_PX, WEAVE, EDGE_PX = 2.0, 0.03, 0.8
"""How coarse the weave of a sleeve is, how strong (in shares of its light), and how soft its edge in the picture is
(standard deviations)."""
SHADOW_PX, SHADOW_SOFT_PX, SHADOW_LEFT = 12, 5.0, 0.55
"""How far a shadow lies from what casts it at most, how soft it is, and how much light it leaves."""
FINE = 16
"""Outlines are drawn in sixteenths of a pixel."""
JPEG_QUALITY = 90


@dataclass(frozen=True, slots=True)
class Die:
    """Where a die is seen: the middle of its top face (x, y in pixels), its width and a checker's (pixels)."""

    middle_px: tuple[float, float]
    width_px: float
    checker_px: float


def with_hand_over(
    picture: Picture, die: Die, across: tuple[float, float], edge: float, rng: np.random.Generator
) -> Picture:
    """Gets a picture (H x W x 3) with an arm or a finger whose edge is ``edge`` widths of a die away from its middle:
    below nought it lies over the middle, beyond 0.7 not over the die. ``across``: the way from a long side of the board
    to the other (unit length); it comes from either."""
    way = np.array(across) * rng.choice((-1.0, 1.0))
    aslant = rng.uniform(-ASLANT_RAD, ASLANT_RAD)
    way = np.array([[np.cos(aslant), -np.sin(aslant)], [np.sin(aslant), np.cos(aslant)]]) @ way
    aside = np.array([-way[1], way[0]]) * rng.choice((-1.0, 1.0))
    mask = np.zeros(picture.shape[:2], np.uint8)
    draw = _arm if rng.uniform() < 0.5 else _finger
    first = draw(mask, die, way, aside, edge, rng)
    return _painted(picture, mask, first, aside, die.checker_px, rng)


def _arm(mask: Picture, die: Die, way: Floats, aside: Floats, edge: float, rng: np.random.Generator) -> Floats:
    """Draws an arm that passes beside a die's middle, or ends before it; gets a spot of its first side."""
    width = rng.uniform(*ARM) * die.checker_px
    if rng.uniform() < 0.5:
        first = die.middle_px + aside * edge * die.width_px + way * rng.uniform(*REACHES_ON) * die.checker_px
    else:
        first = die.middle_px - way * edge * die.width_px - aside * rng.uniform(0.2, 0.8) * width
    _fill(mask, [first, first + aside * width, *_far([first + aside * width, first], way, mask)])
    return first


def _finger(mask: Picture, die: Die, way: Floats, aside: Floats, edge: float, rng: np.random.Generator) -> Floats:
    """Draws a hand with a finger that ends at a die; gets a spot of the hand's first side."""
    half = rng.uniform(*FINGER) * die.checker_px / 2
    tip = die.middle_px + (aside * rng.uniform(-0.6, 0.6) - way * edge) * die.width_px - way * half
    knuckle = tip - way * rng.uniform(*FINGER_LONG) * die.checker_px
    width = rng.uniform(*ARM) * die.checker_px
    first = knuckle - aside * rng.uniform(0.2, 0.8) * width
    _fill(mask, [first, first + aside * width, *_far([first + aside * width, first], way, mask)])
    _fill(mask, [tip - aside * half, tip + aside * half, *(knuckle - way * half + aside * half * n for n in (1, -1))])
    cv2.circle(mask, _fine(tip), round(half * FINE), 255, cv2.FILLED, cv2.LINE_AA, 4)
    return first


def _far(spots: list[Floats], way: Floats, mask: Picture) -> list[Floats]:
    """Gets spots so far back along an arm that they are outside the picture."""
    return [spot - way * sum(mask.shape) for spot in spots]


def _fine(spot: Floats) -> tuple[int, int]:
    x, y = np.rint(spot * FINE).astype(int).tolist()
    return x, y


def _fill(mask: Picture, outline: list[Floats]) -> None:
    cv2.fillConvexPoly(mask, np.array([_fine(spot) for spot in outline], dtype=np.int32), 255, cv2.LINE_AA, 4)


def _painted(
    picture: Picture, mask: Picture, first: Floats, aside: Floats, checker_px: float, rng: np.random.Generator
) -> Picture:
    """Gets a picture with something rounded of one colour where the mask says, and its shadow."""
    height, width = mask.shape
    rows, columns = np.mgrid[0:height, 0:width].astype(np.float32)
    along = ((columns - first[0]) * aside[0] + (rows - first[1]) * aside[1]) / (checker_px * np.mean(ARM))
    rounded = 0.6 + 0.4 * np.sin(np.pi * np.clip(along, 0, 1))
    weave = cv2.GaussianBlur(rng.standard_normal((height, width)).astype(np.float32), (0, 0), WEAVE_PX)
    colour = np.array([[COLOURS[rng.integers(len(COLOURS))]]], dtype=np.uint8)
    cover = light_of(colour) * rng.uniform(DARKER, LIGHTER) * rounded[..., None]
    cover *= 1 + (WEAVE / max(float(weave.std()), 1e-6)) * weave[..., None]
    away = np.array([[1, 0, rng.uniform(-SHADOW_PX, SHADOW_PX)], [0, 1, rng.uniform(-SHADOW_PX, SHADOW_PX)]])
    shadow = cv2.GaussianBlur(cv2.warpAffine(mask, away, (width, height)), (0, 0), SHADOW_SOFT_PX)
    light = light_of(picture) * (1 - (1 - SHADOW_LEFT) * (shadow[..., None] / np.float32(255)))
    share = cv2.GaussianBlur(mask, (0, 0), EDGE_PX)[..., None] / np.float32(255)
    painted = levels_of((light * (1 - share) + cover * share).astype(np.float32))
    _, coded = cv2.imencode(".jpg", painted, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])
    return np.asarray(cv2.imdecode(coded, cv2.IMREAD_COLOR), dtype=np.uint8)
