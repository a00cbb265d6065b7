"""Gets strips as they are seen in photographs, by the field's corners alone, to train the network that reads points.

    python -m boardctl.vision.training.column_photographs PICTURES_DIR OUT.npz [--corners-off 0.03] [--first 2]

PICTURES_DIR has a folder an installation with pictures and exact truth, as ``boardctl bench looks --slanted --keep
PICTURES_DIR`` draws them. Each picture is taken as ``boardctl read --corners`` takes it: camera, bar, empty board,
colours and the checkers' size are what the photograph itself tells, with its faults, and rails hide what they hide from
beside the board. What lies there is told by the truth, where it is seen with that camera. What is written is of the
kind that ``boardctl.virtual.training.tables`` writes; the seats are those for whose the colours are taken.
"""

import argparse
import logging
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from boardctl.vision.measuring.truth import TruePicture, corners_of, moved_corners, read_truth
from boardctl.vision.photograph.points import Look, clearest_look
from boardctl.vision.photograph.reading import bare_board
from boardctl.vision.points.columns import POINTS, STRIPS, Picture
from boardctl.vision.points.seats_seen import DISCS, OWN_SLOTS
from boardctl.vision.training.column_data import (
    LAYERS,
    covered_shares,
    covered_shares_of_lines,
    hidden_of,
    slots_beside,
    slots_of,
    untold,
)
from calibration import CameraModel
from calibration.corners import Corners
from calibration.errors import CalibrationError

LOG = logging.getLogger(__name__)

CORNERS_OFF = 0.03
"""By how many widths of points each corner is given beside where it is, each way (standard deviation)."""
CHECKERS = 15
"""So many checkers each seat has."""
Slots = NDArray[np.int64]
Shares = NDArray[np.float32]


@dataclass(frozen=True)
class SeenPhotograph:
    """A photograph as it is seen by its field's corners, in the light in which it is read, the camera that is taken for
    its own, and what lies in the slots of points and bar (26 x 7, as in ``Columns``)."""

    look: Look
    picture: Picture
    camera: CameraModel
    slots: Slots


def seen_photograph(picture: TruePicture, corners: Corners, checkers: int = CHECKERS) -> SeenPhotograph | None:
    """Gets a photograph as it is seen by its field's corners; None where it is not read in strips. ``checkers``: how
    many each seat has in all; 0 where that is not known."""
    bare = bare_board(picture.picture(), corners, picture.geometry.home_on_right)
    look = None if bare is None else clearest_look(bare.picture, bare.camera, bare.geometry, bare.empty, checkers)
    if bare is None or look is None:
        return None
    seen = replace(picture, camera=bare.camera, geometry=look.geometry)
    slots = np.concatenate([slots_beside(seen, 0.0, 0.0), slots_of(seen)[POINTS:STRIPS]])
    return SeenPhotograph(look, bare.picture, bare.camera, as_coloured(slots, look))


def as_coloured(slots: Slots, look: Look) -> Slots:
    """Gets slots with the seats exchanged where the colours of a look are the other way round: who is A is told by
    lightness there."""
    colours = look.reference.palette.likeness(look.strips[:POINTS])
    nearer_a = np.array([[np.diff(colours[strip][top]).mean() < 0 for top in DISCS.tops] for strip in range(POINTS)])
    of_a, of_b = (
        (slots[:POINTS, :OWN_SLOTS] > low) & (slots[:POINTS, :OWN_SLOTS] <= low + LAYERS) for low in (0, LAYERS)
    )
    nearer = nearer_a[:, :OWN_SLOTS]
    if nearer[of_a].sum() + (~nearer)[of_b].sum() >= (of_a.sum() + of_b.sum()) / 2:
        return slots
    exchanged = np.where(slots > LAYERS, slots - LAYERS, slots + LAYERS)
    return np.where(slots > 0, exchanged, slots)


def covered_in(picture: TruePicture, look: Look, slots: Slots) -> Shares:
    """Gets what share of each slot (26 x 7) hands and things cover: of one of a row as wide as a checker, of a bare
    place along its middle line; NaN where the truth does not tell."""
    outlines = picture.truth.get("covers_px")
    if outlines is None:
        return untold(np.zeros(STRIPS, dtype=np.float32))
    mask = np.zeros((picture.camera.height_px, picture.camera.width_px, 3), dtype=np.uint8)
    cv2.fillPoly(mask, [np.array(outline, dtype=np.int32) for outline in outlines], (255, 255, 255))
    cut = look.reference.cutter.cut(mask)
    bare = (slots == 0).all(axis=1)[:, None]
    return np.where(bare, covered_shares_of_lines(cut), covered_shares(cut)).astype(np.float32)


def photographs_in(
    folder: Path, corners_off: float, first: int, checkers: int = CHECKERS
) -> Iterator[tuple[SeenPhotograph, TruePicture]]:
    """Gets the photographs of all installations of a folder, from the ``first`` picture of each on, as they are seen
    and with their truth."""
    for path in sorted(folder.glob("*/f*.json")):
        if int(path.stem[1:]) < first:
            continue
        picture = read_truth(path)
        try:
            seen = seen_photograph(picture, moved_corners(corners_of(picture.truth), corners_off, path), checkers)
        except CalibrationError as error:
            LOG.info("%s: %s", path, error)
            continue
        if seen is None:
            LOG.info("%s: not seen as strips", path)
            continue
        yield seen, picture


def write(folder: Path, out: Path, corners_off: float, first: int) -> int:
    """Writes the photographs of a folder; gets how many.

    :raises ValueError: when none is read.
    """
    photographs = list(photographs_in(folder, corners_off, first))
    if not photographs:
        raise ValueError(f"{folder}: no photograph of it is seen as strips")
    looks, slots = ([getattr(seen, name) for seen, _ in photographs] for name in ("look", "slots"))
    np.savez(
        out,
        strips=np.stack([look.strips for look in looks]),
        slots=np.stack(slots),
        hidden=np.array([hidden_of(picture)[:STRIPS] for _, picture in photographs], dtype=np.float32),
        covered=np.stack([covered_in(picture, seen.look, seen.slots) for seen, picture in photographs]),
        of_look=np.arange(len(looks)),
        empty=np.stack([look.reference.empty for look in looks]),
        leaning=np.stack([look.reference.leaning for look in looks]),
        palettes=np.stack([look.reference.palette.ratios for look in looks]),
    )
    return len(looks)


def main() -> None:
    """Gets the strips and writes them."""
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("pictures", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--corners-off", type=float, default=CORNERS_OFF, help="in widths of points")
    parser.add_argument("--first", type=int, default=2, help="the first picture of each installation that is taken")
    given = parser.parse_args()
    cv2.setNumThreads(1)
    LOG.info("%d photographs", write(given.pictures, given.out, given.corners_off, given.first))


if __name__ == "__main__":
    main()
