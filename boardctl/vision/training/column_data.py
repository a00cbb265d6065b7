"""Strips of points with what lies in each of their slots, from pictures with exact truth.

Each installation is calibrated by itself from its own two pictures, so that the network learns to live with the
faults of real calibrations.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from boardctl.vision.columns import BAR_STARTS, POINTS, SLOTS, STRIPS, ReferenceStrips, reference_strips, top_height_mm
from boardctl.vision.training.truth import TruePicture, read_truth
from calibration import calibrate
from calibration.landmarks import TOUCHING

LAYERS = 3
"""Checkers on top of each other that are told apart in one slot."""

BAR_UNSURE = 0.1
"""Share given to both ends of a bar over which a hand is, as the truth does not tell which end it covers."""


@dataclass(frozen=True)
class Columns:
    """Strips of one installation (N x length x width x 3), which strips they are, and what lies there.

    ``slots`` (N x 7): 0 nothing, 1 to 3 so many checkers of A on each other, 4 to 6 of B. ``hidden`` (N): the share of
    the point that a hand covers.
    """

    reference: ReferenceStrips
    strips: NDArray[np.uint8]
    points: NDArray[np.intp]
    slots: NDArray[np.int64]
    hidden: NDArray[np.float32]


def slots_of(picture: TruePicture) -> NDArray[np.int64]:
    """Gets what lies in the slots of every strip (26 x 7)."""
    geometry, camera = picture.geometry, picture.camera
    slots = np.zeros((STRIPS, SLOTS), np.int64)
    pitch = geometry.checker_diameter_mm * TOUCHING
    for checker in picture.truth["checkers"]:
        if checker["on_edge"] or checker["at"] == "off":
            continue
        layer = min(checker["layer"], LAYERS - 1)
        on_bar = checker["at"] == "bar"
        height = top_height_mm(geometry, POINTS if on_bar else 0, checker["layer"] + 1)
        _, y = camera.to_plane([checker["px"]], height)[0]
        if on_bar:
            strip = POINTS if y < 0 else POINTS + 1
            depth = abs(y) - BAR_STARTS * geometry.checker_diameter_mm
        else:
            strip = checker["at"] - 1
            depth = geometry.field_height_mm / 2 - (-y if geometry.is_near_row(strip + 1) else y)
        row = int(np.clip(np.floor(depth / pitch), 0, SLOTS - 1))
        label = 1 + layer + (0 if checker["player"] == "A" else LAYERS)
        slots[strip, row] = max(slots[strip, row], label)
    return slots


def columns_of(folder: Path) -> Columns:
    """Gets the strips of every frame of an installation's folder."""
    frames = sorted(folder.glob("f*.json"))
    pictures = [read_truth(path) for path in frames]
    calibration = calibrate(pictures[0].picture(), pictures[1].picture())
    reference = reference_strips(calibration)
    strips, slots, hidden = [], [], []
    for picture in pictures:
        strips.append(reference.cutter.cut(picture.picture()))
        slots.append(slots_of(picture))
        points = picture.truth["points"]
        on_bar = BAR_UNSURE if picture.truth["bar_occluded"] else 0.0
        hidden.append([float(points[str(number)]["occluded_frac"]) for number in range(1, POINTS + 1)] + [on_bar] * 2)
    return Columns(
        reference,
        np.concatenate(strips),
        np.tile(np.arange(STRIPS), len(frames)),
        np.concatenate(slots),
        np.array(hidden, dtype=np.float32).ravel(),
    )


def collect(folder: Path, installations: Sequence[str]) -> list[Columns]:
    """Gets the strips of the named installations of a folder of renders."""
    cv2.setNumThreads(1)
    return [columns_of(folder / name) for name in installations]
