"""Trains the network that reads the doubling cube, and writes it as ONNX. One core, about twenty minutes.

    python -m boardctl.vision.training.cube_value_training OUT.onnx FONT.ttf FONT.ttf ... [--start START.onnx --seed N]

With a network to start from it goes on from that, with a lower rate, so many ``--steps``. Whatever the fonts, one
number in eight and more is drawn with single strokes.

Needs PyTorch (2.13.0 was used), onnx and Pillow, which are no part of boardctl. Recipe and measures: CUBE_MODEL_CARD.md
beside this file.
"""

import argparse
import logging
import multiprocessing
import time
from math import ceil
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import onnx
import torch
from torch import nn

from boardctl.vision.cube_value import VALUES, WINDOW_PX, window_input
from boardctl.vision.training.cube_faces import STROKES, window
from boardctl.vision.training.half_weights import halve_weights, widened

LOG = logging.getLogger(__name__)

SEED = 20261121
BATCH = 96
STEPS, RATE = 2200, 4e-3
ENDING_STEPS, ENDING_RATE = 600, 1e-3
"""Steps and highest learning rate of a run from the beginning, and of one that goes on from another."""
STROKES_SHARE = 0.15
"""For each font so many are added that are drawn with single strokes."""
BATCHES_AHEAD = 8
CHANNELS = (12, 24, 32, 48)
SMOOTHED = 0.02
"""Share of certainty that no answer gets: likelihoods that are trained to be 1 say nothing any more."""


def network(folded: bool = False) -> nn.Sequential:
    """Gets the network: four stages, each half as fine, and a mean over the window.

    ``folded``: its batch norms are part of its convolutions, as in what is written.
    """
    layers: list[nn.Module] = []
    before = 1
    for channels in CHANNELS:
        for _ in range(2 if channels < CHANNELS[-1] else 1):
            norm = [] if folded else [nn.BatchNorm2d(channels)]
            layers += [nn.Conv2d(before, channels, 3, padding=1, bias=folded), *norm, nn.ReLU()]
            before = channels
        layers.append(nn.MaxPool2d(2))
    cells = (WINDOW_PX // 2 ** len(CHANNELS)) ** 2
    return nn.Sequential(*layers, nn.Flatten(), nn.Dropout(0.2), nn.Linear(before * cells, len(VALUES) + 1))


def written(path: Path) -> nn.Sequential:
    """Gets a network that was written before.

    :raises ValueError: if the file holds another one.
    """
    graph = widened(onnx.load(str(path))).graph
    values = {each.name: onnx.numpy_helper.to_array(each) for each in graph.initializer}
    steps = [node for node in graph.node if node.op_type in ("Conv", "Gemm")]
    model = network(folded=True)
    layers = [layer for layer in model if isinstance(layer, nn.Conv2d | nn.Linear)]
    if len(layers) != len(steps):
        raise ValueError(f"{path}: holds {len(steps)} layers with weights, not {len(layers)}")
    for layer, step in zip(layers, steps, strict=True):
        assert layer.bias is not None
        layer.weight.data = torch.from_numpy(values[step.input[1]].copy())
        layer.bias.data = torch.from_numpy(values[step.input[2]].copy())
    return model


def make_batches(queue: Any, steps: int, seed: int, fonts: list[str]) -> None:
    """Puts the batches of all steps into a queue: inputs, and what the cubes show."""
    cv2.setNumThreads(1)
    rng = np.random.default_rng(seed)
    for _ in range(steps):
        drawn = [window(rng, fonts) for _ in range(BATCH)]
        queue.put((np.stack([window_input(picture) for picture, _ in drawn]), np.array([shown for _, shown in drawn])))


def train(model: nn.Module, steps: int, rate: float, seed: int, fonts: list[str]) -> nn.Module:
    """Trains a network on cubes drawn with some fonts."""
    torch.manual_seed(seed)
    torch.set_num_threads(1)
    model = model.train()
    optimiser = torch.optim.AdamW(model.parameters(), lr=rate, weight_decay=1e-3)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, rate, total_steps=steps, pct_start=0.15)
    loss = nn.CrossEntropyLoss(label_smoothing=SMOOTHED)
    queue: multiprocessing.Queue[Any] = multiprocessing.Queue(BATCHES_AHEAD)
    maker = multiprocessing.Process(target=make_batches, args=(queue, steps, seed, fonts), daemon=True)
    maker.start()
    right = 0.0
    for step in range(steps):
        values, wanted = (torch.from_numpy(part) for part in queue.get())
        out = model(values)
        value = loss(out, wanted)
        optimiser.zero_grad()
        value.backward()
        optimiser.step()
        schedule.step()
        right += 0.02 * ((out.argmax(1) == wanted).float().mean().item() - right)
        if step % 100 == 0:
            LOG.info("step %d: loss %.3f, right %.3f", step, value.item(), right)
    return model.eval()


def main() -> None:
    """Trains with the fonts given and writes to the file given first."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("fonts", nargs="+")
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--start", type=Path, help="go on from this network")
    parser.add_argument("--steps", type=int, default=ENDING_STEPS, help="so many, where it goes on from another")
    given = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    began = time.monotonic()
    fonts = given.fonts + list(STROKES) * ceil(STROKES_SHARE * len(given.fonts) / len(STROKES))
    if given.start is None:
        model = train(network(), STEPS, RATE, given.seed, fonts)
    else:
        model = train(written(given.start), given.steps, ENDING_RATE, given.seed, fonts)
    example = torch.zeros(1, 1, WINDOW_PX, WINDOW_PX)
    torch.onnx.export(model, (example,), str(given.out), input_names=["window"], output_names=["shows"], dynamo=False)
    halve_weights(given.out)
    LOG.info("%.0f s", time.monotonic() - began)


if __name__ == "__main__":
    main()
