"""Draws tall stacks into strips of points: rows made longer, checkers laid on rows, as many and as high as games have.

Eleven boards hold few stacks of more than five. A checker laid on others is a top cut from the same strip, moved by the
camera's leaning for each layer, with its own wall and shadow.
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from boardctl.vision.points.columns import CHECKER_PX, SLOTS, STRIP_LENGTH, STRIP_WIDTH

Floats = NDArray[np.float32]

LAYERS = 3
TOP_RADIUS = 12.0
CUT_RADIUS = 11.3
"""Radius in pixels of a checker's top one layer up, and of what is cut from a strip as a top: without its rim's
surroundings, were it placed somewhat beside the middle."""

FULL_ROW = 5

DOUBLED_ANYHOW = 0.4
TRIPLED_ANYHOW = 0.3
"""How often a slot of a full row holds a second checker, and one that holds two a third, where each slot is drawn by
itself: what a slot's picture says must not hang on what its neighbours are expected to hold."""

IN_ORDER = 0.4
"""How often layers are laid in order from the edge on, as players do."""

IN_HOLLOWS = 0.3
"""How often the upper checkers of a full row are laid into the hollows between those below; else on them."""

WALL_STEPS = 4
"""Discs drawn between the foot and the top of a checker for its wall."""

WINDOW_PX = 26
"""Rows above and below a checker's middle that its disc and shadow reach."""

ROWS, COLUMNS = (values.astype(np.float32) for values in np.mgrid[0:STRIP_LENGTH, 0:STRIP_WIDTH])


@dataclass(frozen=True)
class Strip:
    """A strip's picture (length x width x 3), what lies in its slots (7), and how a layer leans (right, down)."""

    shown: Floats
    slots: NDArray[np.int64]
    leaning: Floats


def row_length(slots: NDArray[np.int64]) -> int:
    """Gets how many slots from the edge on hold something."""
    bare = np.flatnonzero(slots == 0)
    return int(bare[0]) if len(bare) else SLOTS


def lengthened(strip: Strip, rng: np.random.Generator, length: int) -> Strip:
    """Gets a strip whose row of single checkers is made longer by checkers cut from it."""
    shown, slots = strip.shown.copy(), strip.slots.copy()
    held = row_length(slots)
    for slot in range(held, length if held else 0):
        middle = _middle(slot) + rng.normal(0, 0.5, 2).clip(-1, 1)
        rows = slice(max(int(middle[0]) - WINDOW_PX, 0), int(middle[0]) + WINDOW_PX)
        source = _middle(int(rng.integers(held)))
        moved = _moved(strip.shown, rows, middle, source, 1.0)
        _lay(shown[rows], moved, rows, middle, CHECKER_PX / 2 + 0.6)
        slots[slot] = slots[0]
    return Strip(shown, slots, strip.leaning)


