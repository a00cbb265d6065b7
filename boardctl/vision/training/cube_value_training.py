"""Trains the network that reads the doubling cube, and writes it as ONNX. One core, about twenty minutes.

    python -m boardctl.vision.training.cube_value_training OUT.onnx FONT.ttf FONT.ttf ... [--start START --seed N]
        [--minutes 8 --device cuda --makers 5 --batch 512]

With a network to start from (.onnx, or .pt beside one) it goes on from that. Whatever the fonts, one number in eight
and more is drawn with single strokes.

Needs PyTorch (2.13.0 was used), onnx and Pillow, which are no part of boardctl. Recipe and measures: CUBE_MODEL_CARD.md
beside this file.
"""

import argparse
import logging
import time
from collections.abc import Iterator
from math import ceil
from pathlib import Path

import cv2
import numpy as np
import torch
from torch import nn

from boardctl.vision.dice.cube_value import SPREAD_ADDED, VALUES, WINDOW_PX
from boardctl.vision.training.ahead import made_ahead
from boardctl.vision.training.cube_faces import STROKES, windows
from boardctl.vision.training.dice_weights import take_up
from boardctl.vision.training.learning import Batch, Learning, Tensors, add_options, learn
from boardctl.vision.training.small_weights import weights_as_bytes

LOG = logging.getLogger(__name__)

SEED = 20261121
BATCH = 96
FROM_BEGINNING, GOING_ON = Learning(2200, 4e-3, weight_decay=1e-3), Learning(600, 1e-3, weight_decay=1e-3)
"""How a run learns from the beginning, and one that goes on from another."""
STROKES_SHARE = 0.15
"""For each font so many are added that are drawn with single strokes."""
CHANNELS = (16, 32, 48, 64)
SMOOTHED = 0.02
"""Share of certainty that no answer gets: likelihoods that are trained to be 1 say nothing any more."""


def network() -> nn.Sequential:
    """Gets the network: four stages, each half as fine, and one layer for all."""
    layers: list[nn.Module] = []
    before = 1
    for channels in CHANNELS:
        for _ in range(2 if channels < CHANNELS[-1] else 1):
            layers += [nn.Conv2d(before, channels, 3, padding=1, bias=False), nn.BatchNorm2d(channels), nn.ReLU()]
            before = channels
        layers.append(nn.MaxPool2d(2))
    cells = (WINDOW_PX // 2 ** len(CHANNELS)) ** 2
    return nn.Sequential(*layers, nn.Flatten(), nn.Dropout(0.2), nn.Linear(before * cells, len(VALUES) + 1))


def batches(fonts: list[str], size: int, seed: int) -> Iterator[Batch]:
    """Gets, for every step, windows (N x 48 x 48 greys), and what the cubes in them show."""
    rng = np.random.default_rng(seed)
    while True:
        drawn = [window for _ in range(ceil(size / 4)) for window in windows(rng, fonts)]
        pictures, shown = zip(*drawn, strict=True)
        yield np.stack(pictures), np.array(shown)


def shown_of(pictures: torch.Tensor) -> torch.Tensor:
    """Gets what the network is shown of windows: the same as :func:`boardctl.vision.dice.cube_value.window_input`."""
    greys = pictures.float()
    spread, mean = torch.std_mean(greys, dim=(1, 2), keepdim=True, correction=0)
    return ((greys - mean) / (spread + SPREAD_ADDED))[:, None]


def value_of(model: nn.Module, batch: Tensors) -> torch.Tensor:
    """Gets the loss of a batch (:func:`batches`)."""
    pictures, shown = batch
    return nn.functional.cross_entropy(model(shown_of(pictures)), shown, label_smoothing=SMOOTHED)


def main() -> None:
    """Trains with the fonts given and writes to the file given first."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("fonts", nargs="+")
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--start", type=Path, help="go on from this network")
    add_options(parser)
    given = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    began = time.monotonic()
    fonts = given.fonts + list(STROKES) * ceil(STROKES_SHARE * len(given.fonts) / len(STROKES))
    cv2.setNumThreads(1)
    torch.set_num_threads(1)
    torch.manual_seed(given.seed)
    how = (FROM_BEGINNING if given.start is None else GOING_ON).given(given)
    size, model = given.batch or BATCH, network()
    if given.start is not None:
        first = next(batches(fonts, size, given.seed))[0]
        take_up(model, given.start, lambda: shown_of(torch.from_numpy(first)).numpy())
    made = made_ahead(*(batches(fonts, size, given.seed + number) for number in range(how.makers)))
    model = learn(model, made, value_of, how, given.out.with_suffix(".pt"))
    example = torch.zeros(1, 1, WINDOW_PX, WINDOW_PX)
    torch.onnx.export(model, (example,), str(given.out), input_names=["window"], output_names=["shows"], dynamo=False)
    weights_as_bytes(given.out)
    LOG.info("%.0f s", time.monotonic() - began)


if __name__ == "__main__":
    main()
