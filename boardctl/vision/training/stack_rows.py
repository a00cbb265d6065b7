"""Rows of checkers seen closer, with how many lie on each other in each slot: from pictures with truth, made taller.

Checkers are laid on rows as cuts from the same row, displaced by the camera's leaning for each layer, with their walls
and shadows; eleven boards hold few second layers of their own.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from boardctl.vision.measuring.truth import read_truth
from boardctl.vision.points.columns import CHECKER_PX as STRIP_CHECKER_PX
from boardctl.vision.points.columns import POINTS, SLOTS, Picture
from boardctl.vision.points.row_counts import FULL_ROW
from boardctl.vision.points.stack_strips import (
    CHECKER_PX,
    LENGTH,
    MARGIN_PX,
    PATCH_PX,
    StackCutter,
    single_beside,
    stack_cutter,
)
from boardctl.vision.training.column_data import LAYERS, hidden_of, slots_of
from calibration import BoardGeometry, calibrate

Floats = NDArray[np.float32]

FINER = CHECKER_PX / STRIP_CHECKER_PX
TOP_RADIUS = 12.0 * FINER
CUT_SHRINK = 0.95
"""Of what is cut as a top, so that its rim's surroundings stay away."""

IN_HOLLOWS = 0.3
"""How often layers are laid into the hollows between the checkers below; else on them."""

LEAST_LENGTH = 3
NO_LAYER = -1
"""Of slots behind a row's end, in files."""

WRITTEN = ("shown", "layers", "row_leaning", "single", "has_single")
"""What is written of rows."""

LIGHT_APART = 0.03
"""By how much the light on single checkers beside a row differs from that on it (standard deviation of the
logarithm)."""

WITHOUT_SINGLE = 0.1
"""How often a row is shown without the single checkers beside it, as where there are none."""

REACH_PX = 46
"""Rows around a checker's middle that its disc and shadow reach."""

NOISE_ROWS = 4096

ROWS, COLUMNS = (values.astype(np.float32) for values in np.mgrid[0:LENGTH, 0:PATCH_PX])


@dataclass(frozen=True)
class Row:
    """A row's picture (312 x 72 x 3), the layers above the first in each of its slots (0 to 2), how a layer leans in
    pixels of the usual strips (right, down), whether it was drawn by our own renderer, and how a single checker of its
    seat looks near it (72 x 72 x 3), where there is one."""

    shown: NDArray[np.uint8]
    layers: NDArray[np.int64]
    leaning: Floats
    is_drawn: bool = False
    single: NDArray[np.uint8] | None = None


def single_rows(slots: NDArray[np.int64], hidden: Sequence[float]) -> list[list[tuple[int, int]]]:
    """Gets the points of a picture (``slots``: N x 7, as in ``Columns``) that hold single checkers of each seat, rows
    of up to four of which nothing is ``hidden`` (N), each with how many."""
    rows: list[list[tuple[int, int]]] = [[], []]
    for strip, (held, covered) in enumerate(zip(slots, hidden, strict=True)):
        length = int((held != 0).sum())
        for whose, found in enumerate(rows):
            if 0 < length < FULL_ROW and not covered and (held[:length] == 1 + whose * LAYERS).all():
                found.append((strip, length))
    return rows


def rows_of(folder: Path) -> list[Row]:
    """Gets the rows in the pictures of an installation that no hand covers."""
    pictures = [read_truth(path) for path in sorted(folder.glob("f*.json"))]
    calibration = calibrate(pictures[0].picture(), pictures[1].picture())
    tool = stack_cutter(calibration)
    rows = []
    for picture in pictures[1:]:
        image, slots, hidden = picture.picture(), slots_of(picture), hidden_of(picture)
        rows += rows_in(image, tool, calibration.geometry, slots[:POINTS], hidden[:POINTS])
    return rows


