"""Trains the network that reads one die from a patch, and writes it as ONNX. One core, about an hour.

    python -m boardctl.vision.training.dice_reader_training OUT.onnx SITES.pickle ... [--run NAME --start START]

SITES.pickle are what ``dice_sites`` has collected. Beside OUT.onnx the script writes OUT.pt, every thousand steps;
another run goes on from there, or from a network that was written (START, .pt or .onnx): ``RUNS`` tells which follow.
Needs PyTorch (2.13.0 was used) and onnx, which are no part of boardctl. Recipe and measures: MODEL_CARD.md here.
"""

import argparse
import logging
import time
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from boardctl.vision.dice.patch import (
    DIE_PX,
    PATCH_PX,
    SHRINK_ABOVE_PX,
    PatchFrame,
    cut_patch,
    die_size_px,
    obliqueness,
    patch_to_picture,
)
from boardctl.vision.training.ahead import made_ahead
from boardctl.vision.training.dice_examples import direction_in_patch, weaken
from boardctl.vision.training.dice_tilt_sites import LEANING, LYING
from boardctl.vision.training.dice_weights import take_up, write_network
from boardctl.vision.training.learning import Batch, Learning, Tensors, add_options, learn, shown_of
from boardctl.vision.training.site_files import read_sites
from boardctl.vision.training.sites import TILTED_DEG, Site
from calibration.difference import halve

LOG = logging.getLogger(__name__)

SEED = 20240611
BATCH = 96
WIDE_SHARE, WIDE, NEAR = 0.35, (0.68, 1.47), (0.88, 1.12)
"""A third of the examples are of dice much larger or smaller than assumed (so many assumed widths), the rest nearly."""
UNITS = 80
"""Of the second to last layer; 48 of them until the runs for sizes."""
OUTPUTS, LEARNED = 15, 17
"""Die, cube, six values, tilted, on a checker, on a die, right and down of the middle (dice), tilt/30, log of size. For
the learning alone also how far the normal of the upward side points right and up in the patch."""
WANTED = LEARNED + 3
"""Each example's learned outputs, and after them the weights of its tilt, of what only a die has, and of its normal."""


def example(site: Site, rng: np.random.Generator) -> tuple[NDArray[np.uint8], float, NDArray[np.float32]]:
    """Gets a patch, its obliqueness and the ``WANTED`` numbers."""
    x, y, z = site.center_mm
    shift = rng.uniform(-0.22, 0.22, 2) * site.die_mm if site.label.kind == "die" else np.zeros(2)
    spot = (x + float(shift[0]), y + float(shift[1]), z)
    mirrored = bool(rng.random() < 0.5)
    size = np.exp(rng.uniform(*np.log(WIDE))) if rng.random() < WIDE_SHARE else rng.uniform(*NEAR)
    mm_a_px = site.die_mm / DIE_PX / float(size)
    frame = PatchFrame(spot, mm_a_px, float(rng.normal(0, 0.12)), mirrored)
    large = die_size_px(site.camera, spot, mm_a_px * DIE_PX) > SHRINK_ABOVE_PX
    half = halve(site.picture) if large else None
    patch = weaken(cut_patch(site.picture, site.camera, frame, half_picture=half), rng)
    label = site.label
    wanted = np.zeros(WANTED, dtype=np.float32)
    wanted[0] = label.kind == "die"
    wanted[1] = label.kind == "cube"
    if label.kind == "die":
        wanted[1 + label.value] = 1
        wanted[8] = label.tilt_deg >= TILTED_DEG
        wanted[9] = label.on == "checker"
        wanted[10] = label.on == "die"
        to_patch = np.linalg.inv(patch_to_picture(site.camera, frame))
        pixel = to_patch @ np.append(site.camera.project([site.center_mm])[0], 1)
        wanted[11:13] = (pixel[:2] / pixel[2] - (patch.shape[0] - 1) / 2) / DIE_PX
        wanted[13] = label.tilt_deg / 30
        wanted[14] = np.log(size)
        wanted[LEARNED] = label.tilt_deg < 2 or label.tilt_deg >= TILTED_DEG
        wanted[LEARNED + 1] = 1
        if label.up is not None:
            wanted[15:17] = direction_in_patch(label.up, site.camera, frame)
            wanted[LEARNED + 2] = 1
    return patch, obliqueness(site.camera, spot), wanted


