"""Trains the network of the scan, which finds where dice may be, and writes it as ONNX. One core, about ten minutes.

    python -m boardctl.vision.training.dice_scan_training RENDERS_DIR OUT.onnx

Needs PyTorch (2.13.0 was used), which is not part of boardctl. Recipe and measures: MODEL_CARD.md beside this file.
"""

import logging
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from boardctl.vision.dice_scan import CELL_PX, SCAN_DIE_PX, scan_input, scan_picture
from boardctl.vision.training.dice_examples import weaken
from boardctl.vision.training.dice_weights import pair_columns, whole_columns
from boardctl.vision.training.sites import die_center, drawn_die
from boardctl.vision.training.truth import TruePicture, training_pictures

LOG = logging.getLogger(__name__)

SEED = 20240612
COLLECT_SEED, BATCH_SEED = 1, 2
STORED_DIE_PX = 10.0  # the scans that examples are cut from are a little finer than the network's
PAINTED = 2
DRAWN_A_PICTURE = 6
TILE_PX = 96
BATCH = 32
STEPS = 5200
SIZES = (0.7, 1.45)
"""True sizes of dice in terms of the size that is assumed: dice of 10 to 20 mm where 13.5 are assumed, and a little."""


@dataclass(frozen=True)
class Scan:
    """One rectified picture, the middles of the dice in it (pixels), of those that do not count, and of the cube."""

    picture: NDArray[np.uint8]
    dice: NDArray[np.float64]
    ignored: NDArray[np.float64]
    cubes: NDArray[np.float64]


def _scan(picture: TruePicture, image: NDArray[np.uint8], drawn: list[tuple[float, float]]) -> Scan:
    scan, frame = scan_picture(image, picture.camera, picture.geometry, STORED_DIE_PX)
    sure, unsure = list(drawn), list[tuple[float, float]]()
    for die in picture.truth["dice"]:
        if die["in_image"]:
            (sure if die["visible_frac"] >= 0.5 else unsure).append(die_center(picture, die)[:2])
    cubes = list[tuple[float, float]]()
    cube = picture.truth.get("cube")
    if cube and cube.get("center_px"):
        x, y = picture.camera.to_plane([cube["center_px"]], picture.geometry.die_size_mm / 2)[0]
        cubes.append((float(x), float(y)))
    sets = [np.array(spots, dtype=np.float64).reshape(-1, 2) for spots in (sure, unsure, cubes)]
    return Scan(scan, *(frame.to_pixels(spots) for spots in sets))


def collect(folder: Path, rng: np.random.Generator) -> list[Scan]:
    """Gets the scans of all pictures, as they are and with drawn dice."""
    scans = []
    for picture in training_pictures(folder):
        image = picture.picture()
        scans.append(_scan(picture, image, []))
        for _ in range(PAINTED):
            painted, spots = image, list[tuple[float, float]]()
            for _ in range(DRAWN_A_PICTURE):
                made = drawn_die(picture, painted, rng)
                if made is not None and all(np.hypot(made[1][0] - x, made[1][1] - y) > 35 for x, y in spots):
                    painted = made[0]
                    spots.append(made[1][:2])
            scans.append(_scan(picture, painted, spots))
    return scans


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


def train(scans: list[Scan], steps: int, rng: np.random.Generator) -> nn.Module:
    """Trains on random tiles."""
    torch.manual_seed(SEED)
    torch.set_num_threads(1)
    model = network().to(memory_format=torch.channels_last)  # twice as fast on a processor
    nn.init.constant_(model[-1].bias, -3.0)
    optimiser = torch.optim.AdamW(model.parameters(), lr=3e-3, weight_decay=1e-4)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, 5e-3, total_steps=steps, pct_start=0.1)
    for step in range(steps):
        tiles, targets = zip(*(example(scans[rng.integers(len(scans))], rng) for _ in range(BATCH)), strict=True)
        inputs = torch.from_numpy(whole_columns(np.concatenate([scan_input(tile) for tile in tiles])))
        inputs = inputs.contiguous(memory_format=torch.channels_last)
        value = loss(model(inputs), torch.from_numpy(np.stack(targets)))
        optimiser.zero_grad()
        value.backward()
        optimiser.step()
        schedule.step()
        if step % 100 == 0:
            LOG.info("step %d: loss %.3f", step, value.item())
    return model.eval()


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


def main() -> None:
    """Trains on the folder given first and writes to the file given second."""
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    cv2.setNumThreads(1)
    began = time.monotonic()
    scans = collect(Path(sys.argv[1]), np.random.default_rng(COLLECT_SEED))
    LOG.info("%d scans in %.0f s", len(scans), time.monotonic() - began)
    model = train(scans, STEPS, np.random.default_rng(BATCH_SEED))
    write_onnx(model, Path(sys.argv[2]))
    LOG.info("%.0f s", time.monotonic() - began)


if __name__ == "__main__":
    main()
