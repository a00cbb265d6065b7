"""Trains the network that tells whether a die leans, and writes it as ONNX. Two cores, an hour and more.

    python -m boardctl.vision.training.dice_tilt_training OUT.onnx ROOMS SITES LOOKS MORE TRACED ... --start START
        [--minutes 8 --device cuda --makers 6 --batch 384]

ROOMS is what ``dice_tilt_sites`` has drawn, SITES what ``dice_sites --true-only`` has collected, LOOKS what
``boardctl.virtual.training.dice`` has drawn, MORE what ``dice_sites --drawn-only`` has, TRACED what
``boardctl.virtual.traced.dice`` has. It goes on from a network that was written (.onnx, such as that in use) or from
what it wrote beside one (.pt), and writes the running mean of the weights. Needs PyTorch (2.13.0 was used) and onnx,
which are no part of boardctl. Recipe and measures: MODEL_CARD.md here.
"""

import argparse
import logging
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from boardctl.vision.dice.patch import PATCH_PX, PatchFrame, cut_patch, die_size_px, obliqueness
from boardctl.vision.dice.tilt import DIE_PX, SHRINK_ABOVE_PX
from boardctl.vision.training.ahead import made_ahead
from boardctl.vision.training.dice_examples import Weakening, direction_in_patch, weaken
from boardctl.vision.training.dice_tilt_sites import LEANING, LYING
from boardctl.vision.training.dice_weights import as_extra, take_up, write_network
from boardctl.vision.training.die_turned import believed_off, turned
from boardctl.vision.training.learning import (
    Batch,
    Learning,
    Tensors,
    add_options,
    halved_where_faster,
    learn,
    shown_of,
)
from boardctl.vision.training.site_files import found_mm, read_sites
from boardctl.vision.training.sites import TILTED_DEG, Label, Site
from calibration.difference import halve

LOG = logging.getLogger(__name__)

BATCH = 96
WEAKENING = Weakening(0.2, 0.5, 0.25, 1.0, (0.6, 1.5), (0.6, 1.5), 0.5, 60)
OFF_MIDDLE, OFF_SIZE, OFF_TURN_RAD = 0.06, 0.035, 0.15
"""How far the middle (in die widths), the size (logarithm) and the turn of a patch are off: standard deviations."""
OFF_FOUND = 0.02
"""How far the middle of a patch is off from where the reader finds a die, from up to ``LOOKED_FROM`` beside it."""
CODED, LEAST_QUALITY, SOFT, MOST_SOFT_PX = 0.6, 60, 0.4, 0.8
"""So many dice that were not drawn in a room are made JPEG together with what lies around them, with this quality at
least, as a camera would have done; so many of these are blurred before, by so many of the picture's pixels at most."""
CALLED_TILTED_DEG, SURELY_FLAT_DEG = 6.0, 4.0
"""What leans less than the first is not called tilted; between the second and ``TILTED_DEG`` it does not matter."""
NORMAL_WEIGHT, MIDDLE_WEIGHT, SIZE_WEIGHT = 12.0, 12.0, 20.0
OUTPUTS = 6
"""Tilted (logit); how far the normal of the upward side points right and up in the patch; how far right and up of its
middle the die is, in die widths as assumed; how much larger the die is than assumed (natural logarithm)."""


TRACED = 4
"""All files from this one on are of traced dice."""


@dataclass(frozen=True)
class Kind:
    """Some of the sites of a file (0 ROOMS, 1 SITES, 2 LOOKS, 3 MORE, 4 all TRACED): their group, their share of the
    examples, how often such a die is turned (``die_turned.py``), whether its picture is as a camera codes it, and which
    dice of the group."""

    file: int
    group: str
    share: float
    turned: float
    is_coded: bool
    chosen: Callable[[Label], bool] = lambda label: True


def leans(label: Label) -> bool:
    return label.tilt_deg >= TILTED_DEG


def lies(label: Label) -> bool:
    return not leans(label)


def touches(label: Label) -> bool:
    return label.touches


def stands_free(label: Label) -> bool:
    return not label.touches


