"""Trains the network that reads the doubling cube, and writes it as ONNX. One core, about twenty minutes.

    python -m boardctl.vision.training.cube_value_training OUT.onnx FONT.ttf FONT.ttf ...

Needs PyTorch (2.13.0 was used), onnx and Pillow, which are no part of boardctl. Recipe and measures: CUBE_MODEL_CARD.md
beside this file.
"""

import argparse
import logging
import multiprocessing
import time
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import torch
from torch import nn

from boardctl.vision.cube_value import VALUES, WINDOW_PX, window_input
from boardctl.vision.training.cube_faces import window

LOG = logging.getLogger(__name__)

SEED = 20261121
BATCH = 96
STEPS = 2200
BATCHES_AHEAD = 8
CHANNELS = (12, 24, 32, 48)
SMOOTHED = 0.02
"""Share of certainty that no answer gets: likelihoods that are trained to be 1 say nothing any more."""


def network() -> nn.Module:
    """Gets the network: four stages, each half as fine, and a mean over the window."""
    layers: list[nn.Module] = []
    before = 1
    for channels in CHANNELS:
        for _ in range(2 if channels < CHANNELS[-1] else 1):
            layers += [nn.Conv2d(before, channels, 3, padding=1, bias=False), nn.BatchNorm2d(channels), nn.ReLU()]
            before = channels
        layers.append(nn.MaxPool2d(2))
    cells = (WINDOW_PX // 2 ** len(CHANNELS)) ** 2
    return nn.Sequential(*layers, nn.Flatten(), nn.Dropout(0.2), nn.Linear(before * cells, len(VALUES) + 1))


def make_batches(queue: Any, steps: int, seed: int, fonts: list[str]) -> None:
    """Puts the batches of all steps into a queue: inputs, and what the cubes show."""
    cv2.setNumThreads(1)
    rng = np.random.default_rng(seed)
    for _ in range(steps):
        drawn = [window(rng, fonts) for _ in range(BATCH)]
        queue.put((np.stack([window_input(picture) for picture, _ in drawn]), np.array([shown for _, shown in drawn])))


def train(steps: int, fonts: list[str]) -> nn.Module:
    """Trains a new network on cubes drawn with some fonts."""
    torch.manual_seed(SEED)
    torch.set_num_threads(1)
    model = network().train()
    optimiser = torch.optim.AdamW(model.parameters(), lr=2e-3, weight_decay=1e-3)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, 4e-3, total_steps=steps, pct_start=0.15)
    loss = nn.CrossEntropyLoss(label_smoothing=SMOOTHED)
    queue: multiprocessing.Queue[Any] = multiprocessing.Queue(BATCHES_AHEAD)
    maker = multiprocessing.Process(target=make_batches, args=(queue, steps, SEED, fonts), daemon=True)
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
    parser.add_argument("--steps", type=int, default=STEPS)
    given = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    began = time.monotonic()
    model = train(given.steps, given.fonts)
    example = torch.zeros(1, 1, WINDOW_PX, WINDOW_PX)
    torch.onnx.export(model, (example,), str(given.out), input_names=["window"], output_names=["shows"], dynamo=False)
    LOG.info("%.0f s", time.monotonic() - began)


if __name__ == "__main__":
    main()
