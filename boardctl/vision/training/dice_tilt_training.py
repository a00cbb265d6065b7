"""Trains the network that tells whether a die leans, and writes it as ONNX. One core, half an hour.

    python -m boardctl.vision.training.dice_tilt_training OUT.onnx ROOMS.pickle SITES.pickle LOOKS.pickle [START [MORE]]

ROOMS is what ``dice_tilt_sites`` has drawn, SITES what ``dice_sites`` has collected, LOOKS what
``boardctl.virtual.training_dice`` has drawn. Beside OUT.onnx it writes OUT.pt; from there (START) the second run
goes on, with true dice as well, and from its OUT.pt the third, with MORE that ``dice_sites --drawn-only`` has drawn.
Needs PyTorch (2.13.0 was used) and onnx, which are no part of boardctl.
Recipe and measures: MODEL_CARD.md here.
"""

import logging
import pickle
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from boardctl.vision.dice_look import Sight, look
from boardctl.vision.dice_patch import PATCH_PX, PatchFrame, cut_patch, die_size_px, network_input, obliqueness
from boardctl.vision.dice_tilt import DIE_PX, SHRINK_ABOVE_PX
from boardctl.vision.training.dice_examples import Weakening, direction_in_patch, weaken
from boardctl.vision.training.dice_tilt_sites import LEANING, LYING
from boardctl.vision.training.dice_weights import whole_columns, write_network
from boardctl.vision.training.die_turned import believed_off, turned
from boardctl.vision.training.sites import TILTED_DEG, Label, Site
from calibration import BoardGeometry
from calibration.difference import halve

LOG = logging.getLogger(__name__)

BATCH = 96
WEAKENING = Weakening(0.25, 0.45, 0.33, 1.0, (0.6, 1.5), (0.6, 1.5), 0.6, 60)
OFF_MIDDLE, OFF_SIZE, OFF_TURN_RAD = 0.06, 0.035, 0.15
"""How far the middle (in die widths), the size (logarithm) and the turn of a patch are off: standard deviations."""
LOOKED_FROM, OFF_FOUND = 0.22, 0.02
"""Where the reader finds a die it does from so many die widths beside it, at most, in x and y; and how far the middle
of a patch is off from there."""
CALLED_TILTED_DEG, SURELY_FLAT_DEG = 6.0, 4.0
"""What leans less than the first is not called tilted; between the second and ``TILTED_DEG`` it does not matter."""
NORMAL_WEIGHT = 12.0
OUTPUTS = 3
"""Tilted (logit), and how far the normal of the upward side points right and up in the patch."""


@dataclass(frozen=True)
class Kind:
    """Some of the sites of a file (0 ROOMS, 1 SITES, 2 LOOKS, 3 MORE): their group, their shares of the examples in the
    three runs, how often such a die is turned (``die_turned.py``) in each, and which dice of the group."""

    file: int
    group: str
    shares: tuple[float, float, float]
    turned: tuple[float, float, float]
    chosen: Callable[[Label], bool] = lambda label: True


def leans(label: Label) -> bool:
    return label.tilt_deg >= TILTED_DEG


def stands_free(label: Label) -> bool:
    return not label.touches


KINDS = (
    Kind(0, LEANING, (0.25, 0.22, 0.17), (0.25, 0.25, 0.25)),
    Kind(0, LYING, (0.25, 0.17, 0.14), (0.25, 0.15, 0.15)),
    Kind(1, "leaning", (0.13, 0.09, 0.05), (0.25, 0.25, 0.25)),
    Kind(1, "beside", (0.12, 0.06, 0.04), (0.25, 0.15, 0.15)),
    Kind(1, "drawn", (0.04, 0.0, 0.0), (0.25, 0.0, 0.0)),
    Kind(1, "drawn", (0.0, 0.04, 0.02), (0.0, 0.0, 0.0), lambda label: not leans(label)),
    Kind(2, "leaning", (0.11, 0.1, 0.07), (0.25, 0.25, 0.25)),
    Kind(2, "beside", (0.1, 0.06, 0.05), (0.25, 0.15, 0.15)),
    Kind(3, "leaning", (0.0, 0.0, 0.15), (0.0, 0.0, 0.25)),
    Kind(3, "beside", (0.0, 0.0, 0.12), (0.0, 0.0, 0.15)),
    Kind(3, "drawn", (0.0, 0.0, 0.03), (0.0, 0.0, 0.0), lambda label: not leans(label)),
    Kind(1, "true", (0.0, 0.14, 0.07), (0.0, 0.0, 0.0), stands_free),
    Kind(1, "true", (0.0, 0.06, 0.05), (0.0, 0.5, 0.5), lambda label: label.touches),
    Kind(1, "odd", (0.0, 0.06, 0.04), (0.0, 0.5, 0.5), leans),
)
"""Of the true dice one in fifteen leans. Were they learned from as they are, and from the beginning, whatever looks
true would be learned to be flat: so they come last, those that touch something turned as often as not, and the few that
lean as often as they. A die that stands free is never shown to lean from the second run on."""