KINDS = (
    Kind(0, LEANING, 0.07, 0.06, True),
    Kind(0, LYING, 0.06, 0.04, True),
    Kind(2, "leaning", 0.035, 0.06, False),
    Kind(2, "beside", 0.02, 0.04, False),
    Kind(3, "leaning", 0.085, 0.06, False),
    Kind(3, "beside", 0.07, 0.04, False),
    Kind(3, "drawn", 0.01, 0.0, False, lies),
    Kind(4, "leaning", 0.28, 0.0, True),
    Kind(4, "beside", 0.24, 0.0, True),
    Kind(4, "drawn", 0.02, 0.0, True),
    Kind(1, "true", 0.05, 0.0, True, stands_free),
    Kind(1, "true", 0.03, 0.4, True, touches),
    Kind(1, "odd", 0.03, 0.4, True, leans),
)
"""Of the true dice one in fifteen leans. Were they learned from as they are, whatever looks true would be learned to be
flat: so those that touch something are turned nearly as often as not, and the few that lean are shown as often as they.
A die that stands free is never shown to lean. Drawn dice are seldom turned: of one that is, nothing around it tells."""


LEARNING, SEED = Learning(14273, 1.4e-3, weight_decay=1e-3), 31
FOUND = 0.6
"""So many patches are cut around where the reader finds the die, as in use."""


class Finds:
    """Where the reader finds dice: of each site once, where it is not told by the site."""

    def __init__(self) -> None:
        self._off: dict[int, tuple[float, float]] = {}

    def off_mm(self, site: Site, rng: np.random.Generator) -> NDArray[np.float64]:
        """Gets how far (x, y) from the middle of a site, which must outlive this, the reader finds its die."""
        if site.found_mm is not None:
            return np.array(site.found_mm)
        if id(site) not in self._off:
            self._off[id(site)] = found_mm(site, rng)
        return np.array(self._off[id(site)])


def as_coded(site: Site, rng: np.random.Generator) -> Site:
    """Gets a site mostly as a camera codes it, where its die was drawn into a picture that had been coded before."""
    if rng.random() >= CODED:
        return site
    picture = site.picture
    if rng.random() < SOFT:
        picture = np.asarray(cv2.GaussianBlur(picture, (0, 0), rng.uniform(0.3, MOST_SOFT_PX)), dtype=np.uint8)
    coded = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(LEAST_QUALITY, 96))])[1]
    return replace(site, picture=np.asarray(cv2.imdecode(coded, cv2.IMREAD_COLOR), dtype=np.uint8))


def example(
    site: Site, kind: Kind, rng: np.random.Generator, finds: Finds | None = None
) -> tuple[NDArray[np.uint8], float, NDArray[np.float32]]:
    """Gets a patch, its obliqueness, and what is wanted: the outputs, and the weight of the first.

    ``finds``: the patch is to be cut around where the reader finds the die, unless it is shown turned.
    """
    off = rng.normal(0, OFF_MIDDLE, 2) * site.die_mm
    given, site = site, site if kind.is_coded else as_coded(site, rng)
    if rng.random() < kind.turned:
        site = turned(site, rng)
    elif finds is not None:
        off = finds.off_mm(given, rng) + rng.normal(0, OFF_FOUND, 2) * site.die_mm
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
    normal = direction_in_patch(label.up, site.camera, frame)
    away = direction_in_patch((-float(off[0]) / die_mm, -float(off[1]) / die_mm), site.camera, frame)
    larger = float(np.log(site.die_mm / die_mm))
    is_told = label.tilt_deg < SURELY_FLAT_DEG or label.tilt_deg >= TILTED_DEG
    wanted = np.array([label.tilt_deg >= CALLED_TILTED_DEG, *normal, *away, larger, is_told], dtype=np.float32)
    return patch, obliqueness(site.camera, spot), wanted


class Refined(nn.Module):  # type: ignore[misc]
    """What two convolutions more add to what is known; nothing at first, so that a network can grow by it."""

    def __init__(self, channels: int, between: int) -> None:
        super().__init__()
        self.refining = nn.Sequential(*_step(channels, between), *_step(between, channels)[:2])
        nn.init.zeros_(self.refining[-1].weight)

    def forward(self, known: torch.Tensor) -> torch.Tensor:
        return nn.functional.relu(known + self.refining(known))


