"""Trains the network that reads points from strips, and writes it as ONNX.

    python -m boardctl.vision.training.column_training RENDERS_DIR OUT.onnx [--without inst01,inst07] [--steps 2400]

Needs PyTorch (2.13.0 was used), which is not part of boardctl. Recipe and measures: COLUMN_MODEL_CARD.md beside this.
"""

import argparse
import logging
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from boardctl.vision.column_input import CHANNELS, LEANING_PX, ROOT_OF_LEVEL
from boardctl.vision.columns import CHECKER_PX, SLOTS, STRIP_LENGTH, STRIP_WIDTH
from boardctl.vision.seat_palette import SeatPalette
from boardctl.vision.training.column_data import LAYERS, Columns, collect

LOG = logging.getLogger(__name__)

SEED = 20240611
BATCH = 64
STEPS = 2400
HELD_OUT = ("inst03", "inst06", "inst11", "inst13")
CLASSES = 1 + 2 * LAYERS
HIDDEN_SHARE = 0.15
"""A point of which a hand covers more counts as hidden; one of which it covers less is not used for that."""

SLOT_HIDDEN_SHARE = 0.25
"""A slot of which something laid over it covers more is hidden."""

BARE_SLOTS = 5
"""Slots as long as a bare point: a hand over one of them hides it."""

TOP_RADIUS = 12.0
CUT_RADIUS = 11.3
"""Radius in pixels of a checker's top one layer up, and of what is cut from a strip as a top: without its rim's
surroundings, were it placed somewhat beside the middle."""

SWAPPED = np.array([0, *range(LAYERS + 1, 2 * LAYERS + 1), *range(1, LAYERS + 1)])


