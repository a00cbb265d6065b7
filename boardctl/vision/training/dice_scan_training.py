"""Trains the network of the scan, which finds where dice may be, and writes it as ONNX. One core.

    python -m boardctl.vision.training.dice_scan_training RENDERS_DIR OUT.onnx [DRAWN ...] [--start START.onnx]
        [--steps 5200]

DRAWN is what ``boardctl.virtual.training.scans`` has written, START the weights that are learned on from.

Needs PyTorch (2.13.0 was used), which is not part of boardctl. Recipe and measures: MODEL_CARD.md beside this file.
"""

import argparse
import logging
import pickle
import time
from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from boardctl.vision.dice.scan import CELL_PX, SCAN_DIE_PX, scan_input
from boardctl.vision.training.dice_examples import weaken
from boardctl.vision.training.dice_scans import STORED_DIE_PX, Scan, collect
from boardctl.vision.training.dice_weights import pair_columns, running_mean, take_from_file, whole_columns
from boardctl.vision.training.small_weights import halve_weights

LOG = logging.getLogger(__name__)

SEED = 20240612
COLLECT_SEED, BATCH_SEED = 1, 2
TILE_PX = 96
BATCH = 32
STEPS = 5200
RATE, RATE_GOING_ON = 5e-3, 2.5e-3
"""Highest learning rates, from nothing and from an earlier network."""
TOLD_EVERY = 200
DRAWN_SHARE = 0.55
"""How often a tile of a drawn board is shown, where there are any."""
SIZES = (0.7, 1.45)
"""True sizes of dice in terms of the size that is assumed: dice of 10 to 20 mm where 13.5 are assumed, and a little."""


def example(scan: Scan, rng: np.random.Generator) -> tuple[NDArray[np.uint8], NDArray[np.float32]]:
    """Gets a tile and 5 x h x w: die here, right, down, cube here, what counts (1: middle of a die, -1: nothing)."""
    size = float(np.exp(rng.uniform(*np.log(SIZES)))) if rng.random() < 0.6 else rng.uniform(0.88, 1.12)
    angle, scale = rng.uniform(0, 2 * np.pi), SCAN_DIE_PX / STORED_DIE_PX * size
    height, width = scan.picture.shape[:2]
    middle = np.array([rng.uniform(0, width), rng.uniform(0, height)])
    if len(scan.cubes) and rng.random() < 0.12:
        middle = scan.cubes[0] + rng.uniform(-45, 45, 2)
    elif len(scan.dice) and rng.random() < 0.6:
        middle = scan.dice[rng.integers(len(scan.dice))] + rng.uniform(-45, 45, 2)
    turn = scale * np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    if rng.random() < 0.5:
        turn[0] *= -1
    shift = np.array([TILE_PX / 2, TILE_PX / 2]) - turn @ middle
    tile = cv2.warpAffine(
        scan.picture, np.column_stack([turn, shift]), (TILE_PX, TILE_PX), borderMode=cv2.BORDER_REPLICATE
    )
    cells = TILE_PX // CELL_PX
    target = np.zeros((5, cells, cells), dtype=np.float32)
    rows, columns = np.mgrid[0:cells, 0:cells]
    for x, y in scan.dice @ turn.T + shift:
        u, v = (x + 0.5) / CELL_PX - 0.5, (y + 0.5) / CELL_PX - 0.5
        away = np.square(columns - u) + np.square(rows - v)
        target[0] = np.maximum(target[0], np.exp(-away / (2 * 0.55**2)))
        row, column = round(v), round(u)
        if 0 <= row < cells and 0 <= column < cells:
            target[[0, 1, 2, 4], row, column] = (1, u - column, v - row, 1)
    for x, y in scan.cubes @ turn.T + shift:
        u, v = (x + 0.5) / CELL_PX - 0.5, (y + 0.5) / CELL_PX - 0.5
        target[3] = np.exp(-(np.square(columns - u) + np.square(rows - v)) / (2 * 0.8**2))
        row, column = round(v), round(u)
        if 0 <= row < cells and 0 <= column < cells:
            target[3, row, column] = 1
    for x, y in scan.ignored @ turn.T + shift:
        u, v = (x + 0.5) / CELL_PX - 0.5, (y + 0.5) / CELL_PX - 0.5
        target[4][np.square(columns - u) + np.square(rows - v) < 9] = -1
    return weaken(np.asarray(tile, dtype=np.uint8), rng), target


def network() -> nn.Module:
    """Gets the network: two strided convolutions, three separable ones, 4 numbers a cell."""

    def separable(before: int, after: int, dilation: int) -> list[nn.Module]:
        return [
            nn.Conv2d(before, before, 3, padding=dilation, dilation=dilation, groups=before, bias=False),
            nn.BatchNorm2d(before),
            nn.Conv2d(before, after, 1, bias=False),
            nn.BatchNorm2d(after),
            nn.ReLU(),
        ]

    return nn.Sequential(
        nn.Conv2d(3, 8, 5, stride=2, padding=2, bias=False),
        nn.BatchNorm2d(8),
        nn.ReLU(),
        nn.Conv2d(8, 32, 3, stride=2, padding=1, bias=False),
        nn.BatchNorm2d(32),
        nn.ReLU(),
        *separable(32, 40, 1),
        *separable(40, 40, 2),
        *separable(40, 40, 2),
        *separable(40, 40, 1),
        nn.Conv2d(40, 4, 1),
    )


