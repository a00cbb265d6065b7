"""Trains the network that looks closer at full rows, and writes it as ONNX.

    python -m boardctl.virtual.training.boards DRAWN.npz
    python -m boardctl.vision.training.stack_training RENDERS_DIR OUT.onnx [--drawn DRAWN.npz ...] [--steps 4500]
        [--start OLD]

DRAWN may be what ``boardctl.virtual.traced.training_boards`` has traced, or ``stack_pictures`` has seen in pictures,
too. OLD is a network to go on from: one that was written (.onnx), or the .pt that is written beside it.

Needs PyTorch (2.13.0 was used), which is not part of boardctl. Recipe and measures: STACK_MODEL_CARD.md beside this.
"""

import argparse
import logging
from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np
import torch
from torch import nn

from boardctl.vision.points.stack_strips import CHANNELS, PATCH_PX, stack_input
from boardctl.vision.training.column_data import LAYERS
from boardctl.vision.training.column_training import HELD_OUT
from boardctl.vision.training.dice_weights import take_up
from boardctl.vision.training.learning import halved_where_faster
from boardctl.vision.training.small_weights import halve_weights
from boardctl.vision.training.stack_rows import Row, rows_drawn, rows_of, share_of, taller, varied

LOG = logging.getLogger(__name__)

SEED = 5
ROWS_A_STEP, PATCHES_A_ROW = 32, 4
RATE = 2.5e-3
MADE_TALLER = {True: 0.15, False: 0.65}
"""How often a row gets more layers: drawn ones seldom, as they have their own."""


class StackNetwork(nn.Module):  # type: ignore[misc]  # PyTorch is not there where types are checked
    """Patches (N x 12 x 72 x 72) -> logits of one, two and three checkers in the slot in the middle (N x 3)."""

    def __init__(self) -> None:
        super().__init__()

        def block(before: int, after: int, stride: int) -> list[nn.Module]:
            return [nn.Conv2d(before, after, 3, stride, 1, bias=False), nn.BatchNorm2d(after), nn.ReLU()]

        self.body = nn.Sequential(
            *block(CHANNELS, 16, 2), *block(16, 24, 2), *block(24, 32, 2), *block(32, 48, 1), *block(48, 48, 2)
        )
        self.drop = nn.Dropout(0.25)
        self.all = nn.Conv2d(48, 48, 5)
        self.out = nn.Conv2d(48, LAYERS, 1)

    def forward(self, patches: torch.Tensor) -> torch.Tensor:
        seen = torch.relu(self.all(self.drop(self.body(patches))))
        return self.out(self.drop(seen)).flatten(1)


def batch(rows: Sequence[Row], shares: np.ndarray, rng: np.random.Generator) -> tuple[torch.Tensor, torch.Tensor]:
    """Gets patches of varied rows, and the layers in each."""
    patches, layers = [], []
    for index in rng.choice(len(rows), ROWS_A_STEP, p=shares):
        row = rows[index]
        if rng.random() < (0.35 if row.layers.any() and not row.is_drawn else MADE_TALLER[row.is_drawn]):
            row = taller(row, rng)
        row = varied(row, rng)
        chosen = rng.permutation(len(row.layers))[:PATCHES_A_ROW]
        patches.append(stack_input(row.shown, row.leaning, len(row.layers), row.single)[chosen])
        layers.append(row.layers[chosen])
    return torch.from_numpy(np.concatenate(patches)), torch.from_numpy(np.concatenate(layers))


def train(rows: Sequence[Row], steps: int, rate: float = RATE, start: Path | None = None) -> StackNetwork:
    """Trains on rows, from nothing or from a network to ``start`` from; one core, three minutes for 1,000 steps."""
    seed = SEED + (start is not None)
    torch.manual_seed(seed)
    torch.set_num_threads(1)
    rng, shares = np.random.default_rng(seed), share_of(rows)
    model: StackNetwork = StackNetwork()
    if start is not None:
        take_up(model, start, lambda: np.concatenate([batch(rows, shares, rng)[0].numpy() for _ in range(4)]))
    model.train().to(memory_format=torch.channels_last)
    optimiser = torch.optim.AdamW(model.parameters(), lr=rate, weight_decay=1e-2)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, rate, total_steps=steps, pct_start=0.15)
    shown, running = np.zeros(LAYERS), 1.0
    for step in range(1, steps + 1):
        patches, layers = batch(rows, shares, rng)
        shown += np.bincount(layers, minlength=LAYERS)
        with halved_where_faster("cpu"):
            out = model(patches.to(memory_format=torch.channels_last)).float()
        loss = nn.functional.cross_entropy(out, layers, label_smoothing=0.02)
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        schedule.step()
        running += 0.02 * (float(loss.detach()) - running)
        if step % 100 == 0:
            LOG.info("step %d: loss %.4f, odds of two, three %s", step, running, (shown / shown[0])[1:].round(3))
    model.eval()
    return model


def main() -> None:
    """Runs the training."""
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("renders", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--drawn", type=Path, nargs="*", default=[], help="boards of our own renderers")
    parser.add_argument("--without", default="", help="more installations to keep from training, comma-separated")
    parser.add_argument("--steps", type=int, default=4500)
    parser.add_argument("--rate", type=float, default=RATE, help="highest learning rate")
    parser.add_argument("--start", type=Path, help="a network to go on from")
    given = parser.parse_args()
    cv2.setNumThreads(1)
    kept_out = {*HELD_OUT, *given.without.split(",")}
    folders = [path for path in sorted(given.renders.glob("inst*")) if path.name not in kept_out]
    rows = [row for folder in folders for row in rows_of(folder)]
    rows += [row for path in given.drawn for row in rows_drawn(path)]
    LOG.info("%d rows of %s", len(rows), ", ".join(folder.name for folder in folders))
    model = train(rows, given.steps, given.rate, given.start).to(memory_format=torch.contiguous_format)
    torch.save(model.state_dict(), given.out.with_suffix(".pt"))
    torch.onnx.export(
        model,
        (torch.zeros(2, CHANNELS, PATCH_PX, PATCH_PX),),
        str(given.out),
        input_names=["patches"],
        output_names=["layers"],
        dynamic_axes={"patches": {0: "count"}, "layers": {0: "count"}},
        opset_version=13,
        dynamo=False,
    )
    halve_weights(given.out)


if __name__ == "__main__":
    main()
