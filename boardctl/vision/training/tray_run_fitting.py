"""Fits what each sign of a run of checkers on edge says, and prints it for ``boardctl/vision/tray_runs.py``.

    python -m boardctl.vision.training.tray_run_fitting RENDERS_DIR

A conditional logit (McFadden, 1974) over all numbers, thicknesses and beginnings, of which pictures with truth tell the
number: the likelihood of that is made as large as it can be by Adam. Pictures of a tray that holds the same count for
less. Installations 03, 06, 11 and 13 are held out. Nothing but NumPy and OpenCV is needed.
"""

import argparse
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from boardctl.rules import Seat
from boardctl.vision.columns import reference_strips
from boardctl.vision.training.truth import HELD_OUT_SESSIONS, TruePicture, read_truth
from boardctl.vision.tray_runs import SIGNS, Profile, run_strip, signs_of_runs
from calibration import Calibration, calibrate

Floats = NDArray[np.float64]

STEPS, RATE, DECAY = 400, 0.05, 0.006
FIRST_WEIGHTS = np.array([1.0, -1, 0, 0, -1, 1, 1, 1, -1, -1, 0, -1])
"""Where the fit begins: each sign with the direction in which it must speak."""


@dataclass(frozen=True)
class TrueRun:
    """One tray with checkers on edge: what speaks for which number, and the true one."""

    tray: tuple[str, Seat]
    count: int
    signs: Floats
    usual: Floats


def true_runs(folder: Path) -> Iterator[TrueRun]:
    """Gets the runs in all frames of an installation in which no hand is over the trays."""
    pictures = [read_truth(path) for path in sorted(folder.glob("f*.json"))]
    calibration = calibrate(pictures[0].picture(), pictures[1].picture())
    for picture in pictures[2:]:
        for seat in (Seat.A, Seat.B):
            run = _true_run(picture, calibration, seat)
            if run is not None:
                yield run


def _true_run(picture: TruePicture, calibration: Calibration, seat: Seat) -> TrueRun | None:
    borne_off = [one for one in picture.truth["checkers"] if one["at"] == "off" and one["player"] == seat.value]
    if any(picture.truth["tray_occluded"].values()) or not borne_off or not borne_off[0]["on_edge"]:
        return None
    strip = run_strip(calibration, seat)
    palette = reference_strips(calibration).palette
    signs, usual = signs_of_runs(Profile(strip.cut(picture.picture()), strip, palette, seat), strip)
    return TrueRun((picture.installation, seat), len(borne_off), np.stack(signs, axis=-1), usual)


def fitted(runs: list[TrueRun]) -> Floats:
    """Gets the weights of the signs."""
    alike = Counter((run.tray, run.count) for run in runs)
    weights, mean, square = FIRST_WEIGHTS.copy(), np.zeros(SIGNS), np.zeros(SIGNS)
    for step in range(1, STEPS + 1):
        slope = -DECAY * len(runs) * weights
        for run in runs:
            slope += (_expected(run, weights, run.count) - _expected(run, weights, None)) / alike[run.tray, run.count]
        mean, square = 0.9 * mean + 0.1 * slope, 0.99 * square + 0.01 * slope**2
        pace = RATE * (1 - step / STEPS)
        weights = weights + pace * mean / (1 - 0.9**step) / (np.sqrt(square / (1 - 0.99**step)) + 1e-8)
    return weights


def _expected(run: TrueRun, weights: Floats, count: int | None) -> Floats:
    """Gets the mean of the signs over what is likely, for all numbers or for one."""
    chosen = slice(None) if count is None else slice(count - 1, count)
    scores = run.signs[chosen] @ weights + run.usual[chosen]
    likely = np.exp(scores - scores.max())
    return np.asarray(np.tensordot(likely / likely.sum(), run.signs[chosen], axes=3), dtype=np.float64)


def main() -> None:
    """Runs the fit."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("renders", type=Path)
    given = parser.parse_args()
    folders = [path for path in sorted(given.renders.glob("inst*")) if int(path.name[4:]) not in HELD_OUT_SESSIONS]
    runs = [run for folder in folders for run in true_runs(folder)]
    print(", ".join(f"{weight:.2f}" for weight in fitted(runs)))  # noqa: T201  # its whole purpose


if __name__ == "__main__":
    main()