def rows_in(
    picture: Picture, tool: StackCutter, geometry: BoardGeometry, slots: NDArray[np.int64], hidden: Sequence[float]
) -> list[Row]:
    """Gets the rows in a picture of which nothing is ``hidden`` (24), of what lies in the slots of its points (24 x 7,
    as in ``Columns``)."""
    rows, singles = [], single_rows(slots, hidden)
    for strip, held in enumerate(slots):
        length = int((held > 0).sum())
        if length >= LEAST_LENGTH and not hidden[strip] and (held >= 0).all() and held[:length].all():
            beside = [each for each in singles[int(held[0] > LAYERS)] if each[0] != strip]
            single = single_beside(picture, tool, geometry, strip, beside)
            rows.append(Row(tool.cut(picture, strip), (held[:length] - 1) % LAYERS, tool.leaning[strip], single=single))
    return rows


def rows_drawn(path: Path) -> list[Row]:
    """Gets the rows that ``python -m boardctl.virtual.training.boards`` has drawn, or that :func:`rows_written` are."""
    with np.load(path) as file:
        data = {name: file[name] for name in WRITTEN}
    return [
        Row(shown, layers[layers != NO_LAYER], leaning, is_drawn=True, single=single if has_single else None)
        for shown, layers, leaning, single, has_single in zip(*data.values(), strict=True)
    ]


def rows_written(rows: Sequence[Row]) -> dict[str, NDArray[np.generic]]:
    """Gets rows as they are written into files, one array of each name (:data:`WRITTEN`)."""
    layers = np.full((len(rows), SLOTS), NO_LAYER, dtype=np.int64)
    for row, of_row in zip(rows, layers, strict=True):
        of_row[: len(row.layers)] = row.layers
    nothing = np.zeros((PATCH_PX, PATCH_PX, 3), dtype=np.uint8)
    arrays = (
        np.stack([row.shown for row in rows]),
        layers,
        np.stack([row.leaning for row in rows]),
        np.stack([nothing if row.single is None else row.single for row in rows]),
        np.array([row.single is not None for row in rows]),
    )
    return dict(zip(WRITTEN, arrays, strict=True))


def taller(row: Row, rng: np.random.Generator) -> Row:
    """Gets a row with checkers laid on those of its slots that hold a single one."""
    wanted = np.where(row.layers > 0, 0, _drawn_layers(len(row.layers), rng))
    if not wanted.any():
        return row
    plain, layers = row.shown.astype(np.float32), row.layers.copy()
    shown = plain.copy()
    fall, depth, soft = rng.normal(0, 4.0, 2), rng.uniform(0.05, 0.55), rng.uniform(1.0, 3.5)
    wall, has_own_wall = rng.uniform(0.35, 0.95), rng.random() < 0.6
    # Other boards' checkers are up to an eighth thicker or thinner than is taken for all.
    leaning = row.leaning[::-1] * FINER * rng.uniform(0.88, 1.12)
    spread, radius = float(rng.choice([0.5, 0.85, 1.3, 2.2])) * FINER, TOP_RADIUS * rng.uniform(0.97, 1.0)
    singles = np.flatnonzero(row.layers == 0)
    moved = np.zeros((len(layers), 2))
    if rng.random() < IN_HOLLOWS:
        moved[:, 0] = CHECKER_PX * rng.uniform(0.35, 0.62)
        wanted[-1] = 0
    for layer in range(int(wanted.max())):
        for slot in np.flatnonzero(wanted > layer):
            moved[slot] += rng.normal(0, spread, 2).clip(-4 * FINER, 4 * FINER)
            foot = _middle(int(slot)) + moved[slot] + layer * leaning
            top = foot + leaning
            rows = slice(max(int(top[0]) - REACH_PX, 0), max(int(top[0]) + REACH_PX, 0))
            away = np.hypot(ROWS[rows] - top[0] - fall[0], COLUMNS[rows] - top[1] - fall[1])
            shown[rows] *= (1 - depth / (1 + np.exp((away - radius - 0.8) / soft)))[..., None]
            source = _middle(int(rng.choice(singles))) + rng.normal(0, 0.4, 2)
            side = _moved(plain, rows, top, source, 1.0) if has_own_wall else _colour(plain, source) * wall
            for step in range(4):
                _lay(shown[rows], side, rows, foot + leaning * step / 4, radius)
            _lay(shown[rows], _moved(plain, rows, top, source, CUT_SHRINK), rows, top, radius)
            layers[slot] += 1
    return replace(row, shown=np.clip(np.rint(shown), 0, 255).astype(np.uint8), layers=layers)


