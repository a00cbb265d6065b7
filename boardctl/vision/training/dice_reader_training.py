"""Trains the network that reads one die from a patch, and writes it as ONNX. Two cores, about half an hour.

    python -m boardctl.vision.training.dice_reader_training RENDERS_DIR OUT.onnx [START.pt]

writes OUT.onnx and, to go on from, OUT.pt. The network goes on from START.pt where that is given; outputs that START.pt
does not have begin at nothing. Needs PyTorch (2.13.0 was used), which is not part of boardctl. Recipe and measures:
MODEL_CARD.md beside this file.
"""

import logging
import multiprocessing
import sys
import time
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from boardctl.vision.dice_networks import scan_cells
from boardctl.vision.dice_patch import (
    DIE_PX,
    PATCH_PX,
    SHRINK_ABOVE_PX,
    PatchFrame,
    cut_patch,
    die_size_px,
    halve,
    network_input,
    obliqueness,
    patch_to_picture,
)
from boardctl.vision.dice_scan import die_peaks, peak_spots_mm, scan_input, scan_picture
from boardctl.vision.training.die_rest import drawn_beside
from boardctl.vision.training.sites import (
    TILTED_DEG,
    Site,
    cube_site,
    cut_site,
    drawn_die,
    empty_site,
    mistaken_sites,
    true_dice,
)
from boardctl.vision.training.truth import TruePicture, training_pictures

LOG = logging.getLogger(__name__)

SEED = 20240611
COLLECT_SEED, BATCH_SEED = 1, 2
DRAWN = 7000
DRAWN_TILTED = 0.3
LEANING_A_PICTURE, BESIDE_A_PICTURE = 54, 34
"""Drawn dice that lean on something, and that lie flat beside something, in each picture: 20,000 and 13,000 in all."""
EMPTY_A_PICTURE = 6
BATCH = 96
STEPS = 1600
SUSPECT = 0.05
WIDE_SHARE, WIDE, NEAR = 0.35, (0.68, 1.47), (0.88, 1.12)
"""A third of the examples are of dice much larger or smaller than assumed (so many assumed widths), the rest nearly."""
OUTPUTS = 15
"""Die, cube, six values, tilted, on a checker, on a die, right and down of the middle (dice), tilt/30, log of size."""
BATCHES_AHEAD = 8


def places(picture: TruePicture, image: NDArray[np.uint8]) -> list[tuple[float, float]]:
    """Gets where the scan, trained before, suspects dice."""
    scan, frame = scan_picture(image, picture.camera, picture.geometry)
    return peak_spots_mm(die_peaks(scan_cells(scan_input(scan)), SUSPECT, 20), frame)


def collect(pictures: list[TruePicture], rng: np.random.Generator) -> list[Site]:
    """Gets the sites of all pictures, true and drawn."""
    sites: list[Site] = []
    each = DRAWN // len(pictures) + 1
    for picture in pictures:
        image = picture.picture()
        true = list(true_dice(picture, image))
        sites += true
        sites += [s for _ in range(EMPTY_A_PICTURE) if (s := empty_site(picture, image, rng)) is not None]
        sites += mistaken_sites(picture, image, places(picture, image))
        sites += [s for _ in range(2) if (s := cube_site(picture, image, rng)) is not None]
        sites += drawn_sites(picture, image, rng, each, DRAWN_TILTED)
    with multiprocessing.Pool(2) as pool:
        for found in pool.imap(sites_beside, list(enumerate(pictures)), chunksize=8):
            sites += found
    return sites


def sites_beside(numbered: tuple[int, TruePicture]) -> list[Site]:
    """Gets the sites of one picture with dice drawn beside something, those that lean first."""
    number, picture = numbered
    rng, image = np.random.default_rng([COLLECT_SEED, number]), picture.picture()
    sites = []
    for tilted, wanted in ((True, LEANING_A_PICTURE), (False, BESIDE_A_PICTURE)):
        tries = (drawn_beside(picture, image, rng, tilted) for _ in range(6 * wanted))
        sites += list(islice((site for site in tries if site is not None), wanted))
    return sites


