"""Strips of points with what lies in each of their slots, from pictures with exact truth.

Each installation is calibrated by itself from its own two pictures, so that the network learns to live with the
faults of real calibrations.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from boardctl.rules import Seat
from boardctl.vision.columns import BAR_STARTS, POINTS, SLOTS, STRIPS, ReferenceStrips, reference_strips, top_height_mm
from boardctl.vision.training.truth import TruePicture, read_truth
from boardctl.vision.trays import SEATS, reference_trays
from calibration import calibrate
from calibration.landmarks import TOUCHING

LAYERS = 3
"""Checkers on top of each other that are told apart in one slot."""

UNSURE = 0.1
"""Share given to both ends of a bar and to a tray over which a hand is: the truth does not tell how much it covers."""


@dataclass(frozen=True)
class Columns:
    """Strips of one installation (N x length x width x 3), which strips they are, and what lies there.

    Strips 0 to 25 are points and bar, 26 and 27 the trays of A and B. ``slots`` (N x 7): 0 nothing, 1 to 3 so many
    checkers of A on each other, 4 to 6 of B. ``hidden`` (N): the share of the point that a hand covers.
    """

    reference: ReferenceStrips
    strips: NDArray[np.uint8]
    points: NDArray[np.intp]
    slots: NDArray[np.int64]
    hidden: NDArray[np.float32]


def slots_of(picture: TruePicture) -> NDArray[np.int64]:
    """Gets what lies in the slots of every strip and both trays (28 x 7); a run on edge counts as nothing."""
    geometry, camera = picture.geometry, picture.camera
    slots = np.zeros((STRIPS + len(SEATS), SLOTS), np.int64)
    pitch = geometry.checker_diameter_mm * TOUCHING
    for checker in picture.truth["checkers"]:
        if checker["on_edge"]:
            continue
        layer = min(checker["layer"], LAYERS - 1)
        on_bar = checker["at"] == "bar"
        height = top_height_mm(geometry, POINTS if on_bar else 0, checker["layer"] + 1)
        _, y = camera.to_plane([checker["px"]], height)[0]
        if on_bar:
            strip = POINTS if y < 0 else POINTS + 1
            depth = abs(y) - BAR_STARTS * geometry.checker_diameter_mm
        elif checker["at"] == "off":
            strip = STRIPS + "AB".index(checker["player"])
            depth = geometry.field_height_mm / 2 - abs(y)
        else:
            strip = checker["at"] - 1
            depth = geometry.field_height_mm / 2 - (-y if geometry.is_near_row(strip + 1) else y)
        row = int(np.clip(np.floor(depth / pitch), 0, SLOTS - 1))
        label = 1 + layer + (0 if checker["player"] == "A" else LAYERS)
        slots[strip, row] = max(slots[strip, row], label)
    return slots


def columns_of(folder: Path) -> Columns:
    """Gets the strips of every frame of an installation's folder: points, bar and trays."""
    frames = sorted(folder.glob("f*.json"))
    pictures = [read_truth(path) for path in frames]
    calibration = calibrate(pictures[0].picture(), pictures[1].picture())
    points, trays = reference_strips(calibration), reference_trays(calibration).rows
    reference = replace(
        points,
        empty=np.concatenate([points.empty, trays.empty]),
        leaning=np.concatenate([points.leaning, trays.leaning]),
    )
    strips, slots, hidden = [], [], []
    for picture in pictures:
        image = picture.picture()
        strips += [points.cutter.cut(image), trays.cutter.cut(image)]
        slots.append(slots_of(picture))
        hidden.append(hidden_of(picture))
    return Columns(
        reference,
        np.concatenate(strips),
        np.tile(np.arange(STRIPS + len(SEATS)), len(frames)),
        np.concatenate(slots),
        np.array(hidden, dtype=np.float32).ravel(),
    )


def hidden_of(picture: TruePicture) -> list[float]:
    """Gets the share of each strip that a hand covers; all of a tray that holds a run on edge, which is not a row."""
    truth = picture.truth
    on_bar = UNSURE if truth["bar_occluded"] else 0.0
    runs = {one["player"] for one in truth["checkers"] if one["at"] == "off" and one["on_edge"]}
    in_trays = [
        UNSURE if truth["tray_occluded"][seat.value] else float(seat.value in runs) for seat in (Seat.A, Seat.B)
    ]
    points = [float(truth["points"][str(number)]["occluded_frac"]) for number in range(1, POINTS + 1)]
    return [*points, on_bar, on_bar, *in_trays]


def collect(folder: Path, installations: Sequence[str]) -> list[Columns]:
    """Gets the strips of the named installations of a folder of renders."""
    cv2.setNumThreads(1)
    return [columns_of(folder / name) for name in installations]
