"""Trains the network that counts runs of checkers on edge, and writes it as ONNX.

    python -m boardctl.vision.training.tray_training RENDERS_DIR OUT.onnx DRAWN.npz ... [--steps 3500] [--painted 6000]

DRAWN is what ``boardctl.virtual.training.trays`` has written. Into the empty trays of these, and of the rendered
installations that are not held out, further runs are painted (``tray_painting.py``).

Needs PyTorch (2.13.0 was used), which is not part of boardctl. Recipe and measures: TRAY_MODEL_CARD.md beside this.
"""

import argparse
import logging
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from boardctl.rules import Seat
from boardctl.vision.measuring.truth import HELD_OUT_SESSIONS, TruePicture, read_truth
from boardctl.vision.points.columns import reference_strips
from boardctl.vision.points.seat_palette import SeatPalette
from boardctl.vision.training.dice_weights import running_mean
from boardctl.vision.training.tray_network import Runs, TrayNetwork, signs_of, write_onnx
from boardctl.vision.training.tray_painting import painted
from boardctl.vision.trays.runs import MOST, RunRows, rows_of
from boardctl.vision.trays.strips import RunStrip, run_input, run_strip
from calibration import calibrate

LOG = logging.getLogger(__name__)

SEED = 20261123
BATCH = 64
RATE = 3e-3
SEATS = (Seat.A, Seat.B)

SHARES = {"rendered": 0.12, "drawn": 0.53, "painted": 0.35}
"""How often each kind of tray is shown."""

BRIGHTER, LIGHT_CHANGED, NOISE = 0.12, 0.02, 0.03
"""Spread of how bright a tray and its empty picture are (logarithm, root scale), of the light since, and of noise."""

NOTHING = 2.25
"""What the network is shown of black, with the opposite sign."""

WITHOUT_COLOURS = 0.1
"""How often what the seat's colours tell is not shown: light may change."""

PICTURE, EMPTY_TRAY, COLOURS = slice(0, 3), slice(3, 6), 6


@dataclass(frozen=True)
class Tray:
    """One seat's tray of an installation."""

    strip: RunStrip
    palette: SeatPalette
    seat: Seat
    colour: NDArray[np.float64]

    @property
    def rows(self) -> RunRows:
        """The rows of its runs."""
        return rows_of(self.strip.side_at_edge, self.strip.side_a_width)


class Shown:
    """What the network is shown of many trays, and how many checkers stand in each."""

    def __init__(self) -> None:
        self.inputs: list[NDArray[np.float16]] = []
        self.counts: list[int] = []
        self.trays: list[Tray] = []

    def add(self, picture: NDArray[np.uint8], tray: Tray, count: int) -> None:
        """Adds one run's picture."""
        self.inputs.append(run_input(picture, tray.strip, tray.palette, tray.seat).astype(np.float16))
        self.counts.append(count)
        self.trays.append(tray)

    def __len__(self) -> int:
        return len(self.counts)


def rendered(folder: Path) -> Iterator[tuple[NDArray[np.uint8], Tray, int]]:
    """Gets the trays of an installation's frames with how many checkers stand in them; not those under a hand."""
    pictures = [read_truth(path) for path in sorted(folder.glob("f*.json"))]
    calibration = calibrate(pictures[0].picture(), pictures[1].picture())
    palette = reference_strips(calibration).palette
    trays = []
    for seat in SEATS:
        red, green, blue = bytes.fromhex(calibration.colours[seat][1:])
        colour = np.array([blue, green, red], dtype=np.float64)
        trays.append(Tray(run_strip(calibration, seat), palette, seat, colour))
    for picture in pictures[1:]:
        image = picture.picture()
        for tray in trays:
            if not picture.truth["tray_occluded"][tray.seat.value]:
                yield tray.strip.cut(image), tray, _standing(picture, tray.seat)


def _standing(picture: TruePicture, seat: Seat) -> int:
    checkers = picture.truth["checkers"]
    return sum(one["at"] == "off" and one["player"] == seat.value and one["on_edge"] for one in checkers)


def drawn(path: Path) -> Iterator[tuple[NDArray[np.uint8], Tray, int]]:
    """Gets the trays that ``boardctl.virtual.training.trays`` has drawn."""
    data = dict(np.load(path))
    nowhere = np.empty((0, 0), np.float32)
    trays = [
        Tray(
            RunStrip(nowhere, nowhere, empty, *map(float, side)), SeatPalette(table), SEATS[seat], colour.astype(float)
        )
        for empty, side, table, seat, colour in zip(
            data["empty"], data["sides"], data["palettes"], data["seats"], data["colours"], strict=True
        )
    ]
    for picture, of_tray, count in zip(data["shown"], data["of_tray"], data["counts"], strict=True):
        yield picture, trays[of_tray], int(count)


def paint(trays: Sequence[Tray], count: int, rng: np.random.Generator) -> Shown:
    """Gets so many trays with runs painted into them."""
    shown = Shown()
    for _ in range(count):
        tray = trays[int(rng.integers(len(trays)))]
        held = int(rng.integers(1, 4)) if rng.random() < 0.25 else int(rng.integers(1, MOST + 1))
        colour = np.clip(tray.colour * np.exp(rng.normal(0, 0.06, 3)), 3, 252)
        side = (tray.strip.side_at_edge, tray.strip.side_a_width)
        shown.add(painted(tray.strip.empty, colour, held, side, rng), tray, held)
    return shown


