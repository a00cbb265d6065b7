"""Gets rows for the closer look out of pictures of drawn boards, as the program sees them, to train its network.

    python -m boardctl.vision.training.stack_pictures PICTURES_DIR OUT.npz [--photographs] [--corners-off 0.03]

PICTURES_DIR has a folder an installation with pictures and exact truth, as ``boardctl.virtual.training.crowded`` or
``boardctl bench looks --keep PICTURES_DIR`` writes them. Each installation is calibrated by its first two pictures, or
with ``--photographs`` each picture is seen by its field's corners alone, with the camera, the sizes and the light that
it tells itself.
"""

import argparse
import logging
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np

from boardctl.vision.measuring.truth import TruePicture
from boardctl.vision.points.columns import POINTS
from boardctl.vision.points.stack_strips import stack_cutter
from boardctl.vision.training.column_data import LAYERS, hidden_of
from boardctl.vision.training.column_photographs import CORNERS_OFF, SeenPhotograph, photographs_in
from boardctl.vision.training.stack_rows import Row, rows_in, rows_of, rows_written
from calibration import Calibration
from calibration.errors import CalibrationError

LOG = logging.getLogger(__name__)

FIRST = 2
"""Before it are the pictures of the empty board and of the starting position."""


def rows_seen(seen: SeenPhotograph, picture: TruePicture) -> list[Row]:
    """Gets the rows of a photograph: those of which nothing is hidden, where as many checkers are told of their slots
    as lie on the point."""
    geometry, points = seen.look.geometry, picture.truth["points"].values()
    tool = stack_cutter(Calibration.of(seen.camera, geometry, seen.picture, seen.picture))
    slots = seen.slots[:POINTS]
    held = np.where(slots > 0, (slots - 1) % LAYERS + 1, 0).sum(axis=1)
    is_told = held == [point["count"] for point in points]
    hidden = np.where(is_told, hidden_of(picture)[:POINTS], 1.0)
    return rows_in(seen.picture, tool, geometry, slots, hidden.tolist())


def rows_photographed(folder: Path, corners_off: float) -> Iterator[Row]:
    """Gets the rows of the photographs of all installations of a folder."""
    for seen, picture in photographs_in(folder, corners_off, FIRST, checkers=0):
        yield from rows_seen(seen, picture)


def rows_calibrated(folder: Path) -> Iterator[Row]:
    """Gets the rows in the pictures of all installations of a folder that can be calibrated."""
    for installation in sorted(path for path in folder.iterdir() if path.is_dir()):
        try:
            yield from rows_of(installation)
        except CalibrationError as error:
            LOG.info("%s: %s", installation, error)


def write(rows: list[Row], out: Path) -> None:
    """Writes rows as ``boardctl.virtual.training.boards`` does, with nothing else.

    :raises ValueError: when there is none.
    """
    if not rows:
        raise ValueError(f"{out}: there are no rows to be written")
    np.savez(out, **rows_written(rows))  # type: ignore[arg-type]


def main() -> None:
    """Gets the rows and writes them."""
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("pictures", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--photographs", action="store_true", help="seen without a calibration")
    parser.add_argument("--corners-off", type=float, default=CORNERS_OFF, help="in widths of points")
    given = parser.parse_args()
    cv2.setNumThreads(1)
    found = (
        rows_photographed(given.pictures, given.corners_off) if given.photographs else rows_calibrated(given.pictures)
    )
    rows = list(found)
    write(rows, given.out)
    LOG.info("%d rows", len(rows))


if __name__ == "__main__":
    main()