def _step(before: int, after: int, width: int = 3, stride: int = 1) -> list[nn.Module]:
    convolution = nn.Conv2d(before, after, width, stride=stride, padding=width // 2, bias=False)
    return [convolution, nn.BatchNorm2d(after), nn.ReLU()]


CONVOLUTIONS = -5
"""Where the layers that are convolutions end."""


def network() -> nn.Sequential:
    """Gets the network: 34 convolutions and two layers for all. Of one that was written with twenty fourteen are
    extra: it goes on from what that one says."""
    return nn.Sequential(
        *_step(4, 16, 5, 2),
        Refined(16, 16),
        as_extra(Refined(16, 16)),
        *_step(16, 32, 3, 2),
        *_step(32, 32),
        *(Refined(32, 32) for _ in range(3)),
        *(as_extra(Refined(32, 32)) for _ in range(3)),
        *_step(32, 48, 3, 2),
        *_step(48, 48),
        *(Refined(48, 32) for _ in range(3)),
        *(as_extra(Refined(48, 32)) for _ in range(3)),
        *_step(48, 32, 3, 2),
        nn.Flatten(),
        nn.Dropout(0.1),
        nn.Linear(32 * (PATCH_PX // 16) ** 2, 48),
        nn.ReLU(),
        nn.Linear(48, OUTPUTS),
    )


def loss(out: torch.Tensor, wanted: torch.Tensor) -> torch.Tensor:
    tilted = nn.functional.binary_cross_entropy_with_logits(out[:, 0], wanted[:, 0], weight=wanted[:, OUTPUTS])
    wrong = (out[:, 1:] - wanted[:, 1:OUTPUTS]).square().mean(dim=0)
    return tilted + NORMAL_WEIGHT * wrong[:2].sum() + MIDDLE_WEIGHT * wrong[2:4].sum() + SIZE_WEIGHT * wrong[4]


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


def batches(groups: Groups, size: int, seed: int) -> Iterator[Batch]:
    """Gets, for every step, patches, their obliqueness, and what is wanted of the network."""
    finds, rng = Finds(), np.random.default_rng(seed)
    shares = [kind.share for kind in KINDS]
    while True:
        drawn = rng.choice(len(groups), size, p=shares)
        chosen = [(groups[k][rng.integers(len(groups[k]))], KINDS[k]) for k in drawn]
        made = [example(site, kind, rng, finds if rng.random() < FOUND else None) for site, kind in chosen]
        patches, views, wanted = zip(*made, strict=True)
        yield np.stack(patches), np.array(views, dtype=np.float32), np.stack(wanted)


def value_of(model: nn.Sequential, batch: Tensors) -> torch.Tensor:
    """Gets the loss of a batch (:func:`batches`)."""
    patches, views, wanted = batch
    with halved_where_faster(patches.device.type):
        seen = model[:CONVOLUTIONS](shown_of(patches, views))
    return loss(model[CONVOLUTIONS:](seen.float()), wanted)


def _is_of_use(label: Label) -> bool:
    """Whether a die is known to lie or lean on the surface."""
    return label.on == "surface" and label.up is not None


def main() -> None:
    """Trains on the sites that are given and writes the network."""
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("files", type=Path, nargs="+", metavar="SITES")
    parser.add_argument("--start", type=Path, help="what was learned before: a network (.onnx), or a .pt beside one")
    parser.add_argument("--seed", type=int, default=SEED)
    add_options(parser)
    given = parser.parse_args()
    cv2.setNumThreads(1)
    torch.set_num_threads(1)
    torch.manual_seed(given.seed)
    began = time.monotonic()
    files = [read_sites(path) for path in given.files]
    traced = [site for sites in files[TRACED:] for site in sites]
    groups = groups_of([*files[:TRACED], traced])
    model, size, how = network(), given.batch or BATCH, LEARNING.given(given)
    if given.start:
        first = next(batches(groups, size, given.seed))
        take_up(model, given.start, lambda: shown_of(*map(torch.from_numpy, first[:2])).numpy())
    made = made_ahead(*(batches(groups, size, given.seed + number) for number in range(how.makers)))
    learned = learn(model, made, value_of, how, given.out.with_suffix(".pt"))
    write_network(learned, torch.zeros(1, 4, PATCH_PX, PATCH_PX), given.out, ("patches", "tilt"))
    LOG.info("%.0f s", time.monotonic() - began)


if __name__ == "__main__":
    main()
