"""Draws a hand that reaches over the board: sleeve, forearm, palm and fingers, and the shadow under them."""

import math

import cv2
import numpy as np
from numpy.typing import NDArray

from boardctl.rules import Seat
from boardctl.virtual.brush import Picture, fill, fill_any, hull, lit
from boardctl.virtual.stage import Stage, cast_onto
from boardctl.virtual.world import Hand

Floats = NDArray[np.float64]

HAND_HEIGHT_MM = 38.0
"""How high over the board the back of a hand is that holds a checker."""

ARM_REACH_MM = 700.0
"""The arm goes on beyond the edge of any picture."""

FINGERS: tuple[tuple[float, float, float, float], ...] = (
    # where it starts across the palm, where it ends across and along, and its half width: millimetres
    (-30.0, -20.0, -2.0, 8.5),
    (-14.0, -9.0, 6.0, 8.5),
    (3.0, 2.0, 8.0, 8.5),
    (19.0, 12.0, 2.0, 7.5),
)
THUMB: tuple[float, float, float, float] = (-44.0, -17.0, -16.0, 10.0)


def draw_hand(stage: Stage, image: Picture, hand: Hand) -> None:
    """Draws one hand with its arm coming in from its seat's edge."""
    parts = _parts_mm(stage, hand)
    shadows = [stage.camera.project(cast_onto(stage.look.light, part, 0.0)) for part, _, _ in parts]
    _shade(image, shadows)
    strength = stage.light_at(hand.x_mm, hand.y_mm)
    for part, colour, light in parts:
        outline = stage.camera.project(part)
        fill_any(image, outline, lit(colour, strength * light * 0.86))
        # Round limbs are brighter along their middle.
        for share, more in ((0.72, 0.95), (0.42, 1.03)):
            middle = outline.mean(axis=0)
            direction = _long_axis(outline)
            across = np.array([-direction[1], direction[0]])
            offset = outline - middle
            thin = middle + np.outer(offset @ direction, direction) * 0.985 + np.outer(offset @ across, across) * share
            fill_any(image, thin, lit(colour, strength * light * more))


def _parts_mm(stage: Stage, hand: Hand) -> list[tuple[Floats, tuple[float, float, float], float]]:
    """Gets the parts of a hand from the arm to the finger tips: outline (N x 3), colour, light."""
    side = 1.0 if hand.seat is Seat.A else -1.0
    # The elbow stays near the player's middle: reaching sideways turns the arm.
    origin = np.array([hand.x_mm * 0.45, -side * ARM_REACH_MM])
    tip = np.array([hand.x_mm, hand.y_mm])
    along = (tip - origin) / float(np.linalg.norm(tip - origin))
    across = np.array([along[1], -along[0]])
    skin, cloth = stage.tinted(stage.look.skin), stage.tinted(stage.look.sleeve)

    def shape(points: list[tuple[float, float]], height: float) -> Floats:
        flat = [tip + across * a + along * b for a, b in points]
        return np.column_stack([np.array(flat), np.full(len(flat), height)])

    back = float(np.linalg.norm(tip - origin))
    wrist = -118.0
    limbs: list[tuple[Floats, tuple[float, float, float], float]] = [
        (shape([(-50, -back), (50, -back), (40, wrist - 38), (-40, wrist - 38)], HAND_HEIGHT_MM + 24), cloth, 0.95),
        (
            shape([(-29, wrist - 45), (29, wrist - 45), (28, wrist + 14), (-28, wrist + 14)], HAND_HEIGHT_MM + 14),
            skin,
            0.97,
        ),
    ]
    for start, end_across, end_along, half in (*FINGERS, THUMB):
        limbs.append(
            (shape(_capsule((start, -62.0), (end_across, end_along - 4.0), half), HAND_HEIGHT_MM - 10), skin, 0.98)
        )
    palm = [(44 * math.cos(t), -84 + 40 * math.sin(t)) for t in np.linspace(0, 2 * math.pi, 24, endpoint=False)]
    limbs.append((shape(palm, HAND_HEIGHT_MM + 6), skin, 1.0))
    return limbs


def _capsule(start: tuple[float, float], end: tuple[float, float], half: float) -> list[tuple[float, float]]:
    """Gets the outline of a finger: round at its tip, a little wider at its root."""
    angle = math.atan2(end[1] - start[1], end[0] - start[0])
    tip = [
        (end[0] + half * math.cos(angle + t), end[1] + half * math.sin(angle + t))
        for t in np.linspace(-math.pi / 2, math.pi / 2, 8)
    ]
    root = [
        (start[0] + half * 1.1 * math.cos(angle + t), start[1] + half * 1.1 * math.sin(angle + t))
        for t in (math.pi / 2, -math.pi / 2)
    ]
    return [*tip, *root]


def _long_axis(outline: Floats) -> Floats:
    """Gets the unit direction in which an outline (N x 2) is longest."""
    centred = outline - outline.mean(axis=0)
    _, vectors = np.linalg.eigh(centred.T @ centred)
    return np.asarray(vectors[:, 1], dtype=np.float64)


def _shade(image: Picture, shapes: list[Floats]) -> None:
    """Darkens the board under a hand; drawn at a quarter of the size, for so soft a shadow has no detail."""
    height, width = image.shape[:2]
    light = np.full((height // 4, width // 4), 255, dtype=np.uint8)
    for outline in shapes:
        fill(light, hull(outline) / 4, (150,))
    light = np.asarray(cv2.GaussianBlur(light, (0, 0), 3.0), dtype=np.uint8)
    rows = np.flatnonzero((light < 254).any(axis=1))
    columns = np.flatnonzero((light < 254).any(axis=0))
    if not len(rows):
        return
    y0, y1, x0, x1 = int(rows[0]) * 4, (int(rows[-1]) + 1) * 4, int(columns[0]) * 4, (int(columns[-1]) + 1) * 4
    small = light[y0 // 4 : y1 // 4, x0 // 4 : x1 // 4]
    full = cv2.resize(small, (x1 - x0, y1 - y0), interpolation=cv2.INTER_LINEAR)
    part = image[y0:y1, x0:x1]
    part[:] = cv2.multiply(part, cv2.cvtColor(full, cv2.COLOR_GRAY2BGR), scale=1 / 255)