def drawn_sites(
    picture: TruePicture, image: NDArray[np.uint8], rng: np.random.Generator, count: int, tilted_share: float
) -> Iterator[Site]:
    """Gets up to ``count`` sites with a drawn die."""
    for _ in range(count):
        made = drawn_die(picture, image, rng, tilted_share)
        if made is not None:
            painted, spot, label = made
            site = cut_site(painted, picture.camera, spot, picture.geometry.die_size_mm, label, "drawn")
            if site is not None:
                yield site


def weaken(patch: NDArray[np.uint8], rng: np.random.Generator) -> NDArray[np.uint8]:
    """Gets a patch as a worse camera or another light would have made it."""
    image: Any = patch
    if rng.random() < 0.35:
        small = int(rng.uniform(0.5, 0.95) * image.shape[0])
        image = cv2.resize(image, (small, small), interpolation=cv2.INTER_AREA)
        image = cv2.resize(image, patch.shape[:2], interpolation=cv2.INTER_LINEAR)
    elif rng.random() < 0.3:
        image = cv2.GaussianBlur(image, (0, 0), rng.uniform(0.3, 0.9))
    if rng.random() < 0.25:
        hsv = cv2.cvtColor(image, cv2.COLOR_BGR2HSV)
        hsv[..., 0] = (hsv[..., 0].astype(int) + rng.integers(180)) % 180
        hsv[..., 1] = np.clip(hsv[..., 1] * rng.uniform(0.2, 1.3), 0, 255)
        image = cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR)
    gains = rng.uniform(0.7, 1.25) * rng.uniform(0.88, 1.12, 3)
    curve = np.power(np.arange(256, dtype=np.float32) / 255, rng.uniform(0.7, 1.45))
    table = np.clip(255 * curve[:, None] * gains, 0, 255).astype(np.uint8)
    image = cv2.LUT(image, table.reshape(1, 256, 3))
    noise = rng.standard_normal(image.shape, dtype=np.float32) * np.float32(rng.uniform(0, 9))
    image = np.clip(image + noise, 0, 255).astype(np.uint8)
    if rng.random() < 0.2:
        coded = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(50, 95))])[1]
        image = cv2.imdecode(coded, cv2.IMREAD_COLOR)
    return np.asarray(image, dtype=np.uint8)


def example(site: Site, rng: np.random.Generator) -> tuple[NDArray[np.uint8], float, NDArray[np.float32]]:
    """Gets a patch, its obliqueness and the 17 wanted numbers: the outputs, then weights of tilt and of a die's own."""
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
    wanted = np.zeros(OUTPUTS + 2, dtype=np.float32)
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
        wanted[15] = label.tilt_deg < 2 or label.tilt_deg >= TILTED_DEG
        wanted[16] = 1
    return patch, obliqueness(site.camera, spot), wanted


def network() -> nn.Module:
    def block(before: int, after: int) -> list[nn.Module]:
        return [nn.Conv2d(before, after, 3, padding=1, bias=False), nn.BatchNorm2d(after), nn.ReLU()]

    return nn.Sequential(
        *block(4, 16),
        nn.MaxPool2d(2),
        *block(16, 32),
        *block(32, 32),
        nn.MaxPool2d(2),
        *block(32, 64),
        *block(64, 64),
        nn.MaxPool2d(2),
        *block(64, 64),
        nn.MaxPool2d(2),
        nn.Flatten(),
        nn.Dropout(0.2),
        nn.Linear(576, 96),
        nn.ReLU(),
        nn.Linear(96, OUTPUTS),
    )


def gone_on(state: dict[str, torch.Tensor]) -> nn.Module:
    """Gets the network with the weights of an earlier one, which may have had fewer outputs."""
    model = network()
    last = f"{len(list(model.children())) - 1}."
    model.load_state_dict({name: value for name, value in state.items() if not name.startswith(last)}, strict=False)
    with torch.no_grad():
        for name, values in list(model.children())[-1].named_parameters():
            values.zero_()
            values[: len(state[last + name])] = state[last + name]
    return model