def varied(row: Row, rng: np.random.Generator) -> Row:
    """Gets a row (its picture to its last slot's end) in another light and through another camera, slightly
    misplaced."""
    length = CHECKER_PX * (len(row.layers) - 1) + PATCH_PX
    shown = [row.shown[:length]]
    if row.single is not None and rng.random() >= WITHOUT_SINGLE:
        shown.append(row.single)
    lit = _in_other_light(np.concatenate(shown).astype(np.float32), rng)
    levels, single = lit[:length], lit[length:] * np.float32(np.exp(rng.normal(0, LIGHT_APART)))
    if rng.random() < 0.3:
        levels = levels * _uneven(rng)[:length]
    scale, turn = 1 + rng.normal(0, 0.008), rng.normal(0, 0.008)
    down, right = rng.normal(0, 1.0, 2).clip(-3, 3)
    place = np.array([[scale, -turn, right], [turn, scale, down]])
    moved = cv2.warpAffine(levels, place, (PATCH_PX, length), borderMode=cv2.BORDER_REPLICATE)
    pictures = _softer([np.asarray(moved, dtype=np.float32), single][: len(shown)], rng)
    first = int(rng.integers(NOISE_ROWS - length))
    noise = _much_noise()[first : first + length]
    if rng.random() < 0.5:
        noise = 2 * np.asarray(cv2.GaussianBlur(noise, (0, 0), 0.8), dtype=np.float32)
    pictures[0] = pictures[0] + noise * np.float32(rng.uniform(0.3, 4))
    colours, leaning, step = rng.permutation(3), row.leaning, 1
    if rng.random() < 0.5:
        step, leaning = -1, leaning * np.array([-1, 1], dtype=np.float32)
    seen = [np.clip(each, 0, 255).astype(np.uint8)[:, ::step][..., colours] for each in pictures]
    return replace(row, shown=seen[0], leaning=leaning, single=seen[1] if len(seen) > 1 else None)


def _in_other_light(levels: Floats, rng: np.random.Generator) -> Floats:
    """Gets levels (H x W x 3) in light of another strength and colour, with other contrast and saturation."""
    levels = levels * np.float32(np.exp(rng.normal(0, 0.25) + rng.normal(0, 0.12, 3)))
    if rng.random() < 0.4:
        levels = np.asarray(255 * np.clip(levels / 255, 0, 2) ** np.exp(rng.normal(0, 0.2)), dtype=np.float32)
    if rng.random() < 0.25:
        grey = levels.mean(axis=2, keepdims=True)
        levels = np.asarray(grey + (levels - grey) * rng.uniform(0.0, 1.0), dtype=np.float32)
    return levels


def _softer(pictures: list[Floats], rng: np.random.Generator) -> list[Floats]:
    """Gets pictures (H x W x 3) of one camera, coarser or less sharp now and then, all alike."""
    if rng.random() < 0.2:
        coarse = rng.uniform(0.6, 0.95)
        small = [cv2.resize(each, None, fx=coarse, fy=coarse, interpolation=cv2.INTER_AREA) for each in pictures]
        pictures = [
            np.asarray(cv2.resize(each, whole.shape[1::-1], interpolation=cv2.INTER_LINEAR), dtype=np.float32)
            for each, whole in zip(small, pictures, strict=True)
        ]
    if rng.random() < 0.4:
        spread = rng.uniform(0.5, 1.6)
        pictures = [np.asarray(cv2.GaussianBlur(each, (0, 0), spread), dtype=np.float32) for each in pictures]
    return pictures