class ColumnNetwork(nn.Module):  # type: ignore[misc]  # PyTorch is not there where types are checked
    """Strips (N x 10 x 168 x 32) -> for each slot seven logits of what lies there and one of a hand (N x 8 x 7)."""

    def __init__(self) -> None:
        super().__init__()

        def block(before: int, after: int, size: int, stride: int) -> list[nn.Module]:
            conv = nn.Conv2d(before, after, size, stride, size // 2, bias=False)
            return [conv, nn.BatchNorm2d(after), nn.ReLU()]

        self.body = nn.Sequential(
            *block(CHANNELS, 16, 3, 2), *block(16, 32, 3, 2), *block(32, 48, 3, 2), *block(48, 48, 3, 1)
        )
        self.drop = nn.Dropout(0.2)
        self.slot = nn.Conv2d(48, 96, (7, 4), (3, 1), (2, 0))
        self.out = nn.Conv2d(96, CLASSES + 1, 1)

    def forward(self, strips: torch.Tensor) -> torch.Tensor:
        slots = torch.relu(self.slot(self.drop(self.body(strips))))
        return self.out(self.drop(slots)).squeeze(3)


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


class Examples:
    """Draws varied strips."""

    def __init__(self, data: Sequence[Columns], rng: np.random.Generator) -> None:
        self._data = data
        self._rng = rng
        pairs = [(which, index) for which, columns in enumerate(data) for index in range(len(columns.strips))]
        full = np.array([1.0 if data[w].slots[i].any() or data[w].hidden[i] > 0 else 0.35 for w, i in pairs])
        full *= np.array([3.0 if data[w].hidden[i] > 0 else 1.0 for w, i in pairs])
        full *= np.array([2.0 if np.isin(data[w].slots[i], (2, 3, 5, 6)).any() else 1.0 for w, i in pairs])
        self._pairs, self._chances = np.array(pairs), full / full.sum()

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
        )

    def batch(self, size: int) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]:
        """Gets inputs, slots (-1 where unknown), whether hidden (-1 where unknown), and the slots that decide that."""
        drawn = self._rng.choice(len(self._pairs), size, p=self._chances)
        made = [self._varied(self.plain(*self._pairs[index])) for index in drawn]
        blobs, slots, hidden, deciding = zip(*made, strict=True)
        return (
            torch.from_numpy(np.stack(blobs)),
            torch.from_numpy(np.stack(slots)),
            torch.tensor(hidden),
            torch.from_numpy(np.stack(deciding)),
        )

    def _varied(self, example: Example) -> tuple[NDArray[np.float32], NDArray[np.int64], float, NDArray[np.float32]]:
        rng = self._rng
        shown, like, slots = example.shown, example.like, example.slots.copy()
        hidden = -1.0 if 0 < example.hidden < HIDDEN_SHARE else float(example.hidden >= HIDDEN_SHARE)
        deciding = self._deciding(slots)
        if slots.any() and example.hidden == 0 and rng.random() < 0.35:
            shown, like, slots = self._shortened(example) if rng.random() < 0.4 else self._doubled(example)
            deciding = self._deciding(slots)
        if rng.random() < 0.15:
            shown = self._shadowed(shown)
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
            slots = np.where(slots >= 0, SWAPPED[np.maximum(slots, 0)], -1)
        return blob, slots, hidden, deciding

    def _deciding(self, slots: NDArray[np.int64]) -> NDArray[np.float32]:
        """Gets the slots (1 or 0) that make a point hidden when a hand is over them: its checkers, or a bare point."""
        held = slots > 0
        return (held if held.any() else np.arange(SLOTS) < BARE_SLOTS).astype(np.float32)

    def _doubled(self, example: Example) -> tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.int64]]:
        """Lays checkers of the row on others of it: displaced by their height, a little off centre, with a shadow."""
        rng = self._rng
        single = np.flatnonzero(np.isin(example.slots, (1, 1 + LAYERS)))
        if not len(single):
            return example.shown, example.like, example.slots
        shown, slots = example.shown, example.slots.copy()
        rows, columns = np.mgrid[0:STRIP_LENGTH, 0:STRIP_WIDTH].astype(np.float32)
        for target in rng.choice(single, min(len(single), 1 + int(rng.random() < 0.4)), replace=False):
            source = int(rng.choice(single))
            middle = np.array([(target + 0.5) * CHECKER_PX - 0.5, (STRIP_WIDTH - 1) / 2])
            middle += example.leaning[::-1] + rng.normal(0, 0.7, 2).clip(-1.8, 1.8)
            shrink = CUT_RADIUS / TOP_RADIUS
            from_x = (columns - middle[1]) * shrink + (STRIP_WIDTH - 1) / 2
            from_y = (rows - middle[0]) * shrink + (source + 0.5) * CHECKER_PX - 0.5
            disc = cv2.remap(
                example.shown, from_x.astype(np.float32), from_y.astype(np.float32), cv2.INTER_LINEAR, borderMode=1
            )
            inside = np.clip(TOP_RADIUS + 0.5 - np.hypot(rows - middle[0], columns - middle[1]), 0, 1)
            fall = rng.normal(0, 1.5, 2)
            reach = np.hypot(rows - middle[0] - fall[0], columns - middle[1] - fall[1])
            shadow = rng.uniform(0.05, 0.5) / (1 + np.exp((reach - TOP_RADIUS - 0.5) / rng.uniform(0.6, 1.5)))
            shown = (shown * (1 - shadow)[..., None]) * (1 - inside)[..., None] + disc * inside[..., None]
            slots[target] += 1
        shown = shown.astype(np.float32)
        return shown, example.palette.likeness(shown.astype(np.uint8)), slots

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
        for levels, factor in ((shown, own), (empty, gain)):
            noisy = levels * factor + rng.normal(0, rng.uniform(0.3, 2.5), levels.shape)
            pair.append(np.clip(noisy, 0, 255).astype(np.uint8)[..., order])
        seen = pair[0]
        if rng.random() < 0.3:
            seen = np.asarray(cv2.GaussianBlur(seen, (0, 0), rng.uniform(0.4, 0.9)))
        down, right = rng.normal(0, 0.7, 2).clip(-2, 2)
        shift = np.array([[1, 0, right], [0, 1, down]], dtype=np.float64)
        size = (STRIP_WIDTH, STRIP_LENGTH)

        def moved(values: NDArray[np.uint8] | NDArray[np.float32]) -> NDArray[np.float32]:
            return np.asarray(cv2.warpAffine(values, shift, size, borderMode=cv2.BORDER_REPLICATE), dtype=np.float32)

        roots = ROOT_OF_LEVEL[moved(seen).astype(np.uint8)]
        blob = np.empty((CHANNELS, STRIP_LENGTH, STRIP_WIDTH), np.float32)
        blob[0:3] = roots.transpose(2, 0, 1)
        blob[3:6] = 2.0 * (roots - ROOT_OF_LEVEL[moved(pair[1]).astype(np.uint8)]).transpose(2, 0, 1)
        blob[6:8] = moved(like).transpose(2, 0, 1) / 4.0
        blob[8:10] = (leaning / LEANING_PX)[:, None, None]
        return blob