def loss(out: torch.Tensor, wanted: torch.Tensor) -> torch.Tensor:
    bce = nn.functional.binary_cross_entropy_with_logits
    die = wanted[:, 16]
    count = die.sum() + 1e-6
    total = bce(out[:, 0:2], wanted[:, 0:2]) * 1.5
    value = nn.functional.cross_entropy(
        out[:, 2:8], wanted[:, 2:8].argmax(dim=1), reduction="none", label_smoothing=0.0
    )
    total = total + (value * die).sum() / count
    tilt = bce(out[:, 8], wanted[:, 8], reduction="none") * wanted[:, 15]
    total = total + tilt.sum() / count
    support = bce(out[:, 9:11], wanted[:, 9:11], reduction="none").sum(dim=1) * die
    total = total + 0.5 * support.sum() / count
    place = (out[:, 11:14] - wanted[:, 11:14]).square().sum(dim=1) * die
    size = 4 * (out[:, 14] - wanted[:, 14]).square() * die
    return total + (place + size).sum() / count


SHARES = {
    "none": 0.1,
    "mistaken": 0.15,
    "cube": 0.03,
    "true": 0.22,
    "odd": 0.06,
    "drawn": 0.14,
    "leaning": 0.17,
    "beside": 0.13,
}
"""Shares of the kinds of sites in a batch."""


def train(
    model: nn.Module, sites: list[Site], shares: dict[str, float], steps: int, rng: np.random.Generator
) -> nn.Module:
    """Trains on batches drawn from the kinds of sites in fixed shares."""
    torch.manual_seed(SEED)
    torch.set_num_threads(1)
    model = model.to(memory_format=torch.channels_last).train()  # channels last: twice as fast on a processor
    optimiser = torch.optim.AdamW(model.parameters(), lr=2e-3, weight_decay=5e-4)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, 3e-3, total_steps=steps, pct_start=0.15)
    queue: multiprocessing.Queue[Any] = multiprocessing.Queue(BATCHES_AHEAD)
    maker = multiprocessing.Process(target=make_batches, args=(queue, sites, shares, steps, rng), daemon=True)
    maker.start()
    for step in range(steps):
        values, wanted = queue.get()
        inputs = torch.from_numpy(values)
        inputs = inputs.contiguous(memory_format=torch.channels_last)
        value = loss(model(inputs), torch.from_numpy(wanted))
        optimiser.zero_grad()
        value.backward()
        optimiser.step()
        schedule.step()
        if step % 100 == 0:
            LOG.info("step %d: loss %.3f", step, value.item())
    return model.eval()


def make_batches(queue: Any, sites: list[Site], shares: dict[str, float], steps: int, rng: np.random.Generator) -> None:
    """Puts the batches of all steps into a queue: input of the network, and what is wanted of it."""
    groups = {name: [site for site in sites if site.group == name] for name in shares}
    names = list(shares)
    for _ in range(steps):
        drawn = rng.choice(len(names), BATCH, p=list(shares.values()))
        chosen = [groups[names[k]][rng.integers(len(groups[names[k]]))] for k in drawn]
        patches, views, wanted = zip(*(example(site, rng) for site in chosen), strict=True)
        queue.put((network_input(list(patches), list(views)), np.stack(wanted)))


def write_onnx(model: nn.Module, out: Path) -> None:
    """Writes the network for OpenCV; the number of patches is free."""
    example_input = torch.zeros(1, 4, PATCH_PX, PATCH_PX)
    torch.onnx.export(
        model,
        (example_input,),
        str(out),
        input_names=["patches"],
        output_names=["readings"],
        dynamic_axes={"patches": {0: "n"}, "readings": {0: "n"}},
        dynamo=False,
    )


def main() -> None:
    """Trains on the folder given first and writes to the file given second."""
    folder, out = Path(sys.argv[1]), Path(sys.argv[2])
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    cv2.setNumThreads(1)
    began = time.monotonic()
    pictures = list(training_pictures(folder))
    sites = collect(pictures, np.random.default_rng(COLLECT_SEED))
    LOG.info("%d sites in %.0f s", len(sites), time.monotonic() - began)
    torch.manual_seed(SEED)
    start = network() if len(sys.argv) < 4 else gone_on(torch.load(sys.argv[3]))
    model = train(start, sites, SHARES, STEPS, np.random.default_rng(BATCH_SEED))
    torch.save(model.state_dict(), out.with_suffix(".pt"))
    write_onnx(model, out)
    LOG.info("%.0f s", time.monotonic() - began)


if __name__ == "__main__":
    main()