@cache
def _much_noise() -> Floats:
    """Gets noise to cut from (4096 x 72 x 3): to draw it anew for each row takes as long as all else."""
    return np.random.default_rng(0).standard_normal((NOISE_ROWS, PATCH_PX, 3), dtype=np.float32)


def _uneven(rng: np.random.Generator) -> Floats:
    """Gets light that is not the same everywhere (312 x 72 x 1): it grows to one side, or a shadow lies over a part."""
    turn, strength = rng.uniform(0, 2 * np.pi), rng.uniform(0.05, 0.3)
    along = (np.cos(turn) * (ROWS - LENGTH / 2) + np.sin(turn) * (COLUMNS - PATCH_PX / 2)) / (LENGTH / 2)
    if rng.random() < 0.5:
        return np.asarray(1 + strength * along, dtype=np.float32)[..., None]
    edge = 1 / (1 + np.exp((along - rng.uniform(-1, 1)) * rng.uniform(8, 80)))
    return np.asarray(1 - 2 * strength * edge, dtype=np.float32)[..., None]


def share_of(rows: Sequence[Row]) -> NDArray[np.float64]:
    """Gets how often each row is shown: as many of true pictures as drawn ones, full ones more than short ones, and of
    true ones those with second layers most."""
    drawn = np.array([row.is_drawn for row in rows])
    shares = np.array(
        [
            (1.0 if row.is_drawn or not row.layers.any() else 8.0) * (1.5 if len(row.layers) >= 5 else 0.5)
            for row in rows
        ]
    )
    for group in (drawn, ~drawn):
        if group.any():
            shares[group] /= shares[group].sum()
    return np.asarray(shares / shares.sum(), dtype=np.float64)


def _drawn_layers(length: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """Draws how many checkers are laid on each slot: in order from the edge on, or each by itself."""
    if rng.random() < 0.5:
        more = int(rng.integers(0, 2 * length + 1 if rng.random() < 0.4 else length))
        return np.array([(more > slot) + (more > length + slot) for slot in range(length)], dtype=np.int64)
    second = rng.random(length) < 0.35
    return np.asarray(second * (1 + (rng.random(length) < 0.3)), dtype=np.int64)


def _middle(slot: int) -> NDArray[np.float64]:
    """Gets the middle (down, right) of a slot."""
    return np.array([MARGIN_PX + (slot + 0.5) * CHECKER_PX - 0.5, (PATCH_PX - 1) / 2])


def _colour(shown: Floats, middle: NDArray[np.float64]) -> Floats:
    """Gets the mean colour around the middle of a checker."""
    row, column = (int(value) for value in middle)
    return np.asarray(shown[row - 10 : row + 10, column - 10 : column + 10].mean(axis=(0, 1)), dtype=np.float32)


def _moved(shown: Floats, rows: slice, to: NDArray[np.float64], source: NDArray[np.float64], shrink: float) -> Floats:
    """Gets rows of a picture with what is around ``source`` (down, right) moved to around ``to``."""
    down, right = ((pixels[rows] - at) * shrink for pixels, at in ((ROWS, to[0]), (COLUMNS, to[1])))
    maps = (right + source[1]).astype(np.float32), (down + source[0]).astype(np.float32)
    return np.asarray(cv2.remap(shown, *maps, cv2.INTER_LINEAR, borderMode=1), dtype=np.float32)


def _lay(shown: Floats, colour: Floats, rows: slice, middle: NDArray[np.float64], radius: float) -> None:
    """Lays a disc of a colour, or cut from a picture, around a middle over rows of a picture."""
    inside = np.clip(radius + 0.5 - np.hypot(ROWS[rows] - middle[0], COLUMNS[rows] - middle[1]), 0, 1)[..., None]
    shown *= 1 - inside
    shown += colour * inside
