"""Trains the network that reads points from strips, and writes it as ONNX.

    python -m boardctl.vision.training.column_training RENDERS_DIR OUT.onnx [--without inst01,inst07] [--steps 2600]
        [--drawn DRAWN.npz ...] [--from-weights OLD.onnx]

DRAWN is what ``boardctl.virtual.training_boards`` or ``boardctl.virtual.traced.training_boards`` has written; OLD is
written of the weights in use by ``boardctl.vision.training.column_parts --whole``.

Needs PyTorch (2.13.0 was used), which is not part of boardctl. Recipe and measures: COLUMN_MODEL_CARD.md beside this.
"""

import argparse
import logging
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from boardctl.vision.column_input import LEANING_PX, ROOT_OF_LEVEL, changed_strips
from boardctl.vision.columns import CHECKER_PX, POINTS, SLOTS, STRIP_LENGTH, STRIP_WIDTH, STRIPS
from boardctl.vision.seat_palette import SeatPalette
from boardctl.vision.training.column_data import EITHER, LAYERS, Columns, collect, columns_beside, columns_drawn
from boardctl.vision.training.column_network import CHANNELS, CLASSES, ColumnNetwork, write_onnx
from boardctl.vision.training.column_parts import CHANGE_COUNTS, LIKENESS_COUNTS
from boardctl.vision.training.column_stacks import (
    FULL_ROW,
    LayerOdds,
    Strip,
    beside,
    drawn_layers,
    lengthened,
    row_length,
    stacked,
)
from boardctl.vision.training.dice_weights import take_from_file

LOG = logging.getLogger(__name__)

SEED = 20240611
BATCH = 64
STEPS = 2400
RATE, RATE_GOING_ON = 4e-3, 1.5e-3
"""Highest learning rates, from nothing and from an earlier network."""

HELD_OUT = ("inst03", "inst06", "inst11", "inst13")
HIDDEN_SHARE = 0.15
"""A point of which a hand covers more counts as hidden; one of which it covers less is not used for that."""

SLOT_HIDDEN_SHARE = 0.25
"""A slot of which something laid over it covers more is hidden."""

BARE_SLOTS = 5
"""Slots as long as a bare point: a hand over one of them hides it."""

SCALE_OFF = 0.008
"""Spread of how far off the size of a checker is in a calibration, and the direction of its points."""

SHOWN = {(True, False): 0.5, (False, False): 0.08, (False, True): 0.42}
"""How often strips are shown as they lie in true pictures, cut beside where they lie, and drawn: by whether they are
rows that may be changed, and whether they are drawn."""

UNCHANGED = 0.1
"""How often a strip is shown that looks as on the empty board, to one that does not: it is not asked of such."""

NEIGHBOURED = 0.3
"""How often a stack is drawn on the point beside a strip's."""

SHORTENED, STACKED = 0.12, 0.5
"""How often a row is cut short, and how often it is made longer or checkers are laid on it."""

MADE_FULL, DOUBLED_IN_SHORT = 0.8, 0.5
"""How often a row of a point is first made a full one; how often a short row gets a checker or two on top."""

SWAPPED = np.array([0, *range(LAYERS + 1, 2 * LAYERS + 1), *range(1, LAYERS + 1)])


@dataclass(frozen=True)
class Example:
    """One strip before it is varied: grey levels, those of the empty board, likenesses of both, and the truth."""

    shown: NDArray[np.float32]
    empty: NDArray[np.float32]
    like: NDArray[np.float32]
    like_empty: NDArray[np.float32]
    leaning: NDArray[np.float32]
    slots: NDArray[np.int64]
    hidden: float
    palette: SeatPalette
    is_row: bool
    as_it_is: bool


def _looked_at(columns: Columns) -> NDArray[np.bool_]:
    """Gets of which strips the network is asked: those that do not look as on the empty board."""
    found = np.zeros(len(columns.strips), dtype=np.bool_)
    found[changed_strips(columns.strips, columns.reference.empty[columns.points])] = True
    return found