@dataclass(frozen=True)
class Run:
    """How many steps, how fast they are at most, for how many steps that was planned, the seed, and how often a patch
    is cut around where the reader finds the die, as in use."""

    steps: int
    rate: float
    planned: int
    seed: int
    found: float = 0.0


RUNS = (Run(4000, 3e-3, 6000, 1), Run(1500, 1.5e-3, 1500, 7), Run(6000, 3e-3, 6000, 9, 0.5))


class Finds:
    """Where the reader finds dice: of each site once."""

    def __init__(self) -> None:
        self._off: dict[int, NDArray[np.float64]] = {}

    def off_mm(self, site: Site, rng: np.random.Generator) -> NDArray[np.float64]:
        """Gets how far (x, y) from the middle of a site, which must outlive this, the reader finds its die."""
        if id(site) not in self._off:
            middle = np.array(site.center_mm[:2])
            x, y = middle + rng.uniform(-LOOKED_FROM, LOOKED_FROM, 2) * site.die_mm
            views = look(Sight(site.picture, site.camera), BoardGeometry(die_size_mm=site.die_mm), [(x, y)])
            self._off[id(site)] = views[0].spot_mm - middle if views else np.zeros(2)
        return self._off[id(site)]


def example(
    site: Site, turned_often: float, rng: np.random.Generator, finds: Finds | None = None
) -> tuple[NDArray[np.uint8], float, NDArray[np.float32]]:
    """Gets a patch, its obliqueness, and what is wanted: the outputs, and the weight of the first.

    ``finds``: the patch is to be cut around where the reader finds the die, unless it is shown turned.
    """
    off = rng.normal(0, OFF_MIDDLE, 2) * site.die_mm
    if rng.random() < turned_often:
        site = turned(site, rng)
    elif finds is not None:
        off = finds.off_mm(site, rng) + rng.normal(0, OFF_FOUND, 2) * site.die_mm
    site = believed_off(site, rng)
    x, y, z = site.center_mm
    spot = (x + float(off[0]), y + float(off[1]), z)
    die_mm = site.die_mm * float(np.exp(rng.normal(0, OFF_SIZE)))
    frame = PatchFrame(spot, die_mm / DIE_PX, float(rng.normal(0, OFF_TURN_RAD)), bool(rng.random() < 0.5))
    large = die_size_px(site.camera, spot, die_mm) > SHRINK_ABOVE_PX
    half = halve(site.picture) if large else None
    patch = weaken(cut_patch(site.picture, site.camera, frame, half_picture=half), rng, WEAKENING)
    label = site.label
    assert label.up is not None
    right, up = direction_in_patch(label.up, site.camera, frame)
    is_told = label.tilt_deg < SURELY_FLAT_DEG or label.tilt_deg >= TILTED_DEG
    wanted = np.array([label.tilt_deg >= CALLED_TILTED_DEG, right, up, is_told], dtype=np.float32)
    return patch, obliqueness(site.camera, spot), wanted


