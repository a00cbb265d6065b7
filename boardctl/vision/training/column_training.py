"""Trains the network that reads points from strips, and writes it as ONNX.

    python -m boardctl.vision.training.column_training RENDERS_DIR OUT.onnx [--without inst01,inst07] [--steps 2600]
        [--drawn DRAWN.npz ...] [--from-weights OLD.onnx]

DRAWN is what ``boardctl.virtual.training.tables``, ``boardctl.virtual.training.boards`` or
``boardctl.virtual.traced.training_boards`` has written; OLD is written of the weights in use by
``boardctl.vision.training.column_parts --whole``.

Needs PyTorch (2.13.0 was used), which is not part of boardctl. Recipe and measures: COLUMN_MODEL_CARD.md beside this.
"""

import argparse
import logging
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from boardctl.vision.points.column_input import changed_strips
from boardctl.vision.points.columns import CHECKER_PX, POINTS, SLOTS, STRIP_LENGTH, STRIP_WIDTH, STRIPS
from boardctl.vision.points.seat_palette import SeatPalette
from boardctl.vision.training.column_data import EITHER, LAYERS, Columns, collect, columns_beside, columns_drawn
from boardctl.vision.training.column_network import CLASSES, ColumnNetwork, write_onnx
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
from boardctl.vision.training.column_variations import blob_of, covered_over, shadowed
from boardctl.vision.training.dice_weights import take_from_file
from boardctl.vision.training.learning import halved_where_faster

LOG = logging.getLogger(__name__)

SEED = 20240611
BATCH = 64
STEPS = 2400
RATE, RATE_GOING_ON = 4e-3, 1.5e-3
"""Highest learning rates, from nothing and from an earlier network."""

HELD_OUT = ("inst03", "inst06", "inst11", "inst13")
HIDDEN_SHARE = 0.15
"""A point of which a hand covers more counts as hidden; one of which it covers less is not used for that."""

SLOT_CLEAR_SHARE, SLOT_HIDDEN_SHARE = 0.03, 0.4
"""A slot of which something covers no more is clear, one of which it covers more is hidden; of what is between the
network is told nothing."""

POINT_COUNTS, SLOTS_COUNT = 0.2, 0.1
"""How much it counts beside what lies in the slots whether a point is hidden, and which of its slots are."""

BARE_SLOTS = 5
"""Slots as long as a bare point: a hand over one of them hides it."""

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
    covered: NDArray[np.float32]
    palette: SeatPalette
    is_row: bool
    as_it_is: bool


@dataclass(frozen=True)
class Truth:
    """What is true of a batch: what lies in each slot (N x 7, or EITHER; -1 where unknown), whether the point is hidden
    (N; -1 alike), the slots that decide that (N x 7), and which are covered (N x 7; -1 alike)."""

    slots: torch.Tensor
    hidden: torch.Tensor
    deciding: torch.Tensor
    covered: torch.Tensor