class Examples:
    """Draws trays of all kinds, varied."""

    def __init__(self, kinds: dict[str, Shown], rng: np.random.Generator) -> None:
        self._rng = rng
        self._kinds = [(share, kinds[name]) for name, share in SHARES.items()]
        self._inputs = [np.stack(shown.inputs) for _, shown in self._kinds]

    def batch(self, size: int) -> tuple[torch.Tensor, Runs, torch.Tensor]:
        """Gets what is shown of so many trays (N x 8 x 264 x 6), their rows and their true counts."""
        rng = self._rng
        shares = np.array([share for share, _ in self._kinds])
        inputs, counts, rows = [], [], []
        for kind in rng.choice(len(shares), size, p=shares / shares.sum()):
            _, shown = self._kinds[kind]
            index = int(rng.integers(len(shown)))
            inputs.append(self._inputs[kind][index].astype(np.float32))
            counts.append(shown.counts[index])
            rows.append(shown.trays[index].rows)
        return torch.from_numpy(self._varied(np.stack(inputs))), Runs(rows), torch.tensor(counts)

    def _varied(self, shown: NDArray[np.float32]) -> NDArray[np.float32]:
        rng, count = self._rng, len(shown)
        each = (count, 3, 1, 1)
        level = np.exp(rng.normal(0, BRIGHTER, (count, 1, 1, 1)))
        light = np.exp(rng.normal(0, LIGHT_CHANGED, each))
        noise = rng.uniform(0, NOISE, (count, 1, 1, 1)) * rng.standard_normal(shown[:, PICTURE].shape)
        shown[:, EMPTY_TRAY] = (shown[:, EMPTY_TRAY] + NOTHING) * level - NOTHING
        shown[:, PICTURE] = (shown[:, PICTURE] + NOTHING) * level * light - NOTHING + noise
        shown[rng.random(count) < WITHOUT_COLOURS, COLOURS] = 0.0
        return shown


def measured(model: TrayNetwork, shown: Shown) -> str:
    """Gets how many trays are read rightly: with runs, of these up to three, and without any; and the mean loss."""
    model.eval()
    right, losses = [], []
    truth = np.array(shown.counts)
    with torch.no_grad():
        for begin in range(0, len(shown), BATCH):
            part = slice(begin, begin + BATCH)
            inputs = torch.from_numpy(np.stack(shown.inputs[part]).astype(np.float32))
            scores = Runs([tray.rows for tray in shown.trays[part]]).counts(signs_of(model(inputs)))
            right.append(scores.argmax(1).numpy() == truth[part])
            losses.append(nn.functional.cross_entropy(scores, torch.from_numpy(truth[part]), reduction="none").numpy())
    model.train()
    hit, loss = np.concatenate(right), np.concatenate(losses)
    told = [f"{hit[mask].sum()}/{mask.sum()}" for mask in (truth > 0, (truth > 0) & (truth < 4), truth == 0)]
    return f"runs {told[0]}, short {told[1]}, none {told[2]}, loss {loss.mean():.4f}"


def train(kinds: dict[str, Shown], tests: dict[str, Shown], steps: int, seed: int) -> TrayNetwork:
    """Gets a network that has learned for so many steps."""
    torch.manual_seed(seed)
    model = TrayNetwork()
    mean = running_mean(model)
    examples = Examples(kinds, np.random.default_rng(seed))
    optimizer = torch.optim.AdamW(model.parameters(), RATE, weight_decay=1e-3)
    paces = torch.optim.lr_scheduler.OneCycleLR(optimizer, RATE, total_steps=steps, pct_start=0.1)
    for step in range(1, steps + 1):
        inputs, runs, counts = examples.batch(BATCH)
        loss = nn.functional.cross_entropy(runs.counts(signs_of(model(inputs))), counts)
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 5.0)
        optimizer.step()
        paces.step()
        mean.update_parameters(model)
        if step % 500 == 0 or step == steps:
            told = "; ".join(f"{name}: {measured(mean.module, shown)}" for name, shown in tests.items())
            LOG.info("step %d, loss %.4f; %s", step, loss.item(), told)
    learned: TrayNetwork = mean.module
    return learned


def main() -> None:
    """Trains and writes the network."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("renders", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("drawn", type=Path, nargs="+")
    parser.add_argument("--steps", type=int, default=3500)
    parser.add_argument("--painted", type=int, default=6000)
    parser.add_argument("--test", type=Path, help="drawn trays to be measured on, and not learned from")
    parser.add_argument("--seed", type=int, default=SEED)
    given = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    cv2.setNumThreads(1)
    folders = [path for path in sorted(given.renders.glob("inst*")) if int(path.name[4:]) not in HELD_OUT_SESSIONS]
    kinds = {"rendered": Shown(), "drawn": Shown()}
    for folder in folders:
        for example in rendered(folder):
            kinds["rendered"].add(*example)
    for path in given.drawn:
        for example in drawn(path):
            kinds["drawn"].add(*example)
    trays = list({id(tray): tray for kind in kinds.values() for tray in kind.trays}.values())
    kinds["painted"] = paint(trays, given.painted, np.random.default_rng(given.seed))
    tests = {"rendered": kinds["rendered"]}
    if given.test is not None:
        tests["drawn"] = Shown()
        for example in drawn(given.test):
            tests["drawn"].add(*example)
    for name, shown in kinds.items():
        LOG.info("%s: %d trays, %d with runs", name, len(shown), sum(count > 0 for count in shown.counts))
    write_onnx(train(kinds, tests, given.steps, given.seed), given.out)


if __name__ == "__main__":
    main()