class Examples:
    """Draws varied strips."""

    def __init__(self, data: Sequence[Columns], rng: np.random.Generator) -> None:
        self._data = data
        self._rng = rng
        pairs = [(which, index) for which, columns in enumerate(data) for index in range(len(columns.strips))]
        looked_at = [_looked_at(columns) for columns in data]
        full = np.array([1.0 if looked_at[w][i] else UNCHANGED for w, i in pairs])
        full *= np.array([3.0 if data[w].hidden[i] > 0 else 1.0 for w, i in pairs])
        full *= np.array([2.0 if np.isin(data[w].slots[i], (2, 3, 5, 6)).any() else 1.0 for w, i in pairs])
        kinds = np.array([(data[which].is_row, data[which].is_drawn) for which, _ in pairs])
        for kind, share in SHOWN.items():
            chosen = (kinds == kind).all(axis=1)
            full[chosen] *= share / max(full[chosen].sum(), 1e-9)
        self._pairs, self._chances = np.array(pairs), full / full.sum()
        # Strips of each installation from whose first slot a checker can be cut.
        single = [np.isin(columns.slots[:, 0], (1, 1 + LAYERS)) & (columns.hidden == 0) for columns in data]
        self._single = [np.flatnonzero(each) for each in single]

    def plain(self, which: int, index: int) -> Example:
        """Gets a strip as it was seen."""
        columns = self._data[which]
        point = columns.points[index]
        shown, empty = columns.strips[index], columns.reference.empty[point]
        likeness = columns.reference.palette.likeness
        return Example(
            shown.astype(np.float32),
            empty.astype(np.float32),
            likeness(shown),
            likeness(empty),
            columns.reference.leaning[point],
            columns.slots[index],
            float(columns.hidden[index]),
            columns.reference.palette,
            bool(point < POINTS or point >= STRIPS),
            not columns.is_row,
        )

    def batch(self, size: int) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]:
        """Gets inputs, slots (or EITHER; -1 where unknown), if hidden (-1 alike), and the slots that decide that."""
        drawn = self._rng.choice(len(self._pairs), size, p=self._chances)
        made = [self._varied(self._neighboured(*self._pairs[index])) for index in drawn]
        blobs, slots, hidden, deciding = zip(*made, strict=True)
        return (
            torch.from_numpy(np.stack(blobs)),
            torch.from_numpy(np.stack(slots)),
            torch.tensor(hidden),
            torch.from_numpy(np.stack(deciding)),
        )

    def _neighboured(self, which: int, index: int) -> Example:
        """Gets a strip as it was seen, or with a stack drawn on the point beside it."""
        example = self.plain(which, index)
        if example.hidden or not example.is_row or example.as_it_is or self._rng.random() > NEIGHBOURED:
            return example
        source = self.plain(which, int(self._rng.choice(self._single[which])))
        shown = beside(example.shown, Strip(source.shown, source.slots, source.leaning), example.leaning, self._rng)
        return replace(example, shown=shown, like=example.palette.likeness(shown.astype(np.uint8)))

    def _varied(self, example: Example) -> tuple[NDArray[np.float32], NDArray[np.int64], float, NDArray[np.float32]]:
        rng = self._rng
        shown, like, slots = example.shown, example.like, example.slots.copy()
        hidden = -1.0 if 0 < example.hidden < HIDDEN_SHARE else float(example.hidden >= HIDDEN_SHARE)
        deciding = self._deciding(slots)
        if slots.any() and example.hidden == 0 and not example.as_it_is:
            shown, like, slots = self._rearranged(example)
            deciding = self._deciding(slots)
        if rng.random() < 0.15:
            shown = self._shadowed(shown)
            like = example.palette.likeness(shown.astype(np.uint8))
        if rng.random() < 0.35:
            # Light that has changed since the calibration: the colours are no longer quite those of the seats.
            drift = np.exp(rng.normal(0, 0.08)) * np.exp(rng.normal(0, 0.03, 3))
            shown = np.clip(shown * drift.astype(np.float32), 0, 255)
            like = example.palette.likeness(shown.astype(np.uint8))
        if example.hidden == 0 and rng.random() < 0.12:
            shown, like, slot_hidden = self._covered(shown, like)
            hidden = float((slot_hidden * deciding).max())
            slots = np.where(slot_hidden > 0, -1, slots)
        if hidden != 0 or example.hidden > 0:
            slots = np.full_like(slots, -1)
        blob = self._blob(shown, example.empty, like, example.leaning)
        if rng.random() < 0.5:
            blob[:, :, :] = blob[:, :, ::-1].copy()
            blob[8] *= -1
        if rng.random() < 0.5:
            blob[6:8] = blob[7:5:-1].copy()
            slots = np.where(slots >= 0, SWAPPED[np.maximum(slots, 0)], slots)
        return blob, slots, hidden, deciding

    def _deciding(self, slots: NDArray[np.int64]) -> NDArray[np.float32]:
        """Gets the slots (1 or 0) that make a point hidden when a hand is over them: its checkers, or a bare point."""
        held = slots > 0
        return (held if held.any() else np.arange(SLOTS) < BARE_SLOTS).astype(np.float32)

    def _rearranged(self, example: Example) -> tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.int64]]:
        """Makes the row shorter or longer, or lays checkers on it: most full rows get some, few short ones."""
        rng = self._rng
        drawn, length = rng.random(), row_length(example.slots)
        if drawn < SHORTENED:
            return self._shortened(example)
        if drawn > SHORTENED + STACKED or not length or not np.isin(example.slots, (0, 1, 1 + LAYERS)).all():
            return example.shown, example.like, example.slots
        strip = Strip(example.shown, example.slots, example.leaning)
        if example.is_row and rng.random() < MADE_FULL:
            strip = lengthened(strip, rng, int(rng.choice((4, 5, 6), p=(0.1, 0.8, 0.1))))
        length = row_length(strip.slots)
        if length >= FULL_ROW:
            strip = stacked(strip, drawn_layers(length, rng), rng)
        elif rng.random() < DOUBLED_IN_SHORT:
            strip = stacked(strip, (rng.permutation(length) < 1 + int(rng.random() < 0.3)).astype(np.int64), rng)
        return strip.shown, example.palette.likeness(strip.shown.astype(np.uint8)), strip.slots

    def _shortened(self, example: Example) -> tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.int64]]:
        """Takes checkers off the end of a row: beyond the rim of the last that stays the empty board is shown."""
        length = int(np.flatnonzero(example.slots)[-1]) + 1
        kept = int(self._rng.integers(0, length))
        across = np.arange(STRIP_WIDTH) - (STRIP_WIDTH - 1) / 2
        radius = CHECKER_PX / 2 + 0.5
        end = (kept - 0.5) * CHECKER_PX + np.sqrt(np.maximum(radius**2 - across**2, 0))
        if kept == 0:
            end[:] = 0
        beyond = (np.arange(STRIP_LENGTH)[:, None] > end[None])[..., None]
        slots = example.slots.copy()
        slots[kept:] = 0
        shown = np.where(beyond, example.empty, example.shown)
        return shown, np.where(beyond, example.like_empty, example.like), slots

    def _patch(self) -> NDArray[np.uint8]:
        """Gets a random many-cornered patch of a strip (length x width), 255 in it."""
        rng = self._rng
        middle = rng.uniform((0, -8), (STRIP_LENGTH * 0.9, STRIP_WIDTH + 8))
        turns = np.sort(rng.uniform(0, 2 * np.pi, 9))
        reach = rng.uniform(8, 60) * rng.uniform(0.6, 1.2, 9)
        outline = np.stack([middle[1] + reach * np.cos(turns), middle[0] + reach * np.sin(turns)], axis=-1)
        mask = np.zeros((STRIP_LENGTH, STRIP_WIDTH), np.uint8)
        cv2.fillPoly(mask, [np.round(outline).astype(np.int32)], 255)
        return mask

    def _shadowed(self, shown: NDArray[np.float32]) -> NDArray[np.float32]:
        """Lets a shadow fall on a part of the strip, as of a hand beside or above it; nothing is hidden by it."""
        rng = self._rng
        soft = cv2.GaussianBlur(self._patch(), (0, 0), rng.uniform(0.6, 5.0)).astype(np.float32)[..., None] / 255
        tint = rng.uniform(0.3, 0.85) * rng.uniform(0.93, 1.07, 3)
        return np.asarray(shown * (1 - soft + soft * tint), dtype=np.float32)

    def _covered(
        self, shown: NDArray[np.float32], like: NDArray[np.float32]
    ) -> tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.float32]]:
        """Lays something of one colour, shaded, over a part of the strip, as a hand or sleeve would."""
        rng = self._rng
        mask = self._patch()
        soft = cv2.GaussianBlur(mask, (0, 0), 0.8).astype(np.float32)[..., None] / 255
        colour = rng.uniform(10, 230) * rng.uniform(0.6, 1.3, 3)
        shade = cv2.resize(rng.uniform(0.7, 1.3, (4, 3)).astype(np.float32), (STRIP_WIDTH, STRIP_LENGTH))
        cover = np.clip(colour * np.asarray(shade)[..., None], 0, 255)
        likeness = np.clip(rng.normal(-2, 2, 2) + rng.normal(0, 0.7, like.shape), -4, 4)
        parts = (mask[:, 4:-4] > 0).reshape(SLOTS, -1).mean(axis=1)
        slot_hidden = (parts > SLOT_HIDDEN_SHARE).astype(np.float32)
        covered_like = (like * (1 - soft) + likeness * soft).astype(np.float32)
        covered = (shown * (1 - soft) + cover * soft).astype(np.float32)
        return covered, covered_like, slot_hidden

    def _uneven(self) -> NDArray[np.float32]:
        """Gets light that grows from one side of a strip to the other (length x width x 1)."""
        turn, strength = self._rng.uniform(0, 2 * np.pi), self._rng.uniform(0.05, 0.35)
        rows, columns = np.mgrid[-0.5 : 0.5 : STRIP_LENGTH * 1j, -0.1 : 0.1 : STRIP_WIDTH * 1j]
        light = 1 + 2 * strength * (np.cos(turn) * rows + np.sin(turn) * columns)
        return np.asarray(light, dtype=np.float32)[..., None]

    def _blob(
        self,
        shown: NDArray[np.float32],
        empty: NDArray[np.float32],
        like: NDArray[np.float32],
        leaning: NDArray[np.float32],
    ) -> NDArray[np.float32]:
        """Makes the network's input under another light, through a noisier or softer camera, slightly misplaced."""
        rng = self._rng
        gain = np.exp(rng.normal(0, 0.25)) * np.exp(rng.normal(0, 0.12, 3))
        own = gain * np.exp(rng.normal(0, 0.03)) * np.exp(rng.normal(0, 0.015, 3))
        pair = []
        order = rng.permutation(3)
        bend = np.exp(rng.normal(0, 0.18)) if rng.random() < 0.3 else 1.0
        pale = rng.uniform(0, 1) if rng.random() < 0.25 else 0.0
        light = self._uneven() if rng.random() < 0.25 else np.ones((1, 1, 1), np.float32)
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

        def moved(values: NDArray[np.uint8] | NDArray[np.float32]) -> NDArray[np.float32]:
            return np.asarray(cv2.warpAffine(values, shift, size, borderMode=cv2.BORDER_REPLICATE), dtype=np.float32)

        roots = ROOT_OF_LEVEL[moved(seen).astype(np.uint8)]
        blob = np.empty((CHANNELS, STRIP_LENGTH, STRIP_WIDTH), np.float32)
        blob[0:3] = roots.transpose(2, 0, 1)
        blob[3:6] = CHANGE_COUNTS * (roots - ROOT_OF_LEVEL[moved(pair[1]).astype(np.uint8)]).transpose(2, 0, 1)
        blob[6:8] = LIKENESS_COUNTS * moved(like).transpose(2, 0, 1)
        blob[8:10] = (leaning / LEANING_PX)[:, None, None]
        return blob


