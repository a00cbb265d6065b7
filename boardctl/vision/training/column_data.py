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
from boardctl.vision.measuring.truth import TruePicture, read_truth
from boardctl.vision.points.columns import (
    BAR_STARTS,
    CHECKER_PX,
    POINTS,
    SLOTS,
    STRIP_WIDTH,
    STRIPS,
    Cutter,
    ReferenceStrips,
    cutter,
    mm_per_px,
    reference_strips,
    strip_places_mm,
    top_height_mm,
)
from boardctl.vision.points.seat_palette import SeatPalette
from boardctl.vision.trays.reading import reference_trays
from boardctl.vision.trays.rows import SEATS
from calibration import Calibration, calibrate
from calibration.start.stack_rims import TOUCHING

LAYERS = 3
"""Checkers on top of each other that are told apart in one slot."""

OWN, NEXT = 0.40, 0.62
"""Off the middle line by up to how many widths of a point a checker is this point's, and from where on it is not; by
how much of a slot's length off the slot's middle it may lie and be surely of it."""

EITHER = -2
"""What lies in a slot that holds a checker, or none: one that lies between two slots, or between two points."""

REACHES_BACK = 0.3
"""By how many checkers an upper checker may lie before the middle of the slot that it counts to, and by how many less
than one behind it: people lay a second layer into the hollows of the first as often as on its checkers, and the one
between the first two checkers is the first of its layer."""

LEVEL_INSIDE = 127
"""Level of a mask (0 to 255) above which a place is in it."""

UNSURE = 0.1
"""Share given to both ends of a bar and to a tray over which a hand is: the truth does not tell how much it covers."""


@dataclass(frozen=True)
class Columns:
    """Strips of one installation (N x length x width x 3), which strips they are, and what lies there.

    Strips 0 to 25 are points and bar, 26 and 27 the trays of A and B. ``slots`` (N x 7): 0 nothing, 1 to 3 so many
    checkers of A on each other, 4 to 6 of B. ``hidden`` (N): the share of the point that a hand covers. ``covered``
    (N x 7): the share of each slot, NaN where that is not told.
    """

    reference: ReferenceStrips
    strips: NDArray[np.uint8]
    points: NDArray[np.intp]
    slots: NDArray[np.int64]
    hidden: NDArray[np.float32]
    covered: NDArray[np.float32]
    is_row: bool = True
    """Whether what lies there are rows, which may be cut short, made longer, and get checkers laid on them."""
    is_drawn: bool = False


Beside = tuple[NDArray[np.uint8], NDArray[np.uint8], NDArray[np.int64]]


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
        row = slot_at(depth / pitch, layer)
        label = 1 + layer + (0 if checker["player"] == "A" else LAYERS)
        slots[strip, row] = max(slots[strip, row], label)
    return slots


def slot_at(along: float, layer: int) -> int:
    """Gets which slot a checker counts to whose middle lies so many checkers from the edge, on ``layer`` others."""
    return int(np.clip(np.floor(along - 0.5 + REACHES_BACK if layer else along), 0, SLOTS - 1))


def slots_beside(picture: TruePicture, aside_px: float, along_px: float) -> NDArray[np.int64]:
    """Gets what lies in the slots of all points (24 x 7) that are cut so far to the right and from the edge, in pixels
    of a strip; EITHER where a checker lies between two slots or two points."""
    geometry, camera = picture.geometry, picture.camera
    slots, is_open = np.zeros((POINTS, SLOTS), np.int64), np.zeros((POINTS, SLOTS), dtype=np.bool_)
    pixel_mm = mm_per_px(geometry)
    for checker in picture.truth["checkers"]:
        if checker["on_edge"] or checker["at"] in ("bar", "off"):
            continue
        layer = min(checker["layer"], LAYERS - 1)
        x, y = camera.to_plane([checker["px"]], top_height_mm(geometry, 0, checker["layer"] + 1))[0]
        for strip in range(POINTS):
            inwards = 1.0 if geometry.is_near_row(strip + 1) else -1.0
            off_px = inwards * (x - geometry.point_x_mm(strip + 1)) / pixel_mm - aside_px
            off = abs(off_px) * pixel_mm / geometry.point_width_mm
            depth = (geometry.field_height_mm / 2 + inwards * y) / pixel_mm - along_px
            if off > NEXT or inwards * y > 0 or depth < -CHECKER_PX / 2:
                continue
            slot = slot_at(depth / CHECKER_PX, layer)
            part = depth / CHECKER_PX - slot
            beside = slot + (1 if part > OWN + 0.5 else -1 if part < 0.5 - OWN else 0)
            if off > OWN or (beside != slot and layer == 0):
                is_open[strip, [each for each in (slot, beside) if 0 <= each < SLOTS]] = True
            label = 1 + layer + (0 if checker["player"] == "A" else LAYERS)
            slots[strip, slot] = max(slots[strip, slot], label)
    return np.where(is_open, EITHER, slots)