def loss(out: torch.Tensor, target: torch.Tensor) -> torch.Tensor:
    """The penalty of CenterNet (Zhou et al., "Objects as Points", 2019): focal for the likelihood, L1 for the place."""
    counts = target[:, 4] >= 0
    total = out.new_zeros(())
    for channel in (0, 3):
        likely = torch.sigmoid(out[:, channel]).clamp(1e-5, 1 - 1e-5)
        hit = (target[:, channel] >= 1) & counts
        right = (torch.log(likely) * (1 - likely) ** 2)[hit].sum()
        wrong = (torch.log(1 - likely) * likely**2 * (1 - target[:, channel]) ** 4)[~hit & counts].sum()
        total = total - (right + wrong) / (hit.sum() + 1)
    die = target[:, 4] == 1
    place = (out[:, 1:3] - target[:, 1:3]).abs().sum(dim=1)[die].sum()
    return total + place / (die.sum() + 1)


def train(kinds: Sequence[tuple[float, list[Scan]]], steps: int, start: Path | None) -> nn.Module:
    """Trains on random tiles of scans of each kind, which are shown in their shares, from earlier weights on or from
    nothing."""
    torch.manual_seed(SEED)
    torch.set_num_threads(1)
    rng = np.random.default_rng(BATCH_SEED)
    shares = np.array([share for share, _ in kinds])
    model = network().to(memory_format=torch.channels_last)  # twice as fast on a processor
    nn.init.constant_(model[-1].bias, -3.0)
    if start is not None:
        shown, _ = _batch(kinds, shares, rng)
        take_from_file(model, start, shown)
        model.train()
    rate = RATE if start is None else RATE_GOING_ON
    mean = running_mean(model)
    optimiser = torch.optim.AdamW(model.parameters(), lr=rate, weight_decay=1e-4)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, rate, total_steps=steps, pct_start=0.1)
    value_mean = 0.0
    for step in range(1, steps + 1):
        shown, targets = _batch(kinds, shares, rng)
        inputs = torch.from_numpy(shown).contiguous(memory_format=torch.channels_last)
        value = loss(model(inputs), torch.from_numpy(targets))
        optimiser.zero_grad()
        value.backward()
        optimiser.step()
        schedule.step()
        mean.update_parameters(model)
        value_mean += value.item()
        if step % TOLD_EVERY == 0:
            LOG.info("step %d: loss %.3f", step, value_mean / TOLD_EVERY)
            value_mean = 0.0
    return mean.module.eval()


def _batch(
    kinds: Sequence[tuple[float, list[Scan]]], shares: NDArray[np.float64], rng: np.random.Generator
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Gets tiles as the network is shown them (N x 3 x H x W), and what it is to say of their cells."""
    chosen = [kinds[kind][1] for kind in rng.choice(len(kinds), BATCH, p=shares / shares.sum())]
    tiles, targets = zip(*(example(scans[rng.integers(len(scans))], rng) for scans in chosen), strict=True)
    return whole_columns(np.concatenate([scan_input(tile) for tile in tiles])), np.stack(targets)


def write_onnx(model: nn.Module, out: Path) -> None:
    """Writes the network for OpenCV; height and width of the scan are free."""
    torch.onnx.export(
        model,
        (torch.zeros(1, 3, TILE_PX, TILE_PX),),
        str(out),
        input_names=["scan"],
        output_names=["cells"],
        dynamic_axes={"scan": {2: "h", 3: "w"}, "cells": {2: "h", 3: "w"}},
        dynamo=False,
    )
    pair_columns(out)
    halve_weights(out)


def main() -> None:
    """Trains on the folder given first and writes to the file given second."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("renders", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("drawn", type=Path, nargs="*")
    parser.add_argument("--start", type=Path)
    parser.add_argument("--steps", type=int, default=STEPS)
    given = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    cv2.setNumThreads(1)
    began = time.monotonic()
    rendered = collect(given.renders, np.random.default_rng(COLLECT_SEED))
    drawn: list[Scan] = []
    for path in given.drawn:
        with path.open("rb") as file:
            drawn += pickle.load(file)  # noqa: S301  our own
    LOG.info("%d rendered and %d drawn scans in %.0f s", len(rendered), len(drawn), time.monotonic() - began)
    kinds = [(1 - DRAWN_SHARE, rendered), (DRAWN_SHARE, drawn)] if drawn else [(1.0, rendered)]
    write_onnx(train(kinds, given.steps, given.start), given.out)
    LOG.info("%.0f s", time.monotonic() - began)


if __name__ == "__main__":
    main()
