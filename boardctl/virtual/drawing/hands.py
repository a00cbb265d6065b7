"""Draws a hand that reaches over the board: sleeve, forearm, palm and fingers, and the shadow under them."""

import math
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from boardctl.rules import Seat, point
from boardctl.virtual.drawing.bodies import draw_checkers
from boardctl.virtual.drawing.brush import Picture, darken, fill_any
from boardctl.virtual.drawing.stage import Stage, cast_onto
from boardctl.virtual.world import ELBOW, Checker, Hand

Floats = NDArray[np.float64]

HAND_HEIGHT_MM = 38.0
"""How high over the board the back of a hand is that holds a checker."""

HELD_HEIGHT_MM = 24.0
"""How high a checker is that is held between finger tips."""

ARM_REACH_MM = 700.0
"""The arm goes on beyond the edge of any picture."""

WIDEST = 2.5
"""Tangent of the angle off its axis to which a camera sees: 68 degrees. An arm may reach beyond, or to behind it, where
the polynomial of a lens means nothing."""

FINGERS: tuple[tuple[float, float, float, float], ...] = (
    # where it starts across the palm, where it ends across and along, and its half width: millimetres
    (-30.0, -20.0, -2.0, 8.5),
    (-14.0, -9.0, 6.0, 8.5),
    (3.0, 2.0, 8.0, 8.5),
    (19.0, 12.0, 2.0, 7.5),
)
THUMB: tuple[float, float, float, float] = (-44.0, -17.0, -16.0, 10.0)


def draw_hand(stage: Stage, image: Picture, hand: Hand) -> None:
    """Draws one hand with its arm coming in from its seat's edge, and the checker that it holds."""
    limbs = _limbs(stage, hand)
    shadows = (_seen(stage, cast_onto(stage.look.light, limb.outline_mm, 0.0)) for limb in limbs)
    darken(image, [shadow for shadow in shadows if len(shadow)], hand.shadow)
    if hand.holding is not None:
        held = Checker(hand.holding, point(1), 0, hand.x_mm, hand.y_mm, HELD_HEIGHT_MM)
        draw_checkers(stage, image, [held])
    strength = stage.light_at(hand.x_mm, hand.y_mm)
    for limb in limbs:
        _draw_limb(image, _seen(stage, limb.outline_mm), limb, strength)


def outlines_px(stage: Stage, hand: Hand) -> list[Floats]:
    """Gets the outlines (each N x 2 pixels) of what is seen of a hand and its arm."""
    outlines = (_seen(stage, limb.outline_mm) for limb in _limbs(stage, hand))
    return [outline for outline in outlines if len(outline)]


def _seen(stage: Stage, outline_mm: Floats) -> Floats:
    """Gets where the camera sees an outline (N x 3), in pixels (M x 2): that of the part ahead of it, if any is."""
    camera = stage.camera
    across, down, ahead = camera.rotation @ outline_mm.T + np.array(camera.translation_mm)[:, None]
    within = WIDEST * ahead - np.hypot(across, down)
    if (within >= 0).all():
        return camera.project(outline_mm)
    part: list[Floats] = []
    for index, here in enumerate(within):
        if here >= 0:
            part.append(outline_mm[index])
        following = (index + 1) % len(within)
        if (here >= 0) != (within[following] >= 0):
            way = here / (here - within[following])
            part.append(outline_mm[index] + way * (outline_mm[following] - outline_mm[index]))
    return camera.project(np.array(part)) if part else np.empty((0, 2))


def _draw_limb(image: Picture, outline: Floats, limb: "Limb", strength: float) -> None:
    """Draws a round limb: brightest along its middle, darker towards its edges as far as ``limb.edge`` says."""
    if not len(outline):
        return
    x0, y0 = np.maximum(np.floor(outline.min(axis=0)).astype(int) - 2, 0)
    x1, y1 = np.minimum(np.ceil(outline.max(axis=0)).astype(int) + 3, [image.shape[1], image.shape[0]])
    if x1 <= x0 or y1 <= y0:
        return
    mask = np.zeros((y1 - y0, x1 - x0), dtype=np.uint8)
    fill_any(mask, outline - [x0, y0], (255,))
    # The picture's edge is no edge of the limb.
    padded = cv2.copyMakeBorder(mask, 1, 1, 1, 1, cv2.BORDER_REPLICATE)
    inside = cv2.distanceTransform((padded > 127).astype(np.uint8), cv2.DIST_L2, 3)[1:-1, 1:-1]
    deep = np.sqrt(np.minimum(inside / max(float(inside.max()) * 0.8, 1.0), 1.0))
    light = (limb.edge + (1 - limb.edge) * deep)[..., None] * strength
    colour = np.array(limb.colour, dtype=np.float32) * light
    weight = (mask.astype(np.float32) / 255)[..., None]
    part = image[y0:y1, x0:x1]
    part[:] = np.clip(part + (colour - part) * weight, 0, 255).astype(np.uint8)


@dataclass(frozen=True, slots=True)
class Limb:
    """One part of a hand or arm: outline (N x 3, millimetres), colour, and how dark its edge is (1: not at all)."""

    outline_mm: Floats
    colour: tuple[float, float, float]
    edge: float


def _limbs(stage: Stage, hand: Hand) -> list[Limb]:
    """Gets the parts of a hand in the order in which they are painted."""
    side = 1.0 if hand.seat in (Seat.A, Seat.D) else -1.0
    # The elbow stays near the player's middle: reaching sideways turns the arm.
    origin = np.array([hand.x_mm * ELBOW, -side * ARM_REACH_MM])
    tip = np.array([hand.x_mm, hand.y_mm])
    along = (tip - origin) / float(np.linalg.norm(tip - origin))
    across = np.array([along[1], -along[0]])
    skin, cloth = stage.tinted(stage.look.skin), stage.tinted(stage.look.sleeve)

    def shape(points: list[tuple[float, float]], height: float) -> Floats:
        flat = [tip + across * a + along * b for a, b in points]
        return np.column_stack([np.array(flat), np.full(len(flat), height)])

    back = float(np.linalg.norm(tip - origin))
    wrist = -118.0
    limbs = [
        Limb(
            shape([(-27, wrist - 48), (27, wrist - 48), (29, wrist + 20), (-29, wrist + 20)], HAND_HEIGHT_MM), skin, 0.7
        ),
        Limb(shape([(-52, -back), (52, -back), (39, wrist - 30), (-39, wrist - 30)], HAND_HEIGHT_MM + 24), cloth, 0.55),
    ]
    for start, end_across, end_along, half in (THUMB, *FINGERS):
        outline = _capsule((start, -66.0), (end_across, end_along - 4.0), half)
        limbs.append(Limb(shape(outline, HAND_HEIGHT_MM - 8), skin, 0.62))
    palm = [
        (
            (41 if math.sin(t) > 0 else 36) * _squared(math.cos(t)),
            -88 + (34 if math.sin(t) > 0 else 46) * _squared(math.sin(t)),
        )
        for t in np.linspace(0, 2 * math.pi, 32, endpoint=False)
    ]
    limbs.append(Limb(shape(palm, HAND_HEIGHT_MM + 4), skin, 0.86))
    return limbs


def _squared(value: float) -> float:
    """Gets a coordinate of a superellipse: the back of a hand has corners, if round ones."""
    return math.copysign(abs(value) ** 0.75, value)


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