def cut_beside(picture: TruePicture, calibration: Calibration, aside_px: float, along_px: float) -> Beside:
    """Gets all points of a picture cut so far to the right and from the edge (24 x length x width x 3), those of the
    empty board alike, and what lies in their slots."""
    geometry = calibration.geometry
    strips = []
    for strip in range(POINTS):
        places = strip_places_mm(geometry, strip)
        places = places + along_px * (places[1, 0] - places[0, 0]) + aside_px * (places[0, 1] - places[0, 0])
        strips.append((places, top_height_mm(geometry, strip)))
    tool = cutter(calibration.camera, strips)
    return tool.cut(picture.picture()), tool.cut(calibration.empty), slots_beside(picture, aside_px, along_px)


def columns_beside(folder: Path, rng: np.random.Generator) -> Columns:
    """Gets the points of every frame of an installation's folder, cut beside where they lie: rows lie aside in them."""
    pictures = [read_truth(path) for path in sorted(folder.glob("f*.json"))]
    calibration = calibrate(pictures[0].picture(), pictures[1].picture())
    points = reference_strips(calibration)
    pitch_px = calibration.geometry.point_width_mm / mm_per_px(calibration.geometry)
    cuts, hidden = [], []
    for picture in pictures[1:]:
        aside, along = rng.uniform(0.08, 0.36) * rng.choice((-1, 1)) * pitch_px, rng.normal(0, 2.0)
        cuts.append(cut_beside(picture, calibration, float(aside), float(along)))
        hidden.append(hidden_of(picture)[:POINTS])
    strips, empty, slots = (np.concatenate(each) for each in zip(*cuts, strict=True))
    count = len(cuts)
    reference = replace(points, empty=empty, leaning=np.tile(points.leaning[:POINTS], (count, 1)))
    shares = np.array(hidden, dtype=np.float32).ravel()
    return Columns(reference, strips, np.arange(count * POINTS), slots, shares, untold(shares), is_row=False)


def untold(hidden: NDArray[np.float32]) -> NDArray[np.float32]:
    """Gets what share of each slot (N x 7) is covered where that is told of whole strips (N) alone: NaN."""
    return np.full((len(hidden), SLOTS), np.nan, dtype=np.float32)


def covered_shares(cut: NDArray[np.uint8]) -> NDArray[np.float64]:
    """Gets what share of each slot (N x 7), as wide as a checker, a mask covers that was cut as strips (N x length x
    width x 3; 255 in it)."""
    side = (STRIP_WIDTH - CHECKER_PX) // 2
    return _shares(cut, slice(side, -side))


def covered_shares_of_lines(cut: NDArray[np.uint8]) -> NDArray[np.float64]:
    """Gets the same (N x 7) of the strips' middle lines: by what a bare point can be told."""
    return _shares(cut, slice(STRIP_WIDTH // 2 - 1, STRIP_WIDTH // 2 + 1))


def _shares(cut: NDArray[np.uint8], columns: slice) -> NDArray[np.float64]:
    inside = cut[:, :, columns, 0] > LEVEL_INSIDE
    return np.asarray(inside.reshape(len(cut), SLOTS, -1).mean(axis=2), dtype=np.float64)


def columns_drawn(path: Path) -> list[Columns]:
    """Gets the strips of each look that ``boardctl.virtual.training``'s ``boards`` or ``tables`` drew, or traced."""
    with np.load(path) as file:
        names = ("strips", "slots", "hidden", "covered", "of_look", "empty", "leaning", "palettes")
        data = {name: file[name] for name in names}
    found = []
    for look in range(len(data["empty"])):
        chosen = data["of_look"] == look
        strips, slots, hidden, covered = (
            data[name][chosen].reshape(-1, *data[name].shape[2:]) for name in ("strips", "slots", "hidden", "covered")
        )
        palette = SeatPalette(data["palettes"][look].copy())
        nowhere = Cutter((np.empty((0, 0, 2), np.int16), np.empty((0, 0), np.uint16)))
        reference = ReferenceStrips(nowhere, data["empty"][look].copy(), data["leaning"][look].copy(), palette)
        points = np.tile(np.arange(data["strips"].shape[1]), int(chosen.sum()))
        found.append(Columns(reference, strips, points, slots, hidden, covered, is_row=False, is_drawn=True))
    return found


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
    points_of = np.tile(np.arange(STRIPS + len(SEATS)), len(frames))
    shares = np.array(hidden, dtype=np.float32).ravel()
    return Columns(reference, np.concatenate(strips), points_of, np.concatenate(slots), shares, untold(shares))


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