def network() -> nn.Module:
    """Gets the network: six convolutions and two layers for all."""

    def step(before: int, after: int, width: int = 3, stride: int = 1) -> list[nn.Module]:
        convolution = nn.Conv2d(before, after, width, stride=stride, padding=width // 2, bias=False)
        return [convolution, nn.BatchNorm2d(after), nn.ReLU()]

    return nn.Sequential(
        *step(4, 16, 5, 2),
        *step(16, 32, 3, 2),
        *step(32, 32),
        *step(32, 48, 3, 2),
        *step(48, 48),
        *step(48, 32, 3, 2),
        nn.Flatten(),
        nn.Dropout(0.2),
        nn.Linear(32 * (PATCH_PX // 16) ** 2, 32),
        nn.ReLU(),
        nn.Linear(32, OUTPUTS),
    )


def loss(out: torch.Tensor, wanted: torch.Tensor) -> torch.Tensor:
    tilted = nn.functional.binary_cross_entropy_with_logits(out[:, 0], wanted[:, 0], weight=wanted[:, OUTPUTS])
    return tilted + NORMAL_WEIGHT * (out[:, 1:] - wanted[:, 1:OUTPUTS]).square().sum(dim=1).mean()


Groups = list[list[Site]]


def groups_of(files: list[list[Site]]) -> Groups:
    """Gets the sites of each kind; none of a file that is not given."""
    return [
        [
            site
            for sites in files[kind.file : kind.file + 1]
            for site in sites
            if site.group == kind.group and _is_of_use(site.label) and kind.chosen(site.label)
        ]
        for kind in KINDS
    ]


def batches(groups: Groups, number: int) -> Iterator[tuple[NDArray[np.float32], NDArray[np.float32]]]:
    """Gets, for each step of the run of a number, what the network is shown and what is wanted of it."""
    run, finds = RUNS[number], Finds()
    rng = np.random.default_rng(run.seed)
    shares = [kind.shares[number] for kind in KINDS]
    for _ in range(run.steps):
        drawn = rng.choice(len(groups), BATCH, p=shares)
        chosen = [(groups[k][rng.integers(len(groups[k]))], KINDS[k].turned[number]) for k in drawn]
        made = [example(site, often, rng, finds if rng.random() < run.found else None) for site, often in chosen]
        patches, views, wanted = zip(*made, strict=True)
        yield whole_columns(network_input(list(patches), list(views))), np.stack(wanted)


def train(model: nn.Module, number: int, groups: Groups, save: Path) -> None:
    """Trains for the run of a number on batches drawn from the kinds of sites in fixed shares."""
    run = RUNS[number]
    model = model.to(memory_format=torch.channels_last).train()
    optimiser = torch.optim.AdamW(model.parameters(), lr=run.rate, weight_decay=1e-3)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, run.rate, total_steps=run.planned, pct_start=0.15)
    mean = 0.0
    for step, (shown, wanted) in enumerate(batches(groups, number)):
        inputs = torch.from_numpy(shown).contiguous(memory_format=torch.channels_last)
        value = loss(model(inputs), torch.from_numpy(wanted))
        optimiser.zero_grad()
        value.backward()
        optimiser.step()
        schedule.step()
        mean += (value.item() - mean) / min(step + 1, 100)
        if step % 100 == 0:
            LOG.info("step %d: loss %.3f", step, mean)
    torch.save(model.state_dict(), save)


def _is_of_use(label: Label) -> bool:
    """Whether a die is known to lie or lean on the surface."""
    return label.on == "surface" and label.up is not None


def main() -> None:
    """Trains on the sites that are given and writes the network."""
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    cv2.setNumThreads(1)
    torch.set_num_threads(1)
    began = time.monotonic()
    given = [Path(each) for each in sys.argv[1:]]
    out, files, start = given[0], given[1:4] + given[5:6], given[4:5]
    number = len(given) - 4
    torch.manual_seed(RUNS[number].seed)
    sites = [pickle.loads(path.read_bytes()) for path in files]  # noqa: S301 - what the scripts above wrote
    model = network()
    if start:
        model.load_state_dict(torch.load(start[0]))
    train(model, number, groups_of(sites), out.with_suffix(".pt"))
    write_network(model, torch.zeros(1, 4, PATCH_PX, PATCH_PX), out, ("patches", "tilt"))
    LOG.info("%.0f s", time.monotonic() - began)


if __name__ == "__main__":
    main()