def network(dropped: float = 0.0) -> nn.Module:
    """Gets the network: a convolution, separable ones (fastest by far in OpenCV's newer engine), two layers for all.

    ``dropped``: which part of what the convolutions tell is left out at random while it learns.
    """

    def separable(before: int, after: int, stride: int = 1) -> list[nn.Module]:
        return [
            nn.Conv2d(before, before, 3, stride=stride, padding=1, groups=before, bias=False),
            nn.BatchNorm2d(before),
            nn.Conv2d(before, after, 1, bias=False),
            nn.BatchNorm2d(after),
            nn.ReLU(),
        ]

    return nn.Sequential(
        nn.Conv2d(4, 16, 3, stride=2, padding=1, bias=False),
        nn.BatchNorm2d(16),
        nn.ReLU(),
        *separable(16, 32),
        *separable(32, 64, 2),
        *separable(64, 64),
        *separable(64, 64),
        *separable(64, 96, 2),
        *separable(96, 96),
        *separable(96, 96),
        *separable(96, 128, 2),
        nn.Flatten(),
        nn.Dropout(dropped),
        nn.Linear(128 * (PATCH_PX // 16) ** 2, UNITS),
        nn.ReLU(),
        nn.Linear(UNITS, LEARNED),
    )


def loss(out: torch.Tensor, wanted: torch.Tensor, run: "Run") -> torch.Tensor:
    bce = nn.functional.binary_cross_entropy_with_logits
    die = wanted[:, LEARNED + 1]
    count = die.sum() + 1e-6
    total = bce(out[:, 0:2], wanted[:, 0:2]) * 1.5
    value = nn.functional.cross_entropy(
        out[:, 2:8], wanted[:, 2:8].argmax(dim=1), reduction="none", label_smoothing=0.0
    )
    total = total + (value * die).sum() / count
    tilt = bce(out[:, 8], wanted[:, 8], reduction="none") * wanted[:, LEARNED]
    total = total + 1.5 * tilt.sum() / count
    support = bce(out[:, 9:11], wanted[:, 9:11], reduction="none").sum(dim=1) * die
    total = total + 0.5 * support.sum() / count
    place = run.place_counts * (out[:, 11:13] - wanted[:, 11:13]).square().sum(dim=1) * die
    lean = (out[:, 13] - wanted[:, 13]).square() * die
    size = run.size_counts * (out[:, 14] - wanted[:, 14]).square() * die
    up = 8 * (out[:, 15:17] - wanted[:, 15:17]).square().sum(dim=1) * wanted[:, LEARNED + 2]
    return total + (place + lean + size + up).sum() / count


SHARES = {
    "none": 0.09,
    "mistaken": 0.15,
    "cube": 0.03,
    "true": 0.15,
    "odd": 0.05,
    "drawn": 0.13,
    "stacked": 0.07,
    "leaning": 0.19,
    "beside": 0.14,
}
ENDING_SHARES = {
    "none": 0.08,
    "mistaken": 0.13,
    "cube": 0.03,
    "true": 0.26,
    "odd": 0.07,
    "drawn": 0.13,
    "stacked": 0.05,
    "leaning": 0.14,
    "beside": 0.11,
}
SIXES_SHARES = {**ENDING_SHARES, "drawn": 0.2, "leaning": 0.12, "beside": 0.09, "mistaken": 0.1}
SIZES_SHARES = {
    "none": 0.07,
    "mistaken": 0.11,
    "cube": 0.03,
    "true": 0.24,
    "odd": 0.06,
    "drawn": 0.15,
    "stacked": 0.05,
    "leaning": 0.1,
    "beside": 0.07,
    LEANING: 0.07,
    LYING: 0.05,
}
TRACED_SHARES = {
    "none": 0.07,
    "mistaken": 0.11,
    "cube": 0.03,
    "true": 0.22,
    "odd": 0.05,
    "drawn": 0.13,
    "stacked": 0.05,
    "leaning": 0.14,
    "beside": 0.12,
    LEANING: 0.045,
    LYING: 0.035,
}
PLACES_SHARES = {
    **TRACED_SHARES,
    "none": 0.06,
    "mistaken": 0.19,
    "cube": 0.06,
    "true": 0.2,
    "drawn": 0.12,
    "leaning": 0.1,
    "beside": 0.09,
}
"""Shares of the kinds of sites in a batch: of a run from the beginning, and of those that end it."""


@dataclass(frozen=True)
class Run:
    """How long to learn, how fast at most, from how much of each kind of sites, and the seed of the batches.

    ``place_counts``, ``size_counts``: how much the squared error of a die's middle and of its size counts.
    """

    steps: int
    rate: float
    shares: dict[str, float]
    seed: int
    place_counts: float = 1
    size_counts: float = 4
    dropped: float = 0.2


FROM_BEGINNING = "beginning"
RUNS = {
    FROM_BEGINNING: Run(13000, 4e-3, SHARES, 2),
    "ending": Run(1200, 1e-3, ENDING_SHARES, 3),
    "sixes": Run(1500, 1e-3, ENDING_SHARES, 7),
    "sixes on": Run(1500, 8e-4, SIXES_SHARES, 8),
    "sizes": Run(2000, 1.5e-3, SIZES_SHARES, 9, place_counts=12, size_counts=40, dropped=0.05),
    "sizes on": Run(2000, 1e-3, SIZES_SHARES, 10, place_counts=12, size_counts=40, dropped=0.05),
    "traced": Run(6290, 1.2e-3, TRACED_SHARES, 11, place_counts=12, size_counts=40, dropped=0.05),
    "traced on": Run(8620, 1.2e-3, TRACED_SHARES, 41, place_counts=12, size_counts=40, dropped=0.05),
    "traced more": Run(9000, 1.2e-3, TRACED_SHARES, 42, place_counts=12, size_counts=40, dropped=0.05),
    "places": Run(10000, 1.2e-3, PLACES_SHARES, 43, place_counts=12, size_counts=40, dropped=0.05),
}
"""Each goes on from the one before it, "sizes" and "traced" from the mean of the weights of the two before them."""


def batches(sites: list[Site], run: Run, size: int, seed: int) -> Iterator[Batch]:
    """Gets, for every step, patches, their obliqueness, and what is wanted of the network, of the kinds of sites in
    fixed shares."""
    rng, groups = np.random.default_rng(seed), groups_of(sites, run)
    names, shares = list(groups), list(run.shares.values())
    while True:
        drawn = rng.choice(len(names), size, p=shares)
        chosen = [groups[names[k]][rng.integers(len(groups[names[k]]))] for k in drawn]
        patches, views, wanted = zip(*(example(site, rng) for site in chosen), strict=True)
        yield np.stack(patches), np.array(views, dtype=np.float32), np.stack(wanted)


def value_of(model: nn.Module, batch: Tensors, run: Run) -> torch.Tensor:
    """Gets the loss of a batch (:func:`batches`)."""
    patches, views, wanted = batch
    return loss(model(shown_of(patches, views)), wanted, run)


def groups_of(sites: list[Site], run: Run) -> dict[str, list[Site]]:
    """Gets the sites of each kind that a run learns from."""
    return {name: [site for site in sites if site.group == name] for name in run.shares}


def write_onnx(model: nn.Module, out: Path) -> None:
    """Writes the network, for one patch at a time, without what is for the learning alone."""
    *before, last = model.children()
    told = nn.Linear(last.in_features, OUTPUTS)
    with torch.no_grad():
        told.weight.copy_(last.weight[:OUTPUTS])
        told.bias.copy_(last.bias[:OUTPUTS])
    patch = torch.zeros(1, 4, PATCH_PX, PATCH_PX)
    write_network(nn.Sequential(*before, told), patch, out, ("patches", "readings"))


def main() -> None:
    """Trains on the sites that are given and writes the network."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("sites", type=Path, nargs="+")
    parser.add_argument("--run", choices=RUNS, default=FROM_BEGINNING)
    parser.add_argument("--start", type=Path)
    parser.add_argument("--seed", type=int, help="of the batches, where it is not that of the run")
    add_options(parser)
    given = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    cv2.setNumThreads(1)
    torch.set_num_threads(1)
    torch.manual_seed(SEED)
    began = time.monotonic()
    sites: list[Site] = []
    for path in given.sites:
        sites += read_sites(path)
    run, size = RUNS[given.run], given.batch or BATCH
    how = Learning(run.steps, run.rate, weight_decay=5e-4).given(given)
    seed, model = given.seed or run.seed, network(run.dropped)
    if given.start is not None:
        first = next(batches(sites, run, size, seed))
        take_up(model, given.start, lambda: shown_of(*map(torch.from_numpy, first[:2])).numpy())
    made = made_ahead(*(batches(sites, run, size, seed + number) for number in range(how.makers)))
    learned = learn(model, made, partial(value_of, run=run), how, given.out.with_suffix(".pt"))
    write_onnx(learned, given.out)
    LOG.info("%.0f s", time.monotonic() - began)


if __name__ == "__main__":
    main()