def drawn_layers(length: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """Draws how many checkers lie on top of each of a row's (length)."""
    if rng.random() < IN_ORDER:
        more = int(rng.integers(0, 2 * length + 1))
        return np.asarray([(more > slot) + (more > length + slot) for slot in range(length)], dtype=np.int64)
    second = rng.random(length) < DOUBLED_ANYHOW
    return np.asarray(second.astype(np.int64) * (1 + (rng.random(length) < TRIPLED_ANYHOW)), dtype=np.int64)


def stacked(strip: Strip, layers: NDArray[np.int64], rng: np.random.Generator) -> Strip:
    """Gets a strip with so many checkers laid on those of its row (one number a slot of it)."""
    shown, slots = strip.shown, strip.slots.copy()
    singles = np.flatnonzero(np.isin(strip.slots[: len(layers)], (1, 1 + LAYERS)))
    if not len(singles):
        return strip
    fall, depth, soft = rng.normal(0, 2.0, 2), rng.uniform(0.05, 0.55), rng.uniform(0.6, 1.6)
    wall = rng.uniform(0.35, 0.95)
    # Other boards' checkers are up to an eighth thicker or thinner than is taken for all.
    leaning = strip.leaning[::-1] * rng.uniform(0.86, 1.14)
    moved = np.zeros((len(layers), 2))
    if len(layers) >= FULL_ROW and rng.random() < IN_HOLLOWS:
        moved[:, 0] = CHECKER_PX * rng.uniform(0.35, 0.62)
        layers = np.where(np.arange(len(layers)) < len(layers) - 1, layers, 0)
    shown = shown.copy()
    for layer in range(int(layers.max(initial=0))):
        for slot in np.flatnonzero((layers > layer) & (slots[: len(layers)] > 0)):
            moved[slot] += rng.normal(0, 0.8, 2).clip(-1.8, 1.8)
            foot = _middle(int(slot)) + moved[slot] + layer * leaning
            top = foot + leaning
            rows = slice(max(int(top[0]) - WINDOW_PX, 0), max(int(top[0]) + WINDOW_PX, 0))
            away = np.hypot(ROWS[rows] - top[0] - fall[0], COLUMNS[rows] - top[1] - fall[1])
            shown[rows] *= (1 - depth / (1 + np.exp((away - TOP_RADIUS - 0.5) / soft)))[..., None]
            source = int(rng.choice(singles))
            colour = strip.shown[source * CHECKER_PX + 6 : source * CHECKER_PX + 18, 10:22].mean(axis=(0, 1))
            for step in range(1, WALL_STEPS):
                _lay(shown[rows], np.asarray(colour * wall), rows, foot + leaning * step / WALL_STEPS)
            cut = _moved(strip.shown, rows, top, _middle(source), CUT_RADIUS / TOP_RADIUS)
            _lay(shown[rows], cut, rows, top)
            slots[slot] += 1
    return Strip(shown, slots, strip.leaning)


def beside(shown: Floats, source: Strip, leaning: Floats, rng: np.random.Generator) -> Floats:
    """Gets a strip's picture with a stack on the point beside it, whose upper checkers mostly lean in: not this one's.

    ``source``: a strip of the same board in whose first slot a checker lies; ``leaning``: that of the strip itself.
    """
    shown = shown.copy()
    side = (-1 if leaning[0] > 0 else 1) * (1 if rng.random() < 0.75 else -1)
    length, high = int(rng.integers(1, 6)), int(rng.integers(1, LAYERS + 1))
    away, wall, depth = side * rng.uniform(25.0, 28.0), rng.uniform(0.35, 0.95), rng.uniform(0.05, 0.5)
    thick = leaning[::-1] * rng.uniform(0.86, 1.14)
    for layer in range(high):
        for slot in range(length):
            foot = _middle(slot) + (0, away) + rng.normal(0, 0.6, 2) + layer * thick
            top = foot + thick * (layer > 0)
            rows = slice(max(int(top[0]) - WINDOW_PX, 0), max(int(top[0]) + WINDOW_PX, 0))
            reach = np.hypot(ROWS[rows] - top[0], COLUMNS[rows] - top[1])
            shown[rows] *= (1 - depth / (1 + np.exp(reach - TOP_RADIUS - 0.5)))[..., None]
            colour = source.shown[6:18, 10:22].mean(axis=(0, 1)) * wall
            for step in range(1, WALL_STEPS):
                _lay(shown[rows], colour, rows, foot + (top - foot) * step / WALL_STEPS)
            _lay(shown[rows], _moved(source.shown, rows, top, _middle(0), CUT_RADIUS / TOP_RADIUS), rows, top)
    return shown


class LayerOdds:
    """Counts how often slots of short and of full rows were shown with one, two and three checkers."""

    def __init__(self) -> None:
        self._seen = np.zeros((2, LAYERS))

    def count(self, slots: NDArray[np.int64]) -> None:
        """Counts a batch (N x 7)."""
        held = (slots > 0).sum(axis=1)
        layers = np.where(slots > 0, (slots - 1) % LAYERS, -1)
        for full in (0, 1):
            chosen = layers[(held >= FULL_ROW) == bool(full)]
            self._seen[full] += [(chosen == layer).sum() for layer in range(LAYERS)]

    def __str__(self) -> str:
        odds = self._seen[:, 1:] / np.maximum(self._seen[:, :1], 1)
        return "odds of two, three in a slot: " + "; ".join(
            f"{name} row {two:.4f}, {three:.4f}" for name, (two, three) in zip(("short", "full"), odds, strict=True)
        )


def _middle(slot: int) -> NDArray[np.float64]:
    """Gets the middle (down, right) of a slot."""
    return np.array([(slot + 0.5) * CHECKER_PX - 0.5, (STRIP_WIDTH - 1) / 2])


def _moved(shown: Floats, rows: slice, to: NDArray[np.float64], source: NDArray[np.float64], shrink: float) -> Floats:
    """Gets rows of a picture with what is around ``source`` (down, right) moved to around ``to``."""
    from_y, from_x = ((pixels[rows] - at) * shrink for pixels, at in ((ROWS, to[0]), (COLUMNS, to[1])))
    maps = (from_x + source[1]).astype(np.float32), (from_y + source[0]).astype(np.float32)
    return np.asarray(cv2.remap(shown, *maps, cv2.INTER_LINEAR, borderMode=1), dtype=np.float32)


def _lay(
    shown: Floats,
    colour: NDArray[np.floating],
    rows: slice,
    middle: NDArray[np.float64],
    radius: float = TOP_RADIUS,
) -> None:
    """Lays a disc of a colour, or cut from a picture, around a middle over rows of a picture."""
    reach = np.hypot(ROWS[rows] - middle[0], COLUMNS[rows] - middle[1])
    inside = np.clip(radius + 0.5 - reach, 0, 1)[..., None]
    shown *= 1 - inside
    shown += colour * inside