def loss_of(out: torch.Tensor, slots: torch.Tensor, hidden: torch.Tensor, deciding: torch.Tensor) -> torch.Tensor:
    """Gets the loss of a batch: what lies in each slot, and whether a hand hides the point."""
    either = slots == EITHER
    lying = nn.functional.cross_entropy(out[:, :CLASSES], slots.masked_fill(either, -1), ignore_index=-1)
    if either.any():
        bare = nn.functional.log_softmax(out[:, :CLASSES], dim=1)[:, 0][either]
        held = torch.log1p(-torch.exp(bare).clamp(max=1 - 1e-6))
        lying = lying - 0.5 * (bare + held).sum() / (slots >= 0).sum()
    clear = (nn.functional.logsigmoid(-out[:, CLASSES]) * deciding).sum(dim=1)
    covered = torch.log1p(-torch.exp(clear).clamp(max=1 - 1e-6))
    known = hidden >= 0
    hand = -(hidden * covered + (1 - hidden) * clear)[known].mean()
    return lying + 0.2 * hand


def train(
    data: Sequence[Columns], steps: int, rate: float | None = None, from_weights: Path | None = None
) -> ColumnNetwork:
    """Trains on strips, or goes on training ``from_weights``; one core, some eight minutes for 2,600 steps."""
    torch.manual_seed(SEED)
    torch.set_num_threads(1)
    examples = Examples(data, np.random.default_rng(SEED + (from_weights is not None)))
    model: ColumnNetwork = ColumnNetwork()
    if from_weights is not None:
        take_from_file(model, from_weights, examples.batch(4 * BATCH)[0].numpy())
    model.train().to(memory_format=torch.channels_last)
    rate = rate or (RATE if from_weights is None else RATE_GOING_ON)
    optimiser = torch.optim.AdamW(model.parameters(), lr=rate, weight_decay=1e-2)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, rate, total_steps=steps, pct_start=0.15)
    running, odds = 0.0, LayerOdds()
    for step in range(1, steps + 1):
        blobs, slots, hidden, deciding = examples.batch(BATCH)
        with torch.autocast("cpu", torch.bfloat16):
            out = model(blobs.to(memory_format=torch.channels_last)).float()
        value = loss_of(out, slots, hidden, deciding)
        optimiser.zero_grad()
        value.backward()
        optimiser.step()
        schedule.step()
        running = 0.98 * running + 0.02 * float(value.detach()) if step > 1 else float(value.detach())
        odds.count(slots.numpy())
        if step % 100 == 0:
            LOG.info("step %d: loss %.4f, %s", step, running, odds)
    model.eval()
    return model


def main() -> None:
    """Runs the training."""
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("renders", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--without", default="", help="more installations to keep from training, comma-separated")
    parser.add_argument("--steps", type=int, default=STEPS)
    parser.add_argument("--rate", type=float, help="highest learning rate")
    parser.add_argument("--from-weights", type=Path, help="a network to go on from, as one file")
    parser.add_argument("--drawn", type=Path, nargs="*", default=[], help="boards of our own renderers")
    given = parser.parse_args()
    kept_out = {*HELD_OUT, *given.without.split(",")}
    names = [path.name for path in sorted(given.renders.glob("inst*")) if path.name not in kept_out]
    data = collect(given.renders, names)
    data += [columns_beside(given.renders / name, np.random.default_rng(SEED)) for name in names]
    data += [columns for path in given.drawn for columns in columns_drawn(path)]
    LOG.info("%d strips of %s", sum(len(columns.strips) for columns in data), ", ".join(names))
    write_onnx(train(data, given.steps, given.rate, given.from_weights), given.out)


if __name__ == "__main__":
    main()