Varied = tuple[NDArray[np.float32], NDArray[np.int64], float, NDArray[np.float32], NDArray[np.float32]]
"""A strip's input, and what is true of it in the order of :class:`Truth`."""


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
            columns.covered[index],
            columns.reference.palette,
            bool(point < POINTS or point >= STRIPS),
            not columns.is_row,
        )

    def batch(self, size: int) -> tuple[torch.Tensor, Truth]:
        """Gets inputs, and what is true of them."""
        drawn = self._rng.choice(len(self._pairs), size, p=self._chances)
        made = [self._varied(self._neighboured(*self._pairs[index])) for index in drawn]
        blobs, slots, hidden, deciding, covered = zip(*made, strict=True)
        truth = Truth(
            torch.from_numpy(np.stack(slots)),
            torch.tensor(hidden),
            torch.from_numpy(np.stack(deciding)),
            torch.from_numpy(np.stack(covered)),
        )
        return torch.from_numpy(np.stack(blobs)), truth

    def _neighboured(self, which: int, index: int) -> Example:
        """Gets a strip as it was seen, or with a stack drawn on the point beside it."""
        example = self.plain(which, index)
        if example.hidden or not example.is_row or example.as_it_is or self._rng.random() > NEIGHBOURED:
            return example
        source = self.plain(which, int(self._rng.choice(self._single[which])))
        shown = beside(example.shown, Strip(source.shown, source.slots, source.leaning), example.leaning, self._rng)
        return replace(example, shown=shown, like=example.palette.likeness(shown.astype(np.uint8)))

    def _varied(self, example: Example) -> Varied:
        rng = self._rng
        shown, like, slots = example.shown, example.like, example.slots.copy()
        hidden = -1.0 if 0 < example.hidden < HIDDEN_SHARE else float(example.hidden >= HIDDEN_SHARE)
        deciding = self._deciding(slots)
        if slots.any() and example.hidden == 0 and not example.as_it_is:
            shown, like, slots = self._rearranged(example)
            deciding = self._deciding(slots)
        if rng.random() < 0.15:
            shown = shadowed(shown, rng)
            like = example.palette.likeness(shown.astype(np.uint8))
        if rng.random() < 0.35:
            # Light that has changed since the calibration: the colours are no longer quite those of the seats.
            drift = np.exp(rng.normal(0, 0.08)) * np.exp(rng.normal(0, 0.03, 3))
            shown = np.clip(shown * drift.astype(np.float32), 0, 255)
            like = example.palette.likeness(shown.astype(np.uint8))
        covered, touched = _is_covered(example.covered), example.covered > SLOT_CLEAR_SHARE
        if example.hidden == 0:
            covered[(deciding > 0) & np.isnan(example.covered)] = 0
            if rng.random() < 0.12:
                shown, like, shares = covered_over(shown, like, slots != 0, rng)
                laid_over = _is_covered(shares)
                covered, touched = np.where(laid_over != 0, laid_over, covered), touched | (laid_over != 0)
                decided = laid_over[deciding > 0]
                hidden = 1.0 if (decided == 1).any() else -float((decided != 0).any())
        slots = np.where((covered == 0) | ((example.hidden == 0) & ~touched), slots, -1)
        blob = blob_of(shown, example.empty, like, example.leaning, rng)
        if rng.random() < 0.5:
            blob[:, :, :] = blob[:, :, ::-1].copy()
            blob[8] *= -1
        if rng.random() < 0.5:
            blob[6:8] = blob[7:5:-1].copy()
            slots = np.where(slots >= 0, SWAPPED[np.maximum(slots, 0)], slots)
        return blob, slots, hidden, deciding, covered

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


def _is_covered(shares: NDArray[np.float32]) -> NDArray[np.float32]:
    """Gets which slots are covered (1), clear (0) or neither (-1), by the shares of them that are; NaN is unknown."""
    return np.select([shares > SLOT_HIDDEN_SHARE, shares <= SLOT_CLEAR_SHARE], [1.0, 0.0], -1.0).astype(np.float32)


def loss_of(out: torch.Tensor, truth: Truth) -> torch.Tensor:
    """Gets the loss of a batch: what lies in each slot, whether a hand hides the point, and which slots it covers."""
    slots, hidden, deciding = truth.slots, truth.hidden, truth.deciding
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
    each = nn.functional.binary_cross_entropy_with_logits(out[:, CLASSES], truth.covered.clamp(min=0), reduction="none")
    by_slot = (each * (truth.covered >= 0)).sum(dim=1).mean()
    return lying + POINT_COUNTS * hand + SLOTS_COUNT * by_slot


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
        blobs, truth = examples.batch(BATCH)
        with halved_where_faster("cpu"):
            out = model(blobs.to(memory_format=torch.channels_last)).float()
        value = loss_of(out, truth)
        optimiser.zero_grad()
        value.backward()
        optimiser.step()
        schedule.step()
        running = 0.98 * running + 0.02 * float(value.detach()) if step > 1 else float(value.detach())
        odds.count(truth.slots.numpy())
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