def loss_of(out: torch.Tensor, slots: torch.Tensor, hidden: torch.Tensor, deciding: torch.Tensor) -> torch.Tensor:
    """Gets the loss of a batch: what lies in each slot, and whether a hand hides the point."""
    lying = nn.functional.cross_entropy(out[:, :CLASSES], slots, ignore_index=-1)
    clear = (nn.functional.logsigmoid(-out[:, CLASSES]) * deciding).sum(dim=1)
    covered = torch.log1p(-torch.exp(clear).clamp(max=1 - 1e-6))
    known = hidden >= 0
    hand = -(hidden * covered + (1 - hidden) * clear)[known].mean()
    return lying + 0.2 * hand


def train(data: Sequence[Columns], steps: int) -> ColumnNetwork:
    """Trains on strips; one core, some ten minutes for 2,400 steps."""
    torch.manual_seed(SEED)
    torch.set_num_threads(1)
    examples = Examples(data, np.random.default_rng(SEED))
    model: ColumnNetwork = ColumnNetwork().to(memory_format=torch.channels_last)
    optimiser = torch.optim.AdamW(model.parameters(), lr=3e-3, weight_decay=1e-2)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, 4e-3, total_steps=steps)
    running = 0.0
    shares = torch.zeros(2)
    for step in range(1, steps + 1):
        blobs, slots, hidden, deciding = examples.batch(BATCH)
        value = loss_of(model(blobs.to(memory_format=torch.channels_last)), slots, hidden, deciding)
        optimiser.zero_grad()
        value.backward()
        optimiser.step()
        schedule.step()
        running = 0.98 * running + 0.02 * float(value.detach()) if step > 1 else float(value.detach())
        held = slots > 0
        doubled = held & ~torch.isin(slots, torch.tensor([1, 1 + LAYERS]))
        shares = shares * 0.98 + 0.02 * torch.tensor([float(held.sum()), float(doubled.sum())])
        if step % 100 == 0:
            LOG.info("step %d: loss %.4f, doubled %.3f of slots", step, running, float(shares[1] / shares[0]))
    model.eval()
    return model


def write_onnx(model: ColumnNetwork, out: Path) -> None:
    """Writes the network for any number of strips."""
    sample = torch.zeros(2, CHANNELS, STRIP_LENGTH, STRIP_WIDTH)
    axes = {"strips": {0: "count"}, "slots": {0: "count"}}
    torch.onnx.export(
        model.to(memory_format=torch.contiguous_format),
        (sample,),
        str(out),
        input_names=["strips"],
        output_names=["slots"],
        dynamic_axes=axes,
        opset_version=13,
        dynamo=False,
    )


def main() -> None:
    """Runs the training."""
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("renders", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--without", default="", help="more installations to keep from training, comma-separated")
    parser.add_argument("--steps", type=int, default=STEPS)
    given = parser.parse_args()
    kept_out = {*HELD_OUT, *given.without.split(",")}
    names = [path.name for path in sorted(given.renders.glob("inst*")) if path.name not in kept_out]
    data = collect(given.renders, names)
    LOG.info("%d strips of %s", sum(len(columns.strips) for columns in data), ", ".join(names))
    write_onnx(train(data, given.steps), given.out)


if __name__ == "__main__":
    main()
